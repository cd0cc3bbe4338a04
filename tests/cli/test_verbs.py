"""The command line as a user meets it: real processes, their output and exit status."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from agrama.cli import VERBS


def agrama(*words: str, cwd: Path, stdin: str = "") -> "subprocess.CompletedProcess[str]":
    command = [sys.executable, "-P", "-m", "agrama", *words]
    return subprocess.run(
        command, cwd=cwd, input=stdin, capture_output=True, text=True, timeout=60, check=False
    )


def test_first_contact_without_arguments_prints_help(tmp_path: Path) -> None:
    done = agrama(cwd=tmp_path)
    assert done.returncode == 2
    assert "agrama index ." in done.stdout


@pytest.mark.parametrize("verb", VERBS)
def test_every_verb_explains_itself(verb: str, tmp_path: Path) -> None:
    done = agrama(verb, "--help", cwd=tmp_path)
    assert done.returncode == 0
    assert f"agrama {verb}" in done.stdout


def test_index_then_search(sample: Path) -> None:
    assert agrama("index", cwd=sample).returncode == 0
    done = agrama("search", "put", "into", "basket", cwd=sample)
    assert done.returncode == 0
    assert done.stdout.startswith("shop/basket.py:")
    answer = json.loads(agrama("search", "--json", "basket", cwd=sample).stdout)
    assert answer["results"][0]["path"] == "shop/basket.py"


def test_search_without_matches_ends_with_one(indexed: Path) -> None:
    done = agrama("search", "zygomorphic", cwd=indexed)
    assert (done.returncode, done.stdout) == (1, "")
    assert "zygomorphic" in done.stderr


def test_call_prints_text_or_json(indexed: Path) -> None:
    words = ("call", "read_code", '{"path": "README.md"}')
    assert "# Shop" in agrama(*words, cwd=indexed).stdout
    assert json.loads(agrama(*words, "--json", cwd=indexed).stdout)["exists"] is True
    piped = agrama("call", "read_code", "-", cwd=indexed, stdin='{"path": "README.md"}')
    assert "# Shop" in piped.stdout


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("call", "read_cod", "{}"), "read_code"),
        (("call", "read_code", "{"), "not JSON"),
        (("call", "read_code", "[]"), "JSON object"),
        (("search", "--root", "/nonexistent", "x"), "/nonexistent is not a directory"),
        (("serve", "--root", "/nonexistent"), "/nonexistent is not a directory"),
        (("serve", "--toolsets", "cor"), "core"),
    ],
    ids=lambda value: str(value)[:40],
)
def test_mistakes_are_one_line_and_exit_one(
    indexed: Path, words: tuple[str, ...], told: str
) -> None:
    done = agrama(*words, cwd=indexed)
    assert done.returncode == 1
    assert told in done.stderr
    assert "Traceback" not in done.stderr


def test_a_users_own_graph_package_is_never_imported(indexed: Path) -> None:
    (indexed / "graph").mkdir()
    (indexed / "graph/__init__.py").write_text("raise SystemExit('imported')\n")
    os.environ["PYTHONPATH"] = "."
    try:
        done = agrama("search", "basket", cwd=indexed)
    finally:
        del os.environ["PYTHONPATH"]
    assert done.returncode == 0
