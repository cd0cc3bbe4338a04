"""The vectors of a file and of its chunks, from the words already counted.

A chunk is embedded with the path it stands in. A file has one vector: half of what its path and the
names it defines say, half of all its text. On files whose names tell nothing the text carries it, on
large files the names do.
"""

from collections.abc import Iterable, Mapping

from agrama.indexer.words import FileWords

_PATH_COUNT = 2  # the path of a chunk counts as if its words stood there twice


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


def _sum(counts: Iterable[Mapping[str, int]]) -> dict[str, int]:
    total: dict[str, int] = {}
    known = total.get
    for words in counts:
        for word, count in words.items():
            total[word] = known(word, 0) + count
    return total
