"""Keep the lexical index: postings, chunks and the maps between chunks and files.

`publish` runs inside the transaction that publishes the graph. A file occupies a *slot* and a run of
chunk ids; an update stays in the run while it fits and moves to the end otherwise. The forward row of
a file says which posting lists name it, so an update touches those and no others. Maps are arrays, one
value each, indexed by slot or (in blocks) by chunk id.
"""

import struct
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple, Protocol

import numpy as np
import numpy.typing as npt
import orjson

from agrama.graph.chunks import CHUNKS, chunk_key
from agrama.graph.postings import (
    BLOCK,
    BLOCK_BITS,
    group_postings,
    join_arrays,
    merge_posting,
    posting_key,
    text_posting_key,
)
from agrama.graph.roles import Role, find_old_versions

Prepared = Mapping[str, Any]

POSTINGS = "postings"
FILE_POSTINGS = "file_postings"
STEM_POSTINGS = "stem_postings"
DEFINITION_POSTINGS = "definition_postings"
FORWARD = "forward"
MAPS = "file_maps"
_DATABASES = (CHUNKS, POSTINGS, FILE_POSTINGS, STEM_POSTINGS, DEFINITION_POSTINGS, FORWARD, MAPS)
_COLUMNS = {POSTINGS: 1, FILE_POSTINGS: 2, STEM_POSTINGS: 1, DEFINITION_POSTINGS: 1}

STATE_KEY = b"state"
SPANS_KEY = b"spans"
NODES_KEY = b"nodes"
ROLES_KEY = b"roles"
STEM_COUNTS_KEY = b"stem_counts"
LANGUAGES_KEY = b"languages"
PATHS_KEY = b"paths"
CHUNK_FILES_PREFIX = b"chunk_files"
CHUNK_KINDS_PREFIX = b"chunk_kinds"

IN_STEM = 1
IN_PARENT = 2
NO_NODE = 0xFFFFFFFF
_SPARE = 4  # a file that moves gets a quarter and this many chunk ids more than it needs

_FORWARD = struct.Struct("<IHHII")
_NODE_KEY = struct.Struct(">I")

forward_key = _NODE_KEY.pack
"""Key of a file's forward row: its node."""


class Transaction(Protocol):
    """What publishing needs of the store's write transaction."""

    def get(self, database: str, key: bytes) -> bytes | None: ...
    def put(self, database: str, key: bytes, value: bytes) -> None: ...
    def put_many(
        self, database: str, items: Iterable[tuple[bytes, bytes]], *, append: bool = False
    ) -> None: ...
    def delete(self, database: str, key: bytes) -> bool: ...
    def clear(self, database: str) -> None: ...


class Forward(NamedTuple):
    """What an update must know of the text it replaces."""

    slot: int
    path: str
    stems: tuple[str, ...]
    terms: tuple[int, ...]
    names: tuple[int, ...]


@dataclass(slots=True)
class Maps:
    """The arrays of the index while a publication changes them."""

    spans: npt.NDArray[np.uint32]  # per slot: first chunk id, chunks, chunk ids reserved
    nodes: npt.NDArray[np.uint32]
    roles: npt.NDArray[np.uint16]
    stem_counts: npt.NDArray[np.uint8]
    languages: npt.NDArray[np.uint8]
    paths: list[str]
    names: list[str]  # of languages, by their number
    chunk_end: int = 0
    free: list[int] = field(default_factory=list)


def publish(
    txn: Transaction,
    changed: Sequence[tuple[int, str, Prepared | None]],
    removed: Sequence[int],
    full: bool,  # noqa: FBT001  the caller's contract
) -> None:
    """Make the index say what the changed files say now; `full` begins from nothing."""
    files = [(node, path, prepared) for node, path, prepared in changed if prepared]
    if full:
        _load(txn, files)
        return
    emptied = [node for node, _, prepared in changed if not prepared]
    _update(txn, files, [*removed, *emptied])


# ---- from nothing ---------------------------------------------------------------------------------


def _load(txn: Transaction, files: Sequence[tuple[int, str, Prepared]]) -> None:
    for database in _DATABASES:
        txn.clear(database)
    prepared = [row for _, _, row in files]
    counts = np.array([len(row["chunks"]) for row in prepared], np.uint32)
    starts = np.concatenate((np.zeros(1, np.uint32), np.cumsum(counts, dtype=np.uint32)))
    slots = np.arange(len(files), dtype=np.uint32)
    txn.put_many(
        POSTINGS,
        _bulk(prepared, "chunk_terms", "chunk_ordinals", ["chunk_impacts"], starts),
        append=True,
    )
    txn.put_many(
        DEFINITION_POSTINGS,
        _bulk(prepared, "names", "name_ordinals", ["name_weights"], starts),
        append=True,
    )
    txn.put_many(
        FILE_POSTINGS,
        _bulk(prepared, "file_terms", None, ["file_impacts", "head_impacts"], slots),
        append=True,
    )
    txn.put_many(STEM_POSTINGS, _stem_rows(prepared), append=True)
    txn.put_many(CHUNKS, _chunk_rows(enumerate(prepared)), append=True)
    rows = (
        (_NODE_KEY.pack(node), _pack_forward(slot, path, row))
        for slot, (node, path, row) in enumerate(files)
    )
    txn.put_many(FORWARD, sorted(rows), append=True)
    maps = _empty_maps()
    _grow(maps, len(files))
    for slot, (node, path, row) in enumerate(files):
        _describe(maps, slot, node, path, row)
    maps.spans[:, 0], maps.spans[:, 1], maps.spans[:, 2] = starts[:-1], counts, counts
    maps.chunk_end = int(starts[-1])
    _mark_old_versions(maps)
    _write_blocks(txn, CHUNK_FILES_PREFIX, np.repeat(slots, counts))
    _write_blocks(txn, CHUNK_KINDS_PREFIX, join_arrays((row["kinds"] for row in prepared), "<u2"))
    _write_maps(txn, maps)


def _bulk(
    prepared: Sequence[Prepared],
    terms: str,
    ordinals: str | None,
    columns: Sequence[str],
    bases: npt.NDArray[np.uint32],
) -> Iterator[tuple[bytes, bytes]]:
    """The rows of one posting database: ids are a base per file plus an ordinal."""
    hashes = join_arrays((row[terms] for row in prepared), "<u8")
    lengths = [len(row[terms]) // 8 for row in prepared]
    ids = np.repeat(bases[: len(prepared)], lengths)
    if ordinals:
        ids = ids + join_arrays((row[ordinals] for row in prepared), "<u2")
    bytes_ = [join_arrays((row[column] for row in prepared), "u1") for column in columns]
    return group_postings(hashes, ids, bytes_)


def _stem_rows(prepared: Sequence[Prepared]) -> list[tuple[bytes, bytes]]:
    lists: dict[bytes, tuple[list[int], list[int]]] = {}
    for slot, row in enumerate(prepared):
        for term, where in _stem_flags(row).items():
            ids, flags = lists.setdefault(text_posting_key(term, slot >> BLOCK_BITS), ([], []))
            ids.append(slot & (BLOCK - 1))
            flags.append(where)
    return [
        (key, np.array(ids, "<u2").tobytes() + bytes(flags))
        for key, (ids, flags) in sorted(lists.items())
    ]


def _stem_flags(row: Prepared) -> dict[str, int]:
    """Where each term of a file's name and folder stands."""
    flags = dict.fromkeys(row["stems"], IN_STEM)
    for term in row["parents"]:
        flags[term] = flags.get(term, 0) | IN_PARENT
    return flags


def _chunk_rows(slots: Iterable[tuple[int, Prepared]]) -> Iterator[tuple[bytes, bytes]]:
    for slot, row in slots:
        for ordinal, value in enumerate(row["chunks"]):
            yield chunk_key(slot, ordinal), value


# ---- some files -----------------------------------------------------------------------------------


@dataclass(slots=True)
class _Edits:
    """Changes to the lists of one posting database, gathered over all files, then applied."""

    database: str
    gone: dict[int, npt.NDArray[np.bool_]] = field(default_factory=dict)  # by block
    lists: dict[tuple[int | str, int], list[tuple[int, ...]]] = field(default_factory=dict)

    def remove(self, terms: Iterable[int | str], first: int, count: int) -> None:
        """Forget the ids from `first` on in the lists of `terms`."""
        for number in range(first, first + count):
            block = self.gone.setdefault(number >> BLOCK_BITS, np.zeros(BLOCK, np.bool_))
            block[number & (BLOCK - 1)] = True
        if count:
            numbers = range(first >> BLOCK_BITS, (first + count - 1 >> BLOCK_BITS) + 1)
            for term in terms:
                for number in numbers:
                    self.lists.setdefault((term, number), [])

    def add(self, term: int | str, number: int, *values: int) -> None:
        rows = self.lists.setdefault((term, number >> BLOCK_BITS), [])
        rows.append((number & (BLOCK - 1), *values))

    def apply(self, txn: Transaction) -> None:
        nothing = np.zeros(BLOCK, np.bool_)
        width = _COLUMNS[self.database]
        for (term, block), rows in sorted(self.lists.items(), key=repr):
            key = (
                text_posting_key(term, block) if isinstance(term, str) else posting_key(term, block)
            )
            old = txn.get(self.database, key)
            ids, *columns = zip(*rows, strict=True) if rows else ((), *((),) * width)
            new = merge_posting(old, self.gone.get(block, nothing), ids, columns)
            if not new:
                txn.delete(self.database, key)
            elif new != old:
                txn.put(self.database, key, new)


def _update(
    txn: Transaction, files: Sequence[tuple[int, str, Prepared]], removed: Sequence[int]
) -> None:
    maps = _read_maps(txn)
    edits = {database: _Edits(database) for database in _COLUMNS}
    before = list(maps.paths)
    slots: dict[int, int] = {}
    for node in [*removed, *(node for node, _, _ in files)]:
        if old := _read_forward(txn, node):
            slots[node] = old.slot
            _forget(txn, maps, edits, old)
    for node in removed:
        if node in slots:
            txn.delete(FORWARD, _NODE_KEY.pack(node))
            _release(maps, slots[node])
    chunk_files = _read_blocks(txn, CHUNK_FILES_PREFIX, "<u4")
    chunk_kinds = _read_blocks(txn, CHUNK_KINDS_PREFIX, "<u2")
    for node, path, row in files:
        slot = slots[node] if node in slots else _take_slot(maps)
        first = _place(maps, slot, len(row["chunks"]))
        _describe(maps, slot, node, path, row)
        _learn(txn, edits, slot, first, row)
        txn.put(FORWARD, _NODE_KEY.pack(node), _pack_forward(slot, path, row))
        chunk_files = _assign(chunk_files, first, np.full(len(row["chunks"]), slot, np.uint32))
        chunk_kinds = _assign(chunk_kinds, first, np.frombuffer(row["kinds"], "<u2"))
    for edit in edits.values():
        edit.apply(txn)
    if maps.paths != before:
        _mark_old_versions(maps)
    _write_blocks(txn, CHUNK_FILES_PREFIX, chunk_files)
    _write_blocks(txn, CHUNK_KINDS_PREFIX, chunk_kinds)
    _write_maps(txn, maps)


def _forget(txn: Transaction, maps: Maps, edits: Mapping[str, _Edits], old: Forward) -> None:
    first, count, _ = maps.spans[old.slot].tolist()
    edits[POSTINGS].remove(old.terms, first, count)
    edits[DEFINITION_POSTINGS].remove(old.names, first, count)
    edits[FILE_POSTINGS].remove(old.terms, old.slot, 1)
    edits[STEM_POSTINGS].remove(old.stems, old.slot, 1)
    for ordinal in range(count):
        txn.delete(CHUNKS, chunk_key(old.slot, ordinal))


def _learn(
    txn: Transaction, edits: Mapping[str, _Edits], slot: int, first: int, row: Prepared
) -> None:
    for key, value in _chunk_rows([(slot, row)]):
        txn.put(CHUNKS, key, value)
    for database, terms, ordinals, values in (
        (POSTINGS, "chunk_terms", "chunk_ordinals", "chunk_impacts"),
        (DEFINITION_POSTINGS, "names", "name_ordinals", "name_weights"),
    ):
        hashes = np.frombuffer(row[terms], "<u8").tolist()
        for term, ordinal, value in zip(
            hashes, np.frombuffer(row[ordinals], "<u2").tolist(), row[values], strict=True
        ):
            edits[database].add(term, first + ordinal, value)
    hashes = np.frombuffer(row["file_terms"], "<u8").tolist()
    for term, impact, head in zip(hashes, row["file_impacts"], row["head_impacts"], strict=True):
        edits[FILE_POSTINGS].add(term, slot, impact, head)
    for term, where in _stem_flags(row).items():
        edits[STEM_POSTINGS].add(term, slot, where)


# ---- slots and maps -------------------------------------------------------------------------------


def _empty_maps() -> Maps:
    return Maps(
        np.zeros((0, 3), np.uint32),
        np.zeros(0, np.uint32),
        np.zeros(0, np.uint16),
        np.zeros(0, np.uint8),
        np.zeros(0, np.uint8),
        [],
        [],
    )


def _grow(maps: Maps, count: int) -> None:
    """Append empty slots."""
    maps.spans = np.concatenate((maps.spans, np.zeros((count, 3), np.uint32)))
    maps.nodes = np.concatenate((maps.nodes, np.full(count, NO_NODE, np.uint32)))
    maps.roles = np.concatenate((maps.roles, np.zeros(count, np.uint16)))
    maps.stem_counts = np.concatenate((maps.stem_counts, np.ones(count, np.uint8)))
    maps.languages = np.concatenate((maps.languages, np.zeros(count, np.uint8)))
    maps.paths.extend([""] * count)


def _take_slot(maps: Maps) -> int:
    if maps.free:
        return maps.free.pop()
    _grow(maps, 1)
    return len(maps.paths) - 1


def _release(maps: Maps, slot: int) -> None:
    maps.spans[slot, 1] = 0
    maps.nodes[slot] = NO_NODE
    maps.paths[slot] = ""
    maps.free.append(slot)


def _place(maps: Maps, slot: int, count: int) -> int:
    """The first chunk id of a file: where it was if it fits, else at the end with room to grow."""
    first, _, reserved = maps.spans[slot].tolist()
    if count > reserved:
        first, reserved = maps.chunk_end, count + count // 4 + _SPARE
        maps.chunk_end += reserved
    maps.spans[slot] = first, count, reserved
    return int(first)


def _describe(maps: Maps, slot: int, node: int, path: str, row: Prepared) -> None:
    language = row["language"] or ""
    if language not in maps.names:
        maps.names.append(language)
    maps.languages[slot] = min(maps.names.index(language), 255)
    maps.nodes[slot] = node
    maps.paths[slot] = path
    maps.roles[slot] = row["roles"] | (int(maps.roles[slot]) & Role.OLD_VERSION)
    maps.stem_counts[slot] = min(max(1, len(row["stems"])), 255)


def _mark_old_versions(maps: Maps) -> None:
    """The one role that depends on which other files there are."""
    maps.roles &= np.uint16(0xFFFF ^ Role.OLD_VERSION)
    for slot in find_old_versions(maps.paths):
        maps.roles[slot] |= Role.OLD_VERSION


def _write_maps(txn: Transaction, maps: Maps) -> None:
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
        (LANGUAGES_KEY, maps.languages),
    ):
        _put_changed(txn, key, value.tobytes())
    _put_changed(txn, PATHS_KEY, "\0".join(maps.paths).encode("utf-8", "replace"))


def _read_maps(txn: Transaction) -> Maps:
    state = txn.get(MAPS, STATE_KEY)
    if state is None:
        return _empty_maps()
    known = orjson.loads(state)

    def array(key: bytes, dtype: str) -> npt.NDArray[Any]:
        return np.frombuffer(txn.get(MAPS, key) or b"", dtype).copy()

    paths = (txn.get(MAPS, PATHS_KEY) or b"").decode("utf-8")
    return Maps(
        array(SPANS_KEY, "<u4").reshape(-1, 3),
        array(NODES_KEY, "<u4"),
        array(ROLES_KEY, "<u2"),
        array(STEM_COUNTS_KEY, "u1"),
        array(LANGUAGES_KEY, "u1"),
        paths.split("\0") if known["slots"] else [],
        known["languages"],
        known["chunk_end"],
        known["free"],
    )


def _put_changed(txn: Transaction, key: bytes, value: bytes) -> None:
    if txn.get(MAPS, key) != value:
        txn.put(MAPS, key, value)


def _assign(values: npt.NDArray[Any], first: int, part: npt.NDArray[Any]) -> npt.NDArray[Any]:
    end = first + len(part)
    if end > len(values):
        values = np.concatenate((values, np.zeros(end - len(values), values.dtype)))
    values[first:end] = part
    return values


def _read_blocks(txn: Transaction, prefix: bytes, dtype: str) -> npt.NDArray[Any]:
    parts: list[bytes] = []
    while (part := txn.get(MAPS, prefix + bytes((len(parts),)))) is not None:
        parts.append(part)
    return np.frombuffer(b"".join(parts), dtype).copy()


def _write_blocks(txn: Transaction, prefix: bytes, values: npt.NDArray[Any]) -> None:
    for block in range((len(values) + BLOCK - 1) >> BLOCK_BITS):
        part = values[block << BLOCK_BITS : (block + 1) << BLOCK_BITS]
        _put_changed(txn, prefix + bytes((block,)), part.tobytes())


def _pack_forward(slot: int, path: str, row: Prepared) -> bytes:
    where = path.encode("utf-8", "replace")
    stems = "\0".join(_stem_flags(row)).encode("utf-8", "replace")
    terms: bytes = row["file_terms"]
    hashes: bytes = row["names"]
    names = b"".join(sorted({hashes[i : i + 8] for i in range(0, len(hashes), 8)}))
    return (
        _FORWARD.pack(slot, len(where), len(stems), len(terms) // 8, len(names) // 8)
        + where
        + stems
        + terms
        + names
    )


def read_path(value: bytes | memoryview) -> str:
    """The path in a forward row."""
    size = _FORWARD.unpack_from(value)[1]
    return str(value[_FORWARD.size : _FORWARD.size + size], "utf-8")


def _read_forward(txn: Transaction, node: int) -> Forward | None:
    value = txn.get(FORWARD, _NODE_KEY.pack(node))
    if value is None:
        return None
    slot, path_size, stems_size, terms, names = _FORWARD.unpack_from(value)
    at = _FORWARD.size
    path = value[at : at + path_size].decode()
    at += path_size
    stems = value[at : at + stems_size].decode()
    at += stems_size
    numbers = np.frombuffer(value, "<u8", terms + names, at).tolist()
    return Forward(
        slot,
        path,
        tuple(stems.split("\0")) if stems else (),
        tuple(numbers[:terms]),
        tuple(numbers[terms:]),
    )
