"""Waits for the next commit of any process, without holding a worker or a transaction.

The truth is the index, read anew at every look. inotify on a small file that writers touch after
each commit only says when to look; where there is no inotify, the index is looked at every 20 ms.
"""

import contextlib
import os
import select
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from agrama.errors import StoreError
from agrama.graph.ledger import Rows
from agrama.inotify import IN_MODIFY, add_watch, open_inotify

_POLL_SECONDS = 0.02
_SAFETY_SECONDS = 1.0  # a hint may be lost; nobody waits longer than this for what is there


@dataclass(eq=False, slots=True)
class Waiter:
    """`look(rows, late)` answers and returns True, or returns False to wait on; it must not raise."""

    look: Callable[[Rows, bool], bool]
    until: float  # time.monotonic()
    version: int = -1  # of the index at the last look


class Waiting:
    """The waiters of one process and the thread that looks for them."""

    def __init__(self, folder: Path, read: Callable[[], Rows]) -> None:
        self._read = read
        self._waiters: list[Waiter] = []
        self._listeners: list[Callable[[Rows, int], None]] = []
        self._lock = threading.Lock()
        self._closed = False
        self._seen = -1
        self.tick: Callable[[], None] | None = None  # run about once a second while anybody waits
        self._ticked = time.monotonic()
        self._inotify = _watch(folder / "wake")
        self._wake_read, self._wake_write = os.pipe()
        os.set_blocking(self._wake_read, False)
        os.set_blocking(self._wake_write, False)
        self._thread = threading.Thread(target=self._run, name="agrama-events", daemon=True)
        self._thread.start()

    def add(self, waiter: Waiter) -> None:
        """Have a waiter looked after from now on."""
        with self._lock:
            self._waiters.append(waiter)
        self._nudge()

    def listen(self, listener: Callable[[Rows, int], None]) -> None:
        """Call `listener(rows, last seq it saw)` after commits, for as long as the process lives."""
        with self._read() as rows:
            seq = rows.last_seq
        with self._lock:
            self._listeners.append(listener)
            if self._seen < 0:
                self._seen = seq
        self._nudge()

    def close(self) -> None:
        self._closed = True
        self._nudge()
        self._thread.join(timeout=5)
        for descriptor in (self._wake_read, self._wake_write, self._inotify):
            if descriptor is not None:
                os.close(descriptor)

    def _nudge(self) -> None:
        with contextlib.suppress(BlockingIOError):
            os.write(self._wake_write, b"\0")

    def _run(self) -> None:
        while not self._closed:
            with contextlib.suppress(StoreError):  # the next look may fare better
                self._look()
            self._sleep()
        with contextlib.suppress(StoreError):
            self._look()

    def _look(self) -> None:
        with self._lock:
            waiters, listeners = list(self._waiters), list(self._listeners)
        if not waiters and not listeners:
            return
        now = time.monotonic()
        if self.tick is not None and now - self._ticked >= _SAFETY_SECONDS:
            self._ticked = now
            self.tick()
        with self._read() as rows:
            done = [waiter for waiter in waiters if self._serve(waiter, rows, now)]
            seq = rows.last_seq
            if listeners and seq > self._seen:
                for listener in listeners:
                    listener(rows, self._seen)
                self._seen = seq
        if done:
            with self._lock:
                self._waiters = [waiter for waiter in self._waiters if waiter not in done]

    def _serve(self, waiter: Waiter, rows: Rows, now: float) -> bool:
        late = self._closed or waiter.until <= now
        if not late and waiter.version == rows.version:
            return False
        waiter.version = rows.version
        return waiter.look(rows, late)

    def _sleep(self) -> None:
        with self._lock:
            ends = [waiter.until for waiter in self._waiters]
            idle = not ends and not self._listeners
        limit = _SAFETY_SECONDS if self._inotify is not None else _POLL_SECONDS
        timeout = None if idle else min(limit, max(0.0, min(ends, default=1e9) - time.monotonic()))
        sources = [self._wake_read, *([self._inotify] if self._inotify is not None else [])]
        ready, _, _ = select.select(sources, [], [], timeout)
        for source in ready:
            with contextlib.suppress(BlockingIOError):
                os.read(source, 4096)


def _watch(path: Path) -> int | None:
    """An inotify descriptor that becomes readable when the file is written, or None."""
    descriptor = open_inotify()
    if descriptor is not None and not add_watch(descriptor, str(path), IN_MODIFY):
        os.close(descriptor)
        return None
    return descriptor
