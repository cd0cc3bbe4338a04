"""What search adds to indexing: the whole index against the graph alone, one after the other.

python benchmarks/search_cost.py REPOSITORY [--runs 3] [--save]
"""

import argparse
import json
import os
import statistics
import sys
import tempfile
from pathlib import Path
from typing import Any

from processes import measure
from report import write_report

_CASES: dict[str, list[str]] = {"graph": ["--graph-only"], "whole": []}


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("repository", type=Path)
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--save", action="store_true")
    options = parser.parse_args()
    root = options.repository.resolve()
    figures: dict[str, Any] = {"repository": root.name}
    taken: dict[str, list[dict[str, Any]]] = {case: [] for case in _CASES}
    for _ in range(options.runs):
        for case, words in _CASES.items():
            taken[case].append(index(root, words))
    for case, rows in taken.items():
        figures[case] = {
            "wall_seconds": [row["wall_seconds"] for row in rows],
            "processor_seconds": [
                round(row["user_seconds"] + row["system_seconds"], 3) for row in rows
            ],
        }
    for name in ("wall_seconds", "processor_seconds"):
        pairs = zip(figures["graph"][name], figures["whole"][name], strict=True)
        figures[f"added_{name}"] = round(statistics.median(b - a for a, b in pairs), 3)
    print(json.dumps(figures, indent=1))
    if options.save:
        print(write_report(f"search_cost-{root.name}", figures))
    return 0


def index(root: Path, words: list[str]) -> dict[str, Any]:
    """Figures of one build from nothing."""
    with tempfile.TemporaryDirectory(prefix="agrama-bench-") as home:
        command = [sys.executable, "-P", "-m", "agrama", "index", str(root), "--quiet", *words]
        return measure(command, {**os.environ, "AGRAMA_HOME": home})


if __name__ == "__main__":
    sys.exit(main())
