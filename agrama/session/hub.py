"""One repository's collaboration as a server holds it: the ledger, and who waits for news."""

import threading
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from agrama.graph.ledger import Draft, DurabilityMode, Ledger, Rows
from agrama.session.apply import apply
from agrama.session.meaning import Meanings
from agrama.session.rows import INDEX_FORMAT, TABLES, read_state
from agrama.session.settling import Owed
from agrama.session.waiting import Waiting

_T = TypeVar("_T")


class Hub:
    """Open once per process and repository; safe to share between threads."""

    def __init__(
        self,
        folder: Path,
        root: Path,
        *,
        durability: DurabilityMode = "interval",
        owed: Owed | None = None,
    ) -> None:
        """`owed` keeps, for a thread that owes, what it has to wait for later."""
        self.root = root
        self.folder = folder
        self.ledger = open_ledger(folder, durability=durability)
        self._owed = owed
        self._lock = threading.Lock()
        self._waiting: Waiting | None = None
        self.meanings = Meanings()

    @property
    def waiting(self) -> Waiting:
        """Those who wait for the next event; its thread starts with the first."""
        with self._lock:
            if self._waiting is None:
                self._waiting = Waiting(self.folder, self.read)
            return self._waiting

    @property
    def version(self) -> int:
        """Changes whenever any process wrote."""
        return self.ledger.version

    def shared_version(self) -> tuple[int, int]:
        """Changes when a claim or a decision does, in any process; messages leave it alone."""
        with self.ledger.read() as rows:
            return read_state(rows, b"claims"), read_state(rows, b"decision_changes")

    def read(self) -> Rows:
        return self.ledger.read()

    def write(self, fill: Callable[[Draft], _T]) -> _T:
        owed = self._owed
        if owed is None or not owed.owes:
            return self.ledger.append(fill)
        result, seq = self.ledger.commit(fill)
        owed.seq = max(owed.seq, seq)
        return result

    def close(self) -> None:
        with self._lock:
            if self._waiting is not None:
                self._waiting.close()
                self._waiting = None
        self.ledger.close()


def open_ledger(folder: Path, *, durability: DurabilityMode = "interval") -> Ledger:
    return Ledger(folder, TABLES, apply, index_format=INDEX_FORMAT, durability=durability)
