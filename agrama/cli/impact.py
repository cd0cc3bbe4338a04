"""agrama impact: what a change reaches, and which tests to run for it."""

import argparse
import sys
from typing import Any

from agrama.cli.arguments import add_json, add_root, choose, show
from agrama.errors import ToolError


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "target", nargs="*", help="files or symbols (default: what changed since the last commit)"
    )
    add_root(parser)
    what = parser.add_mutually_exclusive_group()
    what.add_argument("--base", dest="base_ref", metavar="REF", help="changes since this commit")
    what.add_argument("--diff", metavar="FILE", help="a unified diff; - reads stdin")
    parser.add_argument("--depth", dest="max_depth", type=int, metavar="N", help="how far to look")
    add_json(parser)


def run(arguments: argparse.Namespace) -> int:
    values: dict[str, Any] = choose(arguments, "base_ref", "max_depth")
    if arguments.diff is not None:
        values["diff"] = _read(arguments.diff)
    paths = [name for name in arguments.target if (arguments.root / name).exists()]
    symbols = [name for name in arguments.target if name not in paths]
    values |= {key: names for key, names in (("paths", paths), ("symbols", symbols)) if names}
    if not {"base_ref", "diff", "paths", "symbols"} & set(values):
        values["base_ref"] = "HEAD"
    show(arguments, "analyze_impact", values)
    return 0


def _read(name: str) -> str:
    if name == "-":
        return sys.stdin.read()
    try:
        with open(name, encoding="utf-8", errors="replace") as file:
            return file.read()
    except OSError as error:
        raise ToolError(f"{name} cannot be read: {error.strerror}") from error
