"""Writes the graph of files into the index: numbers nodes, packs edges, replaces a file's rows.

Packing happens outside the transaction. A packed file carries a fingerprint of its rows, so that a
build writes only files whose graph really changed. Node numbers are given out once per environment
and never reach the outside, which is why the order in which files arrive does not show.
"""

import hashlib
import marshal
from collections.abc import Iterable, Iterator, Mapping, MutableMapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from agrama.graph import keys
from agrama.graph.format import (
    CONFIDENCE_SCALE,
    KINDS,
    FileRow,
    decode_file,
    decode_symbol,
    encode_external,
    encode_file,
    encode_symbol,
    is_definition,
    read_symbol_id,
)
from agrama.graph.model import EdgeRow, FileGraph
from agrama.graph.store import Reader, WriteTransaction

_EDGE = np.dtype(
    [
        ("source", "<u4"),
        ("target", "<u4"),
        ("line", "<u4"),
        ("column", "<u4"),
        ("kind", "u1"),
        ("resolution", "u1"),
        ("confidence", "<u2"),
    ]
)
_RECORD = np.dtype(
    [
        ("kind", "u1"),
        ("resolution", "u1"),
        ("confidence", "<u2"),
        ("other", "<u4"),
        ("line", "<u4"),
        ("column", "<u4"),
    ]
)
_Edges = npt.NDArray[np.void]
_FILES_AT_ONCE = 2_000
_SURELY_WHOLE = keys.MAX_TEXT // 4  # letters that fit into a key whatever they are
_GROUPS_AT_ONCE = 50_000
_NAMES_AT_ONCE = 50_000


class Interner(dict[str, int]):
    """Gives every symbol id its node number; `fresh` are those not yet in the index."""

    def __init__(self, known: Iterable[tuple[str, int]] = (), next_node: int = 1) -> None:
        super().__init__(known)
        self.next_node = next_node
        self.fresh: list[str] = []

    def __missing__(self, symbol_id: str) -> int:
        node = self.next_node
        self.next_node += 1
        self[symbol_id] = node
        self.fresh.append(symbol_id)
        return node


@dataclass(frozen=True, slots=True)
class PackedFile:
    """A file's graph as rows."""

    path: str
    node: int
    fingerprint: bytes
    symbols: Mapping[str, bytes]  # by path; where they are kept is for the caller to decide
    edges: _Edges  # sorted by source and position, each once
    unresolved: int
    call_sites: int
    symbol_kinds: tuple[int, ...]

    def read_symbols(self) -> list[tuple[int, bytes, bytes]]:
        """Node, key in the name index and row of each symbol, by node."""
        rows: list[tuple[int, bytes, bytes]] = marshal.loads(self.symbols[self.path])  # noqa: S302
        return rows


@dataclass(frozen=True, slots=True)
class PackedNames:
    """Every symbol id with its node, in the order of the keys."""

    next_node: int
    kept: Mapping[str, bytes]  # blocks of them

    def __iter__(self) -> Iterator[tuple[str, int]]:
        for name in sorted(self.kept):
            block: list[tuple[str, int]] = marshal.loads(self.kept[name])  # noqa: S302
            yield from block


def read_interner(reader: Reader) -> Interner:
    """The numbers the index has given out so far."""
    value = reader.get(keys.META, keys.NEXT_NODE_KEY)
    known = ((read_symbol_id(row), keys.read_node(key)) for key, row in reader.scan(keys.NODES))
    return Interner(known, 1 if value is None else keys.read_node(value))


def pack_file(
    graph: FileGraph, interner: Interner, kept: MutableMapping[str, bytes] | None = None
) -> PackedFile:
    """Turn one file's graph into rows; those of its symbols go into `kept`."""
    kept = {} if kept is None else kept
    node = interner[graph.path]
    symbols = []
    for symbol in graph.symbols:
        number = interner[symbol.id]
        symbols.append((number, keys.name_key(symbol.name, number), encode_symbol(symbol)))
    symbols.sort()
    edges = _pack_edges(graph.edges, interner)
    digest = hashlib.blake2b(digest_size=16)
    for number, _, row in symbols:
        digest.update(keys.node_key(number))
        digest.update(row)
    digest.update(edges.tobytes())
    digest.update(b"%d %d" % (graph.unresolved, graph.call_sites))
    # One object: many small ones among the solver's would pin its memory.
    kept[graph.path] = marshal.dumps(symbols)
    return PackedFile(
        graph.path,
        node,
        digest.digest(),
        kept,
        edges,
        graph.unresolved,
        graph.call_sites,
        _count_kinds([symbol.kind for symbol in graph.symbols]),
    )


def _count_kinds(kinds: npt.ArrayLike) -> tuple[int, ...]:
    return tuple(np.bincount(np.asarray(kinds, np.int64), minlength=KINDS).tolist())


def _pack_edges(rows: Sequence[EdgeRow], interner: Interner) -> _Edges:
    edges = np.empty(len(rows), _EDGE)
    if not rows:
        return edges
    kind, source, target, line, column, resolution, confidence = zip(*rows, strict=True)
    edges["kind"] = kind
    edges["source"] = [interner[x] for x in source]
    edges["target"] = [interner[x] for x in target]
    edges["line"] = line
    edges["column"] = column
    edges["resolution"] = resolution
    edges["confidence"] = np.rint(np.asarray(confidence) * CONFIDENCE_SCALE)
    return _sort_once(edges)


def _sort_once(edges: _Edges) -> _Edges:
    """Sort by source and position; of equal edges the surest stays."""
    order = np.lexsort(
        (
            edges["resolution"],
            CONFIDENCE_SCALE - edges["confidence"].astype(np.int64),
            edges["kind"],
            edges["target"],
            edges["column"],
            edges["line"],
            edges["source"],
        )
    )
    edges = edges[order]
    same = np.ones(len(edges) - 1, bool)
    for field in ("source", "target", "line", "column", "kind"):
        same &= edges[field][1:] == edges[field][:-1]
    return edges[np.concatenate(([True], ~same))]


def join_edges(files: Iterable[PackedFile]) -> list[PackedFile]:
    """The same files, by node, their edges parts of one array: apart and together they take twice."""
    ordered = sorted(files, key=lambda file: file.node)
    whole = _concatenate(ordered)
    joined, start = [], 0
    for file in ordered:
        end = start + len(file.edges)
        joined.append(replace(file, edges=whole[start:end]))
        start = end
    return joined


def _concatenate(ordered: Sequence[PackedFile]) -> _Edges:
    """The edges of all files as one array, the one they are parts of if there is one."""
    size = sum(len(file.edges) for file in ordered)
    base = ordered[0].edges.base if ordered else None
    if base is not None and len(base) == size and all(file.edges.base is base for file in ordered):
        whole: _Edges = base
        return whole
    return np.concatenate([np.empty(0, _EDGE), *(file.edges for file in ordered)])


def pack_names(interner: Interner, kept: MutableMapping[str, bytes] | None = None) -> PackedNames:
    """Numbers as rows in `kept`; whoever keeps them elsewhere can do without the interner."""
    kept = {} if kept is None else kept
    ordered = _by_key(interner)
    for start in range(0, len(ordered), _NAMES_AT_ONCE):
        block = [(name, interner[name]) for name in ordered[start : start + _NAMES_AT_ONCE]]
        kept[f"{start:012}"] = marshal.dumps(block)
    return PackedNames(interner.next_node, kept)


def publish_all(
    transaction: WriteTransaction, files: Sequence[PackedFile], names: PackedNames
) -> None:
    """Replace the whole graph; much faster than file by file, since all keys ascend."""
    for name in (keys.IDS, keys.NODES, keys.NAMES, keys.FILES, keys.OUT, keys.IN):
        transaction.clear(name)
    ordered = sorted(files, key=lambda file: file.node)
    rows = ((keys.node_key(file.node), _file_row(file)) for file in ordered)
    transaction.put_many(keys.FILES, rows, append=True)
    _put_symbols(transaction, ordered, names)
    evidence = np.repeat(
        np.array([file.node for file in ordered], "<u4"), [len(file.edges) for file in ordered]
    )
    edges = _concatenate(ordered)
    transaction.put_many(keys.OUT, _group(edges, evidence, "source", "target"), append=True)
    transaction.put_many(keys.IN, _group(edges, evidence, "target", "source"), append=True)
    _put_next(transaction, names.next_node)


def _put_symbols(
    transaction: WriteTransaction, files: Sequence[PackedFile], ids: PackedNames
) -> None:
    """Some files at a time: a sorted list of everything would be as large as the graph."""
    defined = bytearray(ids.next_node)
    for start in range(0, len(files), _FILES_AT_ONCE):
        nodes, names = [], []
        for file in files[start : start + _FILES_AT_ONCE]:
            for node, key, row in file.read_symbols():
                nodes.append((keys.node_key(node), row))
                names.append((key, b""))
                defined[node] = 1
        transaction.put_many(keys.NODES, sorted(nodes))
        transaction.put_many(keys.NAMES, sorted(names))
    rest = sorted((node, name) for name, node in ids if not defined[node])
    transaction.put_many(
        keys.NODES, ((keys.node_key(node), encode_external(name)) for node, name in rest)
    )
    del rest
    rows = ((keys.text_key(name), keys.node_key(node)) for name, node in ids)
    transaction.put_many(keys.IDS, rows, append=True)


def _by_key(names: Iterable[str]) -> list[str]:
    """Names in the order of their keys, which is their own unless a long one is cut."""
    ordered = sorted(names)
    if any(len(name) > _SURELY_WHOLE for name in ordered):
        ordered.sort(key=keys.text_key)
    return ordered


def _group(
    edges: _Edges, evidence: npt.NDArray[np.uint32], near: str, far: str
) -> Iterator[tuple[bytes, bytes]]:
    """Rows of `out` or `in`: records keyed by the near end and the file of the evidence."""
    if not len(edges):
        return
    order = np.lexsort(
        (edges["kind"], edges[far], edges["column"], edges["line"], evidence, edges[near])
    )
    ends, places = edges[near][order], evidence[order]
    first = np.flatnonzero(
        np.concatenate(([True], (ends[1:] != ends[:-1]) | (places[1:] != places[:-1])))
    )
    bounds = np.append(first, len(edges))
    del ends, places
    for at in range(0, len(first), _GROUPS_AT_ONCE):
        part = bounds[at : at + _GROUPS_AT_ONCE + 1]
        yield from _records(edges, evidence, order[part[0] : part[-1]], part - part[0], near, far)


def _records(
    edges: _Edges,
    evidence: npt.NDArray[np.uint32],
    order: npt.NDArray[np.intp],
    bounds: npt.NDArray[np.intp],
    near: str,
    far: str,
) -> Iterator[tuple[bytes, bytes]]:
    """Some rows of `_group`: as Python objects all of them would be larger than the graph."""
    chosen = edges[order]
    records = np.empty(len(chosen), _RECORD)
    for field in ("kind", "resolution", "confidence", "line", "column"):
        records[field] = chosen[field]
    records["other"] = chosen[far]
    data = records.tobytes()
    size = _RECORD.itemsize
    starts = bounds[:-1]
    ends = chosen[near][starts].tolist()
    places = evidence[order[starts]].tolist()
    for start, stop, end, place in zip(
        starts.tolist(), bounds[1:].tolist(), ends, places, strict=True
    ):
        yield keys.pair_key(end, place), data[start * size : stop * size]


def _file_row(file: PackedFile) -> bytes:
    return encode_file(
        FileRow(
            file.fingerprint,
            tuple(node for node, _, _ in file.read_symbols()),
            tuple(np.unique(file.edges["source"]).tolist()),
            tuple(np.unique(file.edges["target"]).tolist()),
            file.unresolved,
            file.call_sites,
            file.symbol_kinds,
            _count_kinds(file.edges["kind"]),
        )
    )


def publish_changes(
    transaction: WriteTransaction,
    files: Iterable[PackedFile],
    removed: Iterable[int],
    interner: Interner,
) -> int:
    """Replace the rows of changed files and take removed ones away; returns how many changed."""
    touched: set[int] = set()
    for name in interner.fresh:
        node = interner[name]
        transaction.put(keys.IDS, keys.text_key(name), keys.node_key(node))
        transaction.put(keys.NODES, keys.node_key(node), encode_external(name))
        touched.add(node)
    changed = 0
    added: dict[int, tuple[bytes, bytes]] = {}
    for file in files:
        old = _read_file(transaction, file.node)
        if old is not None and old.fingerprint == file.fingerprint:
            continue
        changed += 1
        touched.update(_withdraw(transaction, file.node, old))
        _put_edges(transaction, file)
        added.update((node, (key, row)) for node, key, row in file.read_symbols())
        transaction.put(keys.FILES, keys.node_key(file.node), _file_row(file))
    for node in removed:
        changed += 1
        touched.update(_withdraw(transaction, node, _read_file(transaction, node)))
        touched.add(node)
    # Definitions last: a symbol id may leave one file and enter another in the same publication.
    for node, (key, row) in added.items():
        transaction.put(keys.NODES, keys.node_key(node), row)
        transaction.put(keys.NAMES, key, b"")
    _collect(transaction, touched - added.keys(), interner)
    _put_next(transaction, interner.next_node)
    return changed


def _read_file(transaction: WriteTransaction, node: int) -> FileRow | None:
    value = transaction.get(keys.FILES, keys.node_key(node))
    return None if value is None else decode_file(value)


def _withdraw(transaction: WriteTransaction, node: int, row: FileRow | None) -> set[int]:
    """Take a file's rows away; returns the nodes that may have lost their last mention."""
    if row is None:
        return set()
    for source in row.sources:
        transaction.delete(keys.OUT, keys.pair_key(source, node))
    for target in row.targets:
        transaction.delete(keys.IN, keys.pair_key(target, node))
    for symbol in row.symbols:
        _undefine(transaction, symbol)
    transaction.delete(keys.FILES, keys.node_key(node))
    return {*row.symbols, *row.sources, *row.targets}


def _undefine(transaction: WriteTransaction, node: int) -> None:
    key = keys.node_key(node)
    row = transaction.get(keys.NODES, key)
    if row is None:
        return
    symbol = decode_symbol(row)
    transaction.delete(keys.NAMES, keys.name_key(symbol.name, node))
    transaction.put(keys.NODES, key, encode_external(symbol.id))


def _put_edges(transaction: WriteTransaction, file: PackedFile) -> None:
    evidence = np.full(len(file.edges), file.node, "<u4")
    for key, value in _group(file.edges, evidence, "source", "target"):
        transaction.put(keys.OUT, key, value)
    for key, value in _group(file.edges, evidence, "target", "source"):
        transaction.put(keys.IN, key, value)


def _collect(transaction: WriteTransaction, nodes: Iterable[int], interner: Interner) -> None:
    """Forget nodes that nothing defines or mentions any more."""
    for node in sorted(nodes):
        key = keys.node_key(node)
        row = transaction.get(keys.NODES, key)
        if row is None or is_definition(row):
            continue
        if transaction.has_prefix(keys.OUT, key) or transaction.has_prefix(keys.IN, key):
            continue
        symbol_id = read_symbol_id(row)
        transaction.delete(keys.NODES, key)
        transaction.delete(keys.IDS, keys.text_key(symbol_id))
        interner.pop(symbol_id, None)


def _put_next(transaction: WriteTransaction, next_node: int) -> None:
    transaction.put(keys.META, keys.NEXT_NODE_KEY, keys.node_key(next_node))
