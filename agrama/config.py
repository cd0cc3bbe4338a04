"""Settings of a repository: `agrama.toml`, or `[tool.agrama]` in pyproject.toml, and the environment.

The command line beats `AGRAMA_…` variables, they beat the file, and the file beats the defaults,
which stay where they are used. `agrama.toml` hides the table in pyproject.toml. Every key is checked:
a misspelt one is an error that names the nearest.
"""

import os
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any, NamedTuple, NoReturn

from agrama.errors import InvalidParamsError
from agrama.schema import describe, did_you_mean

FILE = "agrama.toml"
PYPROJECT = "pyproject.toml"
PREFIX = "AGRAMA_"
# Ours, but not settings of a repository.
_OTHER_VARIABLES = frozenset(("AGRAMA_HOME",))
_MAX_BYTES = 1 << 20  # a settings file larger than this is none
_TRUE = frozenset(("1", "true", "yes", "on"))
_FALSE = frozenset(("0", "false", "no", "off", ""))


class Setting(NamedTuple):
    """One key: what kind of value it takes, and what it does."""

    kind: str  # flag, text, whole (a whole number), number, list
    meaning: str
    choices: tuple[str, ...] = ()
    least: float = 0
    private: bool = False  # not for a repository to say, which may be anybody's


SETTINGS: Mapping[str, Setting] = {
    "toolsets": Setting(
        "list",
        "which tools are offered",
        ("core", "analysis", "collaboration", "all"),
    ),
    "allow_write": Setting("flag", "offer write_code: agents may change files", private=True),
    "extensions": Setting(
        "list", "tools, resources and prompts to add, each `package.module:object`", private=True
    ),
    "middleware": Setting(
        "list", "steps around every request, each `package.module:function`", private=True
    ),
    "enforce_claims": Setting("flag", "write_code refuses files another agent claimed"),
    "durability": Setting(
        "text",
        "when messages and decisions are acknowledged: within 50 ms of being safe, or after",
        ("interval", "commit"),
    ),
    "watch": Setting("flag", "the server indexes and watches in the background"),
    "deadline_seconds": Setting("number", "how long a request may take", least=0.1),
    "cache_ttl_seconds": Setting("number", "how long an answer may be given again"),
    "cache_bytes": Setting("whole", "how much memory cached answers may take"),
    "model": Setting(
        "text",
        "what makes the vectors: `static`, or a sentence-transformers model (needs `agrama[models]`)",
        private=True,
    ),
    "ignore": Setting("list", "files left out of the index, as lines of a .gitignore"),
    "max_file_bytes": Setting("whole", "larger files are not indexed", least=1),
    "parse_seconds": Setting("number", "how long one file may take to parse", least=0.1),
    "workers": Setting("whole", "parsing processes", least=1),
}


class Config(NamedTuple):
    """The settings that were given, and by whom."""

    values: Mapping[str, Any] = {}
    origins: Mapping[str, str] = {}

    def get(self, name: str, default: Any = None) -> Any:
        return self.values.get(name, default)

    def pick(self, *names: str) -> dict[str, Any]:
        """Those of some settings that were given, for keyword arguments."""
        return {name: self.values[name] for name in names if name in self.values}


def read_config(root: Path, environment: Mapping[str, str] | None = None) -> Config:
    """What a repository and the environment say, checked."""
    values: dict[str, Any] = {}
    origins: dict[str, str] = {}
    given = _read_file(root)
    if given is not None:
        origin, table = given
        for name, value in table.items():
            setting = SETTINGS.get(name) or _refuse(origin, name, SETTINGS)
            values[name] = _check(setting, value, f"{origin}: {name}")
            origins[name] = origin
            if setting.private and values[name]:
                raise InvalidParamsError(
                    f"{origin}: {name} is not for a repository to say, which may be anybody's: "
                    f"set {PREFIX}{name.upper()} or tell `agrama serve`",
                    data={"parameter": name},
                )
    variables = os.environ if environment is None else environment
    for variable in sorted(variables):
        if variable.startswith(PREFIX) and variable not in _OTHER_VARIABLES:
            _add_variable(variable, variables[variable], values, origins)
    return Config(values, origins)


def _add_variable(
    variable: str, text: str, values: dict[str, Any], origins: dict[str, str]
) -> None:
    name = variable.removeprefix(PREFIX).lower()
    setting = SETTINGS.get(name)
    if setting is not None:
        values[name] = _check(setting, _from_text(setting, text, variable), variable)
        origins[name] = variable
    elif did_you_mean(name, SETTINGS):
        # Anything else may be somebody's own variable of that prefix.
        _refuse("the environment", variable, [PREFIX + known.upper() for known in SETTINGS])


def _read_file(root: Path) -> tuple[str, dict[str, Any]] | None:
    """The table of settings and the name of its file; None when the repository has none."""
    text = _read_text(root / FILE)
    if text is not None:
        return FILE, _parse(text, FILE)
    text = _read_text(root / PYPROJECT)
    if text is None or "tool.agrama" not in text:
        return None
    table = _parse(text, PYPROJECT).get("tool", {}).get("agrama")
    return (f"{PYPROJECT} [tool.agrama]", table) if isinstance(table, dict) else None


def _read_text(path: Path) -> str | None:
    if not path.is_file():
        return None
    try:
        with open(path, "rb") as file:
            return file.read(_MAX_BYTES).decode()
    except (OSError, UnicodeDecodeError) as error:
        raise InvalidParamsError(f"{path.name} cannot be read: {error}") from error


def _parse(text: str, name: str) -> dict[str, Any]:
    import tomllib

    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise InvalidParamsError(f"{name} is not TOML: {error}") from error


def _refuse(origin: str, name: str, known: Iterable[str]) -> NoReturn:
    near = did_you_mean(name, known)
    hint = f"did you mean {near!r}?" if near else f"known are {', '.join(known)}"
    raise InvalidParamsError(
        f"{origin}: unknown setting {name!r}: {hint}",
        data={"parameter": name, "hint": hint},
    )


def _from_text(setting: Setting, text: str, where: str) -> Any:
    """A variable's text as the kind of value its setting takes."""
    word = text.strip().lower()
    try:
        if setting.kind == "flag" and word in _TRUE | _FALSE:
            return word in _TRUE
        if setting.kind == "whole":
            return int(text)
        if setting.kind == "number":
            return float(text)
    except ValueError:
        pass
    else:
        if setting.kind in ("text", "list"):
            return text
    raise _wrong(where, _EXPECTED[setting.kind], text)


def _check(setting: Setting, value: Any, where: str) -> Any:
    checked = _CHECKS[setting.kind](value)
    if checked is None:
        raise _wrong(where, _EXPECTED[setting.kind], value)
    if setting.kind in ("whole", "number") and checked < setting.least:
        raise _wrong(where, f"at least {setting.least:g}", value)
    for word in checked if setting.kind == "list" else (checked,):
        if setting.choices and word not in setting.choices:
            near = did_you_mean(word, setting.choices)
            hint = f" (did you mean {near!r}?)" if near else ""
            raise _wrong(where, f"one of {', '.join(setting.choices)}{hint}", word)
    return checked


def _read_list(value: Any) -> tuple[str, ...] | None:
    """A list of texts, or one text with commas."""
    if isinstance(value, str):
        value = value.split(",")
    if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
        return None
    return tuple(item.strip() for item in value if item.strip())


def _read_number(value: Any) -> float | None:
    fits = isinstance(value, int | float) and not isinstance(value, bool)
    return float(value) if fits and value == value and abs(value) < float("inf") else None


_CHECKS: Mapping[str, Callable[[Any], Any]] = {
    "flag": lambda value: value if isinstance(value, bool) else None,
    "text": lambda value: value if isinstance(value, str) else None,
    "whole": lambda value: (
        value if isinstance(value, int) and not isinstance(value, bool) else None
    ),
    "number": _read_number,
    "list": _read_list,
}
_EXPECTED = {
    "flag": "true or false",
    "text": "a text",
    "whole": "a whole number",
    "number": "a number",
    "list": "a list of texts",
}


def _wrong(where: str, expected: str, got: Any) -> InvalidParamsError:
    return InvalidParamsError(
        f"{where}: expected {expected}, got {describe(got)}",
        data={"parameter": where, "expected": expected, "got": describe(got)},
    )
