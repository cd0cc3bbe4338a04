"""Arguments and output that several verbs share."""

import argparse
import sys
from pathlib import Path
from typing import Any

import orjson


def add_root(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--root", type=Path, default=Path(), help="the repository (default: here)")


def add_json(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--json", action="store_true", help="print JSON for programs")


def at_least_one(text: str) -> int:
    """The type of an argument that counts something there must be one of."""
    number = int(text) if text.isdecimal() else 0
    if number < 1:
        raise argparse.ArgumentTypeError(f"{text!r} is not a whole number of at least 1")
    return number


def print_json(value: Any) -> None:
    sys.stdout.write(orjson.dumps(value, option=orjson.OPT_INDENT_2).decode() + "\n")


def choose(arguments: argparse.Namespace, *names: str) -> dict[str, Any]:
    """The optional arguments that were given."""
    values = {name: getattr(arguments, name) for name in names}
    return {name: value for name, value in values.items() if value is not None}


def show(arguments: argparse.Namespace, tool: str, values: dict[str, Any]) -> dict[str, Any]:
    """Call a tool, print its answer as text or JSON, and return it."""
    from agrama.cli.local import call_tool, text_of

    result = call_tool(arguments.root, tool, {**values, "max_tokens": _TERMINAL_TOKENS})
    answer: dict[str, Any] = result["structuredContent"]
    if arguments.json:
        print_json(answer)
    else:
        print(text_of(result))
    return answer


# A terminal has no context window to protect.
_TERMINAL_TOKENS = 1_000_000
