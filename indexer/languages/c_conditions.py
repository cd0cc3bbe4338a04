"""Conditional code that a grammar cannot read branch by branch.

The grammars of C read every branch of an `#if` as statements of its own. Where a branch opens a bracket that
it does not close, or stands within an expression, only one way through the text is a program: the first
branch is kept, the others and the directives are overwritten with blanks.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

_DIRECTIVE = re.compile(
    rb"^[ \t]*#[ \t]*(ifdef|ifndef|if|elif|elifdef|elifndef|else|endif)\b(?:[^\n\\]|\\[^\n]|\\\n)*",
    re.MULTILINE,
)
_SILENT = re.compile(  # comments, strings and other directives
    rb"//[^\n]*|/\*.*?\*/|\"(?:[^\"\\\n]|\\.)*\"|'(?:[^'\\\n]|\\.)*'|^[ \t]*#(?:[^\n\\]|\\[^\n]|\\\n)*",
    re.DOTALL | re.MULTILINE,
)
_NEVER = re.compile(rb"[ \t]*#[ \t]*if[ \t]+0\b")
_LAST_STATEMENT = re.compile(rb"[^;{}]*\Z")
_TAIL = 300  # bytes before a directive in which its last code is looked for
Span = tuple[int, int]


@dataclass(slots=True)
class _Branch:
    """A directive, the code behind it, and what that opens: braces, other brackets."""

    directive: Span
    never: bool
    end: int = 0
    braces: int = 0
    brackets: int = 0


@dataclass(slots=True)
class _Group:
    within: bool  # does it stand in the midst of a statement?
    depth: Span  # braces and brackets open before it
    tail: bytes  # the code before it
    branches: list[_Branch] = field(default_factory=list)


def keep_one_way(text: bytes) -> bytes:
    """The text with such code overwritten; as long as before."""
    blanked = sorted(_find_blanked(text))
    if not blanked:
        return text
    pieces, at = [], 0
    for start, end in blanked:
        if end > at:
            pieces += [
                text[at : max(at, start)],
                re.sub(rb"[^\n]", b" ", text[max(at, start) : end]),
            ]
            at = end
    return b"".join((*pieces, text[at:]))


def _find_blanked(text: bytes) -> Iterator[Span]:
    groups: list[_Group] = []
    braces = brackets = at = 0
    tail = b""  # the last code before a directive
    for found in _DIRECTIVE.finditer(text):
        opened = _count(text, at, found.start())
        tail = _last_code(text, at, found.start()) or tail
        braces, brackets = braces + opened[0], brackets + opened[1]
        word, span = found[1], found.span()
        if word.startswith(b"if"):
            within = braces > 0 and (brackets > 0 or _is_unfinished(tail))
            groups.append(_Group(within, (braces, brackets), tail))
        elif not groups:
            at = found.end()
            continue
        else:
            _close(groups[-1], found.start(), braces, brackets)
        group = groups[-1]
        group.branches.append(_Branch(span, _NEVER.match(text, found.start()) is not None))
        if word == b"endif":
            groups.pop()
            kept = _choose(group)
            braces, brackets = group.depth
            if kept is not None:
                braces, brackets = braces + kept.braces, brackets + kept.brackets
                yield from _blanks(group, kept)
        else:
            braces, brackets = group.depth
            tail = group.tail
        at = found.end()


def _close(group: _Group, end: int, braces: int, brackets: int) -> None:
    branch = group.branches[-1]
    branch.end = end
    branch.braces, branch.brackets = braces - group.depth[0], brackets - group.depth[1]


def _choose(group: _Group) -> _Branch | None:
    """The branch to keep; None where the grammar reads all of them."""
    branches = group.branches[:-1]
    if not group.within and not any(each.braces or each.brackets for each in branches):
        return None
    return next((each for each in branches if not each.never), branches[0])


def _blanks(group: _Group, kept: _Branch) -> Iterator[Span]:
    for branch in group.branches:
        yield branch.directive
        if branch is not kept and branch.end > branch.directive[1]:
            yield branch.directive[1], branch.end


def _count(text: bytes, start: int, end: int) -> Span:
    """Braces and other brackets that a piece of text opens and does not close."""
    braces = text.count(b"{", start, end) - text.count(b"}", start, end)
    brackets = text.count(b"(", start, end) - text.count(b")", start, end)
    if not braces and not brackets:
        return 0, 0
    code = _SILENT.sub(b"", text[start:end])
    return code.count(b"{") - code.count(b"}"), code.count(b"(") - code.count(b")")


def _last_code(text: bytes, start: int, end: int) -> bytes:
    return _SILENT.sub(b"", text[max(start, end - _TAIL) : end]).rstrip()


def _is_unfinished(code: bytes) -> bool:
    """Does code end in the midst of a statement, or of template arguments?"""
    if code[-1:] == b",":
        last = _LAST_STATEMENT.search(code)
        return last is not None and b"<" in last[0]
    return bool(code) and code[-1:] not in b";{}:"
