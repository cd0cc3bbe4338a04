"""Write a benchmark's raw figures to results/<name>-<commit12>.json, with what is needed to repeat them."""

import json
import os
import platform
import shlex
import subprocess
import sys
from importlib import metadata
from pathlib import Path
from typing import Any

RESULTS = Path(__file__).parent / "results"
PACKAGES = ("agrama", "jsonschema-rs", "lmdb", "mcp", "numpy", "orjson", "tree-sitter")


def write_report(name: str, figures: dict[str, Any], folder: Path | None = None) -> Path:
    """Save `figures` beside command, commit, machine and versions; return the file."""
    commit = _git("rev-parse", "HEAD")
    report = {
        "name": name,
        "command": shlex.join(["python", *_relative(sys.argv)]),
        "commit": commit,
        "dirty": bool(_git("status", "--porcelain", "--untracked-files=no")),
        "machine": {
            "system": platform.system(),
            "machine": platform.machine(),
            "python": platform.python_version(),
            "cores": os.cpu_count(),
            "load": os.getloadavg(),
        },
        "versions": {package: _version(package) for package in PACKAGES},
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


def _version(package: str) -> str | None:
    try:
        return metadata.version(package)
    except metadata.PackageNotFoundError:
        return None


def _relative(words: list[str]) -> list[str]:
    """Machine paths say nothing to a reader: keep the last part of each."""
    return [os.path.join("benchmarks", os.path.basename(words[0])), *map(_shorten, words[1:])]


def _shorten(word: str) -> str:
    return os.path.basename(word.rstrip("/")) if word.startswith("/") else word
