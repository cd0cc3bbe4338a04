"""The forward row of a file: which posting lists name it, so that an update touches no others."""

import struct
from typing import NamedTuple

import numpy as np

from agrama.graph.maps import FORWARD, IN_PARENT, IN_STEM, Prepared, Transaction

_FORWARD = struct.Struct("<IHHII")
_NODE_KEY = struct.Struct(">I")

forward_key = _NODE_KEY.pack
"""Key of a file's forward row: its node."""


class Forward(NamedTuple):
    """What an update must know of the text it replaces."""

    slot: int
    path: str
    stems: tuple[str, ...]
    terms: tuple[int, ...]
    names: tuple[int, ...]


def flag_stems(row: Prepared) -> dict[str, int]:
    """Where each term of a file's name and folder stands."""
    flags = dict.fromkeys(row["stems"], IN_STEM)
    for term in row["parents"]:
        flags[term] = flags.get(term, 0) | IN_PARENT
    return flags


def pack_forward(slot: int, path: str, row: Prepared) -> bytes:
    where = path.encode("utf-8", "replace")
    stems = "\0".join(flag_stems(row)).encode("utf-8", "replace")
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


def read_forward(txn: Transaction, node: int) -> Forward | None:
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
