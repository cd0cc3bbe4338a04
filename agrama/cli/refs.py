"""agrama refs: who calls, imports, inherits or mentions a symbol."""

import argparse
import re

from agrama.cli.arguments import add_json, add_root, choose, show

_POSITION = re.compile(r"(.+?):(\d+)(?::(\d+))?")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("symbol", help="path::Class.method, a name, or path:line:column")
    add_root(parser)
    parser.add_argument("--kind", help="only calls, imports, inherits, references, ...")
    parser.add_argument(
        "--out", dest="direction", action="store_const", const="out", default="in",
        help="what the symbol uses instead of who uses it",
    )  # fmt: skip
    parser.add_argument("-n", "--max-results", type=int, default=200, metavar="N")
    add_json(parser)


def run(arguments: argparse.Namespace) -> int:
    values = {"direction": arguments.direction, "max_results": arguments.max_results}
    position = _POSITION.fullmatch(arguments.symbol)
    if position and "::" not in arguments.symbol:
        path, line, column = position.groups()
        values.update(path=path, line=int(line), column=int(column or 0))
    else:
        values["symbol"] = arguments.symbol
    show(arguments, "find_references", {**values, **choose(arguments, "kind")})
    return 0
