"""The static code embedding: a text's vector is the weighted sum of its sub-words' vectors.

The table is trained by `benchmarks/embedding/` and shipped beside this file as int8; questions and code
share it but weigh sub-words differently. Vectors are unit length; a text without a known sub-word has
the zero vector, which is near nothing. docs/embedding.md is the model's card.
"""

import hashlib
import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import numpy as np
import numpy.typing as npt
import orjson

from agrama.graph.subwords import cut_subwords, cut_word

DIMENSIONS = 256
VECTOR_SCALE = 127
_TABLE = Path(__file__).with_name("embedding.npz")
_TINY = 1e-9
_BAGS_AT_ONCE = 64  # some 10 MB of rows
_MAX_QUESTION_WORDS = 60  # the beginning of a long text says what it is about

Vector = npt.NDArray[np.float32]
Stored = npt.NDArray[np.int8]


STATIC = "static"  # the name of the shipped model


@dataclass(frozen=True, slots=True)
class Model:
    """What made the vectors of an index: a model's name, the hash of its weights, a vector's length."""

    name: str
    digest: str
    dimensions: int

    def encode(self) -> bytes:
        return orjson.dumps((self.name, self.digest, self.dimensions))


@lru_cache(maxsize=16)
def decode_model(value: bytes) -> Model:
    return Model(*orjson.loads(value))


@dataclass(frozen=True, slots=True)
class Embedding:
    """The loaded table."""

    model: Model
    words: dict[str, int]
    table: npt.NDArray[np.int8]
    question_scale: Vector
    code_scale: Vector
    codebook: Vector  # centroids of the quantised index of such vectors

    def embed_question(self, text: str) -> Vector:
        """The unit vector of a question."""
        words = self.words
        known = [words[part] for part in cut_subwords(text)[:_MAX_QUESTION_WORDS] if part in words]
        if not known:
            return np.zeros(DIMENSIONS, np.float32)
        ids = np.array(known)
        return _unit(self.question_scale.take(ids) @ self.table.take(ids, 0).astype(np.float32))

    def embed_bags(self, bags: Sequence[Mapping[str, int]]) -> list[Vector]:
        """The unit vectors of texts given as word counts; repeated words count less each time."""
        vectors: list[Vector] = []
        for first in range(0, len(bags), _BAGS_AT_ONCE):
            vectors += self._embed_some(bags[first : first + _BAGS_AT_ONCE])
        return vectors

    def _embed_some(self, bags: Sequence[Mapping[str, int]]) -> list[Vector]:
        counted = [self._count(bag) for bag in bags]
        ids = np.array([number for counts in counted for number in counts], np.intp)
        if not len(ids):
            return [np.zeros(DIMENSIONS, np.float32) for _ in bags]
        often = np.array([n for counts in counted for n in counts.values()], np.float32)
        rows = self.table[ids].astype(np.float32)
        rows *= ((1 + np.log(often)) * self.code_scale[ids])[:, None]
        ends = np.cumsum([len(counts) for counts in counted]).tolist()
        starts = [0, *ends[:-1]]
        return [_unit(rows[a:b].sum(0)) for a, b in zip(starts, ends, strict=True)]

    def _count(self, bag: Mapping[str, int]) -> dict[int, int]:
        """How often each known sub-word occurs."""
        counts: dict[int, int] = {}
        known, number_of = counts.get, self.words.get
        for word, count in bag.items():
            for part in cut_word(word):
                number = number_of(part)
                if number is not None:
                    counts[number] = known(number, 0) + count
        return counts


def _unit(vector: Vector) -> Vector:
    return vector / np.float32(math.sqrt(vector @ vector) + _TINY)


@lru_cache(maxsize=1)
def load_embedding() -> Embedding | None:
    """The shipped table, read once per process; None where it is not installed."""
    if not _TABLE.exists():
        return None
    with np.load(_TABLE) as file:
        words = file["words"].tobytes().decode().split("\n")
        table, question, code = file["table"], file["question_scale"], file["code_scale"]
        codebook = file["codebook"]
    digest = hashlib.blake2b(table.tobytes(), digest_size=6).hexdigest()
    numbers = dict(zip(words, range(len(words)), strict=True))
    model = Model(STATIC, digest, DIMENSIONS)
    return Embedding(model, numbers, table, question, code, codebook)


def store_vectors(vectors: Iterable[Vector]) -> bytes:
    """Vectors as rows of int8."""
    rows = [np.rint(vector * VECTOR_SCALE).astype(np.int8) for vector in vectors]
    return b"".join(row.tobytes() for row in rows)
