"""Streams of server-sent events: what the core says, in order, and who is reading it.

A stream outlives the connection that reads it. Its events are numbered from 1; 0 is the priming
event that tells a client of 2025-11-25 where to resume from before anything has happened. The
newest reader wins: a client that comes back need not wait until its dead connection is noticed.
Everything here happens on the event loop's thread.
"""

import asyncio
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from threading import get_ident

from agrama.http.exchange import Exchange, Watch
from agrama.protocol.messages import Outgoing

KEEPALIVE = b":\n\n"


class Reader:
    """One connection on a stream."""

    __slots__ = ("wake",)

    def __init__(self) -> None:
        self.wake = asyncio.Event()


class Stream:
    """The messages that belong to one request, or to none (`number` 0)."""

    __slots__ = (
        "delivered",
        "error_code",
        "events",
        "finished",
        "last",
        "max_events",
        "number",
        "reader",
    )

    def __init__(self, number: int = 0, *, max_events: int | None = None) -> None:
        self.number = number
        self.max_events = max_events
        self.events: deque[tuple[int, bytes]] = deque()
        self.last = 0
        self.delivered = 0
        self.finished = False
        self.error_code: int | None = None
        self.reader: Reader | None = None

    def push(self, out: Outgoing) -> None:
        if self.finished:
            return
        if out.data:  # a withdrawn request ends without a word
            self.last += 1
            self.events.append((self.last, out.data))
        if out.final and out.origin is not None:
            self.finished = True
            self.error_code = out.error_code
        elif self.max_events is not None and len(self.events) > self.max_events:
            self.finished = True  # nobody reads as fast as this is written
        self._wake()

    def finish(self) -> None:
        """No more messages: whoever reads comes to the end."""
        self.finished = True
        self._wake()

    def attach(self) -> Reader:
        self._wake()
        self.reader = Reader()
        return self.reader

    def detach(self, reader: Reader | None = None) -> None:
        """Let the reader go (or this one only); the stream stays."""
        if self.reader is not None and (reader is None or self.reader is reader):
            self._wake()
            self.reader = None

    def forget(self, number: int) -> None:
        """Drop the events up to this one: they cannot be asked for again."""
        while self.events and self.events[0][0] <= number:
            self.events.popleft()

    def after(self, number: int) -> list[tuple[int, bytes]]:
        return [event for event in self.events if event[0] > number]

    def has_gap_after(self, number: int) -> bool:
        """Whether events a reader has not seen were dropped: it was too slow."""
        first = self.events[0][0] if self.events else self.last + 1
        return number + 1 < first

    def _wake(self) -> None:
        if self.reader is not None:
            self.reader.wake.set()


def on_this_loop(deliver: Callable[[Outgoing], None]) -> Callable[[Outgoing], None]:
    """`deliver` as something the core may call from any thread.

    A call from the loop's own thread happens at once, so that what a fast tool reports precedes
    its answer.
    """
    loop, thread = asyncio.get_running_loop(), get_ident()

    def send(out: Outgoing) -> None:
        if get_ident() == thread:
            deliver(out)
        else:
            with suppress(RuntimeError):  # the loop is closed: nobody is left to read
                loop.call_soon_threadsafe(deliver, out)

    return send


def encode_event(stream: Stream, number: int, data: bytes, *, with_id: bool) -> bytes:
    identity = b"id: %d-%d\n" % (stream.number, number) if with_id else b""
    return b"%sdata: %s\n\n" % (identity, data)


def priming_event(stream: Stream, number: int, retry_ms: int) -> bytes:
    return b"id: %d-%d\nretry: %d\ndata: \n\n" % (stream.number, number, retry_ms)


def parse_event_id(value: str) -> tuple[int, int] | None:
    """`(stream, event)` out of a Last-Event-ID; None when it is not one of ours."""
    stream, _, event = value.strip().partition("-")
    if not (stream.isascii() and stream.isdigit() and event.isascii() and event.isdigit()):
        return None
    return (int(stream), int(event)) if len(value) <= 40 else None


async def write_events(
    exchange: Exchange,
    stream: Stream,
    reader: Reader,
    watch: Watch,
    *,
    position: int,
    with_ids: bool,
    keepalive_seconds: float,
    until: float | None = None,
) -> None:
    """Write what comes after `position` till the stream ends, or the reader is replaced or gone.

    `until` (loop time) ends the connection but not the stream, so that the client polls.
    """
    clock = asyncio.get_running_loop().time
    while not watch.gone:
        reader.wake.clear()
        if stream.has_gap_after(position):
            return
        events = stream.after(position)
        if events:
            position = events[-1][0]
            frames = [
                encode_event(stream, number, data, with_id=with_ids) for number, data in events
            ]
            await exchange.write(b"".join(frames))
            stream.delivered = max(stream.delivered, position)
            if not with_ids:
                stream.forget(position)
            continue
        if stream.finished or stream.reader is not reader:
            return
        wait = keepalive_seconds if until is None else min(keepalive_seconds, until - clock())
        if wait <= 0:
            return
        if not await _wait(reader.wake, wait) and (until is None or clock() < until):
            await exchange.write(KEEPALIVE)


async def wait_for_event(stream: Stream, reader: Reader, watch: Watch, seconds: float) -> None:
    """Return when the stream has an event, the client is gone, or time is up."""
    if not stream.events and not watch.gone:
        await _wait(reader.wake, seconds)
        reader.wake.clear()


async def _wait(event: asyncio.Event, seconds: float) -> bool:
    try:
        async with asyncio.timeout(seconds):
            await event.wait()
    except TimeoutError:
        return False
    return True
