"""The short form of the fault benchmarks: kill -9 between processes, power cuts on recorded traces."""

import subprocess
import sys
from pathlib import Path

import pytest

BENCHMARKS = Path(__file__).parents[2] / "benchmarks"


@pytest.mark.parametrize(
    "words",
    [
        ("power_loss.py", "--images", "50", "--window-ms", "500"),
        ("journal_kill.py", "--cycles", "9", "--readers", "2"),
        ("journal_kill.py", "--cycles", "6", "--readers", "1", "--durability", "commit"),
    ],
    ids=["power-loss", "kill-interval", "kill-commit"],
)
def test_nothing_acknowledged_is_lost(words: tuple[str, ...]) -> None:
    done = subprocess.run(
        [sys.executable, str(BENCHMARKS / words[0]), *words[1:], "--no-report"],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
