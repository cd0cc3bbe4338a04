"""The command line: one module per verb, imported only when that verb runs.

A verb module offers `add_arguments(parser)` and `run(arguments) -> int`. Errors of Agrama's own tree
and of the file system become one line on stderr and exit status 1; wrong usage is exit status 2,
Ctrl-C is 130.
"""

import argparse
import importlib
import os
import sys
from collections.abc import Sequence
from difflib import get_close_matches

from agrama import __version__
from agrama.errors import AgramaError

# verb -> what it does; the module is agrama.cli.<verb>
VERBS = {
    "index": "parse a repository into the knowledge graph",
    "serve": "answer agents over MCP (stdio or HTTP)",
    "search": "search the indexed code",
    "symbol": "find symbols by name",
    "refs": "list the references of a symbol",
    "deps": "show what a file or symbol depends on, or what depends on it",
    "impact": "show what a change reaches and which tests to run",
    "context": "gather what matters for a task: code, map, decisions, changes",
    "stats": "show what the index holds and what was left out",
    "export": "write the graph as JSON lines, GraphML, Mermaid or DOT",
    "sessions": "show what agents work on together, live with --follow",
    "decisions": "find what was decided and why; export and import Markdown records",
    "setup": "connect an MCP client: print its entry, or write it with --write",
    "doctor": "check everything an answer depends on and say what to do",
    "bench": "time the server on a repository and hold it to its promises",
    "completion": "print what a shell needs to complete words",
    "call": "call any tool with JSON arguments",
}


def main(argv: Sequence[str] | None = None) -> int:
    """Run one verb and return the exit status."""
    words = list(sys.argv[1:] if argv is None else argv)
    verb = next((word for word in words if not word.startswith("-")), None)
    parser = _build_parser(verb if verb in VERBS else None)
    if verb is not None and verb not in VERBS:
        near = get_close_matches(verb, VERBS, 1)
        hint = f"did you mean {near[0]!r}?" if near else "`agrama --help` lists them"
        parser.error(f"there is no verb {verb!r}: {hint}")
    arguments = parser.parse_args(words)
    if arguments.verb is None:
        parser.print_help()
        return 2
    try:
        return int(arguments.run(arguments))
    except AgramaError as error:
        print(f"agrama {arguments.verb}: {error.message}", file=sys.stderr)
        return 1
    except BrokenPipeError:
        # The reader of a pipe went away: not an error, but nothing more may be flushed into it.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except OSError as error:
        place = f": {error.filename}" if error.filename else ""
        print(f"agrama {arguments.verb}: {error.strerror or error}{place}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        kept = "; an index from before is intact" if arguments.verb == "index" else ""
        print(f"agrama {arguments.verb}: interrupted{kept}", file=sys.stderr)
        return 130


def _build_parser(chosen: str | None) -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="agrama",
        description="A code-intelligence knowledge graph for AI agents, served over MCP.",
        epilog="Start with: agrama index .   then: agrama search 'where is a request parsed'",
    )
    parser.add_argument("--version", action="version", version=f"agrama {__version__}")
    verbs = parser.add_subparsers(dest="verb", metavar="VERB")
    for name, summary in VERBS.items():
        sub = verbs.add_parser(
            name, help=summary, description=summary[0].upper() + summary[1:] + "."
        )
        if name == chosen:
            module = importlib.import_module(f"agrama.cli.{name}")
            module.add_arguments(sub)
            sub.set_defaults(run=module.run)
    return parser
