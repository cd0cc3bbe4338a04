"""Answers kept as encoded bytes: least recently used out first, within a time and a size.

An entry dies by age, by size, because a file it speaks of looks different on disk, or because it was
made from an older version of the store: an answer nobody can be given any more takes no room.
"""

import os
from collections import OrderedDict
from collections.abc import Callable, Hashable
from threading import Lock
from typing import NamedTuple

TTL_SECONDS = 300.0
MAX_BYTES = 64 << 20
MAX_FILES = 256  # an answer about more files costs more to check than to make again
_ENTRY_OVERHEAD_BYTES = 512  # key, tuple and dictionary slot, roughly


class _Entry(NamedTuple):
    body: bytes
    expires_ns: int
    files: tuple[tuple[str, int, int], ...]
    version: Hashable


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
        self.size_bytes = 0
        self.hits = 0
        self.misses = 0
        self.evictions = 0

    def __len__(self) -> int:
        return len(self._entries)

    def get(self, key: Hashable, version: Hashable = None, *, counted: bool = True) -> bytes | None:
        """The answer kept under a key, if it still holds; whoever looks twice counts once."""
        entry = self._entries.get(key)
        if entry is not None and (
            entry.version != version
            or self._clock() >= entry.expires_ns
            or (entry.files and not _unchanged(entry.files))
        ):
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
        with self._lock:
            self._remove(key)
            self._entries[key] = entry
            self.size_bytes += size
            while self.size_bytes > self._max_bytes:
                self._remove(next(iter(self._entries)))
                self.evictions += 1
        return True

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
