"""One indexer per repository: a lock that the kernel gives back when its holder dies."""

import contextlib
import fcntl
import os
import time
from pathlib import Path
from types import TracebackType
from typing import Self

from agrama.errors import StoreError

_POLL_SECONDS = 0.05


class IndexerLock:
    """Who holds it may write the index of a repository."""

    def __init__(self, folder: Path) -> None:
        self._path = folder / "indexer.lock"
        self._descriptor: int | None = None

    def take(self, wait_seconds: float = 0.0) -> bool:
        """Try to become the indexer; False when another process still is after the wait."""
        try:
            self._path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            descriptor = os.open(self._path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        except OSError as error:
            raise StoreError(
                f"{self._path.parent} cannot be written: {error.strerror}; "
                "set AGRAMA_HOME to a folder for indexes that you may write"
            ) from error
        deadline = time.monotonic() + wait_seconds
        while True:
            try:
                fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
                break
            except BlockingIOError:
                if time.monotonic() >= deadline:
                    os.close(descriptor)
                    return False
                time.sleep(_POLL_SECONDS)
        os.ftruncate(descriptor, 0)
        os.pwrite(descriptor, b"%d\n" % os.getpid(), 0)
        self._descriptor = descriptor
        return True

    def holder(self) -> int | None:
        """The process that holds or held the lock, for messages only."""
        with contextlib.suppress(OSError, ValueError):
            return int(self._path.read_text())
        return None

    def release(self) -> None:
        if self._descriptor is not None:
            os.close(self._descriptor)
            self._descriptor = None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.release()
