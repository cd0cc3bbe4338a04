"""The lexical index as one request sees it: its maps, and which files a filter lets through.

What does not depend on the request (the maps, and what ranking works out from them) is copied out of
the index once per commit and shared by the requests that see that commit.
"""

from collections.abc import Callable, Hashable, Iterator
from dataclasses import dataclass, field
from threading import Lock
from typing import Any, NamedTuple, Protocol, TypeAlias, TypeVar

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
Get: TypeAlias = Callable[[bytes], memoryview | None]
_T = TypeVar("_T")

_OPEN_INDEXES = 4


class Reader(Protocol):
    """What ranking needs of a read transaction."""

    @property
    def generation(self) -> int: ...
    @property
    def environment(self) -> int: ...
    @property
    def commit(self) -> int: ...
    def get(self, database: str, key: bytes) -> memoryview | None: ...
    def getter(self, database: str) -> Get: ...
    def scan(
        self, database: str, prefix: bytes = b"", start: bytes | None = None
    ) -> Iterator[tuple[memoryview, memoryview]]: ...


class Part(NamedTuple):
    """What a step says of a few files: their slots, each once, and a number for each."""

    slots: Positions
    values: Floats


@dataclass(slots=True, eq=False, repr=False)
class _Shared:
    """What one commit holds, for every request that sees it."""

    commit: int
    state: dict[str, Any]
    languages: tuple[str, ...]
    blob: bytes  # all paths; what follows from them alone outlives the commit
    by_paths: dict[Hashable, Any]
    kept: dict[Hashable, Any] = field(default_factory=dict)


@dataclass(slots=True, eq=False, repr=False)  # frozen ones take three times as long to make
class Index:
    """The maps of the index as one request sees them."""

    reader: Reader
    slots: int
    chunk_end: int
    files: int
    chunks: int
    languages: tuple[str, ...]
    _shared: _Shared

    def keep(self, name: Hashable, make: Callable[[], _T]) -> _T:
        """What `make` returns, made once per commit; it must not hold views of the reader."""
        kept: dict[Hashable, _T] = self._shared.kept
        return _keep(kept, name, make)

    def keep_by_paths(self, name: Hashable, make: Callable[[], _T]) -> _T:
        """The same of what follows from the paths alone: most commits leave those as they are."""
        kept: dict[Hashable, _T] = self._shared.by_paths
        return _keep(kept, name, make)

    def array(self, key: bytes, dtype: str) -> npt.NDArray[Any]:
        """One of the maps."""
        known: npt.NDArray[Any] | None = self._shared.kept.get(key)
        if known is None:
            known = np.frombuffer(self.reader.get(MAPS, key) or b"", dtype).copy()
            self._shared.kept[key] = known
        return known

    def spans(self) -> npt.NDArray[np.uint32]:
        """Per slot: its first chunk id, its chunks, the chunk ids it reserves."""
        return self.array(SPANS_KEY, "<u4").reshape(-1, 3)

    def path(self, slot: int) -> str:
        known: str | None = self._shared.by_paths.get(slot)
        return self.keep_by_paths(slot, lambda: self._read_path(slot)) if known is None else known

    def _read_path(self, slot: int) -> str:
        node = int(self.array(NODES_KEY, "<u4")[slot])
        row = self.reader.get(FORWARD, forward_key(node))
        return "" if row is None else read_path(row)

    def language(self, slot: int) -> str | None:
        return self.languages[int(self.array(LANGUAGES_KEY, "u1")[slot])] or None

    def chunk_map(self, prefix: bytes, dtype: str, ids: Positions) -> npt.NDArray[Any]:
        """The entries of a blocked map for some chunk ids."""
        joined: npt.NDArray[Any] | None = self._shared.kept.get(prefix)
        if joined is None:
            joined = self.keep(prefix, lambda: self._join_blocks(prefix, dtype))
        return joined.take(ids)

    def _join_blocks(self, prefix: bytes, dtype: str) -> npt.NDArray[Any]:
        get = self.reader.getter(MAPS)
        blocks = range((self.chunk_end + BLOCK - 1) >> BLOCK_BITS)
        joined = b"".join(get(prefix + bytes((block,))) or b"" for block in blocks)
        return np.frombuffer(joined, dtype)


def _keep(kept: dict[Hashable, _T], name: Hashable, make: Callable[[], _T]) -> _T:
    known = kept.get(name)
    if known is None:
        known = kept[name] = make()
    return known


def open_index(reader: Reader) -> Index | None:
    """The lexical index of a snapshot; None when it was built without one."""
    environment, commit = reader.environment, reader.commit
    shared = _opened.get(environment)
    if shared is None or shared.commit != commit:
        value = reader.get(MAPS, STATE_KEY)
        if value is None:
            return None
        shared = _share(reader, commit, orjson.loads(value), shared)
        with _lock:
            _opened.pop(environment, None)
            _opened[environment] = shared
            while len(_opened) > _OPEN_INDEXES:
                del _opened[next(iter(_opened))]
    state = shared.state
    return Index(
        reader,
        state["slots"],
        state["chunk_end"],
        state["files"],
        state["chunks"],
        shared.languages,
        shared,
    )


def require_index(reader: Reader) -> Index:
    """The lexical index, or an error that says how to get one."""
    index = open_index(reader)
    if index is not None:
        return index
    if reader.generation == 0:  # the first build was begun and never ended
        raise NotIndexedError("nothing is indexed here yet: run `agrama index .`")
    raise NotIndexedError("this index has no search data: run `agrama index` without --graph-only")


def _share(reader: Reader, commit: int, state: dict[str, Any], before: _Shared | None) -> _Shared:
    blob = reader.get(MAPS, PATHS_KEY) or b""
    languages = tuple(state["languages"])
    if before is not None and before.blob == blob:
        return _Shared(commit, state, languages, before.blob, before.by_paths)
    return _Shared(commit, state, languages, bytes(blob), {})


_opened: dict[int, _Shared] = {}  # by environment, the one used last at the end
_lock = Lock()


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


def add_up(index: Index, slots: Positions, *columns: Floats) -> tuple[npt.NDArray[Any], ...]:
    """The distinct ones among `slots`, in order, and for each the sum of every column's numbers."""
    sums = []
    for column in columns:
        whole = np.zeros(index.slots, np.float32)
        np.add.at(whole, slots, column)
        sums.append(whole)
    distinct = (sums[0] != 0).nonzero()[0]  # of floats `nonzero` itself takes ten times as long
    return distinct, *(whole.take(distinct) for whole in sums)
