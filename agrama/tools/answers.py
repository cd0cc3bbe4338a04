"""What the tools' answers share: token budgets, freshness, and rows for symbols and edges."""

import hashlib
from typing import Any

from agrama.graph.model import Symbol
from agrama.graph.snapshot import Edge

# Code averages a little over three bytes per token in the common vocabularies; erring low keeps
# an answer inside its budget.
BYTES_PER_TOKEN = 3

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


def count_tokens(text: str) -> int:
    """An upper estimate of what `text` costs a language model."""
    return len(text.encode("utf-8", "replace")) // BYTES_PER_TOKEN + 1


def describe_symbol(symbol: Symbol) -> dict[str, Any]:
    row: dict[str, Any] = {
        "symbol": symbol.id,
        "kind": symbol.kind.label,
        "start_line": symbol.start_line,
        "end_line": symbol.end_line,
    }
    if symbol.signature:
        row["signature"] = symbol.signature
    return row


def describe_edge(edge: Edge, other: str) -> dict[str, Any]:
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
