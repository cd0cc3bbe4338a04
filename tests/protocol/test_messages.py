"""JSON-RPC messages as values, and back."""

import orjson
import pytest
from hypothesis import given
from hypothesis import strategies as st

from agrama.protocol.messages import (
    MAX_BATCH,
    MAX_DEPTH,
    MAX_MESSAGE_BYTES,
    Chunks,
    Invalid,
    Notification,
    Outgoing,
    Request,
    Response,
    dumps,
    encode_error,
    encode_request,
    encode_response,
    parse,
    too_long,
)

json_values = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**63), 2**64 - 1) | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3)
    ),
    max_leaves=12,
)


@given(
    st.integers(-(2**63), 2**64 - 1) | st.text(), st.text(), st.dictionaries(st.text(), json_values)
)
def test_request_round_trip(identity: int | str, method: str, params: dict[str, object]) -> None:
    params.pop("_meta", None)
    message = {"jsonrpc": "2.0", "id": identity, "method": method, "params": params}
    parsed = parse(orjson.dumps(message))
    assert type(parsed) is Request
    assert (parsed.id, parsed.method, parsed.params) == (identity, method, params)


@given(st.binary(max_size=200))
def test_parse_never_raises(data: bytes) -> None:
    parse(data)


@given(json_values)
def test_any_json_is_something(value: object) -> None:
    parsed = parse(orjson.dumps(value))
    assert isinstance(parsed, Request | Notification | Response | Invalid | list)


@given(st.integers(0, 2**64 - 1) | st.text(), json_values)
def test_answer_is_spliced_correctly(identity: int | str, body: object) -> None:
    answer = orjson.loads(encode_response(identity, orjson.dumps(body)))
    assert answer == {"jsonrpc": "2.0", "id": identity, "result": body}


@pytest.mark.parametrize("depth", [MAX_DEPTH - 2, MAX_DEPTH - 1, MAX_DEPTH, 500])
def test_depth_limit(depth: int) -> None:
    data = (
        b'{"jsonrpc":"2.0","id":1,"method":"m","params":'
        + b'{"a":' * depth
        + b"1"
        + b"}" * (depth + 1)
    )
    parsed = parse(data)
    assert type(parsed) is (Request if depth < MAX_DEPTH else Invalid)


def test_modern_errors_leave_out_an_unknown_id() -> None:
    assert b'"id":null' in encode_error(None, -32700, "x")
    assert b'"id"' not in encode_error(None, -32700, "x", keep_null_id=False)


@pytest.mark.parametrize(
    "value", ["\ud800", {"\udfff": 1}, [1 << 70], {1: 2}, {"a": {1, 2}}, object()]
)
def test_what_json_cannot_carry_is_replaced(value: object) -> None:
    orjson.loads(dumps({"value": value}))


def test_a_batch_has_a_limit() -> None:
    ping = b'{"jsonrpc":"2.0","id":1,"method":"ping"}'
    whole = parse(b"[" + b",".join([ping] * MAX_BATCH) + b"]")
    assert isinstance(whole, list)
    assert len(whole) == MAX_BATCH
    refused = parse(b"[" + b",".join([ping] * (MAX_BATCH + 1)) + b"]")
    assert type(refused) is Invalid
    assert refused.code == -32600


def test_a_message_over_the_limit_is_refused_by_its_size() -> None:
    refused = too_long(MAX_MESSAGE_BYTES + 1)
    assert refused.id is None
    assert refused.data["got"].startswith(str(MAX_MESSAGE_BYTES + 1))


def test_values_json_cannot_hold_are_told_as_text() -> None:
    written = dumps({"raw": b"\xffA", "half": "\ud800", "set": {1}, "big": 1 << 70})
    value = orjson.loads(written)
    assert value == {"raw": "\ufffdA", "half": "?", "set": [1], "big": float(1 << 70)}


def test_chunks_are_one_message_wherever_bytes_are_wanted() -> None:
    out = Outgoing(Chunks(b'{"a":', b"1}"))
    assert out.chunks == (b'{"a":', b"1}")
    assert out.data == b'{"a":1}'
    assert out.chunks == (b'{"a":1}',)


def test_a_request_of_ours_and_its_answer() -> None:
    asked = parse(encode_request(7, "roots/list", {"deep": [1]}))
    assert type(asked) is Request
    assert (asked.id, asked.method, asked.params) == (7, "roots/list", {"deep": [1]})
    answer = parse(b'{"jsonrpc":"2.0","id":7,"result":{"roots":[]}}')
    assert type(answer) is Response
    assert (answer.id, answer.result, answer.error) == (7, {"roots": []}, None)
    refused = parse(b'{"jsonrpc":"2.0","id":7,"error":"no"}')
    assert type(refused) is Response
    assert (refused.result, refused.error) == (None, None)
