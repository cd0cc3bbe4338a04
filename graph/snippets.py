"""Cut a snippet out of a chunk: the lines where the words of the query stand."""

from collections.abc import Sequence
from functools import lru_cache
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


def cut_snippet(text: str, start_line: int, words: Sequence[str]) -> Snippet:
    """The part of a text that says most of the words; its beginning when none is there."""
    marks = _mark_lines(text.lower(), words)
    count = text.count("\n") + 1
    first = _choose_start(count, marks)
    if count <= MAX_LINES and len(text) <= MAX_CHARS:
        shown, after = text, count
    else:
        lines = _limit(text.split("\n", first + MAX_LINES)[first : first + MAX_LINES])
        shown, after = "\n".join(lines), first + len(lines)
    highlighted = sorted({start_line + line for line, _ in marks if first <= line < after})
    return Snippet(shown, start_line + first, tuple(highlighted))


def _mark_lines(lowered: str, words: Sequence[str]) -> list[tuple[int, int]]:
    """(line, word number) of the first occurrences of each word's beginning."""
    marks = []
    for number, word in enumerate(words):
        start = _begin(word)
        at = lowered.find(start) if start else -1
        line = counted = places = 0
        while at >= 0 and places < _PLACES:
            line += lowered.count("\n", counted, at)
            counted = at
            places += 1
            marks.append((line, number))
            at = lowered.find(start, at + len(start))
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
    starts = {0, *(max(0, min(line - _LINES_BEFORE, count - MAX_LINES)) for line, _ in marks)}
    best, best_said = 0, -1
    for start in sorted(starts):
        said = len({number for line, number in marks if start <= line < start + MAX_LINES})
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
