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

from agrama.graph.model import Kind
from agrama.graph.roles import Role, read_roles
from agrama.graph.snapshot import Snapshot
from agrama.graph.terms import STOP_WORDS, hash_term, split_word

if TYPE_CHECKING:
    from agrama.graph.chunks import ChunkDefinition, StoredChunk
    from agrama.graph.postings import Column
    from agrama.graph.view import Index, Positions

_SHORTEST_TERM = 3
_MAX_TERMS = 40
_COMPOUND = 2.0  # a whole compound tells more than its parts
_PIECES = 200  # of a diff; a mere name has fewer words, and needs fewer pieces
_PIECES_PER_TERM = 5
_TEST = int(Role.TEST)
_FUNCTIONS = frozenset((int(Kind.FUNCTION), int(Kind.METHOD)))
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
    snapshot: Snapshot, words: Sequence[str], symbols: Iterable[str]
) -> dict[str, Spoken]:
    """Tests that share words with a change: the words of its lines, the names of what it changes."""
    from agrama.graph import view

    index = view.require_index(snapshot.reader)
    terms = _look_up(index, _weigh_words(words, symbols))
    if not terms:
        return {}
    tests = _Tests(snapshot)
    most = _PIECES if words else _PIECES_PER_TERM * len(terms)
    for path, chunk in _read_pieces(index, terms, most):
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

    from agrama.graph.lists import measure_rarity, read_lists
    from agrama.graph.maps import CHUNK_FILES_PREFIX, POSTINGS, ROLES_KEY

    in_tests = (index.array(ROLES_KEY, "<u2") & np.uint16(Role.TEST)) != 0
    get = index.reader.getter(POSTINGS)
    found = []
    for text, count in asked.items():
        if len(text) < _SHORTEST_TERM or text in STOP_WORDS:
            continue
        posting = read_lists(get, hash_term(text), index.chunk_end, 1)
        if posting is None:
            continue
        ids, (impacts,) = posting
        kept = in_tests[index.chunk_map(CHUNK_FILES_PREFIX, "<u4", ids)]
        if kept.any():
            weight = measure_rarity(index.chunks, len(ids)) * (1 + log(count))
            found.append(_Term(text, weight, ids[kept], impacts[kept]))
    found.sort(key=lambda term: -term.weight)
    return found[:_MAX_TERMS]


def _read_pieces(
    index: "Index", terms: Sequence[_Term], most: int
) -> "Iterator[tuple[str, StoredChunk]]":
    """The most telling chunks of test files, in order of their places, with their paths."""
    import numpy as np

    from agrama.graph.maps import CHUNK_FILES_PREFIX
    from agrama.graph.search import read_chunks

    scores = np.zeros(index.chunk_end, np.float32)
    for term in terms:
        np.add.at(scores, term.ids, term.impacts * np.float32(term.weight))
    found = np.flatnonzero(scores)
    if len(found) > most:
        cut = len(found) - most
        found = found[np.argpartition(scores[found], cut)[cut:]]
    found = np.sort(found)
    slots = index.chunk_map(CHUNK_FILES_PREFIX, "<u4", found).tolist()
    paths = {slot: index.path(slot) for slot in set(slots)}
    chunks = read_chunks(index, list(zip(slots, found.tolist(), strict=True)), with_text=True)
    for slot, chunk in zip(slots, chunks, strict=True):
        yield paths[slot], chunk


class _Tests:
    """Texts gathered by the test they belong to; a function inside a test is part of it."""

    def __init__(self, snapshot: Snapshot) -> None:
        self._snapshot = snapshot
        self._outer: dict[str, bool] = {}
        self.texts: dict[str, str] = {}

    def add(self, path: str, chunk: "StoredChunk") -> None:
        """Give the lines of a chunk to the tests they are of."""
        lines = chunk.text.split("\n")
        starts = [_find_start(lines, each.line - chunk.start_line) for each in chunk.definitions]
        spans = pairwise([*starts, len(lines)])
        for each, (start, end) in zip(chunk.definitions, spans, strict=True):
            test = self._owner(path, each)
            if test is not None:
                text = "\n".join(lines[start:end])
                self.texts[test] = f"{self.texts[test]}\n{text}" if test in self.texts else text

    def _owner(self, path: str, definition: "ChunkDefinition") -> str | None:
        """The test that a definition in a test file is, or lies in."""
        *outer, name = definition.qualified.split(".")
        if _is_test_name(definition.kind, name):
            return f"{path}::{definition.qualified}"
        for depth in range(len(outer), 0, -1):
            if outer[depth - 1][:4].lower() == "test":
                test = f"{path}::{'.'.join(outer[:depth])}"
                if test not in self._outer:
                    symbol = self._snapshot.symbol(test)
                    self._outer[test] = bool(symbol and _is_test_name(symbol.kind, symbol.name))
                if self._outer[test]:
                    return test
        return None


def _find_start(lines: Sequence[str], at: int) -> int:
    """Where a definition begins: with its decorators and comments, which no blank line parts from it."""
    while at > 0 and lines[at - 1].strip():
        at -= 1
    return max(0, at)


def is_test_id(symbol_id: str, kind: int) -> bool:
    """Tell whether a symbol is something a test runner runs."""
    if kind == Kind.TEST:
        return True
    if kind not in _FUNCTIONS:
        return False
    path, _, inside = symbol_id.partition("::")
    # Of a flag's own `&` a hub's thousand neighbours are the most of the time.
    return _is_test_name(kind, inside.rpartition(".")[2]) and bool(int(read_roles(path)) & _TEST)


def _is_test_name(kind: int, name: str) -> bool:
    if kind in _FUNCTIONS:
        return name[:4].lower() == "test"
    return kind == Kind.TEST


def _score(texts: dict[str, str], weights: dict[str, float]) -> dict[str, Spoken]:
    usual = sum(map(len, texts.values())) / (len(texts) or 1)
    terms = list(weights.items())
    scores: dict[str, tuple[float, float]] = {}
    for test, text in texts.items():
        plain = text.replace("_", "").lower()
        fading = _SATURATION * (1 - _LENGTH_SHARE + _LENGTH_SHARE * len(text) / usual)
        said = 0.0
        for term, weight in terms:
            if term in plain:
                count = plain.count(term)
                said += weight * count / (count + fading)
        own = split_word(test.rpartition("::")[2].rpartition(".")[2])
        scores[test] = said, sum([weights[term] for term in set(own) if term in weights])
    best_text = max((said for said, _ in scores.values()), default=0.0) or 1.0
    best_name = max((named for _, named in scores.values()), default=0.0) or 1.0
    return {
        test: Spoken(said / best_text, named / best_name)
        for test, (said, named) in scores.items()
        if said or named
    }
