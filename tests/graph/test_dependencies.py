"""Walks over the stored graph, on a small graph written by hand."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from agrama.graph.dependencies import (
    FORWARD,
    REVERSE,
    find_cycles,
    find_dependencies,
    find_path,
    strong_components,
)
from agrama.graph.format import encode_symbol, read_symbol_place
from agrama.graph.impact import find_tests
from agrama.graph.model import EdgeKind, EdgeRow, FileGraph, Kind, Resolution, Symbol
from agrama.graph.publish import Interner, pack_file, pack_names, publish_all
from agrama.graph.snapshot import Snapshot, open_snapshot
from agrama.graph.store import Store, WriteTransaction

# file, function: what it calls
CALLS = {
    "a.py::one": ["b.py::two"],
    "b.py::two": ["c.py::three", "b.py::helper"],
    "b.py::helper": [],
    "c.py::three": ["a.py::one", "external:os.getcwd"],
    "d.py::alone": [],
}
IMPORTS = {"a.py": ["b.py"], "b.py": ["c.py"], "c.py": ["a.py"], "d.py": ["a.py"]}


def make_graph(path: str) -> FileGraph:
    symbols = [Symbol(path, Kind.FILE, path, path[:-3], path, "python", 1, 0, 1, 9)]
    edges = [edge(EdgeKind.IMPORTS, path, other, 1) for other in IMPORTS[path]]
    for line, (name, targets) in enumerate(sorted(CALLS.items()), 2):
        if name.startswith(path):
            short = name.partition("::")[2]
            place = (line, 4, line, line)
            symbols.append(
                Symbol(name, Kind.FUNCTION, short, f"{path[:-3]}.{short}", path, "python", *place)
            )
            edges.append(edge(EdgeKind.CONTAINS, path, name, line))
            edges += [edge(EdgeKind.CALLS, name, target, line) for target in targets]
    if path == "d.py":
        edges.append(edge(EdgeKind.TESTS, "d.py::alone", "a.py::one", 9))
        edges.append(edge(EdgeKind.CALLS, "d.py::alone", "c.py::three", 9, 0.2))
    return FileGraph(path, "python", tuple(symbols), tuple(edges), 1, 3)


def edge(kind: EdgeKind, source: str, target: str, line: int, sure: float = 0.95) -> EdgeRow:
    return EdgeRow(kind, source, target, line, 4, Resolution.EXACT, sure)


@pytest.fixture
def snapshot(tmp_path: Path) -> Iterator[Snapshot]:
    interner = Interner()
    files = [pack_file(make_graph(path), interner) for path in IMPORTS]

    def fill(transaction: WriteTransaction) -> None:
        publish_all(transaction, files, pack_names(interner))
        transaction.finish()

    with Store.open(tmp_path / "index", create=True) as store:
        store.write(fill)
        with open_snapshot(store) as opened:
            yield opened


def test_forward_follows_what_a_symbol_uses(snapshot: Snapshot) -> None:
    reach = find_dependencies(snapshot, "a.py::one", direction=FORWARD, max_depth=2)
    assert reach.distances == {
        "a.py::one": 0,
        "b.py::two": 1,
        "b.py::helper": 2,
        "c.py::three": 2,
    }
    assert not reach.truncated


def test_reverse_follows_who_uses_it_and_leaves_out_what_is_unsure(snapshot: Snapshot) -> None:
    reach = find_dependencies(snapshot, "c.py::three", direction=REVERSE, max_depth=1)
    assert reach.distances == {"c.py::three": 0, "b.py::two": 1}
    unsure = find_dependencies(
        snapshot, "c.py::three", direction=REVERSE, max_depth=1, min_confidence=0.1
    )
    assert "d.py::alone" in unsure.distances


def test_things_outside_are_shown_when_asked_for(snapshot: Snapshot) -> None:
    inside = find_dependencies(snapshot, "c.py::three", direction=FORWARD, max_depth=1)
    assert "external:os.getcwd" not in inside.distances
    outside = find_dependencies(
        snapshot, "c.py::three", direction=FORWARD, max_depth=1, include_external=True
    )
    assert "external:os.getcwd" in outside.distances


def test_a_file_stands_for_all_in_it(snapshot: Snapshot) -> None:
    reach = find_dependencies(snapshot, "b.py", direction=FORWARD, max_depth=1)
    assert reach.distances == {"b.py": 0, "c.py": 1}
    assert {edge.kind for edge in reach.edges} == {EdgeKind.CALLS, EdgeKind.IMPORTS}


def test_a_limit_on_nodes_is_said(snapshot: Snapshot) -> None:
    reach = find_dependencies(snapshot, "a.py::one", direction=FORWARD, max_nodes=2)
    assert reach.truncated and len(reach.distances) == 2
    assert [(edge.source, edge.target) for edge in reach.edges] == [("a.py::one", "b.py::two")]


def test_the_shortest_chain_is_found_with_its_evidence(snapshot: Snapshot) -> None:
    chain = find_path(snapshot, "a.py::one", "c.py::three")
    assert [(step.source, step.target) for step in chain] == [
        ("a.py::one", "b.py::two"),
        ("b.py::two", "c.py::three"),
    ]
    assert chain[0].path == "a.py"
    assert find_path(snapshot, "b.py::helper", "a.py::one") == []
    assert find_path(snapshot, "b.py::helper", "nothing") == []


def test_cycles_of_imports(snapshot: Snapshot) -> None:
    assert find_cycles(snapshot) == [["a.py", "b.py", "c.py"]]


def test_tests_of_a_symbol(snapshot: Snapshot) -> None:
    reach = find_dependencies(snapshot, "a.py::one", direction=REVERSE, max_depth=1)
    assert find_tests(reach) == ["d.py::alone"]


def test_a_place_is_read_without_the_rest_of_a_row(snapshot: Snapshot) -> None:
    for name in ("a.py::one", "external:os.getcwd"):
        node, symbol = snapshot.node(name), snapshot.symbol(name)
        assert node is not None and symbol is not None
        expected = int(symbol.kind), symbol.path, symbol.start_line
        assert snapshot.place_of(node) == expected
        assert read_symbol_place(encode_symbol(symbol._replace(name='a "b"'))) == expected


def test_components_of_a_long_chain_need_no_deep_stack() -> None:
    names = [str(number) for number in range(5_000)]
    after = {name: [names[(at + 1) % len(names)]] for at, name in enumerate(names)}
    assert len(strong_components(names, lambda name: after[name])) == 1


def test_an_unknown_root_reaches_nothing(snapshot: Snapshot) -> None:
    assert find_dependencies(snapshot, "nowhere.py").distances == {}


def test_statistics_count_what_is_there(snapshot: Snapshot) -> None:
    stats = snapshot.stats()
    assert stats["files"] == 0  # no manifest was written
    assert stats["symbols"] == 10


def test_finding_by_name(snapshot: Snapshot) -> None:
    assert [symbol.id for symbol in snapshot.find("helper")] == ["b.py::helper"]
    assert [symbol.id for symbol in snapshot.find("HELPER")] == ["b.py::helper"]
    assert [symbol.id for symbol in snapshot.find("b.helper")] == ["b.py::helper"]
    assert [symbol.id for symbol in snapshot.find("help")] == ["b.py::helper"]
    assert [symbol.id for symbol in snapshot.find("hlpr")] == ["b.py::helper"]
    assert [symbol.id for symbol in snapshot.find("b.py::helper")] == ["b.py::helper"]
    assert snapshot.find("zzz") == []
    assert snapshot.find("  ") == []


def test_a_position_names_the_symbol_there(snapshot: Snapshot) -> None:
    assert snapshot.at("a.py", 1, 4) == "b.py"
    assert snapshot.at("a.py", 2, 5) == "b.py::two"
    assert snapshot.at("b.py", 3, 4) == "b.py::helper"
    assert snapshot.at("a.py", 99, 0) is None
    assert snapshot.at("nowhere.py", 1, 0) is None
