"""What some symbols need and who needs them: edges of one kind, folded to one row per far end."""

from bisect import bisect_right
from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import accumulate
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

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


_Evidence = tuple[tuple[int, ...], int]  # an edge, and the file it lies in


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
            rows[kind] += sorted(
                (Neighbour(at[3], at, file, counts[at[3]], distance) for at, file in first),
                key=_order,
            )
            seen.update(counts)
            nodes += counts
    return rows


def _fold(
    snapshot: Snapshot,
    database: str,
    nodes: Iterable[int],
    kinds: Collection[int],
    seen: Collection[int],
) -> dict[int, tuple[list[_Evidence], dict[int, int]]]:
    """By kind: the first edge to each far end with the file it lies in, and how many there are."""
    folded: dict[int, tuple[list[_Evidence], dict[int, int]]] = {kind: ([], {}) for kind in kinds}
    values, files = _read_rows(snapshot, database, nodes)
    data = b"".join(values)
    ends = list(accumulate(map(len, values)))
    # Most edges are of other kinds, or end in the same file: told apart all at once.
    columns = np.frombuffer(data, "<u4").reshape(-1, EDGE.size // 4)
    edge_kinds, others = columns[:, 0] & 0xFF, columns[:, 1]
    chosen = np.logical_or.reduce([edge_kinds == kind for kind in kinds])
    places = np.flatnonzero(chosen & ~_contains(seen, others))
    found = zip(places.tolist(), edge_kinds[places].tolist(), others[places].tolist(), strict=True)
    for place, kind, other in found:
        first, counts = folded[kind]
        if other in counts:
            counts[other] += 1
        else:
            counts[other] = 1
            at = place * EDGE.size
            first.append((EDGE.unpack_from(data, at), files[bisect_right(ends, at)]))
    return folded


def _read_rows(
    snapshot: Snapshot, database: str, nodes: Iterable[int]
) -> tuple[list[memoryview], list[int]]:
    """The stored edges at some nodes, a value for each file they lie in, and these files."""
    wanted = frozenset(nodes)
    values: list[memoryview] = []
    files: list[int] = []
    read_pair, scan = keys.read_pair, snapshot.reader.scan
    for start, end in _runs(sorted(wanted)):
        for key, value in scan(database, start=keys.node_key(start)):
            node, file = read_pair(key)
            if node in wanted:
                values.append(value)
                files.append(file)
            elif node > end:
                break
    return values, files


def _contains(some: Collection[int], nodes: npt.NDArray[np.uint32]) -> npt.NDArray[np.bool_]:
    """Which nodes are among some: by a table of all numbers, quicker than a search for each."""
    table = np.zeros(int(nodes.max(initial=0)) + 1, np.bool_)
    known = np.fromiter(some, np.intp, len(some))
    table[known[known < len(table)]] = True
    found: npt.NDArray[np.bool_] = table[nodes]
    return found


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


def _order(row: Neighbour) -> tuple[int, int, int]:
    return -row.first[2], -row.edges, row.node
