"""`hybrid_search`: a query and a snapshot in, ranked hits out. A pure function.

It is importable without numpy, which the first search loads. A score that was not asked for or cannot
be had (`semantic_score` in keyword mode, `graph_score` without files at hand) is None.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache, partial
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from agrama.errors import InvalidParamsError
from agrama.graph.chunks import CHUNKS, ChunkDefinition, StoredChunk, chunk_key, decode_chunk
from agrama.graph.globs import compile_glob
from agrama.graph.model import Kind
from agrama.graph.query import ParsedQuery, parse_query
from agrama.graph.snippets import cut_snippet
from agrama.graph.terms import split_word

if TYPE_CHECKING:
    from agrama.graph.embedding import Vector
    from agrama.graph.evidence import Evidence
    from agrama.graph.ranking import Ranking, Weights
    from agrama.graph.view import FileMask, Floats, Index, Reader

MODES = ("auto", "keyword", "concept", "dependency", "balanced")
MAX_RESULTS = 1_000
_FEW_FILES = 10  # with fewer files than a page, further chunks of them follow
_PRECISION = 10_000  # scores are given to four digits
_KINDS = {kind.label: kind for kind in Kind}
_LABELS = tuple(kind.label for kind in Kind)
_FILE_LABEL = Kind.FILE.label


class SnapshotReader(Protocol):
    """What a search needs of a snapshot."""

    @property
    def reader(self) -> "Reader": ...


class Hit(NamedTuple):
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
    snippet_start_line: int | None = None
    highlighted_lines: tuple[int, ...] = ()


# A named tuple's own constructor is a Python function.
_hit = partial(tuple.__new__, Hit)
_NO_SNIPPET = (None, None, ())


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
    tuning: "Weights | None" = None,
) -> SearchResult:
    """Find the code a query asks for: the best chunk of each of the best files.

    `weights` multiplies the lexical, semantic and graph part of the score (1 is as fitted, 0 is off);
    `tuning` replaces the fitted weights altogether, for measurements.
    """
    from agrama.graph import evidence as gathering
    from agrama.graph import meaning, ranking, view
    from agrama.graph.proximity import find_file

    _check_choice("mode", mode, MODES)
    index = view.require_index(snapshot.reader)
    parsed = parse_query(query)
    tuned = tuning or ranking.weigh_mode(mode, weights)
    question = meaning.embed_question(index, query) if tuned.semantic else None
    allowed = filter_files(index, path_glob, language)
    evidence = gathering.gather_evidence(index, parsed, allowed, _mask_of(kind))
    ranked = ranking.rank_files(index, evidence, parsed, question, tuned)
    around = {node: 1.0 for path in context_files if (node := find_file(index, path)) is not None}
    if mode == "dependency" and len(ranked.found):
        around.update(ranking.pick_seeds(index, ranked))
    if around and tuned.graph:
        ranked = ranking.add_context(index, ranked, evidence, around, tuned)
    count = min(max(0, max_results), MAX_RESULTS)
    found, total = _pick(index, evidence, ranked, question, max(0, offset), count)
    terms = ranking.match_terms(evidence.terms, [chunk for _, chunk in found])
    best = tuned.best_possible()
    slots = [slot for slot, _ in found]
    shares = zip(
        _share(ranked.scores, slots, best),
        _share(ranked.lexical, slots, best),
        _share(ranked.semantic, slots, 1),
        _share(ranked.graph, slots, 1),
        strict=True,
    )
    chunks = read_chunks(index, found, with_text=include_snippets)
    hits = [
        _make_hit(index, parsed, slot, chunk, share, said, include_snippet=include_snippets)
        for slot, chunk, share, said in zip(slots, chunks, shares, terms, strict=True)
    ]
    return SearchResult(query, parsed.kind if mode == "auto" else mode, total, tuple(hits))


def _share(scores: "Floats | None", slots: Sequence[int], best: float) -> list[Any]:
    """Scores of some files as shares of the best possible one; None for each where there are none."""
    if scores is None:
        return [None] * len(slots)
    unit = _PRECISION / best
    values: list[float] = scores.take(slots).tolist()
    return [int(each * unit + 0.5) / _PRECISION if each > 0 else 0.0 for each in values]


def _check_choice(parameter: str, value: str, choices: Iterable[str]) -> None:
    if value not in choices:
        raise InvalidParamsError(
            f"{parameter} {value!r} is not one of {', '.join(choices)}",
            data={"parameter": parameter, "expected": list(choices), "got": value},
        )


def _mask_of(kind: str | None) -> int:
    """The bit of a kind in the stored masks of chunks; 0 for all kinds."""
    if kind is None:
        return 0
    _check_choice("kind", kind, _KINDS)
    return 1 << _KINDS[kind]


def filter_files(index: "Index", path_glob: str | None, language: str | None) -> "FileMask | None":
    """Which files a glob and a language let through; None when all."""
    from agrama.graph import view

    allowed = None
    if language is not None:
        allowed = view.allow_language(index, language.lower())
    if path_glob:
        matches = compile_glob(path_glob).match
        by_path = view.allow_paths(index, matches)
        allowed = by_path if allowed is None else allowed & by_path
    return allowed


def _pick(
    index: "Index",
    evidence: "Evidence",
    ranked: "Ranking",
    question: "Vector | None",
    offset: int,
    count: int,
) -> tuple[list[tuple[int, int]], int]:
    """The (slot, chunk id) pairs of one page, and how many there are on all pages."""
    from agrama.graph import ranking

    total = len(ranked.found)
    few = total < _FEW_FILES
    slots = ranking.pick_files(index, ranked, total if few else offset + count)
    if not few:
        slots = slots[offset:]
    chunks = ranking.pick_chunks(index, evidence, question, slots)
    picked = list(zip(slots, chunks, strict=True))
    if not few:
        return picked, total
    picked += ranking.further_chunks(index, evidence, picked)
    return picked[offset : offset + count], len(picked)


def _make_hit(
    index: "Index",
    query: ParsedQuery,
    slot: int,
    chunk: StoredChunk,
    shares: tuple[float, float, float | None, float | None],
    terms: tuple[str, ...],
    *,
    include_snippet: bool,
) -> Hit:
    path = index.path(slot)
    definition = choose_definition(chunk, query)
    snippet = cut_snippet(chunk.text, chunk.start_line, terms) if include_snippet else _NO_SNIPPET
    return _hit(
        (
            path,
            chunk.start_line,
            chunk.end_line,
            f"{path}::{definition.qualified}" if definition else None,
            _LABELS[definition.kind] if definition else _FILE_LABEL,
            index.language(slot),
            *shares,
            terms,
            *snippet,
        )
    )


def read_chunk(index: "Index", slot: int, chunk_id: int, *, with_text: bool) -> StoredChunk:
    """The chunk with a given id, which lies in the run of its file."""
    return read_chunks(index, [(slot, chunk_id)], with_text=with_text)[0]


def read_chunks(
    index: "Index", places: Sequence[tuple[int, int]], *, with_text: bool
) -> list[StoredChunk]:
    """The same of some (slot, chunk id)."""
    get = index.reader.getter(CHUNKS)
    firsts = index.spans()[:, 0].take([slot for slot, _ in places]).tolist()
    values = [
        get(chunk_key(slot, chunk_id - first))
        for (slot, chunk_id), first in zip(places, firsts, strict=True)
    ]
    return [
        StoredChunk(1, 1, (), "") if value is None else decode_chunk(value, with_text=with_text)
        for value in values
    ]


def choose_definition(chunk: StoredChunk, query: ParsedQuery) -> ChunkDefinition | None:
    """The definition of a chunk that the query speaks of: by name, else the first that begins here."""
    definitions = chunk.definitions
    if len(definitions) <= 1:
        return definitions[0] if definitions else None
    asked, identifiers, start = query.term_texts, query.identifiers, chunk.start_line
    first, best, best_rank = None, None, (False, 0, False)
    for definition in definitions:
        name, terms = _read_name(definition[2])
        if name in identifiers or not asked.isdisjoint(terms):
            rank = (name in identifiers, len(asked & terms), definition[1] >= start)
            if rank > best_rank:
                best, best_rank = definition, rank
        elif first is None and definition[1] >= start:
            first = definition
    return best or first or definitions[0]


@lru_cache(maxsize=1 << 14)
def _read_name(qualified: str) -> tuple[str, frozenset[str]]:
    """The own name of a definition, and its terms."""
    name = qualified.rpartition(".")[2].partition("#")[0]
    return name, frozenset(split_word(name))
