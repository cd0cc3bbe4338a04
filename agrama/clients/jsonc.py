"""Changes one member of a JSON text and leaves every other byte alone: comments, order, spacing.

Reads JSON with `//` and `/* */` comments and trailing commas, as editors do. Nothing is formatted
anew; a new member takes over the indentation of its neighbours.
"""

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

_BLANK = re.compile(r"(?:[ \t\r\n\ufeff]+|//[^\n]*|/\*.*?\*/)*", re.DOTALL)
_STRING = re.compile(r'"(?:[^"\\\x00-\x1f]|\\.)*"')
_SPACES = re.compile(r"[ \t\r]*")
# A comment behind a member on its own line speaks of that member.
_TAIL = re.compile(r"(?:[ \t]*/\*[^\n]*?\*/)*(?:[ \t]*//[^\n\r]*)?")
_SCALAR = re.compile(r"[-+.\w]+")


class JsonError(ValueError):
    """The text is not JSON; the message says where."""


@dataclass(slots=True)
class _Member:
    name: str
    start: int  # of the quoted name
    value: "_Value"


@dataclass(slots=True)
class _Value:
    start: int
    end: int
    plain: Any = None
    members: list[_Member] | None = None  # of an object
    items: list[Any] = field(default_factory=list)


def read(text: str) -> Any:
    """The value a text holds; an empty text is an empty object."""
    return _parse(text).plain


def put(text: str, path: Sequence[str], value: Any) -> str:
    """The text with the member at `path` set; objects on the way are made."""
    if not text.strip("\ufeff \t\r\n"):
        text = "{}\n"
    end = "\r\n" if "\r\n" in text else "\n"
    unit = _find_unit(text)
    here = _parse(text)
    for depth, name in enumerate(path):
        if here.members is None:
            raise JsonError(f"{'.'.join(path[:depth]) or 'the text'} is not an object")
        found = _find(here, name)
        if found is None:
            for outer in reversed(path[depth + 1 :]):
                value = {outer: value}
            return _insert(text, here, name, value, (depth, unit, end))
        here = found.value
    if here.plain == value:
        return text
    level = _indent_of(text, here.start, len(path), unit)
    return text[: here.start] + _write(value, level, unit, end) + text[here.end :]


def remove(text: str, path: Sequence[str]) -> str:
    """The text without the member at `path`, and the comma it leaves behind."""
    if not text.strip("\ufeff \t\r\n"):
        return text
    here = _parse(text)
    for name in path[:-1]:
        found = _find(here, name) if here.members is not None else None
        if found is None:
            return text
        here = found.value
    target = _find(here, path[-1]) if here.members is not None else None
    if target is None or here.members is None:
        return text
    at = here.members.index(target)
    start, stop = target.start, target.value.end
    comma = _skip(text, stop)
    if text[comma] == ",":
        stop = comma + 1
    elif at > 0:  # the last of several without a trailing comma: the one before it goes
        before = _skip(text, here.members[at - 1].value.end)
        text = text[:before] + text[before + 1 :]
        start, stop = start - 1, stop - 1
    if len(here.members) == 1:
        left = text[here.start + 1 : start] + text[stop : here.end - 1]
        if not left.strip():
            return text[: here.start + 1] + text[here.end - 1 :]
    return _cut_lines(text, start, stop)


def _cut_lines(text: str, start: int, stop: int) -> str:
    """Cut a span; when nothing else stands on its lines they go with it."""
    first = text.rfind("\n", 0, start) + 1
    blank = not text[first:start].strip(" \t")
    last = _SPACES.match(text, stop)
    stop = last.end() if last else stop
    if blank and text[stop : stop + 1] == "\n":
        return text[:first] + text[stop + 1 :]
    before = text[:start].rstrip(" \t\r\n") if blank else text[:start]
    return before + text[stop:]


def _insert(text: str, here: _Value, name: str, value: Any, style: tuple[int, str, str]) -> str:
    depth, unit, end = style
    members = here.members or []
    if members:
        last = members[-1]
        indent = _indent_of(text, last.start, depth + 1, unit)
        entry = f"{json.dumps(name)}: {_write(value, indent, unit, end)}"
        stop = last.value.end
        comma = _skip(text, stop)
        trailing = text[comma] == ","
        if trailing:
            stop = comma + 1
        rest = _TAIL.match(text, stop)
        after = rest.end() if rest else stop
        glue = "" if trailing else ","
        new = f"{end}{indent}{entry}" + ("," if trailing else "")
        return text[:stop] + glue + text[stop:after] + new + text[after:]
    close = _indent_of(text, here.start, depth, unit)
    indent = close + unit
    entry = f"{end}{indent}{json.dumps(name)}: {_write(value, indent, unit, end)}"
    inside = text[here.start + 1 : here.end - 1].rstrip()
    return f"{text[: here.start + 1]}{inside}{entry}{end}{close}{text[here.end - 1 :]}"


def _write(value: Any, indent: str, unit: str, end: str) -> str:
    """JSON with short arrays on one line."""
    if isinstance(value, dict) and value:
        inner = indent + unit
        rows = (f"{inner}{json.dumps(k)}: {_write(v, inner, unit, end)}" for k, v in value.items())
        return "{" + end + f",{end}".join(rows) + f"{end}{indent}}}"
    return json.dumps(value, ensure_ascii=False)


def _find_unit(text: str) -> str:
    found = re.search(r"\n([ \t]+)\S", text)
    return found.group(1) if found else "  "


def _indent_of(text: str, at: int, depth: int, unit: str) -> str:
    """The white space before whatever stands first on a line."""
    line = text[text.rfind("\n", 0, at) + 1 : at]
    blank = line[: len(line) - len(line.lstrip(" \t"))]
    return blank if "\n" in text[:at] or depth == 0 else unit * depth


def _find(value: _Value, name: str) -> _Member | None:
    found = [member for member in value.members or () if member.name == name]
    return found[-1] if found else None  # of two with one name, readers take the last


def _parse(text: str) -> _Value:
    at = _skip(text, 0)
    if at == len(text):
        return _Value(0, 0, {}, [])
    value = _parse_value(text, at)
    at = _skip(text, value.end)
    if at != len(text):
        raise _error(text, at, "more text after the value")
    return value


def _parse_value(text: str, at: int) -> _Value:
    char = text[at : at + 1]
    if char == "{":
        return _parse_object(text, at)
    if char == "[":
        return _parse_array(text, at)
    found = (_STRING if char == '"' else _SCALAR).match(text, at)
    if not found:
        raise _error(text, at, "a value is missing")
    try:
        return _Value(at, found.end(), json.loads(found.group()))
    except ValueError as error:
        raise _error(text, at, f"{found.group()!r} is not a value") from error


def _parse_object(text: str, start: int) -> _Value:
    members: list[_Member] = []
    at = _skip(text, start + 1)
    while text[at : at + 1] != "}":
        name = _STRING.match(text, at)
        if not name:
            raise _error(text, at, "a quoted name or } is missing")
        colon = _skip(text, name.end())
        if text[colon : colon + 1] != ":":
            raise _error(text, colon, "a colon is missing")
        value = _parse_value(text, _skip(text, colon + 1))
        members.append(_Member(json.loads(name.group()), at, value))
        at = _next(text, value.end, "}")
    plain = {member.name: member.value.plain for member in members}
    return _Value(start, at + 1, plain, members)


def _parse_array(text: str, start: int) -> _Value:
    items = []
    at = _skip(text, start + 1)
    while text[at : at + 1] != "]":
        value = _parse_value(text, at)
        items.append(value.plain)
        at = _next(text, value.end, "]")
    return _Value(start, at + 1, items)


def _next(text: str, at: int, close: str) -> int:
    """Behind the comma after an element, or at the end of what holds it."""
    at = _skip(text, at)
    if text[at : at + 1] == ",":
        return _skip(text, at + 1)
    if text[at : at + 1] != close:
        raise _error(text, at, f"a comma or {close} is missing")
    return at


def _skip(text: str, at: int) -> int:
    found = _BLANK.match(text, at)
    return found.end() if found else at


def _error(text: str, at: int, what: str) -> JsonError:
    line = text.count("\n", 0, at) + 1
    column = at - text.rfind("\n", 0, at)
    return JsonError(f"line {line}, column {column}: {what}")
