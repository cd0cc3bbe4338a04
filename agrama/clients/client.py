"""What we know of one MCP client: where it keeps its servers, in which format, in which words."""

import os
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

Format = Literal["json", "jsonc", "toml"]
Entry = Callable[[str, Sequence[str]], dict[str, Any]]


def plain_entry(command: str, words: Sequence[str]) -> dict[str, Any]:
    """The form most clients share."""
    return {"command": command, "args": list(words)}


def typed_entry(command: str, words: Sequence[str]) -> dict[str, Any]:
    """The same for clients that want the transport named."""
    return {"type": "stdio", **plain_entry(command, words)}


@dataclass(frozen=True, slots=True)
class Client:
    """One client. `here` is what its project file may say for the repository's own folder."""

    name: str
    title: str
    format: Format
    keys: tuple[str, ...]  # the objects around the entry
    user_file: Callable[[], Path]
    project_file: str | None = None
    here: str | None = None
    entry: Entry = plain_entry
    find_keys: Callable[[Mapping[str, Any]], tuple[str, ...]] | None = None
    other_files: tuple[str, ...] = ()  # names the project file may have instead
    next_step: str = "restart it"

    def file(self, root: Path, *, user: bool) -> Path:
        """The file that holds the entry; the project's where there is one, unless asked otherwise."""
        if user or self.project_file is None:
            return self.user_file()
        there = [name for name in (self.project_file, *self.other_files) if (root / name).exists()]
        return root / (there[0] if there else self.project_file)

    def keys_in(self, document: Mapping[str, Any]) -> tuple[str, ...]:
        """Where servers are kept in a file that already holds something."""
        return self.find_keys(document) if self.find_keys else self.keys


def config_home() -> Path:
    """The folder for settings on this system."""
    if sys.platform == "win32":
        return Path(os.environ.get("APPDATA") or Path.home() / "AppData" / "Roaming")
    return Path(os.environ.get("XDG_CONFIG_HOME") or Path.home() / ".config")


def application_home() -> Path:
    """The same for desktop applications, which macOS keeps elsewhere."""
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Application Support"
    return config_home()
