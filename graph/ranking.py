"""Rank files by the weighted sum of their evidence, meaning, and roles, then choose a chunk in each.

The cosine of meaning is computed for candidates only: the best files by everything else, and those
nearest to the question. A file that shares no word with the question can so be found, if it is near.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from operator import attrgetter

import numpy as np

from agrama.graph import keys
from agrama.graph.embedding import Vector
from agrama.graph.evidence import Evidence, FoundTerm
from agrama.graph.maps import (
    CHUNK_FILES_PREFIX,
    CHUNK_KINDS_PREFIX,
    NODES_KEY,
    ROLES_KEY,
    SIZE_STEP,
    SIZES_KEY,
)
from agrama.graph.meaning import find_near_files, score_files, score_runs
from agrama.graph.proximity import score_proximity
from agrama.graph.query import ParsedQuery
from agrama.graph.roles import Role
from agrama.graph.uses import USERS_STEP
from agrama.graph.view import Floats, Index, Positions

_CANDIDATES = 150
_NEAREST = 100
_NEAR = 0.35  # a cosine below that is chance
_CHUNK_MEANING = 0.5
_SEEDS = 5
_NEIGHBOUR = 0.2

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
    "module",
)


@dataclass(frozen=True, slots=True)
class Weights:
    """What one unit of each evidence is worth. Fitted leaving one repository out, then rounded."""

    best_chunk: float = 1.2
    top_chunks: float = 1.85
    file: float = 0.7
    head: float = 0.4
    stem_cover: float = 2.1
    stem_full: float = 1.0
    parent: float = 0.9
    defined: float = 1.75
    compound: float = 0.7
    named: float = 4.0
    module: float = 1.2
    semantic: float = 6.2
    graph: float = 1.5
    test: float = -1.8
    example: float = -0.4
    legacy: float = -0.5
    entry: float = 0.65
    generated: float = -0.3
    prose: float = -0.7
    data: float = -0.4
    old_version: float = -1.5
    foreign: float = (
        -2.0
    )  # a rule, not fitted: too few repositories have such twins to learn it from
    declares: float = -0.6  # likewise
    expand: bool = False  # whether neighbours are found that nothing else speaks for
    size: float = 0.3  # per natural logarithm of the number of chunks
    users: float = 0.55  # per natural logarithm of the number of files that use it
    report_users: float = 0.3  # the same for a report: what it complains of is no hub as often

    def best_possible(self) -> float:
        """What a file would score that has all the evidence there is."""
        return self.entry + self.semantic + float(sum(_evidence_of(self)))


_evidence_of = attrgetter(*EVIDENCE)
DEFAULT_WEIGHTS = Weights()
_MODES = {  # what a mode makes of the lexical, the semantic and the graph part
    "keyword": (1.0, 0.0, 1.0),
    "concept": (0.4, 2.0, 1.0),
    "dependency": (1.0, 1.0, 2.0),
}


def weigh_mode(mode: str, parts: Mapping[str, float] | None) -> Weights:
    """The weights of a mode; `parts` multiplies the lexical, semantic and graph part of them."""
    factors = dict(
        zip(("lexical", "semantic", "graph"), _MODES.get(mode, (1.0, 1.0, 1.0)), strict=True)
    )
    for name, factor in (parts or {}).items():
        factors[name] = factors.get(name, 1.0) * factor
    if all(factor == 1.0 for factor in factors.values()):
        return DEFAULT_WEIGHTS
    changes = {name: factors["lexical"] * getattr(DEFAULT_WEIGHTS, name) for name in EVIDENCE}
    return replace(
        DEFAULT_WEIGHTS,
        semantic=factors["semantic"] * DEFAULT_WEIGHTS.semantic,
        graph=factors["graph"] * DEFAULT_WEIGHTS.graph,
        expand=mode == "dependency",
        **changes,
    )


@dataclass(slots=True, eq=False, repr=False)
class Ranking:
    """Scores by slot. `found` are the files that anything speaks for, in no order."""

    scores: Floats
    lexical: Floats
    semantic: Floats | None
    graph: Floats | None
    found: Positions


def rank_files(
    index: Index,
    evidence: Evidence,
    query: ParsedQuery,
    question: Vector | None,
    weights: Weights,
) -> Ranking:
    """Weigh everything that is known of each file."""
    lexical = np.zeros(index.slots, np.float32)
    for name, scored in evidence.whole.items():
        lexical += scored * np.float32(getattr(weights, name))
    for name, (slots, values) in evidence.parts.items():
        lexical[slots] += values * np.float32(getattr(weights, name))
    allowed = evidence.allowed
    if allowed is not None:
        lexical[~allowed] = 0
    scores = lexical + weigh_files(index, query, weights)
    found = (lexical > 0).nonzero()[0]
    if question is None or not weights.semantic:
        return Ranking(scores, lexical, None, None, found)
    near = find_near_files(index, question, _NEAREST)
    if allowed is not None:
        near = near[allowed[near]]
    # A slot that stands twice in an index array is still assigned once.
    candidates = np.concatenate((near, _best(scores, found, _CANDIDATES)))
    cosines = score_files(index, question, candidates)
    semantic = np.zeros(index.slots, np.float32)
    semantic[candidates] = cosines
    scores[candidates] = scores.take(candidates) + np.float32(weights.semantic) * cosines
    by_meaning = near[(cosines[: len(near)] >= _NEAR) & (lexical.take(near) <= 0)]
    if len(by_meaning):
        found = np.concatenate((found, by_meaning))
    return Ranking(scores, lexical, semantic, None, found)


def add_context(
    index: Index, ranking: Ranking, evidence: Evidence, files: Mapping[int, float], weights: Weights
) -> Ranking:
    """The ranking with what is near some files (by node, weighted) in the graph counted in."""
    near = score_proximity(index, files)
    if near is None:
        return ranking
    if evidence.allowed is not None:
        near = np.where(evidence.allowed, near, np.float32(0))
    scores = ranking.scores + np.float32(weights.graph) * near
    found = ranking.found
    if weights.expand:
        found = np.union1d(found, np.flatnonzero(near >= _NEIGHBOUR))
    return replace(ranking, scores=scores, graph=near, found=found)


def pick_seeds(index: Index, ranking: Ranking) -> dict[int, float]:
    """Nodes of the strongest files, with falling weights, to look around from."""
    nodes = index.array(NODES_KEY, "<u4")
    slots = pick_files(index, ranking, _SEEDS)
    return {int(nodes[slot]): 1 / (1 + rank) for rank, slot in enumerate(slots)}


def _best(scores: Floats, files: Positions, count: int) -> Positions:
    """The `count` best of some files and whatever equals the last of them, in no order."""
    if len(files) <= count:
        return files
    values = scores.take(files)
    cut = len(files) - count
    best: Positions = files[values >= np.partition(values, cut)[cut]]
    return best


def weigh_files(index: Index, query: ParsedQuery, weights: Weights) -> Floats:
    """What speaks for a file whatever is asked, but for the roles that a query asks for."""
    asked, per_user = _ask_roles(query), weights.report_users if query.report else weights.users

    def weigh() -> Floats:
        roles: Floats = _tabulate_roles(int(asked), weights)[index.array(ROLES_KEY, "<u2")]
        return roles + weigh_sizes(index, weights) + weigh_users(index, per_user)

    # Only the fitted weights come again and again; there are few sets of roles to ask for.
    return index.keep((asked, per_user), weigh) if weights is DEFAULT_WEIGHTS else weigh()


def _ask_roles(query: ParsedQuery) -> Role:
    """The roles a query asks for: they do not count against a file."""
    asked = Role(0)
    if query.wants_tests:
        asked |= Role.TEST
    if query.wants_prose:
        asked |= Role.PROSE | Role.EXAMPLE
    if query.wants_data:
        asked |= Role.DATA
    if query.wants_platform:
        asked |= Role.FOREIGN
    if query.wants_old:
        asked |= Role.LEGACY | Role.OLD_VERSION
    return asked


@lru_cache(maxsize=64)
def _tabulate_roles(asked: int, weights: Weights) -> Floats:
    """The weight of every combination of roles, but for those asked for."""
    table = np.zeros(2 * max(Role), np.float32)
    roles = np.arange(len(table))
    for role in Role:
        if role.name and not role & asked:
            table += np.where(roles & role, np.float32(getattr(weights, role.name.lower())), 0)
    return table


def weigh_sizes(index: Index, weights: Weights) -> Floats:
    """A longer file answers more questions than its share of matching words tells."""
    weighed: Floats = _tabulate_sizes(weights.size)[index.array(SIZES_KEY, "u1")]
    return weighed


@lru_cache(maxsize=64)
def _tabulate_sizes(weight: float) -> Floats:
    """The weight of every stored size."""
    return np.arange(256, dtype=np.float32) * np.float32(weight / SIZE_STEP)


def weigh_users(index: Index, weight: float) -> Floats:
    """What many other files use is what a question is more likely to be about."""
    table = _tabulate_users(weight)
    value = index.reader.get(keys.SCORES, keys.USERS_KEY)
    users = np.frombuffer(value or b"\0", np.uint8)
    # Freed slots and files younger than the counts lie behind the end, where a 0 stands.
    weighed: Floats = table[users.take(index.array(NODES_KEY, "<u4"), mode="clip")]
    return weighed


@lru_cache(maxsize=64)
def _tabulate_users(weight: float) -> Floats:
    """The weight of every stored count."""
    return np.arange(256, dtype=np.float32) * np.float32(weight / USERS_STEP)


def pick_files(index: Index, ranking: Ranking, count: int) -> list[int]:
    """The slots of the best `count` files, best first; equals by path, as slots tell an index's history."""
    scores = ranking.scores
    files = _best(scores, ranking.found, count)
    values = scores.take(files)
    ranks = (-values).argsort(kind="stable")
    files, values = files.take(ranks), values.take(ranks)
    order: list[int] = files.tolist()
    if (values[1:] == values[:-1]).any():
        order.sort(key=lambda slot: (-scores[slot], index.path(slot)))
    return order[:count]


def pick_chunks(
    index: Index, evidence: Evidence, question: Vector | None, slots: Sequence[int]
) -> list[int]:
    """The chunk of each file to show: by words and meaning, where defining a named identifier counts most."""
    if not slots:
        return []
    spans = index.spans().take(slots, 0).astype(np.intp)
    firsts, counts = spans[:, 0], spans[:, 1]
    ends = counts.cumsum()
    # The ids of all their chunks, file after file: scored together, then the best of each run.
    ids = np.arange(ends[-1]) + (firsts - ends + counts).repeat(counts)
    runs = list(zip(firsts.tolist(), counts.tolist(), ends.tolist(), strict=True))
    scores = evidence.chunks.take(ids) * np.float32(1 / evidence.best_score)
    if question is not None:
        sizes = [count for _, count, _ in runs]
        scores += score_runs(index, question, slots, sizes) * np.float32(_CHUNK_MEANING)
    if evidence.kinds:
        masks = index.chunk_map(CHUNK_KINDS_PREFIX, "<u2", ids)
        scores[(masks & np.uint16(evidence.kinds)) == 0] = -1
    for definers, bonus in evidence.definers:
        ordered = np.sort(definers)  # by file they are, but not always within one
        scores[ordered.take(ordered.searchsorted(ids), mode="clip") == ids] += bonus
    return [
        first + int(scores[end - count : end].argmax()) if count > 1 else first
        for first, count, end in runs
    ]


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


def match_terms(terms: Sequence[FoundTerm], chunks: Sequence[int]) -> list[tuple[str, ...]]:
    """For each chunk the words of the query that it has."""
    rows: list[dict[str, None]] = [{} for _ in chunks]
    wanted = np.array(chunks, np.intp)
    for term, lists in terms:
        ids, word = lists.chunks, term.word
        if not len(ids):
            continue
        same = ids.take(ids.searchsorted(wanted), mode="clip") == wanted
        for position in same.nonzero()[0].tolist():
            rows[position][word] = None
    return [tuple(row) for row in rows]
