"""The arrays beside the postings: what each file slot and each chunk id stands for.

A file occupies a *slot* and a run of chunk ids; an update stays in the run while it fits and moves to
the end otherwise, with room to grow. Maps are arrays, one value each, indexed by slot or (in blocks of
65,536) by chunk id.
"""

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt
import orjson

from agrama.graph.postings import BLOCK, BLOCK_BITS
from agrama.graph.roles import SIBLING_ROLES, find_siblings

Prepared = Mapping[str, Any]
"""What `indexer.chunk.prepare_file` made of one file."""

POSTINGS = "postings"
FILE_POSTINGS = "file_postings"
STEM_POSTINGS = "stem_postings"
DEFINITION_POSTINGS = "definition_postings"
FORWARD = "forward"
MAPS = "file_maps"

STATE_KEY = b"state"
SPANS_KEY = b"spans"
NODES_KEY = b"nodes"
ROLES_KEY = b"roles"
STEM_COUNTS_KEY = b"stem_counts"
SIZES_KEY = b"sizes"
LANGUAGES_KEY = b"languages"
PATHS_KEY = b"paths"
CHUNK_FILES_PREFIX = b"chunk_files"
CHUNK_KINDS_PREFIX = b"chunk_kinds"

IN_STEM = 1
IN_PARENT = 2
NO_NODE = 0xFFFFFFFF
SIZE_STEP = 24  # so that one byte holds the logarithm of any count
_SPARE = 4  # a file that moves gets a quarter and this many chunk ids more than it needs


class Transaction(Protocol):
    """What publishing needs of the store's write transaction."""

    def get(self, database: str, key: bytes) -> bytes | None: ...
    def put(self, database: str, key: bytes, value: bytes) -> None: ...
    def put_many(
        self, database: str, items: Iterable[tuple[bytes, bytes]], *, append: bool = False
    ) -> None: ...
    def delete(self, database: str, key: bytes) -> bool: ...
    def clear(self, database: str) -> None: ...


@dataclass(slots=True)
class Maps:
    """The arrays of the index while a publication changes them."""

    spans: npt.NDArray[np.uint32]  # per slot: first chunk id, chunks, chunk ids reserved
    nodes: npt.NDArray[np.uint32]
    roles: npt.NDArray[np.uint16]
    stem_counts: npt.NDArray[np.uint8]
    sizes: npt.NDArray[np.uint8]  # SIZE_STEP times the logarithm of the number of chunks
    languages: npt.NDArray[np.uint8]
    paths: list[str]
    names: list[str]  # of languages, by their number
    chunk_end: int = 0
    free: list[int] = field(default_factory=list)


def empty_maps() -> Maps:
    return Maps(
        np.zeros((0, 3), np.uint32),
        np.zeros(0, np.uint32),
        np.zeros(0, np.uint16),
        np.zeros(0, np.uint8),
        np.zeros(0, np.uint8),
        np.zeros(0, np.uint8),
        [],
        [],
    )


def grow(maps: Maps, count: int) -> None:
    """Append empty slots."""
    maps.spans = np.concatenate((maps.spans, np.zeros((count, 3), np.uint32)))
    maps.nodes = np.concatenate((maps.nodes, np.full(count, NO_NODE, np.uint32)))
    maps.roles = np.concatenate((maps.roles, np.zeros(count, np.uint16)))
    maps.stem_counts = np.concatenate((maps.stem_counts, np.ones(count, np.uint8)))
    maps.sizes = np.concatenate((maps.sizes, np.zeros(count, np.uint8)))
    maps.languages = np.concatenate((maps.languages, np.zeros(count, np.uint8)))
    maps.paths.extend([""] * count)


def take_slot(maps: Maps) -> int:
    if maps.free:
        return maps.free.pop()
    grow(maps, 1)
    return len(maps.paths) - 1


def release(maps: Maps, slot: int) -> None:
    maps.spans[slot, 1] = 0
    maps.nodes[slot] = NO_NODE
    maps.paths[slot] = ""
    maps.free.append(slot)


def place(maps: Maps, slot: int, count: int) -> int:
    """The first chunk id of a file: where it was if it fits, else at the end with room to grow."""
    first, _, reserved = maps.spans[slot].tolist()
    if count > reserved:
        first, reserved = maps.chunk_end, count + count // 4 + _SPARE
        maps.chunk_end += reserved
    maps.spans[slot] = first, count, reserved
    return int(first)


def describe(maps: Maps, slot: int, node: int, path: str, row: Prepared) -> None:
    language = row["language"] or ""
    if language not in maps.names:
        maps.names.append(language)
    maps.languages[slot] = min(maps.names.index(language), 255)
    maps.nodes[slot] = node
    maps.paths[slot] = path
    maps.roles[slot] = row["roles"] | (int(maps.roles[slot]) & SIBLING_ROLES)
    maps.stem_counts[slot] = min(max(1, len(row["stems"])), 255)
    maps.sizes[slot] = min(round(SIZE_STEP * math.log1p(len(row["chunks"]))), 255)


def mark_siblings(maps: Maps) -> None:
    """The roles that depend on which other files there are."""
    for role, slots in find_siblings(maps.paths).items():
        maps.roles &= np.uint16(0xFFFF ^ role)
        maps.roles[slots] |= np.uint16(role)


def write_maps(txn: Transaction, maps: Maps) -> None:
    live = maps.nodes != NO_NODE
    state = {
        "slots": len(maps.paths),
        "chunk_end": maps.chunk_end,
        "files": int(live.sum()),
        "chunks": int(maps.spans[:, 1].sum()),
        "languages": maps.names,
        "free": maps.free,
    }
    txn.put(MAPS, STATE_KEY, orjson.dumps(state))
    for key, value in (
        (SPANS_KEY, maps.spans),
        (NODES_KEY, maps.nodes),
        (ROLES_KEY, maps.roles),
        (STEM_COUNTS_KEY, maps.stem_counts),
        (SIZES_KEY, maps.sizes),
        (LANGUAGES_KEY, maps.languages),
    ):
        _put_changed(txn, key, value.tobytes())
    _put_changed(txn, PATHS_KEY, "\0".join(maps.paths).encode("utf-8", "replace"))


def read_maps(txn: Transaction) -> Maps:
    state = txn.get(MAPS, STATE_KEY)
    if state is None:
        return empty_maps()
    known = orjson.loads(state)

    def array(key: bytes, dtype: str) -> npt.NDArray[Any]:
        return np.frombuffer(txn.get(MAPS, key) or b"", dtype).copy()

    paths = (txn.get(MAPS, PATHS_KEY) or b"").decode("utf-8")
    return Maps(
        array(SPANS_KEY, "<u4").reshape(-1, 3),
        array(NODES_KEY, "<u4"),
        array(ROLES_KEY, "<u2"),
        array(STEM_COUNTS_KEY, "u1"),
        array(SIZES_KEY, "u1"),
        array(LANGUAGES_KEY, "u1"),
        paths.split("\0") if known["slots"] else [],
        known["languages"],
        known["chunk_end"],
        known["free"],
    )


def _put_changed(txn: Transaction, key: bytes, value: bytes) -> None:
    if txn.get(MAPS, key) != value:
        txn.put(MAPS, key, value)


def assign(values: npt.NDArray[Any], first: int, part: npt.NDArray[Any]) -> npt.NDArray[Any]:
    end = first + len(part)
    if end > len(values):
        values = np.concatenate((values, np.zeros(end - len(values), values.dtype)))
    values[first:end] = part
    return values


def read_blocks(txn: Transaction, prefix: bytes, dtype: str) -> npt.NDArray[Any]:
    parts: list[bytes] = []
    while (part := txn.get(MAPS, prefix + bytes((len(parts),)))) is not None:
        parts.append(part)
    return np.frombuffer(b"".join(parts), dtype).copy()


def write_blocks(txn: Transaction, prefix: bytes, values: npt.NDArray[Any]) -> None:
    for block in range((len(values) + BLOCK - 1) >> BLOCK_BITS):
        part = values[block << BLOCK_BITS : (block + 1) << BLOCK_BITS]
        _put_changed(txn, prefix + bytes((block,)), part.tobytes())
