"""How soon an edit is visible to the client of a running server.

    python benchmarks/edit_latency.py REPOSITORY [--edits 50] [--glob '*.py'] [--seed 1] [--save]

Works on a copy. Each round appends a function to a random file and asks `find_symbol` for it over
stdio until it is there; the time runs from the end of the write to the answer that has it.
"""

import argparse
import json
import random
import shutil
import statistics
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from client import Client
from report import write_report

_AGRAMA = [sys.executable, "-P", "-m", "agrama"]
_PAUSE_SECONDS = 0.3  # between two edits, as a quick person's
_LONGEST_SECONDS = 60.0


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("repository", type=Path)
    parser.add_argument("--edits", type=int, default=50)
    parser.add_argument("--glob", default="*.py")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--save", action="store_true")
    arguments = parser.parse_args()
    rng = random.Random(arguments.seed)
    with tempfile.TemporaryDirectory(prefix="agrama-edit-") as top:
        root = Path(top) / "tree"
        shutil.copytree(arguments.repository, root, ignore=shutil.ignore_patterns(".git"))
        client = Client(
            [*_AGRAMA, "serve", "--root", str(root)], env={"AGRAMA_HOME": f"{top}/home"}
        )
        client.handshake()
        wait_for_index(client)
        paths = sorted(path for path in root.rglob(arguments.glob) if path.stat().st_size)
        times = [edit(client, rng.choice(paths), number) for number in range(arguments.edits)]
        client.close()
    times.sort()
    figures = {
        "edits": len(times),
        "median_ms": round(1000 * statistics.median(times), 1),
        "p95_ms": round(1000 * times[int(len(times) * 0.95)], 1),
        "max_ms": round(1000 * times[-1], 1),
    }
    print(json.dumps(figures))
    if arguments.save:
        print(write_report("edit_latency", figures))
    return 0


def wait_for_index(client: Client) -> None:
    """The server answers at once and says that it is indexing; wait until it has finished."""
    while not find(client, "__init__") and not find(client, "main"):
        time.sleep(0.5)
    time.sleep(5)


def edit(client: Client, path: Path, number: int) -> float:
    name = f"appended_{number}_by_benchmark"
    time.sleep(_PAUSE_SECONDS)
    with path.open("a") as file:
        file.write(f"\n\ndef {name}():\n    return {number}\n")
    started = time.perf_counter()
    while not find(client, name):
        if time.perf_counter() - started > _LONGEST_SECONDS:
            raise TimeoutError(f"{path} is not indexed after {_LONGEST_SECONDS} s")
        time.sleep(0.002)
    return time.perf_counter() - started


def find(client: Client, name: str) -> list[dict[str, Any]]:
    """Symbols of exactly that name."""
    result = client.call("find_symbol", {"name": name, "max_results": 5})["result"]
    rows: list[dict[str, Any]] = result.get("structuredContent", {}).get("symbols", [])
    return [row for row in rows if row["symbol"].endswith(name)]


if __name__ == "__main__":
    sys.exit(main())
