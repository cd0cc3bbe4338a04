"""Facts of files that hold sections and keys instead of code: Markdown, JSON, YAML, TOML.

A heading or a key with keys of its own becomes a section, any other key a variable. A data file may
hold a million keys: the outermost ones become symbols up to a limit, and the file's own
documentation says so when some were left out.
"""

from collections import deque
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, NamedTuple

from agrama.graph.model import Kind
from agrama.indexer.facts import NOTHING, Definition, FileFacts, Variable, empty_facts

if TYPE_CHECKING:
    from tree_sitter import Node  # noqa: TID251 - a type only

MOST_SYMBOLS = 1_000
MOST_LEVELS = 4
_LONGEST_NAME = 120
_LONGEST_SIGNATURE = 120
_LINE_BREAK = 10


class Entry(NamedTuple):
    """One key or heading before it becomes a row."""

    path: tuple[str, ...]  # its name after the names of the sections around it
    line: int
    column: int
    body_line: int
    end_line: int
    start_byte: int
    section: bool
    signature: str = ""
    doc: str = ""


class Key(NamedTuple):
    """A key as a data language gives it: its names (`a.b` has two), its node, and what it holds."""

    names: tuple[str, ...]
    name_node: "Node"
    node: "Node"
    value: "Node | None"  # a mapping to look into, None for any other value


def read_text(node: "Node", source: bytes) -> str:
    return source[node.start_byte : node.end_byte].decode("utf-8", "replace")


def collect_keys(
    root: "Node", source: bytes, read_keys: Callable[["Node", bytes], Iterable[Key]]
) -> tuple[list[Entry], bool]:
    """Keys of a data file, outermost first; and whether some were left out."""
    entries: list[Entry] = []
    pending: deque[tuple[int, tuple[str, ...], Node]] = deque([(1, (), root)])
    while pending:
        level, around, mapping = pending.popleft()
        for key in read_keys(mapping, source):
            if len(entries) >= MOST_SYMBOLS:
                return entries, True
            path = around + key.names
            if not all(0 < len(name) <= _LONGEST_NAME for name in key.names):
                continue
            deeper = key.value is not None and level < MOST_LEVELS
            if key.value is not None and deeper:
                pending.append((level + 1, path, key.value))
            entries.append(_make_entry(path, key, source, section=deeper))
    return entries, False


def _make_entry(path: tuple[str, ...], key: Key, source: bytes, *, section: bool) -> Entry:
    row, column = key.name_node.start_point
    return Entry(
        path,
        row + 1,
        column,
        row + 1,
        last_line(key.node, source),
        key.node.start_byte,
        section,
        first_line(key.node, source),
    )


def first_line(node: "Node", source: bytes) -> str:
    """The first line of a node's text, cut where it is long."""
    end = min(node.end_byte, node.start_byte + 4 * _LONGEST_SIGNATURE)
    text = source[node.start_byte : end].decode("utf-8", "ignore")
    return text.partition("\n")[0].strip()[:_LONGEST_SIGNATURE]


def last_line(node: "Node", source: bytes) -> int:
    """The last line on which a node has text, blank lines at its end left out."""
    end = node.end_byte
    line = node.end_point[0] + 1
    while end > node.start_byte and source[end - 1] in b" \t\r\n":
        end -= 1
        line -= source[end] == _LINE_BREAK
    return line


def write_facts(language: str, entries: list[Entry], end_line: int, *, cut: bool) -> FileFacts:
    """Facts of a file from its entries; sections met twice are numbered, of a key the first counts."""
    doc = f"Only the first {MOST_SYMBOLS} sections and keys are symbols." if cut else ""
    definitions = [_make_row(Kind.FILE, Entry((), 1, 0, 1, end_line, 0, section=True, doc=doc), -1)]
    indexes: dict[tuple[str, ...], int] = {(): 0}
    taken: dict[str, int] = {}
    values: dict[str, Variable] = {}
    for entry in sorted(entries, key=lambda entry: (entry.start_byte, entry.path)):
        parent, rest = _find_parent(entry.path, indexes)
        around = definitions[parent].qualified
        qualified = ".".join((around, *rest) if around else rest)
        if not entry.section:
            place = (entry.line, entry.column, entry.end_line)
            values.setdefault(qualified, Variable(".".join(rest), parent, *place, 0))
            continue
        count = taken[qualified] = taken.get(qualified, 0) + 1
        if count > 1:
            qualified = f"{qualified}#{count}"
        indexes[entry.path] = len(definitions)
        definitions.append(_make_row(Kind.SECTION, entry, parent, rest[-1], qualified))
    facts = empty_facts(language)
    facts["definitions"] = [tuple(row) for row in definitions]
    facts["variables"] = [tuple(row) for name, row in values.items() if name not in taken]
    return facts


def _find_parent(
    path: tuple[str, ...], indexes: dict[tuple[str, ...], int]
) -> tuple[int, tuple[str, ...]]:
    """The innermost section around a path, and the names that remain below it."""
    for length in range(len(path) - 1, -1, -1):
        if path[:length] in indexes:
            return indexes[path[:length]], path[length:]
    return 0, path


def _make_row(
    kind: Kind, entry: Entry, parent: int, name: str = "", qualified: str = ""
) -> Definition:
    return Definition(
        kind=int(kind),
        name=name,
        qualified=qualified,
        parent=parent,
        line=entry.line,
        column=entry.column,
        body_line=entry.body_line,
        end_line=entry.end_line,
        start_byte=entry.start_byte,
        flags=0,
        signature=entry.signature,
        doc=entry.doc,
        parameters=(),
        returns=(),
        yields=(),
        return_type=NOTHING,
        bases=(),
        self_register=NOTHING,
        owner=-1,
        members={},
    )
