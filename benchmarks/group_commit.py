"""How many messages per second agents get through when each waits for the disk: one, and eight at once.

    group_commit.py [--seconds 1] [--rounds 5] [--slow-ms 4] [--save]

`own servers`: every agent has a server process, as with stdio. `one server`: eight requests in flight at
one. `slow disk`: the same agents while each fdatasync takes some milliseconds longer (slow_disk.c, loaded
before libc), because on a disk that answers in 0.1 ms two cores are busy before the disk is. `no disk` is
what eight reach without waiting for any: no way to share a sync gets beyond that.
"""

import argparse
import os
import statistics
import subprocess
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from client import Client
from decision_latency import Agent
from report import write_report

WARM_UP_CALLS = 50
WRITERS = 8
WANTED_GAIN = 4


def drive(client: Client, make_line: Callable[[], bytes], in_flight: int, seconds: float) -> float:
    """Answers per second with so many requests in flight, each followed by another."""
    until = time.monotonic() + seconds
    sent, answered, begun = in_flight, 0, time.monotonic()
    client.write(b"".join(make_line() for _ in range(in_flight)))
    while answered < sent:
        got = os.read(client.from_server, 1 << 16).count(b"\n")
        answered += got
        if time.monotonic() < until:
            client.write(b"".join(make_line() for _ in range(got)))
            sent += got
    return answered / (time.monotonic() - begun)


def measure_agents(root: Path, agents: int, seconds: float, durability: str = "commit") -> float:
    """Messages per second of so many agents together, each with a server and waiting for its answer.

    Every agent is a process, as in life: threads of one driver would wait for each other. All start
    at once, when the last of them is ready.
    """
    first = Agent(root, durability)
    ready, go, rates = os.pipe(), os.pipe(), os.pipe()
    children = []
    for _ in range(agents):
        child = os.fork()
        if child == 0:
            os.close(go[1])
            agent = Agent(root, durability, first.session)
            drive(agent.client, agent.message, 1, WARM_UP_CALLS / 1000)
            os.write(ready[1], b"r")
            os.read(go[0], 1)
            rate = drive(agent.client, agent.message, 1, seconds)
            os.write(rates[1], f"{rate:16.6f}".encode())
            agent.client.close()
            os._exit(0)
        children.append(child)
    for _ in children:
        os.read(ready[0], 1)
    os.close(go[1])  # everybody reads the end of it
    total = sum(float(os.read(rates[0], 16)) for _ in children)
    for child in children:
        os.waitpid(child, 0)
    for descriptor in (*ready, go[0], *rates):
        os.close(descriptor)
    first.client.close()
    return total


def measure_requests(root: Path, in_flight: int, seconds: float) -> float:
    """Messages per second of one server with so many requests in flight."""
    agent = Agent(root, "commit")
    drive(agent.client, agent.message, in_flight, WARM_UP_CALLS / 1000)
    rate = drive(agent.client, agent.message, in_flight, seconds)
    agent.client.close()
    return rate


def compare(measure: Callable[[int], float], rounds: int) -> dict[str, Any]:
    """One and eight in turn, so that a busy disk slows both; the median of the gains decides."""
    pairs = [(measure(1), measure(WRITERS)) for _ in range(rounds)]
    single, many = sorted(pairs, key=lambda pair: pair[1] / pair[0])[len(pairs) // 2]
    return {
        "one_per_second": round(single),
        "eight_per_second": round(many),
        "gain": round(many / single, 2),
        "gains": [round(eight / one, 2) for one, eight in pairs],
    }


def slow_the_disk(folder: Path, milliseconds: int) -> None:
    """Have every server started from now on wait longer for its syncs."""
    library = folder / "slow_disk.so"
    source = Path(__file__).with_name("slow_disk.c")
    subprocess.run(["cc", "-shared", "-fPIC", "-o", library, source, "-ldl"], check=True)
    os.environ |= {"LD_PRELOAD": str(library), "SLOW_DISK_MS": str(milliseconds)}


def run(root: Path, options: argparse.Namespace) -> dict[str, Any]:
    seconds, rounds = options.seconds, options.rounds
    figures: dict[str, Any] = {
        "own servers": compare(lambda count: measure_agents(root, count, seconds), rounds),
        "one server": compare(lambda count: measure_requests(root, count, seconds), rounds),
    }
    unbound = [measure_agents(root, WRITERS, seconds, "interval") for _ in range(rounds)]
    slowest = figures["own servers"]["one_per_second"]
    figures["no disk"] = {
        "eight_per_second": round(statistics.median(unbound)),
        "over_one_that_waits": round(statistics.median(unbound) / slowest, 2),
    }
    slow_the_disk(root.parent, options.slow_ms)
    figures["slow disk"] = compare(lambda count: measure_agents(root, count, seconds), rounds)
    figures["slow disk"]["added_ms"] = options.slow_ms
    figures["promises"] = {
        f"{name}: eight >= {WANTED_GAIN} x one": figures[name]["gain"] >= WANTED_GAIN
        for name in ("own servers", "one server", "slow disk")
    }
    return figures


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--seconds", type=float, default=1.0)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--slow-ms", type=int, default=4)
    parser.add_argument("--save", action="store_true")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="group-commit-") as name:
        os.environ["AGRAMA_HOME"] = str(Path(name) / "home")
        root = Path(name) / "repository"
        root.mkdir()
        figures = run(root, options)
    for name, row in figures.items():
        print(f"{name:12s}", "  ".join(f"{key} {value}" for key, value in row.items()))
    if options.save:
        print(write_report("group_commit", figures))
    return int(not all(figures["promises"].values()))


if __name__ == "__main__":
    raise SystemExit(main())
