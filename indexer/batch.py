"""The parsing step: suspects go to the workers, results are sorted into what a publication needs."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from agrama.graph.format import FileEntry
from agrama.indexer.changes import Changes
from agrama.indexer.pool import Pool
from agrama.indexer.spill import Spill
from agrama.indexer.walk import Found, language_name
from agrama.indexer.worker import Parsed, Task

KEPT = ("ok", "partial")


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a run is."""

    phase: str  # parse, resolve, embed or publish
    done: int
    total: int
    symbols: int = 0
    edges: int = 0


Tell = Callable[[Progress], None]


@dataclass(slots=True)
class Batch:
    """What reading the suspects gave, in order of path."""

    facts: Spill  # by path, for files whose language has a front end
    prepared: Spill  # by path, for the search index
    entries: list[FileEntry] = field(default_factory=list)  # manifest rows to write
    parsed: list[Parsed] = field(default_factory=list)  # read anew; their data is in the spills
    dropped: list[str] = field(default_factory=list)  # were in the graph, are not any more
    gone: list[str] = field(default_factory=list)  # manifest rows to take away
    problems: dict[str, str] = field(default_factory=dict)

    @property
    def changes_graph(self) -> bool:
        return bool(self.parsed or self.dropped)


def parse_changes(
    pool: Pool, changes: Changes, manifest: Mapping[str, FileEntry], folder: Path, tell: Tell
) -> Batch:
    """Read every suspect; one that says what it said before only gets a new stamp."""
    batch = Batch(Spill(folder), Spill(folder), list(changes.skipped), gone=list(changes.removed))
    out = changes.removed + [entry.path for entry in changes.skipped]
    batch.dropped = [path for path in out if path in manifest and manifest[path].status in KEPT]
    found = {file.path: file for file in changes.suspects}
    symbols = 0
    for done, result in enumerate(pool.parse(_make_tasks(changes, manifest)), 1):
        _sort_result(result, manifest.get(result.path), found[result.path], batch)
        symbols += result.symbols
        tell(Progress("parse", done, len(found), symbols))
    batch.entries.sort(key=lambda entry: entry.path)
    batch.parsed.sort()
    batch.dropped.sort()
    return batch


def _make_tasks(changes: Changes, manifest: Mapping[str, FileEntry]) -> Sequence[Task]:
    """Largest files first, so that none is left alone at the end."""
    tasks = []
    for file in sorted(changes.suspects, key=lambda file: (-file.size, file.path)):
        entry = manifest.get(file.path)
        digest = entry.content_hash if entry and entry.status in KEPT else ""
        tasks.append(Task(file.path, language_name(file.path), digest))
    return tasks


def _sort_result(result: Parsed, old: FileEntry | None, file: Found, batch: Batch) -> None:
    if result.problem:
        batch.problems[result.path] = result.problem
    if result.status == "gone":
        if old is not None:
            batch.gone.append(result.path)
        if old is not None and old.status in KEPT:
            batch.dropped.append(result.path)
        return
    status, reason, language = result.status, result.reason, result.language
    if status == "same" and old is not None:
        status, reason, language = old.status, old.reason, old.language
    elif status in KEPT:
        _keep(result, batch)
    elif old is not None and old.status in KEPT:
        batch.dropped.append(result.path)
    stamp = result.size, result.mtime_ns, result.ctime_ns
    if not result.digest:  # never read: the walk's stamp keeps it from being tried each time
        stamp = file.size, file.mtime_ns, file.ctime_ns
    batch.entries.append(FileEntry(result.path, *stamp, result.digest, status, reason, language))


def _keep(result: Parsed, batch: Batch) -> None:
    if result.facts:
        batch.facts[result.path] = result.facts
    if result.prepared:
        batch.prepared[result.path] = result.prepared
    batch.parsed.append(result._replace(facts=b"", prepared=b""))
