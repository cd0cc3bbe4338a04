"""agrama context: what an agent should know before it starts on a task."""

import argparse
from typing import Any

from agrama.cli.arguments import add_json, add_root, choose, print_json


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("task", nargs="*", help="what is to be done, in words")
    add_root(parser)
    parser.add_argument("--path", dest="paths", action="append", help="a file it concerns")
    parser.add_argument("--symbol", dest="symbols", action="append", help="a symbol it concerns")
    parser.add_argument("--since", dest="time_range", metavar="TIME", help="'2 weeks ago'")
    parser.add_argument(
        "--max-tokens", type=int, default=8000, metavar="N", help="how much to say (%(default)s)"
    )
    add_json(parser)


def run(arguments: argparse.Namespace) -> int:
    from agrama.cli.local import call_tool, text_of

    values: dict[str, Any] = choose(arguments, "paths", "symbols", "time_range", "max_tokens")
    if arguments.task:
        values["task"] = " ".join(arguments.task)
    result = call_tool(arguments.root, "get_context", values)
    if arguments.json:
        print_json(result["structuredContent"])
    else:
        print(text_of(result))
    return 0
