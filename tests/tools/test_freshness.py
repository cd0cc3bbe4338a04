"""Answers about files that changed since they were indexed, with and without an indexer at work."""

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from agrama.bench.client import Client
from agrama.graph.keys import repository_folder
from agrama.indexer.doorbell import ask_indexer

SECONDS = 30.0


@pytest.fixture
def watched(indexed: Path) -> Iterator[Path]:
    """A repository whose indexer answers, but is told of no change by the file system."""
    command = [sys.executable, "-P", "-m", "agrama", "index", str(indexed), "--watch", "--quiet"]
    process = subprocess.Popen([*command, "--exit-with-parent"], stdin=subprocess.PIPE)
    folder = repository_folder(indexed)
    while not (folder / "indexer.sock").exists():
        assert process.poll() is None
    assert ask_indexer(folder, None, SECONDS) is not None
    yield indexed
    assert process.stdin is not None
    process.stdin.close()
    process.wait(timeout=20)


@pytest.fixture
def server(watched: Path) -> Iterator[Client]:
    client = Client([sys.executable, "-m", "agrama", "serve", "--root", str(watched), "--no-index"])
    client.handshake()
    yield client
    client.close()


def call(server: Client, tool: str, **arguments: Any) -> dict[str, Any]:
    structured: dict[str, Any] = server.call(tool, arguments)["result"]["structuredContent"]
    return structured


def test_a_changed_file_is_indexed_again_before_the_answer(server: Client, watched: Path) -> None:
    path = watched / "shop/money.py"
    for number in range(5):
        path.write_text(f"# {'more ' * number}\n" + path.read_text())
        answer = call(server, "read_code", path="shop/money.py")
        assert "stale" not in answer
        assert answer["symbols"][0]["start_line"] == 5 + number


def test_new_callers_are_found_in_a_file_that_had_one(server: Client, watched: Path) -> None:
    assert call(server, "find_references", symbol="Money.add")["total"] == 1
    path = watched / "shop/basket.py"
    path.write_text(
        path.read_text() + "\n\ndef twice(price: Money) -> Money:\n    return price.add(price)\n"
    )
    answer = call(server, "find_references", symbol="Money.add")
    assert "stale" not in answer
    assert answer["total"] == 2


def test_a_deleted_file_is_noticed(server: Client, watched: Path) -> None:
    assert call(server, "find_symbol", name="checkout")["symbols"]
    (watched / "shop/basket.py").unlink()
    assert not any(
        row["symbol"].endswith("::checkout")
        for row in call(server, "find_symbol", name="checkout")["symbols"]
    )


def test_a_cached_answer_goes_with_the_file_it_speaks_of(indexed: Path) -> None:
    command = [sys.executable, "-m", "agrama", "serve", "--root", str(indexed), "--no-index"]
    client = Client(command)
    try:
        client.handshake()
        assert "stale" not in call(client, "find_references", symbol="Money.add")
        path = indexed / "shop/basket.py"
        path.write_text("# changed\n" + path.read_text())
        answer = call(client, "find_references", symbol="Money.add")
        assert answer["stale_paths"] == ["shop/basket.py"]
    finally:
        client.close()
