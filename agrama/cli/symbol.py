"""agrama symbol: where a name is defined."""

import argparse

from agrama.cli.arguments import add_json, add_root, choose, show

_FILTERS = ("kind", "language", "path_glob")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("name", help="a name, Class.method, or the beginning of one")
    add_root(parser)
    parser.add_argument("--kind", help="class, function, method, variable, section, ...")
    parser.add_argument("--language")
    parser.add_argument("--path", dest="path_glob", metavar="GLOB")
    parser.add_argument("-n", "--max-results", type=int, default=20, metavar="N")
    add_json(parser)


def run(arguments: argparse.Namespace) -> int:
    values = {"name": arguments.name, "max_results": arguments.max_results}
    answer = show(arguments, "find_symbol", {**values, **choose(arguments, *_FILTERS)})
    return 0 if answer["symbols"] else 1
