"""hybrid_search through the whole server core, on a real index."""

from pathlib import Path
from typing import Any

import pytest

from agrama.cli.local import call_tool
from agrama.errors import AgramaError, ToolError


def search(root: Path, query: str, **arguments: Any) -> dict[str, Any]:
    result = call_tool(root, "hybrid_search", {"query": query, **arguments})
    structured: dict[str, Any] = result["structuredContent"]
    return structured


def test_question_finds_the_function(indexed: Path) -> None:
    answer = search(indexed, "put an article into the basket")
    assert answer["results"][0]["path"] == "shop/basket.py"
    assert "basket" in answer["results"][0]["matching_terms"]


def test_filters_hold(indexed: Path) -> None:
    answer = search(indexed, "basket", path_glob="*.md")
    assert {row["path"] for row in answer["results"]} == {"README.md"}
    python = search(indexed, "basket", language="python")["results"]
    assert python
    assert {row["language"] for row in python} == {"python"}


def test_cursor_pages_through_all_results_once(indexed: Path) -> None:
    whole = [row["symbol"] for row in search(indexed, "basket money")["results"]]
    pages: list[str] = []
    cursor: dict[str, str] = {}
    while True:
        answer = search(indexed, "basket money", max_results=1, **cursor)
        pages += [row["symbol"] for row in answer["results"]]
        if "next_cursor" not in answer:
            break
        cursor = {"cursor": answer["next_cursor"]}
    assert pages == whole


def test_secrets_are_not_found(indexed: Path) -> None:
    assert all(row["path"] != ".env" for row in search(indexed, "TOKEN planted")["results"])


def test_changed_file_is_called_stale(indexed: Path) -> None:
    (indexed / "shop/basket.py").write_text("# emptied\n")
    assert search(indexed, "basket checkout")["stale_paths"] == ["shop/basket.py"]


@pytest.mark.parametrize("query", ["", "?", "日本語", "x" * 15000, "((?:a|b)*", "SELECT * FROM t"])
def test_odd_queries_get_an_answer(indexed: Path, query: str) -> None:
    assert search(indexed, query)["query"] == query


def test_no_index_is_said_with_the_next_action(sample: Path) -> None:
    with pytest.raises(ToolError, match="agrama index"):
        search(sample, "basket")


def test_foreign_cursor_is_refused(indexed: Path) -> None:
    with pytest.raises(AgramaError, match="cursor"):
        search(indexed, "basket", cursor="next please")


def test_modes_offered_are_the_modes_there_are() -> None:
    from agrama.graph.search import MODES
    from agrama.tools.hybrid_search import TOOL

    assert tuple(TOOL.input_schema["properties"]["mode"]["enum"]) == MODES
