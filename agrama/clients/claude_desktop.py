"""Claude Desktop: one file per user; the working directory is undefined, so paths are absolute."""

from agrama.clients.client import Client, application_home

CLIENT = Client(
    name="claude-desktop",
    title="Claude Desktop",
    format="json",
    keys=("mcpServers",),
    user_file=lambda: application_home() / "Claude" / "claude_desktop_config.json",
    next_step="quit Claude Desktop whole and start it again",
)
