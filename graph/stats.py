"""Counts what an index holds, by reading its rows: there are no totals that could go wrong."""

from collections import Counter
from typing import Any

import orjson

from agrama.graph import keys
from agrama.graph.format import KINDS, FileEntry, decode_entry, decode_file
from agrama.graph.model import EdgeKind, Kind
from agrama.graph.store import Reader


def collect_stats(reader: Reader) -> dict[str, Any]:
    """Files by status, reason and language; symbols and edges by kind; unresolved calls."""
    entries = [decode_entry(row) for _, row in reader.scan(keys.MANIFEST)]
    kept = [entry for entry in entries if entry.status != "skipped"]
    languages: dict[str, dict[str, int]] = {}
    symbols = [0] * KINDS
    edges = [0] * KINDS
    for entry in kept:
        per = languages.setdefault(entry.language or "other", dict.fromkeys(_PER_LANGUAGE, 0))
        per["files"] += 1
        _add_file(reader, entry, per, symbols, edges)
    externals = reader.count(keys.NODES) - sum(symbols)
    return {
        "generation": reader.generation,
        "model": _read_model(reader),
        "files": len(kept),
        "bytes": sum(entry.size for entry in kept),
        "symbols": reader.count(keys.NODES),
        "edges": sum(edges),
        "partial": sum(entry.status == "partial" for entry in kept),
        "marked": _count(entry.reason for entry in kept),
        "skipped": _count(entry.reason for entry in entries if entry.status == "skipped"),
        "symbol_kinds": {
            **{kind.label: symbols[kind] for kind in Kind if symbols[kind]},
            **({"external": externals} if externals > 0 else {}),
        },
        "edge_kinds": {kind.label: edges[kind] for kind in EdgeKind if edges[kind]},
        "languages": dict(sorted(languages.items(), key=lambda item: (-item[1]["files"], item[0]))),
    }


_PER_LANGUAGE = ("files", "symbols", "edges", "call_sites", "unresolved")


def _add_file(
    reader: Reader, entry: FileEntry, per: dict[str, int], symbols: list[int], edges: list[int]
) -> None:
    node = reader.get(keys.IDS, keys.text_key(entry.path))
    row = None if node is None else reader.get(keys.FILES, bytes(node))
    if row is None:
        return
    file = decode_file(row)
    per["symbols"] += sum(file.symbol_kinds)
    per["edges"] += sum(file.edge_kinds)
    per["call_sites"] += file.call_sites
    per["unresolved"] += file.unresolved
    for kind in range(KINDS):
        symbols[kind] += file.symbol_kinds[kind]
        edges[kind] += file.edge_kinds[kind]


def _read_model(reader: Reader) -> dict[str, Any] | None:
    """What made the vectors of the index."""
    value = reader.get(keys.META, keys.MODEL_KEY)
    if value is None:
        return None
    return dict(zip(("name", "hash", "dimensions"), orjson.loads(value), strict=True))


def _count(reasons: Any) -> dict[str, int]:
    return dict(sorted(Counter(reason for reason in reasons if reason).items()))
