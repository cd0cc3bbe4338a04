"""agrama symbol: where a name is defined."""

import argparse
from typing import Any

from agrama.cli.arguments import add_json, add_root, print_json


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("name", help="exact, qualified (Class.method), prefix or approximate")
    add_root(parser)
    parser.add_argument("--kind", help="only this kind: class, function, method, variable, …")
    parser.add_argument("--language", help="only this language")
    parser.add_argument("--path", dest="path_glob", metavar="GLOB", help="only these files")
    parser.add_argument("-n", "--max-results", type=int, default=20, metavar="N")
    add_json(parser)


def run(arguments: argparse.Namespace) -> int:
    from agrama.cli.local import call_tool

    values: dict[str, Any] = {
        "name": arguments.name,
        "max_results": arguments.max_results,
        "max_tokens": 100_000,
    }
    for name in ("kind", "language", "path_glob"):
        if getattr(arguments, name):
            values[name] = getattr(arguments, name)
    answer = call_tool(arguments.root, "find_symbol", values)
    if arguments.json:
        print_json(answer["structuredContent"])
    else:
        print(answer["content"][0]["text"])
    return 0 if answer["structuredContent"]["symbols"] else 1
