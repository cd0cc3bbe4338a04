"""find_symbol, find_references and analyze_dependencies through the whole server core."""

from pathlib import Path
from typing import Any

import pytest

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
