"""Train the static code embedding on mined pairs and write it as an int8 table.

    python benchmarks/embedding/train.py PAIRS OUT.npz --seed 1

A text's vector is the weighted sum of the vectors of its sub-words; questions and code share the table
but weigh sub-words differently. Loss: symmetric InfoNCE within batches made of runs from one package,
so that the negatives are neighbours. Packages, not pairs, are split into train, dev and test. Needs
numpy and scipy; some minutes on two cores.
"""

import argparse
import hashlib
import json
import sys
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import scipy.sparse as sp

from agrama.graph.subwords import cut_subwords
from agrama.graph.vectors import train_codebook

Floats = npt.NDArray[np.float32]
DIMENSIONS = 256
RUN = 32  # neighbouring pairs of one package in a batch
BATCH = 1024
TEMPERATURE = 0.05
RATE = 3e-3
POOL = 2_000  # candidates that a held-out question is ranked among
MIN_PACKAGES = 3  # a sub-word of fewer packages is their own affair


@dataclass(slots=True)
class Parameters:
    """The table, the weight of each sub-word in questions and in code, and Adam's moments."""

    table: Floats
    question: Floats
    code: Floats
    moments: dict[str, tuple[Floats, Floats]] = field(default_factory=dict)
    steps: int = 0

    def update(self, name: str, rows: npt.NDArray[np.int64], gradient: Floats, rate: float) -> None:
        """Adam on the rows that a batch touched."""
        values: Floats = getattr(self, name)
        if name not in self.moments:
            self.moments[name] = (np.zeros_like(values), np.zeros_like(values))
        first, second = self.moments[name]
        first[rows] = 0.9 * first[rows] + 0.1 * gradient
        second[rows] = 0.98 * second[rows] + 0.02 * gradient**2
        speed = rate * np.sqrt(1 - 0.98**self.steps) / (1 - 0.9**self.steps)
        values[rows] -= (speed * first[rows] / (np.sqrt(second[rows]) + 1e-8)).astype(np.float32)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("pairs", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--epochs", type=float, default=3)
    parser.add_argument("--words", type=int, default=32_000)
    parser.add_argument("--limit-seconds", type=float, default=1_200)
    options = parser.parse_args()
    rows = [json.loads(line) for line in options.pairs.open()]
    splits = [choose_split(row[2]) for row in rows]
    words = choose_words(
        [r for r, s in zip(rows, splits, strict=True) if s == "train"], options.words
    )
    questions, codes = count_words(rows, words, 0), count_words(rows, words, 1)
    codes.data = 1 + np.log(codes.data)
    parameters = start(questions, codes, options.seed)
    train = np.array([at for at, split in enumerate(splits) if split == "train"])
    packages = [rows[at][2] for at in train]
    began = time.monotonic()
    total = int(options.epochs * len(train) / BATCH)
    rng = np.random.default_rng(options.seed)
    losses: list[float] = []
    while parameters.steps < total and time.monotonic() - began < options.limit_seconds:
        for batch in make_batches(train, packages, rng):
            rate = RATE * max(0.05, 1 - parameters.steps / total)
            losses.append(step(parameters, questions[batch], codes[batch], rate))
            if parameters.steps % 50 == 0:
                sys.stderr.write(f"{parameters.steps}/{total} loss {np.mean(losses[-50:]):.3f} {time.monotonic() - began:.0f} s\n")  # fmt: skip
            if parameters.steps >= total:
                break
    sample = np.random.default_rng(options.seed).permutation(train)[:40_000]
    codebook = train_codebook(embed(codes[sample], parameters.code, parameters.table))
    save(parameters, words, codebook, options.out)
    report: dict[str, Any] = {"seed": options.seed, "steps": parameters.steps, "train": len(train)}
    for split in ("dev", "test"):
        report[split] = evaluate(parameters, rows, splits, split, questions, codes)
    sys.stdout.write(json.dumps(report) + "\n")
    return 0


def choose_split(package: str) -> str:
    """Two in a hundred packages are for choices, two for the figure."""
    number = hashlib.blake2b(package.encode(), digest_size=2).digest()[0]
    return "dev" if number < 6 else "test" if number < 12 else "train"


def choose_words(rows: Sequence[Sequence[str]], limit: int) -> dict[str, int]:
    """The sub-words of most packages."""
    packages: dict[str, set[str]] = {}
    for question, code, package, *_ in rows:
        packages.setdefault(package, set()).update(cut_subwords(question), cut_subwords(code))
    counts: Counter[str] = Counter()
    for known in packages.values():
        counts.update(known)
    best = sorted(counts.items(), key=lambda item: (-item[1], item[0]))[:limit]
    return {word: at for at, (word, count) in enumerate(best) if count >= MIN_PACKAGES}


def count_words(rows: Sequence[Sequence[str]], words: dict[str, int], column: int) -> Any:
    """Sub-word counts, one row per pair."""
    starts, ids, counts = [0], [], []
    for row in rows:
        found = Counter(words[w] for w in cut_subwords(row[column]) if w in words)
        ids.extend(found)
        counts.extend(found.values())
        starts.append(len(ids))
    data = np.array(counts, np.float32)
    return sp.csr_matrix((data, np.array(ids, np.int32), np.array(starts)), (len(rows), len(words)))


def start(questions: Any, codes: Any, seed: int) -> Parameters:
    """Random vectors, weights by rarity."""
    rng = np.random.default_rng(seed)
    width = questions.shape[1]
    table = rng.standard_normal((width, DIMENSIONS), np.float32) / np.float32(DIMENSIONS**0.5)
    weights = []
    for counts in (questions, codes):
        frequency = np.bincount(counts.indices, minlength=width)
        rarity = np.log(1 + counts.shape[0] / (1 + frequency)).astype(np.float32)
        weights.append(rarity / rarity.mean())
    return Parameters(table, *weights)


def make_batches(
    train: npt.NDArray[np.int64], packages: Sequence[str], rng: np.random.Generator
) -> list[npt.NDArray[np.int64]]:
    """Every pair once: runs from one package, many packages in a batch."""
    by_package: dict[str, list[int]] = {}
    for at, package in zip(train.tolist(), packages, strict=True):
        by_package.setdefault(package, []).append(at)
    runs = []
    for members in by_package.values():
        shuffled = rng.permutation(members)
        runs += [shuffled[i : i + RUN] for i in range(0, len(shuffled), RUN)]
    mixed = np.concatenate([runs[i] for i in rng.permutation(len(runs))])
    return [mixed[i : i + BATCH] for i in range(0, len(mixed) - BATCH + 1, BATCH)]


def step(parameters: Parameters, questions: Any, codes: Any, rate: float) -> float:
    """One batch: forward, backward, update; the loss."""
    parameters.steps += 1
    touched = np.unique(np.concatenate((questions.indices, codes.indices)))
    table = parameters.table[touched]
    sides = []
    for name, counts in (("question", questions), ("code", codes)):
        columns = np.searchsorted(touched, counts.indices)
        weights = getattr(parameters, name)[touched]
        shape = (counts.shape[0], len(touched))
        bag = sp.csr_matrix((counts.data * weights[columns], columns, counts.indptr), shape)
        raw = bag @ table
        norm = np.linalg.norm(raw, axis=1, keepdims=True) + 1e-6
        sides.append((name, counts, bag, columns, raw / norm, norm))
    left, right = sides[0][4], sides[1][4]
    scores = left @ right.T / np.float32(TEMPERATURE)
    rows, loss_rows = _softmax(scores)
    columns_, loss_columns = _softmax(scores.T)
    pull = (rows + columns_.T) / 2
    pull[np.diag_indices(len(pull))] -= 1
    pull /= np.float32(len(pull) * TEMPERATURE)
    gradient = np.zeros_like(table)
    for (name, counts, bag, columns, unit, norm), other, force in (
        (sides[0], right, pull),
        (sides[1], left, pull.T),
    ):
        inward = force @ other
        inward = (inward - unit * (inward * unit).sum(1, keepdims=True)) / norm
        gradient += bag.T @ inward
        lengths = np.diff(counts.indptr)
        along = (np.repeat(inward, lengths, axis=0) * table[columns]).sum(1) * counts.data
        weight_gradient = np.bincount(columns, along, len(touched)).astype(np.float32)
        parameters.update(name, touched, weight_gradient, rate)
    parameters.update("table", touched, gradient, rate)
    return float((loss_rows + loss_columns) / 2)


def _softmax(scores: Floats) -> tuple[Floats, float]:
    """Row probabilities, and the loss of the diagonal."""
    shifted = scores - scores.max(1, keepdims=True)
    powers = np.exp(shifted)
    sums = powers.sum(1, keepdims=True)
    loss = float(-(np.diag(shifted) - np.log(sums[:, 0])).mean())
    return powers / sums, loss


def embed(counts: Any, weights: Floats, table: Floats) -> Floats:
    raw: Floats = counts.multiply(weights[None, :]).tocsr() @ table
    return raw / (np.linalg.norm(raw, axis=1, keepdims=True) + 1e-6)


def evaluate(
    parameters: Parameters,
    rows: Sequence[Sequence[str]],
    splits: Sequence[str],
    split: str,
    questions: Any,
    codes: Any,
) -> dict[str, Any]:
    """MRR@10 of held-out questions among the code of held-out packages, by form of pair."""
    report: dict[str, Any] = {}
    for form in ("doc", "file", "name"):
        held = [at for at, s in enumerate(splits) if s == split and rows[at][4] == form]
        held = np.random.default_rng(0).permutation(held)[:POOL].tolist()
        if not held:
            continue
        left = embed(questions[held], parameters.question, parameters.table)
        right = embed(codes[held], parameters.code, parameters.table)
        scores = left @ right.T
        rank = (scores > np.diag(scores)[:, None]).sum(1) + 1
        report[form] = {"n": len(held), "mrr10": round(float(np.where(rank <= 10, 1 / rank, 0).mean()), 4)}  # fmt: skip
    return report


def save(parameters: Parameters, words: dict[str, int], codebook: Floats, path: Path) -> None:
    """Rows as int8 of their largest component; what they weigh goes into two scales per row."""
    largest = np.abs(parameters.table).max(1) + 1e-9
    table = np.round(parameters.table / largest[:, None] * 127).astype(np.int8)
    np.savez(
        path,
        words=np.frombuffer("\n".join(words).encode(), np.uint8),
        table=table,
        question_scale=(parameters.question * largest / 127).astype(np.float32),
        code_scale=(parameters.code * largest / 127).astype(np.float32),
        codebook=codebook,
    )


if __name__ == "__main__":
    sys.exit(main())
