"""agrama setup as a user runs it: what it writes is what the client then starts."""

import json
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest

from agrama.bench.client import Client
from agrama.cli import main
from agrama.clients import jsonc, load_clients
from agrama.clients.edit import find_entry


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "user"
    folder.mkdir()
    monkeypatch.setenv("HOME", str(folder))
    for name in ("XDG_CONFIG_HOME", "CODEX_HOME"):
        monkeypatch.delenv(name, raising=False)
    return folder


def setup(*words: str, root: Path) -> "subprocess.CompletedProcess[str]":
    command = [sys.executable, "-P", "-m", "agrama", "setup", *words, "--root", str(root)]
    return subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)


@pytest.mark.parametrize("name", load_clients())
def test_what_is_written_starts_a_server(name: str, sample: Path) -> None:
    assert setup(name, "--write", root=sample).returncode == 0
    client = load_clients()[name]
    path = client.file(sample, user=False)
    entry = find_entry(client, path.read_text(), "agrama")
    assert entry is not None
    command = entry["command"]
    words = command if isinstance(command, list) else [command, *entry["args"]]
    # What each client puts in place of its own variables.
    words = [word.replace(client.here or "\0", str(sample)) for word in words]
    server = Client([*words, "--no-index"])
    try:
        assert server.handshake()["result"]["serverInfo"]["name"] == "agrama"
    finally:
        server.close()
    before = path.read_bytes()
    assert "has it already" in setup(name, "--write", root=sample).stdout
    assert path.read_bytes() == before
    assert setup(name, "--remove", root=sample).returncode == 0
    assert find_entry(client, path.read_text(), "agrama") is None


def test_without_write_nothing_is_written(sample: Path, home: Path) -> None:
    printed = setup("codex", root=sample).stdout
    assert tomllib.loads(printed)["mcp_servers"]["agrama"]["args"][-1] == str(sample)
    assert "mcpServers" in jsonc.read(setup("cursor", root=sample).stdout)
    assert sorted(path.name for path in sample.iterdir()) == [".env", "README.md", "shop"]
    assert list(home.iterdir()) == []


def test_an_entry_for_another_repository_is_not_replaced(
    sample: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    other = tmp_path / "other"
    other.mkdir()
    assert main(["setup", "windsurf", "--root", str(other), "--write"]) == 0
    assert main(["setup", "windsurf", "--root", str(sample), "--write"]) == 1
    assert "--name agrama-sample" in capsys.readouterr().err
    named = ["setup", "windsurf", "--root", str(sample), "--write", "--name", "agrama-sample"]
    assert main(named) == 0


def test_links_and_rights_survive(sample: Path, tmp_path: Path) -> None:
    kept = tmp_path / "dotfiles.json"
    kept.write_text("{}")
    kept.chmod(0o600)
    (sample / ".mcp.json").symlink_to(kept)
    assert main(["setup", "claude-code", "--root", str(sample), "--write"]) == 0
    assert (sample / ".mcp.json").is_symlink()
    assert kept.stat().st_mode & 0o777 == 0o600
    assert "agrama" in kept.read_text()


@pytest.mark.parametrize(
    ("words", "told"),
    [(["cursr"], "did you mean 'cursor'"), (["zed", "--root", "/nonexistent"], "not a directory")],
)
def test_mistakes_are_named(
    words: list[str], told: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["setup", *words]) == 1
    assert told in capsys.readouterr().err


def test_the_list_says_what_is_set_up(sample: Path, capsys: pytest.CaptureFixture[str]) -> None:
    main(["setup", "vscode", "--root", str(sample), "--write"])
    capsys.readouterr()
    assert main(["setup", "--root", str(sample), "--json"]) == 0
    rows: list[dict[str, Any]] = json.loads(capsys.readouterr().out)
    assert {row["client"] for row in rows if row["state"] == "set up"} == {"vscode"}
    assert len(rows) == len(load_clients())
