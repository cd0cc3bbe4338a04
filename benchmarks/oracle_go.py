"""Do our calls of Go lead where the compiler's own type checker says they lead?

    oracle_go.py REPOSITORY [--module PATH] [--gopath DIRECTORY] [--differences] [--save]

`oracle_go.go` asks go/types for the function behind every call that is compiled on this platform; it
needs a Go distribution and, for the libraries that the repository uses, their sources in GOPATH.
Recall: calls of functions of the repository that we name. Precision: our targets at those calls, and
at calls that lead outside, that are right; methods of that name beside a right one (what implements
an interface) count only in `strict`. Calls of values (a function in a variable) have no one answer
and are left out.
"""

import argparse
import json
import os
import re
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import Any

from graphs import SURE, resolve_repository
from report import write_report

from agrama.graph.model import EdgeKind

PROGRAM = Path(__file__).with_name("oracle_go.go")
_MODULE = re.compile(r"^module\s+(\S+)", re.MULTILINE)
Target = tuple[str, int, str]  # path, line, name


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("repository", type=Path)
    parser.add_argument("--module", default="", help="its import path, unless go.mod tells")
    parser.add_argument("--gopath", default=os.environ.get("GOPATH", "/usr/share/gocode"))
    parser.add_argument("--differences", action="store_true", help="list them on stderr")
    parser.add_argument("--save", action="store_true")
    options = parser.parse_args()
    root = options.repository.resolve()
    sites = ask_go(root, options.module or read_module(root), options.gopath)
    figures = compare(sites, find_targets(root), show=options.differences)
    print(json.dumps(figures))
    if options.save:
        print(write_report(f"oracle_go_{root.name}", figures))
    return 0


def read_module(root: Path) -> str:
    found = _MODULE.search((root / "go.mod").read_text())
    if found is None:
        raise SystemExit(f"{root / 'go.mod'} names no module: pass --module")
    return found.group(1)


def ask_go(root: Path, module: str, gopath: str) -> list[dict[str, Any]]:
    """One row for each call; tests of a package are checked beside it, so rows may come twice."""
    environment = {**os.environ, "GO111MODULE": "off", "GOPATH": gopath}
    done = subprocess.run(
        ["go", "run", str(PROGRAM), str(root), module],
        env=environment, capture_output=True, text=True, check=True,
    )  # fmt: skip
    return [json.loads(line) for line in dict.fromkeys(done.stdout.splitlines())]


def find_targets(root: Path) -> dict[tuple[str, int, int], list[Target]]:
    """Our sure targets inside the repository, by the place of the call."""
    graphs = resolve_repository(root, ("go", "gomod"))
    symbols = {symbol.id: symbol for graph in graphs for symbol in graph.symbols}
    found: dict[tuple[str, int, int], list[Target]] = {}
    for graph in graphs:
        for edge in graph.edges:
            target = symbols.get(edge.target)
            if edge.kind == EdgeKind.CALLS and edge.confidence >= SURE and target is not None:
                place = (graph.path, edge.line, edge.column)
                row = (target.path, target.start_line, target.name)
                found.setdefault(place, []).append(row)
    return found


def compare(
    sites: list[dict[str, Any]],
    ours: dict[tuple[str, int, int], list[Target]],
    *,
    show: bool,
) -> dict[str, Any]:
    counts: Counter[str] = Counter()
    for site in sites:
        counts[site["kind"]] += 1
        if site["kind"] in ("value", "unknown"):
            continue
        named = ours.get((site["path"], site["line"], site["column"]), [])
        hits = [each for each in named if each[:2] == (site["target"], site["at"])]
        wrong = [] if hits else named
        counts["found"] += bool(hits)
        counts["right"] += bool(hits)
        counts["named"] += len(wrong) + bool(hits)
        counts["hits"] += len(hits)
        counts["targets"] += len(named)
        if show and (wrong or (site["kind"] == "function" and not hits)):
            print(site, "ours", named, file=sys.stderr)
    return {
        **counts,
        "precision": round(counts["right"] / max(counts["named"], 1), 4),
        "strict": round(counts["hits"] / max(counts["targets"], 1), 4),
        "recall": round(counts["found"] / max(counts["function"], 1), 4),
    }


if __name__ == "__main__":
    raise SystemExit(main())
