"""The answers of one JSON-RPC batch, gathered until the last is there."""

from threading import Lock
from typing import Any, Self

from agrama.protocol.messages import Chunks, Outgoing


class Batch:
    """Counts what is awaited; itself counts as one until `close`, so no answer can be the last early."""

    __slots__ = ("_answers", "_lock", "_origin", "_waiting")

    def __init__(self, origin: Any) -> None:
        self._origin = origin
        self._answers: list[bytes] = []
        self._waiting = 1
        self._lock = Lock()

    def expect(self) -> Self:
        with self._lock:
            self._waiting += 1
        return self

    def add(self, data: bytes | Chunks | None) -> Outgoing | None:
        """One answer, or None for a request that was withdrawn; the whole when it was the last."""
        with self._lock:
            if data is not None:
                self._answers.append(data if isinstance(data, bytes) else data.join())
            self._waiting -= 1
            if self._waiting:
                return None
            if self._answers:
                return Outgoing(b"[" + b",".join(self._answers) + b"]", self._origin)
            return Outgoing(b"", self._origin, "nothing") if self._origin is not None else None

    def close(self) -> Outgoing | None:
        """No more messages come."""
        return self.add(None)
