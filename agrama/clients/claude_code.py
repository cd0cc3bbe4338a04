"""Claude Code: `.mcp.json` in the project (shared with everyone), `~/.claude.json` for the user.

It sets CLAUDE_PROJECT_DIR for what it starts and expands `${NAME:-default}` in the file.
"""

from pathlib import Path

from agrama.clients.client import Client, typed_entry

CLIENT = Client(
    name="claude-code",
    title="Claude Code",
    format="json",
    keys=("mcpServers",),
    project_file=".mcp.json",
    user_file=lambda: Path.home() / ".claude.json",
    here="${CLAUDE_PROJECT_DIR:-.}",
    entry=typed_entry,
    next_step="start claude in this folder, allow the server, and look at /mcp",
)
