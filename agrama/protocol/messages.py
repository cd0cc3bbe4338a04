"""JSON-RPC messages: bytes to values and back.

`parse` never raises: what is not a message becomes `Invalid`, which knows the error it deserves and
the id to answer under, as far as one could be read. An answer is spliced from bytes: the envelope,
the id as it was encoded once, and a body that may come from a cache.
"""

from collections.abc import Mapping
from typing import Any, TypeAlias

import orjson

VERSION_KEY = "io.modelcontextprotocol/protocolVersion"
CAPABILITIES_KEY = "io.modelcontextprotocol/clientCapabilities"
CLIENT_KEY = "io.modelcontextprotocol/clientInfo"
LOG_LEVEL_KEY = "io.modelcontextprotocol/logLevel"
SUBSCRIPTION_KEY = "io.modelcontextprotocol/subscriptionId"
SERVER_KEY = "io.modelcontextprotocol/serverInfo"
MODERN_KEYS = (VERSION_KEY, CAPABILITIES_KEY)

MAX_MESSAGE_BYTES = 4 << 20
MAX_DEPTH = 64
MAX_BATCH = 256  # more in one array is a flood, not a batch

PARSE_ERROR = -32700
INVALID_REQUEST = -32600
METHOD_NOT_FOUND = -32601
INVALID_PARAMS = -32602
INTERNAL_ERROR = -32603
HEADER_MISMATCH = -32020
MISSING_CAPABILITY = -32021
UNSUPPORTED_VERSION = -32022

_SHALLOW_BYTES = 2 * MAX_DEPTH  # too short to be nested too deep
_BOM = b"\xef\xbb\xbf"
_EMPTY: dict[str, Any] = {}


class Request:
    """A request to answer. What the class sets is filled in by whoever carries it."""

    # On the class because most requests are answered before anything sets them.
    origin: Any = None
    batch: Any = None
    context: Any = None
    target: Any = None
    arguments: Any = None  # of a tool call, once they are checked
    cache_key: Any = None  # of an answer that is in the cache or may be put there

    def __init__(
        self, identity: str | int, method: str, params: dict[str, Any], meta: dict[str, Any]
    ) -> None:
        self.id = identity
        self.method = method
        self.params = params
        self.meta = meta

    @property
    def is_modern(self) -> bool:
        meta = self.meta
        return VERSION_KEY in meta or CAPABILITIES_KEY in meta


class Notification:
    """A message that gets no answer."""

    __slots__ = ("meta", "method", "params")

    def __init__(self, method: str, params: dict[str, Any], meta: dict[str, Any]) -> None:
        self.method = method
        self.params = params
        self.meta = meta


class Response:
    """The client's answer to a request of ours."""

    __slots__ = ("error", "id", "result")

    def __init__(self, identity: Any, result: Any, error: Mapping[str, Any] | None) -> None:
        self.id = identity
        self.result = result
        self.error = error


class Invalid:
    """Something that is not a message, and the error it gets."""

    __slots__ = ("code", "data", "id", "message")

    def __init__(
        self, identity: str | int | None, code: int, message: str, data: dict[str, Any]
    ) -> None:
        self.id = identity
        self.code = code
        self.message = message
        self.data = data

    def encode(self, *, keep_null_id: bool = True) -> bytes:
        return encode_error(self.id, self.code, self.message, self.data, keep_null_id=keep_null_id)


Message: TypeAlias = Request | Notification | Response | Invalid


class Chunks:
    """One large message in pieces, so that it is copied together only where it must be."""

    __slots__ = ("parts",)

    def __init__(self, *parts: bytes) -> None:
        self.parts = parts

    @property
    def size_bytes(self) -> int:
        return sum(map(len, self.parts))

    def join(self) -> bytes:
        return b"".join(self.parts)


class Outgoing:
    """One message to the client. `origin` is what the transport gave with the request it belongs to.

    `chunks` are its bytes in pieces, for a transport that can write them one after another.
    """

    __slots__ = ("_data", "error_code", "final", "kind", "origin")

    def __init__(
        self,
        data: "bytes | Chunks",
        origin: Any = None,
        kind: str = "response",
        error_code: int | None = None,
        *,
        final: bool = True,
    ) -> None:
        self._data = data
        self.origin = origin
        self.kind = kind
        self.error_code = error_code
        self.final = final

    @property
    def data(self) -> bytes:
        if isinstance(self._data, Chunks):
            self._data = self._data.join()
        return self._data

    @property
    def chunks(self) -> tuple[bytes, ...]:
        return self._data.parts if isinstance(self._data, Chunks) else (self._data,)


def parse(data: bytes) -> Message | list[Message]:
    """One message, or the list of a batch."""
    try:
        value = orjson.loads(data)
    except orjson.JSONDecodeError as error:
        if data.startswith(_BOM):
            return parse(data[3:])
        return Invalid(
            None,
            PARSE_ERROR,
            f"Not JSON: {error.msg}",
            {
                "parameter": "message",
                "expected": "one JSON object",
                "got": _excerpt(data.strip()),
                "hint": _parse_hint(data),
            },
        )
    if type(value) is dict and len(data) < _SHALLOW_BYTES:
        return classify(value)
    if data.count(b"{") + data.count(b"[") > MAX_DEPTH and _depth(value) > MAX_DEPTH:
        return Invalid(
            _readable_id(value),
            INVALID_REQUEST,
            f"Nested deeper than {MAX_DEPTH} levels",
            {
                "parameter": "message",
                "expected": f"at most {MAX_DEPTH} levels",
                "got": "more",
                "hint": "flatten it",
            },
        )
    if type(value) is list:
        if not value:
            return _not_a_request(
                None, "message", "at least one message", "an empty array", "send one object"
            )
        if len(value) > MAX_BATCH:
            return _not_a_request(
                None,
                "message",
                f"at most {MAX_BATCH} messages",
                str(len(value)),
                "send smaller batches",
            )
        return [classify(item) for item in value]
    return classify(value)


def classify(value: Any) -> Message:
    """What a decoded JSON value is as a message."""
    if type(value) is not dict:
        return _not_a_request(
            None, "message", "a JSON object", _kind(value), "wrap it in an object"
        )
    method = value.get("method")
    if type(method) is not str:
        return _classify_response(value, method)
    if value.get("jsonrpc") != "2.0":
        return _not_a_request(
            _readable_id(value),
            "jsonrpc",
            '"2.0"',
            _excerpt_value(value.get("jsonrpc")),
            'add "jsonrpc": "2.0"',
        )
    params = value.get("params")
    if type(params) is not dict:
        if params is not None:
            return _wrong_params(value, "params", params)
        params = {}
    meta = params.get("_meta", _EMPTY)
    if type(meta) is not dict:
        return _wrong_params(value, "params._meta", meta)
    if "id" not in value:
        return Notification(method, params, meta)
    identity = value["id"]
    if type(identity) is not int and type(identity) is not str:
        return _not_a_request(
            None,
            "id",
            "a string or an integer below 2^64",
            _excerpt_value(identity),
            "use a plain id",
        )
    return Request(identity, method, params, meta)


def _classify_response(value: dict[str, Any], method: Any) -> Message:
    if method is None and "method" not in value and ("result" in value or "error" in value):
        error = value.get("error")
        return Response(
            value.get("id"), value.get("result"), error if type(error) is dict else None
        )
    got = "nothing" if method is None else _excerpt_value(method)
    return _not_a_request(_readable_id(value), "method", "a string", got, "name the method to call")


def _wrong_params(value: dict[str, Any], name: str, got: Any) -> Message:
    if "id" not in value:
        return Notification("", {}, {})  # nobody to tell
    return Invalid(
        _readable_id(value),
        INVALID_PARAMS,
        f"{name} must be an object",
        {
            "parameter": name,
            "expected": "an object",
            "got": _kind(got),
            "hint": "pass parameters by name",
        },
    )


def _not_a_request(
    identity: str | int | None, parameter: str, expected: str, got: str, hint: str
) -> Invalid:
    return Invalid(
        identity,
        INVALID_REQUEST,
        f"Invalid request: {parameter} must be {expected}, got {got}",
        {"parameter": parameter, "expected": expected, "got": got, "hint": hint},
    )


def too_long(size_bytes: int) -> Invalid:
    """The answer to a message over the limit; its id was never read."""
    return _not_a_request(
        None,
        "message",
        f"at most {MAX_MESSAGE_BYTES} bytes",
        f"{size_bytes} bytes or more",
        "send less at once",
    )


def _readable_id(value: Any) -> str | int | None:
    identity = value.get("id") if type(value) is dict else None
    return identity if type(identity) is int or type(identity) is str else None


def _depth(value: Any) -> int:
    """Nesting depth, without recursion: the decoder lets 1,024 levels through."""
    deepest, stack = 0, [(value, 1)]
    while stack:
        item, level = stack.pop()
        if type(item) is dict:
            deepest = max(deepest, level)
            stack.extend((child, level + 1) for child in item.values())
        elif type(item) is list:
            deepest = max(deepest, level)
            stack.extend((child, level + 1) for child in item)
        if deepest > MAX_DEPTH:
            break
    return deepest


def _kind(value: Any) -> str:
    names = {
        list: "an array",
        str: "a string",
        bool: "a boolean",
        type(None): "null",
        dict: "an object",
    }
    return names.get(type(value), "a number")


def _excerpt_value(value: Any) -> str:
    if isinstance(value, str | int | float | bool):
        return _excerpt(orjson.dumps(value))
    return _kind(value)


def _excerpt(data: bytes) -> str:
    text = data[:60].decode("utf-8", "replace")
    shown = "".join(char if char.isprintable() else "�" for char in text)
    return shown + ("…" if len(data) > 60 else "")


def _parse_hint(data: bytes) -> str:
    if b"\x00" in data:
        return "the line contains NUL bytes: send UTF-8, not UTF-16"
    try:
        data.decode()
    except UnicodeDecodeError as error:
        return f"byte {error.start} is not UTF-8"
    return "send one complete JSON object per line"


def as_line(answer: "bytes | Chunks | None") -> "bytes | Chunks | None":
    """The same with the end of a line."""
    if type(answer) is bytes:
        return answer + b"\n"
    return Chunks(*answer.parts, b"\n") if type(answer) is Chunks else None


def encode_chunks(identity: str | int, body: "bytes | Chunks") -> Chunks:
    """An answer whose body stays where it is."""
    parts = body.parts if isinstance(body, Chunks) else (body,)
    head = b'{"jsonrpc":"2.0","id":%b,"result":' % orjson.dumps(identity)
    return Chunks(head, *parts, b"}")


def encode_response(identity: str | int, body: bytes) -> bytes:
    if type(identity) is int:
        return b'{"jsonrpc":"2.0","id":%d,"result":%b}' % (identity, body)
    return b'{"jsonrpc":"2.0","id":%b,"result":%b}' % (orjson.dumps(identity), body)


def encode_error(
    identity: str | int | None,
    code: int,
    message: str,
    data: Mapping[str, Any] | None = None,
    *,
    keep_null_id: bool = True,
) -> bytes:
    """An error answer; 2026-07-28 leaves out an id that is unknown, the others send null."""
    error: dict[str, Any] = {"code": code, "message": message}
    if data:
        error["data"] = data
    if identity is None and not keep_null_id:
        return dumps({"jsonrpc": "2.0", "error": error})
    return dumps({"jsonrpc": "2.0", "id": identity, "error": error})


def encode_notification(method: str, params: Mapping[str, Any] | None = None) -> bytes:
    message: dict[str, Any] = {"jsonrpc": "2.0", "method": method}
    if params:
        message["params"] = params
    return dumps(message)


def encode_request(identity: str | int, method: str, params: Mapping[str, Any]) -> bytes:
    return dumps({"jsonrpc": "2.0", "id": identity, "method": method, "params": params})


def dumps(value: Any) -> bytes:
    """JSON, with text that UTF-8 cannot carry replaced instead of refused."""
    try:
        return orjson.dumps(value)
    except TypeError:
        return orjson.dumps(_cleaned(value))


def _cleaned(value: Any) -> Any:
    if isinstance(value, str):
        return value.encode("utf-8", "replace").decode()
    if isinstance(value, Mapping):
        return {str(_cleaned(key)): _cleaned(item) for key, item in value.items()}
    if isinstance(value, list | tuple | set | frozenset):
        return [_cleaned(item) for item in value]
    if isinstance(value, bytes):
        return value.decode("utf-8", "replace")
    if isinstance(value, int) and not -(1 << 63) <= value < 1 << 64:
        return float(value) if abs(value) < 1 << 1000 else str(value)
    if value is None or isinstance(value, bool | int | float):
        return value
    return str(value)
