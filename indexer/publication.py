"""Everything one generation writes, gathered beforehand and written by one transaction."""

import marshal
from collections.abc import Iterable
from dataclasses import dataclass, field

import orjson

from agrama.graph import keys, lexical
from agrama.graph.format import encode_entry, encode_facts
from agrama.graph.model import FileGraph
from agrama.graph.pagerank import rank_files, store_ranks
from agrama.graph.publish import (
    Interner,
    PackedFile,
    pack_file,
    publish_all,
    publish_changes,
)
from agrama.graph.store import WriteTransaction
from agrama.indexer.batch import Batch


@dataclass(slots=True)
class Publication:
    """One generation to be. `write` may run more than once and has no effect but on its transaction."""

    interner: Interner
    builder: bytes
    full: bool
    graph_only: bool
    links: dict[str, str]
    batch: Batch
    files: list[PackedFile] = field(default_factory=list)
    changed: int = 0

    def pack(self, graphs: Iterable[FileGraph]) -> None:
        """Turn graphs into rows, one by one, so that they need not all be there at once."""
        for graph in graphs:
            self.files.append(pack_file(graph, self.interner))

    def write(self, transaction: WriteTransaction) -> None:
        # Files that were never in the graph (skipped ones) have no number and no rows.
        removed = [self.interner[path] for path in self.batch.dropped if path in self.interner]
        # Numbered before anything is forgotten: a file without a graph still has search rows.
        numbers = {row.path: self.interner[row.path] for row in self.batch.parsed}
        if self.full:
            self._write_all(transaction)
        else:
            self.changed = publish_changes(transaction, self.files, removed, self.interner)
            self._write_rows(transaction)
        if not self.graph_only:
            rows = [(numbers[row.path], row.path, _load(row.prepared)) for row in self.batch.parsed]
            lexical.publish(transaction, rows, removed, self.full)
        transaction.put(keys.META, keys.BUILDER_KEY, self.builder)
        transaction.put(keys.META, keys.ALIASES_KEY, orjson.dumps(self.links))
        transaction.finish()

    def _write_all(self, transaction: WriteTransaction) -> None:
        self.changed = len(self.files)
        for name in (keys.MANIFEST, keys.FACTS, keys.SCORES, *keys.SEARCH_DATABASES):
            transaction.clear(name)
        publish_all(transaction, self.files, self.interner)
        entries = sorted((keys.text_key(row.path), encode_entry(row)) for row in self.batch.entries)
        transaction.put_many(keys.MANIFEST, entries, append=True)
        order = sorted((keys.text_key(row.path), row) for row in self.batch.parsed if row.facts)
        facts = ((key, encode_facts(row.path, row.facts)) for key, row in order)
        transaction.put_many(keys.FACTS, facts, append=True)
        scores = rank_files(self.files, self.interner.next_node)
        store_ranks(transaction, scores, transaction.generation)

    def _write_rows(self, transaction: WriteTransaction) -> None:
        for path in self.batch.dropped:
            transaction.delete(keys.FACTS, keys.text_key(path))
        for path in self.batch.gone:
            transaction.delete(keys.MANIFEST, keys.text_key(path))
        for entry in self.batch.entries:
            transaction.put(keys.MANIFEST, keys.text_key(entry.path), encode_entry(entry))
        for row in self.batch.parsed:
            key = keys.text_key(row.path)
            if row.facts:
                transaction.put(keys.FACTS, key, encode_facts(row.path, row.facts))
            else:
                transaction.delete(keys.FACTS, key)


def _load(data: bytes) -> dict[str, object] | None:
    return marshal.loads(data) if data else None  # noqa: S302
