"""The stored form of a chunk: its lines, the definitions in it, its text."""

import struct
from collections.abc import Iterable
from functools import partial
from typing import NamedTuple

CHUNKS = "chunks"
"""The database they lie in."""

_HEAD = struct.Struct("<IIHH")
_DEFINITION = struct.Struct("<BIH")
_KEY = struct.Struct(">IH")
_LONGEST_NAME = 0xFFFF

chunk_key = _KEY.pack
"""Key of a chunk: file slot, position in its file."""


class ChunkDefinition(NamedTuple):
    """A definition whose name stands in a chunk, or (before its first line) that goes on in it."""

    kind: int
    line: int
    qualified: str


# A named tuple's own constructor is a Python function: twice the time, for every definition of a hit.
_define = partial(tuple.__new__, ChunkDefinition)


class StoredChunk(NamedTuple):
    """A chunk read back."""

    start_line: int
    end_line: int
    definitions: tuple[ChunkDefinition, ...]
    text: str


def encode_chunk(
    start_line: int, end_line: int, definitions: Iterable[tuple[int, int, str]], text: str
) -> bytes:
    """The value of one chunk."""
    rows = [
        _DEFINITION.pack(kind, line, len(name)) + name
        for kind, line, qualified in definitions
        if len(name := qualified.encode("utf-8", "replace")) <= _LONGEST_NAME
    ]
    head = _HEAD.pack(start_line, end_line, len(rows), 0)
    return b"".join((head, *rows, text.encode("utf-8", "replace")))


def read_place(value: bytes | memoryview) -> tuple[int, int, str | None]:
    """First and last line of a chunk, and the first definition that begins in it."""
    start_line, end_line, count, _ = _HEAD.unpack_from(value)
    at = _HEAD.size
    for _ in range(count):
        _, line, length = _DEFINITION.unpack_from(value, at)
        at += _DEFINITION.size
        if line >= start_line:
            return start_line, end_line, str(value[at : at + length], "utf-8")
        at += length
    return start_line, end_line, None


def decode_chunk(value: bytes | memoryview, *, with_text: bool = True) -> StoredChunk:
    """The chunk in a value; the text is left out where nobody asks for it."""
    data = bytes(value)  # slices of bytes are quicker than those of views
    start_line, end_line, count, _ = _HEAD.unpack_from(data)
    at = _HEAD.size
    definitions = []
    for _ in range(count):
        kind, line, length = _DEFINITION.unpack_from(data, at)
        start = at + _DEFINITION.size
        at = start + length
        definitions.append(_define((kind, line, data[start:at].decode())))
    text = data[at:].decode() if with_text else ""
    return StoredChunk(start_line, end_line, tuple(definitions), text)
