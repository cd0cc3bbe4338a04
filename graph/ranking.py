"""Rank files by the weighted sum of their evidence and roles, then choose a chunk in each."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from agrama.graph.evidence import Evidence, TermLists
from agrama.graph.maps import CHUNK_FILES_PREFIX, ROLES_KEY, SIZE_STEP, SIZES_KEY
from agrama.graph.query import ParsedQuery
from agrama.graph.roles import Role
from agrama.graph.view import Floats, Index, Positions

EVIDENCE = (
    "best_chunk",
    "top_chunks",
    "file",
    "head",
    "stem_cover",
    "stem_full",
    "parent",
    "defined",
    "compound",
    "named",
)


@dataclass(frozen=True, slots=True)
class Weights:
    """What one unit of each evidence is worth. Fitted leaving one repository out, then rounded."""

    best_chunk: float = 1.4
    top_chunks: float = 2.4
    file: float = 0.8
    head: float = 0.55
    stem_cover: float = 2.5
    stem_full: float = 1.2
    parent: float = 1.0
    defined: float = 1.9
    compound: float = 0.8
    named: float = 4.0
    test: float = -1.8
    example: float = -0.4
    legacy: float = -0.5
    entry: float = 0.6
    generated: float = -0.3
    prose: float = -0.8
    data: float = -0.4
    old_version: float = -1.5
    size: float = 0.3  # per natural logarithm of the number of chunks

    def best_possible(self) -> float:
        """What a file would score that has all the evidence there is."""
        return self.entry + sum(float(getattr(self, name)) for name in EVIDENCE)


DEFAULT_WEIGHTS = Weights()


def combine(
    index: Index, evidence: Evidence, query: ParsedQuery, weights: Weights
) -> tuple[Floats, Floats]:
    """Per slot: the score, and the part of it that is evidence rather than role."""
    relevance = np.zeros(index.slots, np.float32)
    for name in EVIDENCE:
        relevance += np.float32(getattr(weights, name)) * getattr(evidence, name)
    if evidence.allowed is not None:
        relevance[~evidence.allowed] = 0
    return relevance + weigh_roles(index, query, weights) + weigh_sizes(index, weights), relevance


def weigh_roles(index: Index, query: ParsedQuery, weights: Weights) -> Floats:
    """The weight of each file's roles; a role the query asks for does not count against a file."""
    asked = Role(0)
    if query.wants_tests:
        asked |= Role.TEST
    if query.wants_prose:
        asked |= Role.PROSE | Role.EXAMPLE
    if query.wants_data:
        asked |= Role.DATA
    weighed: Floats = _tabulate_roles(int(asked), weights)[index.array(ROLES_KEY, "<u2")]
    return weighed


@lru_cache(maxsize=64)
def _tabulate_roles(asked: int, weights: Weights) -> Floats:
    """The weight of every combination of roles, but for those asked for."""
    table = np.zeros(2 * Role.OLD_VERSION, np.float32)
    roles = np.arange(len(table))
    for role in Role:
        if role.name and not role & asked:
            table += np.where(roles & role, np.float32(getattr(weights, role.name.lower())), 0)
    return table


def weigh_sizes(index: Index, weights: Weights) -> Floats:
    """A longer file answers more questions than its share of matching words tells."""
    table = np.arange(256, dtype=np.float32) * np.float32(weights.size / SIZE_STEP)
    weighed: Floats = table[index.array(SIZES_KEY, "u1")]
    return weighed


def pick_files(scores: Floats, relevance: Floats, count: int) -> Positions:
    """The best `count` files that anything speaks for, best first."""
    files = np.flatnonzero(relevance > 0)
    if len(files) > count:
        cut = len(files) - count
        files = files[np.argpartition(scores[files], cut)[cut:]]
    return files[np.argsort(-scores[files], kind="stable")]


def pick_chunk(evidence: Evidence, first: int, count: int) -> int:
    """The chunk of a file to show: the best one, where defining a named identifier counts most."""
    if count <= 1:
        return first
    scores = evidence.chunks[first : first + count]
    best = float(evidence.chunks.max()) or 1.0
    if evidence.definers:
        scores = scores / np.float32(best)
        for ids, bonus in evidence.definers:
            inside = ids[(ids >= first) & (ids < first + count)]
            scores[inside - first] += bonus
    return first + int(scores.argmax())


def further_chunks(
    index: Index, evidence: Evidence, shown: Sequence[tuple[int, int]]
) -> list[tuple[int, int]]:
    """Candidate chunks not shown yet, best first, as (slot, chunk id)."""
    candidates = evidence.candidates
    order = candidates[np.argsort(-evidence.chunks[candidates], kind="stable")]
    files = index.chunk_map(CHUNK_FILES_PREFIX, "<u4", order).tolist()
    seen = {chunk for _, chunk in shown}
    slots = {slot for slot, _ in shown}
    return [
        (slot, chunk)
        for slot, chunk in zip(files, order.tolist(), strict=True)
        if chunk not in seen and slot in slots
    ]


def match_terms(terms: Sequence[TermLists], chunks: Sequence[int]) -> list[tuple[str, ...]]:
    """For each chunk the words of the query that it has."""
    wanted = np.array(chunks, np.intp)
    rows: list[dict[str, None]] = [{} for _ in chunks]
    for lists in terms:
        for part in lists.chunk_lists:
            at = np.searchsorted(part.ids, wanted - part.base)
            at[at == len(part.ids)] = 0
            for position in np.flatnonzero(part.ids[at] == wanted - part.base).tolist():
                rows[position][lists.term.word] = None
    return [tuple(row) for row in rows]
