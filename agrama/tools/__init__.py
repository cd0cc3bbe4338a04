"""The tools, one module each: every module of this package that has a `TOOL` is one.

They are found by looking, so a new tool is a new file. Names, not order of files, decide the order
in which clients see them.
"""

import importlib
import os
from collections.abc import Collection, Iterator
from pathlib import Path
from typing import Any

from agrama.context import Context, run_again
from agrama.errors import InvalidParamsError
from agrama.protocol.content import ToolResult
from agrama.registry import Tool

TOOLSETS = ("core", "analysis", "collaboration")
DEFAULT_TOOLSETS = "core,collaboration"
# Offered only to those who may change files.
WRITING_TOOLS = frozenset(("write_code",))


def load_tools(wanted: Collection[str], *, allow_write: bool = False) -> Iterator[Tool]:
    """The tools of these toolsets."""
    for name in tool_modules():
        if name in WRITING_TOOLS and not allow_write:
            continue
        tool = getattr(importlib.import_module(f"agrama.tools.{name}"), "TOOL", None)
        if isinstance(tool, Tool) and tool.toolset in wanted:
            yield tool


def run_tool(context: Context, name: str, **arguments: Any) -> ToolResult:
    """Run one tool inside another request, its arguments completed by the defaults of its schema."""
    tool: Tool = importlib.import_module(f"agrama.tools.{name}").TOOL
    schema = tool.input_schema["properties"]
    defaults = {key: rule["default"] for key, rule in schema.items() if "default" in rule}
    result: ToolResult = run_again(tool.run, context, {**defaults, **arguments})
    return result


def read_toolsets(words: str) -> frozenset[str]:
    """The toolsets a user named: comma-separated, or `all`."""
    chosen = [word.strip() for word in words.split(",") if word.strip()]
    for word in chosen:
        if word not in (*TOOLSETS, "all"):
            from agrama.schema import did_you_mean

            near = did_you_mean(word, [*TOOLSETS, "all"])
            hint = (
                f": did you mean {near!r}?" if near else f": known are {', '.join(TOOLSETS)}, all"
            )
            raise InvalidParamsError(f"Unknown toolset {word!r}{hint}")
    return frozenset(TOOLSETS if "all" in chosen else chosen)


def tool_modules() -> list[str]:
    folder = Path(__file__).parent
    return sorted(
        name[:-3] for name in os.listdir(folder) if name.endswith(".py") and name[0] != "_"
    )
