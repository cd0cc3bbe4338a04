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
from collections.abc import Callable, Iterable, Sequence
from threading import Lock
from typing import TypeAlias

IN_MODIFY = 0x2
_IN_ATTRIB = 0x4
_IN_NAMES = 0x40 | 0x80 | 0x100 | 0x200  # moved from and to, created, deleted
_IN_CONTENTS = IN_MODIFY | _IN_ATTRIB | _IN_NAMES
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
_TRUST_NS = 5_000_000_000

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


# Modification time in nanoseconds and size.
Stamp: TypeAlias = tuple[int, int]
MISSING: Stamp = (0, -1)
_Poll: TypeAlias = Callable[[float, int], Sequence[object]]


def _nothing(timeout_seconds: float, most: int) -> Sequence[object]:
    return ()


class Directories:
    """Tells whether anything happened to files since they were looked at. Safe to share.

    Some changes cause no event, so every five seconds counts as something that happened.
    """

    def __init__(self) -> None:
        self._lock = Lock()
        self._descriptor: int | None = None
        self._poll: _Poll = _nothing
        self._epoll: select.epoll | None = None
        self._tried = False
        self._watched: dict[str, int] = {}
        self._above: set[str] = set()
        self._stamps: dict[str, tuple[int, Stamp]] = {}  # with the epoch they were read in
        self._epoch = 0
        self._until_ns = 0

    def epoch(self, now_ns: int) -> int:
        """Another number whenever something happened in a directory that is watched."""
        epoch = self._epoch
        # Nobody took events from the queue meanwhile: who does counts on before that.
        if not self._poll(0, 1) and now_ns < self._until_ns and epoch == self._epoch:
            return epoch
        with self._lock:
            self._epoch += 1
            self._until_ns = now_ns + _TRUST_NS
            self._stamps = {}
            if self._descriptor is not None:
                self._drain(self._descriptor)
            return self._epoch

    def look(self, path: str, epoch: int) -> Stamp:
        """When a file was last changed and its size, in an epoch that was asked for before.

        A file is looked at once in an epoch if it can be watched: a look costs ten times an answer
        from here.
        """
        known = self._stamps.get(path)
        if known is not None and known[0] == epoch:
            return known[1]
        # Watched before the look: what happens after it is heard of.
        watched = self.watch((path,))
        try:
            status = os.lstat(path)
        except OSError:
            stamp = MISSING
        else:
            stamp = status.st_mtime_ns, status.st_size
        if watched:
            self._stamps[path] = epoch, stamp
        return stamp

    def watch(self, paths: Iterable[str]) -> bool:
        """Hear of all that happens to these files; False when some cannot be watched."""
        return self._watch_all(map(os.path.dirname, paths), _IN_CONTENTS)

    def watch_names(self, folders: Iterable[str]) -> bool:
        """Hear of files that come and go in these folders, not of what is written to them."""
        return self._watch_all(folders, _IN_NAMES)

    def close(self) -> None:
        with self._lock:
            if self._epoll is not None and self._descriptor is not None:
                self._epoll.close()
                os.close(self._descriptor)
            self._descriptor, self._epoll, self._poll, self._tried = None, None, _nothing, True
            self._forget()

    def _watch_all(self, folders: Iterable[str], events: int) -> bool:
        watched = self._watched
        return all(
            watched.get(folder, 0) & events == events or self._watch(folder, events)
            for folder in folders
        )

    def _watch(self, folder: str, events: int) -> bool:
        with self._lock:
            if not self._tried:
                self._tried = True
                self._descriptor = open_inotify()
                if self._descriptor is not None:
                    self._epoll = select.epoll()  # 0.1 µs quicker than poll
                    self._epoll.register(self._descriptor, select.EPOLLIN)
                    self._poll = self._epoll.poll
            if self._descriptor is None or not self._watch_above(self._descriptor, folder):
                return False
            if add_watch(self._descriptor, folder, events | _IN_SELF | _IN_HOW):
                self._watched[folder] = self._watched.get(folder, 0) | events
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
