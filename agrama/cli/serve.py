"""agrama serve: answer agents over MCP, on standard input and output or over HTTP."""

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from agrama.cli.arguments import add_root

if TYPE_CHECKING:
    from agrama.config import Config

# Given on the command line, in the environment or in the repository's file, in this order.
_SETTINGS = (
    "toolsets",
    "allow_write",
    "enforce_claims",
    "durability",
    "extensions",
    "middleware",
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_root(parser)
    parser.add_argument("--transport", choices=("stdio", "http"), default="stdio")
    parser.add_argument(
        "--toolsets",
        metavar="LIST",
        help="core, analysis, collaboration, or all (default: core,collaboration)",
    )
    parser.add_argument(
        "--allow-write",
        action=argparse.BooleanOptionalAction,
        help="offer write_code: agents may change files",
    )
    parser.add_argument(
        "--no-index",
        action="store_true",
        help="answer from the index there is; neither build nor watch",
    )
    parser.add_argument(
        "--enforce-claims",
        action=argparse.BooleanOptionalAction,
        help="write_code refuses files another agent claimed (default: it warns)",
    )
    parser.add_argument(
        "--durability",
        choices=("interval", "commit"),
        help="acknowledge messages and decisions before (interval, within 50 ms) or after (commit) "
        "they are safe on the disk (default: interval)",
    )
    parser.add_argument(
        "--extension",
        action="append",
        dest="extensions",
        metavar="NAME",
        help="add a tool, resource or prompt of yours, package.module:object (may be repeated)",
    )
    parser.add_argument(
        "--middleware",
        action="append",
        metavar="NAME",
        help="put package.module:function around every request (may be repeated)",
    )
    parser.add_argument(
        "--check-output", action="store_true", help="check every result against its schema"
    )
    parser.add_argument(
        "--heartbeat", action="store_true", help="stdio: send one notification at the start"
    )
    network = parser.add_argument_group("HTTP")
    network.add_argument("--host", default="127.0.0.1", help="address to bind (%(default)s)")
    network.add_argument("--port", type=int, default=8620, help="0 picks a free one (%(default)s)")
    network.add_argument("--token-file", type=Path, help="require this bearer token")
    network.add_argument("--allowed-host", action="append", default=[], metavar="HOST")
    network.add_argument("--allowed-origin", action="append", default=[], metavar="ORIGIN")


def run(arguments: argparse.Namespace) -> int:
    from agrama.cli.assemble import assemble
    from agrama.config import read_config
    from agrama.server import Options

    config = read_config(arguments.root)
    limits = config.pick("deadline_seconds", "cache_ttl_seconds", "cache_bytes")
    options = Options(check_output=arguments.check_output, **limits)
    workspace, server = assemble(arguments.root, options=options, **_choose(arguments, config))
    indexes = not arguments.no_index and config.get("watch", default=True)
    try:
        if arguments.transport == "http":
            if indexes:
                workspace.start_indexer()
            from agrama.http.options import HttpOptions, read_token
            from agrama.http.serve import serve as serve_http

            token = read_token(str(arguments.token_file)) if arguments.token_file else None
            http_options = HttpOptions(
                host=arguments.host,
                port=arguments.port,
                allowed_hosts=tuple(arguments.allowed_host),
                allowed_origins=tuple(arguments.allowed_origin),
                token=token,
            )
            return serve_http(server, http_options)
        from agrama.stdio import serve

        # The indexer starts after the first answer, which takes less time than starting a process.
        return serve(
            server,
            heartbeat=arguments.heartbeat,
            warm_up=workspace.start_indexer if indexes else None,
        )
    finally:
        workspace.close()


def _choose(arguments: argparse.Namespace, config: "Config") -> dict[str, Any]:
    """What the command line says, else what the settings say."""
    from agrama.tools import DEFAULT_TOOLSETS

    chosen = {"toolsets": DEFAULT_TOOLSETS, **config.pick(*_SETTINGS)}
    if not isinstance(chosen["toolsets"], str):
        chosen["toolsets"] = ",".join(chosen["toolsets"])
    told = {name: getattr(arguments, name) for name in _SETTINGS}
    chosen |= {name: value for name, value in told.items() if value is not None}
    if chosen.get("allow_write") and not arguments.allow_write:
        origin = config.origins["allow_write"]
        print(f"agrama serve: agents may change files, says {origin}", file=sys.stderr)
    return chosen
