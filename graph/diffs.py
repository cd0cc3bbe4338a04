"""Unified diffs, read for what they change: files, line ranges on both sides, and words."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

_HUNK = re.compile(r"@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@")
_WORD = re.compile(r"[A-Za-z_][A-Za-z_0-9]{2,}")
_NO_FILE = "/dev/null"


@dataclass(slots=True)
class FileDiff:
    """What a diff does to one file; a path is None where the file does not exist on that side."""

    old_path: str | None
    new_path: str | None
    old_ranges: list[tuple[int, int]] = field(default_factory=list)
    new_ranges: list[tuple[int, int]] = field(default_factory=list)
    removed: list[tuple[int, str]] = field(default_factory=list)  # old line number, text
    added: list[tuple[int, str]] = field(default_factory=list)  # new line number, text
    words: list[str] = field(default_factory=list)  # of changed lines, in order, with repeats


def parse_diff(text: str) -> list[FileDiff]:
    """The files of a unified diff, in order. Text that is no diff gives none."""
    return list(_files(text.splitlines()))


def _files(lines: list[str]) -> Iterator[FileDiff]:
    current: FileDiff | None = None
    old = new = old_left = new_left = 0
    for number, line in enumerate(lines):
        if current is not None and (old_left > 0 or new_left > 0):
            mark = line[:1]
            if mark == "-":
                current.removed.append((old, line[1:]))
                current.words.extend(_WORD.findall(line))
                old, old_left = old + 1, old_left - 1
                current.old_ranges.append((old - 1, old - 1))
            elif mark == "+":
                current.added.append((new, line[1:]))
                current.words.extend(_WORD.findall(line))
                new, new_left = new + 1, new_left - 1
                current.new_ranges.append((new - 1, new - 1))
                if not current.old_ranges or current.old_ranges[-1][1] < old - 1:
                    # An insertion changes what it is inserted into: the line before it.
                    current.old_ranges.append((max(1, old - 1), max(1, old - 1)))
            elif mark != "\\":
                old, new, old_left, new_left = old + 1, new + 1, old_left - 1, new_left - 1
            continue
        if line.startswith("--- ") and number + 1 < len(lines):
            if current is not None:
                yield current
            after = lines[number + 1]
            current = FileDiff(_path(line), _path(after) if after.startswith("+++ ") else None)
        elif current is not None and (hunk := _HUNK.match(line)):
            old, new = int(hunk[1]), int(hunk[3])
            old_left = 1 if hunk[2] is None else int(hunk[2])
            new_left = 1 if hunk[4] is None else int(hunk[4])
            old += old_left == 0  # `-7,0` inserts after line 7
    if current is not None:
        yield current


def _path(line: str) -> str | None:
    path = line[4:].split("\t")[0].strip()
    if path == _NO_FILE:
        return None
    return path[2:] if path[:2] in ("a/", "b/") else path
