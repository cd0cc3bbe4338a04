from base64 import b64encode
from typing import Any

import pytest

from agrama.http.headers import find_mismatch, header_parameters

SCHEMA = {
    "type": "object",
    "properties": {
        "region": {"type": "string", "x-mcp-header": "Region"},
        "count": {"type": "integer", "x-mcp-header": "Count"},
        "deep": {
            "type": "object",
            "properties": {"flag": {"type": "boolean", "x-mcp-header": "Flag"}},
        },
        "plain": {"type": "string"},
    },
}


def wrapped(value: str) -> str:
    return f"=?base64?{b64encode(value.encode()).decode()}?="


def test_header_parameters_follow_properties_only() -> None:
    assert dict(header_parameters(SCHEMA)) == {
        "Region": ("region",),
        "Count": ("count",),
        "Flag": ("deep", "flag"),
    }


@pytest.mark.parametrize(
    ("method", "params", "headers", "agrees"),
    [
        ("tools/list", {}, {"mcp-method": "tools/list"}, True),
        ("tools/list", {}, {"mcp-method": " tools/list "}, True),
        ("tools/list", {}, {"mcp-method": "TOOLS/LIST"}, False),
        ("tools/list", {}, {}, False),
        ("tools/list", {"name": "x"}, {"mcp-method": "tools/list"}, True),
        ("tools/call", {"name": "x"}, {"mcp-name": "x"}, True),
        ("tools/call", {"name": "x"}, {"mcp-name": "y"}, False),
        ("tools/call", {"name": "x"}, {}, False),
        ("tools/call", {"name": "žluť"}, {"mcp-name": wrapped("žluť")}, True),
        ("tools/call", {"name": "žluť"}, {"mcp-name": wrapped("kůň")}, False),
        ("prompts/get", {"name": "x"}, {"mcp-name": "x"}, True),
        ("resources/read", {"uri": "file:///a"}, {"mcp-name": "file:///a"}, True),
        ("resources/read", {"uri": "file:///a"}, {"mcp-name": "file:///b"}, False),
        ("tools/call", {}, {}, True),  # no name: the core's business
    ],
)
def test_method_and_name(
    method: str, params: dict[str, Any], headers: dict[str, str], agrees: bool
) -> None:
    given = {"mcp-method": method, **headers} if method != "tools/list" else headers
    assert (find_mismatch(method, params, given, None) is None) is agrees


@pytest.mark.parametrize(
    ("arguments", "headers", "agrees"),
    [
        ({"region": "north"}, {"region": "north"}, True),
        ({"region": "north"}, {"region": "south"}, False),
        ({"region": "north"}, {}, False),
        ({"region": None}, {}, True),
        ({"region": None}, {"region": "north"}, False),
        ({}, {}, True),
        ({}, {"region": "north"}, False),
        ({"region": " padded "}, {"region": wrapped(" padded ")}, True),
        ({"region": "Hello"}, {"region": "=?base64?SGVsbG8?="}, False),
        ({"region": "Hello"}, {"region": "=?base64?SGVs!!!bG8=?="}, False),
        ({"region": "Hello"}, {"region": "=?base64?/w==?="}, False),
        ({"region": "=?base64?x"}, {"region": "=?base64?x"}, True),
        ({"count": 42}, {"count": "42"}, True),
        ({"count": 42}, {"count": "42.0"}, True),
        ({"count": 42}, {"count": "forty-two"}, False),
        ({"count": 42}, {"count": "4_2"}, False),
        ({"count": 42}, {"count": "42.5"}, False),
        ({"count": 2**60}, {"count": str(2**60 + 1)}, False),
        ({"count": -7}, {"count": "-7"}, True),
        ({"count": 0.5}, {"count": "0.5"}, True),
        ({"count": 42}, {"count": "9" * 5000}, False),
        ({"region": "žluť"}, {"region": "žluť"}, False),
        ({"region": "a\tb"}, {"region": "a\tb"}, True),
        ({"deep": {"flag": True}}, {"flag": "true"}, True),
        ({"deep": {"flag": True}}, {"flag": "1"}, False),
        ({"deep": {"flag": False}}, {"flag": "false"}, True),
        ({"deep": 3}, {}, True),
        ({"plain": "x"}, {"plain": "y"}, True),  # not announced: ignored
    ],
)
def test_parameters(arguments: dict[str, Any], headers: dict[str, str], agrees: bool) -> None:
    given = {"mcp-method": "tools/call", "mcp-name": "t"}
    given |= {f"mcp-param-{name}": value for name, value in headers.items()}
    params = {"name": "t", "arguments": arguments}
    assert (find_mismatch("tools/call", params, given, SCHEMA) is None) is agrees


def test_the_sentence_names_both_sides() -> None:
    found = find_mismatch(
        "tools/call", {"name": "a"}, {"mcp-method": "tools/call", "mcp-name": "b"}, None
    )
    assert found == "Header mismatch: header Mcp-Name is 'b', the body says 'a'"
