"""Which tests speak of what a change speaks of: by the words of each test alone.

Search ranks files and shows one piece of each; a test file holds hundreds of tests. So the postings
choose the pieces of test files worth reading, and each test in them is then scored by its own text
and by its own name. Terms are counted as parts of the text without underscores: a stem is found in
all its forms, a compound however it is written.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from math import log
from typing import TYPE_CHECKING, NamedTuple

from agrama.errors import NotIndexedError
from agrama.graph.model import Kind
from agrama.graph.roles import Role, read_roles
from agrama.graph.snapshot import Snapshot
from agrama.graph.terms import STOP_WORDS, hash_term, split_word

if TYPE_CHECKING:
    from agrama.graph.chunks import StoredChunk
    from agrama.graph.postings import Column
    from agrama.graph.view import Index, Positions

_SHORTEST_TERM = 3
_MAX_TERMS = 40
_COMPOUND = 2.0  # a whole compound tells more than its parts
_PIECES = (
    200  # of a diff; one that only names a symbol has fewer words, and fewer pieces to choose from
)
_PIECES_PER_TERM = 12
_SATURATION = 1.2
_LENGTH_SHARE = 0.5
# Words of languages rather than of programs: in a diff they say nothing.
_KEYWORDS = frozenset(
    """and any assert async await bool boolean break case catch class const continue def default del do
    elif else end enum except export extends false final finally float fn for from func function global
    if impl import in int interface is lambda let list match mut new nil none not null object or package
    pass private protected pub public raise return self static str string struct super switch test this
    throw throws trait true try tuple type typing union use var void while with yield""".split()
)


class _Term(NamedTuple):
    """A term, how much it tells, and the chunks of test files that have it with its impact on each."""

    text: str
    weight: float
    ids: "Positions"
    impacts: "Column"


class Spoken(NamedTuple):
    """How much a test says of a change: in its text, and in its own name; the best has 1."""

    text: float
    name: float


def find_spoken(
    snapshot: Snapshot, words: Iterable[str], symbols: Iterable[str]
) -> dict[str, Spoken]:
    """Tests that share words with a change: the words of its lines, the names of what it changes."""
    from agrama.graph import view

    index = view.open_index(snapshot.reader)
    if index is None:
        raise NotIndexedError(
            "this index has no search data: run `agrama index` without --graph-only"
        )
    terms = _look_up(index, _weigh_words(words, symbols))
    if not terms:
        return {}
    tests = _Tests(snapshot)
    for path, chunk in _read_pieces(index, terms):
        tests.add(path, chunk)
    return _score(tests.texts, {term.text: term.weight for term in terms})


def _weigh_words(words: Iterable[str], symbols: Iterable[str]) -> dict[str, float]:
    """Terms with how often they are said, compounds counting more."""
    counts: Counter[str] = Counter(words)
    for name in symbols:
        counts.update(name.partition("::")[2].split("."))
    asked: dict[str, float] = {}
    for word, count in counts.items():
        if word.lower() in _KEYWORDS:
            continue
        *parts, last = split_word(word) or ("",)
        for term in parts:
            asked[term] = asked.get(term, 0.0) + count
        asked[last] = asked.get(last, 0.0) + count * (_COMPOUND if parts else 1.0)
    return asked


def _look_up(index: "Index", asked: dict[str, float]) -> list[_Term]:
    """The terms that tests have, those that tell most; how rare they are counts among all code."""
    import numpy as np

    from agrama.graph.evidence import measure_rarity, read_lists
    from agrama.graph.maps import CHUNK_FILES_PREFIX, POSTINGS, ROLES_KEY

    in_tests = (index.array(ROLES_KEY, "<u2") & np.uint16(Role.TEST)) != 0
    found = []
    for text, count in asked.items():
        if len(text) < _SHORTEST_TERM or text in STOP_WORDS:
            continue
        for part in read_lists(index.reader, POSTINGS, hash_term(text), index.chunk_end, 1):
            ids = part.ids + np.intp(part.base)
            kept = in_tests[index.chunk_map(CHUNK_FILES_PREFIX, "<u4", ids)]
            if kept.any():
                weight = measure_rarity(index.chunks, [part]) * (1 + log(count))
                found.append(_Term(text, weight, ids[kept], part.columns[0][kept]))
    found.sort(key=lambda term: -term.weight)
    return found[:_MAX_TERMS]


def _read_pieces(index: "Index", terms: Sequence[_Term]) -> "Iterator[tuple[str, StoredChunk]]":
    """The most telling chunks of test files, in order of their places, with their paths."""
    import numpy as np

    from agrama.graph.maps import CHUNK_FILES_PREFIX
    from agrama.graph.search import read_chunk

    scores = np.zeros(index.chunk_end, np.float32)
    for term in terms:
        np.add.at(scores, term.ids, term.impacts * np.float32(term.weight))
    found = np.flatnonzero(scores)
    most = min(_PIECES, _PIECES_PER_TERM * len(terms))
    if len(found) > most:
        cut = len(found) - most
        found = found[np.argpartition(scores[found], cut)[cut:]]
    found = np.sort(found)
    slots = index.chunk_map(CHUNK_FILES_PREFIX, "<u4", found).tolist()
    paths = {slot: index.path(slot) for slot in set(slots)}
    for slot, chunk_id in zip(slots, found.tolist(), strict=True):
        yield paths[slot], read_chunk(index, slot, chunk_id, with_text=True)


class _Tests:
    """Texts gathered by the test they belong to; a function inside a test is part of it."""

    def __init__(self, snapshot: Snapshot) -> None:
        self._snapshot = snapshot
        self._known: dict[str, tuple[str | None, int]] = {}
        self.texts: dict[str, str] = {}

    def add(self, path: str, chunk: "StoredChunk") -> None:
        """Give the lines of a chunk to the tests they are of, decorators with what they decorate."""
        lines = chunk.text.split("\n")
        owners = [self._owner(f"{path}::{each.qualified}") for each in chunk.definitions]
        starts = [max(0, first - chunk.start_line) for _, first in owners]
        spans = pairwise([*starts, len(lines)])
        for (test, _), (start, end) in zip(owners, spans, strict=True):
            if test is not None:
                text = "\n".join(lines[start:end])
                self.texts[test] = f"{self.texts[test]}\n{text}" if test in self.texts else text

    def _owner(self, symbol_id: str) -> tuple[str | None, int]:
        """The test that is or holds a symbol, and the symbol's first line."""
        known = self._known.get(symbol_id)
        if known is None:
            symbol = self._snapshot.symbol(symbol_id)
            first = symbol.body_line if symbol else 0
            test: str | None = symbol_id
            if symbol is None or not is_test_symbol(symbol.kind, symbol.name, symbol.path):
                outer, _, last = symbol_id.rpartition(".")
                test = self._owner(outer)[0] if "::" in outer and "/" not in last else None
            known = self._known[symbol_id] = test, first
        return known


def is_test_symbol(kind: Kind, name: str, path: str | None) -> bool:
    """Tell whether a symbol is something a test runner runs."""
    if kind is Kind.TEST:
        return True
    if kind not in (Kind.FUNCTION, Kind.METHOD) or not path:
        return False
    return name[:4].lower() == "test" and bool(read_roles(path) & Role.TEST)


def _score(texts: dict[str, str], weights: dict[str, float]) -> dict[str, Spoken]:
    usual = sum(map(len, texts.values())) / (len(texts) or 1)
    scores: dict[str, tuple[float, float]] = {}
    for test, text in texts.items():
        plain = text.replace("_", "").lower()
        fading = _SATURATION * (1 - _LENGTH_SHARE + _LENGTH_SHARE * len(text) / usual)
        said = 0.0
        for term, weight in weights.items():
            count = plain.count(term)
            if count:
                said += weight * count / (count + fading)
        own = split_word(test.rpartition("::")[2].rpartition(".")[2])
        scores[test] = said, sum(weights.get(term, 0.0) for term in set(own))
    best_text = max((said for said, _ in scores.values()), default=0.0) or 1.0
    best_name = max((named for _, named in scores.values()), default=0.0) or 1.0
    return {
        test: Spoken(said / best_text, named / best_name)
        for test, (said, named) in scores.items()
        if said or named
    }
