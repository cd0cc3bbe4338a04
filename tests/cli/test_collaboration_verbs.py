"""agrama sessions and agrama decisions, as a person uses them."""

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from agrama.cli import main
from agrama.graph.journal import segment_name
from agrama.graph.keys import repository_folder


@pytest.fixture
def talked(sample: Path, capsys: pytest.CaptureFixture[str]) -> Iterator[tuple[Path, str]]:
    """A repository where something was said and decided."""
    session = call(sample, "create_session", {"name": "work", "agent_id": "a"}, capsys)[
        "session_id"
    ]
    call(sample, "append_message", {"session_id": session, "content": "hello"}, capsys)
    decision = {
        "decision": "Keep cents",
        "reasoning": "Floats drift.\nCents do not.",
        "paths": ["shop/money.py"],
        "alternatives": ["Decimal", {"option": "floats", "why": "no"}],
        "tags": "money",
        "confidence": 0.9,
    }
    call(sample, "record_decision", decision, capsys)
    newer = {"decision": "Use Decimal", "reasoning": "Taxes.", "supersedes": "D1"}
    call(sample, "record_decision", newer, capsys)
    yield sample, session


def call(
    root: Path, tool: str, arguments: dict[str, object], capsys: pytest.CaptureFixture[str]
) -> dict[str, str]:
    assert main(["call", tool, json.dumps(arguments), "--root", str(root), "--json"]) == 0
    answer: dict[str, str] = json.loads(capsys.readouterr().out)
    return answer


def test_sessions_lists_shows_and_exports(
    talked: tuple[Path, str], capsys: pytest.CaptureFixture[str]
) -> None:
    root, session = talked
    assert main(["sessions", "--root", str(root)]) == 0
    assert session[:12] in capsys.readouterr().out
    assert main(["sessions", "--root", str(root), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)[0]["message_count"] == 1
    assert main(["sessions", session[:6], "--root", str(root)]) == 0
    assert "hello" in capsys.readouterr().out
    assert main(["sessions", session, "--events", "--root", str(root)]) == 0
    assert [line.split()[2].rstrip(":") for line in capsys.readouterr().out.splitlines()] == [
        "created",
        "joined",
        "message",
    ]
    assert main(["sessions", "ffff", "--root", str(root)]) == 1


def test_follow_prints_what_happens(
    talked: tuple[Path, str], capsys: pytest.CaptureFixture[str]
) -> None:
    root, session = talked
    command = [sys.executable, "-P", "-m", "agrama", "sessions", "--follow", "--json"]
    with subprocess.Popen([*command, "--root", str(root)], stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        import threading
        import time

        lines: list[bytes] = []
        reader = threading.Thread(target=lambda: lines.append(process.stdout.readline()))  # type: ignore[union-attr]
        reader.start()
        end = time.monotonic() + 20
        while not lines and time.monotonic() < end:
            call(root, "append_message", {"session_id": session, "content": "news"}, capsys)
            reader.join(0.1)
        process.kill()
        reader.join()
    assert json.loads(lines[0])["content"] == "news"


def test_verify_tells_a_damaged_journal(
    talked: tuple[Path, str], capsys: pytest.CaptureFixture[str]
) -> None:
    root, _ = talked
    assert main(["sessions", "--verify", "--root", str(root)]) == 0
    assert "equals a replay" in capsys.readouterr().out
    path = repository_folder(root) / "journal" / segment_name(1)
    path.write_bytes(path.read_bytes().replace(b"hello", b"hallo"))
    assert main(["sessions", "--verify", "--root", str(root)]) == 1
    shown = capsys.readouterr().out
    assert "offset" in shown
    assert "checksum" in shown


def test_decisions_are_found(talked: tuple[Path, str], capsys: pytest.CaptureFixture[str]) -> None:
    root, _ = talked
    assert main(["decisions", "decimal", "--root", str(root)]) == 0
    assert "D2" in capsys.readouterr().out
    assert main(["decisions", "--path", "shop/money.py", "--all", "--root", str(root)]) == 0
    assert "D1 [superseded]" in capsys.readouterr().out
    assert main(["decisions", "unheard", "--root", str(root)]) == 1


def test_records_that_come_home_are_recognised(
    talked: tuple[Path, str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    root, _ = talked
    folder = tmp_path / "records"
    assert main(["decisions", "--export", str(folder), "--root", str(root)]) == 0
    first = folder / "0001-keep-cents.md"
    first.write_text(first.read_text().replace("Floats drift", "Floats do drift"))
    capsys.readouterr()
    assert main(["decisions", "--import", str(folder), "--root", str(root)]) == 0
    assert capsys.readouterr().out.split("\n")[0] == "D1 0001-keep-cents.md (again)"
    assert main(["decisions", "--all", "--root", str(root), "--json"]) == 0
    assert [row["decision_id"] for row in json.loads(capsys.readouterr().out)] == ["D2", "D1"]


def test_decisions_go_out_as_records_and_come_back(
    talked: tuple[Path, str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    root, _ = talked
    folder = tmp_path / "records"
    assert main(["decisions", "--export", str(folder), "--root", str(root)]) == 0
    assert sorted(path.name for path in folder.iterdir()) == [
        "0001-keep-cents.md",
        "0002-use-decimal.md",
    ]
    other = tmp_path / "other"
    (other / "shop").mkdir(parents=True)
    (other / "shop/money.py").write_text("pass\n")
    capsys.readouterr()
    for _ in range(2):
        assert main(["decisions", "--import", str(folder), "--root", str(other), "--json"]) == 0
        assert json.loads(capsys.readouterr().out) == {"D1": "D1", "D2": "D2"}
    assert main(["decisions", "--all", "--root", str(other), "--json"]) == 0
    newer, older = json.loads(capsys.readouterr().out)
    assert older["reasoning"] == "Floats drift.\nCents do not."
    assert older["alternatives"] == ["Decimal", {"option": "floats", "why": "no"}]
    assert (older["tags"], older["confidence"]) == (["money"], 0.9)
    assert older["superseded_by"] == "D2"
    assert newer["supersedes"] == "D1"
