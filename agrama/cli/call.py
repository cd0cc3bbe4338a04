"""agrama call: any tool of the server, from a shell."""

import argparse
import sys

import orjson

from agrama.cli.arguments import add_json, add_root, print_json
from agrama.errors import InvalidParamsError


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("tool", help="for example read_code")
    parser.add_argument(
        "arguments", nargs="?", default="{}", help="a JSON object, or - to read it from stdin"
    )
    parser.add_argument("--allow-write", action="store_true", help="write_code may change files")
    add_root(parser)
    add_json(parser)


def run(arguments: argparse.Namespace) -> int:
    from agrama.cli.local import call_tool, text_of

    text = sys.stdin.read() if arguments.arguments == "-" else arguments.arguments
    try:
        values = orjson.loads(text)
    except orjson.JSONDecodeError as error:
        raise InvalidParamsError(f"the arguments are not JSON: {error}") from error
    if not isinstance(values, dict):
        raise InvalidParamsError('the arguments must be a JSON object, like {"path": "README.md"}')
    result = call_tool(arguments.root, arguments.tool, values, allow_write=arguments.allow_write)
    if arguments.json:
        print_json(result.get("structuredContent", result))
    else:
        print(text_of(result))
    return 0
