"""Facts of many files, kept out of memory: in a file without a name once there are many of them."""

import os
import tempfile
from collections.abc import Iterator, MutableMapping
from pathlib import Path
from typing import Any

from agrama.indexer.frames import write_all

_IN_MEMORY = 4 << 20


class Spill(MutableMapping[str, Any]):
    """A mapping from path to bytes that costs memory only for its keys. Space is not reused."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._recent: dict[str, bytes] = {}
        self._recent_bytes = 0
        self._places: dict[str, tuple[int, int]] = {}
        self._descriptor: int | None = None
        self._end = 0

    def __getitem__(self, path: str) -> bytes:
        data = self._recent.get(path)
        if data is not None:
            return data
        offset, length = self._places[path]
        if self._descriptor is None:
            raise KeyError(path)
        return os.pread(self._descriptor, length, offset)

    def __setitem__(self, path: str, data: bytes) -> None:
        self._places.pop(path, None)
        self._recent_bytes += len(data) - len(self._recent.get(path, b""))
        self._recent[path] = data
        if self._recent_bytes > _IN_MEMORY:
            self._write_out()

    def __delitem__(self, path: str) -> None:
        if path in self._recent:
            self._recent_bytes -= len(self._recent.pop(path))
        else:
            del self._places[path]

    def __iter__(self) -> Iterator[str]:
        """Paths in order."""
        return iter(sorted([*self._recent, *self._places]))

    def __len__(self) -> int:
        return len(self._recent) + len(self._places)

    def __contains__(self, path: object) -> bool:
        return path in self._recent or path in self._places

    def close(self) -> None:
        if self._descriptor is not None:
            os.close(self._descriptor)
            self._descriptor = None
        self._places.clear()
        self._recent.clear()
        self._recent_bytes = 0

    def _write_out(self) -> None:
        if self._descriptor is None:
            # The repository's folder is on a real disk; /tmp may be memory.
            self._descriptor, name = tempfile.mkstemp(prefix="spill-", dir=self._folder)
            os.unlink(name)
        parts = []
        for path, data in self._recent.items():
            self._places[path] = self._end, len(data)
            self._end += len(data)
            parts.append(data)
        write_all(self._descriptor, b"".join(parts))
        self._recent.clear()
        self._recent_bytes = 0
