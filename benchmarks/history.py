"""Checks what a group of agents saw against the one order their session must have had.

Times are those of one clock, taken by the driver around each call. An append whose answer never came
may have happened or not, but at most once. Rules: ids are dense and say the same to everybody; what was
acknowledged before another append began has the smaller id; a read sees everything acknowledged before
it began, in whatever process; a claim names every overlapping claim that was held throughout.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Append:
    start: float
    end: float | None  # None: no answer
    session: str
    content: str
    message_id: int | None


@dataclass(frozen=True, slots=True)
class Read:
    start: float
    end: float
    session: str
    after: int
    messages: tuple[tuple[int, str], ...]


@dataclass(slots=True)
class Lease:
    """One claim of one target."""

    start: float
    end: float
    agent: str
    target: str
    claim_id: str
    conflicts: frozenset[str]
    released: float = float("inf")  # when giving it up began


@dataclass
class History:
    appends: list[Append] = field(default_factory=list)
    reads: list[Read] = field(default_factory=list)
    leases: list[Lease] = field(default_factory=list)


def find_violations(history: History, final: dict[str, list[tuple[int, str]]]) -> list[str]:
    """Everything that contradicts one order; `final` is each session's messages at the end."""
    found: list[str] = []
    for session, messages in final.items():
        appends = [item for item in history.appends if item.session == session]
        reads = [item for item in history.reads if item.session == session]
        found += _check_total_order(session, messages, appends)
        found += _check_real_time(session, appends)
        found += _check_reads(session, dict(messages), appends, reads)
    return [*found, *_check_leases(history.leases)]


def _check_total_order(
    session: str, messages: list[tuple[int, str]], appends: Iterable[Append]
) -> Iterable[str]:
    ids = [number for number, _ in messages]
    if ids != list(range(1, len(ids) + 1)):
        yield f"{session}: ids are not dense"
    contents = [content for _, content in messages]
    if len(set(contents)) != len(contents):
        yield f"{session}: a message is there twice"
    by_id = dict(messages)
    for item in appends:
        if item.message_id is not None and by_id.get(item.message_id) != item.content:
            yield f"{session}: {item.content} was acknowledged as {item.message_id} and is not there"


def _check_real_time(session: str, appends: list[Append]) -> Iterable[str]:
    done = sorted((item.end, item.message_id) for item in appends if item.end and item.message_id)
    highest = position = 0
    for item in sorted(appends, key=lambda each: each.start):
        while position < len(done) and done[position][0] < item.start:
            highest = max(highest, done[position][1] or 0)
            position += 1
        if item.message_id is not None and item.message_id <= highest:
            yield f"{session}: {item.message_id} began after {highest} was acknowledged"


def _check_reads(
    session: str, by_id: dict[int, str], appends: list[Append], reads: list[Read]
) -> Iterable[str]:
    done = sorted((item.end, item.message_id) for item in appends if item.end and item.message_id)
    seen = sorted((item.end, item.messages[-1][0]) for item in reads if item.messages)
    highest = position = seen_position = 0
    for item in sorted(reads, key=lambda each: each.start):
        while position < len(done) and done[position][0] < item.start:
            highest = max(highest, done[position][1] or 0)
            position += 1
        while seen_position < len(seen) and seen[seen_position][0] < item.start:
            highest = max(highest, seen[seen_position][1])
            seen_position += 1
        ids = [number for number, _ in item.messages]
        if ids != list(range(item.after + 1, item.after + 1 + len(ids))):
            yield f"{session}: a read saw a gap: {ids[:10]}"
        if max([item.after, *ids]) < highest:
            yield f"{session}: a read ended at {max([item.after, *ids])}, {highest} was there before"
        if any(by_id.get(number) != content for number, content in item.messages):
            yield f"{session}: a read saw another content"


def _check_leases(leases: list[Lease]) -> Iterable[str]:
    for lease in leases:
        for other in leases:
            held = other.end < lease.start and lease.end < other.released
            same = other.agent != lease.agent and other.target == lease.target
            if held and same and other.claim_id not in lease.conflicts:
                yield f"{lease.agent} was not told that {other.agent} holds {lease.target}"
