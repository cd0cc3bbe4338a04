"""Windsurf: one file per user, without variables for the open folder, so paths are absolute."""

from pathlib import Path

from agrama.clients.client import Client

CLIENT = Client(
    name="windsurf",
    title="Windsurf",
    format="json",
    keys=("mcpServers",),
    user_file=lambda: Path.home() / ".codeium" / "windsurf" / "mcp_config.json",
    next_step="refresh the servers in Cascade's MCP panel",
)
