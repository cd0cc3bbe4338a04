"""Checks that an index kept up to date by updates equals one built from scratch, byte for byte.

    python benchmarks/incremental.py SOURCE [--sequences 200] [--edits 4] [--seed 1] [--glob '*.py'] [--save]

Each sequence copies SOURCE, makes random edits and indexes after each with an indexer that stays
alive, compares with a build from scratch, then does the same with one that starts from the stored index.
"""

import argparse
import os
import queue
import random
import shutil
import sys
import tempfile
import time
from pathlib import Path

from edits import edit_tree
from report import write_report

from agrama.graph.export import export_jsonl
from agrama.graph.snapshot import open_snapshot
from agrama.graph.store import Store
from agrama.indexer.build import Indexer, Options
from agrama.indexer.settle import Settled


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("source", type=Path)
    parser.add_argument("--sequences", type=int, default=200)
    parser.add_argument("--edits", type=int, default=4)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--glob", default="*.py")
    parser.add_argument("--save", action="store_true")
    arguments = parser.parse_args()
    started = time.perf_counter()
    wrong = 0
    for number in range(arguments.sequences):
        seed = arguments.seed * 1_000_000 + number
        with tempfile.TemporaryDirectory(prefix="agrama-incremental-") as top:
            log = check_sequence(
                arguments.source, Path(top), arguments.edits, seed, glob=arguments.glob
            )
        if log is not None:
            wrong += 1
            print(f"sequence {seed} differs:\n" + "\n".join(log), flush=True)
        if number % 20 == 19:
            print(f"{number + 1} sequences, {wrong} differ", flush=True)
    seconds = time.perf_counter() - started
    print(f"{arguments.sequences} sequences, {wrong} differ, {seconds:.0f} s")
    if arguments.save:
        figures = {"sequences": arguments.sequences, "edits": arguments.edits, "differ": wrong}
        print(write_report("incremental", {**figures, "seed": arguments.seed}))
    return 1 if wrong else 0


def check_sequence(
    source: Path, top: Path, edits: int, seed: int, *, glob: str = "*.py"
) -> list[str] | None:
    """None when equal, else what was done and the first lines that differ."""
    rng = random.Random(seed)
    root = top / "tree"
    shutil.copytree(source, root, ignore=shutil.ignore_patterns(".git", "__pycache__"))
    log: list[str] = []

    def edit() -> None:
        log.extend(edit_tree(root, source, glob, rng) for _ in range(rng.randint(1, 3)))

    os.environ["AGRAMA_HOME"] = str(top / "updated")
    # Every other sequence goes by previews, as large repositories do.
    registers = 0 if seed % 2 else Options().exact_registers
    with Indexer(root, Options(resident=True, workers=1, exact_registers=registers)) as resident:
        resident.run()
        resident.prepare()
        for _ in range(edits):
            edit()
            resident.run()
        settle(resident)
        updated = _export(resident.store)
    if differences := _compare(updated, _build(root, top / "scratch")):
        return ["by an indexer that stays alive", *log, *differences]
    edit()
    updated = _build(root, top / "updated")
    if differences := _compare(updated, _build(root, top / "again")):
        return ["by a fresh indexer", *log, *differences]
    return None


def settle(indexer: Indexer) -> None:
    """Wait for the exact graph."""
    outcome: queue.SimpleQueue[Settled] = queue.SimpleQueue()
    if indexer.begin_settling(outcome.put) is not None:
        report = indexer.finish_settling(outcome.get(timeout=600))
        if report is None:
            raise RuntimeError("the exact resolution failed")


def _build(root: Path, home: Path) -> list[bytes]:
    os.environ["AGRAMA_HOME"] = str(home)
    with Indexer(root, Options(workers=1)) as indexer:
        indexer.run()
        return _export(indexer.store)


def _export(store: Store) -> list[bytes]:
    with open_snapshot(store) as snapshot:
        return list(export_jsonl(snapshot))


def _compare(left: list[bytes], right: list[bytes]) -> list[str]:
    """The first lines that differ, none when the exports are equal."""
    if left == right:
        return []
    only_left, only_right = set(left) - set(right), set(right) - set(left)
    shown = [f"  updated only: {x.decode().strip()}" for x in sorted(only_left)[:5]]
    shown += [f"  scratch only: {x.decode().strip()}" for x in sorted(only_right)[:5]]
    return shown or ["  the same lines in another order"]


if __name__ == "__main__":
    sys.exit(main())
