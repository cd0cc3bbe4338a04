"""Everything one generation writes, gathered beforehand and written by one transaction."""

import marshal
from collections.abc import Iterable, MutableMapping
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import orjson

from agrama.graph import keys, lexical
from agrama.graph.embedding import Model
from agrama.graph.format import encode_entry, encode_facts
from agrama.graph.model import FileGraph
from agrama.graph.pagerank import Ranks, store_ranks, weigh_uses
from agrama.graph.publish import (
    Interner,
    PackedFile,
    PackedNames,
    join_edges,
    pack_file,
    pack_names,
    publish_all,
    publish_changes,
)
from agrama.graph.store import Store, WriteTransaction
from agrama.graph.uses import collect_uses
from agrama.indexer.batch import Batch

_FACTS_AT_ONCE = 1_000  # files: some 16 MB


@dataclass(slots=True)
class Publication:
    """One generation to be. `write` may run more than once and has no effect but on its transaction."""

    interner: Interner
    builder: bytes
    full: bool
    graph_only: bool
    links: dict[str, str]
    batch: Batch
    exact: bool = True
    symbols: MutableMapping[str, bytes] = field(default_factory=dict)  # rows of symbols, by path
    files: list[PackedFile] = field(default_factory=list)
    names: PackedNames = field(default_factory=lambda: PackedNames(1, {}))  # of a whole graph
    numbers: dict[str, int] = field(default_factory=dict)  # nodes of files, by path
    ranks: Ranks | None = None  # of a whole graph
    model: Model | None = None  # what made the vectors of a whole index
    changed: int = 0

    def pack(self, graphs: Iterable[FileGraph]) -> None:
        """Turn graphs into rows, one by one, so that they need not all be there at once."""
        for graph in graphs:
            self.files.append(pack_file(graph, self.interner, self.symbols))
        # Numbered before anything is forgotten: a file without a graph still has search rows.
        self.numbers = {row.path: self.interner[row.path] for row in self.batch.parsed}

    def finish_whole(self, names: MutableMapping[str, bytes]) -> None:
        """Order and weigh a whole graph before the transaction needs the memory.

        Names go into `names`; the interner is not needed any more then.
        """
        self.files = join_edges(self.files)
        self.ranks = weigh_uses(collect_uses(self.files, self.interner.next_node))
        self.names = pack_names(self.interner, names)

    def write(self, transaction: WriteTransaction) -> None:
        # Files that were never in the graph (skipped ones) have no number and no rows.
        removed = [self.interner[path] for path in self.batch.dropped if path in self.interner]
        if self.full:
            self._write_all(transaction)
        else:
            self.changed = publish_changes(transaction, self.files, removed, self.interner)
            self._write_rows(transaction)
        if not self.graph_only:
            rows = [(node, path, self._read_prepared(path)) for path, node in self.numbers.items()]
            lexical.publish(transaction, rows, removed, self.full, self.model)
        if self.exact:
            transaction.delete(keys.META, keys.UNSETTLED_KEY)
        else:
            transaction.put(keys.META, keys.UNSETTLED_KEY, b"")
        transaction.put(keys.META, keys.BUILDER_KEY, self.builder)
        transaction.put(keys.META, keys.ALIASES_KEY, orjson.dumps(self.links))
        transaction.finish()

    def write_facts(self, store: Store) -> None:
        """Store all facts ahead of the rest, some at a time: in one transaction they fill memory.

        Readers do not use facts. Until the publication the index is marked as being rebuilt, so
        that a run that ends here is followed by one that begins anew.
        """
        order = sorted((keys.text_key(path), path) for path in self.batch.facts)
        store.write(_begin_rebuild)
        for start in range(0, len(order), _FACTS_AT_ONCE):
            part = order[start : start + _FACTS_AT_ONCE]
            rows = [(key, encode_facts(path, self.batch.facts[path])) for key, path in part]
            store.write(partial(_append_facts, rows))

    def _read_prepared(self, path: str) -> dict[str, Any] | None:
        if path not in self.batch.prepared:
            return None
        value: dict[str, Any] = marshal.loads(self.batch.prepared[path])  # noqa: S302
        return value

    def _write_all(self, transaction: WriteTransaction) -> None:
        self.changed = len(self.files)
        for name in (keys.MANIFEST, keys.SCORES, *keys.SEARCH_DATABASES):
            transaction.clear(name)
        publish_all(transaction, self.files, self.names)
        entries = sorted((keys.text_key(row.path), encode_entry(row)) for row in self.batch.entries)
        transaction.put_many(keys.MANIFEST, entries, append=True)
        if self.ranks is not None:
            store_ranks(transaction, self.ranks, transaction.generation)
        transaction.delete(keys.META, keys.REBUILD_KEY)

    def _write_rows(self, transaction: WriteTransaction) -> None:
        for path in self.batch.dropped:
            transaction.delete(keys.FACTS, keys.text_key(path))
        for path in self.batch.gone:
            transaction.delete(keys.MANIFEST, keys.text_key(path))
        for entry in self.batch.entries:
            transaction.put(keys.MANIFEST, keys.text_key(entry.path), encode_entry(entry))
        for row in self.batch.parsed:
            key = keys.text_key(row.path)
            if row.path in self.batch.facts:
                facts = encode_facts(row.path, self.batch.facts[row.path])
                transaction.put(keys.FACTS, key, facts)
            else:
                transaction.delete(keys.FACTS, key)


def _begin_rebuild(transaction: WriteTransaction) -> None:
    transaction.put(keys.META, keys.REBUILD_KEY, b"")
    transaction.clear(keys.FACTS)


def _append_facts(rows: Iterable[tuple[bytes, bytes]], transaction: WriteTransaction) -> None:
    transaction.put_many(keys.FACTS, rows, append=True)
