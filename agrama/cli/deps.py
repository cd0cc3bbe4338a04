"""agrama deps: what a file or symbol depends on, what depends on it, and how two are connected."""

import argparse
from typing import TYPE_CHECKING, Any

from agrama.cli.arguments import add_json, add_root, print_json

if TYPE_CHECKING:
    from agrama.graph.snapshot import Edge, Snapshot

_DIRECTIONS = ("both", "forward", "reverse")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("symbol", nargs="?", help="a file, an id (path::Class.method) or a name")
    add_root(parser)
    parser.add_argument("--direction", choices=_DIRECTIONS, default="both")
    parser.add_argument("--depth", type=int, default=1, metavar="N")
    parser.add_argument("--to", metavar="SYMBOL", help="the shortest chain from SYMBOL to this one")
    parser.add_argument("--cycles", action="store_true", help="files that import one another")
    parser.add_argument("--external", action="store_true", help="with what lies outside")
    parser.add_argument("-n", "--max-nodes", type=int, default=1000, metavar="N")
    add_json(parser)


def run(arguments: argparse.Namespace) -> int:
    from agrama.errors import InvalidParamsError
    from agrama.graph.keys import repository_folder
    from agrama.graph.snapshot import open_snapshot
    from agrama.graph.store import Store

    if not arguments.symbol and not arguments.cycles:
        raise InvalidParamsError("give a file or symbol, or --cycles")
    folder = repository_folder(arguments.root)
    with Store.open(folder) as store, open_snapshot(store) as snapshot:
        answer = _answer(snapshot, arguments)
    if arguments.json:
        print_json(answer)
    else:
        print(_render(answer))
    return 0


def _answer(snapshot: "Snapshot", arguments: argparse.Namespace) -> dict[str, Any]:
    from agrama.graph import dependencies
    from agrama.tools.places import find_one

    if arguments.cycles:
        return {"cycles": dependencies.find_cycles(snapshot)}
    root = find_one(snapshot, arguments.symbol).id
    if arguments.to:
        goal = find_one(snapshot, arguments.to).id
        path = dependencies.find_path(snapshot, root, goal)
        return {"root": root, "to": goal, "path": [_row(edge) for edge in path]}
    reach = dependencies.find_dependencies(
        snapshot,
        root,
        direction=arguments.direction,
        max_depth=arguments.depth,
        include_external=arguments.external,
        max_nodes=arguments.max_nodes,
    )
    nodes = sorted(reach.distances.items(), key=lambda item: (item[1], item[0]))
    return {
        "root": root,
        "nodes": [{"symbol": name, "distance": distance} for name, distance in nodes],
        "edges": [_row(edge) for edge in reach.edges],
        "truncated": reach.truncated,
    }


def _row(edge: "Edge") -> dict[str, Any]:
    from agrama.graph.export import edge_row

    row = edge_row(edge)
    del row["type"]
    return row


def _render(answer: dict[str, Any]) -> str:
    if "cycles" in answer:
        groups = [f"{len(group)} files: {', '.join(group)}" for group in answer["cycles"]]
        return "\n".join(groups) or "no file imports itself through others"
    if "path" in answer:
        steps = [_render_edge(row) for row in answer["path"]]
        return "\n".join(steps) or f"nothing leads from {answer['root']} to {answer['to']}"
    lines = [_render_edge(row) for row in answer["edges"]]
    count = len(answer["nodes"]) - 1
    lines.append(f"{count} around {answer['root']}" + (" (cut off)" if answer["truncated"] else ""))
    return "\n".join(lines)


def _render_edge(row: dict[str, Any]) -> str:
    sure = f"{row['resolution']} {row['confidence']:.2f}"
    place = f"{row['path']}:{row['line']}:{row['column']}"
    return f"{row['source']} {row['kind']} {row['target']}  {place} ({sure})"
