"""What requests share of one commit, and what a new commit leaves of it."""

from pathlib import Path

from conftest import write_tree

from agrama.cli import main
from agrama.graph.filenames import match_paths, read_file_names
from agrama.graph.keys import repository_folder
from agrama.graph.snapshot import open_snapshot
from agrama.graph.store import Store
from agrama.graph.view import Index, open_index

FILES = {
    "shop/basket.py": "def put():\n    pass\n",
    "shop/tax.py": "def add_tax():\n    pass\n",
    "shop/taxonomy.py": "def sort():\n    pass\n",
    "tax/rates.py": "def rate():\n    pass\n",
}


def index(root: Path, files: dict[str, str]) -> Store:
    write_tree(root, files)
    assert main(["index", str(root), "--quiet"]) == 0
    return Store.open(repository_folder(root))


def see(store: Store) -> tuple[Index, dict[str, int]]:
    with open_snapshot(store) as snapshot:
        found = open_index(snapshot.reader)
        assert found is not None
        return found, {found.path(slot): slot for slot in range(found.slots)}


def test_requests_share_what_they_kept_until_the_next_commit(tmp_path: Path) -> None:
    with index(tmp_path / "shop", FILES) as store:
        first, again = see(store)[0], see(store)[0]
        assert first.keep("made", lambda: [1]) is again.keep("made", lambda: [2])
        kept = first.keep_by_paths("paths", lambda: [1])
        with index(tmp_path / "shop", {"shop/tax.py": "def other_tax():\n    pass\n"}):
            edited = see(store)[0]
        assert edited.keep("made", lambda: [3]) == [3]
        assert edited.keep_by_paths("paths", lambda: [4]) is kept
        with index(tmp_path / "shop", {"shop/new.py": "def new():\n    pass\n"}):
            added, slots = see(store)
        assert added.keep_by_paths("paths", lambda: [5]) == [5]
        assert "shop/new.py" in slots


def test_file_names_match_whole_by_their_beginning_and_by_folder(tmp_path: Path) -> None:
    with index(tmp_path / "shop", FILES) as store, open_snapshot(store) as snapshot:
        found = open_index(snapshot.reader)
        assert found is not None
        slots = {found.path(slot): slot for slot in range(found.slots)}
        names = read_file_names(snapshot.reader)
        parts = dict(match_paths(found, names, ["tax"], [2.0]))
        cover = dict(zip(*(column.tolist() for column in parts["stem_cover"]), strict=True))
        assert cover == {slots["shop/tax.py"]: 1.0}  # three letters are too few for a beginning
        assert parts["stem_full"].slots.tolist() == [slots["shop/tax.py"]]
        assert parts["parent"].slots.tolist() == [slots["tax/rates.py"]]
        related = dict(match_paths(found, names, ["baskets"], [2.0]))
        assert related["stem_cover"].slots.tolist() == [slots["shop/basket.py"]]
        assert dict(match_paths(found, names, ["nothing"], [2.0])) == {}
