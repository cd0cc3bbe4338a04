"""Cut a snippet out of a chunk: the lines where the words of the query stand."""

from collections.abc import Sequence
from functools import lru_cache, partial
from typing import NamedTuple

MAX_LINES = 24
MAX_CHARS = 2_000
_LINES_BEFORE = 2
_PLACES = 4  # occurrences of one word that are looked at
_SHORTEST = 3  # shorter words stand inside others
_LONG_WORD = 5


class Snippet(NamedTuple):
    """Some lines, the number of the first, and the numbers of those that say a word of the query."""

    text: str
    start_line: int
    highlighted_lines: tuple[int, ...]


# A named tuple's own constructor is a Python function.
_snippet = partial(tuple.__new__, Snippet)


def cut_snippet(text: str, start_line: int, words: Sequence[str]) -> Snippet:
    """The part of a text that says most of the words; its beginning when none is there."""
    marks = _mark_lines(text.lower(), words)
    count = text.count("\n") + 1
    if count <= MAX_LINES and len(text) <= MAX_CHARS:
        said = {start_line + line for line, _ in marks}
        return _snippet((text, start_line, tuple(sorted(said))))
    first = _choose_start(count, marks)
    lines = _limit(text.split("\n", first + MAX_LINES)[first : first + MAX_LINES])
    after = first + len(lines)
    said = {start_line + line for line, _ in marks if first <= line < after}
    return _snippet(("\n".join(lines), start_line + first, tuple(sorted(said))))


def _mark_lines(lowered: str, words: Sequence[str]) -> list[tuple[int, int]]:
    """(line, word number) of the first occurrences of each word's beginning."""
    marks = []
    find, count = lowered.find, lowered.count
    for number, word in enumerate(words):
        start = _begin(word)
        at = find(start) if start else -1
        line = counted = places = 0
        while at >= 0 and places < _PLACES:
            line += count("\n", counted, at)
            counted = at
            places += 1
            marks.append((line, number))
            at = find(start, at + len(start))
    return marks


@lru_cache(maxsize=4_096)
def _begin(word: str) -> str:
    """What to look for: the end of a long word is grammar, as a stem would show."""
    if len(word) < _SHORTEST:
        return ""
    return word.lower() if len(word) <= _LONG_WORD else word.lower()[: -len(word) // 4]


def _choose_start(count: int, marks: Sequence[tuple[int, int]]) -> int:
    """The first line of the window that holds most different words, the earliest of equals."""
    if count <= MAX_LINES or not marks:
        return 0
    last = count - MAX_LINES
    starts = {0}
    for line, _ in marks:
        start = line - _LINES_BEFORE
        if start > 0:
            starts.add(start if start < last else last)
    best, best_said = 0, -1
    for start in sorted(starts):
        end = start + MAX_LINES
        said = len({number for line, number in marks if start <= line < end})
        if said > best_said:
            best, best_said = start, said
    return best


def _limit(lines: Sequence[str]) -> list[str]:
    """At most MAX_CHARS, whole lines; a first line longer than that is cut."""
    if sum(map(len, lines)) + len(lines) <= MAX_CHARS:
        return list(lines)
    shown: list[str] = []
    room = MAX_CHARS
    for line in lines:
        if len(line) > room:
            if not shown:
                shown.append(line[:MAX_CHARS])
            break
        shown.append(line)
        room -= len(line) + 1
    return shown
