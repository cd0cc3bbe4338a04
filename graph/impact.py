"""What a change reaches: the symbols it touches, what depends on them, and the tests to run.

Two kinds of evidence rank tests. The graph says which tests reach the changed code, and how directly;
words say which tests speak of what the change speaks of, also where a test reaches the code through
something no static analysis follows. Each kind alone misses tests the other finds.
"""

from collections import deque
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from math import log2

from agrama.graph import keys
from agrama.graph.format import CONFIDENCE_SCALE
from agrama.graph.mentions import Spoken, find_spoken, is_test_symbol
from agrama.graph.model import EdgeKind, Kind
from agrama.graph.snapshot import Snapshot

# Followed against their direction: who calls a changed thing may behave differently.
_REACHES = frozenset(
    (
        EdgeKind.CALLS,
        EdgeKind.INHERITS,
        EdgeKind.IMPLEMENTS,
        EdgeKind.OVERRIDES,
        EdgeKind.REFERENCES,
        EdgeKind.TESTS,
        EdgeKind.HANDLES,
    )
)
_SURE = CONFIDENCE_SCALE // 2
_FADE = 0.6  # how much of a change is left one step further
# Of 80 commits of flask and requests; the optimum is flat: half or twice of each loses a commit or two.
_HEAT_WEIGHT = 0.2
_TEXT_WEIGHT = 0.6
_NAME_WEIGHT = 0.2


@dataclass(frozen=True, slots=True)
class Affected:
    """Something a change can reach: how far it is, the step it is reached through, how strongly."""

    symbol: str
    distance: int
    via: str
    heat: float


@dataclass(frozen=True, slots=True)
class TestToRun:
    """A test with the reason it is worth running."""

    symbol: str
    score: float
    distance: int | None  # steps from the change; None when only words connect them
    reason: str


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
    files = _Files(snapshot)
    while pending and len(reached) < max_nodes:
        node = pending.popleft()
        distance = reached[node][0]
        if distance >= max_depth or (node not in roots and files.is_file(node)):
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
    found = [
        Affected(snapshot.id_of(node), distance, snapshot.id_of(via), heat[node])
        for node, (distance, via) in reached.items()
        if node not in roots
    ]
    return sorted(found, key=lambda each: (each.distance, -each.heat, each.symbol))


def rank_tests(
    snapshot: Snapshot,
    changed: Sequence[str],
    affected: Iterable[Affected],
    words: Sequence[str] = (),
) -> list[TestToRun]:
    """Every test the change reaches or is spoken of in, the most telling first."""
    by_graph = {each.symbol: each for each in affected if is_test(snapshot, each.symbol)}
    hottest = max((each.heat for each in by_graph.values()), default=1.0)
    by_words = find_spoken(snapshot, words, changed)
    ranked = []
    for name in by_graph.keys() | by_words.keys():
        near, spoken = by_graph.get(name), by_words.get(name)
        score = _HEAT_WEIGHT * near.heat / hottest if near else 0.0
        if spoken:
            score += _TEXT_WEIGHT * spoken.text + _NAME_WEIGHT * spoken.name
        distance = near.distance if near else None
        ranked.append(TestToRun(name, round(score, 4), distance, _reason(near, spoken)))
    return sorted(ranked, key=lambda test: (-test.score, test.symbol))


def is_test(snapshot: Snapshot, symbol_id: str) -> bool:
    """Tell whether a symbol is something a test runner runs."""
    symbol = snapshot.symbol(symbol_id)
    return symbol is not None and is_test_symbol(symbol.kind, symbol.name, symbol.path)


class _Files:
    """Which nodes are files: a file that only mentions a name does not pass the change on."""

    def __init__(self, snapshot: Snapshot) -> None:
        self._reader = snapshot.reader

    def is_file(self, node: int) -> bool:
        return self._reader.get(keys.FILES, keys.node_key(node)) is not None


def _steps(snapshot: Snapshot, node: int) -> dict[int, int]:
    """Nodes that a change of this one reaches next, with the surest edge to each."""
    steps: dict[int, int] = {}
    for link in snapshot.links(keys.IN, node, _REACHES):
        if link.confidence >= _SURE:
            steps[link.other] = max(link.confidence, steps.get(link.other, 0))
    # Who calls the overridden method may get this one.
    for link in snapshot.links(keys.OUT, node, (EdgeKind.OVERRIDES,)):
        steps.setdefault(link.other, link.confidence)
    return steps


def _reason(near: Affected | None, spoken: Spoken | None) -> str:
    parts = []
    if near is not None:
        steps = "step" if near.distance == 1 else "steps"
        parts.append(f"reaches the change in {near.distance} {steps}, through {near.via}")
    if spoken is not None and spoken.name:
        parts.append("is named after it")
    elif spoken is not None:
        parts.append("speaks of the same names")
    return "; ".join(parts)
