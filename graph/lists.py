"""The posting lists of terms as arrays that are ready to be added up.

Making them takes as long as using them, and questions about one repository share most of their words:
so they are kept as long as the commit they are of, within a bound.
"""

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np

from agrama.graph.bm25f import IMPACT_SCALE, K1
from agrama.graph.maps import FILE_POSTINGS, POSTINGS
from agrama.graph.postings import BLOCK, BLOCK_BITS, Column, posting_key, read_posting
from agrama.graph.terms import hash_term
from agrama.graph.view import Floats, Get, Index, Positions

_IMPACT = (K1 + 1) / IMPACT_SCALE
_KEPT_BYTES = 24 << 20

Posting: TypeAlias = tuple[Positions, list[Column]]
"""Ids, ascending, and for each one byte per column."""


@dataclass(slots=True, eq=False, repr=False)  # frozen ones take three times as long to make
class TermLists:
    """Where a term stands: ids, and at each how much BM25F it gives, by how rare the term is."""

    chunks: Positions
    chunk_scores: Floats
    files: Positions
    file_scores: Floats
    heads: Positions  # those files whose head comment says it
    head_scores: Floats
    rarity: float  # among files

    def size_bytes(self) -> int:
        arrays = (self.chunks, self.files, self.heads)
        return sum(12 * len(array) for array in arrays)


class _Kept:
    """Lists by term; None for one that the index does not know."""

    __slots__ = ("lists", "size_bytes")

    def __init__(self) -> None:
        self.lists: dict[str, TermLists | None] = {}
        self.size_bytes = 0

    def add(self, term: str, lists: TermLists | None) -> None:
        if self.size_bytes > _KEPT_BYTES:
            self.lists.clear()
            self.size_bytes = 0
        self.lists[term] = lists
        self.size_bytes += 200 + (lists.size_bytes() if lists else 0)


def find_lists(index: Index, terms: Sequence[str]) -> list[TermLists | None]:
    """The lists of some terms."""
    kept = index.keep(TermLists, _Kept)
    known = kept.lists
    found = []
    for term in terms:
        if term not in known:
            kept.add(term, _make_lists(index, hash_term(term)))
        found.append(known.get(term))
    return found


def _make_lists(index: Index, key: int) -> TermLists | None:
    posting = read_lists(index.reader.getter(FILE_POSTINGS), key, index.slots, 2)
    if posting is None:
        return None
    files, (impacts, heads) = posting
    rarity = measure_rarity(index.files, len(files))
    told = heads.nonzero()[0]
    unit = np.float32(rarity * _IMPACT)
    posting = read_lists(index.reader.getter(POSTINGS), key, index.chunk_end, 1)
    chunks, (chunk_impacts,) = posting or (np.zeros(0, np.intp), [np.zeros(0, np.uint8)])
    chunk_unit = np.float32(measure_rarity(index.chunks, len(chunks)) * _IMPACT)
    return TermLists(
        chunks,
        chunk_impacts * chunk_unit,
        files,
        impacts * unit,
        files[told],
        heads[told] * unit,
        rarity,
    )


def read_lists(get: Get, key: int, end: int, columns: int) -> Posting | None:
    """The ids below `end` in the lists of one hash over all blocks, and their columns (maybe as views)."""
    if end <= BLOCK:
        value = get(posting_key(key, 0))
        if value is None:
            return None
        ids, read = read_posting(value, columns)
        # Indexes of its own type are a third quicker for numpy, their making included.
        return ids.astype(np.intp), read
    parts: list[Posting] = []
    for block in range((end + BLOCK - 1) >> BLOCK_BITS):
        value = get(posting_key(key, block))
        if value is not None:
            ids, read = read_posting(value, columns)
            parts.append((ids.astype(np.intp) + (block << BLOCK_BITS), read))
    if len(parts) <= 1:
        return parts[0] if parts else None
    joined = [np.concatenate(column) for column in zip(*(read for _, read in parts), strict=True)]
    return np.concatenate([ids for ids, _ in parts]), joined


def read_many(
    get: Get, hashes: Iterable[int], end: int, columns: int
) -> Iterator[tuple[int, Posting]]:
    """The same of several hashes; each that is there by its position among them."""
    if end > BLOCK:
        for position, key in enumerate(hashes):
            posting = read_lists(get, key, end, columns)
            if posting is not None:
                yield position, posting
        return
    for position, key in enumerate(
        hashes
    ):  # most are not there, and this is the quickest way to know
        value = get(posting_key(key, 0))
        if value is not None:
            ids, read = read_posting(value, columns)
            yield position, (ids.astype(np.intp), read)


def measure_rarity(documents: int, frequency: int) -> float:
    """BM25's inverse document frequency."""
    return math.log(1 + (documents - frequency + 0.5) / (frequency + 0.5))
