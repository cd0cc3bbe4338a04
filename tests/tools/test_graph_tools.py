"""find_symbol, find_references and analyze_dependencies through the whole server core."""

import re
from pathlib import Path
from typing import Any

import pytest

from agrama.cli import main
from agrama.cli.local import call_tool
from agrama.errors import AgramaError


def call(root: Path, tool: str, **arguments: Any) -> dict[str, Any]:
    structured: dict[str, Any] = call_tool(root, tool, arguments)["structuredContent"]
    return structured


@pytest.mark.parametrize(
    ("name", "first"),
    [
        ("Money", "shop/money.py::Money"),
        ("money", "shop/money.py::Money"),
        ("Money.add", "shop/money.py::Money.add"),
        ("check", "shop/basket.py::checkout"),
        ("chkout", "shop/basket.py::checkout"),
        ("chekcout", "shop/basket.py::checkout"),
        ("Moneyy", "shop/money.py::Money"),
        ("Money.addd", "shop/money.py::Money.add"),
        ("shop/basket.py::Basket", "shop/basket.py::Basket"),
    ],
)
def test_find_symbol_by_name(indexed: Path, name: str, first: str) -> None:
    assert call(indexed, "find_symbol", name=name)["symbols"][0]["symbol"] == first


def test_find_symbol_filters(indexed: Path) -> None:
    found = call(indexed, "find_symbol", name="basket", kind="class")["symbols"]
    assert [row["symbol"] for row in found] == ["shop/basket.py::Basket"]
    assert call(indexed, "find_symbol", name="Money", path_glob="*.md")["symbols"] == []


def test_references_have_evidence(indexed: Path) -> None:
    answer = call(indexed, "find_references", symbol="shop/money.py::Money.add")
    (row,) = answer["references"]
    assert row["symbol"] == "shop/basket.py::Basket.put"
    assert (row["path"], row["line"], row["column"]) == ("shop/basket.py", 12, 32)
    assert row["text"] == "self.total = self.total.add(price)"
    assert row["confidence"] >= 0.5


def test_references_by_position_and_page(indexed: Path) -> None:
    answer = call(indexed, "find_references", path="shop/money.py", line=4, column=6)
    assert answer["definition"]["symbol"] == "shop/money.py::Money"
    first = call(indexed, "find_references", symbol="Money", max_results=1)
    rest = call(indexed, "find_references", symbol="Money", cursor=first["next_cursor"])
    assert first["references"] + rest["references"] == answer["references"]


def test_dependencies_of_a_file(indexed: Path) -> None:
    answer = call(indexed, "analyze_dependencies", path="shop/basket.py")
    assert {row["symbol"]: row["distance"] for row in answer["nodes"]} == {
        "shop/basket.py": 0,
        "shop/money.py": 1,
    }
    assert answer["impact"] == {"symbols": 0, "files": 0, "tests": []}
    assert answer["cycles"] == []


def test_shortest_chain_and_picture(indexed: Path) -> None:
    ends = {"symbol": "Basket.put", "to": "Money.add"}
    (edge,) = call(indexed, "analyze_dependencies", **ends)["path"]
    assert (edge["kind"], edge["line"]) == ("calls", 12)
    picture = call(indexed, "analyze_dependencies", symbol="Basket.put", format="mermaid")
    assert "shop/money.py::Money.add" in picture["mermaid"]


def test_an_import_cycle_is_found(sample: Path) -> None:
    from agrama.cli import main

    (sample / "one.py").write_text("import two\n")
    (sample / "two.py").write_text("import one\n")
    assert main(["index", str(sample), "--quiet"]) == 0
    answer = call(sample, "analyze_dependencies", path="one.py", analysis_type="circular")
    assert answer["cycles"] == [["one.py", "two.py"]]


@pytest.mark.parametrize(
    ("tool", "arguments", "word"),
    [
        ("find_symbol", {"name": ""}, "name"),
        ("find_references", {}, "symbol"),
        ("find_references", {"symbol": "Mony"}, "Money"),
        ("find_references", {"symbol": "__init__"}, "several"),
        ("find_references", {"path": "shop/money.py", "line": 2, "column": 0}, "money.py:2:0"),
        ("analyze_dependencies", {"path": "shop/nowhere.py"}, "nowhere"),
    ],
)
def test_refusals_name_candidates(
    indexed: Path, tool: str, arguments: dict[str, Any], word: str
) -> None:
    with pytest.raises(AgramaError, match=word):
        call(indexed, tool, **arguments)


@pytest.mark.parametrize(
    ("symbol", "meant"),
    [
        ("Money.addd", "shop/money.py::Money.add"),
        ("shop/money.py::Money.adds", "shop/money.py::Money.add"),
        ("shop/mony.py::Money.add", "shop/money.py::Money.add"),
        ("shop/mony.py", "shop/money.py"),
        ("Bsaket", "shop/basket.py::Basket"),
    ],
)
def test_a_slip_of_the_pen_gets_what_was_meant(indexed: Path, symbol: str, meant: str) -> None:
    for tool in ("find_references", "analyze_dependencies"):
        with pytest.raises(AgramaError, match="did you mean " + re.escape(meant)):
            call(indexed, tool, symbol=symbol)


@pytest.fixture
def large(tmp_path: Path, index_home: Path) -> Path:
    """A function that four hundred call, and 150 files that import one another in a ring."""
    files = {f"ring_{n}.py": f"import ring_{(n + 1) % 150}\n" for n in range(150)}
    for name, text in {**files, "hub.py": HUB}.items():
        (tmp_path / "large").mkdir(exist_ok=True)
        (tmp_path / "large" / name).write_text(text)
    assert main(["index", str(tmp_path / "large"), "--quiet"]) == 0
    return tmp_path / "large"


HUB = "def hub():\n    pass\n" + "".join(f"def part_{n}():\n    hub()\n" for n in range(400))


@pytest.mark.parametrize(
    ("tool", "arguments"),
    [
        ("analyze_impact", {"paths": ["hub.py"]}),
        ("analyze_dependencies", {"symbol": "hub.py::hub", "direction": "reverse"}),
        ("analyze_dependencies", {"symbol": "hub.py::hub", "format": "mermaid"}),
        ("analyze_dependencies", {"symbol": "hub.py::hub", "format": "dot", "max_nodes": 500}),
        ("analyze_dependencies", {"path": "ring_0.py", "analysis_type": "circular"}),
        ("find_references", {"symbol": "hub.py::hub"}),
        ("get_context", {"task": "change hub", "paths": ["hub.py"]}),
    ],
)
def test_an_answer_keeps_to_its_budget_and_says_what_it_left_out(
    large: Path, tool: str, arguments: dict[str, Any]
) -> None:
    for tokens in (300, 1_000, 8_000):
        result = call_tool(large, tool, {**arguments, "max_tokens": tokens})
        text = result["content"][0]["text"]
        # Headings and coverage come on top of a very small budget.
        assert len(text) <= 3 * tokens + 1_000
        if tokens == 300 and tool != "get_context":
            assert "left out" in text or "cursor" in text or "next" in text
