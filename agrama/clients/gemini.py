"""Gemini CLI: `.gemini/settings.json` in the project, `~/.gemini/settings.json` for the user."""

from pathlib import Path

from agrama.clients.client import Client

CLIENT = Client(
    name="gemini",
    title="Gemini CLI",
    format="jsonc",
    keys=("mcpServers",),
    project_file=".gemini/settings.json",
    user_file=lambda: Path.home() / ".gemini" / "settings.json",
    next_step="start gemini in this folder and look at /mcp",
)
