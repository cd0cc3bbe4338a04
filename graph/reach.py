"""The part of the graph around one node, walked in node numbers: names are read for what is shown.

Plain breadth-first search over stored links. A hub has thousands of them, of which an answer shows a
hundred: an edge is named, and a row decoded, only where somebody looks.
"""

from collections import deque
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

from agrama.graph import keys
from agrama.graph.format import CONFIDENCE_SCALE, EDGE
from agrama.graph.model import EDGE_KINDS, EXTERNAL_PREFIX, RESOLUTIONS, EdgeKind
from agrama.graph.snapshot import Edge, Snapshot

_TESTS = int(EdgeKind.TESTS)


class Step(NamedTuple):
    """A stored edge: the numbers of its ends, and of the file its evidence is in."""

    source: int
    target: int
    kind: int
    resolution: int
    confidence: int  # in 1/10000
    line: int
    column: int
    file: int


@dataclass(slots=True)
class Reach:
    """Nodes with their distance from the root, the edges walked, and tests of what was walked through."""

    snapshot: Snapshot
    nodes: dict[int, int] = field(default_factory=dict)
    steps: set[Step] = field(default_factory=set)
    tests: set[int] = field(default_factory=set)
    truncated: bool = False  # there was no room for more nodes, and the walk ended there

    @property
    def distances(self) -> dict[str, int]:
        """The same by name."""
        return {self.snapshot.id_of(node): distance for node, distance in self.nodes.items()}

    @property
    def edges(self) -> list[Edge]:
        """Every edge with its ends and evidence named, by place."""
        return [name_step(self.snapshot, step) for step in order_steps(self.snapshot, self.steps)]


class Walker:
    """One question's settings."""

    def __init__(
        self,
        snapshot: Snapshot,
        kinds: Collection[int],
        *,
        floor: int = CONFIDENCE_SCALE // 2,
        include_external: bool = False,
        whole_files: bool = False,
    ) -> None:
        self._snapshot = snapshot
        self._kinds = frozenset(int(kind) for kind in kinds)
        self._floor = floor
        self._external = include_external
        self._whole_files = whole_files
        self._files: dict[int, int] = {}

    def walk(self, database: str, root: int, max_depth: int, max_nodes: int, reach: Reach) -> None:
        """Add what is within so many steps; together with what was found before, at most so many nodes."""
        distances = {root: 0}
        pending = deque([root])
        room = max_nodes - len(reach.nodes)
        while pending:
            node = pending.popleft()
            distance = distances[node] + 1
            if distance > max_depth:
                break
            for near, other, *evidence in self._links(database, node, reach.tests):
                far = self._file_of(other) if self._whole_files else other
                if far not in distances:
                    if self._is_left_out(far):
                        continue
                    if len(distances) >= room:
                        reach.truncated = True
                        pending.clear()
                        break
                    distances[far] = distance
                    pending.append(far)
                ends = (near, other) if database == keys.OUT else (other, near)
                reach.steps.add(Step(*ends, *evidence))
        for node, distance in distances.items():
            reach.nodes[node] = min(distance, reach.nodes.get(node, distance))

    def steps_out(self, node: int) -> Iterator[Step]:
        """Sure edges that start at a node, or at any symbol of a file and lead out of it."""
        return map(Step._make, self._links(keys.OUT, node, set()))

    def _links(self, database: str, node: int, tests: set[int]) -> Iterator[tuple[int, ...]]:
        """The near end, the far end, and the rest of a step; tests met on the way are noted."""
        row = self._snapshot.file_row(node) if self._whole_files else None
        kinds, floor = self._kinds, self._floor
        for near in (node,) if row is None else row.symbols:
            for key, value in self._snapshot.reader.scan(database, keys.node_key(near)):
                file = keys.read_node(key[4:])
                for kind, resolution, sure, far, line, column in EDGE.iter_unpack(value):
                    if kind not in kinds or sure < floor:
                        if kind == _TESTS and database == keys.IN:
                            tests.add(far)
                        continue
                    if row is None or self._file_of(far) != node:
                        yield near, far, kind, resolution, sure, line, column, file

    def _file_of(self, node: int) -> int:
        """The file that holds a symbol; a node that lies in none stands for itself."""
        file = self._files.get(node)
        if file is None:
            path, inside, _ = self._snapshot.id_of(node).partition("::")
            found = self._snapshot.node(path) if inside else node
            file = self._files[node] = node if found is None else found
        return file

    def _is_left_out(self, node: int) -> bool:
        return not self._external and self._snapshot.id_of(node).startswith(EXTERNAL_PREFIX)


def order_steps(snapshot: Snapshot, steps: Iterable[Step]) -> list[Step]:
    """By place, then by what they connect: the same order in every build."""
    name = snapshot.id_of

    def place(step: Step) -> tuple[object, ...]:
        ends = name(step.source), name(step.target)
        return name(step.file), step.line, step.column, step.kind, *ends

    return sorted(steps, key=place)


def name_step(snapshot: Snapshot, step: Step) -> Edge:
    return Edge(
        EDGE_KINDS[step.kind],
        snapshot.id_of(step.source),
        snapshot.id_of(step.target),
        snapshot.id_of(step.file),
        step.line,
        step.column,
        RESOLUTIONS[step.resolution],
        step.confidence / CONFIDENCE_SCALE,
    )


def find_file_pairs(snapshot: Snapshot, steps: Iterable[Step]) -> set[tuple[str, str]]:
    """Which file needs which other one by these edges."""
    files: dict[int, str] = {}

    def read(node: int) -> str:
        file = files.get(node)
        if file is None:
            file = files[node] = snapshot.id_of(node).partition("::")[0]
        return file

    return {(read(step.source), read(step.target)) for step in steps}
