"""A line recognised by its bytes gets what parsing it would have got."""

import json
from typing import Any

import orjson
from hypothesis import given, settings
from hypothesis import strategies as st

from agrama.context import Context
from agrama.protocol.messages import Request
from agrama.recall import MAX_LINES, Recall
from agrama.registry import Registry, Tool
from agrama.server import Server


def run(context: Context, arguments: dict[str, Any]) -> dict[str, Any]:
    return {"got": arguments}


def connect() -> Any:
    server = Server(registry=Registry(Tool("t", "d", run, {"type": "object"}, cacheable=True)))
    peer = server.connect(lambda out: None, rate_limited=False)
    peer.receive(
        b'{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-06-18"}}'
    )
    return peer


identities = (
    st.integers(-5, 10**18) | st.text(max_size=5) | st.sampled_from([1.5, None, True, [1], {}])
)
arguments = st.dictionaries(
    st.sampled_from(["a", "id", "method", "b"]),
    st.sampled_from([1, "id", '"id":3', {"id": 5}, None]),
)
orders = st.permutations(["jsonrpc", "id", "method", "params"])
styles = st.sampled_from([(",", ":"), (", ", ": "), (" ,", " : ")])


@settings(max_examples=150)
@given(
    st.lists(st.tuples(identities, arguments, orders, styles), min_size=1, max_size=12),
    st.integers(1, 3),
)
def test_same_answer_as_from_parsing(requests: list[Any], repeats: int) -> None:
    peer = connect()
    for identity, given_arguments, order, style in requests * (repeats + 1):
        params = {"name": "t", "arguments": given_arguments}
        fields = {"jsonrpc": "2.0", "id": identity, "method": "tools/call", "params": params}
        line = json.dumps({key: fields[key] for key in order}, separators=style).encode() + b"\n"
        answer = orjson.loads(peer.respond(line))
        if type(identity) in (int, str):
            assert answer["id"] == identity
            assert type(answer["id"]) is type(identity)
            assert answer["result"]["structuredContent"] == {"got": given_arguments}
        else:
            assert answer["error"]["code"] == -32600


HIT = b'{"jsonrpc":"2.0","id":%b,"method":"tools/call","params":{"name":"t","arguments":{}}}\n'


def test_what_only_looks_alike_is_not_recognised() -> None:
    peer = connect()
    for _ in range(3):
        peer.respond(HIT % b"1")
    for identity, code in (
        (b"01", -32700),
        (b"1.0", -32600),
        (b"1e3", -32600),
        (b"-1", None),
        (b"18446744073709551616", -32600),
        (b'1,"id":2', None),
        (b"1,", -32700),
        (b"", -32700),
    ):
        answer = orjson.loads(peer.respond(HIT % identity))
        assert answer.get("error", {}).get("code") == code, identity


def test_nothing_is_recalled_once_the_server_drains() -> None:
    peer = connect()
    for _ in range(3):
        peer.respond(HIT % b"1")
    peer.shut_down()
    assert orjson.loads(peer.respond(HIT % b"2"))["error"]["code"] == -32600


def test_a_changed_tool_is_not_recalled() -> None:
    peer = connect()
    for _ in range(3):
        peer.respond(HIT % b"1")
    peer.server.registry.remove_tool("t")
    assert orjson.loads(peer.respond(HIT % b"2"))["error"]["code"] == -32602


def test_only_the_oldest_lines_are_forgotten_when_there_are_many() -> None:
    server = connect().server
    recall = Recall(server)
    line = (
        b'{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"t","arguments":{"n":%d}}}'
    )
    for number in range(MAX_LINES + 1):
        recall.learn(line % number, Request(1, "tools/call", {"name": "t"}, {}), ("key",))
    server.cache.put(("key",), b"{}", server.cache.now())
    assert recall.answer(line % 0) is None
    for number in (MAX_LINES // 2, MAX_LINES):
        assert recall.answer(line % number) == b'{"jsonrpc":"2.0","id":1,"result":{}}\n'
