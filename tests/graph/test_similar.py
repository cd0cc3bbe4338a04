"""Code that does the same is found from either side."""

from pathlib import Path

import pytest
from conftest import write_tree

from agrama.cli import main
from agrama.graph.keys import repository_folder
from agrama.graph.similar import Similar, find_similar
from agrama.graph.snapshot import open_snapshot
from agrama.graph.store import Store

TREE = {
    "auth/login.py": "def check_password(user, password):\n    return hash_password(password) == user.password_hash\n",
    "legacy/session.py": "def verify_password(account, password):\n    return account.password_hash == hash_password(password)\n",
    "geometry/matrix.py": "def multiply_matrix(left, right):\n    return [[dot(row, col) for col in zip(*right)] for row in left]\n",
}


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    root = tmp_path / "tree"
    write_tree(root, TREE)
    assert main(["index", str(root), "--quiet"]) == 0
    return root


def similar(root: Path, path: str, **options: float) -> list[Similar]:
    with Store.open(repository_folder(root)) as store, open_snapshot(store) as snapshot:
        return find_similar(snapshot, path, **options)  # type: ignore[arg-type]


def test_the_twin_is_found(tree: Path) -> None:
    found = similar(tree, "auth/login.py", threshold=0.4)
    assert [hit.path for hit in found] == ["legacy/session.py"]
    assert found[0].symbol == "legacy/session.py::verify_password"
    assert 0.4 < found[0].similarity <= 1


def test_the_threshold_is_kept(tree: Path) -> None:
    assert similar(tree, "auth/login.py", threshold=0.999) == []
    assert len(similar(tree, "auth/login.py", threshold=-1.0)) == 2
    assert len(similar(tree, "auth/login.py", threshold=-1.0, max_similar=1)) == 1


def test_unknown_files_have_nothing_similar(tree: Path) -> None:
    assert similar(tree, "no/such.py") == []
    assert similar(tree, "auth/login.py", start_line=500) == []
