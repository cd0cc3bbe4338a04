"""Which files are called what: the terms of file names and folders, and how much of them a query says.

The lists of all terms are small, and a query reads dozens of them (every term that begins with one of
its own), so they are copied out of the index whole. They follow from the paths alone.
"""

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from agrama.graph.maps import IN_PARENT, IN_STEM, STEM_COUNTS_KEY, STEM_POSTINGS
from agrama.graph.postings import read_posting, read_text_key
from agrama.graph.view import Floats, Index, Part, Positions, Reader, add_up

_PREFIX_MATCH = 0.8
_SHORTEST_PREFIX = 4
_MAX_EXTENSIONS = 64
_MAX_RELATED = 4_096
_LAST = chr(0x10FFFF)  # what begins with a text lies before the text and this
_FULL_COVER = 0.99
_MANY_TERMS = 16  # among more than so many, a name counts by the share it is of what is said


class _Lists(NamedTuple):
    """File slots by the number of a term: those of number n lie from `starts[n]` to `starts[n + 1]`."""

    starts: Positions
    slots: npt.NDArray[np.uint32]

    def of(self, numbers: Sequence[int]) -> tuple[Positions, Positions]:
        """The slots of some terms, one list after another, and how many each has."""
        chosen = np.array(numbers, np.intp)
        first = self.starts.take(chosen)
        counts = self.starts.take(chosen + 1) - first
        ends = counts.cumsum()
        at = np.arange(ends[-1]) + (first - ends + counts).repeat(counts)
        return self.slots.take(at).astype(np.intp), counts


class FileNames(NamedTuple):
    """The terms in order, their numbers, and the files whose own name or whose folder has each."""

    terms: list[str]
    numbers: dict[str, int]
    stems: _Lists
    parents: _Lists
    related: dict[str, list[int]]  # what was asked before, by `_relate`


def read_file_names(reader: Reader) -> FileNames:
    """Copy them out of the index."""
    numbers: dict[str, int] = {}
    owners, slots, places = [], [], []
    for key, value in reader.scan(STEM_POSTINGS):
        term, base = read_text_key(bytes(key))
        ids, (where,) = read_posting(value, 1)
        owners.append(np.full(len(ids), numbers.setdefault(term, len(numbers)), np.intp))
        slots.append(ids.astype(np.uint32) + np.uint32(base))
        places.append(where.copy())
    if not numbers:
        nothing = _Lists(np.zeros(1, np.intp), np.zeros(0, np.uint32))
        return FileNames([], {}, nothing, nothing, {})
    owner, slot = np.concatenate(owners), np.concatenate(slots)
    place = np.concatenate(places)

    def choose(flag: int) -> _Lists:
        chosen = (place & flag) != 0
        return _Lists(owner[chosen].searchsorted(np.arange(len(numbers) + 1)), slot[chosen])

    return FileNames(list(numbers), numbers, choose(IN_STEM), choose(IN_PARENT), {})


def match_paths(
    index: Index, names: FileNames, texts: Sequence[str], worths: Sequence[float]
) -> Iterator[tuple[str, Part]]:
    """How much of a file's own name the query says, whether all of it, and the same of its folder."""
    total = sum(worths) or 1.0
    said = {
        names.numbers[text]: worth
        for text, worth in zip(texts, worths, strict=True)
        if text in names.numbers
    }
    related = _match_beginnings(names, texts, worths)
    if not said and not related:
        return
    slots, counts = names.stems.of([*said, *related])
    if len(slots):
        shares = [1.0] * len(said) + [_PREFIX_MATCH] * len(related)
        gains = [*said.values(), *related.values()]
        columns = np.array((shares, gains), np.float32).repeat(counts, 1)
        slots, cover, gain = add_up(index, slots, *columns)
        yield from _weigh_stems(index, slots, cover, gain, total, len(texts))
    if said:
        slots, counts = names.parents.of(list(said))
        if len(slots):
            worth = np.array(list(said.values()), np.float32).repeat(counts)
            slots, parent = add_up(index, slots, worth)
            parent /= np.float32(total)
            yield "parent", Part(slots, parent)


def _weigh_stems(
    index: Index, slots: Positions, cover: Floats, gain: Floats, total: float, terms: int
) -> Iterator[tuple[str, Part]]:
    cover /= index.array(STEM_COUNTS_KEY, "u1").take(slots)
    if terms > _MANY_TERMS:
        cover *= np.minimum(1, gain * np.float32(_MANY_TERMS / total))
    yield "stem_cover", Part(slots, cover)
    whole = (cover >= _FULL_COVER).nonzero()[0]
    if len(whole):
        full: Floats = np.minimum(1, gain[whole] * np.float32(2 / total))
        yield "stem_full", Part(slots[whole], full)


def _match_beginnings(
    names: FileNames, texts: Sequence[str], worths: Sequence[float]
) -> dict[int, float]:
    """Numbers of terms that share a beginning with one of `texts`, which are left out themselves."""
    found: dict[int, float] = {}
    for text, worth in zip(texts, worths, strict=True):
        if len(text) >= _SHORTEST_PREFIX:
            for number in _relate(names, text):
                found.setdefault(number, _PREFIX_MATCH * worth)  # what an earlier word says stays
    for text in texts:
        found.pop(names.numbers.get(text, -1), None)
    return found


def _relate(names: FileNames, text: str) -> Sequence[int]:
    """Numbers of the terms that begin with a text, and of those it begins with."""
    known = names.related.get(text)
    if known is None:
        first = bisect_left(names.terms, text)
        last = bisect_left(names.terms, text + _LAST, first)
        beginnings = (text[:length] for length in range(_SHORTEST_PREFIX, len(text)))
        known = [
            *range(first, min(last, first + _MAX_EXTENSIONS)),
            *(names.numbers[part] for part in beginnings if part in names.numbers),
        ]
        if len(names.related) >= _MAX_RELATED:
            names.related.clear()
        names.related[text] = known
    return known
