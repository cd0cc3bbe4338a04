"""What some symbols need and who needs them, beside a fold of the same edges by hand."""

from collections import Counter
from pathlib import Path

import pytest

from agrama.graph import keys
from agrama.graph.format import decode_symbol, decode_symbols, encode_external, encode_symbol
from agrama.graph.model import EdgeKind, Kind, Symbol
from agrama.graph.neighbours import find_neighbours
from agrama.graph.snapshot import Snapshot
from agrama.workspace import Workspace

KINDS = int(EdgeKind.IMPORTS), int(EdgeKind.CALLS)


def fold(snapshot: Snapshot, database: str, nodes: list[int], kind: int, seen: set[int]) -> Counter:  # type: ignore[type-arg]
    return Counter(
        link.other
        for node in nodes
        for link in snapshot.links(database, node, (kind,))
        if link.other not in seen
    )


@pytest.mark.parametrize("depth", [1, 3])
def test_every_far_end_is_there_once_with_its_edges(indexed: Path, depth: int) -> None:
    workspace = Workspace(indexed)
    with workspace.open_snapshot() as snapshot:
        for path in ("shop/money.py", "shop/basket.py"):
            own = [node for node, _ in snapshot.numbered_symbols_in(path)]
            both = keys.OUT, keys.IN
            found = find_neighbours(snapshot, both, own, KINDS, outside=set(own), depth=depth)
            for (database, kind), rows in found.items():
                seen, nodes = set(own), own
                expected = []
                for distance in range(1, depth + 1):
                    counts = fold(snapshot, database, nodes, kind, seen)
                    expected += [(node, count, distance) for node, count in counts.items()]
                    seen, nodes = seen | set(counts), list(counts)
                assert sorted((row.node, row.edges, row.distance) for row in rows) == sorted(
                    expected
                )
                assert [row.distance for row in rows] == sorted(row.distance for row in rows)
                for row in rows:
                    assert row.first[0] == kind and row.first[3] == row.node
                    assert snapshot.id_of(row.file).endswith(".py")
            assert any(found.values())
    workspace.close()


def test_symbols_decoded_together_are_those_decoded_alone() -> None:
    whole = Symbol(
        "a.py::f", Kind.FUNCTION, "f", "a.f", "a.py", "python", 3, 4, 2, 9, "()", "d", {}
    )
    rows = [encode_symbol(whole), encode_external("external:os.path"), encode_symbol(whole)]
    assert decode_symbols(rows) == [decode_symbol(row) for row in rows]
    assert decode_symbols([]) == []
