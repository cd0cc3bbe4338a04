"""Which model makes the vectors of an index, and its work when it is not the shipped one.

The workers make vectors with the shipped table as they parse. Another model is loaded once, in the
process that publishes, and only when there is something to embed.
"""

from collections.abc import MutableMapping
from functools import cached_property
from typing import TYPE_CHECKING, Any

import orjson

from agrama.graph import keys
from agrama.indexer.batch import Progress, Tell
from agrama.indexer.worker import ALL, WITHOUT_VECTORS

if TYPE_CHECKING:
    from agrama.graph.embedding import Model
    from agrama.graph.store import Store

SHIPPED = "static"


def read_model_name(store: "Store") -> str:
    """The model that an index was made with; the shipped one for a new index."""
    with store.read() as reader:
        value = reader.get(keys.META, keys.MODEL_KEY)
        return SHIPPED if value is None else str(orjson.loads(value)[0])


class Vectors:
    """The vectors of one repository, made by the model of a name."""

    def __init__(self, name: str) -> None:
        self._name = name

    @property
    def worker_mode(self) -> str:
        return ALL if self._name == SHIPPED else WITHOUT_VECTORS

    def version(self) -> bytes:
        """Changes with the model; the shipped one is part of the code."""
        return b"" if self._name == SHIPPED else f" {self._name} {self._digest}".encode()

    @cached_property
    def _digest(self) -> str:
        from agrama.graph.transformer import find_model, hash_model

        return hash_model(find_model(self._name))

    def make(self, prepared: MutableMapping[str, Any], tell: Tell, *, full: bool) -> "Model | None":
        """Embed what has no vectors yet; the model of a whole index."""
        if self._name == SHIPPED:
            from agrama.graph.embedding import load_embedding

            embedding = load_embedding()
            return None if embedding is None else embedding.model
        if not prepared and not full:
            return None
        from agrama.graph.transformer import load_model
        from agrama.indexer.embed import embed_prepared

        transformer = load_model(self._name)
        total = len(prepared)
        embed_prepared(prepared, transformer, lambda done: tell(Progress("embed", done, total)))
        return transformer.model
