"""Answers kept as encoded bytes: least recently used out first, within a time and a size.

An entry dies by age, by size, because a file it speaks of looks different on disk, or because it was
made from an older version of the store: an answer nobody can be given any more takes no room.

To look is to stat, and the directories of files are watched: while nothing happened in them since
the last look there is nothing to see. What an answer is made from is told by a `Moment`, taken before
it is made: it may be newer than that says, never older.
"""

from collections.abc import Callable, Hashable
from threading import Lock
from typing import TypeAlias

from agrama.inotify import Directories

TTL_SECONDS = 300.0
MAX_BYTES = 64 << 20
MAX_FILES = 256  # an answer about more files costs more to check than to make again
_ENTRY_OVERHEAD_BYTES = 512  # key, tuple and dictionary slot, roughly
_NOT_LOOKED = -1
_DROPPED = object()


# What was heard of files until then, the version of everything else, and when that was.
Moment: TypeAlias = tuple[int, Hashable, int]


class Entry:
    """An answer. One that was dropped has the version of no moment, so take `body` before you ask."""

    __slots__ = ("body", "epoch", "expires_ns", "files", "used_ns", "version")

    def __init__(
        self,
        body: bytes,
        now_ns: int,
        ttl_ns: int,
        files: tuple[tuple[str, int, int], ...],
        version: Hashable,
    ) -> None:
        self.body = body
        self.used_ns = now_ns
        self.expires_ns = now_ns + ttl_ns
        self.files = files
        self.version = version
        self.epoch = _NOT_LOOKED  # the one in which its files were last found unchanged


class ResponseCache:
    """`get` and `put` by key, from any thread."""

    def __init__(
        self,
        clock: Callable[[], int],
        *,
        ttl_seconds: float = TTL_SECONDS,
        max_bytes: int = MAX_BYTES,
        version: Callable[[int], Hashable] = lambda epoch: None,
        directories: Directories | None = None,
    ) -> None:
        """`version` is asked at each moment, with what `directories` heard until then."""
        self._clock = clock
        self._ttl_ns = int(ttl_seconds * 1e9)
        self._max_bytes = max_bytes
        self._version = version
        self._entries: dict[Hashable, Entry] = {}
        self._lock = Lock()
        self._directories = directories or Directories()
        self.size_bytes = 0
        self.hits = 0
        self.misses = 0
        self.evictions = 0

    def __len__(self) -> int:
        return len(self._entries)

    def now(self) -> Moment:
        """What an answer is made from that is begun now."""
        now_ns = self._clock()
        epoch = self._directories.epoch(now_ns)
        return epoch, self._version(epoch), now_ns

    def get(self, key: Hashable, now: Moment, *, counted: bool = True) -> bytes | None:
        """The answer kept under a key, if it still holds; whoever looks twice counts once."""
        entry = self._entries.get(key)
        if entry is not None:
            body = entry.body
            if self.holds(entry, now):
                self.hits += counted
                return body
            with self._lock:
                self._remove(key)
        self.misses += counted
        return None

    def find(self, key: Hashable) -> Entry | None:
        """What is kept under a key, to be looked at again and again."""
        return self._entries.get(key)

    def holds(self, entry: Entry, now: Moment) -> bool:
        """Tell whether an entry may be given, which counts as its use."""
        epoch, version, now_ns = now
        if entry.version != version or now_ns >= entry.expires_ns:
            return False
        entry.used_ns = now_ns
        return entry.epoch == epoch or self._look(entry, epoch)

    def put(
        self,
        key: Hashable,
        body: bytes,
        made_from: Moment,
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
        now_ns = self._clock()
        entry = Entry(body, now_ns, ttl_ns, tuple(files or ()), made_from[1])
        # To begin to watch takes longer than an answer from here may: it is done beforehand.
        if not self._look(entry, self._directories.epoch(now_ns)):
            return False
        with self._lock:
            self._remove(key)
            self._entries[key] = entry
            self.size_bytes += size
            if self.size_bytes > self._max_bytes:
                self._evict()
        return True

    def _look(self, entry: Entry, epoch: int) -> bool:
        """Tell whether the files of an entry are what they were."""
        look, watch = self._directories.look, self._directories.watch
        if any(look(path, epoch) != (mtime, size) for path, mtime, size in entry.files):
            return False
        watched = watch(path for path, _, _ in entry.files)
        entry.epoch = epoch if watched else _NOT_LOOKED
        return True

    def _evict(self) -> None:
        """Make room by an eighth, so that to put them in order is rare."""
        oldest = sorted(self._entries.items(), key=lambda item: item[1].used_ns)
        for key, _ in oldest:
            if self.size_bytes <= self._max_bytes * 7 // 8:
                break
            self._remove(key)
            self.evictions += 1

    def close(self) -> None:
        with self._lock:
            self._entries.clear()
            self.size_bytes = 0
        self._directories.close()

    def _remove(self, key: Hashable) -> None:
        entry = self._entries.pop(key, None)
        if entry is not None:
            entry.version, size = _DROPPED, len(entry.body)
            entry.body = b""  # who found the entry may keep it
            self.size_bytes -= size + _ENTRY_OVERHEAD_BYTES
