"""When records reach the disk: one fdatasync for everybody who waits, in this process and others.

A shared word beside the journal says up to which record it is durable. Whoever needs more takes the
lock, syncs what is committed by then, and moves the word; those who queued behind find their record
covered. On a slow disk the leader first waits a little for those whom the last sync let go: else two
halves of the writers take turns, and each sync serves one half. In interval mode a thread does the
same shortly after the first record nobody synced.
"""

import contextlib
import ctypes
import fcntl
import mmap
import os
import threading
import time
from collections.abc import Callable
from pathlib import Path

from agrama.errors import StoreError
from agrama.graph.futex import Futex
from agrama.graph.journal import explain, segment_name

INTERVAL_SECONDS = 0.05
# How far it is durable, a cell to sleep on, whether somebody syncs, how many records the next sync
# should take along, until when (monotonic) to wait for them.
_SHARED_BYTES = 40
_PAGE_BYTES = 4096
_WRITE_NOW = 2  # SYNC_FILE_RANGE_WRITE
_PATIENCE_SECONDS = 0.02  # who led and was killed wakes nobody
_DELAY_SECONDS = 0.03  # the rest of the interval is for the sync itself
# For so long after a sync, a part of the time it took, the next leader waits for those it let go.
_GATHER_PART = 2
_NAP_NS = 100_000
_MOST_GATHERING_NS = 5_000_000


class Durability:
    """`settle` waits for the disk, `soon` does not. Safe from any thread."""

    def __init__(self, folder: Path, read_end: Callable[[], tuple[int, int]]) -> None:
        self._folder = folder
        self._read_end = read_end  # committed end: segment, seq
        self._lock_file = os.open(
            folder / "sync.lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600
        )
        memory = _map_words(folder / "synced")
        self._word = memoryview(memory).cast("Q")
        self._moved = Futex(memory, 8, _PATIENCE_SECONDS)
        self._write_early = _find_early_write()
        self._lock = threading.Lock()
        self._segment = 0
        self._descriptor = -1
        self._wake = threading.Event()
        self._closed = False
        self._thread: threading.Thread | None = None
        self._failure: StoreError | None = None
        self.syncs = 0

    def check(self) -> None:
        """Refuse to go on after a failed sync: the kernel forgets what it could not write."""
        if self._failure is not None:
            raise self._failure

    def soon(self) -> None:
        """See that everything written so far is durable within the interval."""
        if self._thread is None:
            with self._lock:
                if self._thread is None:
                    self._thread = threading.Thread(
                        target=self._run, name="agrama-journal-sync", daemon=True
                    )
                    self._thread.start()
        if not self._wake.is_set():
            self._wake.set()

    def hurry(self, descriptor: int, start: int, end: int) -> None:
        """Have the disk begin with bytes that `settle` will wait for, while the caller goes on.

        Worth 15 µs of 90 to a lone writer. Who is to share a sync leaves the writing to it, which is
        all the word about somebody syncing is for: it may be out of date.
        """
        if self._write_early is not None and not self._word[2]:
            first = start - start % _PAGE_BYTES
            self._write_early(descriptor, first, end - first, _WRITE_NOW)

    def settle(self, seq: int) -> bool:
        """Return when the record is durable; whether that had to be waited for."""
        if self._word[0] >= seq:
            return False
        while self._word[0] < seq:
            moved = self._moved.value
            if self._word[0] < seq and not self._lead(seq):
                self._moved.sleep(moved)
        return True

    def _lead(self, seq: int) -> bool:
        """Sync for everybody; False when somebody is at it."""
        if not self._lock.acquire(blocking=False):
            return False
        try:
            fcntl.flock(self._lock_file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            self._lock.release()
            return False
        try:
            if self._word[0] < seq:
                self._word[2] = 1
                segment, reached = self._gather()
                begun = time.monotonic_ns()
                self._sync(segment)
                self._expect(time.monotonic_ns() - begun)
                self._word[0] = max(self._word[0], reached)
        finally:
            self._word[2] = 0
            fcntl.flock(self._lock_file, fcntl.LOCK_UN)
            self._lock.release()
            self._moved.wake()
        return True

    def _expect(self, took_ns: int) -> None:
        """Note for whom the next leader is to wait: those served now and those who came meanwhile."""
        patience = min(took_ns // _GATHER_PART, _MOST_GATHERING_NS)
        self._word[3] = 0
        if patience >= _NAP_NS:
            writers = self._read_end()[1] - self._word[0]
            if writers > 1:
                self._word[3] = writers
                self._word[4] = time.monotonic_ns() + patience

    def _gather(self) -> tuple[int, int]:
        """The committed end, when everybody expected has written or there is no more time for it."""
        end = self._read_end()
        if self._word[3]:
            wanted = self._word[0] + self._word[3]
            until = min(self._word[4], time.monotonic_ns() + _MOST_GATHERING_NS)
            while end[1] < wanted and time.monotonic_ns() < until:
                time.sleep(_NAP_NS / 1e9)
                end = self._read_end()
        return end

    def reset(self) -> None:
        """Forget what was durable: after a reboot the word may promise too much."""
        for number in range(_SHARED_BYTES // 8):
            self._word[number] = 0

    def close(self) -> None:
        """Sync what is left and let go."""
        self._closed = True
        self._wake.set()
        if self._thread is not None:
            self._thread.join(timeout=5)
        with contextlib.suppress(OSError, StoreError):
            self.settle(self._read_end()[1])
        with self._lock:
            for descriptor in (self._descriptor, self._lock_file):
                if descriptor >= 0:
                    os.close(descriptor)
            self._descriptor = self._lock_file = -1

    def _sync(self, segment: int) -> None:
        path = self._folder / segment_name(segment)
        try:
            if segment != self._segment:
                descriptor = os.open(path, os.O_RDWR | os.O_CLOEXEC)
                if self._descriptor >= 0:
                    os.close(self._descriptor)
                self._descriptor, self._segment = descriptor, segment
            os.fdatasync(self._descriptor)
        except OSError as error:
            self._failure = explain(error, path)
            raise self._failure from error
        self.syncs += 1

    def _run(self) -> None:
        while not self._closed:
            self._wake.wait()
            if not self._closed:
                time.sleep(_DELAY_SECONDS)
            self._wake.clear()
            with contextlib.suppress(StoreError):  # the next write tells
                self.settle(self._read_end()[1])


def _find_early_write() -> Callable[[int, int, int, int], int] | None:
    """Linux's sync_file_range; nothing depends on it."""
    function = getattr(ctypes.CDLL(None), "sync_file_range", None)
    if function is not None:
        function.argtypes = (ctypes.c_int, ctypes.c_int64, ctypes.c_int64, ctypes.c_uint)
    return function


def _map_words(path: Path) -> mmap.mmap:
    """Numbers shared between processes, read and written in one machine instruction each."""
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    try:
        if os.fstat(descriptor).st_size < _SHARED_BYTES:
            os.ftruncate(descriptor, _SHARED_BYTES)
        return mmap.mmap(descriptor, _SHARED_BYTES)
    finally:
        os.close(descriptor)
