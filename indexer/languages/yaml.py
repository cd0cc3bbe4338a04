"""YAML: the keys of its mappings as symbols."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from agrama.indexer.facts import FileFacts
from agrama.indexer.languages.language import Language
from agrama.indexer.languages.sections import Key, collect_keys, last_line, read_text, write_facts

if TYPE_CHECKING:
    from tree_sitter import Node  # noqa: TID251 - a type only

_PAIRS = frozenset({"block_mapping_pair", "flow_pair"})
_MAPPINGS = frozenset({"block_mapping", "flow_mapping"})
_WRAPPERS = frozenset({"stream", "document", "block_node", "flow_node", "ERROR"}) | _MAPPINGS


def extract_yaml(root: "Node", source: bytes, path: str) -> FileFacts:
    """Facts of a YAML file of one or more documents."""
    entries, cut = collect_keys(root, source, _read_keys)
    return write_facts("yaml", entries, last_line(root, source), cut=cut)


def _read_keys(mapping: "Node", source: bytes) -> Iterator[Key]:
    pending = [mapping]
    while pending:
        node = pending.pop()
        if node.type in _PAIRS:
            key = _read_pair(node, source)
            if key is not None:
                yield key
        elif node.type in _WRAPPERS:
            pending.extend(reversed(node.named_children))


def _read_pair(node: "Node", source: bytes) -> Key | None:
    name = node.child_by_field_name("key")
    if name is None or name.type != "flow_node" or name.start_point[0] != name.end_point[0]:
        return None
    scalar = next((part for part in name.named_children if part.type.endswith("_scalar")), None)
    if scalar is None:
        return None
    value = node.child_by_field_name("value")
    inner = _find_mapping(value) if value is not None else None
    return Key((read_text(scalar, source).strip("\"'"),), scalar, node, inner)


def _find_mapping(value: "Node") -> "Node | None":
    return next((part for part in value.named_children if part.type in _MAPPINGS), None)


LANGUAGES = (
    Language(
        name="yaml",
        extensions=(".yaml", ".yml"),
        filenames=(".clang-format", ".clang-tidy"),
        grammar="tree_sitter_yaml:language",
        extract=extract_yaml,
    ),
)
