"""VS Code: `.vscode/mcp.json` in the workspace, `mcp.json` beside the user's settings."""

from agrama.clients.client import Client, application_home, typed_entry

CLIENT = Client(
    name="vscode",
    title="VS Code",
    format="jsonc",
    keys=("servers",),
    project_file=".vscode/mcp.json",
    user_file=lambda: application_home() / "Code" / "User" / "mcp.json",
    here="${workspaceFolder}",
    entry=typed_entry,
    next_step="run «MCP: List Servers» and start it",
)
