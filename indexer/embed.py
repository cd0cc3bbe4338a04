"""The vectors of a file and of its chunks, by the shipped table or by another model.

A chunk is embedded with the path it stands in. A file has one vector: half of what its path and the
names it defines say, half of all its text. On files whose names tell nothing the text carries it, on
large files the names do. Workers use the shipped table on the words they count; another model reads
the chunks themselves, many files at once, when all are parsed.
"""

import marshal
from collections.abc import Callable, Iterable, Iterator, Mapping, MutableMapping, Sequence
from typing import TYPE_CHECKING, Any

from agrama.indexer.words import FileWords

if TYPE_CHECKING:
    from agrama.graph.embedding import Vector
    from agrama.graph.transformer import Transformer

_PATH_COUNT = 2  # the path of a chunk counts as if its words stood there twice
_TEXTS_AT_ONCE = 512  # a model sorts them by length, and is told of progress between
_MOST_NAMES = 200  # of a file, more than a model reads


def embed_words(words: FileWords) -> dict[str, bytes]:
    """`chunk_vectors` (a row each) and `file_vector`; nothing when there is no embedding."""
    import numpy as np

    from agrama.graph.embedding import load_embedding, store_vectors

    embedding = load_embedding()
    if embedding is None:
        return {}
    path = dict.fromkeys(words.path, _PATH_COUNT)
    names = _sum((path, *(chunk.names for chunk in words.chunks)))
    text = _sum(chunk.body for chunk in words.chunks)
    bags = [_sum((path, chunk.body)) for chunk in words.chunks]
    *chunks, by_names, by_text = embedding.embed_bags([*bags, names, text])
    return {
        "chunk_vectors": store_vectors(chunks),
        "file_vector": store_vectors([(by_names + by_text) * np.float32(0.5)]),
    }


def embed_prepared(
    prepared: MutableMapping[str, Any],
    transformer: "Transformer",
    tell: Callable[[int], None],
) -> None:
    """Give prepared files (marshalled, by path) the vectors that a model makes of their text."""
    done = 0
    for paths in _group_files(prepared):
        rows = [marshal.loads(prepared[path]) for path in paths]  # noqa: S302  our own workers'
        cards = [_read_cards(path, row) for path, row in zip(paths, rows, strict=True)]
        vectors = transformer.embed_texts([text for card in cards for text in card])
        start = 0
        for path, row, card in zip(paths, rows, cards, strict=True):
            row.update(_join_vectors(vectors[start : start + len(card)]))
            prepared[path] = marshal.dumps(row)
            start += len(card)
        done += len(paths)
        tell(done)


def _group_files(prepared: Mapping[str, Any]) -> Iterator[list[str]]:
    """Paths in runs of some hundred chunks."""
    group: list[str] = []
    chunks = 0
    for path in prepared:
        group.append(path)
        chunks += len(marshal.loads(prepared[path])["chunks"])  # noqa: S302  our own workers'
        if chunks >= _TEXTS_AT_ONCE:
            yield group
            group, chunks = [], 0
    if group:
        yield group


def _read_cards(path: str, row: Mapping[str, Any]) -> list[str]:
    """What a model reads of a file: its path with the names it defines, then each chunk."""
    from agrama.graph.chunks import decode_chunk

    chunks = [decode_chunk(value) for value in row["chunks"]]
    names = dict.fromkeys(
        d.qualified for chunk in chunks for d in chunk.definitions if d.line >= chunk.start_line
    )
    card = f"{path}\n{' '.join(list(names)[:_MOST_NAMES])}"
    return [card, *(f"{path}\n{chunk.text}" for chunk in chunks)]


def _join_vectors(vectors: "Sequence[Vector]") -> dict[str, bytes]:
    import numpy as np

    from agrama.graph.embedding import store_vectors

    by_names, *chunks = vectors
    by_text = np.mean(chunks, axis=0)
    by_text /= max(float(np.linalg.norm(by_text)), 1e-9)
    return {
        "chunk_vectors": store_vectors(chunks),
        "file_vector": store_vectors([(by_names + by_text) * np.float32(0.5)]),
    }


def _sum(counts: Iterable[Mapping[str, int]]) -> dict[str, int]:
    total: dict[str, int] = {}
    known = total.get
    for words in counts:
        for word, count in words.items():
            total[word] = known(word, 0) + count
    return total
