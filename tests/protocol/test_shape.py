"""What tools return and resources hold, as the wire shows it."""

from collections.abc import Iterator

import orjson
import pytest

from agrama.errors import StoreError, ToolError
from agrama.protocol.content import (
    ToolResult,
    contents,
    elicit,
    embedded,
    image,
    list_roots,
    message,
    sample,
)
from agrama.protocol.faults import MissingCapabilityError, wire_code
from agrama.protocol.messages import Chunks
from agrama.protocol.revisions import LATEST_LEGACY, MODERN, REVISIONS
from agrama.protocol.shape import MAX_RESPONSE_BYTES, as_tool_result, encode_tool_result


def test_parts_from_an_iterator_carry_structure_and_failure_too() -> None:
    result = ToolResult(
        structured={"n": 2}, text="head", content=iter(["one", "two"]), is_error=True
    )
    body = encode_tool_result(result, LATEST_LEGACY, {})
    assert isinstance(body, Chunks)
    assert orjson.loads(body.join()) == {
        "content": [{"type": "text", "text": word} for word in ("head", "one", "two")],
        "structuredContent": {"n": 2},
        "isError": True,
    }
    result = ToolResult(structured={"n": 2}, content=iter(["one"]))
    body = encode_tool_result(result, REVISIONS["2024-11-05"], {})
    assert isinstance(body, Chunks)
    assert orjson.loads(body.join()) == {"content": [{"type": "text", "text": "one"}]}


def test_an_endless_answer_is_stopped_at_the_limit() -> None:
    given = 0

    def endless() -> Iterator[str]:
        nonlocal given
        while True:
            given += 1
            yield "x" * (1 << 20)

    with pytest.raises(ToolError, match=str(MAX_RESPONSE_BYTES)):
        encode_tool_result(ToolResult(content=endless()), LATEST_LEGACY, {})
    assert given <= (MAX_RESPONSE_BYTES >> 20) + 1


def test_a_tool_may_return_nothing_but_not_just_anything() -> None:
    assert as_tool_result(None) == ToolResult(text="")
    with pytest.raises(TypeError, match="a tool returned int"):
        as_tool_result(3)


def test_resources_hold_text_or_bytes() -> None:
    assert contents("a://b", "text") == {"uri": "a://b", "text": "text"}
    raw = contents("a://b", b"\0\1", "image/png")
    assert raw == {"uri": "a://b", "mimeType": "image/png", "blob": "AAE="}
    assert embedded(raw) == {"type": "resource", "resource": raw}


def test_a_client_is_asked_only_for_what_it_said_it_can_do() -> None:
    form = {"type": "object", "properties": {"name": {"type": "string"}}}
    asked = {
        "elicitation": elicit("Your name?", form),
        "sampling": sample([message("user", "2+2?")], max_tokens=10, temperature=0),
        "roots": list_roots(),
    }
    assert [question.capability for question in asked.values()] == list(asked)
    assert asked["elicitation"].params["requestedSchema"] == form
    assert asked["sampling"].params == {
        "messages": [{"role": "user", "content": {"type": "text", "text": "2+2?"}}],
        "maxTokens": 10,
        "temperature": 0,
    }
    missing = MissingCapabilityError(*asked)
    assert (missing.CODE, list(missing.data["requiredCapabilities"])) == (-32021, list(asked))


def test_pictures_travel_as_base64() -> None:
    assert image(b"\0\1", "image/png") == {"type": "image", "data": "AAE=", "mimeType": "image/png"}


def test_the_old_codes_are_not_sent_in_the_newest_revision() -> None:
    error = StoreError("broken")
    assert wire_code(error, LATEST_LEGACY) == -32001
    assert wire_code(error, MODERN) == -32603
