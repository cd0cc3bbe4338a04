"""agrama search: ranked code for a question, an identifier, a path or a stack trace."""

import argparse
import sys
from typing import Any

from agrama.cli.arguments import add_json, add_root, choose, print_json


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("query", nargs="+", help="words, an identifier, a path; - reads stdin")
    add_root(parser)
    parser.add_argument("-n", "--max-results", type=int, default=10, metavar="N")
    parser.add_argument("--path", dest="path_glob", metavar="GLOB", help="only these files")
    parser.add_argument("--language", help="only this language")
    parser.add_argument("--kind", help="only this kind of symbol")
    parser.add_argument("--no-snippets", dest="snippets", action="store_false")
    add_json(parser)


def run(arguments: argparse.Namespace) -> int:
    from agrama.cli.local import call_tool

    words = arguments.query
    values: dict[str, Any] = {
        "query": sys.stdin.read() if words == ["-"] else " ".join(words),
        "max_results": arguments.max_results,
        "include_snippets": arguments.snippets,
        "max_tokens": 100_000,
    }
    values |= choose(arguments, "path_glob", "language", "kind")
    answer = call_tool(arguments.root, "hybrid_search", values)["structuredContent"]
    if arguments.json:
        print_json(answer)
    else:
        _print_results(answer)
    return 0 if answer["results"] else 1


def _print_results(answer: dict[str, Any]) -> None:
    from rich.console import Console
    from rich.syntax import Syntax
    from rich.text import Text

    console = Console(highlight=False, soft_wrap=True)
    if not answer["results"]:
        print(f"nothing in the index matches {answer['query']!r}", file=sys.stderr)
        return
    for position, row in enumerate(answer["results"]):
        snippet = "\n".join(row.get("snippet", "").strip("\n").rstrip().splitlines()[:_SHOWN_LINES])
        if position and snippet:
            console.print()
        head = Text(f"{row['path']}:{row['start_line']}", style="bold cyan")
        if row["symbol"] and "::" in row["symbol"]:
            head.append("  " + row["symbol"].partition("::")[2], style="bold")
        head.append(f"  {row['score']:.2f}", style="dim")
        console.print(head)
        if snippet and console.is_terminal:
            lexer = row["language"] or "text"
            console.print(Syntax(snippet, lexer, background_color="default", line_numbers=False))
        elif snippet:
            console.print(snippet, markup=False)
    if answer.get("stale"):
        changed = ", ".join(answer["stale_paths"])
        print(f"changed since indexed: {changed}: run agrama index", file=sys.stderr)


_SHOWN_LINES = 6
