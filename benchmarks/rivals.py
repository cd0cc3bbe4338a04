"""Ours and every baseline on one repository, with one client, in one interleaved run.

    rivals.py --repo django --work DIR [--rounds 3] [--calls 15] [--only agrama,ripgrep] [--save]

Each is installed under the work folder from its registry, indexes its own copy of the repository (seconds,
peak memory of all its processes), and is then asked the same questions, a few of every operation in
every round, in turn. No question is asked twice, so nobody answers from a cache. What fails, and
what a baseline has no tool for, is kept in the figures.
"""

import argparse
import json
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from baselines.contract import OPERATIONS, Baseline, Session, Subject
from baselines.every import choose, copy_repository
from processes import find_family, measure, read_pss
from report import write_report

from agrama.bench.machine import wait_until_idle
from agrama.bench.sample import read_sample
from agrama.bench.timing import summarize

# A baseline that needs seconds for a call is asked less often.
_ROUND_SECONDS = 3.0
_WARM_UP = 2


class Contender:
    """One baseline at work, and what was seen of it."""

    def __init__(self, baseline: Baseline, source: Path) -> None:
        self.baseline = baseline
        self.version = baseline.install()
        self.root = copy_repository(baseline, source)
        self.session: Session | None = None
        self.index: dict[str, Any] | None = None
        self.took: dict[str, list[float]] = {operation: [] for operation in OPERATIONS}
        self.errors: dict[str, list[str]] = {operation: [] for operation in OPERATIONS}
        self.failure = ""
        self.server_bytes = 0

    def build(self) -> None:
        command = self.baseline.index_command(self.root)
        if command is None:
            return
        self.baseline.forget()
        figures = measure(command, {**os.environ, **self.baseline.environment})
        del figures["output"]
        self.index = figures

    def start(self) -> None:
        self.session = self.baseline.serve(self.root)

    def ask(self, operation: str, subjects: Sequence[Subject], *, keep: bool = True) -> None:
        """Ask about each subject, until the round's share of time is used up."""
        spent = 0.0
        for subject in subjects:
            call = self.baseline.make_call(operation, subject, self.root)
            if call is None or self.session is None or spent > _ROUND_SECONDS:
                return
            answer = self.session.ask(call)
            spent += answer.seconds
            if keep and answer.error:
                self.errors[operation].append(answer.error)
            elif keep:
                self.took[operation].append(answer.seconds * 1e6)

    def close(self) -> None:
        if self.session is None:
            return
        if self.session.pid is not None:
            self.server_bytes = sum(map(read_pss, find_family(self.session.pid)))
        self.session.close()

    def report(self, subject: Subject) -> dict[str, Any]:
        lacks = [
            operation
            for operation in OPERATIONS
            if self.baseline.make_call(operation, subject, self.root) is None
        ]
        figures = {
            operation: {**summarize(took)._asdict(), "failed": len(self.errors[operation])}
            for operation, took in self.took.items()
            if took
        }
        return {
            "version": self.version,
            "note": self.baseline.note,
            "index": self.index,
            "server_megabytes": round(self.server_bytes / 1e6, 1) or None,
            "microseconds": figures,
            "lacks": lacks,
            "first_errors": {name: rows[0] for name, rows in self.errors.items() if rows},
            "failure": self.failure,
        }


def main() -> int:
    options = _parse()
    contenders = [Contender(each, options.repo) for each in choose(options.work, options.only)]
    ours = contenders[0]
    if ours.baseline.name != "agrama":
        raise SystemExit("questions are drawn from our own index: --only must name agrama too")
    for contender in contenders:
        print(f"{contender.baseline.name} {contender.version}: indexing", file=sys.stderr)
        _try(contender, contender.build)
        _try(contender, contender.start)
    os.environ.update(ours.baseline.environment)
    subjects = choose_subjects(ours.root, options.rounds * options.calls + _WARM_UP)
    for number in range(-1, options.rounds):
        at = _WARM_UP + number * options.calls
        chosen = subjects[at : at + options.calls] if number >= 0 else subjects[:_WARM_UP]
        print(f"round {number + 1} of {options.rounds}", file=sys.stderr)
        for operation in OPERATIONS:
            for contender in contenders:
                wait_until_idle(1.0)
                _try(contender, lambda c=contender: c.ask(operation, chosen, keep=number >= 0))  # noqa: B023
    for contender in contenders:
        contender.close()
    figures = {
        "repository": options.repo.name,
        "rounds": options.rounds,
        "calls": options.calls,
        "baselines": {each.baseline.name: each.report(subjects[0]) for each in contenders},
    }
    _print(figures["baselines"])
    if options.save:
        print(write_report("rivals", figures))
    return 0


def _parse() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--repo", type=Path, required=True)
    parser.add_argument("--work", type=Path, required=True, help="where rivals are installed")
    parser.add_argument("--only", default="", help="names of baselines, separated by commas")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--calls", type=int, default=15, help="calls per operation and round")
    parser.add_argument(
        "--save", action="store_true", help="write benchmarks/results/rivals-*.json"
    )
    options = parser.parse_args()
    options.work, options.repo = options.work.resolve(), options.repo.resolve()
    return options


def _try(contender: Contender, step: Any) -> None:
    """A rival that breaks is said to be broken, and the others go on."""
    if contender.failure:
        return
    try:
        step()
    except (OSError, RuntimeError, ValueError, KeyError) as error:
        contender.failure = f"{type(error).__name__}: {error}"[:300]
        print(f"{contender.baseline.name}: {contender.failure}", file=sys.stderr)
        if contender.baseline.name == "agrama":
            raise


def choose_subjects(root: Path, count: int) -> list[Subject]:
    """Symbols spread over the repository, no name and no question twice."""
    sample = read_sample(root)
    found: dict[str, Subject] = {}
    for number, symbol in enumerate(sample.symbols):
        if symbol.name.startswith("__") or symbol.path is None or "#" in symbol.id:
            continue
        query = sample.call("hybrid_search", number).arguments["query"]
        qualified = symbol.id.partition("::")[2]
        subject = Subject(query, symbol.name, qualified, symbol.kind.name.lower(), symbol.path)
        found.setdefault(symbol.name, subject)
    subjects = list({subject.query: subject for subject in found.values()}.values())
    if len(subjects) < count:
        raise SystemExit(f"{root} has {len(subjects)} symbols to ask about, {count} are needed")
    step = len(subjects) / count
    return [subjects[int(at * step)] for at in range(count)]


def _print(baselines: dict[str, Any]) -> None:
    print(f"{'':18s} {'index s':>8s} {'peak MB':>8s} {'serve MB':>8s}", end="")
    print("".join(f" {name + ' ms':>19s}" for name in OPERATIONS))
    for name, row in baselines.items():
        index = row["index"] or {"wall_seconds": 0.0, "peak_pss_megabytes": 0.0}
        print(f"{name:18s} {index['wall_seconds']:8.1f} {index['peak_pss_megabytes']:8.0f}", end="")
        print(f" {row['server_megabytes'] or 0:8.0f}", end="")
        cells = [row["microseconds"].get(operation) for operation in OPERATIONS]
        for cell in cells:
            text = f"{cell['p50'] / 1000:.2f} / {cell['p95'] / 1000:.2f}" if cell else "–"
            print(f" {text:>19s}", end="")
        print(f"  {row['failure']}")
    errors = {name: row["first_errors"] for name, row in baselines.items() if row["first_errors"]}
    if errors:
        print(json.dumps(errors, indent=1))


if __name__ == "__main__":
    sys.exit(main())
