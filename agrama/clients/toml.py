"""Sets or removes one table of a TOML text and leaves every other line alone.

The table is written with a header of its own. Whoever keeps it in another form (inline, or dotted
keys) is told so: the callers compare what the text means before and after.
"""

import json
import re
import tomllib
from collections.abc import Sequence
from typing import Any

_HEADER = re.compile(r"^[ \t]*\[\[?\s*(?P<name>[^\]]+?)\s*\]\]?[ \t]*(?:#.*)?$", re.MULTILINE)
_BARE = re.compile(r"[A-Za-z0-9_-]+")
_PART = re.compile(
    r"""\s*(?:"(?P<quoted>[^"]*)"|'(?P<raw>[^']*)'|(?P<bare>[A-Za-z0-9_-]+))\s*(?:\.|$)"""
)


def read(text: str) -> dict[str, Any]:
    return tomllib.loads(text)


def put(text: str, path: Sequence[str], value: dict[str, Any]) -> str:
    """The text with the flat values of the table at `path` set; tables below it stay."""
    end = "\r\n" if "\r\n" in text else "\n"
    header = "[" + ".".join(map(_key, path)) + "]"
    flat = {name: item for name, item in value.items() if not isinstance(item, dict)}
    rows = [f"{_key(name)} = {_value(item)}" for name, item in flat.items()]
    block = end.join([header, *rows]) + end
    span = _find_block(text, path, whole=False)
    if span is None:
        body = text.rstrip("\r\n \t")
        return f"{body}{end}{end}{block}" if body else block
    start, stop = span
    rest = text[stop:]
    return text[:start] + block + (end if rest.strip() else "") + rest


def remove(text: str, path: Sequence[str]) -> str:
    """The text without the table at `path` and those below it."""
    span = _find_block(text, path, whole=True)
    if span is None:
        return text
    before, after = text[: span[0]], text[span[1] :]
    if after.strip():
        return before + after
    body = before.rstrip("\r\n \t")
    return body + ("\r\n" if "\r\n" in text else "\n") if body else ""


def _find_block(text: str, path: Sequence[str], *, whole: bool) -> tuple[int, int] | None:
    """From a table's header to the next one, or to the next one that is not below it."""
    wanted = list(path)
    start = None
    for found in _HEADER.finditer(text):
        name = _split(found["name"])
        if start is None:
            if name == wanted or (whole and name[: len(wanted)] == wanted):
                start = found.start()
        elif not whole or name[: len(wanted)] != wanted:
            return start, _before_comments(text, start, found.start())
    return None if start is None else (start, len(text))


def _before_comments(text: str, start: int, stop: int) -> int:
    """Comments right above a header belong to that header."""
    lines = text[start:stop].splitlines(keepends=True)
    while lines and lines[-1].lstrip().startswith("#"):
        stop -= len(lines.pop())
    return stop


def _split(name: str) -> list[str]:
    parts = []
    at = 0
    while at < len(name) and (found := _PART.match(name, at)):
        parts.append(found["quoted"] or found["raw"] or found["bare"] or "")
        at = found.end()
    return parts


def _key(name: str) -> str:
    return name if _BARE.fullmatch(name) else json.dumps(name)


def _value(value: Any) -> str:
    if isinstance(value, list):
        return "[" + ", ".join(map(_value, value)) + "]"
    # JSON's strings, numbers and booleans are TOML's too, but for surrogates and DEL.
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
