"""Results in the shape of a revision, encoded.

`_meta` comes first in a body, so that the one word that differs between a fresh and a cached answer
can be replaced without decoding anything.
"""

from collections.abc import Iterable, Mapping
from typing import Any

from agrama.errors import ToolError
from agrama.protocol.content import ToolResult, text
from agrama.protocol.messages import Chunks, dumps
from agrama.protocol.revisions import Revision

MAX_RESPONSE_BYTES = 10 << 20
CACHE_MISS = b'"agrama/cache":"miss"'
CACHE_HIT = b'"agrama/cache":"hit"'


class Encoded:
    """A result body that is already bytes."""

    __slots__ = ("body",)

    def __init__(self, body: bytes | Chunks) -> None:
        self.body = body


def encode_result(result: Mapping[str, Any], revision: Revision, meta: Mapping[str, Any]) -> bytes:
    """Any result but a tool's. `meta` is what every modern result carries."""
    if not revision.modern:
        return dumps(result)
    own = result.get("_meta")
    body: dict[str, Any] = {"_meta": {**meta, **own} if own else meta, "resultType": "complete"}
    body.update((key, value) for key, value in result.items() if key != "_meta")
    return dumps(body)


def encode_tool_result(
    result: ToolResult, revision: Revision, meta: Mapping[str, Any]
) -> bytes | Chunks:
    """A tool's result; the text is made from the structured part where there is none.

    Parts that come from an iterator give chunks.
    """
    structured, text_part, content, is_error, own = result
    if own:
        meta = {**meta, **own}
    if (
        text_part is not None
        and content is structured is None
        and not (is_error or meta or revision.modern)
    ):
        return dumps({"content": [{"type": "text", "text": text_part}]})
    body: dict[str, Any] = {}
    if meta:
        body["_meta"] = meta
    if revision.modern:
        body["resultType"] = "complete"
    if content is not None and not isinstance(content, list | tuple):
        return _encode_parts(content, result, revision, body)
    body["content"] = _content(result, revision)
    if structured is not None and revision.structured:
        body["structuredContent"] = structured
    if result.is_error:
        body["isError"] = True
    return dumps(body)


def _content(result: ToolResult, revision: Revision) -> list[Mapping[str, Any]]:
    parts: list[Mapping[str, Any]] = []
    if result.text is not None:
        parts.append({"type": "text", "text": result.text})
    if result.content is not None:
        parts += [shape_part(part, revision) for part in result.content]
    elif result.text is None:
        parts.append({"type": "text", "text": dumps(result.structured or {}).decode()})
    return parts


def _encode_parts(
    parts: Iterable[Mapping[str, Any] | str],
    result: ToolResult,
    revision: Revision,
    body: dict[str, Any],
) -> Chunks:
    """Parts as they come, each encoded and let go, so that a large answer exists once."""
    tail: dict[str, Any] = {}
    if result.structured is not None and revision.structured:
        tail["structuredContent"] = result.structured
    if result.is_error:
        tail["isError"] = True
    head = dumps(body)[:-1]
    chunks = [head + (b"," if body else b"") + b'"content":[']
    size = len(chunks[0])
    first = [] if result.text is None else [text(result.text)]
    for part in _chain(first, parts):
        encoded = dumps(shape_part(part, revision))
        size += len(encoded) + 1
        chunks += (b",", encoded) if len(chunks) > 1 else (encoded,)
        if size > MAX_RESPONSE_BYTES:
            raise response_too_long(size)
    return Chunks(*chunks, b"]" + (b"," + dumps(tail)[1:] if tail else b"}"))


def _chain(first: Iterable[Any], rest: Iterable[Any]) -> Iterable[Any]:
    yield from first
    yield from rest


def shape_part(part: Mapping[str, Any] | str, revision: Revision) -> Mapping[str, Any]:
    """One content part; a kind the revision does not have becomes text."""
    if isinstance(part, str):
        return {"type": "text", "text": part}
    kind = part.get("type")
    if kind == "resource_link" and not revision.structured:
        return text(f"{part.get('title') or part.get('name')}: {part.get('uri')}")
    if kind == "audio" and not revision.audio:
        return text(f"[audio {part.get('mimeType')}, {len(part.get('data', '')) * 3 // 4} bytes]")
    return part


def as_tool_result(value: Any) -> ToolResult:
    """Whatever a tool returned as a ToolResult."""
    if isinstance(value, ToolResult):
        return value
    if isinstance(value, str):
        return ToolResult(text=value)
    if isinstance(value, Mapping):
        return ToolResult(structured=value)
    if isinstance(value, Iterable):
        return ToolResult(content=value)
    if value is None:
        return ToolResult(text="")
    raise TypeError(f"a tool returned {type(value).__name__}")


def response_too_long(size_bytes: int, limit: int = MAX_RESPONSE_BYTES) -> ToolError:
    return ToolError(
        f"The answer has more than {limit} bytes",
        data={
            "expected": f"at most {limit} bytes",
            "got": f"{size_bytes} bytes",
            "hint": "ask for less (max_tokens, max_results, a line range) or page through it",
        },
    )
