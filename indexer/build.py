"""Brings the index up to date with the files: walk, compare, parse, resolve, publish.

The steps are the functions of `Indexer.run`, in that order. Everything before the publication only
reads, and the publication is one commit: a run that is killed or interrupted leaves the generation
that was there.
"""

import hashlib
import marshal
import os
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self

from agrama import __version__
from agrama.errors import StoreFormatError
from agrama.graph import keys
from agrama.graph.format import FileEntry, decode_entry, decode_facts, encode_entry
from agrama.graph.model import FileGraph
from agrama.graph.progress import clear_progress, write_progress
from agrama.graph.store import Reader, Store, WriteTransaction, set_aside
from agrama.indexer.changes import Changes, find_changes
from agrama.indexer.pool import PARSE_SECONDS, Pool
from agrama.indexer.report import Report
from agrama.indexer.walk import MAX_FILE_BYTES, Found, Walk, language_name, walk
from agrama.indexer.worker import Parsed, Task

if TYPE_CHECKING:
    from agrama.indexer.publication import Publication

Tell = Callable[[str, int, int], None]
_KEPT = ("ok", "partial")
_WORD_SECONDS = 0.2  # between two words to other processes on how far we are


@dataclass(frozen=True, slots=True)
class Options:
    """How to index."""

    graph_only: bool = False
    full: bool = False  # parse everything again
    max_bytes: int = MAX_FILE_BYTES
    workers: int | None = None
    parse_seconds: float = PARSE_SECONDS


@dataclass(slots=True)
class Batch:
    """The results of parsing, sorted into what the publication needs."""

    entries: list[FileEntry] = field(default_factory=list)  # manifest rows to write
    parsed: list[Parsed] = field(default_factory=list)  # read anew, in order of path
    dropped: list[str] = field(default_factory=list)  # no longer indexed


class Indexer:
    """Keeps one repository's index; the caller holds the lock."""

    def __init__(
        self, root: Path, options: Options | None = None, tell: Tell | None = None
    ) -> None:
        self.root = Path(os.path.realpath(root))
        self.folder = keys.repository_folder(self.root)
        self.options = options or Options()
        self._tell_caller = tell
        self._next_word = 0.0
        self.store, self.message = open_for_indexing(self.folder)
        self._pool = Pool(
            self.root,
            max_bytes=self.options.max_bytes,
            graph_only=self.options.graph_only,
            size=self.options.workers,
            parse_seconds=self.options.parse_seconds,
        )

    def run(self) -> Report:
        """One pass over the whole repository."""
        report = Report(str(self.root), str(self.folder), message=self.message)
        self.message = None
        clock = _Clock(report.seconds)
        found = walk(self.root, max_bytes=self.options.max_bytes)
        clock.lap("walk")
        with self.store.read() as reader:
            report.full = self.options.full or _read_builder(reader) != self._builder()
            manifest = {} if report.full else _read_manifest(reader)
        changes = find_changes(found, manifest)
        clock.lap("compare")
        report.files = len(found.files)
        try:
            if changes or report.full:
                self._update(found, changes, manifest, report, clock)
        finally:
            clear_progress(self.folder)
        with self.store.read() as reader:
            report.generation = reader.generation
        return report

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

    def _update(
        self,
        found: Walk,
        changes: Changes,
        manifest: dict[str, FileEntry],
        report: Report,
        clock: "_Clock",
    ) -> None:
        batch = self._parse(changes, manifest, report)
        clock.lap("parse")
        if not (batch.parsed or batch.dropped or report.full):
            self._write_stamps(batch)
            return
        graphs = self._resolve(found, manifest, batch, full=report.full)
        publication = self._pack(graphs, found, batch, report)
        clock.lap("resolve")
        self.store.write(publication.write)
        clock.lap("publish")
        self.store.sync()
        clock.lap("sync")
        report.changed = True
        report.updated_graphs = publication.changed

    def _parse(self, changes: Changes, manifest: dict[str, FileEntry], report: Report) -> Batch:
        """Read every suspect; what is unchanged after all only gets a new stamp."""
        batch = Batch(entries=list(changes.skipped))
        batch.dropped = changes.removed + [x.path for x in changes.skipped if x.path in manifest]
        stamps = {file.path: file for file in changes.suspects}
        total = len(stamps)
        for done, result in enumerate(self._pool.parse(_make_tasks(changes, manifest)), 1):
            self._tell("parse", done, total)
            _sort_result(result, manifest, stamps[result.path], batch)
            if result.problem:
                report.problems[result.path] = result.problem
        batch.parsed.sort()
        batch.dropped.sort()
        report.parsed = len(batch.parsed)
        report.removed = len(batch.dropped)
        return batch

    def _resolve(
        self, found: Walk, manifest: dict[str, FileEntry], batch: Batch, *, full: bool
    ) -> Iterator[FileGraph]:
        """The graphs of all files, or of those that may have changed."""
        from agrama.indexer.declare import declare_file

        fresh = {row.path: row for row in batch.parsed}
        with_facts = any(row.facts for row in batch.parsed) or bool(batch.dropped)
        if with_facts or full:
            facts = self._read_facts(fresh, set(batch.dropped), full=full)
            total = 0
            for total, graph in enumerate(resolve(facts, found.links), 1):
                self._tell("resolve", total, 0)
                yield graph
        for row in batch.parsed:
            if not row.facts:
                yield declare_file(row.path, row.language)

    def _read_facts(
        self, fresh: dict[str, Parsed], dropped: set[str], *, full: bool
    ) -> list[tuple[str, Any]]:
        """Facts of every file: those just parsed and those kept from before."""
        rows = [(path, row.facts) for path, row in fresh.items() if row.facts]
        if not full:
            with self.store.read() as reader:
                for _, value in reader.scan(keys.FACTS):
                    path, data = decode_facts(value)
                    if path not in fresh and path not in dropped:
                        rows.append((path, data))
        rows.sort()
        return [(path, marshal.loads(data)) for path, data in rows]  # noqa: S302

    def _pack(
        self, graphs: Iterable[FileGraph], found: Walk, batch: Batch, report: Report
    ) -> "Publication":
        from agrama.indexer.publication import begin_publication

        publication = begin_publication(
            self.store,
            builder=self._builder(),
            full=report.full,
            graph_only=self.options.graph_only,
            links=found.links,
            entries=batch.entries,
            parsed=batch.parsed,
            dropped=batch.dropped,
        )
        publication.pack(graphs)
        return publication

    def _write_stamps(self, batch: Batch) -> None:
        """Files that were touched but say the same: remember their stamps, keep the generation."""
        rows = [(keys.text_key(row.path), encode_entry(row)) for row in batch.entries]

        def write(transaction: WriteTransaction) -> None:
            for key, value in rows:
                transaction.put(keys.MANIFEST, key, value)

        if rows:
            self.store.write(write)
            self.store.sync()

    def _builder(self) -> bytes:
        """What the index was made by and how; an index made otherwise is made again."""
        return code_version() + (b" graph-only" if self.options.graph_only else b"")

    def _tell(self, phase: str, done: int, total: int) -> None:
        if self._tell_caller is not None:
            self._tell_caller(phase, done, total)
        now = time.monotonic()
        if now >= self._next_word:
            self._next_word = now + _WORD_SECONDS
            write_progress(self.folder, {"phase": phase, "done": done, "total": total})


class _Clock:
    """Notes how long each phase took."""

    def __init__(self, seconds: dict[str, float]) -> None:
        self._seconds = seconds
        self._last = time.perf_counter()

    def lap(self, phase: str) -> None:
        now = time.perf_counter()
        self._seconds[phase] = round(now - self._last, 4)
        self._last = now


def open_for_indexing(folder: Path) -> tuple[Store, str | None]:
    """The index to write to; an unusable one is set aside, and the message says why."""
    try:
        return Store.open(folder, create=True), None
    except StoreFormatError as error:
        aside = set_aside(folder)
        reason = error.message.partition(": run")[0]
        message = f"{reason}; it was set aside as {aside} and is built anew"
        return Store.open(folder, create=True), message


def resolve(files: list[tuple[str, Any]], links: dict[str, str]) -> Iterable[FileGraph]:
    """Find what names mean across files."""
    from agrama.indexer import resolve as package

    if not hasattr(package, "resolve"):
        from agrama.indexer.declare import declare_facts

        return (declare_facts(path, facts) for path, facts in files)
    graphs: Iterable[FileGraph] = package.resolve(files, links)
    return graphs


def code_version() -> bytes:
    """Changes whenever the code that makes an index does, released or not."""
    digest = hashlib.blake2b(__version__.encode(), digest_size=16)
    here = Path(__file__).resolve().parent
    for folder in (here, here.parent / "graph"):
        for path in sorted(folder.rglob("*")):
            if path.suffix in (".py", ".scm"):
                status = path.stat()
                digest.update(f"{path.name} {status.st_size} {status.st_mtime_ns}".encode())
    return digest.hexdigest().encode()


def _make_tasks(changes: Changes, manifest: dict[str, FileEntry]) -> Sequence[Task]:
    """Largest files first, so that none is left alone at the end."""
    order = sorted(changes.suspects, key=lambda file: (-file.size, file.path))
    tasks = []
    for file in order:
        entry = manifest.get(file.path)
        digest = entry.content_hash if entry and entry.status in _KEPT else ""
        tasks.append(Task(file.path, language_name(file.path), digest))
    return tasks


def _sort_result(result: Parsed, manifest: dict[str, FileEntry], file: Found, batch: Batch) -> None:
    old = manifest.get(result.path)
    if result.status == "gone":
        if old is not None:
            batch.dropped.append(result.path)
        return
    status, reason, language = result.status, result.reason, result.language
    if status == "same" and old is not None:
        status, reason, language = old.status, old.reason, old.language
    elif status in _KEPT:
        batch.parsed.append(result)
    elif old is not None and old.status in _KEPT:
        batch.dropped.append(result.path)
    stamp = result.size, result.mtime_ns, result.ctime_ns
    if not result.digest:  # never read: the walk's stamp keeps it from being tried each time
        stamp = file.size, file.mtime_ns, file.ctime_ns
    batch.entries.append(FileEntry(result.path, *stamp, result.digest, status, reason, language))


def _read_builder(reader: Reader) -> bytes | None:
    value = reader.get(keys.META, keys.BUILDER_KEY)
    return None if value is None else bytes(value)


def _read_manifest(reader: Reader) -> dict[str, FileEntry]:
    entries = (decode_entry(row) for _, row in reader.scan(keys.MANIFEST))
    return {entry.path: entry for entry in entries}
