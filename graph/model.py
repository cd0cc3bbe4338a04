"""What the graph is made of: symbols, edges with evidence, and everything known of one file.

Conventions, said once: paths are POSIX and relative to the repository root; lines are 1-based and
inclusive; columns are 0-based UTF-8 bytes; a symbol id is `path::Outer.inner` (`#2` marks the second
definition of a name in its file), a file's id is its path, a thing outside the repository is
`external:dotted.name`. A number nobody measured is None, never a default.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import IntEnum
from typing import NamedTuple


class Kind(IntEnum):
    """Kinds of node. The numbers are stored: append only."""

    FILE = 0
    MODULE = 1
    CLASS = 2
    FUNCTION = 3
    METHOD = 4
    VARIABLE = 5
    EXTERNAL = 6
    TEST = 7
    ROUTE = 8
    DECISION = 9
    SESSION = 10
    SECTION = 11

    def __init__(self, number: int) -> None:
        self.label = self.name.lower()


class EdgeKind(IntEnum):
    """Kinds of edge. The numbers are stored: append only."""

    CONTAINS = 0
    IMPORTS = 1
    CALLS = 2
    INHERITS = 3
    IMPLEMENTS = 4
    OVERRIDES = 5
    REFERENCES = 6
    TESTS = 7
    HANDLES = 8
    DECIDES = 9
    MODIFIES = 10
    CO_CHANGES = 11

    def __init__(self, number: int) -> None:
        self.label = self.name.lower()


class Resolution(IntEnum):
    """How an edge's target was found."""

    EXACT = 0  # by import, scope or declared type
    INFERRED = 1  # by type inference
    HEURISTIC = 2  # by name

    def __init__(self, number: int) -> None:
        self.label = self.name.lower()


# By number: making an enumeration's member looks it up, which takes longer than an index.
KINDS = tuple(Kind)
EDGE_KINDS = tuple(EdgeKind)
RESOLUTIONS = tuple(Resolution)

EXTERNAL_PREFIX = "external:"


class Symbol(NamedTuple):
    """One node. `start_line` and `start_column` are those of its name, `body_line` where its text begins."""

    id: str
    kind: Kind
    name: str
    qualified_name: str
    path: str | None
    language: str | None
    start_line: int
    start_column: int
    body_line: int
    end_line: int
    signature: str = ""
    doc: str = ""
    metrics: Mapping[str, float | int | None] | None = None


class EdgeRow(NamedTuple):
    """One edge with its evidence, which lies in the file that owns the row."""

    kind: int
    source: str
    target: str
    line: int
    column: int
    resolution: int
    confidence: float


@dataclass(frozen=True, slots=True)
class FileGraph:
    """All the graph says whose evidence lies in one file; its edges are in no order."""

    path: str
    language: str | None
    symbols: tuple[Symbol, ...]
    edges: tuple[EdgeRow, ...]
    unresolved: int = 0
    call_sites: int = 0
