"""Brings the index up to date with the files: walk, compare, parse, resolve, publish.

Everything before the publication only reads, and the publication is one commit: a run that is killed
or interrupted leaves the generation that was there. An `Indexer` that stays alive keeps manifest,
node numbers and the solver's state, so that one edited file costs milliseconds.
"""

import ctypes
import errno
import gc
import os
import time
from collections.abc import Callable, Collection, Iterator
from functools import partial
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, NamedTuple, Self

from agrama.errors import StoreFormatError, StoreFullError, ToolError
from agrama.graph import keys
from agrama.graph.format import FileEntry, decode_entry, encode_entry
from agrama.graph.model import FileGraph
from agrama.graph.progress import clear_progress, write_progress
from agrama.graph.store import Reader, Store, WriteTransaction, set_aside
from agrama.indexer.batch import Batch, Progress, Tell, parse_changes
from agrama.indexer.changes import Changes, find_changes
from agrama.indexer.pool import PARSE_SECONDS, Pool
from agrama.indexer.report import Clock, Report
from agrama.indexer.resolution import Resolution
from agrama.indexer.settle import Settled, Settling
from agrama.indexer.spill import Spill
from agrama.indexer.vectors import Vectors, read_model_name
from agrama.indexer.version import code_version
from agrama.indexer.walk import MAX_FILE_BYTES, look, walk
from agrama.indexer.worker import GRAPH_ONLY

if TYPE_CHECKING:
    from agrama.graph.publish import Interner

_FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
_WORD_SECONDS = 0.5  # between two words to other processes; a rename over a file costs milliseconds


class Options(NamedTuple):
    """How to index."""

    graph_only: bool = False
    full: bool = False  # parse everything again
    max_bytes: int = MAX_FILE_BYTES
    ignore: tuple[str, ...] = ()  # patterns beside those of .agramaignore
    workers: int | None = None
    parse_seconds: float = PARSE_SECONDS
    model: str | None = (
        None  # what makes the vectors: None for that of the index, or the shipped one
    )
    resident: bool = False  # keep what the next run can use
    exact_registers: int = 4_000  # a resident indexer solves programs up to this size at once


class Indexer:
    """Keeps one repository's index; its owner holds the lock."""

    def __init__(
        self, root: Path, options: Options | None = None, tell: Tell | None = None
    ) -> None:
        self.root = Path(os.path.realpath(root))
        self.folder = keys.repository_folder(self.root)
        self.options = options or Options()
        self._tell_caller = tell
        self._next_word = 0.0
        self.store, self._message = open_for_indexing(self.folder)
        self._manifest: dict[str, FileEntry] | None = None
        self._interner: Interner | None = None
        self._links: dict[str, str] = {}
        self._resolution = Resolution(
            self.store,
            self.folder,
            resident=self.options.resident,
            exact_registers=self.options.exact_registers,
        )
        self._vectors = Vectors(self.options.model or read_model_name(self.store))
        self._pool = Pool(
            self.root,
            max_bytes=self.options.max_bytes,
            mode=GRAPH_ONLY if self.options.graph_only else self._vectors.worker_mode,
            size=self.options.workers,
            parse_seconds=self.options.parse_seconds,
        )

    def run(self) -> Report:
        """One pass over the whole repository."""
        if not self.root.is_dir():  # unmounted or moved: that is no reason to forget everything
            raise ToolError(f"{self.root} is not a directory: give the repository's root")
        report = self._begin_report()
        clock = Clock(report.seconds)
        found = walk(self.root, max_bytes=self.options.max_bytes, ignore=self.options.ignore)
        clock.lap("walk")
        with self.store.read() as reader:
            report.full = self._must_rebuild(reader)
            unsettled = reader.get(keys.META, keys.UNSETTLED_KEY) is not None
        manifest = {} if report.full else self.manifest()
        changes = find_changes(found, manifest)
        clock.lap("compare")
        self._links = found.links
        must = report.full or (unsettled and not self.options.resident)
        self._apply(changes, manifest, report, clock, must=must)
        return self._end_report(report)

    def refresh(self, paths: Collection[str]) -> Report:
        """Look at these paths only: they are all that changed."""
        report = self._begin_report()
        clock = Clock(report.seconds)
        manifest = self.manifest()
        max_bytes, ignore = self.options.max_bytes, self.options.ignore
        found = look(self.root, paths, manifest, max_bytes=max_bytes, ignore=ignore)
        changes = find_changes(found, manifest, paths)
        clock.lap("walk")
        self._apply(changes, manifest, report, clock)
        return self._end_report(report)

    def manifest(self) -> dict[str, FileEntry]:
        """What the index knows of each path."""
        if self._manifest is not None:
            return self._manifest
        with self.store.read() as reader:
            rows = (decode_entry(row) for _, row in reader.scan(keys.MANIFEST))
            manifest = {entry.path: entry for entry in rows}
        self._manifest = manifest if self.options.resident else None
        return manifest

    def prepare(self) -> None:
        """Read now what the first edit would have to wait for."""
        self.manifest()
        self._resolution.prepare(self._links)
        if self._interner is None:
            self._interner = self._read_interner()

    def begin_settling(self, done: Callable[[Settled], None]) -> Settling | None:
        """Start the exact resolution beside us; None when what is published is exact."""
        with self.store.read() as reader:
            if reader.get(keys.META, keys.UNSETTLED_KEY) is None:
                return None
            return Settling(self.folder, reader.generation, done)

    def finish_settling(self, settled: Settled) -> Report | None:
        """Publish the exact graphs, unless the index has moved on since they were begun."""
        from agrama.indexer.publication import Publication

        report = self._begin_report()
        with self.store.read() as reader:
            if settled.graphs is None or reader.generation != settled.generation:
                return None
        interner = self._interner or self._read_interner()
        empty = Batch(Spill(self.folder), Spill(self.folder))
        publication = Publication(
            interner,
            self._builder(),
            report.full,
            self.options.graph_only,
            self._links,
            empty,
        )
        publication.pack(settled.graphs)
        self.store.write(publication.write)
        interner.fresh.clear()
        report.changed, report.rewritten = True, publication.changed
        return self._end_report(report)

    def tidy(self) -> None:
        """What can wait for a quiet moment: ranks, durability, slots of dead readers."""
        from agrama.graph.pagerank import ranked_generation, store_ranks, weigh_uses
        from agrama.graph.uses import read_uses

        with self.store.read() as reader:
            fresh = ranked_generation(reader) == reader.generation
            generation = reader.generation
            ranks = None if fresh else weigh_uses(read_uses(reader))
        if ranks is not None:
            self.store.write(partial(store_ranks, ranks=ranks, generation=generation))
        self.store.sync()
        self.store.check_readers()

    def close(self) -> None:
        self._pool.close()
        self.store.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.close()

    def _apply(
        self,
        changes: Changes,
        manifest: dict[str, FileEntry],
        report: Report,
        clock: Clock,
        *,
        must: bool = False,
    ) -> None:
        """Parse, resolve and publish; on any error the resident state is dropped with the attempt."""
        if not changes and not must:
            return
        try:
            batch = parse_changes(self._pool, changes, manifest, self.folder, self._tell)
            clock.lap("parse")
            report.parsed, report.removed = len(batch.parsed), len(batch.dropped)
            report.problems = batch.problems
            if batch.changes_graph or must:
                self._publish(batch, report, clock)
            else:
                self._write_entries(batch)
            self._remember(batch, full=report.full)
        except OSError as error:
            self._forget()
            if error.errno not in _FULL:
                raise
            raise StoreFullError(
                f"The disk with {self.folder} is full: free some space; the old index is intact"
            ) from error
        except BaseException:
            self._forget()
            raise
        finally:
            clear_progress(self.folder)

    def _publish(self, batch: Batch, report: Report, clock: Clock) -> None:
        from agrama.graph.publish import Interner
        from agrama.indexer.publication import Publication

        # Resolving needs the memory; one worker is enough for the next edit.
        self._pool.shrink(1 if self.options.resident else 0)
        interner = Interner() if report.full else self._interner or self._read_interner()
        publication = Publication(
            interner,
            self._builder(),
            report.full,
            self.options.graph_only,
            self._links,
            batch,
            self._resolution.is_exact(batch, full=report.full),
            Spill(self.folder) if report.full else {},
        )
        publication.pack(self._resolve(batch, full=report.full))
        clock.lap("resolve")
        report.settled = publication.exact
        if publication.exact:
            release_memory()
        if not self.options.graph_only:
            publication.model = self._vectors.make(batch.prepared, self._tell, full=report.full)
            clock.lap("embed")
        self._tell(Progress("publish", 0, 0))
        if report.full:
            publication.finish_whole(Spill(self.folder))
            if not self.options.resident:
                interner.clear()
                interner.fresh.clear()
            publication.write_facts(self.store)
            _trim()
        self.store.write(publication.write)
        interner.fresh.clear()
        if self.options.resident:
            self._interner = interner
        clock.lap("publish")
        if not self.options.resident or report.full:
            self.store.sync()
            clock.lap("sync")
        report.changed = True
        report.rewritten = publication.changed

    def _resolve(self, batch: Batch, *, full: bool) -> Iterator[FileGraph]:
        """The graphs of all files, or of those that may have changed."""
        from agrama.indexer.declare import declare_file

        edges = 0
        graphs = self._resolution.graphs(batch, self._links, full=full)
        for done, graph in enumerate(graphs, 1):
            edges += len(graph.edges)
            self._tell(Progress("resolve", done, 0, edges=edges))
            yield graph
        for row in batch.parsed:
            if row.path not in batch.facts:
                yield declare_file(row.path, row.language)

    def _read_interner(self) -> "Interner":
        from agrama.graph.publish import read_interner

        with self.store.read() as reader:
            return read_interner(reader)

    def _write_entries(self, batch: Batch) -> None:
        """Files that were touched but say the same, or are skipped: no new generation."""

        def write(transaction: WriteTransaction) -> None:
            for path in batch.gone:
                transaction.delete(keys.MANIFEST, keys.text_key(path))
            for row in batch.entries:
                transaction.put(keys.MANIFEST, keys.text_key(row.path), encode_entry(row))

        if batch.entries or batch.gone:
            self.store.write(write)
            if not self.options.resident:
                self.store.sync()

    def _remember(self, batch: Batch, *, full: bool) -> None:
        if not self.options.resident:
            return
        if full or self._manifest is None:
            self._manifest = {}
        for path in batch.gone:
            self._manifest.pop(path, None)
        self._manifest.update((entry.path, entry) for entry in batch.entries)

    def _forget(self) -> None:
        self._manifest = self._interner = None
        self._resolution.forget()

    def _must_rebuild(self, reader: Reader) -> bool:
        value = reader.get(keys.META, keys.BUILDER_KEY)
        unfinished = reader.get(keys.META, keys.REBUILD_KEY) is not None
        return self.options.full or unfinished or value is None or value != self._builder()

    def _builder(self) -> bytes:
        return code_version() + (
            b" graph-only" if self.options.graph_only else self._vectors.version()
        )

    def _begin_report(self) -> Report:
        report = Report(str(self.root), str(self.folder), message=self._message)
        self._message = None
        return report

    def _end_report(self, report: Report) -> Report:
        with self.store.read() as reader:
            report.generation = reader.generation
        return report

    def _tell(self, progress: Progress) -> None:
        if self._tell_caller is not None:
            self._tell_caller(progress)
        now = time.monotonic()
        if now >= self._next_word:
            self._next_word = now + _WORD_SECONDS
            row = {"phase": progress.phase, "done": progress.done, "total": progress.total}
            write_progress(self.folder, row)


def release_memory() -> None:
    """Give back what resolving took before the publication takes its own; gc sees no cycles here."""
    gc.unfreeze()
    gc.collect()
    _trim()


def _trim() -> None:
    libc = ctypes.CDLL(None)
    if hasattr(libc, "malloc_trim"):  # glibc keeps freed memory otherwise
        libc.malloc_trim(0)


def open_for_indexing(folder: Path) -> tuple[Store, str | None]:
    """The index to write to; an unusable one is set aside, and the message says why."""
    try:
        return Store.open(folder, create=True), None
    except StoreFormatError as error:
        aside = set_aside(folder)
        reason = error.message.partition(": ")[0]
        message = f"{reason}; it was set aside as {aside} and is built anew"
        return Store.open(folder, create=True), message
