"""write_code on real files: what is written, what is refused, and that nothing is lost."""

import multiprocessing
import os
import stat
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from agrama.cli.local import call_tool
from agrama.errors import AgramaError
from agrama.tools.answers import content_hash


def write(root: Path, **arguments: Any) -> dict[str, Any]:
    values = {"reason": "because", **arguments}
    result = call_tool(root, "write_code", values, allow_write=True)
    structured: dict[str, Any] = result["structuredContent"]
    return structured


def test_edit_changes_the_place_and_tells_what_it_means(indexed: Path) -> None:
    before = content_hash((indexed / "shop/money.py").read_bytes())
    edits = [{"old": "self.cents + other.cents", "new": "other.cents + self.cents"}]
    answer = write(indexed, path="shop/money.py", edits=edits, expected_hash=before, agent_id="ada")
    text = (indexed / "shop/money.py").read_text()
    assert "other.cents + self.cents" in text
    assert answer["content_hash"] == content_hash(text.encode())
    assert answer["impact"]["symbols"] == ["shop/money.py::Money.add"]
    assert answer["provenance"]["agent_id"] == "ada"
    assert "stale" not in answer


@pytest.mark.parametrize("what", [{"path": "shop/money.py"}, {"symbol": "Money.add"}])
def test_history_tells_of_writes_where_there_is_no_git(indexed: Path, what: dict[str, str]) -> None:
    write(indexed, path="shop/money.py", edits=[{"old": "Sum two", "new": "Add two"}])
    answer = call_tool(indexed, "query_history", what)
    rows = answer["structuredContent"]
    assert [row["reason"] for row in rows["writes"]] == ["because"]
    assert rows["commits"] == []
    assert "in no git repository" in rows["history_missing"]
    assert "in no git repository" in answer["content"][0]["text"]


def test_new_file_is_indexed_before_the_answer(indexed: Path) -> None:
    assert write(indexed, path="shop/new/tax.py", content="def tax():\n    return 7\n")["created"]
    found = call_tool(indexed, "find_symbol", {"name": "tax"})["structuredContent"]["symbols"]
    assert found[0]["symbol"] == "shop/new/tax.py::tax"


def test_mode_line_ends_and_encoding_stay(indexed: Path) -> None:
    path = indexed / "old.py"
    path.write_bytes("name = 'é'\r\nvalue = 1\r\n".encode("latin-1"))
    path.chmod(0o755)
    write(indexed, path="old.py", edits=[{"old": "value = 1\n", "new": "value = 2\nmore = 'ü'\n"}])
    assert path.read_bytes() == "name = 'é'\r\nvalue = 2\r\nmore = 'ü'\r\n".encode("latin-1")
    assert stat.S_IMODE(path.stat().st_mode) == 0o755
    with pytest.raises(AgramaError, match="cannot hold"):
        write(indexed, path="old.py", edits=[{"old": "value = 2", "new": "value = '日'"}])


def test_broken_syntax_is_refused_with_its_line(indexed: Path) -> None:
    before = (indexed / "shop/money.py").read_bytes()
    with pytest.raises(AgramaError, match="line 1 does not parse"):
        write(indexed, path="shop/money.py", content="def broken(:\n")
    assert (indexed / "shop/money.py").read_bytes() == before
    forced = write(indexed, path="shop/money.py", content="def broken(:\n", validate_syntax=False)
    assert forced["syntax"]["valid"] is False


@pytest.mark.parametrize(
    ("arguments", "word"),
    [
        ({"path": "shop/money.py", "content": "x = 1\n", "expected_hash": "0" * 32}, "changed since"),
        ({"path": "shop/money.py"}, "content, or edits"),
        ({"path": "shop/money.py", "edits": [{"old": "cents", "new": "c"}]}, "not once"),
        ({"path": "shop/money.py", "edits": [{"old": "absent", "new": "c"}]}, "occurs 0 times"),
        ({"path": "absent.py", "edits": [{"old": "a", "new": "b"}]}, "does not exist"),
        ({"path": "../out.py", "content": ""}, "inside the repository"),
        ({"path": "link.py", "content": ""}, "inside the repository"),
        ({"path": "linked/x.py", "content": ""}, "inside the repository"),
        ({"path": ".git/hooks/pre-commit", "content": ""}, r"\.git"),
        ({"path": "sub/.git/config", "content": ""}, "protected"),
        ({"path": ".github/workflows/ci.yml", "content": ""}, "protected"),
        ({"path": ".vscode/tasks.json", "content": ""}, "protected"),
        ({"path": ".env", "content": "A=1"}, "secrets"),
        ({"path": "shop", "content": ""}, "directory"),
    ],
    ids=lambda value: str(value)[:40],
)  # fmt: skip
def test_refusals_change_nothing(indexed: Path, arguments: dict[str, Any], word: str) -> None:
    outside = indexed.parent / "outside"
    outside.mkdir()
    (indexed / "link.py").symlink_to(outside / "target.py")
    (indexed / "linked").symlink_to(outside)
    before = (indexed / "shop/money.py").read_bytes()
    with pytest.raises(AgramaError, match=word):
        write(indexed, **arguments)
    assert (indexed / "shop/money.py").read_bytes() == before
    assert list(outside.iterdir()) == []
    assert not [name for name in os.listdir(indexed / "shop") if name.endswith(".agrama")]


def test_without_permission_there_is_no_such_tool(indexed: Path) -> None:
    arguments = {"path": "a.py", "content": "", "reason": "x"}
    with pytest.raises(AgramaError, match="write_code"):
        call_tool(indexed, "write_code", arguments)


def _compete(root: str, expected: str, number: int) -> bool:
    try:
        write(
            Path(root), path="shop/money.py", content=f"winner = {number}\n", expected_hash=expected
        )
    except AgramaError:
        return False
    return True


def test_of_two_writers_with_one_hash_exactly_one_wins(indexed: Path) -> None:
    before = content_hash((indexed / "shop/money.py").read_bytes())
    with multiprocessing.get_context("spawn").Pool(2) as pool:
        won = pool.starmap(_compete, [(str(indexed), before, number) for number in range(2)])
    assert sorted(won) == [False, True]
    assert (indexed / "shop/money.py").read_text() == f"winner = {won.index(True)}\n"


_WRITER = """
import sys
from pathlib import Path
from agrama.jail import write_beneath
root, size = Path(sys.argv[1]), int(sys.argv[2])
number = 0
print("ready", flush=True)
while True:
    number += 1
    write_beneath(root, "data.txt", (b"%09d\\n" % number) * size)
"""


def test_kill_in_mid_write_leaves_one_whole_file(tmp_path: Path) -> None:
    size = 20_000
    for round_number in range(15):
        command = [sys.executable, "-P", "-c", _WRITER, str(tmp_path), str(size)]
        with subprocess.Popen(command, stdout=subprocess.PIPE) as writer:
            assert writer.stdout is not None
            writer.stdout.readline()
            time.sleep(0.005 + 0.003 * round_number)
            writer.kill()
        if (tmp_path / "data.txt").exists():
            lines = (tmp_path / "data.txt").read_bytes().splitlines()
            assert len(lines) == size
            assert len(set(lines)) == 1
