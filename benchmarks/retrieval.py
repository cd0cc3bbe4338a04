"""Measure how well `hybrid_search` ranks: NDCG@10 of questions whose answers are known, and what each step is worth.

    python benchmarks/retrieval.py --truth DIR --repos DIR [--ablate] [--fit] [--only NAME,…] [--model NAME] [--save]

`--truth` holds `repos.json` and `queries/NAME.json` of a benchmark in semble's form, `--repos` a
checkout of each repository; neither is part of this project. Repositories are indexed as `agrama
index` does it. `--ablate` scores again with each weight set to zero. `--fit` fits all weights anew
(listwise softmax, L2), leaving out one repository at a time, and scores each repository with the
weights it had no part in: the honest figure for weights that were fitted on the rest. The weights of RULES
are kept as they are; `with_rules_fitted` is the figure when they are fitted too.
"""

import argparse
import json
import math
import os
import sys
import time
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from agrama.cli import main as run_agrama
from agrama.graph import evidence, meaning, ranking, view
from agrama.graph.keys import repository_folder
from agrama.graph.query import parse_query
from agrama.graph.ranking import DEFAULT_WEIGHTS, Weights
from agrama.graph.search import Hit, hybrid_search
from agrama.graph.snapshot import open_snapshot
from agrama.graph.store import Store

sys.path.insert(0, str(Path(__file__).parent))
from report import write_report

Matrix = npt.NDArray[np.float64]
NAMES = [
    field.name for field in fields(Weights) if field.name not in ("expand", "graph", "report_users")
]
PAGE = 10
CANDIDATES = 50
L2 = 0.003
FIT_STEPS = 300
RULES = ("foreign", "declares")  # chosen, not fitted: hardly a repository has such files


class Question(NamedTuple):
    """A query and the files (or lines of them) that answer it."""

    repository: str
    category: str
    text: str
    targets: list[dict[str, Any]]


@dataclass(frozen=True, slots=True)
class Candidates:
    """The features of the files that may answer one question."""

    question: Question
    features: Matrix
    relevant: Matrix
    hits: list[Hit]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--truth", type=Path, required=True)
    parser.add_argument("--repos", type=Path, required=True)
    parser.add_argument("--home", type=Path, default=Path("/tmp/agrama-retrieval"))
    parser.add_argument("--only", default="")
    parser.add_argument("--model", default="static", help="what makes the vectors")
    parser.add_argument("--ablate", action="store_true")
    parser.add_argument("--fit", action="store_true")
    parser.add_argument("--save", action="store_true", help="keep the figures in results/")
    options = parser.parse_args()
    os.environ["AGRAMA_HOME"] = str(options.home)
    repositories = list(read_repositories(options))
    report: dict[str, Any] = {"model": options.model, **score_all(repositories, DEFAULT_WEIGHTS)}
    gathered = []
    if options.ablate or options.fit:
        gathered = [gather(store, question) for store, asked in repositories for question in asked]
    if options.ablate:
        report["ablation"] = ablate(gathered)
        report["groups"] = ablate_groups(repositories)
    if options.fit:
        report["fit"] = fit_all(gathered)
    text = json.dumps(report, indent=1)
    if options.save:
        name = "retrieval" if options.model == "static" else f"retrieval_{Path(options.model).name}"
        sys.stderr.write(f"{write_report(name, report)}\n")
    sys.stdout.write(text + "\n")
    return 0


def read_repositories(options: argparse.Namespace) -> Iterator[tuple[Store, list[Question]]]:
    """Index each repository once; its store and its questions."""
    for row in json.loads((options.truth / "repos.json").read_text()):
        if options.only and row["name"] not in options.only.split(","):
            continue
        root = (options.repos / row["name"] / (row["benchmark_root"] or ".")).resolve()
        if run_agrama(["index", str(root), "--quiet", "--model", options.model]):
            raise SystemExit(f"cannot index {root}")
        prefix = (row["benchmark_root"] or "").strip("./")
        path = options.truth / "queries" / f"{row['name']}.json"
        questions = [
            Question(row["name"], query["category"], query["query"], [_inside(target, prefix) for target in query["relevant"] + query["secondary"]])
            for query in json.loads(path.read_text())
        ]  # fmt: skip
        yield Store.open(repository_folder(root)), questions


def _inside(target: dict[str, Any], prefix: str) -> dict[str, Any]:
    path = target["path"]
    inner = path[len(prefix) + 1 :] if prefix and path.startswith(prefix + "/") else path
    return {**target, "path": inner}


def score_all(
    repositories: Sequence[tuple[Store, list[Question]]], weights: Weights
) -> dict[str, Any]:
    """NDCG@10, mean over repositories; and the time of a search in this process."""
    by_repository: dict[str, float] = {}
    by_category: dict[str, list[float]] = {}
    milliseconds: list[float] = []
    for store, questions in repositories:
        scores = []
        for question in questions:
            began = time.perf_counter()
            with open_snapshot(store) as snapshot:
                hits = hybrid_search(
                    snapshot, question.text, tuning=weights, include_snippets=False
                ).hits
            milliseconds.append(1_000 * (time.perf_counter() - began))
            scores.append(rate(hits, question.targets))
            by_category.setdefault(question.category, []).append(scores[-1])
        by_repository[questions[0].repository] = round(_mean(scores), 4)
    return {
        "ndcg10": round(_mean(by_repository.values()), 4),
        "by_category": {name: round(_mean(scores), 4) for name, scores in by_category.items()},
        "by_repository": by_repository,
        "p50_ms": round(float(np.percentile(milliseconds, 50)), 3),
        "p95_ms": round(float(np.percentile(milliseconds, 95)), 3),
    }


def rate(hits: Sequence[Hit], targets: Sequence[dict[str, Any]]) -> float:
    """NDCG@10 with binary relevance: a target's rank is that of the first hit that covers it."""
    ranks = {next((rank for rank, hit in enumerate(hits, 1) if _covers(hit, target)), PAGE + 1) for target in targets}  # fmt: skip
    gain = sum(1 / math.log2(rank + 1) for rank in ranks if rank <= PAGE)
    return gain / sum(1 / math.log2(at + 2) for at in range(min(PAGE, len(targets))))


def _covers(hit: Hit, target: dict[str, Any]) -> bool:
    if hit.path != target["path"]:
        return False
    if target.get("start_line") is None or target.get("end_line") is None:
        return True
    return bool(hit.end_line >= target["start_line"] and hit.start_line <= target["end_line"])


def ablate(gathered: Sequence[Candidates]) -> dict[str, float]:
    """What the score loses without each weight, the others left as they are."""
    fitted = np.array([getattr(DEFAULT_WEIGHTS, name) for name in NAMES])
    whole = _rerank_all(gathered, fitted)
    lost = {}
    for member in NAMES:
        kept = np.array([name != member for name in NAMES])
        lost[member] = round(_rerank_all(gathered, fitted * kept) - whole, 4)
    return lost


def ablate_groups(repositories: Sequence[tuple[Store, list[Question]]]) -> dict[str, float]:
    """NDCG@10 of whole searches without groups of weights."""
    roles = [name for name in NAMES if getattr(DEFAULT_WEIGHTS, name) < 0 or name == "entry"]
    words = ["best_chunk", "top_chunks", "file", "head"]
    groups = {
        "BM25F only": [name for name in NAMES if name not in words],
        "lexical only": [name for name in NAMES if name not in ranking.EVIDENCE],
        "vectors only": [name for name in NAMES if name != "semantic"],
        "BM25F off": words,
        "names and paths off": [name for name in ranking.EVIDENCE if name not in words],
        "roles off": roles,
        "graph off": ["users"],
        "embedding off": ["semantic"],
    }
    return {
        group: score_all(repositories, _change(dict.fromkeys(members, 0.0)))["ndcg10"]
        for group, members in groups.items()
    }


def _rerank_all(gathered: Sequence[Candidates], weights: Matrix) -> float:
    scores: dict[str, list[float]] = {}
    for row in gathered:
        scores.setdefault(row.question.repository, []).append(_rerank(row, weights))
    return _mean(_mean(values) for values in scores.values())


def _change(values: dict[str, Any]) -> Weights:
    return replace(DEFAULT_WEIGHTS, **values)


def fit_all(gathered: Sequence[Candidates]) -> dict[str, Any]:
    """Weights fitted on all repositories, and the score of those fitted without each."""
    left_out = leave_out(gathered, RULES)
    everything = fit(gathered, RULES)
    return {
        "leave_one_repository_out": round(_mean(left_out.values()), 4),
        "with_rules_fitted": round(_mean(leave_out(gathered, ()).values()), 4),
        "by_repository": left_out,
        "weights": {
            name: round(float(value), 2) for name, value in zip(NAMES, everything, strict=True)
        },
    }


def leave_out(gathered: Sequence[Candidates], kept: Collection[str]) -> dict[str, float]:
    """The score of each repository with weights fitted on the others, but for those kept."""
    scores = {}
    for name in sorted({row.question.repository for row in gathered}):
        weights = fit([row for row in gathered if row.question.repository != name], kept)
        own = [row for row in gathered if row.question.repository == name]
        scores[name] = round(_mean(_rerank(row, weights) for row in own), 4)
    return scores


def gather(store: Store, question: Question) -> Candidates:
    """What each weight would multiply, for the best files and those that answer."""
    with open_snapshot(store) as snapshot:
        index = view.open_index(snapshot.reader)
        assert index is not None
        parsed = parse_query(question.text)
        vector = meaning.embed_question(index, question.text)
        found = evidence.gather_evidence(index, parsed, None, 0)
        ranked = ranking.rank_files(index, found, parsed, vector, DEFAULT_WEIGHTS)
        hits = hybrid_search(
            snapshot, question.text, max_results=CANDIDATES, include_snippets=False
        ).hits
        slots = {index.path(slot): slot for slot in ranking.pick_files(index, ranked, CANDIDATES)}
        kept = [
            hit for hit in {hit.path: hit for hit in reversed(hits)}.values() if hit.path in slots
        ]
        at = [slots[hit.path] for hit in kept]
        columns = []
        for name in NAMES:
            if name == "semantic":
                values = np.zeros(index.slots) if ranked.semantic is None else ranked.semantic
            elif name in ranking.EVIDENCE:
                values = found.whole.get(name, np.zeros(index.slots, np.float32))
                if name in found.parts:
                    values[found.parts[name].slots] = found.parts[name].values
            else:
                alone = _change(dict.fromkeys(NAMES, 0.0) | {name: 1.0})
                values = ranking.weigh_files(index, parsed, alone)
            columns.append(np.asarray(values, np.float64)[at])
    wanted = {target["path"] for target in question.targets}
    relevant = np.array([float(hit.path in wanted) for hit in kept])
    return Candidates(question, np.stack(columns, 1), relevant, kept)


def fit(rows: Sequence[Candidates], kept: Collection[str]) -> Matrix:
    """Listwise softmax with L2, by Adam: deterministic, and good enough for a dozen weights."""
    rows = [row for row in rows if row.relevant.any()]
    features = np.concatenate([row.features for row in rows])
    wanted = np.concatenate([row.relevant / row.relevant.sum() for row in rows])
    lengths = np.array([len(row.relevant) for row in rows])
    starts = np.concatenate(([0], np.cumsum(lengths)[:-1]))
    owner = np.repeat(np.arange(len(rows)), lengths)
    free = np.array([name not in kept for name in NAMES])
    weights = np.array([getattr(DEFAULT_WEIGHTS, name) for name in NAMES]) * ~free
    first, second = np.zeros_like(weights), np.zeros_like(weights)
    for step in range(1, FIT_STEPS + 1):
        scores = features @ weights
        powers = np.exp(scores - np.maximum.reduceat(scores, starts)[owner])
        shares = powers / np.add.reduceat(powers, starts)[owner]
        gradient = (features.T @ (shares - wanted) / len(rows) + L2 * weights) * free
        first, second = 0.9 * first + 0.1 * gradient, 0.99 * second + 0.01 * gradient**2
        rate_ = 0.1 * math.sqrt(1 - 0.99**step) / (1 - 0.9**step)
        weights = weights - rate_ * first / (np.sqrt(second) + 1e-9)
    return weights


def _rerank(row: Candidates, weights: Matrix) -> float:
    order = np.argsort(-(row.features @ weights), kind="stable")[:PAGE]
    return rate([row.hits[at] for at in order.tolist()], row.question.targets)


def _mean(values: Iterable[float]) -> float:
    collected = list(values)
    return sum(collected) / len(collected) if collected else 0.0


if __name__ == "__main__":
    sys.exit(main())
