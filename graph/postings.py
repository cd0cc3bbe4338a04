"""Posting lists as LMDB values: `(term, block of 65,536 ids) -> u16 ids, then one byte column or two`.

Ids ascend within a value. The number of columns is fixed per database, so a value needs no header:
its length tells how many ids it holds. Bulk loading sorts once; an update rewrites only the values of
terms that the old or the new text has.
"""

import struct
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

BLOCK_BITS = 16
BLOCK = 1 << BLOCK_BITS
_ID_BYTES = 2
_ID = np.dtype("<u2")
_BYTE = np.dtype(np.uint8)

Ids: TypeAlias = npt.NDArray[np.uint16]
Column: TypeAlias = npt.NDArray[np.uint8]
Numbers: TypeAlias = npt.NDArray[np.uint32]
Hashes: TypeAlias = npt.NDArray[np.uint64]

_KEY = struct.Struct(">QH")
_BLOCK_KEY = struct.Struct(">H")
_TAIL_BYTES = 1 + _BLOCK_KEY.size

posting_key = _KEY.pack
"""Key of a list: term hash, block."""


def text_posting_key(term: str, block: int) -> bytes:
    """Key of a list whose terms must be found by prefix."""
    return term.encode("utf-8", "replace") + b"\x00" + _BLOCK_KEY.pack(block)


def read_text_key(key: bytes) -> tuple[str, int]:
    """The term of such a key, and the first id of its block."""
    return key[:-_TAIL_BYTES].decode("utf-8"), _BLOCK_KEY.unpack(key[-2:])[0] << BLOCK_BITS


def read_posting(value: bytes | memoryview, columns: int) -> tuple[Ids, list[Column]]:
    """The ids and byte columns of a value, without copying."""
    count = len(value) // (_ID_BYTES + columns)
    ids = np.frombuffer(value, _ID, count)
    start = _ID_BYTES * count
    first = np.frombuffer(value, _BYTE, count, start)
    if columns == 1:
        return ids, [first]
    rest = range(start + count, start + count * columns, count or 1)
    return ids, [first, *(np.frombuffer(value, _BYTE, count, at) for at in rest)]


def group_postings(
    hashes: Hashes, ids: Numbers, columns: Sequence[Column]
) -> Iterator[tuple[bytes, bytes]]:
    """Rows of a whole database, by ascending key; ids must ascend within each hash."""
    if not len(hashes):
        return
    order = np.argsort(hashes, kind="stable")
    hashes, ids = hashes[order], ids[order]
    blocks = ids >> BLOCK_BITS
    fresh = np.flatnonzero((hashes[1:] != hashes[:-1]) | (blocks[1:] != blocks[:-1])) + 1
    starts = np.concatenate(([0], fresh))
    ends = [*fresh.tolist(), len(hashes)]
    packed_ids = (ids & (BLOCK - 1)).astype("<u2").tobytes()
    packed = [column[order].tobytes() for column in columns]
    heads = zip(hashes[starts].tolist(), blocks[starts].tolist(), strict=True)
    for (term, block), a, b in zip(heads, starts.tolist(), ends, strict=True):
        value = packed_ids[_ID_BYTES * a : _ID_BYTES * b] + b"".join([c[a:b] for c in packed])
        yield posting_key(term, block), value


def merge_posting(
    old: bytes | None,
    gone: npt.NDArray[np.bool_],
    ids: Sequence[int],
    columns: Sequence[Sequence[int]],
) -> bytes:
    """A value without the ids marked `gone` and with the given ones; empty when nothing is left."""
    new_ids = np.array(ids, np.uint16)
    new_columns = [np.array(column, np.uint8) for column in columns]
    if old:
        old_ids, old_columns = read_posting(old, len(columns))
        keep = ~gone[old_ids]
        new_ids = np.concatenate((old_ids[keep], new_ids))
        pairs = zip(old_columns, new_columns, strict=True)
        new_columns = [np.concatenate((before[keep], added)) for before, added in pairs]
    order = np.argsort(new_ids, kind="stable")
    return new_ids[order].astype("<u2").tobytes() + b"".join(
        column[order].tobytes() for column in new_columns
    )


def join_arrays(parts: Iterable[bytes], dtype: str) -> npt.NDArray[Any]:
    """One array of packed parts."""
    return np.frombuffer(b"".join(parts), dtype)
