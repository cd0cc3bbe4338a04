"""agrama decisions: what was decided here and why; as Markdown records out and in."""

import argparse
import sys
from pathlib import Path
from typing import Any

from agrama.cli.arguments import add_json, add_root, print_json
from agrama.workspace import Workspace


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("query", nargs="*", help="words to look for")
    add_root(parser)
    parser.add_argument("--path", help="only about this file or folder")
    parser.add_argument("--symbol", help="only about this symbol")
    parser.add_argument("--tag")
    parser.add_argument("--status", choices=("proposed", "accepted", "rejected", "superseded"))
    parser.add_argument("--all", action="store_true", help="superseded ones too")
    parser.add_argument("-n", "--max-results", type=int, default=50, metavar="N")
    what = parser.add_mutually_exclusive_group()
    what.add_argument("--follow", action="store_true", help="print decisions as they are made")
    what.add_argument("--export", type=Path, metavar="DIR", help="write Markdown records")
    what.add_argument("--import", dest="source", type=Path, metavar="DIR", help="read them back")
    add_json(parser)


def run(arguments: argparse.Namespace) -> int:
    if arguments.follow:
        return _follow(arguments)
    if arguments.source is not None:
        return _import(arguments)
    if arguments.export is not None:
        return _export(arguments)
    found = _query(arguments)
    if arguments.json:
        print_json(found)
    else:
        from agrama.tools.query_decisions import render_decision

        print("\n".join(map(render_decision, found)) or "no decision matches")
    return 0 if found else 1


def _query(arguments: argparse.Namespace, **more: Any) -> list[dict[str, Any]]:
    from agrama.cli.local import call_tool

    wanted: dict[str, Any] = {
        "include_superseded": arguments.all,
        "max_tokens": 10_000_000,
        **more,
    }
    for name in ("path", "symbol", "tag", "status"):
        if getattr(arguments, name):
            wanted[name] = getattr(arguments, name)
    if arguments.query:
        wanted["query"] = " ".join(arguments.query)
    found: list[dict[str, Any]] = []
    while True:
        wanted["max_results"] = min(200, arguments.max_results - len(found))
        answer = call_tool(arguments.root, "query_decisions", wanted)["structuredContent"]
        found += answer["decisions"]
        if "next_cursor" not in answer or len(found) >= arguments.max_results:
            return found
        wanted["cursor"] = answer["next_cursor"]


def _export(arguments: argparse.Namespace) -> int:
    from agrama.session.adr import file_name, render

    arguments.max_results = sys.maxsize
    found = _query(arguments, include_superseded=True)
    folder: Path = arguments.export
    folder.mkdir(parents=True, exist_ok=True)
    for row in found:
        (folder / file_name(row)).write_text(render(row))
    print(f"{len(found)} decisions written to {folder}", file=sys.stderr)
    return 0


def _import(arguments: argparse.Namespace) -> int:
    from agrama.cli.local import call_tool
    from agrama.session.adr import parse

    names: dict[str, str] = {}  # the id in the file -> the id here
    arguments.max_results = sys.maxsize
    own = {_identity(row) for row in _query(arguments, include_superseded=True)}
    for path in sorted(arguments.source.glob("*.md")):
        row = parse(path.read_text(), str(path))
        if _identity(row) in own:
            made = {"decision_id": row["decision_id"], "repeated": True}
        else:
            taken = _arguments(row, names)
            made = call_tool(arguments.root, "record_decision", taken)["structuredContent"]
        names[row.get("decision_id", path.stem)] = made["decision_id"]
        if not arguments.json:
            print(f"{made['decision_id']} {path.name}" + (" (again)" if "repeated" in made else ""))
    if arguments.json:
        print_json(names)
    return 0


def _identity(row: dict[str, Any]) -> tuple[Any, ...]:
    """What a record exported here still has when it comes back, whatever was edited in it since."""
    return row.get("decision_id"), row.get("created_at")


def _arguments(row: dict[str, Any], names: dict[str, str]) -> dict[str, Any]:
    """A record's fields as `record_decision` takes them; reading a file twice adds it once."""
    import hashlib

    kept = ("decision", "reasoning", "alternatives", "impact", "confidence", "context", "agent_id")
    taken = {name: row[name] for name in (*kept, "tags", "paths", "symbols") if name in row}
    if row.get("status") in ("proposed", "rejected"):
        taken["status"] = row["status"]
    if row.get("supersedes") in names:
        taken["supersedes"] = names[row["supersedes"]]
    text = "\0".join((row["decision"], row["reasoning"], str(row.get("created_at", ""))))
    taken["idempotency_key"] = "adr:" + hashlib.blake2b(text.encode(), digest_size=16).hexdigest()
    return taken


def _follow(arguments: argparse.Namespace) -> int:
    from agrama.cli.sessions import follow_events

    workspace = Workspace(arguments.root)
    try:
        kinds = frozenset(("decision",))
        return follow_events(workspace.hub, None, kinds=kinds, live=True, as_json=arguments.json)
    finally:
        workspace.close()
