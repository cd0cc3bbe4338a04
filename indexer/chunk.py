"""Cut a file into chunks at its definitions, and prepare what search keeps of it.

A chunk begins where a definition begins (its comments and decorators with it) once the chunk before
has MIN_CHARS; so small neighbours stay together, and what stands before the first definition (module
docstring, imports) is a chunk of its own. Text longer than MAX_LINES is cut at a blank line.
`prepare_file` is pure, runs in worker processes and returns only what marshal can carry.
"""

import re
from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import Any

from agrama.graph.chunks import encode_chunk
from agrama.graph.model import Kind
from agrama.graph.roles import read_roles
from agrama.graph.terms import (
    hash_compound,
    hash_definition,
    join_name,
    split_text,
    stem_terms,
)
from agrama.indexer.embed import embed_words
from agrama.indexer.facts import Definition, FileFacts, Variable
from agrama.indexer.outline import Outlined, guess_language, outline
from agrama.indexer.words import Chunk, count_words, weigh_words

MIN_CHARS = 500
MAX_LINES = 60
_SPLIT_WINDOW = 20  # how far back from MAX_LINES a blank line is looked for
_DATA_LINES = 120  # of translations, lock files, tables: enough to know what they are

_TYPE_WEIGHT = 255
_FUNCTION_WEIGHT = 178
_VARIABLE_WEIGHT = 120

_COMMENT = re.compile(
    r"\s*(?://|/\*|\*(?:\s|/|$)|--|;;|\{-|-\}|%%|<!--|\"\"\"|'''|[rRbBuU]+(?:\"\"\"|''')"
    r"|#(?!\s*(?:include|define|if|ifdef|ifndef|endif|else|elif|undef|pragma|error)\b|\[|!\[)"
    r"|@(?:module|type)?doc\s)"
)
_ABOVE = re.compile(r"\s*[@#\[]")
_BLOCK_QUOTE = re.compile("\"\"\"|'''")
_DATA_LANGUAGES = frozenset(("gettext", "svg", "csv", "data"))
_INDEX_STEMS = frozenset("index mod __init__ __main__ init main lib package".split())


def prepare_file(
    path: str,
    text: str,
    language: str | None,
    facts: FileFacts | None,
    *,
    with_vectors: bool = True,
) -> dict[str, Any] | None:
    """Everything the search index keeps of one file; None when there is nothing to find in it."""
    if not text.strip():
        return None
    language = language or guess_language(path, text)
    lines = text.split("\n")
    if language in _DATA_LANGUAGES:
        lines = lines[:_DATA_LINES]
    comments = mark_comments(lines)
    definitions = _read_definitions(facts) or [
        found for found in outline(text, language) if not _is_commented(found, comments)
    ]
    chunks = cut_chunks(lines, definitions, comments)
    prepared: dict[str, Any] = {
        "language": language,
        "roles": int(read_roles(path)),
        "stems": sorted(set(_name_terms(path))),
        "parents": sorted(set(split_text(_parent_of(path)))),
        "chunks": [_pack_chunk(chunk) for chunk in chunks],
        "kinds": array("H", map(_mask_kinds, chunks)).tobytes(),
    }
    words = count_words(path, lines, chunks, comments)
    prepared.update(weigh_words(words))
    if with_vectors:
        prepared.update(embed_words(words))
    prepared.update(_list_definitions(chunks, facts))
    return prepared


def _read_definitions(facts: FileFacts | None) -> list[Outlined]:
    """The named definitions a front end found, in order of their lines."""
    if not facts:
        return []
    rows = (Definition._make(row) for row in facts["definitions"])
    found = [
        (row.body_line, Outlined(row.kind, row.name, row.qualified, row.line))
        for row in rows
        if row.kind != Kind.FILE and not row.name.startswith("<")
    ]
    return [definition for _, definition in sorted(found)]


def _is_commented(found: Outlined, comments: Sequence[bool]) -> bool:
    """An example in a documentation string defines nothing; a heading is no comment, though `#` marks both."""
    if found.kind == Kind.SECTION or found.line > len(comments):
        return False
    return comments[found.line - 1]


def mark_comments(lines: Sequence[str]) -> list[bool]:
    """Which lines are comments or documentation strings."""
    marks: list[bool] = []
    quote = ""
    for line in lines:
        if quote:
            marks.append(True)
            if quote in line:
                quote = ""
            continue
        is_comment = _COMMENT.match(line) is not None
        if is_comment and (opened := _BLOCK_QUOTE.search(line)) and line.count(opened[0]) == 1:
            quote = opened[0]
        marks.append(is_comment)
    return marks


def cut_chunks(
    lines: Sequence[str], definitions: Sequence[Outlined], comments: Sequence[bool]
) -> list[Chunk]:
    """The chunks of a file, in order, leaving out blank ones."""
    starts = [d.line for d in definitions]
    cuts = _find_cuts(lines, starts, comments)
    chunks = []
    for first, after in pairwise(cuts):
        text = "\n".join(lines[first:after])
        if not text.strip():
            continue
        low, high = bisect_left(starts, first + 1), bisect_right(starts, after)
        around = definitions[low - 1] if low else None
        chunks.append(Chunk(first + 1, after, tuple(definitions[low:high]), around, text))
    return chunks


def _find_cuts(lines: Sequence[str], starts: Iterable[int], comments: Sequence[bool]) -> list[int]:
    """0-based first lines of the chunks, and the end."""
    offsets = [0]
    for line in lines:
        offsets.append(offsets[-1] + len(line) + 1)
    cuts = [0]
    for number in starts:
        start = number - 1
        _split_long(lines, cuts, start)
        while start - 1 > cuts[-1] and (comments[start - 1] or _ABOVE.match(lines[start - 1])):
            start -= 1
        if offsets[start] - offsets[cuts[-1]] >= MIN_CHARS:
            cuts.append(start)
    _split_long(lines, cuts, len(lines))
    cuts.append(len(lines))
    return cuts


def _split_long(lines: Sequence[str], cuts: list[int], end: int) -> None:
    """Cut what lies between the last cut and `end` into pieces of at most MAX_LINES."""
    while end - cuts[-1] > MAX_LINES:
        limit = cuts[-1] + MAX_LINES
        blank = (at for at in range(limit, limit - _SPLIT_WINDOW, -1) if not lines[at - 1].strip())
        cuts.append(next(blank, limit))


def _pack_chunk(chunk: Chunk) -> bytes:
    """The stored form; the definition that goes on from before comes first. Code outside of all is of none."""
    around = [chunk.around] if chunk.around else []
    rows = [(d.kind, d.line, d.qualified) for d in (*around, *chunk.definitions) if d.qualified]
    return encode_chunk(chunk.start_line, chunk.end_line, rows, chunk.text)


def _mask_kinds(chunk: Chunk) -> int:
    """One bit per kind of definition in the chunk; a file's own kind when there is none."""
    mask = 0
    for definition in chunk.definitions:
        mask |= 1 << definition.kind
    return mask or 1 << (chunk.around.kind if chunk.around else Kind.FILE)


def _parent_of(path: str) -> str:
    folder = path.rpartition("/")[0]
    return folder.rpartition("/")[2]


def _name_terms(path: str) -> list[str]:
    """Terms of the file's own name; an index file is named by its folder."""
    name = path.rpartition("/")[2]
    if name.partition(".")[0].lower() in _INDEX_STEMS and (parent := _parent_of(path)):
        return stem_terms(parent)
    return stem_terms(name)


def _list_definitions(chunks: Sequence[Chunk], facts: FileFacts | None) -> dict[str, bytes]:
    """Hashes of the names defined in each chunk, exact and joined, with the weight of their kind."""
    rows: dict[tuple[int, int], int] = {}
    for ordinal, chunk in enumerate(chunks):
        for definition in chunk.definitions:
            weight = _TYPE_WEIGHT if definition.kind == Kind.CLASS else _FUNCTION_WEIGHT
            _note_name(rows, definition.name, ordinal, weight)
    starts = [chunk.start_line for chunk in chunks]
    for row in facts["variables"] if facts else ():
        variable = Variable._make(row)
        if not variable.instance:
            ordinal = max(0, bisect_right(starts, variable.line) - 1)
            _note_name(rows, variable.name, ordinal, _VARIABLE_WEIGHT)
    return {
        "names": array("Q", (name for name, _ in rows)).tobytes(),
        "name_ordinals": array("H", (ordinal for _, ordinal in rows)).tobytes(),
        "name_weights": bytes(rows.values()),
    }


def _note_name(rows: dict[tuple[int, int], int], name: str, ordinal: int, weight: int) -> None:
    for key in (hash_definition(name), hash_compound(join_name(name))):
        rows[key, ordinal] = max(weight, rows.get((key, ordinal), 0))
