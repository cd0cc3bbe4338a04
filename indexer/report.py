"""What a run of the indexer did, for people and for programs."""

import time
from dataclasses import asdict, dataclass, field
from typing import Any


@dataclass(slots=True)
class Report:
    """The outcome of one run; `seconds` are per phase."""

    root: str
    folder: str
    generation: int = 0
    changed: bool = False
    full: bool = False
    files: int = 0
    parsed: int = 0
    removed: int = 0
    rewritten: int = 0  # files whose part of the graph differs from before
    settled: bool = True  # False: a preview, the exact graph follows
    message: str | None = None
    problems: dict[str, str] = field(default_factory=dict)
    seconds: dict[str, float] = field(default_factory=dict)
    index: dict[str, Any] = field(default_factory=dict)  # totals, as in `agrama stats`

    def as_dict(self) -> dict[str, Any]:
        return asdict(self)


class Clock:
    """Notes how long each phase took."""

    def __init__(self, seconds: dict[str, float]) -> None:
        self._seconds = seconds
        self._last = time.perf_counter()

    def lap(self, phase: str) -> None:
        now = time.perf_counter()
        self._seconds[phase] = round(now - self._last, 4)
        self._last = now
