"""Answers kept as encoded bytes: least recently used out first, within a time and a size.

An entry dies by age, by size, because a file it speaks of looks different on disk, or because it was
made from an older version of the store: an answer nobody can be given any more takes no room.

To look is to stat. An answer about many files is also watched: while nothing happened in their
directories since the last look there is nothing to see, for five seconds at most, because some
changes cause no event.
"""

import os
from collections import OrderedDict
from collections.abc import Callable, Hashable
from threading import Lock
from typing import NamedTuple

from agrama.inotify import Directories

TTL_SECONDS = 300.0
MAX_BYTES = 64 << 20
MAX_FILES = 256  # an answer about more files costs more to check than to make again
_WATCHED_FILES = 3  # so many stats cost more than to ask for events
_WATCH_NS = 5_000_000_000
_ENTRY_OVERHEAD_BYTES = 512  # key, tuple and dictionary slot, roughly


class _Look(NamedTuple):
    """When the files of an entry were last found unchanged."""

    epoch: int
    until_ns: int


class _Entry:
    __slots__ = ("body", "expires_ns", "files", "look", "version")

    def __init__(
        self,
        body: bytes,
        expires_ns: int,
        files: tuple[tuple[str, int, int], ...],
        version: Hashable,
    ) -> None:
        self.body = body
        self.expires_ns = expires_ns
        self.files = files
        self.version = version
        self.look: _Look | None = None


class ResponseCache:
    """`get` and `put` by key, from any thread."""

    def __init__(
        self,
        clock: Callable[[], int],
        *,
        ttl_seconds: float = TTL_SECONDS,
        max_bytes: int = MAX_BYTES,
    ) -> None:
        self._clock = clock
        self._ttl_ns = int(ttl_seconds * 1e9)
        self._max_bytes = max_bytes
        self._entries: OrderedDict[Hashable, _Entry] = OrderedDict()
        self._lock = Lock()
        self._directories = Directories()
        self.size_bytes = 0
        self.hits = 0
        self.misses = 0
        self.evictions = 0

    def __len__(self) -> int:
        return len(self._entries)

    def get(self, key: Hashable, version: Hashable = None, *, counted: bool = True) -> bytes | None:
        """The answer kept under a key, if it still holds; whoever looks twice counts once."""
        entry = self._entries.get(key)
        if entry is not None and (entry.version != version or not self._holds(entry)):
            self._drop(key)
            entry = None
        if entry is None:
            self.misses += counted
            return None
        with self._lock:
            if key in self._entries:
                self._entries.move_to_end(key)
        self.hits += counted
        return entry.body

    def put(
        self,
        key: Hashable,
        body: bytes,
        version: Hashable = None,
        *,
        ttl_seconds: float | None = None,
        files: list[tuple[str, int, int]] | None = None,
    ) -> bool:
        """Keep an answer; False when it is too big or speaks of too many files."""
        size = len(body) + _ENTRY_OVERHEAD_BYTES
        if size > self._max_bytes // 8 or (files and len(files) > MAX_FILES):
            return False
        ttl_ns = self._ttl_ns if ttl_seconds is None else min(self._ttl_ns, int(ttl_seconds * 1e9))
        if ttl_ns <= 0:
            return False
        entry = _Entry(body, self._clock() + ttl_ns, tuple(files or ()), version)
        # To begin to watch takes longer than an answer from here may: it is done beforehand.
        if len(entry.files) >= _WATCHED_FILES and not self._holds(entry):
            return False
        with self._lock:
            self._remove(key)
            self._entries[key] = entry
            self.size_bytes += size
            while self.size_bytes > self._max_bytes:
                self._remove(next(iter(self._entries)))
                self.evictions += 1
        return True

    def _holds(self, entry: _Entry) -> bool:
        now_ns = self._clock()
        if now_ns >= entry.expires_ns:
            return False
        files = entry.files
        if len(files) < _WATCHED_FILES:
            return not files or _unchanged(files)
        directories, look = self._directories, entry.look
        epoch = directories.epoch()
        if look is not None and look.epoch == epoch and now_ns < look.until_ns:
            return True
        # Watched before the look: what happens after it is heard of.
        watched = directories.watch(path for path, _, _ in files)
        unchanged = _unchanged(files)
        entry.look = _Look(epoch, now_ns + _WATCH_NS) if watched and unchanged else None
        return unchanged

    def close(self) -> None:
        with self._lock:
            self._entries.clear()
            self.size_bytes = 0
        self._directories.close()

    def _drop(self, key: Hashable) -> None:
        with self._lock:
            self._remove(key)

    def _remove(self, key: Hashable) -> None:
        entry = self._entries.pop(key, None)
        if entry is not None:
            self.size_bytes -= len(entry.body) + _ENTRY_OVERHEAD_BYTES


def _unchanged(files: tuple[tuple[str, int, int], ...]) -> bool:
    for path, mtime_ns, size_bytes in files:
        try:
            found = os.stat(path)
        except OSError:
            if size_bytes < 0:  # recorded as missing, and still missing
                continue
            return False
        if found.st_mtime_ns != mtime_ns or found.st_size != size_bytes:
            return False
    return True
