"""Arguments against schemas: compiled validation, defaults, aliases, and errors that help.

The validator is compiled at first use, because loading jsonschema-rs costs more than a whole start
of the server. The fast path is one `is_valid`; everything that explains runs on failure only.
References to other documents are never fetched.
"""

import re
from collections.abc import Iterable, Mapping
from typing import Any, NoReturn

from agrama.errors import InvalidParamsError

# C0 and C1 controls without tab, line feed and carriage return, and the two that are never text.
_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f]")
_NEVER_TEXT = re.compile(r"[\x00]")
_MAX_GOT = 80  # characters of an offending value shown back


def did_you_mean(word: str, known: Iterable[str]) -> str | None:
    """The known word closest to a misspelt one, or None."""
    from difflib import get_close_matches

    names = list(known)
    folded = {name.casefold().replace("-", "_"): name for name in reversed(names)}
    key = word[:100].casefold().replace("-", "_")
    if key in folded:
        return folded[key]
    close = get_close_matches(key, list(folded), n=1, cutoff=0.6)
    return folded[close[0]] if close else None


def describe(value: Any) -> str:
    """A short form of what came, for an error message."""
    names = {dict: "object", list: "array", str: "string", bool: "boolean", type(None): "null"}
    kind = names.get(type(value), "number")
    if kind in ("null", "object", "array"):
        return kind
    text = repr(value) if kind != "string" else '"' + value + '"'
    if kind == "boolean":
        text = text.lower()
    if len(text) > _MAX_GOT:
        text = text[:_MAX_GOT] + "…"
    return f"{kind} {text}"


def path_of(parts: Iterable[str | int]) -> str:
    """`edits[0].old` from its parts."""
    text = ""
    for part in parts:
        if isinstance(part, int):
            text += f"[{part}]"
        else:
            text += f".{part}" if text else part
    return text


class Validator:
    """One schema, compiled when first needed."""

    __slots__ = ("_compiled", "_defaults", "_integers", "aliases", "free_text", "schema")

    def __init__(
        self,
        schema: Mapping[str, Any],
        *,
        aliases: Mapping[str, str] | None = None,
        free_text: frozenset[str] = frozenset(),
    ) -> None:
        self.schema = schema
        self.aliases = dict(aliases or {})
        self.free_text = free_text
        self._compiled: Any = None
        properties: Mapping[str, Any] = schema.get("properties", {})
        self._defaults = {
            name: field["default"]
            for name, field in properties.items()
            if isinstance(field, dict) and "default" in field
        }
        self._integers = frozenset(
            name
            for name, field in properties.items()
            if isinstance(field, dict) and field.get("type") == "integer"
        )

    def compile(self) -> Any:
        """The jsonschema-rs validator; raises ValueError when the schema itself is wrong."""
        if self._compiled is None:
            import jsonschema_rs

            schema = dict(self.schema)
            schema.setdefault("$schema", "https://json-schema.org/draft/2020-12/schema")
            self._compiled = jsonschema_rs.validator_for(schema, retriever=_refuse_retrieval)
        return self._compiled

    def first_error(self, value: Any) -> str:
        """Why a value does not fit, in one line; empty when it does."""
        for error in self.compile().iter_errors(value):
            where = path_of(error.instance_path)
            return f"{where}: {error.message}" if where else str(error.message)
        return ""

    def check(self, arguments: Mapping[str, Any]) -> dict[str, Any]:
        """The arguments as the tool gets them, or InvalidParamsError naming the parameter."""
        checked = dict(arguments)
        if self.aliases:
            self._rename(checked)
        validator = self._compiled or self.compile()
        if not validator.is_valid(checked):
            self._explain(checked)
        for name, value in checked.items():
            kind = type(value)
            if kind is str:
                if not value.isprintable():
                    self._refuse_control(name, name, value)
            elif kind is list or kind is dict:
                self._scan(name, name, value)
            elif kind is float and name in self._integers:
                checked[name] = int(value)
        for name, value in self._defaults.items():
            if name not in checked:
                checked[name] = value
        return checked

    def _rename(self, arguments: dict[str, Any]) -> None:
        for alias, name in self.aliases.items():
            if alias in arguments:
                value = arguments.pop(alias)
                if name in arguments and arguments[name] != value:
                    raise InvalidParamsError(
                        f"{alias!r} is another name of {name!r}, and both were given",
                        data=_detail(
                            alias, f"only one of {name}, {alias}", "both", f"leave out {alias!r}"
                        ),
                    )
                arguments[name] = value

    def _explain(self, arguments: dict[str, Any]) -> NoReturn:
        errors = [self._describe_error(error) for error in self.compile().iter_errors(arguments)]
        # A misspelt required parameter is both missing and unexpected: the hint is on the second.
        errors.sort(
            key=lambda error: error.data.get("hint", "").startswith("did you mean") is False
        )
        first = errors[0]
        if len(errors) > 1:
            first.data["others"] = [error.message for error in errors[1:6]]
        raise first

    def _describe_error(self, error: Any) -> InvalidParamsError:
        where = path_of(error.instance_path)
        kind = type(error.kind).__name__
        detail = error.kind.as_dict() if hasattr(error.kind, "as_dict") else {}
        if kind.endswith("AdditionalProperties"):
            return self._unexpected(where, error, detail)
        if kind.endswith("Required"):
            name = str(detail.get("property", ""))
            full = f"{where}.{name}" if where else name
            expected = _expected(self._field(list(error.instance_path), name))
            return InvalidParamsError(
                f"Missing required parameter {full!r}",
                data=_detail(full, expected, "nothing", f"add {name!r}: {expected}"),
            )
        expected = _expected(self._field(list(error.instance_path)))
        return InvalidParamsError(
            f"Invalid value of {where or 'arguments'!r}: {str(error.message)[:300]}",
            data=_detail(
                where or "arguments", expected, describe(error.instance), f"pass {expected}"
            ),
        )

    def _unexpected(self, where: str, error: Any, detail: Mapping[str, Any]) -> InvalidParamsError:
        extra = [str(name) for name in detail.get("unexpected", [])]
        name = extra[0] if extra else ""
        known = self._field(list(error.instance_path)).get("properties", {})
        near = did_you_mean(name, [*known, *(self.aliases if not where else ())])
        full = f"{where}.{name}" if where else name
        hint = f"did you mean {near!r}?" if near else "known parameters: " + ", ".join(known)
        return InvalidParamsError(
            f"Unknown parameter {full!r}" + (f": did you mean {near!r}?" if near else ""),
            data=_detail(
                full, "one of " + ", ".join(known), describe(error.instance.get(name)), hint
            ),
        )

    def _field(self, parts: list[str | int], name: str = "") -> Mapping[str, Any]:
        """The sub-schema at a place in the arguments, as far as plain keywords lead there."""
        field: Any = self.schema
        for part in [*parts, name] if name else parts:
            if not isinstance(field, Mapping):
                return {}
            if isinstance(part, int):
                field = field.get("items", {})
            else:
                field = field.get("properties", {}).get(part, {})
        return field if isinstance(field, Mapping) else {}

    def _scan(self, name: str, where: str, value: Any) -> None:
        if isinstance(value, str):
            if not value.isprintable():
                self._refuse_control(name, where, value)
        elif isinstance(value, list):
            for index, item in enumerate(value):
                self._scan(name, f"{where}[{index}]", item)
        elif isinstance(value, dict):
            for key, item in value.items():
                self._scan(key if key in self.free_text else name, f"{where}.{key}", item)

    def _refuse_control(self, name: str, where: str, value: str) -> None:
        pattern = _NEVER_TEXT if name in self.free_text else _CONTROL
        found = pattern.search(value)
        if found:
            code = f"U+{ord(found[0]):04X}"
            raise InvalidParamsError(
                f"Control character {code} in {where!r}",
                data=_detail(
                    where,
                    "text without control characters",
                    f"{code} at {found.start()}",
                    f"remove {code}",
                ),
            )


def _refuse_retrieval(uri: str) -> NoReturn:
    raise ValueError(f"external reference {uri} is not fetched")


def _detail(parameter: str, expected: str, got: str, hint: str) -> dict[str, str]:
    return {"parameter": parameter, "expected": expected, "got": got, "hint": hint}


def _expected(field: Mapping[str, Any]) -> str:
    """What a sub-schema wants, in words."""
    if "enum" in field:
        return "one of " + ", ".join(str(option) for option in field["enum"])
    if "const" in field:
        return f"{field['const']!r}"
    kind = field.get("type", "a valid value")
    text = " or ".join(kind) if isinstance(kind, list) else str(kind)
    bounds = [
        f"{sign} {field[key]}"
        for key, sign in (
            ("minimum", "≥"),
            ("exclusiveMinimum", ">"),
            ("maximum", "≤"),
            ("minLength", "length ≥"),
            ("maxLength", "length ≤"),
        )
        if key in field
    ]
    return text + (" " + ", ".join(bounds) if bounds else "")
