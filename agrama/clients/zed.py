"""Zed: `context_servers` in `.zed/settings.json` of a trusted project, or in the user's settings."""

from pathlib import Path

from agrama.clients.client import Client, config_home


def _user_file() -> Path:
    import sys

    # Zed keeps to ~/.config on macOS too.
    if sys.platform == "win32":
        return config_home() / "Zed" / "settings.json"
    return config_home() / "zed" / "settings.json"


CLIENT = Client(
    name="zed",
    title="Zed",
    format="jsonc",
    keys=("context_servers",),
    project_file=".zed/settings.json",
    user_file=_user_file,
    next_step="trust the project, then look at the agent panel's settings",
)
