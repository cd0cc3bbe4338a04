"""Linux's news of files, as a descriptor that becomes readable when something happened.

The kernel queues an event before the call that caused it returns, so whoever finds the queue empty
knows that nothing happened to what it watches. Writes through a memory map and changes that another
machine makes to a network file system cause none.
"""

import contextlib
import ctypes
import os
import select
import struct
import sys
from collections.abc import Iterable
from threading import Lock

IN_MODIFY = 0x2
_IN_ATTRIB = 0x4
_IN_CONTENTS = IN_MODIFY | _IN_ATTRIB | 0x40 | 0x80 | 0x100 | 0x200  # moved, created, deleted
_IN_SELF = 0x400 | 0x800  # the directory itself was deleted or moved
_IN_LOST = (
    0x2000 | 0x4000 | 0x8000 | 0x40000000 | _IN_SELF
)  # unmounted, overrun, ended; directories
_IN_HOW = (
    0x01000000 | 0x02000000 | 0x20000000
)  # directories only, links not followed, add to the mask
_FLAGS = 0o2000000 | 0o4000  # closed on exec, never blocks
_EVENT = struct.Struct("iIII")
_READ_BYTES = 1 << 16

_libc: ctypes.CDLL | None = None


def open_inotify() -> int | None:
    """A queue of events, or None where there is none to be had."""
    global _libc
    if not sys.platform.startswith("linux"):
        return None
    _libc = _libc or ctypes.CDLL(None, use_errno=True)
    descriptor = int(_libc.inotify_init1(_FLAGS))
    return None if descriptor < 0 else descriptor


def add_watch(descriptor: int, path: str, mask: int) -> bool:
    """Hear of a path from now on; False when the system refuses."""
    assert _libc is not None
    return int(_libc.inotify_add_watch(descriptor, os.fsencode(path), mask)) >= 0


class Directories:
    """Tells whether anything happened to files since they were looked at. Safe to share."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._descriptor: int | None = None
        self._poll = select.poll()
        self._tried = False
        self._watched: set[str] = set()
        self._above: set[str] = set()
        self._epoch = 0

    def epoch(self) -> int:
        """Another number whenever something happened in a directory that is watched."""
        with self._lock:
            if self._descriptor is not None and self._poll.poll(0):
                self._drain(self._descriptor)
            return self._epoch

    def watch(self, paths: Iterable[str]) -> bool:
        """Hear of all that happens to these files; False when some cannot be watched."""
        with self._lock:
            return all(self._watch(os.path.dirname(path)) for path in paths)

    def close(self) -> None:
        with self._lock:
            if self._descriptor is not None:
                os.close(self._descriptor)
            self._descriptor, self._tried = None, True
            self._forget()

    def _watch(self, folder: str) -> bool:
        if folder in self._watched:
            return True
        if not self._tried:
            self._tried = True
            self._descriptor = open_inotify()
            if self._descriptor is not None:
                self._poll.register(self._descriptor, select.POLLIN)
        if self._descriptor is None or not self._watch_above(self._descriptor, folder):
            return False
        if add_watch(self._descriptor, folder, _IN_CONTENTS | _IN_SELF | _IN_HOW):
            self._watched.add(folder)
            return True
        return False

    def _watch_above(self, descriptor: int, folder: str) -> bool:
        """A file is also gone when a directory above its own was moved."""
        above: set[str] = set()
        while (folder := os.path.dirname(folder)) not in self._above | above:
            above.add(folder)
        if not all(add_watch(descriptor, each, _IN_SELF | _IN_HOW) for each in above):
            return False
        self._above |= above
        return True

    def _drain(self, descriptor: int) -> None:
        self._epoch += 1
        with contextlib.suppress(BlockingIOError):
            events = os.read(descriptor, _READ_BYTES)
            at = 0
            while at < len(events):
                _, mask, _, length = _EVENT.unpack_from(events, at)
                at += _EVENT.size + length
                if mask & _IN_LOST:
                    self._forget()  # what is watched may no longer be what the paths name

    def _forget(self) -> None:
        self._watched.clear()
        self._above.clear()
