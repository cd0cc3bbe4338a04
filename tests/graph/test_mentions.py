"""Which tests speak of a change, told from small repositories."""

from pathlib import Path

from conftest import write_tree

from agrama.cli import main
from agrama.graph.impact import find_affected, rank_tests
from agrama.graph.mentions import find_spoken
from agrama.workspace import Workspace

FILES = {
    "shop/cookies.py": """def dump_cookie(name, value):
    return f"{name}={value}"
""",
    "tests/test_shop.py": """import pytest


def test_prices_are_whole():
    assert 1 + 1 == 2


@pytest.mark.parametrize("max_age", [1, 2])
def test_age(client, max_age):
    def view():
        return "cookie expires"

    assert client.get("/").headers["Set-Cookie"]


def test_dump_cookie(client):
    assert client.get("/cookie").text


class TestCookies:
    def helper(self):
        return "cookie"
""",
}


def spoken(root: Path, words: list[str], symbols: list[str]) -> dict[str, tuple[float, float]]:
    write_tree(root, FILES)
    assert main(["index", str(root), "--quiet"]) == 0
    workspace = Workspace(root)
    try:
        with workspace.open_snapshot() as snapshot:
            found = find_spoken(snapshot, words, symbols)
            return {name.rpartition("::")[2]: tuple(score) for name, score in found.items()}
    finally:
        workspace.close()


def test_each_test_is_scored_by_its_own_words(tmp_path: Path) -> None:
    found = spoken(tmp_path, ["cookie", "expires"], [])
    assert set(found) == {"test_age", "test_dump_cookie"}
    assert found["test_age"][0] == 1
    assert found["test_dump_cookie"][0] < 1


def test_a_test_named_after_the_change_is_told_apart(tmp_path: Path) -> None:
    found = spoken(tmp_path, [], ["shop/cookies.py::dump_cookie"])
    assert found["test_dump_cookie"][1] == 1
    assert found["test_age"][1] == 0


def test_decorators_belong_to_their_test(tmp_path: Path) -> None:
    found = spoken(tmp_path, ["parametrize"], [])
    assert set(found) == {"test_age"}


def test_keywords_of_languages_say_nothing(tmp_path: Path) -> None:
    assert spoken(tmp_path, ["def", "return", "assert", "class"], []) == {}


def test_tests_that_no_edge_leads_to_are_ranked_too(tmp_path: Path) -> None:
    write_tree(tmp_path, FILES)
    assert main(["index", str(tmp_path), "--quiet"]) == 0
    workspace = Workspace(tmp_path)
    try:
        with workspace.open_snapshot() as snapshot:
            changed = ["shop/cookies.py::dump_cookie"]
            ranked = rank_tests(snapshot, changed, find_affected(snapshot, changed))
    finally:
        workspace.close()
    assert ranked[0].symbol == "tests/test_shop.py::test_dump_cookie"
    assert (ranked[0].distance, ranked[0].reason) == (None, "is named after it")
