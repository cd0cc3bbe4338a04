"""Chooses how the graphs of changed files are found: exactly, or as a preview with the rest to follow.

Exact means that the whole program is solved, so that the result is that of a build from scratch. An
indexer that runs once always does that; one that stays alive does it at once where the program is
small, and else publishes a preview first.
"""

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from agrama.graph import keys
from agrama.graph.format import EDGE, FileRow, decode_facts, decode_file, read_symbol_id
from agrama.graph.model import EdgeKind, FileGraph
from agrama.graph.store import Reader, Store
from agrama.indexer.batch import Batch
from agrama.indexer.spill import Spill

if TYPE_CHECKING:
    from agrama.indexer.preview import Preview

_BASE_STEPS = 3  # from a class to its bases' bases' bases
_MOST_PREVIEWED = 64  # files; more at once is a branch switch


class Resolution:
    """The resolving step of one indexer."""

    def __init__(self, store: Store, folder: Path, *, resident: bool, exact_registers: int) -> None:
        self._store = store
        self._folder = folder
        self._resident = resident
        self._exact_registers = exact_registers
        self._preview: Preview | None = None

    def prepare(self, links: dict[str, str]) -> None:
        """Read what previews need, so that the first edit does not wait for it."""
        from agrama.indexer.preview import Preview

        if self._preview is None:
            with self._store.read() as reader:
                rows = (decode_facts(value) for _, value in reader.scan(keys.FACTS))
                self._preview = Preview(rows, self._read_facts, links)

    def forget(self) -> None:
        self._preview = None

    def is_exact(self, batch: Batch, *, full: bool) -> bool:
        """Whether `graphs` will solve everything for this batch."""
        if full or not self._resident or self._preview is None:
            return True
        small = self._preview.registers <= self._exact_registers
        return small or len(batch.parsed) + len(batch.dropped) > _MOST_PREVIEWED

    def graphs(self, batch: Batch, links: dict[str, str], *, full: bool) -> Iterable[FileGraph]:
        """Graphs of all files, or at least of those whose facts changed."""
        without = [row.path for row in batch.parsed if row.path not in batch.facts]
        if not self.is_exact(batch, full=full) and self._preview is not None:
            used = self._find_used(batch)
            return self._preview.graphs(batch.facts, [*batch.dropped, *without], used)
        if self._preview is not None:
            self._preview.take_in(batch.facts, [*batch.dropped, *without])
        return self._resolve_all(batch, links, full=full)

    def _resolve_all(
        self, batch: Batch, links: dict[str, str], *, full: bool
    ) -> Iterator[FileGraph]:
        from agrama.indexer.resolve import resolve

        if full:
            self._preview = None
            yield from resolve(batch.facts, links)
            return
        facts = Spill(self._folder)
        gone = {row.path for row in batch.parsed}.union(batch.dropped)
        with self._store.read() as reader:
            for _, value in reader.scan(keys.FACTS):
                path, data = decode_facts(value)
                if path not in gone:
                    facts[path] = data
        facts.update(batch.facts)
        yield from resolve(facts, links)
        facts.close()

    def _read_facts(self, path: str) -> bytes | None:
        with self._store.read() as reader:
            value = reader.get(keys.FACTS, keys.text_key(path))
            return None if value is None else decode_facts(value)[1]

    def _find_used(self, batch: Batch) -> list[str]:
        """Files that the changed ones had edges to when last resolved, then those of their bases."""
        found: dict[str, None] = {}
        with self._store.read() as reader:
            for row in batch.parsed:
                found.update(dict.fromkeys(sorted(read_targets(reader, row.path))))
            ring = list(found)
            for _ in range(_BASE_STEPS):
                bases = {base for path in ring for base in read_bases(reader, path)}
                ring = sorted(bases.difference(found))
                found.update(dict.fromkeys(ring))
        return list(found)


def read_targets(reader: Reader, path: str) -> set[str]:
    """Files in which the edges of a file end."""
    file = _read_file(reader, path)
    return set() if file is None else {_read_path(reader, node) for node in file[1].targets}


def read_bases(reader: Reader, path: str) -> set[str]:
    """Files with the bases of a file's classes."""
    file = _read_file(reader, path)
    found = set()
    for source in () if file is None else file[1].sources:
        value = reader.get(keys.OUT, keys.pair_key(source, file[0])) if file else None
        for record in EDGE.iter_unpack(value or b""):
            if record[0] == EdgeKind.INHERITS:
                found.add(_read_path(reader, record[3]))
    return found


def _read_file(reader: Reader, path: str) -> tuple[int, FileRow] | None:
    node = reader.get(keys.IDS, keys.text_key(path))
    row = None if node is None else reader.get(keys.FILES, bytes(node))
    return None if node is None or row is None else (keys.read_node(node), decode_file(row))


def _read_path(reader: Reader, node: int) -> str:
    row = reader.get(keys.NODES, keys.node_key(node))
    return "" if row is None else read_symbol_id(row).partition("::")[0]
