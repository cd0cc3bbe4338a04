"""Threads for slow work, and a token bucket for clients that are too quick.

Threads start when first needed. With one at work the interpreter's switch interval is lowered: a
tool that computes holds the GIL in turns, and the reader must not wait 5 ms for each of its own.
"""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from queue import SimpleQueue
from threading import Lock, Thread
from typing import Any, TypeAlias

_Job: TypeAlias = tuple[Callable[..., None], tuple[Any, ...]]
SWITCH_INTERVAL_SECONDS = 0.0001


class Pool:
    """A few daemon threads that run what is submitted, in order of arrival."""

    def __init__(self, size: int) -> None:
        self._size = size
        self._queue: SimpleQueue[_Job | None] = SimpleQueue()
        self._threads: list[Thread] = []
        self._load = 0  # jobs waiting or running
        self._postponed: list[_Job] | None = None
        self._lock = Lock()

    def submit(self, function: Callable[..., None], *arguments: Any) -> None:
        """Run a function that does not raise."""
        if self._postponed is not None:
            self._postponed.append((function, arguments))
            return
        self._queue.put((function, arguments))
        with self._lock:
            self._load += 1
            self._start_if_short()

    def postpone(self) -> None:
        """Keep what is submitted until `resume`: for the one thread that submits, and shortly."""
        self._postponed = []

    def resume(self) -> None:
        jobs, self._postponed = self._postponed, None
        for function, arguments in jobs or ():
            self.submit(function, *arguments)

    @contextmanager
    def waiting(self) -> Iterator[None]:
        """Around a long wait inside a job: another thread may take this one's place meanwhile."""
        with self._lock:
            self._size += 1
            self._start_if_short()
        try:
            yield
        finally:
            with self._lock:
                self._size -= 1

    def close(self) -> None:
        """Let the threads end after what is queued; nothing waits for them."""
        with self._lock:
            threads, self._threads = self._threads, []
        for _ in threads:
            self._queue.put(None)

    def _start_if_short(self) -> None:
        started = len(self._threads)
        if self._load <= started or started >= self._size:
            return
        if not started and sys.getswitchinterval() > SWITCH_INTERVAL_SECONDS:
            sys.setswitchinterval(SWITCH_INTERVAL_SECONDS)
        thread = Thread(target=self._work, name=f"agrama-worker-{started}", daemon=True)
        self._threads.append(thread)
        thread.start()

    def _work(self) -> None:
        while (job := self._queue.get()) is not None:
            function, arguments = job
            function(*arguments)
            del job, function, arguments  # what a request lent must not live in an idle thread
            with self._lock:
                self._load -= 1


class TokenBucket:
    """So many calls at once, so many per second after that."""

    __slots__ = ("_burst", "_clock", "_per_ns", "_seen_ns", "_tokens")

    def __init__(self, clock: Callable[[], int], burst: float, per_second: float) -> None:
        self._clock = clock
        self._burst = float(burst)
        self._tokens = float(burst)
        self._per_ns = per_second / 1e9
        self._seen_ns = clock()

    def take(self) -> bool:
        now_ns = self._clock()
        refill = (now_ns - self._seen_ns) * self._per_ns
        self._tokens = min(self._burst, self._tokens + refill)
        self._seen_ns = now_ns
        if self._tokens < 1.0:
            return False
        self._tokens -= 1.0
        return True
