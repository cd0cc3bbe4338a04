"""Walks along edges: what something depends on, what depends on it, how two things are connected.

Plain breadth-first search over stored links; at the sizes of code graphs it takes well under a
millisecond per hundred nodes, and needs no memory between requests.
"""

from collections import deque
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass, field

from agrama.graph import keys
from agrama.graph.format import CONFIDENCE_SCALE
from agrama.graph.model import EXTERNAL_PREFIX, EdgeKind
from agrama.graph.snapshot import Edge, Link, Snapshot

FORWARD = "forward"
REVERSE = "reverse"
BOTH = "both"

# Edges that make one thing depend on another; containment and tests do not.
USES = frozenset(
    (
        EdgeKind.IMPORTS,
        EdgeKind.CALLS,
        EdgeKind.INHERITS,
        EdgeKind.IMPLEMENTS,
        EdgeKind.OVERRIDES,
        EdgeKind.REFERENCES,
        EdgeKind.HANDLES,
    )
)
_SURE = CONFIDENCE_SCALE // 2  # weaker edges are candidates, not claims


@dataclass(slots=True)
class Reach:
    """Part of the graph around a root: ids with their distance, and the edges walked."""

    root: str
    distances: dict[str, int] = field(default_factory=dict)
    edges: list[Edge] = field(default_factory=list)
    truncated: bool = False


def find_dependencies(
    snapshot: Snapshot,
    root: str,
    *,
    direction: str = BOTH,
    max_depth: int = 3,
    kinds: Collection[int] = USES,
    include_external: bool = False,
    max_nodes: int = 1_000,
    min_confidence: float = 0.5,
) -> Reach:
    """What is within `max_depth` edges of a symbol; a file stands for everything in it."""
    reach = Reach(root)
    start = snapshot.node(root)
    if start is None:
        return reach
    floor = round(min_confidence * CONFIDENCE_SCALE)
    walker = _Walker(snapshot, kinds, floor, include_external=include_external)
    for database in _databases(direction):
        walker.walk(database, root, max_depth, max_nodes, reach)
    reach.edges = sorted(set(reach.edges), key=_edge_order)
    return reach


class _Walker:
    """One question's settings."""

    def __init__(
        self, snapshot: Snapshot, kinds: Collection[int], floor: int, *, include_external: bool
    ) -> None:
        self._snapshot = snapshot
        self._kinds = frozenset(int(kind) for kind in kinds)
        self._floor = floor
        self._external = include_external

    def walk(self, database: str, root: str, max_depth: int, max_nodes: int, reach: Reach) -> None:
        whole_files = "::" not in root
        distances = {root: 0}
        pending = deque([root])
        while pending:
            name = pending.popleft()
            if distances[name] >= max_depth:
                continue
            for edge in self.edges(database, name, whole_files=whole_files):
                far = edge.target if database == keys.OUT else edge.source
                far = _file_of(far) if whole_files else far
                if far not in distances:
                    if len(distances) + len(reach.distances) >= max_nodes:
                        reach.truncated = True
                        continue
                    distances[far] = distances[name] + 1
                    pending.append(far)
                reach.edges.append(edge)
        for name, distance in distances.items():
            reach.distances[name] = min(distance, reach.distances.get(name, distance))

    def edges(self, database: str, name: str, *, whole_files: bool) -> Iterator[Edge]:
        """Edges at a symbol, or at any symbol of a file that lead out of it."""
        node = self._snapshot.node(name)
        if node is None:
            return
        row = self._snapshot.file_row(node) if whole_files else None
        nodes = (node,) if row is None else row.symbols
        for near in nodes:
            for link in self._snapshot.links(database, near, self._kinds):
                far = self._snapshot.id_of(link.other)
                if link.confidence < self._floor:
                    continue
                if not self._external and far.startswith(EXTERNAL_PREFIX):
                    continue
                if whole_files and _file_of(far) == name:
                    continue
                yield _make_edge(self._snapshot, database, self._snapshot.id_of(near), far, link)


def find_path(
    snapshot: Snapshot,
    start: str,
    goal: str,
    *,
    kinds: Collection[int] = USES,
    max_nodes: int = 50_000,
) -> list[Edge]:
    """The shortest chain of edges from one symbol to another; empty when there is none."""
    first, last = snapshot.node(start), snapshot.node(goal)
    if first is None or last is None or first == last:
        return []
    came: dict[int, tuple[int, Link]] = {}
    pending = deque([first])
    while pending and len(came) < max_nodes:
        node = pending.popleft()
        for link in sorted(snapshot.links(keys.OUT, node, kinds)):
            if link.other == first or link.other in came or link.confidence < _SURE:
                continue
            came[link.other] = node, link
            if link.other == last:
                return _trace(snapshot, came, first, last)
            pending.append(link.other)
    return []


def _trace(
    snapshot: Snapshot, came: dict[int, tuple[int, Link]], first: int, last: int
) -> list[Edge]:
    chain = []
    node = last
    while node != first:
        before, link = came[node]
        ends = snapshot.id_of(before), snapshot.id_of(node)
        chain.append(_make_edge(snapshot, keys.OUT, *ends, link))
        node = before
    return chain[::-1]


def find_cycles(
    snapshot: Snapshot,
    *,
    kinds: Collection[int] = (EdgeKind.IMPORTS,),
    among: Collection[str] | None = None,
) -> list[list[str]]:
    """Groups of files that import one another, directly or not; the largest first."""
    arrows: dict[str, list[str]] = {}
    for key, _ in snapshot.reader.scan(keys.FILES):
        name = snapshot.id_of(keys.read_node(key))
        if among is None or name in among:
            arrows[name] = []
    walker = _Walker(snapshot, kinds, _SURE, include_external=False)
    for name, ends in arrows.items():
        found = {_file_of(x.target) for x in walker.edges(keys.OUT, name, whole_files=True)}
        ends.extend(sorted(end for end in found if end in arrows))
    groups = strong_components(sorted(arrows), lambda name: arrows[name])
    found_groups = [sorted(group) for group in groups if len(group) > 1]
    return sorted(found_groups, key=lambda group: (-len(group), group))


def cycles_among(edges: Collection[Edge]) -> list[list[str]]:
    """Groups of files that need one another by these edges alone."""
    arrows: dict[str, set[str]] = {}
    for edge in edges:
        source, target = _file_of(edge.source), _file_of(edge.target)
        arrows.setdefault(source, set()).add(target)
        arrows.setdefault(target, set())
    groups = strong_components(sorted(arrows), lambda name: sorted(arrows[name]))
    return sorted(sorted(group) for group in groups if len(group) > 1)


def cycles_through(
    snapshot: Snapshot, path: str, *, kinds: Collection[int] = (EdgeKind.IMPORTS,)
) -> list[list[str]]:
    """The group of files that import one another and hold this one, if there is one."""
    limit = snapshot.reader.count(keys.FILES) + 1
    reach = find_dependencies(
        snapshot, path, direction=FORWARD, max_depth=limit, kinds=kinds, max_nodes=limit
    )
    return [group for group in cycles_among(reach.edges) if path in group]


def strong_components(
    names: Collection[str], after: Callable[[str], Collection[str]]
) -> list[list[str]]:
    """Tarjan's algorithm without recursion: chains of imports are longer than Python's stack."""
    index: dict[str, int] = {}
    low: dict[str, int] = {}
    open_names: set[str] = set()
    stack: list[str] = []
    groups: list[list[str]] = []
    for root in names:
        if root in index:
            continue
        work = [(root, iter(after(root)))]
        index[root] = low[root] = len(index)
        stack.append(root)
        open_names.add(root)
        while work:
            name, ends = work[-1]
            fresh = next((end for end in ends if end not in index or end in open_names), None)
            if fresh is None:
                work.pop()
                if work:
                    low[work[-1][0]] = min(low[work[-1][0]], low[name])
                if low[name] == index[name]:
                    groups.append(_pop_group(name, stack, open_names))
            elif fresh in index:
                low[name] = min(low[name], index[fresh])
            else:
                index[fresh] = low[fresh] = len(index)
                stack.append(fresh)
                open_names.add(fresh)
                work.append((fresh, iter(after(fresh))))
    return groups


def _pop_group(name: str, stack: list[str], open_names: set[str]) -> list[str]:
    group = []
    while True:
        last = stack.pop()
        open_names.discard(last)
        group.append(last)
        if last == name:
            return group


def find_tests(snapshot: Snapshot, symbols: Collection[str]) -> list[str]:
    """Tests that exercise any of the symbols, or are among them."""
    found: set[str] = set()
    for name in symbols:
        found.update(edge.source for edge in snapshot.incoming(name, (EdgeKind.TESTS,)))
        if snapshot.outgoing(name, (EdgeKind.TESTS,)):
            found.add(name)
    return sorted(found)


def _databases(direction: str) -> tuple[str, ...]:
    return {FORWARD: (keys.OUT,), REVERSE: (keys.IN,)}.get(direction, (keys.OUT, keys.IN))


def _file_of(symbol_id: str) -> str:
    return symbol_id.partition("::")[0]


def _make_edge(snapshot: Snapshot, database: str, near: str, far: str, link: Link) -> Edge:
    return (
        snapshot.edge(link, near, far) if database == keys.OUT else snapshot.edge(link, far, near)
    )


def _edge_order(edge: Edge) -> tuple[object, ...]:
    return edge.path, edge.line, edge.column, edge.kind, edge.source, edge.target
