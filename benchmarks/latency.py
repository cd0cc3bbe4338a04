"""Round trips through real processes, beside a bare responder and the official SDK, in one interleaved run.

    latency.py [--rounds 15] [--calls 200] [--quick] [--tools REPOSITORY] [--save]

With an indexed repository such as Django's, the rows of its tools follow (`tool_latency.py`).
Each round times every case once; a round in which the bare responder was 1.3 times slower than in
its best round is discarded (the machine was busy). Promises are checked as ratios of medians over
the rounds kept; a broken one makes the exit status 1.
"""

import argparse
import json
import statistics
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import tool_latency
from client import RESPONDER, SDK, Client, script
from report import write_report

NOISE = 1.3


@dataclass(frozen=True)
class Case:
    """One row: a server, the lines it is sent, and how many of the round's calls it makes."""

    name: str
    server: str
    tool: str | None
    size: int
    share: float = 1.0
    pause_seconds: float = 0.0


CASES = (
    Case("responder 1 KB", "responder", "sized", 1000),
    Case("ours ping", "ours", None, 0),
    Case("ours 1 KB", "ours", "sized", 1000),
    Case("ours 1 KB cached", "ours", "sized_cached", 1000),
    Case("responder 20 KB", "responder", "sized", 20_000),
    Case("ours 20 KB", "ours", "sized", 20_000),
    Case("responder 200 KB", "responder", "sized", 200_000, 0.3),
    Case("ours 200 KB", "ours", "sized", 200_000, 0.3),
    Case("responder 1 KB paced", "responder", "sized", 1000, 0.1, 0.005),
    Case("ours 1 KB paced", "ours", "sized", 1000, 0.1, 0.005),
    Case("sdk 1 KB", "sdk", "sized", 1000, 0.5),
)


@dataclass(frozen=True)
class Promise:
    """`left` over `right` (medians) stays at most, or at least, `limit`."""

    text: str
    left: str
    right: str
    limit: float
    at_most: bool = True


PROMISES = (
    Promise("uncached 1 KB ≤ 2 × responder", "ours 1 KB", "responder 1 KB", 2.0),
    Promise("cached 1 KB ≤ 1.5 × responder", "ours 1 KB cached", "responder 1 KB", 1.5),
    Promise("≥ 20 × faster than the SDK", "sdk 1 KB", "ours 1 KB", 20.0, False),
    Promise("cold start ≤ 2 × bare Python", "cold ours", "cold responder", 2.0),
)


def main() -> int:
    options = _parse(sys.argv[1:])
    servers = {
        "responder": Client(RESPONDER),
        "ours": Client(script("wire_server.py")),
        "sdk": Client(SDK),
    }
    try:
        for name, client in servers.items():
            if name != "responder":
                client.handshake()
        rounds = [_time_round(servers, options.calls) for _ in range(options.rounds)]
    finally:
        for client in servers.values():
            client.close()
    kept = keep_quiet_rounds(rounds)
    figures = {name: _summarize([row[name] for row in kept]) for name in rounds[0]}
    figures |= _time_cold_starts(options.rounds)
    throughput = _pipeline(20_000 if not options.quick else 4_000)
    _print(figures, len(kept), len(rounds), throughput)
    verdicts = {promise.text: _ratio(promise, figures) for promise in PROMISES}
    broken = [promise.text for promise in PROMISES if not _holds(promise, verdicts[promise.text])]
    if throughput < 10_000:
        broken.append("≥ 10,000 pipelined calls/s on one core")
    for promise in PROMISES:
        word = "BROKEN" if promise.text in broken else "kept"
        print(f"{word:7s} {promise.text}: {verdicts[promise.text]:.2f}")
    if options.save:
        rows = {"cases": figures, "calls_per_second": throughput, "ratios": verdicts}
        print(write_report("latency", rows | {"rounds": len(rounds), "kept": len(kept)}))
    slow = options.tools is not None and tool_latency.run(
        options.tools, list(tool_latency.LIMITS), 4, 300, save=options.save
    )
    return 1 if broken or slow else 0


def _parse(words: Sequence[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--rounds", type=int, default=15)
    parser.add_argument("--calls", type=int, default=200, help="calls per case and round")
    parser.add_argument("--tools", type=Path, metavar="REPOSITORY", help="time its tools as well")
    parser.add_argument("--quick", action="store_true", help="3 rounds of 50 calls")
    parser.add_argument(
        "--save", action="store_true", help="write benchmarks/results/latency-<commit>.json"
    )
    options = parser.parse_args(words)
    if options.quick:
        options.rounds, options.calls = 3, 50
    return options


def _time_round(servers: dict[str, Client], calls: int) -> dict[str, list[float]]:
    return {case.name: _time_case(servers[case.server], case, calls) for case in CASES}


def _time_case(client: Client, case: Case, calls: int) -> list[float]:
    lines = [_line(client, case, number) for number in range(max(5, int(calls * case.share)))]
    for line in lines[:3]:
        client.exchange(line)
    took = []
    for line in lines:
        if case.pause_seconds:
            time.sleep(case.pause_seconds)
        start = time.perf_counter()
        client.exchange(line)
        took.append((time.perf_counter() - start) * 1e6)
    return took


def _line(client: Client, case: Case, number: int) -> bytes:
    if case.tool is None:
        return client.encode("ping", {})[0]
    arguments: dict[str, object] = {"size": case.size}
    if case.tool == "sized":
        arguments["label"] = f"call {number}"
    return client.encode("tools/call", {"name": case.tool, "arguments": arguments})[0]


def keep_quiet_rounds(rounds: list[dict[str, list[float]]]) -> list[dict[str, list[float]]]:
    """Drop the rounds in which the bare responder itself was slow."""
    floors = [statistics.median(row["responder 1 KB"]) for row in rounds]
    return [row for row, floor in zip(rounds, floors, strict=True) if floor <= NOISE * min(floors)]


def _summarize(rounds: list[list[float]]) -> dict[str, float]:
    every = sorted(value for row in rounds for value in row)
    return {
        "p50": statistics.median(every),
        "p95": every[int(len(every) * 0.95)],
        "p99": every[int(len(every) * 0.99)],
        "calls": len(every),
    }


def _time_cold_starts(rounds: int) -> dict[str, dict[str, float]]:
    with tempfile.TemporaryDirectory() as folder:
        # Both start from compiled files, as an installed package does, wherever those may be written.
        home = {
            "AGRAMA_HOME": f"{folder}/home",
            "PYTHONPYCACHEPREFIX": f"{folder}/compiled",
            "PYTHONDONTWRITEBYTECODE": "",
        }
        ours = [sys.executable, "-m", "agrama", "serve", "--root", folder, "--no-index"]
        bare = [*RESPONDER, "lmdb"]
        took: dict[str, list[float]] = {"cold responder": [], "cold ours": []}
        for number in range(rounds + 1):
            bare_us = _time_start(lambda: Client(bare, env=home))
            ours_us = _time_start(lambda: Client(ours, env=home))
            if number:  # the first start compiles
                took["cold responder"].append(bare_us)
                took["cold ours"].append(ours_us)
    return {name: _summarize([values]) for name, values in took.items()}


def _time_start(spawn: Callable[[], Client]) -> float:
    start = time.perf_counter()
    client = spawn()
    try:
        client.exchange(
            client.encode("initialize", {"protocolVersion": "2025-06-18", "capabilities": {}})[0]
        )
        return (time.perf_counter() - start) * 1e6
    finally:
        client.close()


def _pipeline(calls: int) -> float:
    """Calls per second with many requests in flight and the server on one core."""
    client = Client(script("wire_server.py"), core=0)
    try:
        client.handshake()
        arguments = {"name": "sized", "arguments": {"size": 1000, "label": "pipelined"}}
        lines = [client.encode("tools/call", arguments)[0] for _ in range(calls)]
        batches = [b"".join(lines[at : at + 64]) for at in range(0, calls, 64)]
        writer = threading.Thread(target=lambda: [client.write(batch) for batch in batches])
        start = time.perf_counter()
        writer.start()
        answered = sum(b'"result"' in client.read_line() for _ in range(calls))
        took = time.perf_counter() - start
        writer.join()
    finally:
        client.close()
    if answered != calls:
        raise RuntimeError(f"{calls - answered} of {calls} pipelined calls got an error")
    return calls / took


def _ratio(promise: Promise, figures: dict[str, dict[str, float]]) -> float:
    return figures[promise.left]["p50"] / figures[promise.right]["p50"]


def _holds(promise: Promise, ratio: float) -> bool:
    return ratio <= promise.limit if promise.at_most else ratio >= promise.limit


def _print(figures: dict[str, dict[str, float]], kept: int, total: int, throughput: float) -> None:
    print(
        f"{'case':24s} {'p50 µs':>10s} {'p95 µs':>10s} {'p99 µs':>10s}   ({kept} of {total} rounds kept)"
    )
    for name, row in figures.items():
        print(f"{name:24s} {row['p50']:10.1f} {row['p95']:10.1f} {row['p99']:10.1f}")
    print(f"pipelined, one core: {throughput:,.0f} calls/s")
    print(json.dumps({name: round(row["p50"], 1) for name, row in figures.items()}))


if __name__ == "__main__":
    sys.exit(main())
