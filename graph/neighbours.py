"""What some symbols need and who needs them: edges of one kind, folded to one row per far end."""

from collections.abc import Collection, Iterable
from typing import NamedTuple

from agrama.graph import keys
from agrama.graph.format import EDGE
from agrama.graph.snapshot import Snapshot


class Neighbour(NamedTuple):
    """A far end: its first edge as stored and where that lies, how many there are, how many steps away."""

    node: int
    first: tuple[int, ...]
    file: int
    edges: int
    distance: int


def find_neighbours(
    snapshot: Snapshot,
    database: str,
    nodes: Iterable[int],
    kind: int,
    *,
    outside: Collection[int],
    depth: int = 1,
) -> list[Neighbour]:
    """Far ends of edges of a kind at some nodes, `keys.OUT` or `keys.IN`.

    The nearest come first, then the surest, then those with most edges. Nodes in `outside` are passed
    over: what lies in the same file is no neighbour. Names are left to whoever shows them.
    """
    found: list[Neighbour] = []
    seen = set(outside)
    for distance in range(1, depth + 1):
        first, counts = _fold(snapshot, database, nodes, kind, seen)
        found += [
            Neighbour(node, record, file, counts[node], distance)
            for node, (record, file) in first.items()
        ]
        seen.update(first)
        nodes = first
    found.sort(key=_order)
    return found


def _fold(
    snapshot: Snapshot, database: str, nodes: Iterable[int], kind: int, seen: Collection[int]
) -> tuple[dict[int, tuple[tuple[int, ...], int]], dict[int, int]]:
    """By far end: the first edge with the file of its evidence, and how many there are."""
    first: dict[int, tuple[tuple[int, ...], int]] = {}
    counts: dict[int, int] = {}
    unpack, read_pair = EDGE.iter_unpack, keys.read_pair
    for key, value in snapshot.reader.scan_each(database, map(keys.node_key, nodes)):
        for record in unpack(value):
            other = record[3]
            if record[0] != kind or other in seen:
                continue
            if other in counts:
                counts[other] += 1
            else:
                counts[other] = 1
                first[other] = record, read_pair(key)[1]
    return first, counts


def _order(row: Neighbour) -> tuple[int, int, int, int]:
    return row.distance, -row.first[2], -row.edges, row.node
