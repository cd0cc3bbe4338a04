"""Any sentence-transformers model in place of the shipped table; the only module that loads one.

The library is the extra `agrama[models]`, imported when the first text is embedded: that takes seconds
and hundreds of megabytes, and so does every question milliseconds. An index that was made with such a
model names it, with the hash of its files, and is searched with it.
"""

import hashlib
import importlib.util
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np

from agrama.errors import ToolError
from agrama.graph.embedding import Model, Vector

EXTRA = "pip install 'agrama[models]'"
_MARK = "modules.json"  # what every saved sentence-transformers model has
_WEIGHTS = ("*.safetensors", "*.bin", "*.json", "*.txt", "*.model")
_LONGEST_QUESTION = 2_000  # characters; models read some 256 words
_KEPT_QUESTIONS = 1_024
_TEXTS_AT_ONCE = 64


@dataclass(frozen=True, slots=True, eq=False)
class Transformer:
    """A loaded model."""

    model: Model
    encoder: Any

    def embed_question(self, text: str) -> Vector:
        """The unit vector of a question."""
        return _embed_question(self, text[:_LONGEST_QUESTION])

    def embed_texts(self, texts: Sequence[str]) -> Sequence[Vector]:
        """The unit vectors of some texts, each cut by the model where it stops reading."""
        vectors: Sequence[Vector] = self.encoder.encode(
            list(texts),
            batch_size=_TEXTS_AT_ONCE,
            normalize_embeddings=True,
            convert_to_numpy=True,
            show_progress_bar=False,
        ).astype(np.float32)
        return vectors


@lru_cache(maxsize=_KEPT_QUESTIONS)
def _embed_question(transformer: Transformer, text: str) -> Vector:
    return transformer.embed_texts([text])[0]


def find_model(name: str) -> Path:
    """The folder of a model: `name` itself, that of an installed package, or the hub's local copy."""
    folder = Path(name).expanduser()
    if (folder / _MARK).is_file():
        return folder.resolve()
    package = _find_packaged(name)
    return package if package is not None else _find_on_hub(name)


def _find_packaged(name: str) -> Path | None:
    """The model in a Python package of that name, which is not run for it."""
    module = name.replace("-", "_")
    spec = importlib.util.find_spec(module) if module.isidentifier() else None
    for place in (spec.submodule_search_locations or ()) if spec else ():
        for mark in (Path(place) / _MARK, *sorted(Path(place).glob(f"*/{_MARK}"))):
            if mark.is_file():
                return mark.parent
    return None


def _find_on_hub(name: str) -> Path:
    try:
        from huggingface_hub import snapshot_download
    except ImportError as error:
        raise _missing(name) from error
    try:
        return Path(snapshot_download(name))
    # The library raises some twenty kinds of error for what is one to the user.
    except Exception as error:
        raise ToolError(
            f"no model {name!r}: give the folder of a sentence-transformers model, the name of an "
            f"installed package that carries one, or a name on the hub ({error})"
        ) from error


@lru_cache(maxsize=4)
def load_model(name: str) -> Transformer:
    """The model of a name, read once per process."""
    try:
        from sentence_transformers import SentenceTransformer
    except ImportError as error:
        raise _missing(name) from error
    from transformers.utils import logging

    logging.disable_progress_bar()
    folder = find_model(name)
    encoder = SentenceTransformer(str(folder), device="cpu", local_files_only=True)
    dimensions = len(encoder.encode([""])[0])
    return Transformer(Model(name, hash_model(folder), dimensions), encoder)


def load_indexed(model: Model) -> Transformer:
    """The model that an index was made with; an error when it is not the same any more."""
    loaded = load_model(model.name)
    if loaded.model != model:
        raise ToolError(
            f"the model {model.name} changed since the index was made: run `agrama index`, or search "
            "with mode keyword"
        )
    return loaded


def hash_model(folder: Path) -> str:
    """Tells one model's files from another's."""
    digest = hashlib.blake2b(digest_size=8)
    files = {path for pattern in _WEIGHTS for path in folder.rglob(pattern) if path.is_file()}
    for path in sorted(files):
        digest.update(str(path.relative_to(folder)).encode())
        with open(path, "rb") as file:
            digest.update(hashlib.file_digest(file, "blake2b").digest())
    return digest.hexdigest()


def _missing(name: str) -> ToolError:
    return ToolError(
        f"the model {name} needs sentence-transformers: {EXTRA}, or go back to the shipped model "
        "with `agrama index --model static`"
    )
