"""The lexical index as one request sees it: its maps, and which files a filter lets through."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any, Protocol, TypeAlias

import numpy as np
import numpy.typing as npt
import orjson

from agrama.errors import NotIndexedError
from agrama.graph.forward import forward_key, read_path
from agrama.graph.maps import (
    CHUNK_FILES_PREFIX,
    FORWARD,
    LANGUAGES_KEY,
    MAPS,
    NODES_KEY,
    PATHS_KEY,
    SPANS_KEY,
    STATE_KEY,
)
from agrama.graph.postings import BLOCK, BLOCK_BITS

Floats: TypeAlias = npt.NDArray[np.float32]
Positions: TypeAlias = npt.NDArray[np.intp]
FileMask: TypeAlias = npt.NDArray[np.bool_]
Seek: TypeAlias = Callable[[bytes], tuple[bytes, memoryview] | None]


class Reader(Protocol):
    """What ranking needs of a read transaction."""

    @property
    def generation(self) -> int: ...
    def get(self, database: str, key: bytes) -> memoryview | None: ...
    def scan(
        self, database: str, prefix: bytes = b"", start: bytes | None = None
    ) -> Iterator[tuple[memoryview, memoryview]]: ...
    def seek(self, database: str) -> Seek: ...


@dataclass(frozen=True, slots=True, repr=False)
class Index:
    """The maps of the index as one request sees them.

    Its arrays are views of the read transaction: nothing may look at them later, not even a `repr`
    in a traceback, so what holds such views has none.
    """

    reader: Reader
    slots: int
    chunk_end: int
    files: int
    chunks: int
    languages: tuple[str, ...]
    _arrays: dict[bytes, npt.NDArray[Any]] = field(default_factory=dict)

    def array(self, key: bytes, dtype: str) -> npt.NDArray[Any]:
        """One of the maps, valid as long as the reader is."""
        known = self._arrays.get(key)
        if known is None:
            known = np.frombuffer(self.reader.get(MAPS, key) or b"", dtype)
            self._arrays[key] = known
        return known

    def spans(self) -> npt.NDArray[np.uint32]:
        """Per slot: its first chunk id, its chunks, the chunk ids it reserves."""
        return self.array(SPANS_KEY, "<u4").reshape(-1, 3)

    def path(self, slot: int) -> str:
        node = int(self.array(NODES_KEY, "<u4")[slot])
        row = self.reader.get(FORWARD, forward_key(node))
        return "" if row is None else read_path(row)

    def language(self, slot: int) -> str | None:
        return self.languages[int(self.array(LANGUAGES_KEY, "u1")[slot])] or None

    def chunk_map(self, prefix: bytes, dtype: str, ids: Positions) -> npt.NDArray[Any]:
        """The entries of a blocked map for some chunk ids."""
        last = max(self.chunk_end - 1, 0) >> BLOCK_BITS
        if not last:
            return self.array(prefix + b"\0", dtype)[ids]
        result = np.zeros(len(ids), dtype)
        blocks = ids >> BLOCK_BITS
        for block in np.unique(blocks).tolist():
            inside = blocks == block
            result[inside] = self.array(prefix + bytes((block,)), dtype)[ids[inside] & (BLOCK - 1)]
        return result


def open_index(reader: Reader) -> Index | None:
    """The lexical index of a snapshot; None when it was built without one."""
    value = reader.get(MAPS, STATE_KEY)
    if value is None:
        return None
    state = orjson.loads(value)
    return Index(
        reader,
        state["slots"],
        state["chunk_end"],
        state["files"],
        state["chunks"],
        tuple(state["languages"]),
    )


def require_index(reader: Reader) -> Index:
    """The lexical index, or an error that says how to get one."""
    index = open_index(reader)
    if index is not None:
        return index
    if reader.generation == 0:  # the first build was begun and never ended
        raise NotIndexedError("nothing is indexed here yet: run `agrama index .`")
    raise NotIndexedError("this index has no search data: run `agrama index` without --graph-only")


def allow_language(index: Index, language: str) -> FileMask:
    """The files of a language."""
    if language not in index.languages:
        return np.zeros(index.slots, np.bool_)
    mask: FileMask = index.array(LANGUAGES_KEY, "u1") == index.languages.index(language)
    return mask


def allow_paths(index: Index, matches: Callable[[str], object]) -> FileMask:
    """The files whose path matches."""
    value = index.reader.get(MAPS, PATHS_KEY)
    paths = str(value or b"", "utf-8").split("\0")[: index.slots]
    return np.fromiter((path != "" and matches(path) is not None for path in paths), np.bool_)


def allow_candidates(index: Index, candidates: Positions) -> FileMask:
    """The files that some candidate chunk lies in."""
    allowed = np.zeros(index.slots, np.bool_)
    allowed[index.chunk_map(CHUNK_FILES_PREFIX, "<u4", candidates)] = True
    return allowed
