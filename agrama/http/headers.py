"""The headers by which 2026-07-28 repeats parts of the body, checked against the body.

A proxy may route by `Mcp-Method`, `Mcp-Name` or `Mcp-Param-*`; a request whose body says something
else would be run under another name than the one it was let through by, so it is refused (-32020).
"""

import binascii
import re
from base64 import b64decode
from collections.abc import Iterator, Mapping
from typing import Any

VERSION_HEADER = "mcp-protocol-version"
SESSION_HEADER = "mcp-session-id"
NAME_SOURCES = {"tools/call": "name", "prompts/get": "name", "resources/read": "uri"}

_PREFIX, _SUFFIX = "=?base64?", "?="
_UNSAFE = re.compile(r"[^\t\x20-\x7e]")
_WHOLE = re.compile(r"(-?\d{1,400})(?:\.0+)?", re.ASCII)


class _MalformedError(Exception):
    """A header value with characters no header may have, or with Base64 that is none."""


def decode_value(value: str) -> str:
    """A header value as the client meant it: plain, or `=?base64?...?=`."""
    value = value.strip(" \t")
    if _UNSAFE.search(value):
        raise _MalformedError("characters outside visible ASCII: use =?base64?...?=")
    if not (value.startswith(_PREFIX) and value.endswith(_SUFFIX)):
        return value
    try:
        return b64decode(value[len(_PREFIX) : -len(_SUFFIX)], validate=True).decode()
    except (binascii.Error, UnicodeDecodeError) as error:
        raise _MalformedError(f"not valid Base64: {error}") from error


def header_parameters(schema: Mapping[str, Any]) -> Iterator[tuple[str, tuple[str, ...]]]:
    """`(header suffix, path into the arguments)` of every `x-mcp-header` of an input schema.

    Only chains of `properties` count, as the specification has it.
    """
    for name, part in (schema.get("properties") or {}).items():
        if not isinstance(part, Mapping):
            continue
        suffix = part.get("x-mcp-header")
        if isinstance(suffix, str):
            yield suffix, (name,)
        for inner, path in header_parameters(part):
            yield inner, (name, *path)


def find_mismatch(
    method: str,
    params: Mapping[str, Any],
    headers: Mapping[str, str],
    input_schema: Mapping[str, Any] | None,
) -> str | None:
    """What is wrong with the headers of a request, as a sentence; None when they agree."""
    if headers.get("mcp-method", "").strip() != method:
        return _sentence("Mcp-Method", headers.get("mcp-method"), method)
    source = NAME_SOURCES.get(method)
    if source is not None and isinstance(params.get(source), str):
        problem = _compare("Mcp-Name", headers.get("mcp-name"), params[source])
        if problem is not None:
            return problem
    for suffix, path in header_parameters(input_schema or {}):
        wanted = _value_at(params.get("arguments"), path)
        problem = _compare(
            f"Mcp-Param-{suffix}", headers.get(f"mcp-param-{suffix.lower()}"), wanted
        )
        if problem is not None:
            return problem
    return None


def _value_at(value: Any, path: tuple[str, ...]) -> Any:
    for key in path:
        if not isinstance(value, Mapping):
            return None
        value = value.get(key)
    return value


def _compare(name: str, header: str | None, wanted: Any) -> str | None:
    if wanted is None or isinstance(wanted, list | dict):
        return None if header is None else _sentence(name, header, None)
    if header is None:
        return _sentence(name, None, wanted)
    try:
        given = decode_value(header)
    except _MalformedError as error:
        return f"Header mismatch: {name} has {error}"
    return None if _equals(given, wanted) else _sentence(name, given, wanted)


def _equals(given: str, wanted: Any) -> bool:
    if isinstance(wanted, bool):
        return given == ("true" if wanted else "false")
    if isinstance(wanted, int):  # 42 and 42.0 are the same number
        whole = _WHOLE.fullmatch(given)
        return whole is not None and int(whole[1]) == wanted
    if isinstance(wanted, float):
        return given == repr(wanted)
    return bool(given == wanted)


def _sentence(name: str, given: str | None, wanted: Any) -> str:
    header = f"header {name} is missing" if given is None else f"header {name} is {given!r}"
    body = "the body has no value for it" if wanted is None else f"the body says {wanted!r}"
    return f"Header mismatch: {header}, {body}"
