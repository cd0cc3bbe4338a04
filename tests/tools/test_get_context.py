"""get_context on a real index."""

from pathlib import Path
from typing import Any

import pytest

from agrama.cli.local import call_tool
from agrama.errors import AgramaError


def get(root: Path, **arguments: Any) -> dict[str, Any]:
    structured: dict[str, Any] = call_tool(root, "get_context", arguments)["structuredContent"]
    return structured


def test_a_task_brings_its_code_and_a_map(indexed: Path) -> None:
    answer = get(indexed, task="put an article into the basket")
    assert answer["relevant"][0]["path"] == "shop/basket.py"
    assert answer["repo_map"].startswith("shop/basket.py\n")
    assert "shop/money.py" in answer["repo_map"]
    assert answer["recent_changes"] == []


def test_named_places_come_first(indexed: Path) -> None:
    answer = get(indexed, symbols=["Money.add"], paths=["README.md"])
    assert [row["symbol"] for row in answer["relevant"]] == [
        "README.md",
        "shop/money.py::Money.add",
    ]


def test_decisions_about_the_code_are_told(indexed: Path) -> None:
    decision = {
        "decision": "Count in cents",
        "reasoning": "no rounding",
        "paths": ["shop/money.py"],
    }
    call_tool(indexed, "record_decision", decision)
    answer = get(indexed, paths=["shop/money.py"])
    assert [row["decision"] for row in answer["decisions"]] == ["Count in cents"]


def test_the_budget_holds(indexed: Path) -> None:
    for number in range(60):
        (indexed / f"part{number}.py").write_text(
            f"def basket_{number}():\n    return 'basket'\n" * 9
        )
    from agrama.cli import main

    assert main(["index", str(indexed), "--quiet"]) == 0
    assert len(str(get(indexed, task="basket", max_tokens=400))) < 400 * 5


def test_nothing_asked_is_said(indexed: Path) -> None:
    with pytest.raises(AgramaError, match="task"):
        get(indexed)
