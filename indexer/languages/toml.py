"""TOML: tables as sections, keys as symbols."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from agrama.indexer.facts import FileFacts
from agrama.indexer.languages.language import Language
from agrama.indexer.languages.manifests import add_dependencies, read_crate, toml_dependencies
from agrama.indexer.languages.sections import Key, collect_keys, last_line, read_text, write_facts

if TYPE_CHECKING:
    from tree_sitter import Node  # noqa: TID251 - a type only

_MANIFESTS = frozenset({"pyproject.toml", "Cargo.toml"})
_TABLES = frozenset({"table", "table_array_element"})
_NAMES = frozenset({"bare_key", "quoted_key", "dotted_key"})


def extract_toml(root: "Node", source: bytes, path: str) -> FileFacts:
    """Facts of a TOML file."""
    entries, cut = collect_keys(root, source, _read_keys)
    facts = write_facts("toml", entries, last_line(root, source), cut=cut)
    name = path.rpartition("/")[2]
    if name in _MANIFESTS:
        add_dependencies(facts, source, toml_dependencies(name, source))
    if name == "Cargo.toml":
        facts["config"] = read_crate(source)
    return facts


def _read_keys(mapping: "Node", source: bytes) -> Iterator[Key]:
    for node in mapping.named_children:
        if node.type == "ERROR":
            yield from _read_keys(node, source)
        elif node.type == "pair" or node.type in _TABLES:
            name = next((part for part in node.named_children if part.type in _NAMES), None)
            if name is not None:
                names = _read_names(name, source)
                yield Key(names, _last_name(name), node, _find_mapping(node))


def _find_mapping(node: "Node") -> "Node | None":
    if node.type in _TABLES:
        return node
    return next((part for part in node.named_children if part.type == "inline_table"), None)


def _last_name(name: "Node") -> "Node":
    return name.named_children[-1] if name.type == "dotted_key" and name.named_children else name


def _read_names(name: "Node", source: bytes) -> tuple[str, ...]:
    """`a."b c".d` as its three parts; a dotted key leans to the left."""
    names: list[str] = []
    while name.type == "dotted_key" and name.named_children:
        names.append(read_text(_last_name(name), source).strip("\"'"))
        name = name.named_children[0]
    names.append(read_text(name, source).strip("\"'"))
    return tuple(reversed(names))


LANGUAGES = (
    Language(
        name="toml",
        extensions=(".toml",),
        filenames=("Pipfile",),
        grammar="tree_sitter_toml:language",
        extract=extract_toml,
    ),
)
