"""Codex CLI: TOML, `~/.codex/config.toml`, or `.codex/config.toml` in a project the user trusts."""

import os
from pathlib import Path

from agrama.clients.client import Client


def _user_file() -> Path:
    return Path(os.environ.get("CODEX_HOME") or Path.home() / ".codex") / "config.toml"


CLIENT = Client(
    name="codex",
    title="Codex CLI",
    format="toml",
    keys=("mcp_servers",),
    project_file=".codex/config.toml",
    user_file=_user_file,
    next_step="start codex in this folder, trust it, and look at /mcp",
)
