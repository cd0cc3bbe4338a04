"""Cursor: `.cursor/mcp.json` in the project, `~/.cursor/mcp.json` for the user."""

from pathlib import Path

from agrama.clients.client import Client, typed_entry

CLIENT = Client(
    name="cursor",
    title="Cursor",
    format="jsonc",
    keys=("mcpServers",),
    project_file=".cursor/mcp.json",
    user_file=lambda: Path.home() / ".cursor" / "mcp.json",
    here="${workspaceFolder}",
    entry=typed_entry,
    next_step="enable it in Cursor's settings under MCP",
)
