"""Walks along edges: what something depends on, what depends on it, how two things are connected.

Plain breadth-first search (`graph/reach.py`): it needs no memory between requests.
"""

from collections import deque
from collections.abc import Callable, Collection, Iterable

from agrama.graph import keys
from agrama.graph.format import CONFIDENCE_SCALE
from agrama.graph.model import EdgeKind
from agrama.graph.reach import Reach, Walker, find_file_pairs
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
    reach = Reach(snapshot)
    start = snapshot.node(root)
    if start is None:
        return reach
    walker = Walker(
        snapshot,
        kinds,
        floor=round(min_confidence * CONFIDENCE_SCALE),
        include_external=include_external,
        whole_files="::" not in root,
    )
    for database in _databases(direction):
        walker.walk(database, start, max_depth, max_nodes, reach)
    return reach


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
        chain.append(snapshot.edge(link, *ends))
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
    nodes: dict[str, int] = {}
    for key, _ in snapshot.reader.scan(keys.FILES):
        node = keys.read_node(key)
        name = snapshot.id_of(node)
        if among is None or name in among:
            arrows[name], nodes[name] = [], node
    walker = Walker(snapshot, kinds, whole_files=True)
    for name, ends in arrows.items():
        pairs = find_file_pairs(snapshot, walker.steps_out(nodes[name]))
        ends.extend(sorted({end for _, end in pairs if end in arrows}))
    groups = strong_components(sorted(arrows), lambda name: arrows[name])
    found_groups = [sorted(group) for group in groups if len(group) > 1]
    return sorted(found_groups, key=lambda group: (-len(group), group))


def cycles_among(pairs: Iterable[tuple[str, str]]) -> list[list[str]]:
    """Groups of files of which each needs the others, by these pairs alone."""
    arrows: dict[str, set[str]] = {}
    for source, target in pairs:
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
    return [
        group for group in cycles_among(find_file_pairs(snapshot, reach.steps)) if path in group
    ]


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


def _databases(direction: str) -> tuple[str, ...]:
    return {FORWARD: (keys.OUT,), REVERSE: (keys.IN,)}.get(direction, (keys.OUT, keys.IN))
