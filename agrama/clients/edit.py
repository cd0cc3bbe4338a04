"""Adds our entry to a client's file or takes it out, and makes sure that nothing else changed."""

import contextlib
import copy
import os
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from agrama.clients import jsonc, toml
from agrama.clients.client import Client
from agrama.errors import ToolError


def find_entry(client: Client, text: str, name: str) -> dict[str, Any] | None:
    """Our entry as the file has it, or None."""
    here: Any = _read(client, text)
    for key in (*client.keys_in(here), name):
        here = here.get(key) if isinstance(here, dict) else None
    return here if isinstance(here, dict) else None


def add_entry(client: Client, text: str, name: str, entry: Mapping[str, Any]) -> str:
    """The file's text with our entry; unchanged when it has it. What the user added to it stays."""
    document = _read(client, text)
    path = (*client.keys_in(document), name)
    there = find_entry(client, text, name)
    merged = {**(there or {}), **entry}
    wanted = copy.deepcopy(document)
    _set(wanted, path, merged)
    if wanted == document:
        return text
    if client.format == "toml":
        text = toml.put(text, path, merged)
    elif there is None:
        text = jsonc.put(text, path, merged)
    else:
        for key, value in entry.items():
            text = jsonc.put(text, (*path, key), value)
    return _check(client, text, wanted)


def remove_entry(client: Client, text: str, name: str) -> str:
    """The file's text without our entry; unchanged when it has none."""
    document = _read(client, text)
    path = (*client.keys_in(document), name)
    wanted = copy.deepcopy(document)
    here: Any = wanted
    for key in path[:-1]:
        here = here.get(key) if isinstance(here, dict) else None
    if not isinstance(here, dict) or name not in here:
        return text
    del here[name]
    editor = toml if client.format == "toml" else jsonc
    return _check(client, editor.remove(text, path), wanted)


def write_file(path: Path, text: str) -> None:
    """Replace a file as a whole, through links, with the rights it had."""
    target = Path(os.path.realpath(path))
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        descriptor, temporary = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name}.")
    except OSError as error:
        raise ToolError(f"{target} cannot be written: {error.strerror}") from error
    try:
        with os.fdopen(descriptor, "w", encoding="utf-8", newline="") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        mode = target.stat().st_mode & 0o777 if target.exists() else 0o644
        os.chmod(temporary, mode)
        os.replace(temporary, target)
    except OSError as error:
        with contextlib.suppress(OSError):
            os.unlink(temporary)
        raise ToolError(f"{target} cannot be written: {error.strerror}") from error


def read_file(path: Path) -> str:
    """A file's text with its line ends, empty when there is none."""
    try:
        with open(path, encoding="utf-8", newline="") as file:
            return file.read()
    except FileNotFoundError:
        return ""
    except (OSError, UnicodeDecodeError) as error:
        raise ToolError(f"{path} cannot be read: {error}") from error


def _read(client: Client, text: str) -> dict[str, Any]:
    try:
        document = toml.read(text) if client.format == "toml" else jsonc.read(text)
    except ValueError as error:
        raise ToolError(
            f"the file is not valid {client.format.upper()} ({error}): repair it first"
        ) from error
    if not isinstance(document, dict):
        raise ToolError("the file does not hold an object: repair it first")
    return document


def _set(document: dict[str, Any], path: Sequence[str], value: Any) -> None:
    here = document
    for key in path[:-1]:
        here = here.setdefault(key, {})
        if not isinstance(here, dict):
            raise ToolError(f"{key!r} in the file is not a table of servers: repair it first")
    here[path[-1]] = value


def _check(client: Client, text: str, wanted: dict[str, Any]) -> str:
    """Refuse a text that means anything else than what was wanted."""
    try:
        meant = toml.read(text) if client.format == "toml" else jsonc.read(text)
    except ValueError:
        meant = None
    if _prune(meant) != _prune(wanted):
        raise ToolError(
            "the file keeps its servers in a form that cannot be changed safely: "
            "leave out --write and edit it by hand"
        )
    return text


def _prune(value: Any) -> Any:
    """Without empty tables: TOML has no place for one that lost its last entry."""
    if not isinstance(value, dict):
        return value
    pruned = {key: _prune(item) for key, item in value.items()}
    return {key: item for key, item in pruned.items() if item != {}}
