"""What speaks for each file: small named steps over the postings, each giving one number per file slot.

Scores that have no natural scale (BM25F) are divided by the best of the query. docs/search.md says
what each step is worth. No step knows a repository.
"""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from agrama.graph.bm25f import IMPACT_SCALE, K1
from agrama.graph.maps import (
    CHUNK_FILES_PREFIX,
    CHUNK_KINDS_PREFIX,
    DEFINITION_POSTINGS,
    FILE_POSTINGS,
    IN_PARENT,
    IN_STEM,
    POSTINGS,
    STEM_COUNTS_KEY,
    STEM_POSTINGS,
)
from agrama.graph.postings import (
    BLOCK,
    BLOCK_BITS,
    posting_key,
    read_posting,
    read_posting_text,
    text_posting_key,
)
from agrama.graph.query import ParsedQuery, QueryTerm
from agrama.graph.terms import hash_compound, hash_definition, hash_term, stem_terms
from agrama.graph.view import FileMask, Floats, Index, Positions, Reader, Seek, allow_candidates

_IMPACT = (K1 + 1) / IMPACT_SCALE
_CHUNK_CANDIDATES = 300
_CHUNK_THRESHOLD = (
    0.25  # of the best chunk; tighter ones change the answer, and zeros are most of all
)
_PER_FILE = 3
_MAX_TERMS = 32  # of a long text the rarest ones are kept
_PREFIX_MATCH = 0.8
_SHORTEST_PREFIX = 4
_MAX_EXTENSIONS = 64
_FULL_COVER = 0.99
_MANY_TERMS = 16  # among more than so many, a name counts by the share it is of what is said
_BARE_NAME = 0.5
_MEMBERS = 3  # a dotted name may end in a class and its member
_MAX_NAMESAKES = 500
_FIRST_NAME = 1.0
_LATER_NAME = 0.4
_NAME_BYTES = 3  # of a file in a list by name: its id and the places of the name


@dataclass(slots=True, eq=False, repr=False)  # frozen ones take three times as long to make
class Posting:
    """The list of a term in one block, beginning at id `base`."""

    base: int
    ids: npt.NDArray[np.uint16]
    columns: list[npt.NDArray[np.uint8]]


@dataclass(frozen=True, slots=True, repr=False)
class TermLists:
    """A query term with its lists and how rare it is among chunks and files."""

    term: QueryTerm
    chunk_lists: list[Posting]
    file_lists: list[Posting]
    chunk_rarity: float
    file_rarity: float


@dataclass(frozen=True, slots=True, repr=False)
class Evidence:
    """What speaks for files, and the chunk scores it came from.

    `parts` holds, by the name of its weight, one number per slot for each step that found anything.
    """

    parts: dict[str, Floats]
    chunks: Floats
    candidates: Positions
    best_score: float  # of all chunks
    definers: list[tuple[Positions, float]]  # chunks that define a named identifier, with a bonus
    terms: list[TermLists]
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
    parts: dict[str, Floats] = {}
    if terms:
        parts["best_chunk"], parts["top_chunks"] = fold_chunks(index, chunks, candidates)
        parts["file"], parts["head"] = score_files(index, terms)
        parts["stem_cover"], parts["stem_full"], parts["parent"] = match_paths(index, terms)
    found, definers = match_definitions(index, query.identifiers)
    said = {
        "defined": found,
        "compound": match_compounds(index, query.compounds),
        "named": match_named_files(index, query.paths),
        "module": match_modules(index, query.modules),
    }
    parts.update((name, part) for name, part in said.items() if part is not None)
    return Evidence(
        parts=parts,
        chunks=chunks,
        candidates=candidates,
        best_score=float(chunks[candidates].max()) if len(candidates) else 1.0,
        definers=definers,
        terms=terms,
        allowed=allow_candidates(index, candidates) if kinds else allowed,
        kinds=kinds,
    )


def look_up_terms(index: Index, terms: Sequence[QueryTerm]) -> list[TermLists]:
    """The lists of each term that the index knows; of a long text only the rarest terms."""
    found = []
    for term in terms:
        key = hash_term(term.text)
        file_lists = read_lists(index.reader, FILE_POSTINGS, key, index.slots, 2)
        if not file_lists:
            continue
        chunk_lists = read_lists(index.reader, POSTINGS, key, index.chunk_end, 1)
        found.append(
            TermLists(
                term,
                chunk_lists,
                file_lists,
                measure_rarity(index.chunks, chunk_lists),
                measure_rarity(index.files, file_lists),
            )
        )
    if len(found) > _MAX_TERMS:
        found.sort(key=lambda lists: -lists.file_rarity * lists.term.weight)
        del found[_MAX_TERMS:]
    return found


def read_lists(reader: Reader, database: str, key: int, end: int, columns: int) -> list[Posting]:
    """The lists of one hash over all blocks of ids below `end`."""
    lists = []
    for block in range((end + BLOCK - 1) >> BLOCK_BITS):
        value = reader.get(database, posting_key(key, block))
        if value is not None:
            lists.append(Posting(block << BLOCK_BITS, *read_posting(value, columns)))
    return lists


def measure_rarity(documents: int, lists: Sequence[Posting]) -> float:
    """BM25's inverse document frequency."""
    frequency = sum(len(part.ids) for part in lists)
    return math.log(1 + (documents - frequency + 0.5) / (frequency + 0.5))


def score_chunks(index: Index, terms: Sequence[TermLists]) -> Floats:
    """BM25F of every chunk."""
    scores = np.zeros(index.chunk_end, np.float32)
    for lists in terms:
        weight = np.float32(lists.chunk_rarity * lists.term.weight * _IMPACT)
        for part in lists.chunk_lists:
            np.add.at(scores[part.base : part.base + BLOCK], part.ids, part.columns[0] * weight)
    return scores


def mask_chunks(index: Index, chunks: Floats, allowed: FileMask | None, kinds: int) -> None:
    """Forget the scores of chunks a filter excludes."""
    hit = np.flatnonzero(chunks)
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
    candidates = np.flatnonzero(chunks > _CHUNK_THRESHOLD * best)
    if len(candidates) > _CHUNK_CANDIDATES:
        scores = chunks[candidates]
        cut = len(scores) - _CHUNK_CANDIDATES
        candidates = candidates[scores >= np.partition(scores, cut)[cut]]
    return candidates


def fold_chunks(index: Index, chunks: Floats, candidates: Positions) -> tuple[Floats, Floats]:
    """Per file: its best chunk, and the mean of its best three."""
    best, mean = np.zeros(index.slots, np.float32), np.zeros(index.slots, np.float32)
    if not len(candidates):
        return best, mean
    files = index.chunk_map(CHUNK_FILES_PREFIX, "<u4", candidates)
    scores = chunks[candidates]
    order = np.lexsort((-scores, files))
    files, scores = files[order], scores[order]
    fresh = np.empty(len(files), np.bool_)
    fresh[0] = True
    np.not_equal(files[1:], files[:-1], out=fresh[1:])
    first = np.flatnonzero(fresh)
    rank = np.arange(len(files)) - np.repeat(first, np.diff(np.append(first, len(files))))
    best[files[first]] = scores[first]
    mean[files[first]] = np.add.reduceat(np.where(rank < _PER_FILE, scores, 0), first) / _PER_FILE
    return scale(best), scale(mean)


def scale(scores: Floats) -> Floats:
    """Divide by the best score."""
    best = float(scores.max()) if len(scores) else 0.0
    if best > 0:
        scores /= np.float32(best)
    return scores


def score_files(index: Index, terms: Sequence[TermLists]) -> tuple[Floats, Floats]:
    """BM25F of every file, where a question's first words count most; and of its head comment."""
    file, head = np.zeros(index.slots, np.float32), np.zeros(index.slots, np.float32)
    for lists in terms:
        rarity = lists.file_rarity * lists.term.weight * _IMPACT
        for part in lists.file_lists:
            impacts, heads = part.columns
            np.add.at(
                file[part.base : part.base + BLOCK],
                part.ids,
                impacts * np.float32(rarity * lists.term.lead),
            )
            np.add.at(head[part.base : part.base + BLOCK], part.ids, heads * np.float32(rarity))
    return scale(file), scale(head)


def match_paths(index: Index, terms: Sequence[TermLists]) -> tuple[Floats, Floats, Floats]:
    """How much of a file's own name the query says, whether all of it, and the same of its folder."""
    cover, said, parent = (np.zeros(index.slots, np.float32) for _ in range(3))
    worths = [lists.file_rarity * lists.term.weight for lists in terms]
    total = sum(worths) or 1.0
    named = _match_names(index, [lists.term.text for lists in terms], worths)
    if named:
        ids, where, share, gain = _join_names(named)
        in_stem = (where & IN_STEM) != 0
        np.add.at(cover, ids[in_stem], share[in_stem])
        np.add.at(said, ids[in_stem], gain[in_stem])
        in_parent = ((where & IN_PARENT) != 0) & (share == 1)
        np.add.at(parent, ids[in_parent], gain[in_parent])
    cover /= index.array(STEM_COUNTS_KEY, "u1")
    if len(terms) > _MANY_TERMS:
        cover *= np.minimum(1, said * np.float32(_MANY_TERMS / total))
    full = np.minimum(1, said * np.float32(2 / total)) * (cover >= _FULL_COVER)
    parent /= np.float32(total)
    return cover, full, parent


class _Named(NamedTuple):
    """A stored list of files by name: the first id of its block, what a match covers and gains."""

    base: int
    value: memoryview
    share: float
    gain: float


def _match_names(index: Index, texts: Sequence[str], worths: Sequence[float]) -> list[_Named]:
    """Lists of files by name: of each term, then of terms that share a beginning with one of them."""
    named = [
        _Named(base, value, 1.0, worth)
        for text, worth in zip(texts, worths, strict=True)
        for base, value in _read_stem(index, text)
    ]
    matched = set(texts)
    seek = index.reader.seek(STEM_POSTINGS)
    for text, worth in zip(texts, worths, strict=True):
        gain = _PREFIX_MATCH * worth
        for related, value in find_related_stems(seek, text):
            if related in matched:
                continue
            matched.add(related)
            if index.slots <= BLOCK:
                named.append(_Named(0, value, _PREFIX_MATCH, gain))
            else:
                rows = _read_stem(index, related)
                named += [_Named(base, row, _PREFIX_MATCH, gain) for base, row in rows]
    return named


def _join_names(
    named: Sequence[_Named],
) -> tuple[Positions, npt.NDArray[np.uint8], Floats, Floats]:
    """Slots, places, shares and gains of all lists: joining bytes first is far quicker than arrays."""
    counts = [len(row.value) // _NAME_BYTES for row in named]
    pairs = list(zip(named, counts, strict=True))
    ids = np.frombuffer(b"".join([row.value[: 2 * count] for row, count in pairs]), "<u2")
    where = np.frombuffer(b"".join([row.value[2 * count :] for row, count in pairs]), np.uint8)
    rows = np.array([(row.base, row.share, row.gain) for row in named], np.float64)
    base, share, gain = np.repeat(rows, counts, axis=0).T
    slots = ids.astype(np.intp) + base.astype(np.intp)
    return slots, where, share.astype(np.float32), gain.astype(np.float32)


def _read_stem(index: Index, term: str) -> list[tuple[int, memoryview]]:
    """The lists of files whose own name or folder has a term, each with the first id of its block."""
    lists = []
    for block in range((index.slots + BLOCK - 1) >> BLOCK_BITS):
        value = index.reader.get(STEM_POSTINGS, text_posting_key(term, block))
        if value is not None:
            lists.append((block << BLOCK_BITS, value))
    return lists


def find_related_stems(seek: Seek, text: str) -> Iterator[tuple[str, memoryview]]:
    """Terms of file names that begin with a query term, or that it begins with."""
    if len(text) < _SHORTEST_PREFIX:
        return
    term = text.encode("utf-8", "replace")
    found = seek(term)
    for _ in range(_MAX_EXTENSIONS):
        if found is None or not found[0].startswith(term):
            break
        yield read_posting_text(found[0]), found[1]
        found = seek(found[0] + b"\0")
    yield from _find_prefixes(seek, term, len(text[:_SHORTEST_PREFIX].encode("utf-8", "replace")))


def _find_prefixes(seek: Seek, term: bytes, shortest: int) -> Iterator[tuple[str, memoryview]]:
    """Terms that a term begins with, shortest first; jumps over those that cannot be there."""
    length = shortest
    while length < len(term):
        found = seek(term[:length] + b"\0")
        if found is None:
            return
        stem = found[0].partition(b"\0")[0]
        shared = _count_shared(stem, term)
        if shared == len(stem) < len(term):
            yield stem.decode("utf-8"), found[1]
        elif shared < length or shared == len(term) or stem[shared] > term[shared]:
            return  # it lies behind every longer beginning of the term
        length = shared + 1


def _count_shared(first: bytes, second: bytes) -> int:
    """Length of the common beginning."""
    for at, (one, other) in enumerate(zip(first, second, strict=False)):
        if one != other:
            return at
    return min(len(first), len(second))


def match_named_files(index: Index, paths: Sequence[str]) -> Floats | None:
    """Files that the query names: all of their path counts 1, the file's name alone less."""
    if not paths:
        return None
    scores = np.zeros(index.slots, np.float32)
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
                scores[slot] = max(scores[slot], (_BARE_NAME + (1 - _BARE_NAME) * value) / alike)
    return scores


def match_modules(index: Index, modules: Sequence[str]) -> Floats | None:
    """Files that a dotted name of the query may name: `a.b.C` names a/b.py, wherever `a` lies."""
    if not modules:
        return None
    scores = np.zeros(index.slots, np.float32)
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
                scores[slot] = max(scores[slot], 1 / len(slots))
            if slots:
                break
    return scores


def _files_called(index: Index, name: str) -> list[int]:
    """Slots of files whose own name may be `name`: those with its rarest term."""
    lists = [_read_stem(index, term) for term in stem_terms(name)]
    shortest = min(lists, key=lambda rows: sum(len(value) for _, value in rows), default=[])
    slots = [base + at for base, value in shortest for at in read_posting(value, 1)[0].tolist()]
    return slots[:_MAX_NAMESAKES]


def match_definitions(
    index: Index, names: Sequence[str]
) -> tuple[Floats | None, list[tuple[Positions, float]]]:
    """Files that define an identifier the query names; the more of them, the less each counts."""
    scores: Floats | None = None
    definers: list[tuple[Positions, float]] = []
    for position, name in enumerate(names):
        ids, strength = read_definers(index, hash_definition(name))
        if not len(ids):
            continue
        files, best = strongest_per_file(index, ids, strength)
        if scores is None:
            scores = np.zeros(index.slots, np.float32)
        scores[files] += best / np.float32(math.sqrt(len(files)) * len(names))
        definers.append((ids, _LATER_NAME if position else _FIRST_NAME))
    return scores, definers


def match_compounds(index: Index, compounds: Sequence[str]) -> Floats | None:
    """Files that define a name which neighbouring words of the query spell."""
    scores: Floats | None = None
    for compound in compounds:
        ids, strength = read_definers(index, hash_compound(compound))
        if len(ids):
            files, best = strongest_per_file(index, ids, strength)
            if scores is None:
                scores = np.zeros(index.slots, np.float32)
            scores[files] += best * np.float32(
                math.log(1 + index.files / len(files)) / math.log(1 + index.files)
            )
    return None if scores is None else np.minimum(scores, 2)


def read_definers(index: Index, key: int) -> tuple[Positions, Floats]:
    """Chunks that define a name, and how strongly (a type more than a function)."""
    lists = read_lists(index.reader, DEFINITION_POSTINGS, key, index.chunk_end, 1)
    if not lists:
        return np.zeros(0, np.intp), np.zeros(0, np.float32)
    ids: Positions = np.concatenate([part.ids.astype(np.intp) + part.base for part in lists])
    weights = np.concatenate([part.columns[0] for part in lists])
    return ids, weights.astype(np.float32) / np.float32(IMPACT_SCALE)


def strongest_per_file(index: Index, ids: Positions, strength: Floats) -> tuple[Positions, Floats]:
    files = index.chunk_map(CHUNK_FILES_PREFIX, "<u4", ids)
    distinct, inverse = np.unique(files, return_inverse=True)
    best = np.zeros(len(distinct), np.float32)
    np.maximum.at(best, inverse, strength)
    return distinct, best
