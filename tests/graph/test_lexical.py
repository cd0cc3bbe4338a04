"""Publishing: an index that was updated says what one built from nothing says."""

import random
from collections.abc import Mapping
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

from agrama.graph import maps, view
from agrama.graph.chunks import CHUNKS, chunk_key
from agrama.graph.embedding import load_embedding
from agrama.graph.lexical import publish
from agrama.graph.postings import BLOCK, read_posting
from agrama.graph.search import hybrid_search
from agrama.graph.snapshot import open_snapshot
from agrama.graph.store import Reader, Store
from agrama.indexer.chunk import prepare_file

WORDS = "price basket money user order cart total tax sum invoice refund ship address".split()


def write_file(seed: int, functions: int) -> str:
    rng = random.Random(seed)
    parts = [f'"""About {rng.choice(WORDS)} and {rng.choice(WORDS)}."""\n']
    for number in range(functions):
        name = "_".join(rng.sample(WORDS, 2)) + str(number)
        body = "\n".join(f"    {' '.join(rng.choices(WORDS, k=8))}" for _ in range(12))
        parts.append(f"def {name}():\n{body}\n")
    return "\n".join(parts)


def number_of(path: str) -> int:
    return sum(map(ord, path)) * 7 % 1_000_003


def put(
    store: Store, files: Mapping[str, str | None], *, full: bool, gone: tuple[str, ...] = ()
) -> None:
    changed = [
        (number_of(path), path, prepare_file(path, text, None, None) if text else None)
        for path, text in sorted(files.items())
    ]
    removed = [number_of(path) for path in gone]
    embedding = load_embedding()
    assert embedding is not None
    store.write(lambda txn: publish(txn, changed, removed, full, embedding.model))


def dump(reader: Reader) -> dict[str, object]:
    """All an index says, with paths and positions in place of slots and chunk ids."""
    index = view.open_index(reader)
    assert index is not None
    spans = index.spans()
    path_of = {slot: index.path(slot) for slot in range(index.slots)}
    place_of = {
        int(spans[slot, 0]) + at: (path, at)
        for slot, path in path_of.items()
        for at in range(int(spans[slot, 1]))
        if path
    }
    said: dict[str, object] = {}
    for database, columns, names in (
        (maps.POSTINGS, 1, place_of),
        (maps.DEFINITION_POSTINGS, 1, place_of),
        (maps.FILE_POSTINGS, 2, path_of),
        (maps.STEM_POSTINGS, 1, path_of),
    ):
        for key, value in reader.scan(database):
            base = int.from_bytes(bytes(key[-2:]), "big") * BLOCK
            ids, values = read_posting(value, columns)
            rows = zip(ids.tolist(), *(column.tolist() for column in values), strict=True)
            said[f"{database} {bytes(key[:-2])!r}"] = sorted(
                (names[base + number], *rest) for number, *rest in rows
            )
    for slot, path in path_of.items():
        if path:
            chunks = [reader.get(CHUNKS, chunk_key(slot, at)) for at in range(int(spans[slot, 1]))]
            said[path] = [bytes(chunk or b"") for chunk in chunks]
            said[f"roles {path}"] = int(index.array(maps.ROLES_KEY, "<u2")[slot])
    return said


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return Store.open(tmp_path / "a", create=True)


def test_updates_equal_a_fresh_build(store: Store, tmp_path: Path) -> None:
    files = {f"shop/f{n}.py": write_file(n, n % 7 + 1) for n in range(12)}
    put(store, files, full=True)
    rng = random.Random(1)
    for round_ in range(25):
        path = f"shop/f{rng.randrange(16)}.py"
        if rng.random() < 0.3 and path in files:
            del files[path]
            put(store, {}, full=False, gone=(path,))
        else:
            files[path] = write_file(100 + round_, rng.randrange(1, 15))
            put(store, {path: files[path]}, full=False)
    fresh = Store.open(tmp_path / "b", create=True)
    put(fresh, files, full=True)
    with store.read() as updated, fresh.read() as built:
        assert dump(updated) == dump(built)
    for query in ("price of the basket", "refund_order", "shop/f3.py", "total tax"):
        with open_snapshot(store) as one, open_snapshot(fresh) as other:
            assert hybrid_search(one, query) == hybrid_search(other, query)


def test_the_same_text_again_changes_nothing(store: Store) -> None:
    files = {f"f{n}.py": write_file(n, 4) for n in range(3)}
    put(store, files, full=True)
    with store.read() as reader:
        before = dump(reader)
    put(store, files, full=False)
    with store.read() as reader:
        assert dump(reader) == before


def test_a_file_without_text_is_forgotten(store: Store) -> None:
    put(store, {"a.py": "def price(): pass\n", "b.py": "def tax(): pass\n"}, full=True)
    put(store, {"a.py": None}, full=False)
    with open_snapshot(store) as snapshot:
        assert hybrid_search(snapshot, "price").hits == ()
        assert hybrid_search(snapshot, "tax").hits[0].path == "b.py"


def test_a_first_update_needs_no_full_build(store: Store) -> None:
    put(store, {"a.py": "def price(): pass\n"}, full=False)
    with open_snapshot(store) as snapshot:
        assert [hit.path for hit in hybrid_search(snapshot, "price").hits] == ["a.py"]


def test_a_folder_becomes_old_when_a_newer_version_comes(store: Store) -> None:
    put(store, {"v1/a.py": "price = 1\n"}, full=True)
    put(store, {"v2/a.py": "price = 2\n"}, full=False)
    with open_snapshot(store) as snapshot:
        assert [hit.path for hit in hybrid_search(snapshot, "price").hits] == ["v2/a.py", "v1/a.py"]


def test_shrinking_and_growing_files_keep_their_chunks_apart(store: Store) -> None:
    put(store, {"a.py": write_file(1, 9), "b.py": write_file(2, 9)}, full=True)
    for functions in (1, 30, 2, 60):
        put(store, {"a.py": write_file(3, functions)}, full=False)
    with store.read() as reader:
        index = view.open_index(reader)
        assert index is not None
        spans = index.spans()
        runs = sorted((int(a), int(a + c)) for a, c, _ in spans.tolist())
        assert all(end <= start for (_, end), (start, _) in pairwise(runs))
        assert int(np.sum(spans[:, 1])) == index.chunks


def test_equal_files_come_in_order_of_their_paths(store: Store) -> None:
    text = "def price(): pass\n"
    put(store, {f"{folder}/a.py": text for folder in "pqrstuvwx"}, full=True)
    put(store, {"b/a.py": text, "m/a.py": text}, full=False)
    with open_snapshot(store) as snapshot:
        found = [hit.path for hit in hybrid_search(snapshot, "price", mode="keyword").hits]
    assert found == [f"{folder}/a.py" for folder in "bmpqrstuvw"]
