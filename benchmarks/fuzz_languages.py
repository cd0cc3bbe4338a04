"""Indexes spoilt sources in every language and counts what breaks.

    fuzz_languages.py SOURCE... [--files 100000] [--seed 1] [--batch 2000] [--save]

Texts of every registered language are taken from the SOURCE directories, cut to a few kilobytes,
mutated (mutations.py) and written to a tree of --batch files, which `Indexer.run` then indexes as it
would any repository: one worker process parses, extracts, measures, chunks and embeds, the main process
resolves and publishes, the graph is exported. Every other batch is a full build, the others are updates.
File N of seed S is the same in every run on the same sources: --only N writes it to standard output.

A file counts as failed when its extractor raised, as crashed when the worker died, as a timeout when
it took longer than the product allows. A file that is slow is timed again by itself.
"""

import argparse
import contextlib
import json
import os
import random
import shutil
import sys
import tempfile
import time
import traceback
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from mutations import mutate
from processes import find_family
from report import write_report

from agrama.graph.export import export_jsonl
from agrama.graph.snapshot import open_snapshot
from agrama.indexer.batch import Progress
from agrama.indexer.build import Indexer, Options
from agrama.indexer.languages import name_language, read_rows
from agrama.indexer.pool import PARSE_SECONDS, Pool
from agrama.indexer.walk import MAX_FILE_BYTES
from agrama.indexer.worker import Task

MAX_TEXT = 6_000  # of a sample; mutations may make it longer
MAX_SAMPLES = 400  # per language
SLOW_SECONDS = 1.0
FOREIGN = 0.05  # share of files with the text of another language

Samples = Mapping[str, Sequence[bytes]]


@dataclass(slots=True)
class Outcome:
    """What was seen so far."""

    files: int = 0
    bytes: int = 0
    statuses: Counter[str] = field(default_factory=Counter)
    problems: dict[str, str] = field(
        default_factory=dict
    )  # file number and language -> what happened
    crashes: list[str] = field(default_factory=list)  # of the indexer itself
    slow: dict[str, float] = field(default_factory=dict)
    slowest_seconds: float = 0.0
    worker_peak_megabytes: float = 0.0
    languages: Counter[str] = field(default_factory=Counter)


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("sources", type=Path, nargs="+")
    parser.add_argument("--files", type=int, default=100_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--batch", type=int, default=2_000)
    parser.add_argument("--only", type=int, help="write this file to standard output")
    parser.add_argument("--save", action="store_true")
    arguments = parser.parse_args()
    samples = read_samples(arguments.sources)
    if arguments.only is not None:
        sys.stdout.buffer.write(make_text(samples, arguments.seed, arguments.only)[1])
        return 0
    figures = run(samples, arguments.files, arguments.seed, arguments.batch)
    print(json.dumps(figures, indent=1))
    if arguments.save:
        print(write_report("fuzz_languages", figures))
    return 1 if figures["problems"] or figures["indexer_crashes"] else 0


def read_samples(sources: Sequence[Path]) -> Samples:
    """Some texts of each language, the same ones each time."""
    paths: dict[str, list[Path]] = {row.name: [] for row in read_rows()}
    for top in sources:
        for folder, folders, names in os.walk(top):
            folders[:] = sorted(name for name in folders if name != ".git")
            for name in sorted(names):
                language = name_language(name)
                if language is not None and os.path.isfile(os.path.join(folder, name)):
                    paths[language].append(Path(folder, name))
    return {language: _read_some(found) for language, found in paths.items()}


def _read_some(paths: Sequence[Path]) -> list[bytes]:
    rng = random.Random(0)
    chosen = rng.sample(paths, min(len(paths), MAX_SAMPLES))
    return [path.read_bytes()[: 20 * MAX_TEXT] for path in chosen]


def make_text(samples: Samples, seed: int, number: int) -> tuple[str, bytes]:
    """The language and the text of file `number`."""
    rng = random.Random(f"{seed}:{number}")
    names = list(samples)
    language = names[number % len(names)]
    others = samples[language]
    if not others or rng.random() < FOREIGN:
        others = samples[rng.choice([name for name in names if samples[name]])]
    text = rng.choice(others)
    if len(text) > MAX_TEXT:
        # The beginning holds the imports; a cut from the middle begins in the midst of something.
        at = 0 if rng.random() < 0.6 else rng.randint(0, len(text) - MAX_TEXT)
        text = text[at : at + rng.randint(MAX_TEXT // 8, MAX_TEXT)]
    return language, mutate(text, others, rng)


def run(samples: Samples, files: int, seed: int, batch: int) -> dict[str, Any]:
    """Index all files, a batch at a time."""
    outcome = Outcome()
    started = time.perf_counter()
    suffixes = {row.name: _suffix(row.extensions, row.filenames) for row in read_rows()}
    home = os.environ.get("AGRAMA_HOME")
    with tempfile.TemporaryDirectory(prefix="agrama-fuzz-") as top, contextlib.ExitStack() as stack:
        os.environ["AGRAMA_HOME"] = f"{top}/home"
        stack.callback(_restore_home, home)
        root = Path(top) / "tree"
        for first in range(0, files, batch):
            shutil.rmtree(root, ignore_errors=True)
            for number in range(first, min(files, first + batch)):
                language, text = make_text(samples, seed, number)
                folder = root / language / str(number)
                folder.mkdir(parents=True)
                (folder / suffixes[language]).write_bytes(text)
                outcome.bytes += len(text)
                outcome.languages[language] += 1
            index_batch(root, outcome, full=first // batch % 2 == 0)
            print(f"{outcome.files} files, {len(outcome.problems)} problems", file=sys.stderr)
    return _figures(outcome, seed, time.perf_counter() - started)


def _restore_home(home: str | None) -> None:
    if home is None:
        del os.environ["AGRAMA_HOME"]
    else:
        os.environ["AGRAMA_HOME"] = home


def _suffix(extensions: Sequence[str], filenames: Sequence[str]) -> str:
    return f"f{extensions[0]}" if extensions else filenames[0]


def index_batch(root: Path, outcome: Outcome, *, full: bool) -> None:
    """Index the tree as it is now; whatever the indexer raises is a finding."""
    watch = Stopwatch()
    try:
        with Indexer(root, Options(full=full, workers=1), watch.note) as indexer:
            report = indexer.run()
            with open_snapshot(indexer.store) as snapshot:
                for _ in export_jsonl(snapshot):
                    pass
                for entry in snapshot.files():
                    outcome.statuses[entry.reason or entry.status] += 1
    # The run goes on with the next batch: one crash must not hide another.
    except Exception:  # noqa: BLE001
        outcome.crashes.append(traceback.format_exc(limit=-8))
        return
    outcome.files += report.parsed
    outcome.problems.update(report.problems)
    outcome.worker_peak_megabytes = max(outcome.worker_peak_megabytes, watch.peak_megabytes)
    outcome.slowest_seconds = max(outcome.slowest_seconds, watch.slowest_seconds)
    for path in _order(root)[: len(watch.gaps)] if watch.slowest_seconds > SLOW_SECONDS else ():
        if watch.gaps.pop(0) > SLOW_SECONDS:
            outcome.slow[path] = time_alone(root, path)


class Stopwatch:
    """The time between two results of the only worker, and its peak memory."""

    def __init__(self) -> None:
        self.gaps: list[float] = []
        self.peak_megabytes = 0.0
        self._before = 0.0

    @property
    def slowest_seconds(self) -> float:
        return max(self.gaps[1:], default=0.0)  # the first result waits for the worker to start

    def note(self, progress: Progress) -> None:
        if progress.phase != "parse":
            return
        now = time.perf_counter()
        self.gaps.append(now - self._before if self._before else 0.0)
        self._before = now
        if progress.done % 500 == 0 or progress.done == progress.total:
            peaks = [read_peak(pid) for pid in find_family(os.getpid())[1:]]
            self.peak_megabytes = max(self.peak_megabytes, *peaks, 0.0)


def read_peak(pid: int) -> float:
    """The most memory a process ever had resident, in megabytes."""
    with contextlib.suppress(OSError), open(f"/proc/{pid}/status") as file:
        for line in file:
            if line.startswith("VmHWM:"):
                return int(line.split()[1]) / 1000
    return 0.0


def _order(root: Path) -> list[str]:
    """The paths in the order in which one worker gets them: the largest first."""
    paths = [path for path in root.rglob("*") if path.is_file()]
    found = [(-path.stat().st_size, path.relative_to(root).as_posix()) for path in paths]
    return [path for _, path in sorted(found)]


def time_alone(root: Path, path: str) -> float:
    """Seconds for one file in a worker that has nothing else to do and has loaded the grammar."""
    language = name_language(path)
    warm = root / f"warm{Path(path).suffix}"
    warm.write_bytes(b"\n")
    with Pool(root, max_bytes=MAX_FILE_BYTES, size=1) as pool:
        list(pool.parse([Task(warm.name, language, "")]))
        started = time.perf_counter()
        list(pool.parse([Task(path, language, "")]))
        seconds = time.perf_counter() - started
    warm.unlink()
    return round(seconds, 3)


def _figures(outcome: Outcome, seed: int, seconds: float) -> dict[str, Any]:
    kinds = Counter(problem.partition(":")[0] for problem in outcome.problems.values())
    timeouts = sum("timeout" in problem for problem in outcome.problems.values())
    return {
        "files": outcome.files,
        "megabytes": round(outcome.bytes / 1e6, 1),
        "seed": seed,
        "languages": dict(sorted(outcome.languages.items())),
        "statuses": dict(outcome.statuses.most_common()),
        "indexer_crashes": outcome.crashes,
        "problems": dict(sorted(outcome.problems.items())),
        "problem_kinds": dict(kinds.most_common()),
        "timeouts": timeouts,
        "time_limit_seconds": PARSE_SECONDS,
        "slowest_seconds": round(outcome.slowest_seconds, 3),
        "slow_alone_seconds": dict(sorted(outcome.slow.items(), key=lambda row: -row[1])),
        "worker_peak_megabytes": round(outcome.worker_peak_megabytes, 1),
        "seconds": round(seconds),
    }


if __name__ == "__main__":
    sys.exit(main())
