"""The parts results are made of, and the requests a server may put to a client.

Everything here builds plain JSON-able dictionaries in the newest shape; `agrama.protocol.shape`
takes away what an older revision does not know.
"""

from binascii import b2a_base64
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple, TypeAlias

Json: TypeAlias = dict[str, Any]


class ToolResult(NamedTuple):
    """What a tool answers. Without `text` or `content` the structured part is repeated as JSON text.

    `content` may be an iterator: its parts are then encoded one by one. A named tuple because one is
    made per call, and a frozen dataclass takes four times as long to make.
    """

    structured: Mapping[str, Any] | None = None
    text: str | None = None
    content: Iterable[Mapping[str, Any] | str] | None = None
    is_error: bool = False
    meta: Mapping[str, Any] | None = None


class ClientRequest(NamedTuple):
    """A question to the client: its method, parameters, and the capability it needs."""

    method: str
    params: Mapping[str, Any]
    capability: str


def text(value: str, **extra: Any) -> Json:
    return {"type": "text", "text": value, **extra}


def image(data: bytes, mime_type: str) -> Json:
    return {"type": "image", "data": _base64(data), "mimeType": mime_type}


def audio(data: bytes, mime_type: str) -> Json:
    return {"type": "audio", "data": _base64(data), "mimeType": mime_type}


def resource_link(uri: str, name: str, **extra: Any) -> Json:
    return {"type": "resource_link", "uri": uri, "name": name, **extra}


def _base64(data: bytes) -> str:
    return b2a_base64(data, newline=False).decode()


def embedded(resource: Mapping[str, Any]) -> Json:
    """A resource inside a result; `resource` is one `contents` entry."""
    return {"type": "resource", "resource": dict(resource)}


def contents(uri: str, value: str | bytes, mime_type: str | None = None) -> Json:
    """One entry of a `resources/read` answer."""
    entry: Json = {"uri": uri}
    if mime_type:
        entry["mimeType"] = mime_type
    if isinstance(value, bytes):
        entry["blob"] = _base64(value)
    else:
        entry["text"] = value
    return entry


def message(role: str, content: Mapping[str, Any] | str) -> Json:
    """One message of a prompt."""
    return {"role": role, "content": text(content) if isinstance(content, str) else dict(content)}


def elicit(prompt: str, schema: Mapping[str, Any]) -> ClientRequest:
    """Ask the user to fill in a form."""
    return ClientRequest(
        "elicitation/create",
        {"mode": "form", "message": prompt, "requestedSchema": dict(schema)},
        "elicitation",
    )


def sample(
    messages: Sequence[Mapping[str, Any]], *, max_tokens: int, **extra: Any
) -> ClientRequest:
    """Ask the client's model."""
    params = {"messages": [dict(entry) for entry in messages], "maxTokens": max_tokens, **extra}
    return ClientRequest("sampling/createMessage", params, "sampling")


def list_roots() -> ClientRequest:
    return ClientRequest("roots/list", {}, "roots")
