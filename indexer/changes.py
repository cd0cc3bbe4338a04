"""What differs between the files on disk and those in the index."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from agrama.graph.format import FileEntry
from agrama.indexer.walk import Found, Walk

# Reasons that another look at the same content may not repeat.
_TRANSIENT = frozenset(("unreadable",))


@dataclass(slots=True)
class Changes:
    """Files to read again, and rows of the manifest to write or take away, in order of path."""

    suspects: list[Found] = field(default_factory=list)  # new, or their stamp differs
    skipped: list[FileEntry] = field(default_factory=list)  # left out by the walk, not so recorded
    removed: list[str] = field(default_factory=list)

    def __bool__(self) -> bool:
        return bool(self.suspects or self.skipped or self.removed)


def find_changes(
    found: Walk, manifest: Mapping[str, FileEntry], only: Iterable[str] | None = None
) -> Changes:
    """Compare a walk with the manifest; `only` are the paths that were looked at, None for all."""
    changes = Changes()
    for file in found.files:
        entry = manifest.get(file.path)
        if entry is None or not _is_same(file, entry):
            changes.suspects.append(file)
    for path, reason in sorted(found.skipped.items()):
        entry = manifest.get(path)
        if entry is None or entry.status != "skipped" or entry.reason != reason:
            changes.skipped.append(FileEntry(path, 0, 0, 0, "", "skipped", reason, None))
    seen = {file.path for file in found.files} | found.skipped.keys()
    looked_at = manifest if only is None else (path for path in only if path in manifest)
    changes.removed = sorted(path for path in looked_at if path not in seen)
    return changes


def _is_same(file: Found, entry: FileEntry) -> bool:
    stamp = entry.size, entry.mtime_ns, entry.ctime_ns
    return stamp == (file.size, file.mtime_ns, file.ctime_ns) and entry.reason not in _TRANSIENT
