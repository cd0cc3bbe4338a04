"""What a change reaches: the symbols it touches, what depends on them, and the tests to run.

Two kinds of evidence rank tests. The graph says which tests reach the changed code, and how directly;
words say which tests speak of what the change speaks of, also where a test reaches the code through
something no static analysis follows. Each kind alone misses tests the other finds.
"""

from collections import deque
from collections.abc import Collection, Iterable, Sequence
from math import log2
from typing import NamedTuple

from agrama.graph import keys
from agrama.graph.format import CONFIDENCE_SCALE, EDGE
from agrama.graph.mentions import Spoken, find_spoken, is_test_id
from agrama.graph.model import EdgeKind, Kind
from agrama.graph.reach import Reach
from agrama.graph.snapshot import Snapshot

# Followed against their direction: who calls a changed thing may behave differently.
_REACHES = frozenset(
    int(kind)
    for kind in (
        EdgeKind.CALLS,
        EdgeKind.INHERITS,
        EdgeKind.IMPLEMENTS,
        EdgeKind.OVERRIDES,
        EdgeKind.REFERENCES,
        EdgeKind.TESTS,
        EdgeKind.HANDLES,
    )
)
_OVERRIDES = int(EdgeKind.OVERRIDES)
_SURE = CONFIDENCE_SCALE // 2
_FADE = 0.6  # how much of a change is left one step further
# Of 80 commits of flask and requests; the optimum is flat: half or twice of each loses a commit or two.
_HEAT_WEIGHT = 0.2
_TEXT_WEIGHT = 0.6
_NAME_WEIGHT = 0.2


class Affected(NamedTuple):
    """Something a change can reach: how far it is, the step it is reached through, how strongly."""

    symbol: str
    distance: int
    via: str
    heat: float
    kind: int


class TestToRun(NamedTuple):
    """A test with what connects it to the change: the graph, words, or both."""

    symbol: str
    score: float
    near: Affected | None
    spoken: Spoken | None

    @property
    def distance(self) -> int | None:
        """Steps from the change; None when only words connect them."""
        return self.near.distance if self.near else None

    @property
    def reason(self) -> str:
        """Why it is worth running."""
        parts = []
        if self.near is not None:
            steps = "step" if self.near.distance == 1 else "steps"
            parts.append(
                f"reaches the change in {self.near.distance} {steps}, through {self.near.via}"
            )
        if self.spoken is not None:
            parts.append("is named after it" if self.spoken.name else "speaks of the same names")
        return "; ".join(parts)


def symbols_at(snapshot: Snapshot, path: str, ranges: Iterable[tuple[int, int]]) -> list[str]:
    """The innermost symbols that hold changed lines; the file itself for lines in none."""
    symbols = [symbol for symbol in snapshot.symbols_in(path) if symbol.kind is not Kind.FILE]
    if snapshot.node(path) is None:
        return []
    found: dict[str, None] = {}
    for first, last in ranges:
        for line in range(first, last + 1):
            holders = [each for each in symbols if each.body_line <= line <= each.end_line]
            inner = min(
                holders, key=lambda each: (each.end_line - each.body_line, each.id), default=None
            )
            found[path if inner is None else inner.id] = None
    return list(found)


def find_affected(
    snapshot: Snapshot, changed: Collection[str], *, max_depth: int = 5, max_nodes: int = 20_000
) -> list[Affected]:
    """What depends on the changed symbols, the nearest and most strongly tied first."""
    heat: dict[int, float] = {}
    reached: dict[int, tuple[int, int]] = {}  # node -> distance, node it was reached through
    pending: deque[int] = deque()
    for name in changed:
        node = snapshot.node(name)
        if node is not None and node not in heat:
            heat[node], reached[node] = 1.0, (0, node)
            pending.append(node)
    roots = frozenset(heat)
    while pending and len(reached) < max_nodes:
        node = pending.popleft()
        distance = reached[node][0]
        if distance >= max_depth or (node not in roots and _passes_nothing_on(snapshot, node)):
            continue
        steps = _steps(snapshot, node)
        share = heat[node] * _FADE / (1 + log2(1 + len(steps)) / 4)
        for other, confidence in steps.items():
            warmth = share * confidence / CONFIDENCE_SCALE
            if other not in reached:
                reached[other] = distance + 1, node
                heat[other] = warmth
                pending.append(other)
            elif other not in roots and reached[other][0] == distance + 1:
                heat[other] = 1 - (1 - heat[other]) * (1 - warmth)
    found = []
    for node, (distance, via) in reached.items():
        if node not in roots:
            name, kind = snapshot.head_of(node)
            found.append(Affected(name, distance, snapshot.id_of(via), heat[node], kind))
    found.sort(key=lambda each: (each.distance, -each.heat, each.symbol))
    return found


def rank_tests(
    snapshot: Snapshot,
    changed: Sequence[str],
    affected: Iterable[Affected],
    words: Sequence[str] = (),
) -> list[TestToRun]:
    """Every test the change reaches or is spoken of in, the most telling first."""
    by_graph = {each.symbol: each for each in affected if is_test_id(each.symbol, each.kind)}
    hottest = max((each.heat for each in by_graph.values()), default=1.0)
    by_words = find_spoken(snapshot, words, changed)
    ranked = []
    for name in by_graph.keys() | by_words.keys():
        near, spoken = by_graph.get(name), by_words.get(name)
        score = _HEAT_WEIGHT * near.heat / hottest if near else 0.0
        if spoken:
            score += _TEXT_WEIGHT * spoken.text + _NAME_WEIGHT * spoken.name
        ranked.append(TestToRun(name, round(score, 4), near, spoken))
    ranked.sort(key=lambda test: (-test.score, test.symbol))
    return ranked


def is_test(snapshot: Snapshot, symbol_id: str) -> bool:
    """Tell whether a symbol is something a test runner runs."""
    node = snapshot.node(symbol_id)
    return node is not None and is_test_id(*snapshot.head_of(node))


def find_tests(reach: Reach) -> list[str]:
    """Tests that were reached, and those that exercise what was walked through."""
    head_of = reach.snapshot.head_of
    reached = {node for node in reach.nodes if is_test_id(*head_of(node))}
    return sorted(head_of(node)[0] for node in reached | reach.tests)


def _passes_nothing_on(snapshot: Snapshot, node: int) -> bool:
    """A file that only mentions a name does not hand a change on, nor does a test."""
    name, kind = snapshot.head_of(node)
    return kind == Kind.FILE or is_test_id(name, kind)


def _steps(snapshot: Snapshot, node: int) -> dict[int, int]:
    """Nodes that a change of this one reaches next, with the surest edge to each."""
    steps: dict[int, int] = {}
    key = keys.node_key(node)
    for _, value in snapshot.reader.scan(keys.IN, key):
        for kind, _, confidence, other, _, _ in EDGE.iter_unpack(value):
            if kind in _REACHES and confidence >= _SURE and confidence > steps.get(other, 0):
                steps[other] = confidence
    if snapshot.head_of(node)[1] != Kind.METHOD:
        return steps
    # Who calls the overridden method may get this one.
    for _, value in snapshot.reader.scan(keys.OUT, key):
        for kind, _, confidence, other, _, _ in EDGE.iter_unpack(value):
            if kind == _OVERRIDES:
                steps.setdefault(other, confidence)
    return steps
