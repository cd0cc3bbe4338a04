"""Tools that ask git, on a real repository."""

import subprocess
from pathlib import Path
from typing import Any

import pytest

from agrama.cli import main
from agrama.cli.local import call_tool
from agrama.errors import AgramaError


def git(root: Path, *words: str) -> None:
    identity = ("-c", "user.name=Ada", "-c", "user.email=ada@example.org")
    subprocess.run(["git", *identity, *words], cwd=root, check=True, capture_output=True)


def call(root: Path, tool: str, **arguments: Any) -> dict[str, Any]:
    structured: dict[str, Any] = call_tool(root, tool, arguments)["structuredContent"]
    return structured


@pytest.fixture
def committed(sample: Path) -> Path:
    (sample / "tests").mkdir()
    (sample / "tests/test_money.py").write_text(
        "from shop.money import Money\n\n\ndef test_add():\n    assert Money(1).add(Money(2)).cents == 3\n"
        "\n\ndef test_nothing():\n    assert True\n"
    )
    git(sample, "init", "-q")
    git(sample, "add", ".")
    git(sample, "commit", "-qm", "Open the shop")
    path = sample / "shop/money.py"
    path.write_text(
        path.read_text().replace("self.cents + other.cents", "other.cents + self.cents")
    )
    git(sample, "commit", "-qam", "Swap the summands")
    assert main(["index", str(sample), "--quiet"]) == 0
    return sample


def test_history_of_a_file_and_of_a_symbol(committed: Path) -> None:
    commits = call(committed, "query_history", path="shop/money.py")["commits"]
    assert [row["subject"] for row in commits] == ["Swap the summands", "Open the shop"]
    assert (commits[0]["added"], commits[0]["deleted"], commits[0]["author"]) == (1, 1, "Ada")
    constructor = call(committed, "query_history", symbol="shop/money.py::Money.__init__")
    assert [row["subject"] for row in constructor["commits"]] == ["Open the shop"]
    diff = call(committed, "query_history", symbol="Money.add", include_diff=True)["commits"][0][
        "diff"
    ]
    assert "+        return Money(other.cents + self.cents)" in diff


def test_churn_and_hotspots(committed: Path) -> None:
    answer = call(committed, "analyze_code_churn", path="shop")
    assert answer["files"][0]["path"] == "shop/money.py"
    assert answer["files"][0]["commits"] == 2


def test_impact_of_a_diff_names_the_test(committed: Path) -> None:
    answer = call(committed, "analyze_impact", base_ref="HEAD~1")
    assert answer["changed_symbols"] == ["shop/money.py::Money.add"]
    assert answer["tests_to_run"][0]["symbol"] == "tests/test_money.py::test_add"
    assert answer["tests_to_run"][0]["distance"] == 1
    affected = {row["symbol"] for row in answer["affected"]}
    assert "shop/basket.py::Basket.put" in affected


def test_an_unapplied_diff_uses_the_old_lines(committed: Path) -> None:
    diff = (
        "--- a/shop/money.py\n+++ b/shop/money.py\n@@ -12 +12,9 @@\n"
        "-        return Money(other.cents + self.cents)\n" + "+        pass\n" * 9
    )
    assert call(committed, "analyze_impact", diff=diff)["changed_symbols"] == [
        "shop/money.py::Money.add"
    ]


def test_complexity_measures_functions(committed: Path) -> None:
    answer = call(committed, "analyze_complexity", path="shop", top_files=1, max_cyclomatic=0)
    assert answer["summary"]["functions"] == 5
    assert len(answer["violations"]) == 5
    assert answer["top_files"]["rankings"][0]["rank"] == 1


@pytest.mark.parametrize(
    ("tool", "arguments", "word"),
    [
        ("query_history", {"path": "../x"}, "inside the repository"),
        ("analyze_impact", {}, "nothing to analyze"),
        ("analyze_impact", {"base_ref": "--output=planted"}, "not a git revision"),
        ("analyze_impact", {"base_ref": "no-such-ref"}, "no-such-ref"),
        ("analyze_complexity", {"path": "nowhere"}, "nowhere"),
    ],
)
def test_refusals(committed: Path, tool: str, arguments: dict[str, Any], word: str) -> None:
    with pytest.raises(AgramaError, match=word):
        call(committed, tool, **arguments)
    assert not (committed / "planted").exists()


def test_a_repositorys_own_programs_are_not_run(committed: Path) -> None:
    planted = committed / "planted"
    git(committed, "config", "diff.external", f"touch {planted}")
    git(committed, "config", "core.fsmonitor", f"touch {planted}")
    call(committed, "query_history", path="shop/money.py", include_diff=True)
    call(committed, "analyze_impact", base_ref="HEAD~1")
    assert not planted.exists()


def test_no_git_is_said(sample: Path) -> None:
    assert main(["index", str(sample), "--quiet"]) == 0
    answer = call(sample, "query_history")
    assert (answer["commits"], answer["writes"]) == ([], [])
    assert "git" in answer["history_missing"]
    with pytest.raises(AgramaError, match="git"):
        call(sample, "analyze_code_churn")


def test_owners_are_those_declared_then_those_who_changed_most(committed: Path) -> None:
    (committed / "CODEOWNERS").write_text("*.md @writers\n/shop/ @sellers # the shop\n")
    answer = call(committed, "analyze_impact", symbols=["Money.add"])
    assert [(row["name"], row["source"]) for row in answer["owners"]] == [
        ("@sellers", "codeowners"),
        ("Ada", "git"),
    ]
    assert answer["owners"][1]["commits"] == 2
    assert "coverage" in answer


def test_owners_without_history_are_said_to_be_missing(indexed: Path) -> None:
    answer = call(indexed, "analyze_impact", symbols=["Money.add"])
    assert answer["owners"] == []
    assert "git" in answer["owners_missing"]
