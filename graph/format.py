"""The rows of the index as bytes: symbols, files, manifest entries and edge records.

Rows a person may want to read are JSON lists in a fixed order; edges are 16-byte little-endian
records, because there are half a million of them in a large repository.
"""

import re
import struct
from collections.abc import Iterable
from dataclasses import dataclass
from functools import partial

import orjson

from agrama.graph import model
from agrama.graph.model import EXTERNAL_PREFIX, Kind, Symbol

# kind, resolution, confidence in 1/10000, the node at the other end, line, column
EDGE = struct.Struct("<BBHIII")
CONFIDENCE_SCALE = 10_000

KINDS = 16  # room for kinds of symbol and of edge to come
_FILE_HEAD = struct.Struct(f"<16s5I{KINDS}I{KINDS}I")
_FACTS_HEAD = struct.Struct("<I")
_ID_HEAD = 200  # most ids are shorter
_PLACE_HEAD = 600
# id, kind, name, qualified name, path, language, first line
_PLACE = re.compile(rb'\["[^"\\]*",(\d+),"[^"\\]*","[^"\\]*","([^"\\]*)",(?:"[^"\\]*"|null),(\d+),')
# A named tuple's own constructor is a Python function: twice the time, for every symbol of a file.
_make_symbol = partial(tuple.__new__, Symbol)


@dataclass(frozen=True, slots=True)
class FileEntry:
    """What the manifest knows of one path: enough to see whether it changed, and how it was read."""

    path: str
    size: int
    mtime_ns: int
    ctime_ns: int
    content_hash: str
    status: str  # ok, partial or skipped
    reason: str | None  # why it was skipped, or a mark such as not_utf8
    language: str | None


@dataclass(frozen=True, slots=True)
class FileRow:
    """Which rows belong to a file, so that an update can take them away again."""

    fingerprint: bytes
    symbols: tuple[int, ...]
    sources: tuple[int, ...]
    targets: tuple[int, ...]
    unresolved: int
    call_sites: int
    symbol_kinds: tuple[int, ...] = (0,) * KINDS  # how many of each graph.model.Kind
    edge_kinds: tuple[int, ...] = (0,) * KINDS


def encode_symbol(symbol: Symbol) -> bytes:
    return orjson.dumps(
        (
            symbol.id,
            int(symbol.kind),
            symbol.name,
            symbol.qualified_name,
            symbol.path,
            symbol.language,
            symbol.start_line,
            symbol.start_column,
            symbol.body_line,
            symbol.end_line,
            symbol.signature,
            symbol.doc,
            symbol.metrics,
        )
    )


def decode_symbol(row: bytes | memoryview) -> Symbol:
    fields = orjson.loads(row)
    if len(fields) == 1:
        return external_symbol(fields[0])
    fields[1] = model.KINDS[fields[1]]
    return Symbol._make(fields)


def decode_symbols(rows: Iterable[bytes | memoryview]) -> list[Symbol]:
    """Many rows at once: half the time of one after the other."""
    symbols = []
    for fields in orjson.loads(b"[%b]" % b",".join(rows)):
        if len(fields) == 1:
            symbols.append(external_symbol(fields[0]))
        else:
            fields[1] = model.KINDS[fields[1]]
            symbols.append(_make_symbol(fields))
    return symbols


def encode_external(symbol_id: str) -> bytes:
    """The row of a node of which only the id is known."""
    return orjson.dumps((symbol_id,))


def external_symbol(symbol_id: str) -> Symbol:
    dotted = symbol_id.removeprefix(EXTERNAL_PREFIX)
    name = dotted.rpartition(".")[2] or dotted
    return Symbol(symbol_id, Kind.EXTERNAL, name, dotted, None, None, 0, 0, 0, 0)


def is_definition(row: bytes | memoryview) -> bool:
    """Whether a node's row says more than its id: some file defines it."""
    return len(orjson.loads(row)) > 1


def read_symbol_id(row: bytes | memoryview) -> str:
    """The id alone, which stands first."""
    head = bytes(row[:_ID_HEAD])
    end = head.find(b'"', 2)
    if end < 0 or b"\\" in head[:end]:
        symbol_id: str = orjson.loads(row)[0]
        return symbol_id
    return head[2:end].decode()


def read_symbol_head(row: bytes | memoryview) -> tuple[str, int]:
    """Id and kind alone: they stand first, and reading a row with its documentation takes longer."""
    head = bytes(row[:_ID_HEAD])
    end = head.find(b'"', 2)
    after = head.find(b",", end + 2)
    if end < 0 or after < 0 or b"\\" in head[:end]:
        fields = orjson.loads(row)
        return fields[0], fields[1] if len(fields) > 1 else int(Kind.EXTERNAL)
    return head[2:end].decode(), int(head[end + 2 : after])


def read_symbol_place(row: bytes | memoryview) -> tuple[int, str | None, int]:
    """Kind, path and first line alone."""
    found = _PLACE.match(bytes(row[:_PLACE_HEAD]))
    if (
        found is None
    ):  # an escaped character, a very long name, or a node of which only the id is known
        symbol = decode_symbol(row)
        return int(symbol.kind), symbol.path, symbol.start_line
    kind, path, line = found.groups()
    return int(kind), path.decode(), int(line)


def encode_entry(entry: FileEntry) -> bytes:
    return orjson.dumps(
        (
            entry.path,
            entry.size,
            entry.mtime_ns,
            entry.ctime_ns,
            entry.content_hash,
            entry.status,
            entry.reason,
            entry.language,
        )
    )


def decode_entry(row: bytes | memoryview) -> FileEntry:
    return FileEntry(*orjson.loads(row))


def read_stamp(row: bytes | memoryview) -> tuple[int, int]:
    """Modification time and size alone."""
    _, size, mtime_ns, *_ = orjson.loads(row)
    return mtime_ns, size


def encode_file(row: FileRow) -> bytes:
    head = _FILE_HEAD.pack(
        row.fingerprint,
        row.unresolved,
        row.call_sites,
        len(row.symbols),
        len(row.sources),
        len(row.targets),
        *row.symbol_kinds,
        *row.edge_kinds,
    )
    nodes = row.symbols + row.sources + row.targets
    return head + struct.pack(f"<{len(nodes)}I", *nodes)


def decode_file(row: bytes | memoryview) -> FileRow:
    fingerprint, unresolved, call_sites, *counts = _FILE_HEAD.unpack_from(row)
    symbols, sources, targets = counts[:3]
    nodes = struct.unpack_from(f"<{symbols + sources + targets}I", row, _FILE_HEAD.size)
    middle = symbols + sources
    return FileRow(
        fingerprint,
        nodes[:symbols],
        nodes[symbols:middle],
        nodes[middle:],
        unresolved,
        call_sites,
        tuple(counts[3 : 3 + KINDS]),
        tuple(counts[3 + KINDS :]),
    )


def read_symbol_nodes(row: bytes | memoryview) -> tuple[int, ...]:
    """The nodes of a file's symbols alone."""
    count = _FILE_HEAD.unpack_from(row)[3]
    return struct.unpack_from(f"<{count}I", row, _FILE_HEAD.size)


def encode_facts(path: str, facts: bytes) -> bytes:
    """What the parser found in a file, with its path: long paths are not whole in their keys."""
    name = path.encode()
    return _FACTS_HEAD.pack(len(name)) + name + facts


def decode_facts(row: bytes | memoryview) -> tuple[str, bytes]:
    (length,) = _FACTS_HEAD.unpack_from(row)
    start = _FACTS_HEAD.size
    return bytes(row[start : start + length]).decode(), bytes(row[start + length :])
