"""One whole measurement: index a repository into an empty home, serve it, ask, and compare."""

import importlib.util
import os
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from agrama.bench import echo
from agrama.bench.client import Client
from agrama.bench.machine import (
    children_of,
    describe_machine,
    describe_versions,
    read_memory_kb,
    wait_until_idle,
)
from agrama.bench.sample import Sample, read_sample
from agrama.bench.timing import (
    ECHO,
    PAUSE_SECONDS,
    Case,
    Figures,
    summarize,
    time_exchange,
    time_rounds,
)
from agrama.errors import ToolError

TOOLS = (
    "read_code",
    "hybrid_search",
    "record_decision",
    "find_references",
    "analyze_dependencies",
)
# A decision is never cached, and each one makes cached answers about its files old.
READING = tuple(tool for tool in TOOLS if tool != "record_decision")
P50_LIMIT_US = 1000.0
P95_LIMIT_US = 2000.0
CALLS_PER_SECOND = 4000.0
SDK = [sys.executable, os.path.join(os.path.dirname(echo.__file__), "sdk.py")]
_SDK_CASE = "official SDK"
_WARM_UP = 20
_BATCH = 64
# Numbers of calls, apart from each other and small: the budget grows by a token in each turn through the sample.
_SAME = 20_000  # the call that is made again and again
_PACED_OFFSET = 30_000
_PIPELINE_OFFSET = 40_000
_ATTEMPTS = 3
# Different calls that agents at work make again and again.
_WORKING_SET = 100


class Plan(NamedTuple):
    """How much to measure."""

    rounds: int = 20
    calls: int = 25
    pipelined: int = 4000
    starts: int = 5
    patience_seconds: float = 3.0  # to wait for an idle moment, each time


class Bench:
    """The repository, a home of our own, and the commands to start things with."""

    def __init__(self, root: Path, home: Path, tell: Callable[[str], None]) -> None:
        self.root = root
        self.environment = {"AGRAMA_HOME": str(home)}
        self.tell = tell
        self.command = [sys.executable, "-P", "-m", "agrama"]

    def serve(self, *words: str) -> Client:
        command = [*self.command, "serve", "--root", str(self.root), *words]
        return Client(command, env=self.environment)

    def index(self) -> dict[str, Any]:
        """Seconds, processor time and peak memory of a first index."""
        self.tell("index")
        command = [*self.command, "index", str(self.root), "--quiet"]
        start = time.perf_counter()
        process = subprocess.Popen(command, env={**os.environ, **self.environment})
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode != 0:
            raise ToolError(f"{self.root} could not be indexed: run agrama index {self.root}")
        return {
            "seconds": time.perf_counter() - start,
            "cpu_seconds": usage.ru_utime + usage.ru_stime,
            "peak_kb": usage.ru_maxrss,
        }


def measure(root: Path, home: Path, plan: Plan, tell: Callable[[str], None]) -> dict[str, Any]:
    """Every figure of one run, as plain data."""
    bench = Bench(root, home, tell)
    indexed = bench.index()
    sample = read_sample(root)
    starts, first = _time_starts(bench, sample, plan.starts)
    client, floor, sdk = bench.serve(), Client([sys.executable, echo.__file__]), _start_sdk()
    try:
        client.handshake()
        sizes = _warm_up(client, sample)
        cases = _make_cases(client, floor, sample, sizes, plan)
        if sdk is not None:
            cases[_SDK_CASE] = Case(sdk, _sdk_line(sdk), plan.calls)
        figures, kept = time_rounds(
            cases, plan.rounds, plan.patience_seconds, lambda n: tell(f"round {n + 1}")
        )
        tell("pipelined")
        throughput = {
            "uncached": _best_pipeline(client, sample, plan, plan.pipelined),
            "working_set": _best_pipeline(client, sample, plan, _WORKING_SET),
        }
        memory = {"server": read_memory_kb(client.process.pid)}
        for pid in children_of(client.process.pid):
            memory["indexer"] = read_memory_kb(pid)
    finally:
        for each in filter(None, (client, floor, sdk)):
            each.close()
    return {
        "repository": root.name,
        "machine": describe_machine(),
        "versions": describe_versions(),
        "index": indexed,
        "files": len(sample.paths),
        "cold_start_us": starts,
        "tools": _collect(figures, first, sizes),
        "echo_us": figures[ECHO]._asdict(),
        "sdk_us": figures[_SDK_CASE]._asdict() if sdk is not None else None,
        "rounds": {"all": plan.rounds, "quiet": kept},
        "calls_per_second": throughput,
        "memory_kb": memory,
    }


def _start_sdk() -> Client | None:
    """The official SDK's server, warm, where it is installed."""
    if importlib.util.find_spec("mcp") is None:
        return None
    client = Client(SDK)
    client.handshake()
    line = _sdk_line(client)
    for number in range(_WARM_UP):
        client.exchange(line(number))
    return client


def _sdk_line(client: Client) -> Callable[[int], bytes]:
    arguments = {"size": 1000}
    return lambda number: client.encode("tools/call", {"name": "sized", "arguments": arguments})[0]


def judge(report: dict[str, Any]) -> list[dict[str, Any]]:
    """The promises, each with its figure and whether it was kept."""
    rows = []
    for tool, modes in report["tools"].items():
        for name, limit in (("p50", P50_LIMIT_US), ("p95", P95_LIMIT_US)):
            got = modes["uncached"][name]
            text = f"{tool} {name.upper()} < {limit / 1000:g} ms"
            rows.append({"promise": text, "got": got / 1000, "unit": "ms", "kept": got < limit})
    got = report["calls_per_second"]["working_set"]
    text = f"≥ {CALLS_PER_SECOND:,.0f} tool calls/s on a working set"
    rows.append({"promise": text, "got": got, "unit": "/s", "kept": got >= CALLS_PER_SECOND})
    return rows


def _time_starts(
    bench: Bench, sample: Sample, count: int
) -> tuple[dict[str, dict[str, float]], dict[str, list[float]]]:
    """From spawning to the first answer, ours and the floor's, and each tool's very first call."""
    commands = {"agrama": None, "echo": [sys.executable, echo.__file__, "lmdb"]}
    if importlib.util.find_spec("mcp") is not None:
        commands["sdk"] = SDK
    took: dict[str, list[float]] = {name: [] for name in commands}
    first: dict[str, list[float]] = {tool: [] for tool in TOOLS}
    for number in range(count):
        bench.tell(f"cold start {number + 1}")
        for name, command in commands.items():
            start = time.perf_counter()
            client = bench.serve("--no-index") if command is None else Client(command)
            try:
                client.handshake()
                took[name].append((time.perf_counter() - start) * 1e6)
                if name == "agrama":
                    for tool in TOOLS:
                        first[tool].append(
                            time_exchange(client, _line(client, sample, tool, number))
                        )
            finally:
                client.close()
    return {name: summarize(values)._asdict() for name, values in took.items()}, first


def _line(client: Client, sample: Sample, tool: str, number: int) -> bytes:
    params = sample.call(tool, number)
    return client.encode("tools/call", {"name": params.tool, "arguments": params.arguments})[0]


def _warm_up(client: Client, sample: Sample) -> dict[str, int]:
    """Call every tool until it is warm; the median size of an answer in bytes."""
    sizes = {}
    for tool in TOOLS:
        seen = []
        for at in range(_WARM_UP):
            seen.append(len(client.exchange(_line(client, sample, tool, _SAME + 1 + at))))
        sizes[tool] = sorted(seen)[len(seen) // 2]
        client.exchange(_line(client, sample, tool, _SAME))
    return sizes


def _make_cases(
    client: Client, floor: Client, sample: Sample, sizes: dict[str, int], plan: Plan
) -> dict[str, Case]:
    def echo_line(size: int) -> Callable[[int], bytes]:
        arguments = {"name": "echo", "arguments": {"size": size}}
        return lambda number: floor.encode("tools/call", arguments)[0]

    def line(tool: str, offset: int = 0) -> Callable[[int], bytes]:
        return lambda number: _line(client, sample, tool, offset + number)

    def same(tool: str) -> Callable[[int], bytes]:
        return lambda number: _line(client, sample, tool, _SAME)

    few = max(5, plan.calls // 3)
    cases = {ECHO: Case(floor, echo_line(1000), plan.calls)}
    for tool in TOOLS:
        cases[f"{tool} floor"] = Case(floor, echo_line(sizes[tool]), plan.calls)
        cases[f"{tool} uncached"] = Case(client, line(tool), plan.calls)
        if tool in READING:
            cases[f"{tool} cached"] = Case(client, same(tool), plan.calls)
        cases[f"{tool} paced"] = Case(client, line(tool, _PACED_OFFSET), few, PAUSE_SECONDS)
    return cases


def _collect(
    figures: dict[str, Figures], first: dict[str, list[float]], sizes: dict[str, int]
) -> dict[str, dict[str, Any]]:
    modes = ("floor", "uncached", "cached", "paced")
    return {
        tool: {
            "cold": summarize(first[tool])._asdict(),
            **{
                mode: figures[f"{tool} {mode}"]._asdict()
                for mode in modes
                if f"{tool} {mode}" in figures
            },
            "answer_bytes": sizes[tool],
        }
        for tool in TOOLS
    }


def _best_pipeline(client: Client, sample: Sample, plan: Plan, distinct: int) -> float:
    """The best of some attempts: what others do on the machine only ever takes away."""
    rates = []
    for attempt in range(_ATTEMPTS):
        wait_until_idle(plan.patience_seconds)
        fresh = (1 + attempt) * plan.pipelined if distinct >= plan.pipelined else 0
        offset = _PIPELINE_OFFSET + fresh
        rates.append(_pipeline(client, sample, plan.pipelined, offset, distinct))
    return max(rates)


def _pipeline(client: Client, sample: Sample, calls: int, offset: int, distinct: int) -> float:
    """Calls per second with many in flight, the reading tools in turn, over so many different calls."""
    lines = [_turn(client, sample, offset, at % distinct) for at in range(calls)]
    batches = [b"".join(lines[at : at + _BATCH]) for at in range(0, calls, _BATCH)]
    writer = threading.Thread(target=_write_all, args=(client, batches))
    start = time.perf_counter()
    writer.start()
    failed = sum(b'"isError":true' in client.read_line()[-400:] for _ in range(calls))
    took = time.perf_counter() - start
    writer.join()
    if failed:
        raise ToolError(f"{failed} of {calls} pipelined calls failed: measure it again")
    return calls / took


def _turn(client: Client, sample: Sample, offset: int, at: int) -> bytes:
    number, tool = divmod(at, len(READING))
    return _line(client, sample, READING[tool], offset + number)


def _write_all(client: Client, batches: Sequence[bytes]) -> None:
    for batch in batches:
        client.write(batch)
