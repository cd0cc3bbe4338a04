"""The MCP clients we can set up, one module each: every module here that has a `CLIENT` is one."""

import importlib
import os
from pathlib import Path

from agrama.clients.client import Client


def load_clients() -> dict[str, Client]:
    """All clients by name."""
    found = {}
    for name in sorted(os.listdir(Path(__file__).parent)):
        if name.endswith(".py") and name[0] != "_":
            module = importlib.import_module(f"agrama.clients.{name[:-3]}")
            client = getattr(module, "CLIENT", None)
            if isinstance(client, Client):
                found[client.name] = client
    return found
