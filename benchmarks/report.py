"""Write a benchmark's raw figures to results/<name>-<commit12>.json, with what is needed to repeat them."""

import json
import os
import shlex
import subprocess
import sys
from pathlib import Path
from typing import Any

from agrama.bench.machine import describe_machine, describe_versions

RESULTS = Path(__file__).parent / "results"


def write_report(name: str, figures: dict[str, Any], folder: Path | None = None) -> Path:
    """Save `figures` beside command, commit, machine and versions; return the file."""
    commit = _git("rev-parse", "HEAD")
    report = {
        "name": name,
        "command": shlex.join(["python", *_relative(sys.argv)]),
        "commit": commit,
        "dirty": bool(_git("status", "--porcelain", "--untracked-files=no")),
        "machine": describe_machine(),
        "versions": describe_versions(),
        "figures": figures,
    }
    target = (folder or RESULTS) / f"{name}-{commit[:12]}.json"
    target.parent.mkdir(exist_ok=True)
    target.write_text(json.dumps(report, indent=1, sort_keys=True) + "\n")
    return target


def _git(*words: str) -> str:
    done = subprocess.run(
        ["git", *words], cwd=Path(__file__).parent, capture_output=True, text=True, check=False
    )
    return done.stdout.strip()


def _relative(words: list[str]) -> list[str]:
    """Machine paths say nothing to a reader: keep the last part of each, of the script's those from here on."""
    script = os.path.relpath(words[0], Path(__file__).parent)
    return [os.path.join("benchmarks", script), *map(_shorten, words[1:])]


def _shorten(word: str) -> str:
    return os.path.basename(word.rstrip("/")) if word.startswith("/") else word
