"""Kills the indexer at random moments and looks at what it leaves behind.

    python benchmarks/kill_indexer.py SOURCE [--kills 200] [--seed 1] [--save]

Each round edits a copy of SOURCE and starts `agrama index`, every other time with --full; after a
random part of the time such a run takes, the process is killed with SIGKILL. The index must open, at
the old or the new generation and with exactly its content, and the next run must complete.
"""

import argparse
import hashlib
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from edits import edit_tree
from report import write_report

from agrama.graph import keys
from agrama.graph.export import export_jsonl
from agrama.graph.keys import repository_folder
from agrama.graph.snapshot import open_snapshot
from agrama.graph.store import Store
from agrama.indexer.languages import load_languages

_COMMAND = [sys.executable, "-P", "-m", "agrama", "index", "--quiet"]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("source", type=Path)
    parser.add_argument("--kills", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--save", action="store_true")
    arguments = parser.parse_args()
    rng = random.Random(arguments.seed)
    with tempfile.TemporaryDirectory(prefix="agrama-kill-") as top:
        os.environ["AGRAMA_HOME"] = f"{top}/home"
        root = Path(top) / "tree"
        shutil.copytree(
            arguments.source, root, ignore=shutil.ignore_patterns(".git", "__pycache__")
        )
        counts = run_rounds(root, arguments.source, arguments.kills, rng)
    print(counts)
    if arguments.save:
        print(write_report("kill_indexer", {**counts, "seed": arguments.seed}))
    return 1 if counts["wrong"] else 0


def run_rounds(root: Path, source: Path, kills: int, rng: random.Random) -> dict[str, int]:
    counts = {"killed": 0, "finished": 0, "old": 0, "new": 0, "wrong": 0}
    _index(root)
    old = _fingerprint(root)
    span = {True: 1.0, False: 1.0}  # how long a run takes, learnt as we go
    while counts["killed"] < kills:
        edit_tree(root, source, "*.py", rng)
        full = rng.random() < 0.5
        process = subprocess.Popen([*_COMMAND, str(root), *(["--full"] if full else [])])
        time.sleep(rng.random() * span[full])
        alive = process.poll() is None
        process.send_signal(signal.SIGKILL)
        process.wait()
        counts["killed" if alive else "finished"] += 1
        found = _fingerprint(root)
        started = time.perf_counter()
        _index(root, full=full)
        span[full] = (span[full] + time.perf_counter() - started) / 2
        new = _fingerprint(root)
        if alive:
            state = "old" if found == old else "new" if found[1] == new[1] else "wrong"
            if not _has_all_facts(root):
                state = "wrong"
            counts[state] += 1
            if counts["killed"] % 20 == 0:
                print(counts, flush=True)
        old = new
    return counts


def _index(root: Path, *, full: bool = False) -> None:
    subprocess.run([*_COMMAND, str(root), *(["--full"] if full else [])], check=True)


def _fingerprint(root: Path) -> tuple[int, str]:
    """Generation and content of the index; opening it is the first half of the test."""
    digest = hashlib.blake2b()
    with Store.open(repository_folder(root)) as store, open_snapshot(store) as snapshot:
        for line in export_jsonl(snapshot):
            digest.update(line)
        # Facts are not for readers: a build replaces them first and marks the index till it is done.
        for database in ("manifest", "chunks", "forward"):
            rows = snapshot.reader.count(database)
            digest.update(f"{database} {rows}".encode())
        return snapshot.generation, digest.hexdigest()


def _has_all_facts(root: Path) -> bool:
    """Whether a completed run left the facts of every file that has a front end, and no mark."""
    with Store.open(repository_folder(root)) as store, open_snapshot(store) as snapshot:
        languages = load_languages()
        files = [entry for entry in snapshot.files() if entry.status in ("ok", "partial")]
        wanted = sum(entry.language in languages for entry in files)
        unfinished = snapshot.reader.get(keys.META, keys.REBUILD_KEY) is not None
        return snapshot.reader.count(keys.FACTS) == wanted and not unfinished


if __name__ == "__main__":
    sys.exit(main())
