"""What some symbols need and who needs them: edges of one kind, folded to one row per far end."""

from bisect import bisect_right
from collections.abc import Collection, Iterable, Iterator, Sequence
from functools import partial
from itertools import accumulate, product
from typing import NamedTuple, TypeAlias, overload

import numpy as np
import numpy.typing as npt

from agrama.graph import keys
from agrama.graph.format import EDGE, KINDS
from agrama.graph.snapshot import Snapshot

_GAP = 8  # stepping over the rows of so many nodes is quicker than looking a node up
End: TypeAlias = tuple[str, int]  # a database and a kind of edge
_Numbers = npt.NDArray[np.uint32]
_Wide = npt.NDArray[np.int64]


class Neighbour(NamedTuple):
    """A far end: its first edge as stored and where that lies, how many there are, how many steps away."""

    node: int
    first: tuple[int, ...]
    file: int
    edges: int
    distance: int


# A named tuple's own constructor is a Python function: twice the time, for every far end.
_make = partial(tuple.__new__, Neighbour)


class _Rows(NamedTuple):
    """The stored edges at some nodes, one after the other, and the files they lie in."""

    data: bytes
    ends: list[int]  # of the edges of one file, in bytes
    files: list[int]


class Neighbours(Sequence[Neighbour]):
    """Far ends in order, each made when somebody looks at it: most of many are never shown."""

    def __init__(self, rows: _Rows, places: list[int], counts: list[int], distance: int) -> None:
        self._rows = rows
        self._places = places  # of the first edge to each
        self._counts = counts
        self._distance = distance

    def __len__(self) -> int:
        return len(self._places)

    @overload
    def __getitem__(self, at: int) -> Neighbour: ...
    @overload
    def __getitem__(self, at: slice) -> list[Neighbour]: ...
    def __getitem__(self, at: int | slice) -> Neighbour | list[Neighbour]:
        if isinstance(at, slice):
            return [self[each] for each in range(*at.indices(len(self)))]
        data, ends, files = self._rows
        start = self._places[at] * EDGE.size
        first = EDGE.unpack_from(data, start)
        file = files[bisect_right(ends, start)]
        return _make((first[3], first, file, self._counts[at], self._distance))


def find_neighbours(
    snapshot: Snapshot,
    databases: Sequence[str],
    nodes: Iterable[int],
    kinds: Sequence[int],
    *,
    outside: Collection[int],
    depth: int = 1,
) -> dict[End, Sequence[Neighbour]]:
    """The far ends of the edges at some nodes: by database, `keys.OUT` or `keys.IN`, and kind of edge.

    The nearest come first, then the surest, then those with most edges. Nodes in `outside` are passed
    over: what lies in the same file is no neighbour. Names are left to whoever shows them.
    """
    start = list(nodes)
    if depth == 1:  # one walk for all
        step = _fold(snapshot, databases, start, kinds, outside, 1)
        return {end: found for end, (found, _) in step.items()}
    rows: dict[End, Sequence[Neighbour]] = {}
    for database, kind in product(databases, kinds):
        nodes, seen = start, set(outside)
        steps: list[Neighbour] = []
        for distance in range(1, depth + 1):
            step = _fold(snapshot, (database,), nodes, (kind,), seen, distance)
            found, nodes = step[database, kind]
            steps += found
            seen.update(nodes)
        rows[database, kind] = steps
    return rows


def _fold(
    snapshot: Snapshot,
    databases: Sequence[str],
    nodes: Iterable[int],
    kinds: Sequence[int],
    seen: Collection[int],
    distance: int,
) -> dict[End, tuple[Neighbours, list[int]]]:
    """The far ends of the edges at some nodes, and their nodes."""
    rows, sizes = _read_rows(snapshot, databases, frozenset(nodes))
    # Most edges are of other kinds, or end in the same file: told apart all at once.
    columns = np.frombuffer(rows.data, "<u4").reshape(-1, EDGE.size // 4)
    heads, others = columns[:, 0], columns[:, 1]
    groups = (heads & 0xFF).astype(np.int64)
    wanted = np.zeros(256, np.bool_)
    wanted[list(kinds)] = True
    chosen = wanted[groups] & ~_contains(seen, others)
    for size in sizes[:-1]:  # the same kind in the next database is a group of its own
        groups[size:] += KINDS
    places = chosen.nonzero()[0]
    ends, first, counts = _fold_ends(groups[places] << 32 | others[places])
    places = places[first]
    # By group; then the surest first, then those with most edges, then by number.
    order = np.lexsort((ends, -counts, -(heads[places] >> 16).astype(np.int32), ends >> 32))
    ends = ends[order]
    cuts = np.searchsorted(ends >> 32, np.arange(len(sizes) * KINDS + 1)).tolist()
    far, found, edges = (ends & 0xFFFFFFFF).tolist(), places[order].tolist(), counts[order].tolist()
    folded = {}
    for at, database in enumerate(databases):
        for kind in kinds:
            start, end = cuts[at * KINDS + kind], cuts[at * KINDS + kind + 1]
            neighbours = Neighbours(rows, found[start:end], edges[start:end], distance)
            folded[database, kind] = neighbours, far[start:end]
    return folded


def _fold_ends(ends: _Wide) -> tuple[_Wide, _Wide, _Wide]:
    """The distinct ones among some numbers, where each stands first, and how often it is there."""
    order = ends.argsort(kind="stable")
    ordered = ends[order]
    begins = np.ones(len(ends), np.bool_)
    np.not_equal(ordered[1:], ordered[:-1], out=begins[1:])
    starts = begins.nonzero()[0]
    counts = np.empty(len(starts), np.int64)
    counts[:-1] = starts[1:] - starts[:-1]
    counts[-1:] = len(ends) - starts[-1:]
    return ordered[starts], order[starts], counts


def _read_rows(
    snapshot: Snapshot, databases: Iterable[str], wanted: frozenset[int]
) -> tuple[_Rows, list[int]]:
    """The edges at some nodes, and how many there are up to the end of each database."""
    values: list[memoryview] = []
    files: list[int] = []
    counts: list[int] = []
    runs = list(_runs(sorted(wanted)))
    for database in databases:
        for start, end in runs:
            found, edges = snapshot.reader.read_between(
                database, keys.node_key(start), keys.node_key(end + 1)
            )
            pairs = np.frombuffer(b"".join(found), ">u4").tolist()
            for node, file, value in zip(pairs[::2], pairs[1::2], edges, strict=True):
                if node in wanted:
                    values.append(value)
                    files.append(file)
        counts.append(len(values))
    ends = list(accumulate(map(len, values)))
    sizes = [ends[count - 1] // EDGE.size if count else 0 for count in counts]
    return _Rows(b"".join(values), ends, files), sizes


def _contains(some: Collection[int], nodes: _Numbers) -> npt.NDArray[np.bool_]:
    """Which nodes are among some: by a table of all numbers, quicker than a search for each."""
    found: npt.NDArray[np.bool_]
    lowest, highest = min(some, default=1), max(some, default=0)
    if highest - lowest + 1 == len(some):  # as the nodes of a file are until it changes
        found = (nodes >= lowest) & (nodes <= highest)
        return found
    table = np.zeros(int(nodes.max(initial=0)) + 1, np.bool_)
    known = np.fromiter(some, np.intp, len(some))
    table[known[known < len(table)]] = True
    found = table[nodes]
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
