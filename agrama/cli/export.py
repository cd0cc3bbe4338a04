"""agrama export: the whole graph as text for other programs."""

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from agrama.errors import InvalidParamsError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agrama.graph.snapshot import Snapshot

_FORMATS = ("jsonl", "graphml", "mermaid", "dot")
_FLUSH_BYTES = 1 << 20


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("path", nargs="?", default=".", help="the repository (default: here)")
    parser.add_argument("--format", choices=_FORMATS, default="jsonl")
    parser.add_argument(
        "--kinds", metavar="KIND,…", help="only these kinds of edge (dot, mermaid, graphml)"
    )
    parser.add_argument("-o", "--output", metavar="FILE", help="write here instead of stdout")
    parser.add_argument(
        "--json", action="store_const", dest="format", const="jsonl", help="same as --format jsonl"
    )


def run(arguments: argparse.Namespace) -> int:
    from agrama.graph.keys import repository_folder
    from agrama.graph.snapshot import open_snapshot
    from agrama.graph.store import Store

    kinds = _read_kinds(arguments.kinds)
    folder = repository_folder(Path(arguments.path))
    with Store.open(folder) as store, open_snapshot(store) as snapshot:
        parts = _export(snapshot, arguments.format, kinds)
        if arguments.output:
            with open(arguments.output, "wb") as file:
                file.writelines(parts)
        else:
            _write_out(parts)
    return 0


def _export(snapshot: "Snapshot", form: str, kinds: frozenset[int] | None) -> "Iterator[bytes]":
    from agrama.graph import export

    if form == "graphml":
        from agrama.graph.offline import export_graphml

        return export_graphml(snapshot, kinds)
    if form == "dot":
        return export.export_dot(snapshot, kinds)
    if form == "mermaid":
        return export.export_mermaid(snapshot, kinds)
    return export.export_jsonl(snapshot)


def _read_kinds(text: str | None) -> frozenset[int] | None:
    from agrama.graph.model import EdgeKind

    if not text:
        return None
    known = {kind.label: kind.value for kind in EdgeKind}
    names = [name.strip() for name in text.split(",")]
    if unknown := [name for name in names if name not in known]:
        raise InvalidParamsError(
            f"unknown kind of edge {unknown[0]!r}: choose from {', '.join(known)}"
        )
    return frozenset(known[name] for name in names)


def _write_out(parts: "Iterator[bytes]") -> None:
    pending, size = [], 0
    for part in parts:
        pending.append(part)
        size += len(part)
        if size >= _FLUSH_BYTES:
            sys.stdout.buffer.writelines(pending)
            pending, size = [], 0
    sys.stdout.buffer.writelines(pending)
    sys.stdout.buffer.flush()
