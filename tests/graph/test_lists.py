"""The lists of terms, kept between the questions of one commit."""

from pathlib import Path

import numpy as np
import pytest
from conftest import write_tree

from agrama.cli import main
from agrama.graph import lists, postings, view
from agrama.graph.keys import repository_folder
from agrama.graph.snapshot import Snapshot, open_snapshot
from agrama.graph.store import Store
from agrama.graph.terms import hash_term


@pytest.fixture
def root(tmp_path: Path) -> Path:
    root = tmp_path / "code"
    write_tree(
        root,
        {
            "one.py": '"""Boxes."""\n\n\ndef box():\n    return basket\n',
            "two.py": "def basket():\n    return 1\n",
        },
    )
    assert main(["index", str(root), "--quiet"]) == 0
    return root


def find(snapshot: Snapshot, *terms: str) -> list[lists.TermLists | None]:
    return lists.find_lists(view.require_index(snapshot.reader), terms)


def test_a_term_has_its_chunks_files_and_head_comments(root: Path) -> None:
    with Store.open(repository_folder(root)) as store, open_snapshot(store) as snapshot:
        box, basket, nothing = find(snapshot, "box", "basket", "nothing")
    assert nothing is None
    assert box is not None
    assert basket is not None
    assert (len(box.files), len(box.heads), len(basket.files), len(basket.heads)) == (1, 1, 2, 0)
    assert len(basket.chunks) == 2
    assert box.rarity > basket.rarity
    assert basket.file_scores[1] > basket.file_scores[0]  # its name is said, not only its text


def test_lists_are_made_once_per_commit(root: Path) -> None:
    with Store.open(repository_folder(root)) as store:
        with open_snapshot(store) as snapshot:
            first = find(snapshot, "box")
        with open_snapshot(store) as snapshot:
            assert find(snapshot, "box")[0] is first[0]
        (root / "two.py").write_text("def basket():\n    return box\n")
        assert main(["index", str(root), "--quiet"]) == 0
        with open_snapshot(store) as snapshot:
            (later,) = find(snapshot, "box")
    assert later is not None
    assert len(later.files) == 2


def test_more_than_the_bound_is_not_kept(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lists, "_KEPT_BYTES", 300)
    with Store.open(repository_folder(root)) as store, open_snapshot(store) as snapshot:
        assert all(found is not None for found in find(snapshot, "box", "basket", "return", "def"))
        kept = view.require_index(snapshot.reader).keep(lists.TermLists, list)
        assert len(kept.lists) < 4  # type: ignore[attr-defined]


def test_the_lists_of_all_blocks_are_one(root: Path) -> None:
    values = {
        postings.posting_key(hash_term("box"), block): np.array([3, 9], "<u2").tobytes()
        + bytes(ids)
        for block, ids in ((0, (1, 2)), (2, (3, 4)))
    }
    get = {key: memoryview(value) for key, value in values.items()}.get
    found = lists.read_lists(get, hash_term("box"), 3 * postings.BLOCK, 1)
    assert found is not None
    ids, (impacts,) = found
    assert ids.tolist() == [3, 9, 2 * postings.BLOCK + 3, 2 * postings.BLOCK + 9]
    assert impacts.tolist() == [1, 2, 3, 4]
    many = lists.read_many(get, [1, hash_term("box")], 3 * postings.BLOCK, 1)
    assert [(at, len(posting[0])) for at, posting in many] == [(1, 4)]
