"""Write the lexical index: postings, chunks, maps and forward rows.

`publish` runs inside the transaction that publishes the graph. A full build sorts all postings once
and appends them; an update rewrites the lists of the terms that the old or the new text has.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from agrama.graph.chunks import CHUNKS, chunk_key
from agrama.graph.embedding import Model
from agrama.graph.forward import Forward, flag_stems, forward_key, pack_forward, read_forward
from agrama.graph.maps import (
    CHUNK_FILES_PREFIX,
    CHUNK_KINDS_PREFIX,
    DEFINITION_POSTINGS,
    FILE_POSTINGS,
    FORWARD,
    MAPS,
    POSTINGS,
    STEM_POSTINGS,
    Maps,
    Prepared,
    Transaction,
    assign,
    describe,
    empty_maps,
    grow,
    mark_siblings,
    place,
    read_blocks,
    read_maps,
    release,
    take_slot,
    write_blocks,
    write_maps,
)
from agrama.graph.meaning import publish_vectors
from agrama.graph.postings import (
    BLOCK,
    BLOCK_BITS,
    group_postings,
    join_arrays,
    merge_posting,
    posting_key,
    text_posting_key,
)

_DATABASES = (CHUNKS, POSTINGS, FILE_POSTINGS, STEM_POSTINGS, DEFINITION_POSTINGS, FORWARD, MAPS)
_COLUMNS = {POSTINGS: 1, FILE_POSTINGS: 2, STEM_POSTINGS: 1, DEFINITION_POSTINGS: 1}


def publish(
    txn: Transaction,
    changed: Sequence[tuple[int, str, Prepared | None]],
    removed: Sequence[int],
    full: bool,  # noqa: FBT001  the caller's contract
    model: Model | None = None,
) -> None:
    """Make the index say what the changed files say now.

    `full` begins from nothing, with vectors made by `model`, or without any; an update goes on with
    the model that the index has.
    """
    files = [(node, path, prepared) for node, path, prepared in changed if prepared]
    if full:
        maps = _load(txn, files)
        rows = {slot: row for slot, (_, _, row) in enumerate(files)}
        publish_vectors(txn, maps, rows, [], full=True, model=model)
        return
    emptied = [node for node, _, prepared in changed if not prepared]
    maps, rows, gone = _update(txn, files, [*removed, *emptied])
    publish_vectors(txn, maps, rows, gone, full=False, model=None)


# ---- from nothing ---------------------------------------------------------------------------------


def _load(txn: Transaction, files: Sequence[tuple[int, str, Prepared]]) -> Maps:
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
        (forward_key(node), pack_forward(slot, path, row))
        for slot, (node, path, row) in enumerate(files)
    )
    txn.put_many(FORWARD, sorted(rows), append=True)
    maps = empty_maps()
    grow(maps, len(files))
    for slot, (node, path, row) in enumerate(files):
        describe(maps, slot, node, path, row)
    maps.spans[:, 0], maps.spans[:, 1], maps.spans[:, 2] = starts[:-1], counts, counts
    maps.chunk_end = int(starts[-1])
    mark_siblings(maps)
    write_blocks(txn, CHUNK_FILES_PREFIX, np.repeat(slots, counts))
    write_blocks(txn, CHUNK_KINDS_PREFIX, join_arrays((row["kinds"] for row in prepared), "<u2"))
    write_maps(txn, maps)
    return maps


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
        for term, where in flag_stems(row).items():
            ids, flags = lists.setdefault(text_posting_key(term, slot >> BLOCK_BITS), ([], []))
            ids.append(slot & (BLOCK - 1))
            flags.append(where)
    return [
        (key, np.array(ids, "<u2").tobytes() + bytes(flags))
        for key, (ids, flags) in sorted(lists.items())
    ]


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
        for (term, block), rows in sorted(self.lists.items(), key=_list_key):
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


def _list_key(item: tuple[tuple[int | str, int], object]) -> Any:
    """Terms of one database are of one type, so they compare."""
    return item[0]


def _update(
    txn: Transaction, files: Sequence[tuple[int, str, Prepared]], removed: Sequence[int]
) -> tuple[Maps, dict[int, Prepared], list[int]]:
    """The maps as they are now, the rows by slot, and the slots that are empty now."""
    maps = read_maps(txn)
    edits = {database: _Edits(database) for database in _COLUMNS}
    before = list(maps.paths)
    slots: dict[int, int] = {}
    for node in [*removed, *(node for node, _, _ in files)]:
        if old := read_forward(txn, node):
            slots[node] = old.slot
            _forget(txn, maps, edits, old)
    for node in removed:
        if node in slots:
            txn.delete(FORWARD, forward_key(node))
            release(maps, slots[node])
    gone = [slots[node] for node in removed if node in slots]
    rows: dict[int, Prepared] = {}
    chunk_files = read_blocks(txn, CHUNK_FILES_PREFIX, "<u4")
    chunk_kinds = read_blocks(txn, CHUNK_KINDS_PREFIX, "<u2")
    for node, path, row in files:
        slot = slots[node] if node in slots else take_slot(maps)
        first = place(maps, slot, len(row["chunks"]))
        describe(maps, slot, node, path, row)
        _learn(txn, edits, slot, first, row)
        rows[slot] = row
        txn.put(FORWARD, forward_key(node), pack_forward(slot, path, row))
        chunk_files = assign(chunk_files, first, np.full(len(row["chunks"]), slot, np.uint32))
        chunk_kinds = assign(chunk_kinds, first, np.frombuffer(row["kinds"], "<u2"))
    for edit in edits.values():
        edit.apply(txn)
    if maps.paths != before:
        mark_siblings(maps)
    write_blocks(txn, CHUNK_FILES_PREFIX, chunk_files)
    write_blocks(txn, CHUNK_KINDS_PREFIX, chunk_kinds)
    write_maps(txn, maps)
    return maps, rows, [slot for slot in gone if slot not in rows]


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
    for term, where in flag_stems(row).items():
        edits[STEM_POSTINGS].add(term, slot, where)
