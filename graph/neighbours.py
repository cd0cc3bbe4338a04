"""What some symbols need and who needs them: edges of one kind, folded to one row per far end."""

from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import NamedTuple

from agrama.graph import keys
from agrama.graph.format import EDGE
from agrama.graph.snapshot import Snapshot

_GAP = 8  # stepping over the rows of so many nodes is quicker than looking a node up


class Neighbour(NamedTuple):
    """A far end: its first edge as stored and where that lies, how many there are, how many steps away."""

    node: int
    first: tuple[int, ...]
    file: int
    edges: int
    distance: int


_Folded = dict[int, tuple[tuple[int, ...], int]]  # far end -> its first edge, the file it lies in


def find_neighbours(
    snapshot: Snapshot,
    database: str,
    nodes: Iterable[int],
    kinds: Collection[int],
    *,
    outside: Collection[int],
    depth: int = 1,
) -> dict[int, list[Neighbour]]:
    """By kind: the far ends of the edges at some nodes, `keys.OUT` or `keys.IN`.

    The nearest come first, then the surest, then those with most edges. Nodes in `outside` are passed
    over: what lies in the same file is no neighbour. Names are left to whoever shows them.
    """
    if depth > 1 and len(kinds) > 1:
        start = list(nodes)
        found: dict[int, list[Neighbour]] = {}
        for kind in kinds:
            found |= find_neighbours(
                snapshot, database, start, (kind,), outside=outside, depth=depth
            )
        return found
    rows: dict[int, list[Neighbour]] = {kind: [] for kind in kinds}
    seen = set(outside)
    for distance in range(1, depth + 1):
        step = _fold(snapshot, database, nodes, kinds, seen)
        nodes = []
        for kind, (first, counts) in step.items():
            rows[kind] += [
                Neighbour(node, record, file, counts[node], distance)
                for node, (record, file) in first.items()
            ]
            seen.update(first)
            nodes += first
    for each in rows.values():
        each.sort(key=_order)
    return rows


def _fold(
    snapshot: Snapshot,
    database: str,
    nodes: Iterable[int],
    kinds: Collection[int],
    seen: Collection[int],
) -> dict[int, tuple[_Folded, dict[int, int]]]:
    """By kind and far end: the first edge with the file of its evidence, and how many there are."""
    folded: dict[int, tuple[_Folded, dict[int, int]]] = {kind: ({}, {}) for kind in kinds}
    unpack = EDGE.iter_unpack
    wanted = frozenset(nodes)
    for start, end in _runs(sorted(wanted)):
        rows = snapshot.reader.scan_between(database, keys.node_key(start), keys.node_key(end))
        for key, value in rows:
            node, file = keys.read_pair(key)
            if node not in wanted:
                continue
            for record in unpack(value):
                if record[0] in folded and (other := record[3]) not in seen:
                    first, counts = folded[record[0]]
                    if other in counts:
                        counts[other] += 1
                    else:
                        counts[other] = 1
                        first[other] = record, file
    return folded


def _runs(nodes: Sequence[int]) -> Iterator[tuple[int, int]]:
    """Stretches of numbers that lie close together, as those of one file do."""
    if not nodes:
        return
    start = end = nodes[0]
    for node in nodes[1:]:
        if node > end + _GAP:
            yield start, end
            start = node
        end = node
    yield start, end


def _order(row: Neighbour) -> tuple[int, int, int, int]:
    return row.distance, -row.first[2], -row.edges, row.node
