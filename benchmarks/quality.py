"""Are the answers right: ours and every baseline on questions and call sites that others labelled.

    quality.py --truth DIR --repos DIR --work DIR [--only agrama,semble] [--repositories flask,gson] [--save]
    quality.py --truth DIR --repos DIR --work DIR --again RESULT

retrieval: NDCG@10 of files. DIR/retrieval names repositories and questions, each with its files. Distinct files
are ranked by their first hit, since not everybody answers with lines. Mean over repositories.
callers: who calls a function, by file and name of the calling function, against DIR/oracle/python. Precision
and recall over all answers together; a function that a baseline does not find counts as no answer.
A server that fell over has 0 for that repository. --again asks it once more and keeps in RESULT what it then
answers, so that a machine that was short of something is not a baseline's fault.
"""

import argparse
import json
import math
import os
import statistics
import sys
from collections import defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from baselines.contract import Baseline, Session, Subject
from baselines.every import choose, copy_repository
from processes import measure
from report import write_report

_PAGE = 10
Caller = tuple[str, str]


def main() -> int:
    options = _parse()
    if options.again:
        return repeat_failures(options)
    contenders = choose(options.work, options.only)
    versions = {each.name: each.install() for each in contenders}
    figures: dict[str, Any] = {"versions": versions}
    figures["notes"] = {each.name: each.note for each in contenders if each.note}
    figures["retrieval"] = score_retrieval(contenders, options)
    figures["callers"] = score_callers(contenders, options)
    print(json.dumps({name: figures[name] for name in ("retrieval", "callers")}, indent=1))
    if options.save:
        print(write_report("quality", figures))
    return 0


def _parse() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--truth", type=Path, required=True)
    parser.add_argument("--repos", type=Path, required=True, help="checkouts by name")
    parser.add_argument("--work", type=Path, required=True, help="where baselines are installed")
    parser.add_argument("--only", default="", help="names of baselines")
    parser.add_argument("--repositories", default="", help="names of repositories")
    parser.add_argument("--again", type=Path, help="a result whose failures are tried once more")
    parser.add_argument(
        "--save", action="store_true", help="write benchmarks/results/quality-*.json"
    )
    options = parser.parse_args()
    options.work, options.repos = options.work.resolve(), options.repos.resolve()
    return options


def open_session(baseline: Baseline, source: Path) -> tuple[Session, Path]:
    """Index a copy of a repository and serve it."""
    root = copy_repository(baseline, source)
    command = baseline.index_command(root)
    if command is not None:
        baseline.forget()
        measure(command, {**os.environ, **baseline.environment})
    return baseline.serve(root), root


def repeat_failures(options: argparse.Namespace) -> int:
    """Try once more what failed in a result, and keep there what comes of it."""
    report = _read(options.again)
    kept = report["figures"]["retrieval"]
    failures: dict[str, dict[str, str]] = kept["failures"]
    for name, failed in list(failures.items()):
        options.repositories = ",".join(failed)
        contenders = choose(options.work, name)
        for each in contenders:
            each.install()
        again = score_retrieval(contenders, options)
        kept["repositories"][name] |= again["repositories"][name]
        kept["ndcg10"][name] = _mean(kept["repositories"][name])
        kept.setdefault("tried_again", {})[name] = failed
        failures[name] = again["failures"].get(name, {})
    kept["failures"] = {name: failed for name, failed in failures.items() if failed}
    options.again.write_text(json.dumps(report, indent=1, sort_keys=True) + "\n")
    return 0


def _mean(by_repository: dict[str, float]) -> float:
    return round(statistics.fmean(by_repository.values()), 4)


def score_retrieval(contenders: Sequence[Baseline], options: argparse.Namespace) -> dict[str, Any]:
    scores: dict[str, dict[str, float]] = {each.name: {} for each in contenders}
    failures: dict[str, dict[str, str]] = defaultdict(dict)
    for row in _read_repositories(options):
        questions = _read(options.truth / "retrieval" / "queries" / f"{row['name']}.json")
        source = options.repos / row["name"] / (row["benchmark_root"] or ".")
        for each in contenders:
            try:
                value = _score_questions(each, source.resolve(), questions, row)
            except (OSError, RuntimeError, ValueError, KeyError) as error:
                failures[each.name][row["name"]] = f"{type(error).__name__}: {error}"[:300]
                value = 0.0
            scores[each.name][row["name"]] = value
            print(f"{row['name']:22s} {each.name:18s} {value:.4f}", file=sys.stderr)
    return {
        "ndcg10": {name: _mean(by) for name, by in scores.items()},
        "repositories": scores,
        "failures": failures,
    }


def _read_repositories(options: argparse.Namespace) -> Iterator[dict[str, Any]]:
    wanted = set(filter(None, options.repositories.split(",")))
    for row in _read(options.truth / "retrieval" / "repos.json"):
        if not wanted or row["name"] in wanted:
            yield row


def _score_questions(
    baseline: Baseline, source: Path, questions: list[dict[str, Any]], row: dict[str, Any]
) -> float:
    session, root = open_session(baseline, source)
    prefix = (row["benchmark_root"] or "").strip("./")
    values = []
    try:
        for question in questions:
            subject = Subject(question["query"], question["query"], "", "", "")
            call = baseline.make_call("search", subject, root)
            if call is None:
                raise RuntimeError("it has no search")
            answer = session.ask(call)
            places = [] if answer.error else baseline.read_places("search", answer, root)
            found = list(dict.fromkeys(place.path for place in places))
            targets = question["relevant"] + question["secondary"]
            values.append(rate(found, {_cut(target["path"], prefix) for target in targets}))
    finally:
        session.close()
    return round(statistics.fmean(values), 4)


def rate(found: Sequence[str], wanted: set[str]) -> float:
    """NDCG@10 of files, each wanted or not."""
    gain = sum(1 / math.log2(at + 2) for at, path in enumerate(found[:_PAGE]) if path in wanted)
    return gain / sum(1 / math.log2(at + 2) for at in range(min(_PAGE, len(wanted))))


def _cut(path: str, prefix: str) -> str:
    return path.removeprefix(prefix + "/") if prefix else path


def score_callers(contenders: Sequence[Baseline], options: argparse.Namespace) -> dict[str, Any]:
    counts: dict[str, list[int]] = {each.name: [0, 0, 0, 0] for each in contenders}
    asked = 0
    for path in sorted((options.truth / "oracle" / "python").glob("*.calls.json")):
        truth = _read(path)
        wanted = read_callers(truth)
        asked += len(wanted)
        for each in contenders:
            if each.names_callers:
                _count_callers(
                    each, options.repos / truth["repo"], truth, wanted, counts[each.name]
                )
    return {
        "functions": asked,
        **{name: _summarize(*row) for name, row in counts.items() if row[1]},
    }


def read_callers(truth: dict[str, Any]) -> dict[Subject, set[Caller]]:
    """The functions that are called, each with the functions that call it."""
    wanted: dict[Subject, set[Caller]] = defaultdict(set)
    for path, _, _, _, _, caller, targets, status in truth["sites"]:
        if status in ("unknown", "external") or caller == "<module>" or len(targets) != 1:
            continue
        (where, _, qualified, kind) = targets[0]
        name = qualified.rpartition(".")[2]
        subject = Subject(name, name, qualified, kind, where)
        if kind in ("function", "method"):
            wanted[subject].add((path, caller.rpartition(".")[2]))
    return dict(wanted)


def _count_callers(
    baseline: Baseline,
    source: Path,
    truth: dict[str, Any],
    wanted: dict[Subject, set[Caller]],
    counts: list[int],
) -> None:
    """Add to hits, wanted, returned and failed calls."""
    if baseline.make_call("callers", next(iter(wanted)), source) is None:
        return
    session, root = open_session(baseline, source)
    inside = truth["root"].rstrip("/") + "/"
    try:
        for subject, callers in wanted.items():
            call = baseline.make_call("callers", subject, root)
            answer = session.ask(call) if call else None
            found: set[Caller] = set()
            if answer is not None and not answer.error:
                places = baseline.read_places("callers", answer, root)
                found = {
                    (place.path, place.name) for place in places if place.path.startswith(inside)
                }
                # Code at module level has no function to name.
                found = {pair for pair in found if pair[1] != os.path.basename(pair[0])}
            counts[0] += len(found & callers)
            counts[1] += len(callers)
            counts[2] += len(found)
            counts[3] += answer is None or bool(answer.error)
    finally:
        session.close()


def _summarize(hits: int, wanted: int, returned: int, failed: int) -> dict[str, float]:
    precision, recall = hits / max(1, returned), hits / max(1, wanted)
    return {
        "precision": round(precision, 4),
        "recall": round(recall, 4),
        "f1": round(2 * precision * recall / max(1e-9, precision + recall), 4),
        "not_found": failed,
    }


def _read(path: Path) -> Any:
    return json.loads(path.read_text())


if __name__ == "__main__":
    sys.exit(main())
