"""Times round trips in rounds, so that every case meets the same quiet and the same noise.

Each round waits for an idle moment and times every case once, the echo first. A round in which the
echo was slower than `NOISE` times its best round is left out: the machine was busy with others.
"""

import statistics
import time
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from agrama.bench.client import Client
from agrama.bench.machine import read_cpu_us, wait_until_idle
from agrama.errors import ToolError

NOISE = 1.5
ECHO = "echo"
PAUSE_SECONDS = 0.005  # between paced calls: longer than processors and caches stay warm


class Case(NamedTuple):
    """One row of the table: whom to ask, the n-th line to send, and how often in a round."""

    client: Client
    line: Callable[[int], bytes]
    calls: int
    pause_seconds: float = 0.0


class Figures(NamedTuple):
    """Microseconds; `cpu` is what the server's processor was busy per call, whatever else ran."""

    p50: float
    p95: float
    p99: float
    calls: int
    cpu: float | None = None


class _Round(NamedTuple):
    took: list[float]
    cpu: float | None


def time_rounds(
    cases: Mapping[str, Case],
    rounds: int,
    patience_seconds: float,
    tell: Callable[[int], None],
) -> tuple[dict[str, Figures], int]:
    """Figures of each case over the quiet rounds, and how many those were."""
    taken: list[dict[str, _Round]] = []
    for number in range(rounds):
        tell(number)
        wait_until_idle(patience_seconds)
        taken.append({name: _time_case(case, number) for name, case in cases.items()})
    best = min(statistics.median(row[ECHO].took) for row in taken)
    kept = [row for row in taken if statistics.median(row[ECHO].took) <= NOISE * best]
    return {name: _sum_up([row[name] for row in kept]) for name in cases}, len(kept)


def _sum_up(rounds: Sequence[_Round]) -> Figures:
    figures = summarize([value for row in rounds for value in row.took])
    busy = [row.cpu for row in rounds if row.cpu is not None]
    return figures._replace(cpu=sum(busy) / figures.calls if len(busy) == len(rounds) else None)


def summarize(microseconds: Sequence[float]) -> Figures:
    ordered = sorted(microseconds)
    count = len(ordered)
    return Figures(
        statistics.median(ordered),
        ordered[min(count - 1, int(count * 0.95))],
        ordered[min(count - 1, int(count * 0.99))],
        count,
    )


def _time_case(case: Case, number: int) -> _Round:
    first = number * case.calls
    lines = [case.line(first + at) for at in range(case.calls)]
    took = []
    pid = case.client.process.pid
    before = read_cpu_us(pid)
    for line in lines:
        if case.pause_seconds:
            time.sleep(case.pause_seconds)
        took.append(time_exchange(case.client, line))
    after = read_cpu_us(pid)
    return _Round(took, None if before is None or after is None else after - before)


def time_exchange(client: Client, line: bytes) -> float:
    """Microseconds of one round trip; an answer that is an error is not a figure."""
    start = time.perf_counter_ns()
    answer = client.exchange(line)
    took = (time.perf_counter_ns() - start) / 1000
    if b'"isError":true' in answer[-400:] or b'"error":' in answer[:80]:
        raise ToolError(
            "the server answered with an error; if the repository changed meanwhile, measure a copy: "
            + answer[:300].decode(errors="replace")
        )
    return took
