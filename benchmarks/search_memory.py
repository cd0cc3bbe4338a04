"""Memory of servers that search: one alone, then three on the same index.

    python benchmarks/search_memory.py REPOSITORY [--questions 300] [--home HOME] [--save]

Every server answers all questions before it is measured. Private memory is RssAnon of a process; PSS counts
a page that several processes map in shares, so that it can be added up. `--home` uses an index that is
there already.
"""

import argparse
import json
import os
import sys
import tempfile
from pathlib import Path
from typing import Any

from client import Client
from processes import read_pss
from report import write_report
from search_latency import read_questions

from agrama.bench.run import Bench
from agrama.bench.timing import time_exchange

_SERVERS = 3


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("repository", type=Path)
    parser.add_argument("--questions", type=int, default=300)
    parser.add_argument("--home", type=Path)
    parser.add_argument("--save", action="store_true")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as empty:
        home = options.home or Path(empty)
        os.environ["AGRAMA_HOME"] = str(home)
        bench = Bench(options.repository.resolve(), home, lambda step: None)
        if options.home is None:
            bench.index()
        figures = measure(bench, options.questions)
    print(json.dumps(figures, indent=1))
    if options.save:
        print(write_report(f"search_memory-{bench.root.name}", figures))
    return 0


def measure(bench: Bench, count: int) -> dict[str, Any]:
    questions, chunks = read_questions(bench.root, count)
    clients: list[Client] = []
    try:
        for _ in range(_SERVERS):
            client = bench.serve()
            clients.append(client)
            client.handshake()
            for question in questions:
                params = {"name": "hybrid_search", "arguments": {"query": question}}
                time_exchange(client, client.encode("tools/call", params)[0])
            if len(clients) == 1:
                alone = read_pss(client.process.pid)
        pids = [client.process.pid for client in clients]
        private, pss = list(map(read_private, pids)), list(map(read_pss, pids))
    finally:
        for client in clients:
            client.close()
    return {
        "repository": bench.root.name,
        "chunks": chunks,
        "private_megabytes": [round(size / 1e6, 1) for size in private],
        "alone_pss_megabytes": round(alone / 1e6, 1),
        "pss_megabytes": [round(size / 1e6, 1) for size in pss],
        "together_pss_megabytes": round(sum(pss) / 1e6, 1),
    }


def read_private(pid: int) -> int:
    """Bytes of memory that a process has for itself and that no file backs."""
    with open(f"/proc/{pid}/status") as file:
        rows = dict(line.split(":", 1) for line in file if ":" in line)
    return 1024 * int(rows["RssAnon"].split()[0])


if __name__ == "__main__":
    sys.exit(main())
