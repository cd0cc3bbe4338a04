"""agrama stats: what the index holds, and what was left out and why."""

import argparse
import sys
from pathlib import Path
from typing import Any

from agrama.cli.arguments import add_json, print_json
from agrama.errors import NotIndexedError


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("path", nargs="?", default=".", help="the repository (default: here)")
    parser.add_argument(
        "--files", metavar="REASON", help="list the files with this status, reason or mark"
    )
    add_json(parser)


def run(arguments: argparse.Namespace) -> int:
    from agrama.graph.keys import repository_folder
    from agrama.graph.snapshot import open_snapshot
    from agrama.graph.store import Store

    folder = repository_folder(Path(arguments.path))
    with Store.open(folder) as store, open_snapshot(store) as snapshot:
        if arguments.files:
            entries = [
                {"path": x.path, "status": x.status, "reason": x.reason}
                for x in snapshot.files()
                if arguments.files in (x.status, x.reason)
            ]
            return _print_files(entries, arguments.files, json=arguments.json)
        if snapshot.generation == 0:  # a first build that was begun and never ended
            raise NotIndexedError(f"nothing is indexed yet: run `agrama index {arguments.path}`")
        totals = {**snapshot.stats(), "folder": str(folder), "size_bytes": store.size_bytes()}
    if arguments.json:
        print_json(totals)
    else:
        _print_totals(totals)
    return 0


def _print_files(entries: list[dict[str, Any]], wanted: str, *, json: bool) -> int:
    if json:
        print_json(entries)
        return 0
    for entry in entries:
        print(f"{entry['path']}  {entry['reason'] or entry['status']}")
    if not entries:
        print(f"no file is {wanted!r}: `agrama stats` counts what there is", file=sys.stderr)
    return 0 if entries else 1


def _print_totals(totals: dict[str, Any]) -> None:
    from agrama.cli.terminal import make_console, print_table

    console = make_console()
    console.print(
        f"generation {totals['generation']}, {totals['size_bytes'] / 1e6:,.1f} MB in {totals['folder']}"
    )
    console.print(
        f"{totals['files']:,} files ({totals['bytes'] / 1e6:,.1f} MB), "
        f"{totals['symbols']:,} symbols, {totals['edges']:,} edges"
    )
    for title, counts in (
        ("symbols", totals["symbol_kinds"]),
        ("edges", totals["edge_kinds"]),
        ("partly parsed", {"files": totals["partial"]}),
        ("marked", totals["marked"]),
        ("skipped", totals["skipped"]),
    ):
        text = ", ".join(f"{count:,} {name}" for name, count in counts.items()) or "none"
        console.print(f"{title}: {text}")
    rows = []
    for name, per in totals["languages"].items():
        share = f"{per['unresolved'] / per['call_sites']:.1%}" if per["call_sites"] else "–"
        counts = (per["files"], per["symbols"], per["edges"], per["call_sites"])
        rows.append([name, *(f"{count:,}" for count in counts), share])
    names = ("language", "files", "symbols", "edges", "calls", "unresolved")
    console.print()
    print_table(names, rows, right=names[1:], console=console)
