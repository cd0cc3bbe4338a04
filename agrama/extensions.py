"""What a user adds to the server without changing it: middleware, tools, resources, prompts.

Each is named as `package.module:object` on the command line or in the environment, never by the
repository being served: naming one runs its code.
"""

from collections.abc import Iterable
from importlib import import_module
from typing import Any

from agrama.errors import InvalidParamsError
from agrama.registry import Entry, Middleware, Prompt, Resource, ResourceTemplate, Tool

_ENTRY_TYPES = (Tool, Resource, ResourceTemplate, Prompt)


def load_middleware(names: Iterable[str]) -> tuple[Middleware, ...]:
    """Middleware by its names, the outermost first."""
    found = []
    for name in names:
        middleware = _load(name, "middleware")
        if not callable(middleware):
            raise _wrong("middleware", name, "it cannot be called")
        found.append(middleware)
    return tuple(found)


def load_entries(names: Iterable[str]) -> tuple[Entry, ...]:
    """Tools, resources, templates and prompts by their names; an object may be a list of several."""
    found: list[Entry] = []
    for name in names:
        given = _load(name, "extensions")
        entries = [given] if isinstance(given, _ENTRY_TYPES) else given
        if not isinstance(entries, list | tuple) or not all(
            isinstance(entry, _ENTRY_TYPES) for entry in entries
        ):
            expected = "a Tool, Resource, ResourceTemplate or Prompt of agrama.registry, or a list"
            raise _wrong("extensions", name, f"expected {expected}, got {type(given).__name__}")
        found += entries
    return tuple(found)


def _load(name: str, parameter: str) -> Any:
    module, _, attribute = name.partition(":")
    try:
        return getattr(import_module(module), attribute)
    except (ImportError, AttributeError, ValueError) as error:
        raise _wrong(parameter, name, str(error)) from error


def _wrong(parameter: str, name: str, why: str) -> InvalidParamsError:
    expected = "package.module:object"
    return InvalidParamsError(
        f"{parameter}: {name!r}: {why}. Expected {expected}, of a package installed beside agrama",
        data={"parameter": parameter, "expected": expected, "got": name},
    )
