"""What the tools' answers share: token budgets, cursors, and rows for symbols and edges."""

import hashlib
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any, TypeVar

import orjson

from agrama.errors import InvalidParamsError
from agrama.graph.format import CONFIDENCE_SCALE
from agrama.graph.model import EDGE_KINDS, RESOLUTIONS

if TYPE_CHECKING:
    from agrama.graph.model import Symbol
    from agrama.graph.neighbours import Neighbour
    from agrama.graph.snapshot import Edge, Snapshot

_T = TypeVar("_T")

# Code averages a little over three bytes per token in the common vocabularies; erring low keeps
# an answer inside its budget.
BYTES_PER_TOKEN = 3
_EDGE_BYTES = 112  # of keys, kind, place and confidence in JSON
_EDGE_LABELS = tuple(kind.label for kind in EDGE_KINDS)
_RESOLUTION_LABELS = tuple(each.label for each in RESOLUTIONS)

SYMBOL_SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {
        "symbol": {"type": "string"},
        "kind": {"type": "string"},
        "start_line": {"type": "integer"},
        "end_line": {"type": "integer"},
        "signature": {"type": "string"},
    },
    "required": ["symbol", "kind", "start_line", "end_line"],
}

EDGE_SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {
        "symbol": {"type": "string"},
        "kind": {"type": "string"},
        "path": {"type": "string"},
        "line": {"type": "integer"},
        "column": {"type": "integer"},
        "resolution": {"enum": ["exact", "inferred", "heuristic"]},
        "confidence": {"type": "number"},
    },
    "required": ["symbol", "kind", "path", "line", "column", "resolution", "confidence"],
}


def content_hash(content: bytes) -> str:
    """The fingerprint a client gives back as `expected_hash`."""
    return hashlib.blake2b(content, digest_size=16).hexdigest()


class Budget:
    """How much an answer may still hold, counted in bytes.

    A row of many short fields takes about half as many bytes in readable text as in JSON: `weight`.
    """

    def __init__(self, tokens: float, weight: float = 1.0) -> None:
        self.left = tokens * BYTES_PER_TOKEN
        self._weight = weight

    def spend(self, size: int) -> None:
        self.left -= size

    def part(self, share: float) -> "Budget":
        """A share of what is left, to be spent first; `regain` takes back what it did not use."""
        part = Budget(max(0.0, self.left) * share / BYTES_PER_TOKEN, self._weight)
        self.left -= part.left
        return part

    def regain(self, part: "Budget") -> None:
        self.left += max(0.0, part.left)

    def take(self, rows: Iterable[_T], omitted: dict[str, int], name: str) -> list[_T]:
        """The rows that fit; how many did not is written into `omitted` under `name`."""
        taken: list[_T] = []
        rows = iter(rows)
        for row in rows:
            cost = len(orjson.dumps(row)) * self._weight
            if not self._has_room(cost, taken):
                omitted[name] = omitted.get(name, 0) + 1 + sum(1 for _ in rows)
                break
            self.left -= cost
            taken.append(row)
        return taken

    def _has_room(self, cost: float, taken: Sequence[Any]) -> bool:
        """Tell whether one more row fits; the first of a list may be larger than what is left."""
        return cost <= self.left if taken else self.left > 0

    def describe(
        self,
        values: Sequence[_T],
        describe: Callable[[_T], dict[str, Any]],
        omitted: dict[str, int],
        name: str,
        size_of: Callable[[dict[str, Any]], int] = lambda row: len(orjson.dumps(row)),
    ) -> list[dict[str, Any]]:
        """The same of values that become rows only while there is room."""
        taken: list[dict[str, Any]] = []
        for value in values:
            if self.left <= 0:
                omitted[name] = len(values) - len(taken)
                break
            row = describe(value)
            cost = size_of(row) * self._weight
            if not self._has_room(cost, taken):
                omitted[name] = len(values) - len(taken)
                break
            self.left -= cost
            taken.append(row)
        return taken


def read_cursor(cursor: str | None) -> int:
    """Where an answer goes on; cursors are positions, so they survive a restart."""
    if cursor is None:
        return 0
    if not cursor.isdecimal():
        raise InvalidParamsError(
            f"cursor {cursor!r} is not one this tool gave out",
            data={
                "parameter": "cursor",
                "expected": "next_cursor of an earlier answer",
                "got": cursor,
            },
        )
    return int(cursor)


def count_tokens(text: str) -> int:
    """An upper estimate of what `text` costs a language model."""
    return len(text.encode("utf-8", "replace")) // BYTES_PER_TOKEN + 1


def describe_symbol(symbol: "Symbol") -> dict[str, Any]:
    row: dict[str, Any] = {
        "symbol": symbol.id,
        "kind": symbol.kind.label,
        "start_line": symbol.start_line,
        "end_line": symbol.end_line,
    }
    if symbol.signature:
        row["signature"] = symbol.signature
    return row


def describe_edge(edge: "Edge", other: str) -> dict[str, Any]:
    """One edge seen from one of its ends; `other` is the far end."""
    return {
        "symbol": other,
        "kind": edge.kind.label,
        "path": edge.path,
        "line": edge.line,
        "column": edge.column,
        "resolution": edge.resolution.label,
        "confidence": edge.confidence,
    }


def estimate_edge(row: dict[str, Any]) -> int:
    """How many bytes the row of an edge takes, without encoding it: all but its names is alike."""
    return len(row["symbol"]) + len(row["path"]) + _EDGE_BYTES


def describe_neighbour(snapshot: "Snapshot", row: "Neighbour") -> dict[str, Any]:
    """One far end of folded edges."""
    kind, resolution, confidence, _, line, column = row.first
    described = {
        "symbol": snapshot.id_of(row.node),
        "kind": _EDGE_LABELS[kind],
        "path": snapshot.id_of(row.file),
        "line": line,
        "column": column,
        "resolution": _RESOLUTION_LABELS[resolution],
        "confidence": confidence / CONFIDENCE_SCALE,
        "count": row.edges,
    }
    if row.distance > 1:
        described["distance"] = row.distance
    return described
