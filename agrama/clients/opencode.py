"""opencode: command and arguments are one list; version 2 reads the form of version 1 as well.

Version 1 keeps servers directly under `mcp`, version 2 under `mcp.servers`. A file that already has
the second form gets its entry there; any other gets the first, which both versions read.
"""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from agrama.clients.client import Client, config_home

_SERVERS = ("mcp", "servers")


def _entry(command: str, words: Sequence[str]) -> dict[str, Any]:
    return {"type": "local", "command": [command, *words], "enabled": True}


def _find_keys(document: Mapping[str, Any]) -> tuple[str, ...]:
    servers = document.get("mcp")
    inner = servers.get("servers") if isinstance(servers, dict) else None
    # A version 1 server that happens to be called «servers» has a type of its own.
    return _SERVERS if isinstance(inner, dict) and "type" not in inner else ("mcp",)


def _user_file() -> Path:
    folder = config_home() / "opencode"
    other = folder / "opencode.jsonc"
    return other if other.exists() else folder / "opencode.json"


CLIENT = Client(
    name="opencode",
    title="opencode",
    format="jsonc",
    keys=("mcp",),
    project_file="opencode.json",
    other_files=("opencode.jsonc", ".opencode/opencode.json", ".opencode/opencode.jsonc"),
    user_file=_user_file,
    entry=_entry,
    find_keys=_find_keys,
    next_step="start opencode in this folder and run «opencode mcp list»",
)
