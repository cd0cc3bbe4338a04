"""What a newcomer does: typing errors, wrong places, a terminal, an interrupted first run."""

import os
import pty
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import networkx
import pytest

from agrama.cli import main

COMMAND = [sys.executable, "-P", "-m", "agrama"]


def on_terminal(*words: str, cwd: Path, **variables: str) -> str:
    """What a verb writes on a terminal, escape sequences included."""
    master, slave = pty.openpty()
    environment = {**os.environ, "TERM": "xterm-256color", "COLUMNS": "100", **variables}
    environment.pop("CI", None)
    with subprocess.Popen(
        [*COMMAND, *words], cwd=cwd, stdin=slave, stdout=slave, stderr=slave, env=environment
    ) as process:
        os.close(slave)
        written = b""
        try:
            while data := os.read(master, 65536):
                written += data
        except OSError:  # the other end is closed: how Linux tells the end of a terminal
            pass
        os.close(master)
        assert process.wait(30) == 0, written
    return written.decode().replace("\r\n", "\n")


def test_a_misspelt_verb_gets_the_nearest(capsys: pytest.CaptureFixture[str]) -> None:
    for word, told in (("serch", "did you mean 'search'"), ("qqq", "agrama --help")):
        with pytest.raises(SystemExit) as ended:
            main([word, "router"])
        assert ended.value.code == 2
        assert told in capsys.readouterr().err


@pytest.mark.parametrize("number", ["0", "-1", "many"])
def test_a_number_of_workers_must_be_one(number: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["index", f"--workers={number}"])
    assert "at least 1" in capsys.readouterr().err


def test_a_place_that_cannot_be_written_is_one_line(
    indexed: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["export", str(indexed), "-o", str(indexed / "no" / "such")]) == 1
    error = capsys.readouterr().err
    assert "No such file or directory" in error
    assert error.count("\n") == 1


def test_asking_for_files_of_no_known_kind_says_so(
    indexed: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["stats", str(indexed), "--files", "nosuch"]) == 1
    assert "no file is 'nosuch'" in capsys.readouterr().err
    assert main(["stats", str(indexed), "--files", "secret"]) == 0
    assert ".env" in capsys.readouterr().out


def test_impact_outside_git_says_what_is_missing(
    indexed: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["impact", "--root", str(indexed)]) == 1
    assert "in no git repository" in capsys.readouterr().err


def test_a_broken_setting_is_told_once(indexed: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (indexed / "agrama.toml").write_text("allow_writes = true\n")
    assert main(["doctor", str(indexed)]) == 1
    assert capsys.readouterr().out.count("allow_writes") == 1


def test_an_interrupted_first_run_leaves_nothing_to_be_taken_for_an_index(
    sample: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    # Half a minute of parsing: no machine is through before it is interrupted.
    text = "".join(
        f"def work{line}():\n    return call{line}({line})\n\n\n" for line in range(20_000)
    )
    for number in range(16):
        (sample / f"module{number}.py").write_text(text)
    # What a shell starts in the background ignores the signal, and so would our child.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    with subprocess.Popen(
        [*COMMAND, "index", str(sample)], stderr=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        home = Path(os.environ["AGRAMA_HOME"])
        end = time.monotonic() + 30
        while not list(home.glob("*/*/data.mdb")) and not list(home.glob("*/data.mdb")):
            assert time.monotonic() < end
            time.sleep(0.01)
        process.send_signal(signal.SIGINT)
        _, error = process.communicate(timeout=30)
    assert process.returncode == 130
    assert "interrupted; an index from before is intact" in error
    for words in (["stats", str(sample)], ["search", "work", "--root", str(sample)]):
        assert main(words) == 1
        assert "agrama index" in capsys.readouterr().err
    main(["doctor", str(sample)])
    assert "there is none yet" in capsys.readouterr().out
    for path in sample.glob("module*.py"):
        path.write_text("def work7():\n    return 7\n")
    assert main(["index", str(sample), "--quiet"]) == 0
    assert main(["search", "work7", "--root", str(sample)]) == 0


def test_results_stand_apart(indexed: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["search", "basket", "--root", str(indexed)]) == 0
    blocks = capsys.readouterr().out.rstrip("\n").split("\n\n")
    heads = [block for block in blocks if re.match(r"\S+:\d+ ", block)]
    assert len(heads) >= 2
    assert main(["search", "basket", "--no-snippets", "--root", str(indexed)]) == 0
    assert "\n\n" not in capsys.readouterr().out


def test_a_terminal_gets_progress_tables_and_colour(sample: Path) -> None:
    assert "symbols" in on_terminal("index", cwd=sample)
    found = on_terminal("search", "basket", cwd=sample)
    assert "\x1b[1;36mshop/basket.py" in found
    table = on_terminal("stats", cwd=sample)
    assert re.search(r"\x1b\[1mlanguage *\x1b\[0m", table)
    plain = on_terminal("search", "basket", cwd=sample, NO_COLOR="1")
    assert "\x1b[3" not in plain
    assert "shop/basket.py" in plain


def test_graphml_opens_in_networkx_as_installed(indexed: Path, tmp_path: Path) -> None:
    path = tmp_path / "graph.graphml"
    assert main(["export", str(indexed), "--format", "graphml", "-o", str(path)]) == 0
    graph = networkx.read_graphml(path)
    assert graph.has_edge("shop/basket.py::Basket.put", "shop/money.py::Money.add")
