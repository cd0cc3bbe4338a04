"""Round trips of the tools over real stdio on an indexed repository, uncached and cached.

    tool_latency.py REPOSITORY [--rounds 5] [--calls 300] [--only TOOL] [--save]

REPOSITORY is a checkout such as Django's, indexed before (`agrama index`). All calls are sent once for
uncached answers; then each is sent a second time, for the cached one, and a bare responder parses the
same request and sends as many bytes (right after the first, a call would wait for the worker to put its
tools away).
All three processes share one core: to wake another core costs more than a cached answer, and whether
that happens is the scheduler's choice. Arguments vary with every call, and every round asks anew. A round in which the bare responder was 1.3 times
slower than in its best round is discarded (the machine was busy). A broken promise makes the exit
status 1.
"""

import argparse
import itertools
import os
import random
import statistics
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from client import RESPONDER, Client
from report import write_report

from agrama.graph.model import Kind, Symbol
from agrama.graph.snapshot import Snapshot
from agrama.workspace import Workspace

NOISE = 1.3
# Milliseconds at the median, uncached.
LIMITS = {
    "read_code": 0.5,
    "find_symbol": 0.3,
    "find_references": 0.5,
    "analyze_dependencies": 0.8,
    "analyze_impact": 2.0,
    "get_context": 10.0,
}
CACHED_LIMIT = 1.5  # times a bare responder
_FILE_BYTES = range(18_000, 22_000)
_WARM_UP = 5
_SEED = 20
_CORE = 0

Calls = list[dict[str, Any]]


def main() -> int:
    options = _parse(sys.argv[1:])
    tools = [options.only] if options.only else list(LIMITS)
    return run(options.repository, tools, options.rounds, options.calls, save=options.save)


def run(
    repository: Path, tools: Sequence[str], round_count: int, call_count: int, *, save: bool
) -> int:
    """Time some tools, print the rows and tell whether a promise is broken."""
    calls = _choose_calls(repository, call_count)
    command = [sys.executable, "-m", "agrama", "serve", "--root", str(repository)]
    os.sched_setaffinity(0, {_CORE})
    ours, bare = Client([*command, "--no-index"], core=_CORE), Client(RESPONDER, core=_CORE)
    try:
        ours.handshake()
        for tool in tools:
            for arguments in calls[tool][:_WARM_UP]:
                ours.exchange(_line(ours, tool, {**arguments, "max_tokens": 7_000}))
        rounds = [
            {tool: _time_tool(ours, bare, tool, calls[tool], number) for tool in tools}
            for number in range(round_count)
        ]
    finally:
        ours.close()
        bare.close()
    kept = _keep_quiet(rounds)
    figures = {tool: _summarize([row[tool] for row in kept]) for tool in tools}
    broken = _print(figures, len(kept), len(rounds))
    if save:
        shape = {"rounds": len(rounds), "kept": len(kept), "calls": call_count}
        print(write_report("tool_latency", {"tools": figures, **shape}))
    return 1 if broken else 0


def _parse(words: Sequence[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("repository", type=Path)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--calls", type=int, default=300, help="calls per tool and round")
    parser.add_argument("--only", choices=list(LIMITS), help="time one tool")
    parser.add_argument(
        "--save", action="store_true", help="write benchmarks/results/tool_latency-<commit>.json"
    )
    return parser.parse_args(words)


def _choose_calls(root: Path, count: int) -> dict[str, Calls]:
    """Arguments of every tool, drawn from what the index holds."""
    chance = random.Random(_SEED)
    workspace = Workspace(root)
    try:
        with workspace.open_snapshot() as snapshot:
            entries = [entry for entry in snapshot.files() if entry.language == "python"]
            paths = [entry.path for entry in entries if entry.size in _FILE_BYTES]
            symbols = list(_symbols(snapshot, [entry.path for entry in entries]))
    finally:
        workspace.close()
    chance.shuffle(paths)
    chance.shuffle(symbols)
    names = [symbol.id for symbol in symbols]
    tasks = [symbol.doc.partition("\n")[0] for symbol in symbols if len(symbol.doc) > 30]
    return {
        "read_code": [{"path": path} for path in _first(paths, count)],
        "find_symbol": [{"name": symbol.name} for symbol in _first(symbols, count)],
        "find_references": [{"symbol": name} for name in _first(names, count)],
        "analyze_dependencies": [{"symbol": name, "max_depth": 2} for name in _first(names, count)],
        "analyze_impact": [{"symbols": [name]} for name in _first(names, count)],
        "get_context": [{"task": task} for task in _first(tasks, count)],
    }


def _symbols(snapshot: Snapshot, paths: list[str]) -> Iterator[Symbol]:
    for path in paths:
        for symbol in snapshot.symbols_in(path):
            if symbol.kind in (Kind.FUNCTION, Kind.METHOD, Kind.CLASS):
                yield symbol


def _first(values: list[Any], count: int) -> list[Any]:
    """So many of them, from the start again when there are fewer."""
    return list(itertools.islice(itertools.cycle(values), count))


def _time_tool(
    ours: Client, bare: Client, tool: str, calls: Calls, number: int
) -> dict[str, list[float]]:
    took: dict[str, list[float]] = {"uncached": [], "cached": [], "bare": [], "bytes": []}
    # A budget of its own makes every call one that was never answered before.
    first = 8_000 + number * len(calls)
    asked = [{**arguments, "max_tokens": first + at} for at, arguments in enumerate(calls)]
    for arguments in asked:
        answer, fresh = _exchange(ours, _line(ours, tool, arguments))
        if b'"isError":true' in answer or b'"error"' in answer[:60]:
            raise RuntimeError(f"{tool} {arguments}: {answer[:500]!r}")
        took["uncached"].append(fresh)
        took["bytes"].append(len(answer))
    for arguments in asked:
        again, kept = _exchange(ours, _line(ours, tool, arguments))
        if b'"agrama/cache":"hit"' not in again:
            raise RuntimeError(f"{tool} {arguments} was not in the cache: {again[:300]!r}")
        del arguments["max_tokens"]  # about as long as what takes its place
        _, floor = _exchange(bare, _line(bare, tool, {**arguments, "size": len(again) - 80}))
        took["cached"].append(kept)
        took["bare"].append(floor)
    return took


def _exchange(client: Client, line: bytes) -> tuple[bytes, float]:
    start = time.perf_counter()
    answer = client.exchange(line)
    return answer, (time.perf_counter() - start) * 1e3


def _line(client: Client, tool: str, arguments: dict[str, Any]) -> bytes:
    return client.encode("tools/call", {"name": tool, "arguments": arguments})[0]


def _keep_quiet(rounds: list[dict[str, dict[str, list[float]]]]) -> list[Any]:
    """Drop the rounds in which the bare responder itself was slow."""
    floors = [
        statistics.median([each for row in tools.values() for each in row["bare"]])
        for tools in rounds
    ]
    return [row for row, floor in zip(rounds, floors, strict=True) if floor <= NOISE * min(floors)]


def _summarize(rounds: list[dict[str, list[float]]]) -> dict[str, float]:
    figures = {}
    for name in ("uncached", "cached", "bare"):
        every = sorted(value for row in rounds for value in row[name])
        figures[f"{name}_p50_ms"] = statistics.median(every)
        figures[f"{name}_p95_ms"] = every[int(len(every) * 0.95)]
    figures["bytes_p50"] = statistics.median(value for row in rounds for value in row["bytes"])
    figures["cached_ratio"] = figures["cached_p50_ms"] / figures["bare_p50_ms"]
    return figures


def _print(figures: dict[str, dict[str, float]], kept: int, total: int) -> list[str]:
    print(f"{'tool':22s} {'p50 ms':>8s} {'limit':>6s} {'p95':>8s} {'cached':>8s} {'× bare':>7s} "
          f"{'bytes':>8s}   ({kept} of {total} rounds kept)")  # fmt: skip
    broken = []
    for tool, row in figures.items():
        over = row["uncached_p50_ms"] > LIMITS[tool] or row["cached_ratio"] > CACHED_LIMIT
        broken += [tool] if over else []
        print(
            f"{tool:22s} {row['uncached_p50_ms']:8.3f} {LIMITS[tool]:6.1f} {row['uncached_p95_ms']:8.3f} "
            f"{row['cached_p50_ms']:8.3f} {row['cached_ratio']:7.2f} {row['bytes_p50']:8.0f}"
            f"   {'BROKEN' if over else 'kept'}"
        )
    return broken


if __name__ == "__main__":
    sys.exit(main())
