"""Uncached `hybrid_search` over real stdio: distinct questions in the words of a repository itself.

    python benchmarks/search_latency.py REPOSITORY [--questions 300] [--rounds 10] [--home HOME] [--save]

Questions are first lines of documentation, names as written, names as words, and names of files. Every
round asks each of them once, never with equal arguments, so that no answer comes from the cache, between
exchanges with an echo; rounds in which the echo was slow are left out. `--home` uses an index that is
there already.
"""

import argparse
import json
import os
import random
import sys
import tempfile
from pathlib import Path
from typing import Any

from client import RESPONDER, Client
from report import write_report

from agrama.bench.machine import read_memory_kb
from agrama.bench.run import Bench
from agrama.bench.timing import ECHO, Case, time_exchange, time_rounds
from agrama.graph.keys import repository_folder
from agrama.graph.model import Kind
from agrama.graph.snapshot import open_snapshot
from agrama.graph.store import Store

P50_MS = 0.8
P95_MS = 2.0
FIRST_MS = 300.0
_ANSWER_BYTES = 20_000
_MAX_TOKENS = 8_000
_SHORTEST = 4


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("repository", type=Path)
    parser.add_argument("--questions", type=int, default=300)
    parser.add_argument("--rounds", type=int, default=10)
    parser.add_argument("--home", type=Path)
    parser.add_argument("--save", action="store_true")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as empty:
        home = options.home or Path(empty)
        os.environ["AGRAMA_HOME"] = str(home)
        bench = Bench(options.repository.resolve(), home, lambda step: None)
        if options.home is None:
            bench.index()
        figures = measure(bench, options.questions, options.rounds)
    print(json.dumps(figures, indent=1))
    if options.save:
        print(write_report(f"search_latency-{bench.root.name}", figures))
    return 0 if all(figures["kept"].values()) else 1


def measure(bench: Bench, count: int, rounds: int) -> dict[str, Any]:
    questions, chunks = read_questions(bench.root, count)
    firsts = [time_first(bench, question) for question in questions[:5]]
    client, floor = bench.serve(), Client(RESPONDER)
    try:
        client.handshake()

        def ask(number: int) -> bytes:
            question = questions[number % len(questions)]
            # The default budget is 8000; another number each time makes another request.
            arguments = {"query": question, "max_tokens": _MAX_TOKENS + number}
            params = {"name": "hybrid_search", "arguments": arguments}
            return client.encode("tools/call", params)[0]

        def echo(number: int) -> bytes:
            return b'{"id":%d,"params":{"arguments":{"size":%d}}}\n' % (number, _ANSWER_BYTES)

        for number in range(len(questions)):
            time_exchange(client, ask(number - len(questions)))
        cases = {ECHO: Case(floor, echo, count), "hybrid_search": Case(client, ask, count)}
        taken, kept = time_rounds(cases, rounds, 3.0, lambda number: None)
        memory = read_memory_kb(client.process.pid)
    finally:
        client.close()
        floor.close()
    found = taken["hybrid_search"]
    first = sorted(firsts)[len(firsts) // 2] / 1000
    return {
        "repository": bench.root.name,
        "chunks": chunks,
        "questions": len(questions),
        "rounds": {"all": rounds, "quiet": kept},
        "microseconds": {name: row._asdict() for name, row in taken.items()},
        "first_search_ms": [round(value / 1000, 1) for value in firsts],
        "memory_kb": memory,
        "kept": {
            f"P50 < {P50_MS} ms": found.p50 < P50_MS * 1000,
            f"P95 < {P95_MS} ms": found.p95 < P95_MS * 1000,
            f"first search <= {FIRST_MS} ms": first <= FIRST_MS,
        },
    }


def time_first(bench: Bench, question: str) -> float:
    """Microseconds of the first search of a new server, its handshake done."""
    client = bench.serve()
    try:
        client.handshake()
        params = {"name": "hybrid_search", "arguments": {"query": question}}
        return time_exchange(client, client.encode("tools/call", params)[0])
    finally:
        client.close()


def read_questions(root: Path, count: int) -> tuple[list[str], int]:
    """Distinct questions drawn from all of a repository, and how many chunks its index has."""
    found: dict[str, None] = {}
    with Store.open(repository_folder(root)) as store, open_snapshot(store) as snapshot:
        chunks = snapshot.reader.count("chunks")
        for entry in snapshot.files():
            if entry.status == "skipped":
                continue
            found[entry.path.rpartition("/")[2]] = None
            for symbol in snapshot.symbols_in(entry.path):
                if symbol.kind in (Kind.CLASS, Kind.FUNCTION, Kind.METHOD):
                    found |= dict.fromkeys(_ask_for(symbol.name, symbol.doc))
    questions = random.Random(count).sample(sorted(found), min(count, len(found)))
    return questions, chunks


def _ask_for(name: str, doc: str) -> list[str]:
    words = doc.split(".")[0].split()[:12]
    if len(words) > 2:
        return [" ".join(words)]
    return [name, name.replace("_", " ")] if len(name) >= _SHORTEST else []


if __name__ == "__main__":
    sys.exit(main())
