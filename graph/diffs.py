"""Unified diffs, read for what they change: files, line ranges on both sides, and words."""

import re
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
    reader = _Reader()
    for line in text.splitlines():
        reader.read(line)
    return reader.files


class _Reader:
    """Walks a diff line by line; a hunk's header says how many lines belong to it."""

    def __init__(self) -> None:
        self.files: list[FileDiff] = []
        self._old_path: str | None = None
        self._old = self._new = 0  # the numbers of the next lines
        self._old_left = self._new_left = 0

    def read(self, line: str) -> None:
        if self._old_left > 0 or self._new_left > 0:
            self._read_changed(line)
        elif line.startswith("--- "):
            self._old_path = _path(line)
        elif line.startswith("+++ "):
            self.files.append(FileDiff(self._old_path, _path(line)))
        elif self.files and (hunk := _HUNK.match(line)):
            self._old, self._new = int(hunk[1]), int(hunk[3])
            self._old_left = 1 if hunk[2] is None else int(hunk[2])
            self._new_left = 1 if hunk[4] is None else int(hunk[4])
            self._old += self._old_left == 0  # `-7,0` inserts after line 7

    def _read_changed(self, line: str) -> None:
        file = self.files[-1]
        mark = line[:1]
        if mark == "-":
            file.removed.append((self._old, line[1:]))
            file.old_ranges.append((self._old, self._old))
        elif mark == "+":
            file.added.append((self._new, line[1:]))
            file.new_ranges.append((self._new, self._new))
            before = max(1, self._old - 1)
            if not file.old_ranges or file.old_ranges[-1][1] < before:
                # An insertion changes what it is inserted into: the line before it.
                file.old_ranges.append((before, before))
        elif mark == "\\":
            return  # "No newline at end of file" counts for neither side
        if mark in "+-":
            file.words.extend(_WORD.findall(line))
        if mark != "+":
            self._old, self._old_left = self._old + 1, self._old_left - 1
        if mark != "-":
            self._new, self._new_left = self._new + 1, self._new_left - 1


def _path(line: str) -> str | None:
    path = line[4:].split("\t")[0].strip()
    if path == _NO_FILE:
        return None
    return path[2:] if path[:2] in ("a/", "b/") else path
