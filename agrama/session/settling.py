"""Answers to writes that wait for the disk: one sync for all that a process has to acknowledge.

While a request runs its thread owes: what it writes is committed, not yet durable. Whoever sends the
answer settles first, on the spot or, where other requests would wait behind it, in a thread that
takes everything owed by then with one sync.
"""

import threading
import time
from collections.abc import Callable
from queue import Empty, SimpleQueue

from agrama.errors import AgramaError

# Beyond this a reader has better things to do than to wait for the disk; a hop costs 0.05 ms.
_PROMPT_SECONDS = 0.001

Done = Callable[[AgramaError | None], None]


class Owed(threading.local):
    """What this thread wrote since it began to owe, to be durable before anybody hears of it."""

    owes = False
    seq = 0

    def begin(self) -> None:
        self.owes, self.seq = True, 0

    def end(self) -> int:
        """The last record written meanwhile, 0 when there was none."""
        self.owes = False
        return self.seq


class Settling:
    """Waits for the disk. Safe from any thread."""

    def __init__(self, settle: Callable[[int], bool]) -> None:
        """`settle(seq)` returns when the record is durable, and tells whether it had to wait."""
        self._settle = settle
        self.owed = Owed()
        self.is_prompt = True  # the last sync waited for was quick
        self._queue: SimpleQueue[tuple[int, Done]] = SimpleQueue()
        self._lock = threading.Lock()
        self._thread: threading.Thread | None = None

    def now(self, seq: int) -> AgramaError | None:
        """Wait until a record is durable; what went wrong, if anything did."""
        start = time.monotonic()
        try:
            waited = self._settle(seq)
        except AgramaError as error:
            return error
        if waited:  # what another's sync covered says nothing about the disk
            self.is_prompt = time.monotonic() - start < _PROMPT_SECONDS
        return None

    def later(self, seq: int, done: Done) -> None:
        """Call `done(error or None)` when a record is durable, from another thread."""
        self._queue.put((seq, done))
        if self._thread is None:
            with self._lock:
                if self._thread is None:
                    self._thread = threading.Thread(
                        target=self._run, name="agrama-settling", daemon=True
                    )
                    self._thread.start()

    def _run(self) -> None:
        while True:
            waiting = [self._queue.get()]
            try:
                while True:
                    waiting.append(self._queue.get_nowait())
            except Empty:
                pass
            error = self.now(max(seq for seq, _ in waiting))
            for _, done in waiting:
                done(error)
            waiting.clear()
