"""What a run of the indexer did, for people and for programs."""

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
    updated_graphs: int = 0
    symbols: int = 0
    edges: int = 0
    message: str | None = None
    problems: dict[str, str] = field(default_factory=dict)
    seconds: dict[str, float] = field(default_factory=dict)

    def as_dict(self) -> dict[str, Any]:
        return asdict(self)
