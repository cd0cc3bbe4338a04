"""A file descriptor many threads write whole messages to, without ever waiting for its reader.

A client that sends many requests before it reads an answer fills the pipe; a server that then waits
to write no longer reads, and both wait forever. So writes do not block: the rest goes to a queue and
a thread of its own.
"""

import contextlib
import fcntl
import os
import select
import time
from collections import deque
from collections.abc import Sequence
from threading import Condition, Lock, Thread

# Beyond this the client is not reading at all: stop taking its requests until it does.
MAX_QUEUED_BYTES = 256 << 20
_WRITE_BYTES = 1 << 20
_PIPE_BYTES = 1 << 18  # a usual answer fits, and needs no second thread
_JOINED_BYTES = 1 << 16


class Outlet:
    """Writes in order of arrival."""

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor
        self._queue: deque[memoryview] = deque()
        self._queued_bytes = 0
        self._lock = Lock()
        self._changed = Condition(self._lock)
        self._thread: Thread | None = None
        self.closed = False
        os.set_blocking(descriptor, False)
        with contextlib.suppress(
            AttributeError, OSError
        ):  # Linux; no pipe, or its user has too many
            fcntl.fcntl(descriptor, fcntl.F_SETPIPE_SZ, _PIPE_BYTES)

    def write_all(self, parts: Sequence[bytes]) -> None:
        """`write` of several pieces, without anything in between."""
        if sum(map(len, parts)) < _JOINED_BYTES:
            self.write(b"".join(parts))
            return
        with self._lock:
            for part in parts:
                self._write(part)

    def write(self, data: bytes) -> None:
        """Write now what can be written, queue the rest; silent once the reader is gone."""
        with self._lock:
            self._write(data)

    def _write(self, data: bytes) -> None:
        if self.closed:
            return
        if not self._queue:
            try:
                written = os.write(self._descriptor, data)
            except BlockingIOError:
                written = 0
            except OSError:
                self._give_up()
                return
            if written == len(data):
                return
            data = data[written:]
        self._queue.append(memoryview(data))
        self._queued_bytes += len(data)
        if self._thread is None:
            self._thread = Thread(target=self._push, name="agrama-writer", daemon=True)
            self._thread.start()
        self._changed.notify_all()

    @property
    def is_full(self) -> bool:
        return self._queued_bytes > MAX_QUEUED_BYTES

    def wait_for_room(self) -> None:
        """Wait while far too much is queued."""
        with self._changed:
            while self._queued_bytes > MAX_QUEUED_BYTES and not self.closed:
                self._changed.wait(0.5)

    @property
    def is_abandoned(self) -> bool:
        """Tell whether the reader closed its end, without writing anything."""
        if not self.closed:
            poll = select.poll()
            poll.register(self._descriptor, 0)  # errors and hang-ups are reported in any case
            if poll.poll(0):
                with self._lock:
                    self._give_up()
        return self.closed

    def flush(self, timeout_seconds: float) -> bool:
        """Wait until all is written, or the reader is gone; False when neither happened in time."""
        end = time.monotonic() + timeout_seconds
        with self._changed:
            while self._queue and not self.closed:
                left = end - time.monotonic()
                if left <= 0:
                    return False
                self._changed.wait(min(left, 0.5))
        return True

    def _push(self) -> None:
        poll = select.poll()
        poll.register(self._descriptor, select.POLLOUT)
        while True:
            with self._changed:
                while not self._queue:
                    if self.closed:
                        return
                    self._changed.wait()
            poll.poll()
            with self._changed:
                if not self._write_first():
                    return

    def _write_first(self) -> bool:
        if not self._queue:
            return not self.closed
        first = self._queue[0]
        try:
            written = os.write(self._descriptor, first[:_WRITE_BYTES])
        except BlockingIOError:
            return True
        except OSError:
            self._give_up()
            return False
        self._queued_bytes -= written
        if written == len(first):
            self._queue.popleft()
        else:
            self._queue[0] = first[written:]
        self._changed.notify_all()
        return True

    def _give_up(self) -> None:
        self.closed = True
        self._queue.clear()
        self._queued_bytes = 0
        self._changed.notify_all()
