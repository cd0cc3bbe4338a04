"""A map of the repository in few words: files that matter, each with its most central symbols.

Central is what others use, by PageRank. Around given files, those files come first and what they
import or what imports them follows; the rest fills up by rank alone.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence

from agrama.graph import keys
from agrama.graph.model import EdgeKind, Kind, Symbol
from agrama.graph.pagerank import read_ranks
from agrama.graph.snapshot import Snapshot

_SYMBOLS_PER_FILE = 8
_NEIGHBOUR = 0.4  # what a file hands on to those it imports or is imported by
_SHOWN_KINDS = frozenset((Kind.CLASS, Kind.FUNCTION, Kind.METHOD, Kind.ROUTE))
_SIGNATURE_BYTES = 100


def rank_files(snapshot: Snapshot, seeds: Mapping[str, float]) -> Iterator[str]:
    """Files by closeness to the seeds, then by how much the repository uses them.

    All files are ranked only when those around the seeds were not enough.
    """
    scores: dict[str, float] = {}
    for path, weight in seeds.items():
        scores[path] = max(weight, scores.get(path, 0.0))
        for neighbour in _neighbours(snapshot, path):
            scores[neighbour] = scores.get(neighbour, 0.0) + weight * _NEIGHBOUR / len(seeds)
    yield from sorted(scores, key=lambda path: (-scores[path], path))
    yield from (path for path in central_files(snapshot) if path not in scores)


def central_files(snapshot: Snapshot) -> list[str]:
    """All source files, the most used first."""
    ranked = []
    ranks = read_ranks(snapshot.reader)
    for key, _ in snapshot.reader.scan(keys.FILES):
        node = keys.read_node(key)
        ranked.append((-_rank(ranks, node), snapshot.id_of(node)))
    return [path for _, path in sorted(ranked)]


def draw_map(snapshot: Snapshot, paths: Iterable[str], max_bytes: int) -> str:
    """As much of the map as fits; a file without symbols worth a line is left out."""
    parts: list[str] = []
    left = max_bytes
    ranks = read_ranks(snapshot.reader)
    for path in paths:
        symbols = _central_symbols(snapshot, path, ranks)
        if not symbols:
            continue
        entry = "\n".join([path, *(f"  {_headline(symbol)}" for symbol in symbols)])
        left -= len(entry) + 1
        if left < 0:
            break
        parts.append(entry)
    return "\n".join(parts)


def _neighbours(snapshot: Snapshot, path: str) -> set[str]:
    """Files that a file imports or that import it."""
    node = snapshot.node(path)
    if node is None:
        return set()
    found = set()
    for database in (keys.OUT, keys.IN):
        for link in snapshot.links(database, node, (EdgeKind.IMPORTS,)):
            name, kind = snapshot.head_of(link.other)
            if kind != Kind.EXTERNAL:
                found.add(name.partition("::")[0])
    return found


def _rank(ranks: Sequence[float], node: int) -> float:
    return ranks[node] if node < len(ranks) else 0.0


def _central_symbols(snapshot: Snapshot, path: str, ranks: Sequence[float]) -> list[Symbol]:
    """The symbols of a file that are used most, in order of position."""
    node = snapshot.node(path)
    row = None if node is None else snapshot.file_row(node)
    ranked = sorted((-_rank(ranks, each), each) for each in (row.symbols if row else ()))
    chosen: list[Symbol] = []
    for _, each in ranked:
        if snapshot.head_of(each)[1] not in _SHOWN_KINDS:
            continue
        symbol = snapshot.symbol_of(each)
        if symbol is not None and not _is_private(symbol):
            chosen.append(symbol)
        if len(chosen) == _SYMBOLS_PER_FILE:
            break
    return sorted(chosen, key=lambda symbol: (symbol.start_line, symbol.id))


def _is_private(symbol: Symbol) -> bool:
    return symbol.name.startswith(("_", "<"))


def _headline(symbol: Symbol) -> str:
    inside = symbol.id.partition("::")[2].rpartition(".")[0]
    where = f"{inside}." if inside else ""
    text = symbol.signature or f"{symbol.kind.label} {symbol.name}"
    return f"{symbol.start_line}: {where}{' '.join(text.split())[:_SIGNATURE_BYTES]}"
