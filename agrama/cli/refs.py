"""agrama refs: who calls, imports, inherits or mentions a symbol, with the evidence."""

import argparse
import re
from typing import Any

from agrama.cli.arguments import add_json, add_root, print_json

_POSITION = re.compile(r"(?P<path>.+?):(?P<line>\d+)(?::(?P<column>\d+))?")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("symbol", help="an id (path::Class.method), a name, or path:line:column")
    add_root(parser)
    parser.add_argument("--kind", help="only this kind: calls, imports, inherits, references, …")
    parser.add_argument("--out", action="store_true", help="what the symbol uses instead")
    parser.add_argument("-n", "--max-results", type=int, default=200, metavar="N")
    add_json(parser)


def run(arguments: argparse.Namespace) -> int:
    from agrama.cli.local import call_tool

    values: dict[str, Any] = {
        **_read_place(arguments.symbol),
        "direction": "out" if arguments.out else "in",
        "max_results": arguments.max_results,
        "max_tokens": 100_000,
    }
    if arguments.kind:
        values["kind"] = arguments.kind
    answer = call_tool(arguments.root, "find_references", values)
    if arguments.json:
        print_json(answer["structuredContent"])
    else:
        print(answer["content"][0]["text"])
    return 0


def _read_place(text: str) -> dict[str, Any]:
    match = _POSITION.fullmatch(text)
    if match is None:
        return {"symbol": text}
    return {
        "path": match["path"],
        "line": int(match["line"]),
        "column": int(match["column"] or 0),
    }
