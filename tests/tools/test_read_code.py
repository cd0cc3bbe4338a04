"""read_code through the whole server core, on a real index."""

import os
import subprocess
import time
from pathlib import Path
from typing import Any

import pytest

from agrama.cli import main
from agrama.cli.local import call_tool
from agrama.errors import AgramaError
from agrama.tools.answers import count_tokens


def read(root: Path, **arguments: Any) -> dict[str, Any]:
    structured: dict[str, Any] = call_tool(root, "read_code", arguments)["structuredContent"]
    return structured


def git(root: Path, *words: str) -> None:
    person = ("-c", "user.name=Ada", "-c", "user.email=ada@example.org")
    subprocess.run(["git", *person, *words], cwd=root, check=True, capture_output=True)


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


def test_a_file_over_the_budget_comes_as_an_outline(indexed: Path) -> None:
    functions = "".join(f"def step_{n}(value):\n    return value + {n}\n\n\n" for n in range(300))
    (indexed / "shop/steps.py").write_text(functions)
    assert main(["index", str(indexed), "--quiet"]) == 0
    answer = read(indexed, path="shop/steps.py", max_tokens=1000)
    assert answer["outline"] is True
    assert answer["content"].startswith("1-2: def step_0(value)")
    assert (answer["start_line"], answer["end_line"]) == (1, answer["total_lines"])
    assert len(answer["content"]) < 3000
    part = read(indexed, path="shop/steps.py", start_line=5, end_line=6, max_tokens=1000)
    assert part["content"] == "def step_1(value):\n    return value + 1\n"
    assert "outline" not in part


def test_lines_are_numbered_on_request(indexed: Path) -> None:
    answer = read(indexed, symbol="checkout", line_numbers=True)
    assert answer["content"].startswith("15\tdef checkout(")
    assert answer["content"].endswith("17\t    return basket.total\n")


def test_dependencies_some_steps_deep(indexed: Path) -> None:
    (indexed / "shop/till.py").write_text(
        "from shop.basket import Basket\n\n\ndef sell(price):\n    Basket().put(price)\n"
    )
    assert main(["index", str(indexed), "--quiet"]) == 0
    near = read(indexed, symbol="Money.add")["dependencies"]["called_by"]
    assert [row["symbol"] for row in near] == ["shop/basket.py::Basket.put"]
    deep = read(indexed, symbol="Money.add", dependency_depth=2)["dependencies"]["called_by"]
    assert [(row["symbol"], row.get("distance", 1)) for row in deep] == [
        ("shop/basket.py::Basket.put", 1),
        ("shop/till.py::sell", 2),
    ]


def test_similar_code_is_told_above_a_threshold(indexed: Path) -> None:
    copy = (indexed / "shop/money.py").read_text().replace("Money", "Cash")
    (indexed / "shop/cash.py").write_text(copy)
    assert main(["index", str(indexed), "--quiet"]) == 0
    similar = read(indexed, path="shop/money.py")["semantic_context"]["similar"]
    assert similar[0]["path"] == "shop/cash.py"
    assert similar[0]["similarity"] > 0.5
    none = read(indexed, path="shop/money.py", semantic_similarity_threshold=1.1)
    assert none["semantic_context"]["similar"] == []
    without = read(indexed, path="shop/money.py", include_semantic_context=False)
    assert "semantic_context" not in without


def test_history_of_a_file_and_of_a_symbol(indexed: Path) -> None:
    git(indexed, "init", "-q")
    git(indexed, "add", ".")
    git(indexed, "commit", "-qm", "Open the shop")
    path = indexed / "shop/money.py"
    path.write_text(path.read_text().replace("other.cents)", "other.cents + 0)"))
    git(indexed, "commit", "-qam", "Round nothing")
    assert main(["index", str(indexed), "--quiet"]) == 0
    whole = read(indexed, path="shop/money.py", include_history=True)["history"]
    assert [row["subject"] for row in whole] == ["Round nothing", "Open the shop"]
    one = read(indexed, path="shop/money.py", include_history=True, history_limit=1)["history"]
    assert [row["subject"] for row in one] == ["Round nothing"]
    start = read(indexed, symbol="Money.__init__", include_history=True)["history"]
    assert [row["subject"] for row in start] == ["Open the shop"]


def test_no_history_is_said(indexed: Path) -> None:
    answer = read(indexed, path="shop/money.py", include_history=True)
    assert answer["history"] == []
    assert "git" in answer["history_missing"]


def test_what_could_hide_dependencies_is_counted(indexed: Path) -> None:
    (indexed / "shop/broken.py").write_text("def half(:\n    unknown.call(\n")
    (indexed / "shop/loose.py").write_text("def go(thing):\n    thing.fly()\n")
    assert main(["index", str(indexed), "--quiet"]) == 0
    coverage = read(indexed, path="shop/loose.py")["coverage"]
    assert coverage["unresolved_calls"] >= 1
    assert coverage["call_sites"] > coverage["unresolved_calls"]
    assert coverage["partial_files"] == 1
    assert coverage["examples"] == ["shop/broken.py"]


def test_what_never_ends_or_is_huge_is_answered_at_once(indexed: Path) -> None:
    os.mkfifo(indexed / "shop/pipe.py")
    (indexed / "shop/zero.py").symlink_to("/dev/zero")
    with (indexed / "shop/sparse.py").open("wb") as file:
        file.truncate(1 << 30)
    started = time.monotonic()
    assert main(["index", str(indexed), "--quiet"]) == 0
    for name in ("pipe", "zero", "sparse"):
        with pytest.raises(AgramaError, match=f"{name}.py"):
            read(indexed, path=f"shop/{name}.py")
    assert time.monotonic() - started < 10


def test_a_default_answer_keeps_to_its_budget(indexed: Path) -> None:
    wide = "".join(
        f"def step_{n}(value):\n    return value + {n}  # {'x' * 30}\n" for n in range(240)
    )
    (indexed / "shop/wide.py").write_text(wide)
    users = "".join(f"def use_{n}():\n    wide.step_{n}(1)\n" for n in range(240))
    (indexed / "shop/users.py").write_text("from shop import wide\n\n\n" + users)
    assert main(["index", str(indexed), "--quiet"]) == 0
    result = call_tool(indexed, "read_code", {"path": "shop/wide.py"})
    assert result["structuredContent"]["content"] == wide
    assert result["structuredContent"]["dependencies"]["called_by"]
    assert result["structuredContent"]["omitted"]["called_by"] > 0
    assert count_tokens(result["content"][0]["text"]) <= 8000
