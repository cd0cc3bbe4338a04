"""How long a message and a decision take over stdio, and what waiting for the disk adds.

    decision_latency.py [--rounds 20] [--calls 100] [--save]

Each round times every case once; a round in which the bare responder was 1.3 times slower than in its
best round is discarded (the machine was busy). `bare write + fdatasync` appends as many bytes as a
message's record to a file on the same disk. Several writers at once: group_commit.py.
"""

import argparse
import os
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from client import RESPONDER, Client
from report import write_report

NOISE = 1.3
TEXT = "The parser keeps comments because the formatter needs them later on. " * 3
RECORD_BYTES = 420


class Agent:
    """A client with its own server, in a session."""

    def __init__(self, root: Path, durability: str, session: str | None = None) -> None:
        command = [sys.executable, "-P", "-m", "agrama", "serve", "--root", str(root)]
        self.client = Client([*command, "--no-index", "--durability", durability])
        self.client.handshake()
        self.session = session or self.call("create_session", name="work")["session_id"]
        self.count = 0

    def call(self, tool: str, **arguments: Any) -> dict[str, Any]:
        answer = self.client.call(tool, arguments)
        result: dict[str, Any] = answer["result"]["structuredContent"]
        return result

    def line(self, tool: str, **arguments: Any) -> bytes:
        return self.client.encode("tools/call", {"name": tool, "arguments": arguments})[0]

    def message(self) -> bytes:
        return self.line(
            "append_message", session_id=self.session, content=TEXT, agent_id="a", tags="plan"
        )

    def decision(self) -> bytes:
        self.count += 1
        title = f"Keep comments {self.count}"
        return self.line("record_decision", decision=title, reasoning=TEXT, tags="parser")

    def linked_decision(self) -> bytes:
        self.count += 1
        title = f"Keep comments {self.count}"
        return self.line("record_decision", decision=title, reasoning=TEXT, paths=["parser.py"])


def time_calls(client: Client, make_line: Callable[[], bytes], calls: int) -> list[float]:
    """Microseconds per round trip."""
    lines = [make_line() for _ in range(calls)]
    times = []
    for line in lines:
        start = time.perf_counter_ns()
        client.exchange(line)
        times.append((time.perf_counter_ns() - start) / 1000)
    return times


def time_disk(folder: Path, calls: int) -> list[float]:
    descriptor = os.open(folder / "bare", os.O_WRONLY | os.O_CREAT | os.O_APPEND)
    data = os.urandom(RECORD_BYTES)
    times = []
    for _ in range(calls):
        start = time.perf_counter_ns()
        os.write(descriptor, data)
        os.fdatasync(descriptor)
        times.append((time.perf_counter_ns() - start) / 1000)
    os.close(descriptor)
    return times


def summarize(rounds: list[list[float]]) -> dict[str, float]:
    times = sorted(value for row in rounds for value in row)
    return {
        "p50_us": round(times[len(times) // 2], 1),
        "p95_us": round(times[len(times) * 95 // 100], 1),
        "p99_us": round(times[len(times) * 99 // 100], 1),
        "calls": len(times),
    }


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=20)
    parser.add_argument("--calls", type=int, default=100)
    parser.add_argument("--save", action="store_true")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="decision-latency-") as name:
        folder = Path(name)
        os.environ["AGRAMA_HOME"] = str(folder / "home")
        root = folder / "repository"
        root.mkdir()
        (root / "parser.py").write_text("def parse():\n    pass\n" * 200)
        figures = run(root, options)
    print_figures(figures)
    if options.save:
        print(write_report("decision_latency", figures))
    promises = figures["promises"]
    return int(not all(promises.values()))


def run(root: Path, options: argparse.Namespace) -> dict[str, Any]:
    responder = Client(RESPONDER)
    fast, safe = Agent(root, "interval"), Agent(root, "commit")
    ping = b'{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"sized","arguments":{"size":400}}}\n'
    cases: dict[str, Callable[[int], list[float]]] = {
        "bare responder": lambda n: time_calls(responder, lambda: ping, n),
        "append_message": lambda n: time_calls(fast.client, fast.message, n),
        "record_decision": lambda n: time_calls(fast.client, fast.decision, n),
        "record_decision, one path": lambda n: time_calls(fast.client, fast.linked_decision, n),
        "bare write + fdatasync": lambda n: time_disk(root.parent, n),
        "append_message, commit": lambda n: time_calls(safe.client, safe.message, n),
        "record_decision, commit": lambda n: time_calls(safe.client, safe.decision, n),
    }
    for measure in cases.values():
        measure(20)
    rounds = [
        {name: measure(options.calls) for name, measure in cases.items()}
        for _ in range(options.rounds)
    ]
    quiet = min(statistics.median(row["bare responder"]) for row in rounds)
    kept = [row for row in rounds if statistics.median(row["bare responder"]) <= NOISE * quiet]
    figures: dict[str, Any] = {name: summarize([row[name] for row in kept]) for name in cases}
    for client in (responder, fast.client, safe.client):
        client.close()
    ratio = (
        figures["append_message, commit"]["p50_us"] / figures["bare write + fdatasync"]["p50_us"]
    )
    figures["commit_over_bare"] = round(ratio, 2)
    figures["rounds"] = {"all": len(rounds), "kept": len(kept)}
    figures["promises"] = {
        "append_message P50 < 300 us, P95 < 1000": _fits(figures["append_message"]),
        "record_decision P50 < 300 us, P95 < 1000": _fits(figures["record_decision"]),
        "commit P50 <= 1.5 x bare write + fdatasync": ratio <= 1.5,
    }
    return figures


def _fits(row: dict[str, float]) -> bool:
    return row["p50_us"] < 300 and row["p95_us"] < 1000


def print_figures(figures: dict[str, Any]) -> None:
    for name, row in figures.items():
        if isinstance(row, dict):
            print(f"{name:28s}", "  ".join(f"{key} {value}" for key, value in row.items()))
        else:
            print(f"{name:28s}", row)


if __name__ == "__main__":
    raise SystemExit(main())
