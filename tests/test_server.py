"""The server core without a transport: registry, middleware, chains, limits."""

import threading
from pathlib import Path
from typing import Any

import orjson
import pytest

from agrama.context import Context
from agrama.errors import InvalidParamsError
from agrama.protocol.messages import Outgoing, Request
from agrama.registry import Registry, Resource, ResourceTemplate, Tool
from agrama.server import Options, Server, build_server

HELLO = {"protocolVersion": "2025-11-25", "capabilities": {}}


class Line:
    """A connection in this process."""

    def __init__(self, server: Server, **options: Any) -> None:
        self.sent: list[Outgoing] = []
        self.arrived = threading.Condition()
        self.peer = server.connect(
            self._take, rate_limited=options.pop("rate_limited", False), **options
        )
        self.count = 0
        if not options.get("stateless"):
            self.request("initialize", HELLO)
            self.peer.receive(b'{"jsonrpc":"2.0","method":"notifications/initialized"}')

    def _take(self, out: Outgoing) -> None:
        with self.arrived:
            self.sent.append(out)
            self.arrived.notify_all()

    def request(self, method: str, params: Any = None, origin: Any = None) -> Any:
        self.count += 1
        message = {"jsonrpc": "2.0", "id": self.count, "method": method, "params": params or {}}
        out = self.peer.receive(orjson.dumps(message), origin)
        if out is None:
            with self.arrived:
                assert self.arrived.wait_for(lambda: any(item.final for item in self.sent), 5)
                out = next(item for item in self.sent if item.final)
                self.sent.remove(out)
        return orjson.loads(out.data)

    def call(self, tool: str, **arguments: Any) -> Any:
        return self.request("tools/call", {"name": tool, "arguments": arguments})


def hello(context: Context, arguments: dict[str, Any]) -> str:
    return f"hello {arguments.get('name', 'you')}"


def test_a_custom_tool_in_a_few_lines_at_run_time() -> None:
    server = Server("mine", "1")
    line = Line(server)
    assert line.request("tools/list")["result"]["tools"] == []
    server.registry.add(Tool("hello", "Says hello.", hello))
    assert line.sent.pop().data == b'{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}'
    assert line.call("hello")["result"]["content"] == [{"type": "text", "text": "hello you"}]
    server.registry.remove_tool("hello")
    assert line.call("hello")["error"]["code"] == -32602


def test_replacing_a_tool_takes_effect_at_once() -> None:
    server = Server(registry=Registry(Tool("t", "d", lambda context, arguments: "one")))
    line = Line(server)
    assert line.call("t")["result"]["content"][0]["text"] == "one"
    server.registry.add(Tool("t", "d", lambda context, arguments: "two"))
    assert line.call("t")["result"]["content"][0]["text"] == "two"


SCHEMA = {
    "type": "object",
    "$defs": {"deep": {"type": "array", "items": {"type": "string"}}},
    "properties": {"a": {"$ref": "#/$defs/deep"}, "b": {"anyOf": [{"type": "integer"}, {"type": "null"}]}},
    "x-mcp-header": "kept",
}  # fmt: skip


def test_arguments_and_schemas_survive_every_layer_unchanged() -> None:
    seen: list[Any] = []

    def first(context: Context, request: Request, rest: Any) -> Any:
        seen.append(orjson.dumps(request.params))
        return rest(context, request)

    def second(context: Context, request: Request, rest: Any) -> Any:
        seen.append(orjson.dumps(request.params))
        return rest(context, request)

    def run(context: Context, arguments: dict[str, Any]) -> dict[str, Any]:
        seen.append(orjson.dumps(context.request.params))
        return {"got": arguments}

    server = Server(registry=Registry(Tool("t", "d", run, SCHEMA)), middleware=[first, second])
    line = Line(server)
    assert line.request("tools/list")["result"]["tools"][0]["inputSchema"] == SCHEMA
    seen.clear()
    arguments = {"a": ["x", "é", ""], "b": None}
    answer = line.call("t", **arguments)
    assert answer["result"]["structuredContent"] == {"got": arguments}
    expected = orjson.dumps({"name": "t", "arguments": arguments})
    assert seen == [expected] * 3


def test_middleware_sees_every_method_and_may_answer_itself() -> None:
    seen: list[str] = []

    def spy(context: Context, request: Request, rest: Any) -> Any:
        seen.append(request.method)
        if request.params.get("name") == "blocked":
            raise InvalidParamsError("blocked here")
        return rest(context, request)

    registry = Registry(Tool("ok", "d", hello, cacheable=True), Tool("blocked", "d", hello))
    line = Line(Server(registry=registry, middleware=[spy]))
    for method in ("tools/list", "prompts/list", "resources/list", "ping"):
        line.request(method)
    for _ in range(3):
        raw = b'{"jsonrpc":"2.0","id":5,"method":"tools/call","params":{"name":"ok"}}'
        line.peer.respond(raw)
    assert line.call("blocked")["result"]["isError"] is True
    assert seen == ["tools/list", "prompts/list", "resources/list", *["tools/call"] * 4]


def test_failing_after_a_promise_answers_once() -> None:
    promises: list[Any] = []

    def run(context: Context, arguments: dict[str, Any]) -> Any:
        promises.append(context.later())
        raise ValueError("changed its mind")

    line = Line(Server(registry=Registry(Tool("t", "d", run))))
    assert line.call("t")["result"]["isError"] is True
    promises[0].resolve("too late")
    assert line.sent == []


def test_a_promise_nobody_keeps_runs_into_the_deadline() -> None:
    def run(context: Context, arguments: dict[str, Any]) -> Any:
        return context.later()

    server = Server(registry=Registry(Tool("t", "d", run)), options=Options(deadline_seconds=0.1))
    answer = Line(server).call("t")
    assert "deadline" in answer["result"]["content"][0]["text"]


def test_cached_answer_dies_with_its_version() -> None:
    version, calls = [1], []

    def run(context: Context, arguments: dict[str, Any]) -> dict[str, Any]:
        calls.append(1)
        return {"version": version[0]}

    server = Server(
        registry=Registry(Tool("t", "d", run, cacheable=True)),
        cache_version=lambda epoch: version[0],
    )
    line = Line(server)
    raw = b'{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":"t"}}'

    def ask(identity: int) -> tuple[str, int]:
        answer = orjson.loads(line.peer.respond(raw % identity) or b"")
        assert answer["id"] == identity
        result = answer["result"]
        return result["_meta"]["agrama/cache"], result["structuredContent"]["version"]

    assert [ask(1), ask(2), ask(3)] == [("miss", 1), ("hit", 1), ("hit", 1)]
    version[0] = 2
    assert [ask(4), ask(5), ask(6)] == [("miss", 2), ("hit", 2), ("hit", 2)]
    assert len(calls) == 2
    row = server.metrics.as_dict()["t"]
    assert row["calls"] == 6


def test_cached_answer_of_a_slow_tool_needs_no_worker() -> None:
    threads: list[str] = []

    def run(context: Context, arguments: dict[str, Any]) -> str:
        threads.append(threading.current_thread().name)
        return "slow"

    server = Server(registry=Registry(Tool("t", "d", run, slow=True, cacheable=True)))
    line = Line(server)
    assert line.call("t")["result"]["_meta"] == {"agrama/cache": "miss"}
    raw = b'{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":"t","arguments":{}}}'
    for identity in range(5, 9):
        answer = orjson.loads(line.peer.respond(raw % identity) or b"null")
        assert answer["id"] == identity
        assert answer["result"]["_meta"] == {"agrama/cache": "hit"}
    assert threads == ["agrama-worker-0"]
    assert (server.cache.hits, server.cache.misses) == (4, 1)
    assert server.metrics.as_dict()["t"]["calls"] == 5
    assert line.call("t", x=1)["result"]["content"][0]["text"] == "slow"


def test_a_tool_that_proved_quick_runs_on_the_readers_thread_until_it_is_not() -> None:
    threads: list[str] = []
    now = [0]

    def run(context: Context, arguments: dict[str, Any]) -> str:
        threads.append(threading.current_thread().name.rstrip("0123456789"))
        now[0] += arguments.get("takes", 0)
        return "done"

    tool = Tool("t", "d", run, slow=True, often_quick=True)
    line = Line(Server(registry=Registry(tool), clock=lambda: now[0]))
    reader = threading.current_thread().name.rstrip("0123456789")
    for _ in range(17):
        line.call("t")
    assert threads == ["agrama-worker-"] * 16 + [reader]
    line.call("t", takes=1_000_000_000)
    line.call("t")
    assert threads[-2:] == [reader, "agrama-worker-"]


def test_failed_answers_are_not_cached() -> None:
    def run(context: Context, arguments: dict[str, Any]) -> Any:
        raise InvalidParamsError("no")

    server = Server(registry=Registry(Tool("t", "d", run, cacheable=True)))
    line = Line(server)
    for _ in range(2):
        line.call("t")
    assert len(server.cache) == 0


def test_what_a_request_owned_is_closed_in_reverse_even_on_failure() -> None:
    closed: list[str] = []

    class Thing:
        def __init__(self, name: str) -> None:
            self.name = name

        def close(self) -> None:
            closed.append(self.name)

    def run(context: Context, arguments: dict[str, Any]) -> Any:
        context.own(Thing("first"))
        context.own(Thing("second"))
        assert context.snapshot is context.snapshot
        raise ValueError("x")

    server = Server(registry=Registry(Tool("t", "d", run)), open_snapshot=lambda: Thing("snapshot"))
    assert Line(server).call("t")["result"]["isError"] is True
    assert closed == ["snapshot", "second", "first"]


def test_rate_limit() -> None:
    now = [0]
    server = Server(clock=lambda: now[0], options=Options(rate_burst=3, rate_per_second=1))
    line = Line(server, rate_limited=True)
    codes = [line.request("ping").get("error", {}).get("code") for _ in range(4)]
    assert codes == [None, None, -32006, -32006]
    now[0] += 1_000_000_000
    assert "result" in line.request("ping")


def test_origin_travels_with_everything_a_request_says() -> None:
    def run(context: Context, arguments: dict[str, Any]) -> str:
        context.log("info", "x")
        context.progress(1)
        return "done"

    line = Line(Server(registry=Registry(Tool("t", "d", run, slow=True))))
    params = {"name": "t", "_meta": {"progressToken": 1}}
    assert line.request("tools/call", params, origin="stream 1")["result"]
    assert [(out.origin, out.final, out.kind) for out in line.sent] == [
        ("stream 1", False, "notification")
    ] * 2


def test_stateless_peer_wants_its_meta() -> None:
    line = Line(Server(), stateless=True)
    answer = line.request("tools/list")
    assert answer["error"]["code"] == -32602
    assert "protocolVersion" in answer["error"]["data"]["parameter"]


def test_draining_refuses_new_work_and_waits_for_old() -> None:
    go = threading.Event()

    def run(context: Context, arguments: dict[str, Any]) -> str:
        go.wait(5)
        return "done"

    server = Server(registry=Registry(Tool("t", "d", run, slow=True)))
    line = Line(server)
    raw = b'{"jsonrpc":"2.0","id":9,"method":"tools/call","params":{"name":"t"}}'
    assert line.peer.receive(raw) is None
    threading.Timer(0.1, go.set).start()
    assert server.close(5) is True
    assert orjson.loads(line.sent[-1].data)["id"] == 9
    assert "shutting down" in line.request("tools/list")["error"]["message"]


def test_templates_match_and_decode() -> None:
    registry = Registry(
        Resource("a://b", "b", lambda context, uri: "b"),
        ResourceTemplate("a://f/{path}", "f", lambda context, uri, values: values["path"]),
        ResourceTemplate("a://x/{id}/data", "x", lambda context, uri, values: values["id"]),
    )
    line = Line(Server(registry=registry))

    def read(uri: str) -> Any:
        return line.request("resources/read", {"uri": uri})["result"]["contents"][0]["text"]

    assert read("a://b") == "b"
    assert read("a://f/src/main.py") == "src/main.py"
    assert read("a://f/a%20b") == "a b"
    assert read("a://x/7/data") == "7"
    assert line.request("resources/read", {"uri": "a://f/"})["error"]["code"] == -32002


def test_own_tools_are_found_by_looking() -> None:
    server = build_server(toolsets="all")
    names = list(server.registry.tools)
    assert {"read_code", "hybrid_search", "server_stats"} <= set(names)
    assert "server_stats" not in build_server().registry.tools
    with pytest.raises(InvalidParamsError, match="did you mean 'core'"):
        build_server(toolsets="cor")


def test_nothing_is_loaded_before_it_is_looked_for() -> None:
    loaded: list[int] = []

    def load() -> list[Tool]:
        loaded.append(1)
        return [Tool("a", "d", hello), Tool("b", "first", hello)]

    registry = Registry(load=load)
    registry.add(Tool("b", "second", hello), Tool("c", "d", hello))
    line = Line(Server(registry=registry))
    assert loaded == []
    tools = line.request("tools/list")["result"]["tools"]
    assert [(tool["name"], tool["description"]) for tool in tools] == [
        ("a", "d"),
        ("b", "second"),
        ("c", "d"),
    ]
    assert loaded == [1]


def test_server_stats_are_measured(indexed: Path) -> None:
    from agrama.cli.assemble import assemble

    workspace, server = assemble(indexed, "all", options=Options(check_output=True))
    line = Line(server)
    line.call("read_code", path="shop/money.py")
    line.call("read_code", path="nope.py")
    stats = line.call("server_stats")["result"]["structuredContent"]
    assert stats["tools"]["read_code"]["calls"] == 2
    assert stats["tools"]["read_code"]["p50_us"] > 0
    assert stats["server"]["rss_bytes"] > 10_000_000
    assert stats["server"]["in_flight"] == 1
    assert stats["index"]["files"] == 4
    assert stats["store"]["bytes"] > 0
    only = line.call("server_stats", include=["cache"])["result"]["structuredContent"]
    assert list(only) == ["cache"]
    workspace.close()


@pytest.mark.parametrize(
    ("meta", "parameter", "expected"),
    [
        ({"logLevel": "loud"}, "logLevel", "one of debug"),
        ({"clientInfo": "me"}, "clientInfo", "an object"),
    ],
)
def test_a_stateless_request_says_who_it_is_in_the_right_shape(
    meta: dict[str, Any], parameter: str, expected: str
) -> None:
    prefix = "io.modelcontextprotocol/"
    line = Line(Server("mine", "1"), stateless=True)
    known = {"protocolVersion": "2026-07-28", "clientCapabilities": {}, **meta}
    answer = line.request(
        "tools/list", {"_meta": {prefix + name: value for name, value in known.items()}}
    )
    assert answer["error"]["code"] == -32602
    assert answer["error"]["data"]["parameter"] == f"_meta.{prefix}{parameter}"
    assert answer["error"]["data"]["expected"].startswith(expected)
