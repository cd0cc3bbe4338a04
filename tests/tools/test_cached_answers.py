"""Nothing that happens to what a cached answer speaks of lets it be given once more, word for word."""

import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from agrama.bench.client import Client
from agrama.cli import main
from agrama.graph.keys import repository_folder
from agrama.graph.store import set_aside

REQUEST = "find_references", {"symbol": "Money.add"}


@pytest.fixture
def server(indexed: Path) -> Iterator[Client]:
    client = Client([sys.executable, "-m", "agrama", "serve", "--root", str(indexed), "--no-index"])
    client.handshake()
    yield client
    client.close()


def ask(server: Client, tool: str = REQUEST[0], **arguments: Any) -> tuple[str, dict[str, Any]]:
    """Whether the answer came from the cache, and the answer."""
    result = server.call(tool, arguments or REQUEST[1])["result"]
    return result["_meta"]["agrama/cache"], result["structuredContent"]


def warm(server: Client, tool: str = REQUEST[0], **arguments: Any) -> dict[str, Any]:
    """An answer that is known to come from the cache each time it is asked for."""
    ask(server, tool, **arguments)
    for _ in range(3):
        hit, answer = ask(server, tool, **arguments)
        assert hit == "hit"
    return answer


def index_again(root: Path) -> None:
    assert main(["index", str(root), "--quiet"]) == 0


def build_anew(root: Path) -> None:
    set_aside(repository_folder(root))
    index_again(root)


def edit_and_index(root: Path) -> None:
    path = root / "shop/other.py"
    path.write_text(
        "from shop.money import Money\n\n\ndef f(a: Money) -> Money:\n    return a.add(a)\n"
    )
    index_again(root)


def decide(root: Path) -> None:
    decision = '{"decision": "d", "reasoning": "r", "paths": ["shop/basket.py"]}'
    assert main(["call", "record_decision", decision, "--root", str(root)]) == 0


def edit(root: Path) -> None:
    with (root / "shop/basket.py").open("a") as file:
        file.write("\n")


def replace(root: Path) -> None:
    fresh = root / "fresh"
    fresh.write_text((root / "shop/basket.py").read_text() + "\n")
    fresh.replace(root / "shop/basket.py")


def move_folder(root: Path) -> None:
    (root / "shop").rename(root / "store")


CHANGES = [build_anew, edit_and_index, decide, edit, replace, move_folder]


@pytest.mark.parametrize("change", CHANGES)
def test_no_answer_from_before_is_given_after(
    server: Client, indexed: Path, change: Callable[[Path], None], capfd: Any
) -> None:
    warm(server)
    change(indexed)
    assert ask(server)[0] == "miss"


def test_every_decision_is_seen_by_the_next_answer(server: Client, indexed: Path) -> None:
    read = {"path": "shop/basket.py"}
    assert "decisions" not in warm(server, "read_code", **read)
    for number in range(1, 4):
        decide(indexed)  # the first makes the journal, which was not there when we looked
        assert len(ask(server, "read_code", **read)[1]["decisions"]) == number
        warm(server, "read_code", **read)


def test_a_message_leaves_cached_answers_alone(server: Client, indexed: Path) -> None:
    session = server.call("create_session", {"name": "s", "agent_id": "a"})["result"]
    identity = session["structuredContent"]["session_id"]
    warm(server)
    said = {"session_id": identity, "role": "agent", "content": "hello", "agent_id": "a"}
    assert "error" not in server.call("append_message", said)
    assert ask(server)[0] == "hit"
