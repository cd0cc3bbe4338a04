"""Score the installed agrama against ground truth that nobody of this project wrote, and keep the figures.

    outside.py SCORER --repos DIR [--mirrors DIR] [--only SET,…] [--save]

SCORER is a program that runs `agrama` on outside cases: `SCORER SET --json FILE [--repos DIR] [--mirrors DIR]`
writes what it measured of one set. Cases and repositories stay outside; only the figures come in. Sets whose
bars are named below are held to them: a figure below its bar makes the exit status 1.
"""

import argparse
import json
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from report import write_report

_NEEDS = {
    "callgraph": (),
    "languages": (),
    "references": (),
    "oracle": ("--repos",),
    "imports": ("--repos",),
    "complexity": ("--repos",),
    "retrieval": ("--repos",),
    "localisation": ("--mirrors",),
}
# What each set must reach: the path to a figure within what the scorer writes, and its bar.
_REFERENCES = {"precision": 0.93, "recall": 0.90}
BARS: dict[str, dict[str, dict[str, float]]] = {
    "callgraph": {"": {"precision": 0.99, "recall": 0.98, "exact": 114}},
    "languages": {"": {"precision": 0.97, "recall": 0.90}},
    "references": {
        "scip-python": _REFERENCES,
        "scip-typescript": _REFERENCES,
        "stackgraphs-python": _REFERENCES,
        "stackgraphs-javascript": _REFERENCES,
        "stackgraphs-java": {"precision": 0.92, "recall": 0.88},
    },
    "oracle": {
        "flask": {"precision": 0.98, "recall": 0.96},
        "requests": {"precision": 0.98, "recall": 0.98},
        "axios": {"precision": 0.95, "recall": 0.90},
        "redux": {"precision": 0.95, "recall": 0.90},
    },
    "imports": {
        name: {"precision": 0.99, "recall": 0.99} for name in ("flask", "requests", "axios", "redux")
    },
    "complexity": {
        name: {"cyclomatic": 0.99, "cognitive": 0.97} for name in ("flask", "requests")
    },
    "retrieval": {"": {"ndcg10": 0.90}},
    "localisation": {"": {"acc@1": 0.45, "acc@5": 0.80, "acc@10": 0.86}},
}  # fmt: skip


def main() -> int:
    options = _read_options()
    figures = {name: _score(name, options) for name in options.only.split(",")}
    short = [line for name, scored in figures.items() for line in _fall_short(name, scored)]
    print(json.dumps({"figures": figures, "short": short}, indent=1, ensure_ascii=False))
    if options.save:
        print(write_report("outside", figures | {"short": short}))
    return 1 if short else 0


def _read_options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("scorer", type=Path)
    parser.add_argument("--repos", help="checkouts of the repositories, one folder each")
    parser.add_argument("--mirrors", help="git directories, for sets that need history")
    parser.add_argument("--only", default=",".join(_NEEDS), help="sets, with commas")
    parser.add_argument("--save", action="store_true")
    options = parser.parse_args()
    for name in options.only.split(","):
        if name not in _NEEDS:
            parser.error(f"no set {name!r}: known are {', '.join(_NEEDS)}")
        for need in _NEEDS[name]:
            if getattr(options, need.removeprefix("--")) is None:
                parser.error(f"{name} needs {need}")
    return options


def _score(name: str, options: argparse.Namespace) -> Any:
    with tempfile.TemporaryDirectory() as folder:
        target = Path(folder) / "figures.json"
        words = [sys.executable, str(options.scorer), name, "--json", str(target)]
        for need in _NEEDS[name]:
            words += [need, getattr(options, need.removeprefix("--"))]
        subprocess.run(words, check=True, stdout=sys.stderr)
        figures = json.loads(target.read_text())
    figures.pop("rows", None)  # the cases themselves stay outside
    return figures


def _fall_short(name: str, scored: Any) -> Iterator[str]:
    for case, bars in BARS[name].items():
        found = scored.get(case, {}) if case else scored  # the total of a set has no name
        for figure, bar in bars.items():
            value = found.get(figure)
            if value is None or value < bar:
                yield f"{name} {case} {figure}: {value}, expected {bar}".replace("  ", " ")


if __name__ == "__main__":
    sys.exit(main())
