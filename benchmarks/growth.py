"""What 1, 3 and 10 times the code costs: index, memory, search, an edit.

    growth.py DJANGO [--sizes 1,3,10] [--edits 15] [--save]

Each size is a tree of so many copies of the checkout, whose packages have names of their own.
"""

import argparse
import json
import os
import random
import statistics
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from client import Client
from edit_latency import edit
from index_django import copy_often
from processes import find_family, measure, read_pss
from report import write_report

from agrama.bench.sample import Sample, read_sample
from agrama.bench.timing import summarize, time_exchange

_AGRAMA = [sys.executable, "-P", "-m", "agrama"]
_SEARCHES = 200
_WARM_UP = 20


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("django", type=Path)
    parser.add_argument("--sizes", default="1,3,10")
    parser.add_argument("--edits", type=int, default=15)
    parser.add_argument(
        "--save", action="store_true", help="write benchmarks/results/growth-*.json"
    )
    options = parser.parse_args()
    rows = [_measure(options.django, int(size), options.edits) for size in options.sizes.split(",")]
    for row in rows:
        print(json.dumps(row))
    if options.save:
        print(write_report("growth", {"repository": options.django.name, "sizes": rows}))
    return 0


def _measure(source: Path, size: int, edits: int) -> dict[str, Any]:
    with tempfile.TemporaryDirectory(prefix="agrama-growth-") as top:
        os.environ["AGRAMA_HOME"] = f"{top}/home"
        root = copy_often(source, Path(top) / "tree", size)
        index = measure([*_AGRAMA, "index", str(root), "--json"])
        report = json.loads(index["output"])["index"]
        sample = read_sample(root)
        client = Client([*_AGRAMA, "serve", "--root", str(root)])
        try:
            client.handshake()
            search = summarize(_time_searches(client, sample))
            memory = sum(map(read_pss, find_family(client.process.pid)))
            took = _time_edits(client, root, sample, edits)
        finally:
            client.close()
    return {
        "times": size,
        "files": report["files"],
        "symbols": report["symbols"],
        "index_seconds": index["wall_seconds"],
        "index_peak_megabytes": index["peak_pss_megabytes"],
        "search_p50_ms": round(search.p50 / 1000, 3),
        "search_p95_ms": round(search.p95 / 1000, 3),
        "server_megabytes": round(memory / 1e6, 1),
        "edit_p50_ms": round(1000 * statistics.median(took), 1),
        "edit_worst_ms": round(1000 * max(took), 1),
        "edits_ms": [round(1000 * seconds, 1) for seconds in took],
    }


def _time_searches(client: Client, sample: Sample) -> list[float]:
    """Microseconds of searches of which no two are alike."""
    calls = [sample.call("hybrid_search", number) for number in range(_SEARCHES + _WARM_UP)]
    lines = [
        client.encode("tools/call", {"name": call.tool, "arguments": call.arguments})[0]
        for call in calls
    ]
    return [time_exchange(client, line) for line in lines][_WARM_UP:]


def _time_edits(client: Client, root: Path, sample: Sample, edits: int) -> Sequence[float]:
    chance = random.Random(1)
    paths = [root / path for path in sample.paths if path.endswith(".py")]
    return [edit(client, chance.choice(paths), number) for number in range(edits)]


if __name__ == "__main__":
    sys.exit(main())
