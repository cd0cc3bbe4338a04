"""1 to 16 clients at once, each with a server of its own as over stdio, on one index.

    concurrency.py REPOSITORY [--clients 1,2,4,8,16] [--seconds 4] [--save]

Every client sends its next call when it has the answer to the last: reading, searching, references and
dependencies in turn, never the same call twice. Calls per second of all together, and latencies.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path
from typing import Any

from client import Client
from processes import find_family, read_pss
from report import write_report

from agrama.bench.run import READING
from agrama.bench.sample import Sample, read_sample
from agrama.bench.timing import summarize, time_exchange

_AGRAMA = [sys.executable, "-P", "-m", "agrama"]
_WARM_UP = 40
_APART = 25  # two clients are never at the same call


class Crew(threading.Thread):
    """One client and its server."""

    def __init__(self, root: Path, sample: Sample, number: int) -> None:
        super().__init__()
        self.client = Client([*_AGRAMA, "serve", "--root", str(root), "--no-index"])
        self.client.handshake()
        self.sample = sample
        self.at = number * _APART * len(READING)
        self.took: list[float] = []
        self.end = 0.0
        for _ in range(_WARM_UP):
            self.call()

    def call(self) -> float:
        number, tool = divmod(self.at, len(READING))
        self.at += 1
        call = self.sample.call(READING[tool], number)
        params = {"name": call.tool, "arguments": call.arguments}
        return time_exchange(self.client, self.client.encode("tools/call", params)[0])

    def run(self) -> None:
        while time.monotonic() < self.end:
            self.took.append(self.call())


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("repository", type=Path)
    parser.add_argument("--clients", default="1,2,4,8,16")
    parser.add_argument("--seconds", type=float, default=4.0)
    parser.add_argument(
        "--save", action="store_true", help="write benchmarks/results/concurrency-*.json"
    )
    options = parser.parse_args()
    root = options.repository.resolve()
    with tempfile.TemporaryDirectory(prefix="agrama-crowd-") as home:
        os.environ["AGRAMA_HOME"] = home
        subprocess.run([*_AGRAMA, "index", str(root), "--quiet"], check=True)
        sample = read_sample(root)
        rows = [
            _measure(root, sample, int(count), options.seconds)
            for count in options.clients.split(",")
        ]
    for row in rows:
        print(json.dumps(row))
    if options.save:
        print(write_report("concurrency", {"repository": root.name, "clients": rows}))
    return 0


def _measure(root: Path, sample: Sample, count: int, seconds: float) -> dict[str, Any]:
    crew = [Crew(root, sample, number) for number in range(count)]
    end = time.monotonic() + seconds
    for member in crew:
        member.end = end
        member.start()
    for member in crew:
        member.join()
    pids = [pid for member in crew for pid in find_family(member.client.process.pid)]
    memory = sum(map(read_pss, pids))
    for member in crew:
        member.client.close()
    figures = summarize([value for member in crew for value in member.took])
    return {
        "clients": count,
        "calls_per_second": round(figures.calls / seconds),
        "p50_ms": round(figures.p50 / 1000, 3),
        "p95_ms": round(figures.p95 / 1000, 3),
        "p99_ms": round(figures.p99 / 1000, 3),
        "all_servers_megabytes": round(memory / 1e6, 1),
    }


if __name__ == "__main__":
    sys.exit(main())
