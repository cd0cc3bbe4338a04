"""The verbs around the index, as a person or a script uses them."""

import json
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from agrama.cli import main

AGRAMA = [sys.executable, "-P", "-m", "agrama"]


def say(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    assert main(list(words)) == 0
    return capsys.readouterr().out


def test_index_reports_for_people_and_for_programs(
    sample: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert "files parsed" in say(capsys, "index", str(sample))
    assert "up to date" in say(capsys, "index", str(sample))
    report = json.loads(say(capsys, "index", str(sample), "--full", "--json"))
    assert report["changed"] and report["full"] and report["settled"]
    assert report["index"]["skipped"] == {"secret": 1}
    assert report["seconds"].keys() >= {"walk", "parse", "resolve", "publish"}


def test_export_is_the_same_whatever_the_order_of_events(
    sample: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    say(capsys, "index", str(sample))
    text = say(capsys, "export", str(sample))
    rows = [json.loads(line) for line in text.splitlines()]
    symbols = [row["id"] for row in rows if row["type"] == "symbol"]
    assert symbols == sorted(symbols)
    edges = [(row["path"], row["line"], row["column"]) for row in rows if row["type"] == "edge"]
    assert edges == sorted(edges)
    (sample / "extra.py").write_text("def extra():\n    pass\n")
    say(capsys, "index", str(sample))
    (sample / "extra.py").unlink()
    say(capsys, "index", str(sample))
    assert say(capsys, "export", str(sample), "--format", "jsonl") == text


def test_exported_rows_have_the_promised_fields(
    indexed: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rows = [json.loads(line) for line in say(capsys, "export", str(indexed)).splitlines()]
    method = next(row for row in rows if row.get("id") == "shop/money.py::Money.add")
    assert method["qualified_name"] == "shop.money.Money.add"
    assert (method["kind"], method["start_line"], method["start_column"]) == ("method", 10, 8)
    assert method["metrics"]["cyclomatic"] == 1
    call = next(row for row in rows if row.get("target") == method["id"] and row["kind"] == "calls")
    assert (call["path"], call["line"]) == ("shop/basket.py", 12)
    assert call["confidence"] >= 0.5 and call["resolution"] in ("exact", "inferred")


@pytest.mark.parametrize(
    ("form", "begins"), [("dot", "digraph"), ("mermaid", "flowchart"), ("graphml", "<graphml")]
)
def test_other_formats(
    indexed: Path, capsys: pytest.CaptureFixture[str], form: str, begins: str
) -> None:
    text = say(capsys, "export", str(indexed), "--format", form)
    assert text.startswith(begins) and "shop/money.py" in text


def test_an_unknown_kind_of_edge_is_named(
    indexed: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["export", str(indexed), "--format", "dot", "--kinds", "cals"]) == 1
    assert "'cals'" in capsys.readouterr().err


def test_stats_count_and_list(indexed: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert "skipped: 1 secret" in say(capsys, "stats", str(indexed))
    assert say(capsys, "stats", str(indexed), "--files", "secret") == ".env  secret\n"
    totals = json.loads(say(capsys, "stats", str(indexed), "--json"))
    assert totals["languages"]["python"]["files"] == 3
    assert totals["symbol_kinds"]["class"] == 2


def test_symbol_refs_and_deps(indexed: Path, capsys: pytest.CaptureFixture[str]) -> None:
    at = ("--root", str(indexed))
    assert "shop/money.py::Money.add" in say(capsys, "symbol", "Money.add", *at)
    assert "shop/basket.py:12" in say(capsys, "refs", "Money.add", *at)
    position = say(capsys, "refs", "shop/money.py:10:8", *at)
    assert "references to shop/money.py::Money.add" in position
    around = json.loads(say(capsys, "deps", "shop/basket.py", *at, "--json"))
    assert {"symbol": "shop/money.py", "distance": 1} in around["nodes"]
    chain = say(capsys, "deps", "Basket.put", "--to", "Money.add", *at)
    assert chain.startswith("shop/basket.py::Basket.put calls shop/money.py::Money.add")
    assert "no file imports itself" in say(capsys, "deps", "--cycles", *at)


@pytest.mark.parametrize("words", [["stats"], ["export"], ["deps", "x"], ["symbol", "x"]])
def test_without_an_index_the_next_step_is_named(
    sample: Path,
    capsys: pytest.CaptureFixture[str],
    words: list[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(sample)
    assert main(words) == 1
    assert "agrama index" in capsys.readouterr().err


def test_a_root_that_is_no_folder(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["index", str(tmp_path / "nowhere")]) == 1
    assert "not a directory" in capsys.readouterr().err


def test_an_interrupt_leaves_the_old_generation(indexed: Path) -> None:
    before = subprocess.run([*AGRAMA, "stats", str(indexed), "--json"], capture_output=True)
    for number in range(300):
        (indexed / f"more{number}.py").write_text("def f():\n    return 1\n" * 50)
    process = subprocess.Popen([*AGRAMA, "index", str(indexed)], stderr=subprocess.PIPE)
    time.sleep(0.4)
    process.send_signal(signal.SIGINT)
    _, error = process.communicate(timeout=30)
    if process.returncode == 130:  # it may have been faster than we
        assert b"intact" in error and b"Traceback" not in error
        after = subprocess.run([*AGRAMA, "stats", str(indexed), "--json"], capture_output=True)
        assert after.stdout == before.stdout
    assert main(["index", str(indexed), "--quiet"]) == 0
