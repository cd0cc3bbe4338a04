"""The doctor on healthy and on broken repositories: what it finds, and what it says to do."""

import json
from pathlib import Path

import pytest

from agrama.cli import main
from agrama.cli.local import call_tool
from agrama.graph.keys import repository_folder


@pytest.fixture(autouse=True)
def nobody(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A user without any client."""
    home = tmp_path / "nobody"
    home.mkdir()
    monkeypatch.setenv("HOME", str(home))
    for name in ("XDG_CONFIG_HOME", "CODEX_HOME"):
        monkeypatch.delenv(name, raising=False)
    return home


def examine(root: Path, capsys: pytest.CaptureFixture[str]) -> tuple[int, dict[str, list[str]]]:
    """The exit status, and `state: action` of each check."""
    status = main(["doctor", str(root), "--json"])
    found: dict[str, list[str]] = {}
    for row in json.loads(capsys.readouterr().out):
        assert row["state"] == "ok" or row["action"] or row["message"]
        found.setdefault(row["check"], []).append(f"{row['state']}: {row['action']}")
    return status, found


def test_a_fresh_repository_is_told_to_index(
    sample: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    status, found = examine(sample, capsys)
    assert status == 0
    assert found["index"] == [f"note: agrama index {sample}"]
    assert found["python"] == found["grammars"] == found["journal"] == ["ok: "]
    assert found["clients"][0].startswith("note: agrama setup")


def test_a_healthy_one_has_nothing_to_do(indexed: Path, capsys: pytest.CaptureFixture[str]) -> None:
    main(["setup", "cursor", "--root", str(indexed), "--write"])
    main(["index", str(indexed), "--quiet"])
    capsys.readouterr()
    call_tool(indexed, "record_decision", {"decision": "Keep it", "reasoning": "It works"})
    status, found = examine(indexed, capsys)
    assert status == 0
    states = {row.split(":")[0] for name in found if name != "disk" for row in found[name]}
    assert states == {"ok"}


def test_changes_are_counted(indexed: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (indexed / "shop/money.py").write_text("x = 1\n")
    (indexed / "shop/basket.py").unlink()
    (indexed / "new.py").write_text("y = 2\n")
    assert main(["doctor", str(indexed)]) == 0
    assert "3 files changed since they were indexed" in capsys.readouterr().out


def test_a_broken_index_is_a_problem_with_a_way_out(
    indexed: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    data = next(repository_folder(indexed).rglob("data.mdb"))
    data.write_bytes(data.read_bytes()[:5000])
    status, found = examine(indexed, capsys)
    assert status == 1
    assert found["index"] == [f"problem: agrama index {indexed}"]


def test_a_damaged_journal_is_a_problem(indexed: Path, capsys: pytest.CaptureFixture[str]) -> None:
    call_tool(indexed, "record_decision", {"decision": "Keep it", "reasoning": "It works"})
    call_tool(indexed, "record_decision", {"decision": "Keep that", "reasoning": "It works"})
    segment = max(
        (repository_folder(indexed) / "journal").glob("*.journal"), key=lambda p: p.stat().st_size
    )
    damaged = bytearray(segment.read_bytes())
    damaged[len(damaged) // 3] ^= 0xFF
    segment.write_bytes(damaged)
    status, found = examine(indexed, capsys)
    assert status == 1
    assert any(row.startswith("problem") for row in found["journal"])


def test_settings_and_clients_are_looked_at(
    indexed: Path, nobody: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (indexed / "agrama.toml").write_text("toolset = 'core'\n")
    (indexed / ".mcp.json").write_text('{"mcpServers": {"agrama": {"command": "/gone/agrama"}}}')
    (nobody / ".codeium/windsurf").mkdir(parents=True)
    (nobody / ".codeium/windsurf/mcp_config.json").write_text("{")
    status, found = examine(indexed, capsys)
    assert status == 1
    assert found["settings"] == ["problem: "]
    assert "problem: agrama setup claude-code --write" in found["clients"]
    assert "problem: repair the file" in found["clients"]


def test_a_torn_journal_is_mended_and_told_of(
    sample: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    call_tool(sample, "record_decision", {"decision": "Keep it", "reasoning": "It works"})
    journal = repository_folder(sample) / "journal" / "00000001.journal"
    data = journal.read_bytes()
    end = len(data.rstrip(b"\0"))
    journal.write_bytes(data[:end] + b"\xffJ\xfeRhalf a record" + data[end + 17 :])
    assert main(["doctor", str(sample)]) == 0
    told = capsys.readouterr().out
    assert f"repaired: 00000001.journal offset {end}" in told
    assert "cut at the last whole record" in told


def test_a_flipped_bit_is_a_problem_with_its_place(
    sample: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for number in range(3):
        call_tool(sample, "record_decision", {"decision": f"Keep {number}", "reasoning": "x"})
    journal = repository_folder(sample) / "journal" / "00000001.journal"
    data = bytearray(journal.read_bytes())
    place = data.index(b"Keep 1")
    data[place] ^= 1
    journal.write_bytes(data)
    assert main(["doctor", str(sample)]) == 1
    told = capsys.readouterr().out
    start = bytes(data).rindex(b"\xffJ\xfeR", 0, place)
    assert f"00000001.journal offset {start}" in told
    assert "checksum does not match" in told
    found = call_tool(sample, "query_decisions", {})["structuredContent"]["decisions"]
    assert {"Keep 0", "Keep 2"} <= {row["decision"] for row in found}
