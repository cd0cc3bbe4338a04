"""Links between Markdown files: to a file, or to a section of it by the slug of its title."""

import posixpath
import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import unquote

from agrama.indexer.facts import (
    NOTHING,
    TO_DEFINITION,
    TO_IMPORT,
    Definition,
    FileFacts,
    Import,
    pack_references,
)
from agrama.indexer.languages.language import Sources

if TYPE_CHECKING:
    from tree_sitter import Node  # noqa: TID251 - a type only

EXTENSIONS = (".md", ".markdown", ".mdx", ".mdown")
_INDEXES = ("README.md", "index.md", "index.mdx")
_MOST_LINKS = 2_000
_LEAVES = frozenset({"inline", "pipe_table_cell"})
_CODE = frozenset({"fenced_code_block", "indented_code_block", "html_block"})
_LINK = re.compile(rb"(`+)[^`].*?\1|\[[^\]\[]*\]\(\s*<?([^\s<>()]+)", re.DOTALL)
_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:|//")
_PUNCTUATION = re.compile(r"[^\w\- ]")


class Link(NamedTuple):
    """One link to a Markdown file; `path` is "" for a section of the same file."""

    path: str
    slug: str
    line: int
    column: int


def add_links(facts: FileFacts, root: "Node", source: bytes) -> None:
    """Complete the facts of a file: what others can link to, and where it links itself."""
    rows = [Definition._make(row) for row in facts["definitions"]]
    facts["exports"] = _name_sections(rows)
    references: list[tuple[int, ...]] = []
    for count, link in enumerate(_find_links(root, source)):
        if count >= _MOST_LINKS:
            break
        scope = _find_scope(rows, link.line)
        if link.path:
            place = (link.line, link.column, link.line, link.column)
            row = Import(link.path, 1, link.slug or None, 0, scope, *place, 0)
            target, operand = TO_IMPORT, len(facts["imports"])
            facts["imports"].append(tuple(row))
            if not link.slug:
                continue
        elif link.slug in facts["exports"]:
            _, target, operand = facts["exports"][link.slug]
        else:
            continue
        references.append((link.line, link.column, scope, target, operand, NOTHING))
    facts["references"] = pack_references(references)


def _name_sections(rows: list[Definition]) -> dict[str, tuple[int, ...]]:
    """Slug -> section, as code hosts write them: `What's new?` is `whats-new`."""
    slugs: dict[str, tuple[int, ...]] = {}
    counts: dict[str, int] = {}
    for index, row in enumerate(rows[1:], 1):
        slug = _PUNCTUATION.sub("", row.name.lower()).replace(" ", "-")
        count = counts[slug] = counts.get(slug, -1) + 1
        slugs.setdefault(f"{slug}-{count}" if count else slug, (NOTHING, TO_DEFINITION, index))
    return slugs


def _find_scope(rows: list[Definition], line: int) -> int:
    """The last section that begins at or before a line: sections come in order."""
    low, high = 0, len(rows)
    while high - low > 1:
        middle = (low + high) // 2
        if rows[middle].line <= line:
            low = middle
        else:
            high = middle
    return low


def _find_links(root: "Node", source: bytes) -> Iterator[Link]:
    pending = [root]
    while pending:
        node = pending.pop()
        if node.type in _LEAVES:
            yield from _read_inline(node, source)
        elif node.type == "link_destination":
            text = source[node.start_byte : node.end_byte]
            yield from _read_target(text, node.start_point[0] + 1, node.start_point[1])
        elif node.type not in _CODE:
            pending.extend(reversed(node.named_children))


def _read_inline(node: "Node", source: bytes) -> Iterator[Link]:
    text = source[node.start_byte : node.end_byte]
    for found in _LINK.finditer(text):
        if found[2] is None:
            continue
        before = text[: found.start(2)]
        breaks = before.count(b"\n")
        column = (
            len(before) - before.rfind(b"\n") - 1 if breaks else node.start_point[1] + len(before)
        )
        yield from _read_target(found[2], node.start_point[0] + 1 + breaks, column)


def _read_target(text: bytes, line: int, column: int) -> Iterator[Link]:
    target = unquote(text.decode("utf-8", "replace").strip("<>"))
    path, _, slug = target.partition("#")
    if _SCHEME.match(target) or not (path or slug):
        return
    extension = posixpath.splitext(path)[1].lower()
    if not extension or extension in EXTENSIONS:
        yield Link(path, slug.lower(), line, column)


class MarkdownModules:
    """Finds the file that a relative link names; a folder stands for its index."""

    def __init__(self, sources: Sources) -> None:
        self._paths = sources.paths

    def find(self, module: str, level: int, path: str) -> tuple[str, ...]:
        if module.startswith("/"):
            target = posixpath.normpath(module.lstrip("/") or ".")
        else:
            target = posixpath.normpath(posixpath.join(posixpath.dirname(path), module))
        names = (target, *(posixpath.normpath(f"{target}/{index}") for index in _INDEXES))
        return next(((name,) for name in names if name in self._paths), ())

    def member(self, path: str, name: str) -> str | None:
        return None
