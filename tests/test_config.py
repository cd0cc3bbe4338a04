"""Settings: where they come from, who wins, and what is said of a wrong one."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from agrama.cli import main
from agrama.config import PREFIX, SETTINGS, read_config
from agrama.errors import InvalidParamsError


def test_nothing_given_is_nothing_set(tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_text("[tool.other]\nx = 1\n")
    assert read_config(tmp_path, {}).values == {}


def test_the_environment_beats_the_file_and_the_file_beats_pyproject(tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_text('[tool.agrama]\ntoolsets = ["core"]\nworkers = 3\n')
    assert read_config(tmp_path, {}).values == {"toolsets": ("core",), "workers": 3}
    (tmp_path / "agrama.toml").write_text('toolsets = "core, analysis"\nallow_write = false\n')
    config = read_config(tmp_path, {"AGRAMA_ALLOW_WRITE": "0", "AGRAMA_HOME": "/x"})
    assert config.values == {"toolsets": ("core", "analysis"), "allow_write": False}
    assert config.origins == {"toolsets": "agrama.toml", "allow_write": "AGRAMA_ALLOW_WRITE"}
    assert config.pick("allow_write", "workers") == {"allow_write": False}


def test_every_setting_can_be_a_variable(tmp_path: Path) -> None:
    texts = {"flag": "yes", "whole": "7", "number": "2.5", "list": "all", "text": "commit"}
    variables = {PREFIX + name.upper(): texts[row.kind] for name, row in SETTINGS.items()}
    assert set(read_config(tmp_path, variables).values) == set(SETTINGS)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("toolset = 'core'", "unknown setting 'toolset': did you mean 'toolsets'"),
        ("zebra = 1", "known are toolsets"),
        ("toolsets = ['cor']", "did you mean 'core'"),
        ("durability = 'never'", "expected one of interval, commit"),
        ("allow_write = 1", "expected true or false, got number 1"),
        ("allow_write = true", "not for a repository to say"),
        ("middleware = 'evil:run'", "not for a repository to say"),
        ("extensions = ['evil:TOOL']", "not for a repository to say"),
        ("max_file_bytes = 0", "expected at least 1"),
        ("workers = true", "expected a whole number"),
        ("deadline_seconds = nan", "expected a number"),
        ("ignore = [1]", "expected a list of texts"),
        ("ignore = [", "agrama.toml is not TOML"),
    ],
)
def test_a_wrong_file_says_what_and_where(tmp_path: Path, text: str, told: str) -> None:
    (tmp_path / "agrama.toml").write_text(text)
    with pytest.raises(InvalidParamsError, match=r"agrama\.toml") as caught:
        read_config(tmp_path, {})
    assert told in caught.value.message


@pytest.mark.parametrize(
    ("variable", "text", "told"),
    [
        ("AGRAMA_TOLSETS", "core", "did you mean 'AGRAMA_TOOLSETS'"),
        ("AGRAMA_ALLOW_WRITE", "maybe", "expected true or false"),
        ("AGRAMA_WORKERS", "many", "expected a whole number"),
    ],
)
def test_a_wrong_variable_too(tmp_path: Path, variable: str, text: str, told: str) -> None:
    with pytest.raises(InvalidParamsError) as caught:
        read_config(tmp_path, {variable: text})
    assert told in caught.value.message
    assert read_config(tmp_path, {"AGRAMA_QQQ": "somebody's own"}).values == {}


def test_the_indexer_obeys(sample: Path, capsys: pytest.CaptureFixture[str]) -> None:
    settings = 'ignore = ["/shop/money.py", "*.toml"]\nmax_file_bytes = 300\nworkers = 1\n'
    (sample / "agrama.toml").write_text(settings)
    assert main(["index", str(sample), "--quiet"]) == 0
    assert main(["stats", str(sample), "--files", "too_large"]) == 0
    assert capsys.readouterr().out == "shop/basket.py  too_large\n"
    assert main(["stats", str(sample), "--files", "ok"]) == 0
    assert capsys.readouterr().out.split() == ["README.md", "ok", "shop/__init__.py", "ok"]


def test_a_misspelt_setting_stops_the_indexer(
    sample: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (sample / "agrama.toml").write_text('ignored = ["x"]\n')
    assert main(["index", str(sample)]) == 1
    assert "did you mean 'ignore'" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("words", "offered"),
    [([], True), (["--no-allow-write"], False), (["--toolsets", "analysis"], False)],
)
def test_the_server_obeys_unless_told_otherwise(
    sample: Path, words: list[str], offered: bool
) -> None:
    (sample / "agrama.toml").write_text("watch = false\ntoolsets = ['core']\n")
    asked = [
        {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {"protocolVersion": "2025-06-18", "capabilities": {}}},
        {"jsonrpc": "2.0", "method": "notifications/initialized"},
        {"jsonrpc": "2.0", "id": 2, "method": "tools/list"},
    ]  # fmt: skip
    done = subprocess.run(
        [sys.executable, "-P", "-m", "agrama", "serve", "--root", str(sample), *words],
        input="".join(json.dumps(row) + "\n" for row in asked),
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
        env={**os.environ, "AGRAMA_ALLOW_WRITE": "1"},
    )
    tools = json.loads(done.stdout.splitlines()[-1])["result"]["tools"]
    names = {tool["name"] for tool in tools}
    assert ("write_code" in names) is offered
    assert ("query_history" in names) is (words == ["--toolsets", "analysis"])
    assert "create_session" not in names
