"""Markdown: headings as sections that hold one another by their level, and links between them."""

import re
from typing import TYPE_CHECKING

from agrama.indexer.facts import FileFacts
from agrama.indexer.languages.language import Language
from agrama.indexer.languages.markdown_links import EXTENSIONS, MarkdownModules, add_links
from agrama.indexer.languages.sections import (
    MOST_SYMBOLS,
    Entry,
    first_line,
    last_line,
    read_text,
    write_facts,
)

if TYPE_CHECKING:
    from tree_sitter import Node  # noqa: TID251 - a type only

_HEADINGS = frozenset({"atx_heading", "setext_heading"})
_LEVEL = re.compile(r"(?:atx|setext)_h(\d)_(?:marker|underline)")
_DECORATION = re.compile(r"!?\[([^\]]*)\]\([^)]*\)|[`*]|<[^>]*>|\s+#+\s*$|\s*\{#[^}]*\}\s*$")
_LONGEST_DOC = 200
_LONGEST_TITLE = 120


def extract_markdown(root: "Node", source: bytes, path: str) -> FileFacts:
    """Facts of a Markdown file. Headings in quotations and lists are text, not sections."""
    end_line = last_line(root, source)
    entries: list[Entry] = []
    around: list[tuple[int, str]] = []  # level and title of the open sections
    open_rows: list[tuple[int, int]] = []  # level and index of sections that have no end yet
    headings, cut = _find_headings(root)
    for heading in headings:
        level, title = _read_heading(heading, source)
        if not title:
            continue
        line = heading.start_point[0] + 1
        while around and around[-1][0] >= level:
            around.pop()
        while open_rows and open_rows[-1][0] >= level:
            _close(entries, open_rows.pop()[1], line - 1)
        around.append((level, title))
        open_rows.append((level, len(entries)))
        place = (line, heading.start_point[1], line, end_line, heading.start_byte)
        titles = tuple(title for _, title in around)
        doc = _read_opening(heading, source)
        entries.append(
            Entry(titles, *place, section=True, signature=first_line(heading, source), doc=doc)
        )
    facts = write_facts("markdown", entries, end_line, cut=cut)
    add_links(facts, root, source)
    return facts


def _close(entries: list[Entry], index: int, end_line: int) -> None:
    entries[index] = entries[index]._replace(end_line=max(end_line, entries[index].line))


def _find_headings(root: "Node") -> tuple[list["Node"], bool]:
    headings: list[Node] = []
    pending = [root]
    while pending:
        node = pending.pop()
        if node.type in _HEADINGS:
            if len(headings) >= MOST_SYMBOLS:
                return headings, True
            headings.append(node)
        elif node.type in ("document", "section", "ERROR"):
            pending.extend(reversed(node.named_children))
    return headings, False


def _read_heading(heading: "Node", source: bytes) -> tuple[int, str]:
    level = 1
    for child in heading.children:
        found = _LEVEL.fullmatch(child.type)
        if found:
            level = int(found[1])
    content = heading.child_by_field_name("heading_content")
    text = read_text(content, source) if content is not None else ""
    title = " ".join(_DECORATION.sub(r"\1", " ".join(text.split())).split())
    return level, title[:_LONGEST_TITLE]


def _read_opening(heading: "Node", source: bytes) -> str:
    """The first words of the paragraph right after a heading."""
    after = heading.next_named_sibling
    if after is None or after.type != "paragraph":
        return ""
    return " ".join(read_text(after, source).split())[:_LONGEST_DOC]


LANGUAGES = (
    Language(
        name="markdown",
        extensions=EXTENSIONS,
        grammar="tree_sitter_markdown:language",
        extract=extract_markdown,
        index_modules=MarkdownModules,
    ),
)
