"""Time and memory of indexing a large repository: from scratch, with nothing to do, and ten times over.

    python benchmarks/index_django.py DJANGO [--runs 3] [--copies 10] [--with-search] [--save]

DJANGO is a checkout; with --copies N a tree of N copies under different package names is indexed too.
"""

import argparse
import json
import os
import shutil
import statistics
import sys
import tempfile
from pathlib import Path
from typing import Any

from processes import measure
from report import write_report

_AGRAMA = [sys.executable, "-P", "-m", "agrama"]
_FIGURES = ("wall_seconds", "user_seconds", "system_seconds", "peak_pss_megabytes")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("django", type=Path)
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--copies", type=int, default=0)
    parser.add_argument("--with-search", action="store_true", help="search index too")
    parser.add_argument("--save", action="store_true")
    arguments = parser.parse_args()
    mode = [] if arguments.with_search else ["--graph-only"]
    with tempfile.TemporaryDirectory(prefix="agrama-bench-") as top:
        os.environ["AGRAMA_HOME"] = f"{top}/home"
        figures: dict[str, Any] = {"mode": "all" if arguments.with_search else "graph only"}
        figures["full"] = index_often(arguments.django, [*mode, "--full"], arguments.runs)
        figures["no_op"] = index_often(arguments.django, mode, arguments.runs)
        if arguments.copies:
            tree = copy_often(arguments.django, Path(top) / "many", arguments.copies)
            figures[f"{arguments.copies}_copies"] = index_often(tree, [*mode, "--full"], 1)
    print(json.dumps(figures, indent=1))
    if arguments.save:
        print(write_report("index_django", figures))
    return 0


def index_often(root: Path, options: list[str], runs: int) -> dict[str, Any]:
    rows = [measure([*_AGRAMA, "index", str(root), "--json", *options]) for _ in range(runs)]
    report = json.loads(rows[-1]["output"])
    result = {name: [row[name] for row in rows] for name in _FIGURES}
    return {
        "median_wall_seconds": statistics.median(result["wall_seconds"]),
        **result,
        "phases": report["seconds"],
        "files": report["index"]["files"],
        "symbols": report["index"]["symbols"],
        "edges": report["index"]["edges"],
    }


def copy_often(source: Path, target: Path, copies: int) -> Path:
    """N copies whose packages have names of their own, as if they were N projects."""
    for number in range(copies):
        root = target / f"project{number}"
        shutil.copytree(source, root, ignore=shutil.ignore_patterns(".git"))
        (root / "django").rename(root / f"django{number}")
        for path in root.rglob("*.py"):
            data = path.read_bytes()
            if b"django" in data:
                fresh = data.replace(b"from django", b"from django%d" % number)
                path.write_bytes(fresh.replace(b"import django", b"import django%d" % number))
    return target


if __name__ == "__main__":
    sys.exit(main())
