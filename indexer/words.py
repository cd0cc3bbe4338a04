"""The words of a file, counted by field once, and what each term weighs in every chunk and in the file."""

from array import array
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from agrama.graph import bm25f
from agrama.graph.terms import WORD, hash_word
from agrama.indexer.outline import Outlined

Words = Mapping[str, int]

_HEAD_LINES = 120
_HEAD_COMMENTS = 40
_LONG_LINE = 2_000  # more is minified or encoded: no word in it is worth a posting


class Chunk(NamedTuple):
    """Some lines of a file, and the definitions whose names stand in them."""

    start_line: int
    end_line: int
    definitions: tuple[Outlined, ...]
    around: Outlined | None  # the definition that the first line is inside of
    text: str


class ChunkWords(NamedTuple):
    """The words of one chunk, by field; the body has the comments too."""

    names: Words
    comments: Words
    body: Words


class FileWords(NamedTuple):
    """The words of one file, by field."""

    path: Words
    head: Words
    chunks: tuple[ChunkWords, ...]


def count_words(
    path: str, lines: Sequence[str], chunks: Sequence[Chunk], comments: Sequence[bool]
) -> FileWords:
    """Count once what both the lexical index and the embedding are made of."""
    head = [line for line, mark in zip(lines[:_HEAD_LINES], comments, strict=False) if mark]
    rows = []
    for chunk in chunks:
        lined = range(chunk.start_line - 1, chunk.end_line)
        rows.append(
            ChunkWords(
                _count(d.name for d in chunk.definitions),
                _count(lines[i] for i in lined if comments[i]),
                _count(_without_long_lines(chunk.text)),
            )
        )
    stem = path.rpartition(".")[0] or path
    return FileWords(_count([stem]), _count(head[:_HEAD_COMMENTS]), tuple(rows))


def weigh_words(words: FileWords) -> dict[str, bytes]:
    """The impacts of every term on every chunk, and on the file."""
    path = _hash(words.path)
    names: dict[int, int] = {}
    comments: dict[int, int] = {}
    body: dict[int, int] = {}
    terms, ordinals, impacts = array("Q"), array("H"), bytearray()
    path_part: dict[int, float] = {}
    bm25f.add_field(path_part, path, bm25f.CHUNK_PATH)
    for ordinal, chunk in enumerate(words.chunks):
        frequencies = dict(path_part)
        for counted, total, field in (
            (chunk.names, names, bm25f.CHUNK_NAMES),
            (chunk.comments, comments, bm25f.CHUNK_COMMENTS),
            (chunk.body, body, bm25f.CHUNK_BODY),
        ):
            counts = _hash(counted)
            bm25f.add_field(frequencies, counts, field)
            _add_counts(total, counts)
        terms.extend(frequencies)
        ordinals.extend([ordinal] * len(frequencies))
        impacts.extend(map(bm25f.saturate, frequencies.values()))
    return {
        "chunk_terms": terms.tobytes(),
        "chunk_ordinals": ordinals.tobytes(),
        "chunk_impacts": bytes(impacts),
        **_weigh_file(path, names, comments, body, _hash(words.head)),
    }


def _weigh_file(
    path: Mapping[int, int],
    names: Mapping[int, int],
    comments: Mapping[int, int],
    body: Mapping[int, int],
    head: Mapping[int, int],
) -> dict[str, bytes]:
    """The impacts of every term on the file as a whole, and on its head comment."""
    frequencies: dict[int, float] = {}
    bm25f.add_field(frequencies, path, bm25f.FILE_PATH)
    bm25f.add_field(frequencies, names, bm25f.FILE_NAMES)
    bm25f.add_field(frequencies, comments, bm25f.FILE_COMMENTS)
    bm25f.add_field(frequencies, body, bm25f.FILE_BODY)
    heads: dict[int, float] = {}
    bm25f.add_field(heads, head, bm25f.FILE_HEAD)
    return {
        "file_terms": array("Q", frequencies).tobytes(),
        "file_impacts": bytes(map(bm25f.saturate, frequencies.values())),
        "head_impacts": bytes(bm25f.saturate(heads.get(term, 0.0)) for term in frequencies),
    }


def _count(texts: Iterable[str]) -> Words:
    words: Counter[str] = Counter()
    for text in texts:
        words.update(WORD.findall(text))
    return words


def _hash(words: Words) -> dict[int, int]:
    """How often each term occurs, by its hash."""
    counts: dict[int, int] = {}
    known = counts.get
    for word, count in words.items():
        for term in hash_word(word):
            counts[term] = known(term, 0) + count
    return counts


def _add_counts(total: dict[int, int], counts: Mapping[int, int]) -> None:
    known = total.get
    for term, count in counts.items():
        total[term] = known(term, 0) + count


def _without_long_lines(text: str) -> list[str]:
    if len(text) < _LONG_LINE:
        return [text]
    return [line for line in text.split("\n") if len(line) < _LONG_LINE]
