"""Decisions found by what they mean, with the embedding the code is searched by.

Vectors are made when first asked for and kept per process: a decision's text never changes.
"""

from collections.abc import Iterable
from threading import Lock
from typing import TYPE_CHECKING

import orjson

from agrama.graph.ledger import Rows
from agrama.session.rows import number_key, read_number

if TYPE_CHECKING:
    from agrama.graph.embedding import Embedding, Vector

# Below this, likeness is chance: unrelated sentences reach 0.13, related ones about 0.3.
NEAR = 0.2


class Meanings:
    """The vectors of one repository's decisions."""

    def __init__(self) -> None:
        self._vectors: dict[int, Vector] = {}
        self._lock = Lock()

    def find_near(self, rows: Rows, query: str) -> dict[int, float]:
        """Likeness by decision number, of those near enough."""
        from agrama.graph.embedding import load_embedding

        embedding = load_embedding()
        if embedding is None:
            return {}
        question = embedding.embed_question(query)
        with self._lock:
            self._learn(rows, embedding)
            near = ((number, float(vector @ question)) for number, vector in self._vectors.items())
            return {number: likeness for number, likeness in near if likeness >= NEAR}

    def _learn(self, rows: Rows, embedding: "Embedding") -> None:
        known = max(self._vectors, default=0)
        for number, text in _texts_after(rows, known):
            self._vectors[number] = embedding.embed_question(text)


def _texts_after(rows: Rows, number: int) -> Iterable[tuple[int, str]]:
    for key, row in rows.scan("decisions", b"", number_key(number + 1)):
        record = orjson.loads(row)
        yield read_number(key), f"{record['decision']} {record['reasoning']}"
