"""`hybrid_search`: a query and a snapshot in, ranked hits out. A pure function.

It is importable without numpy, which the first search loads. Today lexical evidence alone ranks;
`semantic_score` and `graph_score` are None until vectors and graph signals exist.
"""

import fnmatch
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

from agrama.errors import InvalidParamsError, NotIndexedError
from agrama.graph.chunks import ChunkDefinition, StoredChunk, chunk_key, decode_chunk
from agrama.graph.model import Kind
from agrama.graph.query import ParsedQuery, parse_query

if TYPE_CHECKING:
    from agrama.graph.ranking import Evidence, Index, Reader

MODES = ("auto", "keyword", "concept", "dependency", "balanced")
MAX_RESULTS = 1_000
_SNIPPET_LINES = 24
_SNIPPET_CHARS = 2_000
_LINES_BEFORE = 2


class SnapshotReader(Protocol):
    """What a search needs of a snapshot."""

    @property
    def reader(self) -> "Reader": ...


@dataclass(frozen=True, slots=True)
class Hit:
    """One result: some lines of a file, and what spoke for it."""

    path: str
    start_line: int
    end_line: int
    symbol: str | None
    kind: str
    language: str | None
    score: float
    lexical_score: float
    semantic_score: float | None
    graph_score: float | None
    matching_terms: tuple[str, ...]
    snippet: str | None


@dataclass(frozen=True, slots=True)
class SearchResult:
    """The answer to a query. `mode` is the one used; `total_results` counts all that could be paged through."""

    query: str
    mode: str
    total_results: int
    hits: tuple[Hit, ...]


def hybrid_search(
    snapshot: SnapshotReader,
    query: str,
    *,
    max_results: int = 10,
    mode: str = "auto",
    path_glob: str | None = None,
    language: str | None = None,
    kind: str | None = None,
    context_files: Sequence[str] = (),
    weights: Mapping[str, float] | None = None,
    include_snippets: bool = True,
    offset: int = 0,
) -> SearchResult:
    """Find the code a query asks for: the best chunk of each of the best files."""
    from agrama.graph import ranking

    if mode not in MODES:
        raise InvalidParamsError(
            f"mode {mode!r} is not one of {', '.join(MODES)}",
            data={"parameter": "mode", "expected": list(MODES), "got": mode},
        )
    index = ranking.open_index(snapshot.reader)
    if index is None:
        raise NotIndexedError(
            "this index has no search data: run `agrama index` without --graph-only"
        )
    parsed = parse_query(query)
    evidence = ranking.gather_evidence(
        index, parsed, _filter_files(index, path_glob, language), _mask_of(kind)
    )
    ...
