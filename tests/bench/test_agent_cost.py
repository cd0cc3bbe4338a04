"""The policies stop where the labels are, and spend what they show."""

import subprocess
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2] / "benchmarks"))

from agent_cost import READS, Shown, choose_terms, follow, is_test, make_policies, read_window
from baselines.every import choose, copy_repository
from baselines.ripgrep import Ripgrep
from processes import measure
from tasks import Task, check_out


def _task(root: Path, text: str = "sum two amounts") -> Task:
    places = frozenset({("shop/money.py", 10)})
    return Task("t", "tree", root, text, frozenset({"shop/money.py"}), places, False)


def test_a_goal_costs_what_was_shown_until_then(tmp_path: Path) -> None:
    steps = [Shown(5), Shown(7, "a.py", 1, 9), Shown(11, "shop/money.py", 1, 9), Shown(13, "shop/money.py", 10, 12)]  # fmt: skip
    spent = follow(lambda task: iter(steps), _task(tmp_path))
    assert spent["file"] == {"met": True, "calls": 3, "tokens": 23}
    assert spent["function"] == {"met": True, "calls": 4, "tokens": 36}


def test_a_goal_never_met_costs_everything(tmp_path: Path) -> None:
    spent = follow(lambda task: iter([Shown(1, "a.py", 1, 9)] * 99), _task(tmp_path))
    assert spent["file"] == {"met": False, "calls": READS, "tokens": READS}


def test_names_of_the_code_are_tried_before_words() -> None:
    first, *rest = choose_terms(
        "The `parse_line` helper breaks HttpRequest when headers repeat headers"
    )
    assert first == ["parse_line", "HttpRequest"]
    assert rest[0] == ["headers"]


def test_a_window_lies_where_most_matches_are(tmp_path: Path) -> None:
    lines = ["x"] * 300
    lines[199] = lines[210] = "needle"
    (tmp_path / "a.py").write_text("\n".join(lines))
    shown = read_window(tmp_path, "a.py", ["needle"])
    assert shown.first <= 200
    assert shown.last >= 211
    assert shown.last - shown.first == 79


def test_tests_are_known_by_their_folder_or_name() -> None:
    assert is_test("tests/a.py")
    assert is_test("pkg/test_a.py")
    assert not is_test("pkg/contest.py")


def test_our_policy_reads_what_a_server_finds(sample: Path, tmp_path: Path) -> None:
    (ours,) = choose(tmp_path / "work", "agrama")
    root = copy_repository(ours, sample)
    measure(ours.index_command(root) or [], {**ours.environment})
    session = ours.serve(root)
    try:
        policies = make_policies(session, Ripgrep(tmp_path).serve(root))
        spent = follow(policies["agrama"], _task(root))
        whole = follow(policies["agrama, whole files"], _task(root))
    finally:
        session.close()
    assert spent["file"]["met"]
    assert 0 < spent["file"]["tokens"] < 2000
    assert whole["file"]["met"]
    assert whole["function"]["met"]


def test_a_tree_follows_its_commits(tmp_path: Path) -> None:
    source, root = tmp_path / "source", tmp_path / "trees" / "tree"
    root.mkdir(parents=True)
    source.mkdir()

    def git(*words: str) -> str:
        head = ["git", "-C", str(source), "-c", "user.name=n", "-c", "user.email=e@example.com"]
        done = subprocess.run([*head, *words], check=True, capture_output=True, text=True)
        return done.stdout.strip()

    git("init", "-q")
    commits = []
    for number, names in enumerate((("a.py", "b.py"), ("b.py", "c.py"))):
        for path in source.glob("*.py"):
            path.unlink()
        for name in names:
            (source / name).write_text(f"x = {number}\n")
        git("add", "-A")
        git("commit", "-qm", "c")
        commits.append(git("rev-parse", "HEAD"))
    check_out(source / ".git", commits[0], root)
    check_out(source / ".git", commits[1], root)
    assert {path.name: path.read_text() for path in root.iterdir()} == {"b.py": "x = 1\n", "c.py": "x = 1\n"}  # fmt: skip
