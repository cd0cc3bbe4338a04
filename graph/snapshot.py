"""The graph as one request sees it: one read transaction, one generation, nothing that changes."""

from collections.abc import Collection, Iterator
from operator import attrgetter
from types import TracebackType
from typing import Any, NamedTuple, Self

from agrama.graph import keys
from agrama.graph.format import (
    CONFIDENCE_SCALE,
    EDGE,
    FileEntry,
    FileRow,
    decode_entry,
    decode_file,
    decode_symbol,
    decode_symbols,
    read_stamp,
    read_symbol_head,
    read_symbol_id,
    read_symbol_nodes,
    read_symbol_place,
)
from agrama.graph.model import EDGE_KINDS, RESOLUTIONS, EdgeKind, Kind, Resolution, Symbol
from agrama.graph.names import find_symbols
from agrama.graph.stats import collect_stats
from agrama.graph.store import Reader, Store

_POSITION = attrgetter("start_line", "start_column", "id")
# Edges whose position is that of the target's name; others stand at the name of their source.
_AT_NAMES = frozenset((EdgeKind.CALLS, EdgeKind.REFERENCES, EdgeKind.IMPORTS))


class Edge(NamedTuple):
    """An edge with its evidence, ends named by symbol id."""

    kind: EdgeKind
    source: str
    target: str
    path: str
    line: int
    column: int
    resolution: Resolution
    confidence: float


class Link(NamedTuple):
    """An edge as stored: node numbers instead of ids, for walks over many."""

    kind: int
    resolution: int
    confidence: int  # in 1/10000
    other: int
    line: int
    column: int
    file: int


class Snapshot:
    """Answers from one generation; close it with the request."""

    def __init__(self, reader: Reader) -> None:
        self.reader = reader
        self._ids: dict[int, str] = {}
        self._heads: dict[int, tuple[str, int]] = {}

    @property
    def generation(self) -> int:
        return self.reader.generation

    def node(self, symbol_id: str) -> int | None:
        value = self.reader.get(keys.IDS, keys.text_key(symbol_id))
        return None if value is None else keys.read_node(value)

    def symbol(self, symbol_id: str) -> Symbol | None:
        node = self.node(symbol_id)
        return None if node is None else self.symbol_of(node)

    def symbol_of(self, node: int) -> Symbol | None:
        row = self.reader.get(keys.NODES, keys.node_key(node))
        return None if row is None else decode_symbol(row)

    def id_of(self, node: int) -> str:
        """The id of a node; an empty one for a node that is gone."""
        symbol_id = self._ids.get(node)
        if symbol_id is None:
            row = self.reader.get(keys.NODES, keys.node_key(node))
            symbol_id = self._ids[node] = "" if row is None else read_symbol_id(row)
        return symbol_id

    def head_of(self, node: int) -> tuple[str, int]:
        """Id and kind of a node; an empty id for one that is gone."""
        head = self._heads.get(node)
        if head is None:
            row = self.reader.get(keys.NODES, keys.node_key(node))
            head = ("", int(Kind.EXTERNAL)) if row is None else read_symbol_head(row)
            self._heads[node] = head
        return head

    def place_of(self, node: int) -> tuple[int, str | None, int] | None:
        """Kind, path and first line of a node."""
        row = self.reader.get(keys.NODES, keys.node_key(node))
        return None if row is None else read_symbol_place(row)

    def symbols_in(self, path: str) -> list[Symbol]:
        """What a file defines, the file itself first, in order of position."""
        return [symbol for _, symbol in self.numbered_symbols_in(path)]

    def numbered_symbols_in(self, path: str) -> list[tuple[int, Symbol]]:
        """The same with their nodes."""
        node = self.node(path)
        value = None if node is None else self.reader.get(keys.FILES, keys.node_key(node))
        if value is None:
            return []
        nodes = read_symbol_nodes(value)
        if not nodes:
            return []
        rows = self._read_nodes(nodes)
        if len(rows) != len(nodes):  # never, in an index that is whole
            return []
        symbols = decode_symbols(rows)
        # A file stands at the very beginning, and its id is the shortest there.
        order = sorted(range(len(rows)), key=list(map(_POSITION, symbols)).__getitem__)
        return [(nodes[at], symbols[at]) for at in order]

    def _read_nodes(self, nodes: tuple[int, ...]) -> list[memoryview]:
        first, last = nodes[0], nodes[-1]
        if nodes == tuple(
            range(first, last + 1)
        ):  # one after the other, as in a file that never changed
            return self.reader.read_between(
                keys.NODES, keys.node_key(first), keys.node_key(last + 1)
            )[1]
        return self.reader.get_many(keys.NODES, list(map(keys.node_key, nodes)))

    def find(self, name: str, limit: int = 20) -> list[Symbol]:
        """Symbols by name: id, exact, other case, qualified ending, prefix, letters in order."""
        return find_symbols(self.reader, name, limit)

    def pagerank(self, symbol_id: str) -> float | None:
        """How central a symbol is, None when that was not computed since it appeared."""
        from agrama.graph.pagerank import read_rank

        node = self.node(symbol_id)
        return None if node is None else read_rank(self.reader, node)

    def outgoing(self, symbol_id: str, kinds: Collection[int] | None = None) -> list[Edge]:
        """Edges that start at a symbol, by file and position of their evidence."""
        node = self.node(symbol_id)
        if node is None:
            return []
        return [
            self.edge(link, symbol_id, self.id_of(link.other))
            for link in self.links(keys.OUT, node, kinds)
        ]

    def incoming(self, symbol_id: str, kinds: Collection[int] | None = None) -> list[Edge]:
        """Edges that end at a symbol: its references."""
        node = self.node(symbol_id)
        if node is None:
            return []
        return [
            self.edge(link, self.id_of(link.other), symbol_id)
            for link in self.links(keys.IN, node, kinds)
        ]

    def links(
        self, database: str, node: int, kinds: Collection[int] | None = None
    ) -> Iterator[Link]:
        """Stored edges at a node; `database` is keys.OUT or keys.IN."""
        for key, value in self.reader.scan(database, keys.node_key(node)):
            file = keys.read_node(key[4:])
            for record in EDGE.iter_unpack(value):
                if kinds is None or record[0] in kinds:
                    yield Link._make((*record, file))

    def at(self, path: str, line: int, column: int) -> str | None:
        """The symbol whose name stands at a position: a reference there, or a definition."""
        node = self.node(path)
        row = None if node is None else self.file_row(node)
        if node is None or row is None:
            return None
        best: tuple[int, int, str] | None = None
        for source in row.sources:
            value = self.reader.get(keys.OUT, keys.pair_key(source, node))
            for kind, _, confidence, other, at_line, at_column in EDGE.iter_unpack(value or b""):
                if at_line == line and at_column <= column and kind in _AT_NAMES:
                    symbol_id = self.id_of(other)
                    if column < at_column + max(1, len(_last_name(symbol_id))):
                        best = max(best or (-1, -1, ""), (at_column, confidence, symbol_id))
        if best is not None:
            return best[2]
        for symbol in self.symbols_in(path):
            end = symbol.start_column + len(symbol.name.encode())
            if symbol.start_line == line and symbol.start_column <= column < end:
                return symbol.id
        return None

    def file(self, path: str) -> FileEntry | None:
        row = self.reader.get(keys.MANIFEST, keys.text_key(path))
        return None if row is None else decode_entry(row)

    def stamp(self, path: str) -> tuple[int, int] | None:
        """When a file was last changed and its size, as they were when it was indexed."""
        row = self.reader.get(keys.MANIFEST, keys.text_key(path))
        return None if row is None else read_stamp(row)

    def files(self) -> Iterator[FileEntry]:
        """Every path the walk met, skipped ones included, in order of path."""
        for _, row in self.reader.scan(keys.MANIFEST):
            yield decode_entry(row)

    def file_row(self, node: int) -> FileRow | None:
        value = self.reader.get(keys.FILES, keys.node_key(node))
        return None if value is None else decode_file(value)

    def stats(self) -> dict[str, Any]:
        """What the index holds: files by status, reason and language, symbols and edges by kind."""
        return collect_stats(self.reader)

    def close(self) -> None:
        self.reader.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.close()

    def edge(self, link: Link, source: str, target: str) -> Edge:
        """A stored edge with its ends and its evidence named."""
        return Edge(
            EDGE_KINDS[link.kind],
            source,
            target,
            self.id_of(link.file),
            link.line,
            link.column,
            RESOLUTIONS[link.resolution],
            link.confidence / CONFIDENCE_SCALE,
        )


def open_snapshot(store: Store) -> Snapshot:
    """Begin a request's view of the index."""
    return Snapshot(store.read())


def _last_name(symbol_id: str) -> str:
    return symbol_id.rpartition("::")[2].rpartition(".")[2].partition("#")[0]
