"""What speaks for each file: small named steps over the postings, each giving one number per file slot.

Scores that have no natural scale (BM25F) are divided by the best of the query. docs/search.md says
what each step is worth. No step knows a repository.
"""

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from agrama.graph.bm25f import IMPACT_SCALE
from agrama.graph.filenames import match_paths, read_file_names
from agrama.graph.lists import TermLists, find_lists, read_many
from agrama.graph.maps import (
    CHUNK_FILES_PREFIX,
    CHUNK_KINDS_PREFIX,
    DEFINITION_POSTINGS,
    STEM_POSTINGS,
)
from agrama.graph.postings import BLOCK, BLOCK_BITS, read_posting, text_posting_key
from agrama.graph.query import ParsedQuery, QueryTerm
from agrama.graph.terms import hash_compound, hash_definition, stem_terms
from agrama.graph.view import (
    FileMask,
    Floats,
    Get,
    Index,
    Part,
    Positions,
    add_up,
    allow_candidates,
)

_CHUNK_CANDIDATES = 300
_CHUNK_THRESHOLD = (
    0.25  # of the best chunk; tighter ones change the answer, and zeros are most of all
)
_PER_FILE = 3
_MAX_TERMS = 32  # of a long text the rarest ones are kept
_BARE_NAME = 0.5
_MEMBERS = 3  # a dotted name may end in a class and its member
_MAX_NAMESAKES = 500
_FIRST_NAME = 1.0
_LATER_NAME = 0.4


class FoundTerm(NamedTuple):
    """A query term that the index knows, with its lists."""

    term: QueryTerm
    lists: TermLists


@dataclass(slots=True, eq=False, repr=False)
class Evidence:
    """What speaks for files, and the chunk scores it came from.

    By the name of its weight: `whole` holds one number per slot, `parts` numbers of few files, for
    each step that found anything.
    """

    whole: dict[str, Floats]
    parts: dict[str, Part]
    chunks: Floats
    candidates: Positions
    best_score: float  # of all chunks
    definers: list[tuple[Positions, float]]  # chunks that define a named identifier, with a bonus
    terms: list[FoundTerm]
    allowed: FileMask | None
    kinds: int


def gather_evidence(
    index: Index, query: ParsedQuery, allowed: FileMask | None, kinds: int
) -> Evidence:
    """Run every step. `allowed` masks files, `kinds` (a bit mask, 0 for all) masks chunks."""
    terms = look_up_terms(index, query.terms)
    chunks = score_chunks(index, terms)
    if allowed is not None or kinds:
        mask_chunks(index, chunks, allowed, kinds)
    candidates = pick_candidates(chunks)
    whole: dict[str, Floats] = {}
    parts: dict[str, Part] = {}
    if terms:
        whole["file"], whole["head"] = score_files(index, terms)
        if len(candidates):
            parts["best_chunk"], parts["top_chunks"] = fold_chunks(index, chunks, candidates)
        names = index.keep_by_paths("names", lambda: read_file_names(index.reader))
        texts = [term.text for term, _ in terms]
        worths = [lists.rarity * term.weight for term, lists in terms]
        parts.update(match_paths(index, names, texts, worths))
    found, definers = match_definitions(index, query.identifiers)
    said = {
        "defined": found,
        "compound": match_compounds(index, query.compounds),
        "named": match_named_files(index, query.paths),
        "module": match_modules(index, query.modules),
    }
    parts.update((name, part) for name, part in said.items() if part is not None)
    return Evidence(
        whole=whole,
        parts=parts,
        chunks=chunks,
        candidates=candidates,
        best_score=float(chunks[candidates].max()) if len(candidates) else 1.0,
        definers=definers,
        terms=terms,
        allowed=allow_candidates(index, candidates) if kinds else allowed,
        kinds=kinds,
    )


def look_up_terms(index: Index, terms: Sequence[QueryTerm]) -> list[FoundTerm]:
    """The terms that the index knows with their lists; of a long text only the rarest."""
    lists = find_lists(index, [term.text for term in terms])
    found = [
        FoundTerm(term, known)
        for term, known in zip(terms, lists, strict=True)
        if known is not None
    ]
    if len(found) > _MAX_TERMS:
        found.sort(key=lambda each: -each.lists.rarity * each.term.weight)
        del found[_MAX_TERMS:]
    return found


def score_chunks(index: Index, terms: Sequence[FoundTerm]) -> Floats:
    """BM25F of every chunk."""
    scores = np.zeros(index.chunk_end, np.float32)
    for term, lists in terms:
        add_weighted(scores, lists.chunks, lists.chunk_scores, term.weight)
    return scores


def add_weighted(scores: Floats, ids: Positions, values: Floats, weight: float) -> None:
    """Add weighted values at some ids; the words of most questions weigh 1."""
    np.add.at(scores, ids, values if weight == 1.0 else values * np.float32(weight))


def mask_chunks(index: Index, chunks: Floats, allowed: FileMask | None, kinds: int) -> None:
    """Forget the scores of chunks a filter excludes."""
    hit = (chunks != 0).nonzero()[0]
    if allowed is not None:
        files = index.chunk_map(CHUNK_FILES_PREFIX, "<u4", hit)
        chunks[hit[~allowed[files]]] = 0
    if kinds:
        masks = index.chunk_map(CHUNK_KINDS_PREFIX, "<u2", hit)
        chunks[hit[(masks & np.uint16(kinds)) == 0]] = 0


def pick_candidates(chunks: Floats) -> Positions:
    """The best chunks: a threshold first, because partitioning mostly zeros is slow."""
    best = float(chunks.max()) if len(chunks) else 0.0
    if best <= 0:
        return np.zeros(0, np.intp)
    candidates = (chunks > _CHUNK_THRESHOLD * best).nonzero()[0]
    if len(candidates) > _CHUNK_CANDIDATES:
        scores = chunks[candidates]
        cut = len(scores) - _CHUNK_CANDIDATES
        candidates = candidates[scores >= np.partition(scores, cut)[cut]]
    return candidates


def fold_chunks(index: Index, chunks: Floats, candidates: Positions) -> tuple[Part, Part]:
    """Per file: its best chunk, and the mean of its best three."""
    # The chunks of a file lie together, so candidates in order are grouped by file.
    files = index.chunk_map(CHUNK_FILES_PREFIX, "<u4", candidates)
    scores = chunks.take(candidates)
    first = begin_groups(files)
    best = np.maximum.reduceat(scores, first)
    slots = files.take(first).astype(np.intp)
    return Part(slots, scale(best)), Part(slots, scale(_sum_best(scores, first)))


def begin_groups(files: npt.NDArray[np.uint32]) -> Positions:
    """Where each run of equal files begins."""
    fresh = np.empty(len(files), np.bool_)
    fresh[0] = True
    np.not_equal(files[1:], files[:-1], out=fresh[1:])
    return fresh.nonzero()[0]


def _sum_best(scores: Floats, first: Positions) -> Floats:
    """The sum of the best three scores of each group."""
    counts = np.empty(len(first), np.intp)
    np.subtract(first[1:], first[:-1], out=counts[:-1])
    counts[-1] = len(scores) - first[-1]
    if counts.max() > _PER_FILE:
        # By group, and in it by falling score: a score is less than 1 of what the best has.
        groups = np.arange(len(first)).repeat(counts)
        order = (groups - scores / (2.0 * float(scores.max()))).argsort()
        places = np.arange(len(scores)) - first.take(groups)
        scores = scores.take(order)
        scores[places >= _PER_FILE] = 0
    total: Floats = np.add.reduceat(scores, first)
    return total


def scale(scores: Floats) -> Floats:
    """Divide by the best score."""
    best = scores.max() if len(scores) else 0
    if best > 0:
        scores /= best
    return scores


def score_files(index: Index, terms: Sequence[FoundTerm]) -> tuple[Floats, Floats]:
    """BM25F of every file, where a question's first words count most; and of its head comment."""
    file, head = np.zeros(index.slots, np.float32), np.zeros(index.slots, np.float32)
    for term, lists in terms:
        add_weighted(file, lists.files, lists.file_scores, term.weight * term.lead)
        if len(lists.heads):
            add_weighted(head, lists.heads, lists.head_scores, term.weight)
    return scale(file), scale(head)


def _read_stem(get: Get, slots: int, term: str) -> list[tuple[int, memoryview]]:
    """The lists of files whose own name or folder has a term, each with the first id of its block."""
    lists = []
    for block in range((slots + BLOCK - 1) >> BLOCK_BITS):
        value = get(text_posting_key(term, block))
        if value is not None:
            lists.append((block << BLOCK_BITS, value))
    return lists


def _make_part(scores: dict[int, float]) -> Part:
    return Part(np.array(list(scores), np.intp), np.array(list(scores.values()), np.float32))


def match_named_files(index: Index, paths: Sequence[str]) -> Part | None:
    """Files that the query names: all of their path counts 1, the file's name alone less."""
    scores: dict[int, float] = {}
    for path in paths:
        parts = [part for part in path.split("/") if part]
        best: dict[int, float] = {}
        for slot in _files_called(index, parts[-1]) or _files_called(index, "".join(parts[-2:-1])):
            own = index.path(slot).split("/")
            shared = 0
            while shared < min(len(own), len(parts)) and own[-1 - shared] == parts[-1 - shared]:
                shared += 1
            if shared:
                best[slot] = shared / len(own)
        most = max(best.values(), default=0.0)
        alike = sum(value == most for value in best.values())
        for slot, value in best.items():
            if value == most:
                score = (_BARE_NAME + (1 - _BARE_NAME) * value) / alike
                scores[slot] = max(scores.get(slot, 0.0), score)
    return _make_part(scores) if scores else None


def match_modules(index: Index, modules: Sequence[str]) -> Part | None:
    """Files that a dotted name of the query may name: `a.b.C` names a/b.py, wherever `a` lies."""
    scores: dict[int, float] = {}
    for module in modules:
        parts = module.split("/")
        for end in range(len(parts), max(1, len(parts) - _MEMBERS), -1):
            tail = "/" + "/".join(parts[:end])
            slots = [
                slot
                for slot in _files_called(index, parts[end - 1])
                if ("/" + index.path(slot)).rpartition(".")[0].endswith(tail)
            ]
            for slot in slots:
                scores[slot] = max(scores.get(slot, 0.0), 1 / len(slots))
            if slots:
                break
    return _make_part(scores) if scores else None


def _files_called(index: Index, name: str) -> list[int]:
    """Slots of files whose own name may be `name`: those with its rarest term."""
    get = index.reader.getter(STEM_POSTINGS)
    lists = [_read_stem(get, index.slots, term) for term in stem_terms(name)]
    shortest = min(lists, key=lambda rows: sum(len(value) for _, value in rows), default=[])
    slots = [base + at for base, value in shortest for at in read_posting(value, 1)[0].tolist()]
    return slots[:_MAX_NAMESAKES]


def match_definitions(
    index: Index, names: Sequence[str]
) -> tuple[Part | None, list[tuple[Positions, float]]]:
    """Files that define an identifier the query names; the more of them, the less each counts."""
    found: list[Part] = []
    definers: list[tuple[Positions, float]] = []
    for position, (ids, strength) in read_definers(index, map(hash_definition, names)):
        part = strongest_per_file(index, ids, strength)
        part.values[:] /= np.float32(math.sqrt(len(part.slots)) * len(names))
        found.append(part)
        definers.append((ids, _LATER_NAME if position else _FIRST_NAME))
    return _merge(index, found), definers


def match_compounds(index: Index, compounds: Sequence[str]) -> Part | None:
    """Files that define a name which neighbouring words of the query spell."""
    found: list[Part] = []
    for _, (ids, strength) in read_definers(index, map(hash_compound, compounds)):
        part = strongest_per_file(index, ids, strength)
        rarity = math.log(1 + index.files / len(part.slots)) / math.log(1 + index.files)
        part.values[:] *= np.float32(rarity)
        found.append(part)
    merged = _merge(index, found)
    return None if merged is None else Part(merged.slots, np.minimum(merged.values, 2))


def _merge(index: Index, parts: Sequence[Part]) -> Part | None:
    """The sum of some parts."""
    if len(parts) <= 1:
        return parts[0] if parts else None
    ids = np.concatenate([part.slots for part in parts])
    values = np.concatenate([part.values for part in parts])
    slots, summed = add_up(index, ids, values)
    return Part(slots, summed)


def read_definers(
    index: Index, keys: Iterable[int]
) -> Iterator[tuple[int, tuple[Positions, Floats]]]:
    """For each key of a name that is there, its place: the chunks that define it, and how strongly."""
    get = index.reader.getter(DEFINITION_POSTINGS)
    for position, (ids, (weights,)) in read_many(get, keys, index.chunk_end, 1):
        yield position, (ids, weights.astype(np.float32) / np.float32(IMPACT_SCALE))


def strongest_per_file(index: Index, ids: Positions, strength: Floats) -> Part:
    """The strongest of some chunks, which are in order, for each of their files."""
    files = index.chunk_map(CHUNK_FILES_PREFIX, "<u4", ids)
    first = begin_groups(files)
    return Part(files[first].astype(np.intp), np.maximum.reduceat(strength, first))
