"""Replacing single files gives the same graph as writing all of it."""

from functools import partial
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agrama.graph import keys
from agrama.graph.export import export_jsonl
from agrama.graph.model import EdgeKind, EdgeRow, FileGraph, Kind, Resolution, Symbol
from agrama.graph.publish import (
    Interner,
    join_edges,
    pack_file,
    pack_names,
    publish_all,
    publish_changes,
    read_interner,
)
from agrama.graph.snapshot import open_snapshot
from agrama.graph.store import Store, WriteTransaction

PATHS = ("a.py", "b.py", "c.py")
NAMES = ("one", "two", "three")
TARGETS = [*PATHS, *(f"{path}::{name}" for path in PATHS for name in NAMES), "external:os.path"]

edges = st.tuples(
    st.sampled_from([EdgeKind.CALLS, EdgeKind.REFERENCES, EdgeKind.INHERITS]),
    st.sampled_from(TARGETS),
    st.integers(1, 5),
    st.sampled_from([0.3, 0.95]),
)
contents = st.tuples(st.sets(st.sampled_from(NAMES)), st.lists(edges, max_size=6))
states = st.dictionaries(st.sampled_from(PATHS), contents)


def make_graph(
    path: str, names: set[str], uses: list[tuple[EdgeKind, str, int, float]]
) -> FileGraph:
    symbols = [Symbol(path, Kind.FILE, path, path[:-3], path, "python", 1, 0, 1, 9)]
    for line, name in enumerate(sorted(names), 2):
        place = (line, 4, line, line)
        symbols.append(
            Symbol(
                f"{path}::{name}",
                Kind.FUNCTION,
                name,
                f"{path[:-3]}.{name}",
                path,
                "python",
                *place,
            )
        )
    sources = [symbol.id for symbol in symbols]
    rows = [
        EdgeRow(kind, sources[at % len(sources)], target, line, 0, Resolution.INFERRED, sure)
        for at, (kind, target, line, sure) in enumerate(uses)
    ]
    return FileGraph(path, "python", tuple(symbols), tuple(rows))


def export(store: Store) -> list[bytes]:
    with open_snapshot(store) as snapshot:
        return list(export_jsonl(snapshot))


def write_all(
    store: Store, state: dict[str, tuple[set[str], list[tuple[EdgeKind, str, int, float]]]]
) -> None:
    interner = Interner()
    files = [pack_file(make_graph(path, *state[path]), interner) for path in sorted(state)]

    def fill(transaction: WriteTransaction) -> None:
        publish_all(transaction, files, pack_names(interner))
        transaction.finish()

    store.write(fill)


@settings(max_examples=60, deadline=None)
@given(states, states)
def test_an_update_equals_a_fresh_write(
    tmp_path_factory: pytest.TempPathFactory,
    before: dict[str, tuple[set[str], list[tuple[EdgeKind, str, int, float]]]],
    after: dict[str, tuple[set[str], list[tuple[EdgeKind, str, int, float]]]],
) -> None:
    folder = tmp_path_factory.mktemp("publish")
    with Store.open(folder / "updated", create=True, map_size=1 << 24) as updated:
        write_all(updated, before)
        with updated.read() as reader:
            interner = read_interner(reader)
        files = [pack_file(make_graph(path, *after[path]), interner) for path in sorted(after)]
        removed = [interner[path] for path in sorted(before.keys() - after.keys())]

        def fill(transaction: WriteTransaction) -> None:
            publish_changes(transaction, files, removed, interner)
            transaction.finish()

        updated.write(fill)
        with Store.open(folder / "fresh", create=True, map_size=1 << 24) as fresh:
            write_all(fresh, after)
            assert export(updated) == export(fresh)
            with updated.read() as left, fresh.read() as right:
                for database in (keys.IDS, keys.NODES, keys.NAMES, keys.FILES, keys.OUT, keys.IN):
                    assert left.count(database) == right.count(database), database


def test_of_two_equal_edges_the_surer_one_stays() -> None:
    row = EdgeRow(EdgeKind.CALLS, "a.py", "b.py", 1, 0, Resolution.HEURISTIC, 0.3)
    surer = row._replace(confidence=0.95, resolution=Resolution.EXACT)
    packed = pack_file(FileGraph("a.py", None, (), (row, surer, row)), Interner())
    assert packed.edges["confidence"].tolist() == [9500]
    assert packed.edges["resolution"].tolist() == [Resolution.EXACT]


def test_an_unchanged_file_is_not_written(tmp_path: Path) -> None:
    state = {"a.py": ({"one"}, [(EdgeKind.CALLS, "b.py::two", 1, 0.95)])}
    with Store.open(tmp_path / "index", create=True) as store:
        write_all(store, state)
        with store.read() as reader:
            interner = read_interner(reader)
        same = pack_file(make_graph("a.py", *state["a.py"]), interner)
        assert store.write(lambda txn: publish_changes(txn, [same], [], interner)) == 0


def test_edges_in_one_array_publish_the_same_rows(tmp_path: Path) -> None:
    uses = [(EdgeKind.CALLS, "b.py::two", 3, 0.95), (EdgeKind.REFERENCES, "a.py::one", 4, 0.3)]
    state = {"a.py": ({"one"}, uses), "b.py": ({"two"}, uses[:1]), "c.py": (set(NAMES), uses)}
    rows = []
    for join in (list, join_edges):
        interner = Interner()
        packed = [pack_file(make_graph(path, *state[path]), interner) for path in sorted(state)]
        files = join(packed)
        with Store.open(tmp_path / join.__name__, create=True) as store:
            store.write(partial(publish_all, files=files, names=pack_names(interner)))
            with store.read() as reader:
                rows.append(
                    [
                        (bytes(key), bytes(value))
                        for name in (keys.IDS, keys.NODES, keys.FILES, keys.OUT, keys.IN)
                        for key, value in reader.scan(name)
                    ]
                )
    assert rows[0] == rows[1]
    assert len(rows[0]) > 20
