"""JSON-RPC messages as values, and back."""

import orjson
import pytest
from hypothesis import given
from hypothesis import strategies as st

from agrama.protocol.messages import (
    MAX_DEPTH,
    Invalid,
    Notification,
    Request,
    Response,
    dumps,
    encode_error,
    encode_response,
    parse,
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
