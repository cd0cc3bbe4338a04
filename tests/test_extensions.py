"""A user's own tools and middleware, as docs/extending.md says, in a real server."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from agrama.errors import InvalidParamsError
from agrama.extensions import load_entries, load_middleware
from agrama.prompts import PROMPTS

DOCUMENT = Path(__file__).parents[1] / "docs" / "extending.md"


def _serve(tmp_path: Path, *words: str, **variables: str) -> subprocess.CompletedProcess[str]:
    """The document's module beside the server, and its tool called once."""
    (module,) = re.findall(r"```python\n(.*?)```", DOCUMENT.read_text(), re.DOTALL)
    (tmp_path / "packages").mkdir()
    (tmp_path / "packages" / "house_rules.py").write_text(module)
    root = tmp_path / "project"
    root.mkdir()
    (root / "a.py").write_text("x = 1\n")
    environment = os.environ | {"PYTHONPATH": str(tmp_path / "packages"), **variables}
    command = [sys.executable, "-m", "agrama"]
    subprocess.run([*command, "index", str(root)], env=environment, check=True, capture_output=True)
    call = {"name": "count_files", "arguments": {"suffix": ".py"}}
    messages: list[dict[str, Any]] = [
        {"id": 1, "method": "initialize", "params": {"protocolVersion": "2025-06-18"}},
        {"method": "notifications/initialized"},
        {"id": 2, "method": "logging/setLevel", "params": {"level": "info"}},
        {"id": 3, "method": "tools/call", "params": call},
    ]
    text = "".join(json.dumps({"jsonrpc": "2.0", **message}) + "\n" for message in messages)
    return subprocess.run(
        [*command, "serve", "--no-index", "--root", str(root), *words],
        env=environment,
        input=text,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


def _check(done: subprocess.CompletedProcess[str]) -> None:
    messages = [json.loads(line) for line in done.stdout.splitlines()]
    answer = next(message for message in messages if message.get("id") == 3)
    assert answer["result"]["structuredContent"] == {"files": 1}, done.stderr
    logged = [each["params"]["data"] for each in messages if "message" in each.get("method", "")]
    assert "tools/call" in logged


def test_the_documented_extension_answers(tmp_path: Path) -> None:
    words = ("--extension", "house_rules:COUNT", "--middleware", "house_rules:trace")
    _check(_serve(tmp_path, *words))


def test_the_environment_names_extensions_too(tmp_path: Path) -> None:
    names = {"AGRAMA_EXTENSIONS": "house_rules:COUNT", "AGRAMA_MIDDLEWARE": "house_rules:trace"}
    _check(_serve(tmp_path, **names))


def test_an_extension_that_is_not_there_ends_the_start(tmp_path: Path) -> None:
    done = _serve(tmp_path, "--extension", "house_rules:CUONT")
    assert done.returncode != 0
    assert "house_rules:CUONT" in done.stderr
    assert "package.module:object" in done.stderr


def test_a_list_of_entries_is_one_extension() -> None:
    assert load_entries(["agrama.prompts:PROMPTS"]) == tuple(PROMPTS)


@pytest.mark.parametrize("name", ["", "nothing", "agrama.nope:x", "agrama.cache:nope", "agrama:__version__"])  # fmt: skip
def test_a_wrong_name_is_refused(name: str) -> None:
    with pytest.raises(InvalidParamsError, match="extensions"):
        load_entries([name])
    with pytest.raises(InvalidParamsError, match="middleware"):
        load_middleware([name])
