"""read_code through the whole server core, on a real index."""

import os
from pathlib import Path
from typing import Any

import pytest

from agrama.cli.local import call_tool
from agrama.errors import AgramaError


def read(root: Path, **arguments: Any) -> dict[str, Any]:
    structured: dict[str, Any] = call_tool(root, "read_code", arguments)["structuredContent"]
    return structured


def test_whole_file_with_symbols_and_dependencies(indexed: Path) -> None:
    answer = read(indexed, path="shop/money.py")
    assert answer["content"] == (indexed / "shop/money.py").read_text()
    assert (answer["start_line"], answer["end_line"], answer["language"]) == (1, 12, "python")
    names = [row["symbol"] for row in answer["symbols"]]
    assert names[0] == "shop/money.py::Money"
    assert "shop/money.py::Money.add" in names
    assert [row["symbol"] for row in answer["dependencies"]["imported_by"]] == ["shop/basket.py"]
    callers = {row["symbol"]: row for row in answer["dependencies"]["called_by"]}
    assert callers["shop/basket.py::Basket.put"]["line"] == 12
    assert "stale" not in answer


def test_symbol_reads_its_lines_only(indexed: Path) -> None:
    answer = read(indexed, symbol="shop/basket.py::checkout")
    assert answer["content"].startswith("def checkout(")
    assert (answer["start_line"], answer["end_line"]) == (15, 17)
    assert read(indexed, symbol="checkout")["symbol"] == "shop/basket.py::checkout"


def test_alias_and_range(indexed: Path) -> None:
    answer = read(indexed, file_path="shop/money.py", start_line=4, end_line=5)
    assert answer["content"].splitlines() == ["class Money:", '    """An amount in cents."""']


def test_budget_cuts_and_says_where_to_go_on(indexed: Path) -> None:
    (indexed / "long.py").write_text("".join(f"value_{n} = {n}\n" for n in range(2000)))
    answer = read(indexed, path="long.py", max_tokens=300)
    assert len(answer["content"]) <= 900
    rest = read(indexed, path="long.py", start_line=answer["next_start_line"])
    assert rest["content"].startswith(f"value_{answer['end_line']} = ")


def test_one_line_over_the_budget_is_cut_and_said(indexed: Path) -> None:
    (indexed / "minified.js").write_text("var a=" + "1+" * 50_000 + "1;\nvar b;\n")
    answer = read(indexed, path="minified.js", max_tokens=300)
    assert len(answer["content"]) < 900
    assert (answer["cut_line"], answer["next_start_line"]) == (1, 2)


def test_changed_file_is_read_fresh_and_called_stale(indexed: Path) -> None:
    path = indexed / "shop/money.py"
    path.write_text("# moved\n" + path.read_text())
    answer = read(indexed, path="shop/money.py")
    assert answer["content"].startswith("# moved\n")
    assert answer["stale"] is True
    assert answer["stale_paths"] == ["shop/money.py"]


def test_missing_file_is_said_with_near_names(indexed: Path) -> None:
    answer = read(indexed, path="shop/monay.py")
    assert answer["exists"] is False
    assert "shop/money.py" in answer["similar_paths"]


def test_a_file_can_be_read_before_there_is_an_index(sample: Path) -> None:
    answer = read(sample, path="shop/money.py")
    assert answer["content"].startswith('"""Money')
    assert answer["symbols"] == []


@pytest.mark.parametrize(
    ("arguments", "word"),
    [
        ({}, "path or symbol"),
        ({"path": ".env"}, "secrets"),
        ({"path": "../outside"}, "inside the repository"),
        ({"path": "shop"}, "directory"),
        ({"path": "pipe"}, "FIFO"),
        ({"path": "image.py"}, "binary"),
        ({"path": "shop/money.py", "start_line": 5, "end_line": 4}, "before start_line"),
        ({"symbol": "no_such_name"}, "no_such_name"),
        ({"symbol": "__init__"}, "shop/money.py::Money.__init__"),
        ({"pth": "shop/money.py"}, "path"),
        ({"path": 7}, "path"),
    ],
    ids=lambda value: str(value)[:30],
)
def test_refusals_name_the_thing(indexed: Path, arguments: dict[str, Any], word: str) -> None:
    os.mkfifo(indexed / "pipe")
    (indexed / "image.py").write_bytes(b"\x89PNG\0\0")
    with pytest.raises(AgramaError, match=word):
        read(indexed, **arguments)
