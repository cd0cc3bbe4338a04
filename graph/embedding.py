"""The static code embedding: a text's vector is the weighted sum of its sub-words' vectors.

The table is trained by `benchmarks/embedding/` and shipped beside this file as int8; questions and code
share it but weigh sub-words differently. Vectors are unit length; a text without a known sub-word has
the zero vector, which is near nothing. docs/embedding.md is the model's card.
"""

import hashlib
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import numpy as np
import numpy.typing as npt

from agrama.graph.subwords import cut_subwords

DIMENSIONS = 256
VECTOR_SCALE = 127
_TABLE = Path(__file__).with_name("embedding.npz")
_TINY = 1e-9
_MAX_QUESTION_WORDS = 300

Vector = npt.NDArray[np.float32]
Stored = npt.NDArray[np.int8]


@dataclass(frozen=True, slots=True)
class Embedding:
    """A loaded table. `model` names it in indexes: another table means other vectors."""

    model: str
    words: dict[str, int]
    table: npt.NDArray[np.int8]
    question_scale: Vector
    code_scale: Vector

    def embed_question(self, text: str) -> Vector:
        """The unit vector of a question."""
        words = self.words
        ids = [words[part] for part in cut_subwords(text)[:_MAX_QUESTION_WORDS] if part in words]
        if not ids:
            return np.zeros(DIMENSIONS, np.float32)
        return _unit(self.question_scale[ids] @ self.table[ids].astype(np.float32))

    def embed_code(self, text: str) -> Vector:
        """The unit vector of code or of what describes it; repeated words count less each time."""
        words = self.words
        counts = Counter(words[part] for part in cut_subwords(text) if part in words)
        if not counts:
            return np.zeros(DIMENSIONS, np.float32)
        ids = np.fromiter(counts, np.intp, len(counts))
        often = 1 + np.log(np.fromiter(counts.values(), np.float32, len(counts)))
        return _unit((often * self.code_scale[ids]) @ self.table[ids].astype(np.float32))


def _unit(vector: Vector) -> Vector:
    return vector / np.float32(np.sqrt(vector @ vector) + _TINY)


@lru_cache(maxsize=1)
def load_embedding() -> Embedding | None:
    """The shipped table, read once per process; None where it is not installed."""
    if not _TABLE.exists():
        return None
    with np.load(_TABLE) as file:
        words = file["words"].tobytes().decode().split("\n")
        table, question, code = file["table"], file["question_scale"], file["code_scale"]
    digest = hashlib.blake2b(table.tobytes(), digest_size=6).hexdigest()
    return Embedding(
        f"static-{digest}", dict(zip(words, range(len(words)), strict=True)), table, question, code
    )


def store_vectors(vectors: Iterable[Vector]) -> bytes:
    """Vectors as rows of int8."""
    rows = [np.rint(vector * VECTOR_SCALE).astype(np.int8) for vector in vectors]
    return b"".join(row.tobytes() for row in rows)
