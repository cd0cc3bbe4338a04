"""The graph as text, in one canonical order: the same graph gives the same bytes.

Node numbers, generations and PageRank depend on history and are left out.
"""

from collections.abc import Collection, Iterator
from typing import Any

import orjson

from agrama.graph import keys
from agrama.graph.drawing import draw_dot, draw_mermaid
from agrama.graph.format import CONFIDENCE_SCALE, EDGE, decode_symbol
from agrama.graph.model import EdgeKind, Resolution, Symbol
from agrama.graph.snapshot import Edge, Snapshot

_EDGE_KINDS = {kind.value: kind.label for kind in EdgeKind}
_RESOLUTIONS = {resolution.value: resolution.label for resolution in Resolution}


def export_jsonl(snapshot: Snapshot) -> Iterator[bytes]:
    """One JSON object per line: all symbols by id, then all edges by file and position."""
    for symbol in read_symbols(snapshot):
        yield orjson.dumps(symbol_row(symbol), option=orjson.OPT_APPEND_NEWLINE)
    for edge in read_edges(snapshot):
        yield orjson.dumps(edge_row(edge), option=orjson.OPT_APPEND_NEWLINE)


def symbol_row(symbol: Symbol) -> dict[str, Any]:
    return {
        "type": "symbol",
        "id": symbol.id,
        "kind": symbol.kind.label,
        "name": symbol.name,
        "qualified_name": symbol.qualified_name,
        "path": symbol.path,
        "start_line": symbol.start_line,
        "start_column": symbol.start_column,
        "end_line": symbol.end_line,
        "language": symbol.language,
        "metrics": symbol.metrics,
    }


def edge_row(edge: Edge) -> dict[str, Any]:
    return {
        "type": "edge",
        "kind": _EDGE_KINDS[edge.kind],
        "source": edge.source,
        "target": edge.target,
        "path": edge.path,
        "line": edge.line,
        "column": edge.column,
        "resolution": _RESOLUTIONS[edge.resolution],
        "confidence": edge.confidence,
    }


def read_symbols(snapshot: Snapshot) -> Iterator[Symbol]:
    """Every symbol in order of its id."""
    order = sorted(
        (snapshot.id_of(keys.read_node(key)), keys.read_node(key))
        for key, _ in snapshot.reader.scan(keys.NODES)
    )
    for _, node in order:
        row = snapshot.reader.get(keys.NODES, keys.node_key(node))
        if row is not None:
            yield decode_symbol(row)


def read_edges(snapshot: Snapshot, kinds: Collection[int] | None = None) -> Iterator[Edge]:
    """Every edge, by the file of its evidence and the position in it."""
    files = ((keys.read_node(key), key) for key, _ in snapshot.reader.scan(keys.FILES))
    for path, node in sorted((snapshot.id_of(node), node) for node, _ in files):
        row = snapshot.file_row(node)
        rows = []
        for source in row.sources if row else ():
            value = snapshot.reader.get(keys.OUT, keys.pair_key(source, node))
            name = snapshot.id_of(source)
            for kind, resolution, confidence, other, line, column in EDGE.iter_unpack(value or b""):
                if kinds is None or kind in kinds:
                    target = snapshot.id_of(other)
                    rows.append((line, column, kind, name, target, resolution, confidence))
        rows.sort()
        for line, column, kind, name, target, resolution, confidence in rows:
            yield Edge(
                kind,
                name,
                target,
                path,
                line,
                column,
                resolution,
                confidence / CONFIDENCE_SCALE,
            )


def export_dot(snapshot: Snapshot, kinds: Collection[int] | None = None) -> Iterator[bytes]:
    """The graph for Graphviz, one arrow per pair of symbols and kind."""
    for line in draw_dot(_arrows(snapshot, kinds)):
        yield line.encode()


def export_mermaid(snapshot: Snapshot, kinds: Collection[int] | None = None) -> Iterator[bytes]:
    """The graph for Mermaid; without `kinds`, imports between files only: more is not drawable."""
    for line in draw_mermaid(_arrows(snapshot, kinds or (EdgeKind.IMPORTS,))):
        yield line.encode()


def _arrows(snapshot: Snapshot, kinds: Collection[int] | None) -> Iterator[tuple[str, str, str]]:
    seen = set()
    for edge in read_edges(snapshot, kinds):
        arrow = edge.source, edge.target, _EDGE_KINDS[edge.kind]
        if arrow not in seen:
            seen.add(arrow)
            yield arrow
