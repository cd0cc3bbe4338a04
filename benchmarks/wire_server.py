"""A server on Agrama's core with tools whose cost is known: answers of set sizes, and one that burns CPU.

`wire_server.py` speaks stdio. The tools: `sized` (uncached, validated), `sized_cached`, `burn`.
"""

import sys
import time
from typing import Any

from agrama.context import Context
from agrama.protocol.content import ToolResult
from agrama.registry import Registry, Tool
from agrama.server import Server
from agrama.stdio import serve

SCHEMA = {
    "type": "object",
    "properties": {
        "size": {"type": "integer", "minimum": 0, "maximum": 1_000_000},
        "label": {"type": "string", "maxLength": 200},
    },
    "required": ["size"],
    "additionalProperties": False,
}


def sized(context: Context, arguments: dict[str, Any]) -> ToolResult:
    return ToolResult(text="x" * arguments["size"])


def burn(context: Context, arguments: dict[str, Any]) -> ToolResult:
    """Hold the interpreter for a second, as a pure Python loop does."""
    end = time.perf_counter() + 1.0
    steps = 0
    while time.perf_counter() < end:
        steps += sum(range(100))
    return ToolResult(text=str(steps))


def build() -> Server:
    registry = Registry()
    registry.add(Tool("sized", "An answer of a set size.", sized, SCHEMA))
    registry.add(Tool("sized_cached", "The same, cached.", sized, SCHEMA, cacheable=True))
    registry.add(Tool("burn", "One second of CPU.", burn, slow=True))
    return Server(name="wire", version="1", registry=registry)


if __name__ == "__main__":
    sys.exit(serve(build()))
