"""JSON: keys as symbols, and the parsed value of the files that steer module resolution."""

import json
import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from agrama.indexer.facts import FileFacts
from agrama.indexer.languages.language import Language
from agrama.indexer.languages.manifests import add_dependencies, node_dependencies
from agrama.indexer.languages.sections import Key, collect_keys, last_line, read_text, write_facts

if TYPE_CHECKING:
    from tree_sitter import Node  # noqa: TID251 - a type only

_CONFIG = re.compile(r"(?:package|.*tsconfig.*|jsconfig.*)\.json")
"""`tsconfig.base.json` and its like are extended by the real one."""

_LEXEME = re.compile(r'"(?:[^"\\\n]|\\.)*"|//[^\n]*|/\*.*?(?:\*/|\Z)|,(?=\s*[}\]])', re.DOTALL)


def extract_json(root: "Node", source: bytes, path: str) -> FileFacts:
    """Facts of a JSON file; comments and trailing commas are forgiven."""
    entries, cut = collect_keys(root, source, _read_keys)
    facts = write_facts("json", entries, last_line(root, source), cut=cut)
    if _CONFIG.fullmatch(path.rpartition("/")[2]):
        facts["config"] = read_config(source)
    if path.rpartition("/")[2] == "package.json":
        add_dependencies(facts, source, node_dependencies(facts["config"]))
    return facts


def read_config(source: bytes) -> Any:
    """The value of a JSON text with comments and trailing commas, None when it has none."""
    text = source.decode("utf-8-sig", "replace")
    for _ in range(2):  # a comma may trail only once the comments behind it are gone
        text = _LEXEME.sub(lambda found: found[0] if found[0][0] == '"' else " ", text)
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None


def _read_keys(mapping: "Node", source: bytes) -> Iterator[Key]:
    for node in _find_pairs(mapping):
        name = node.child_by_field_name("key")
        value = node.child_by_field_name("value")
        if name is not None and name.type == "string":
            inner = value if value is not None and value.type == "object" else None
            yield Key((_read_name(name, source),), name, node, inner)


def _find_pairs(mapping: "Node") -> Iterator["Node"]:
    """Pairs of an object; of a whole file those of its one object, also where it is broken."""
    for child in mapping.named_children:
        if child.type == "pair":
            yield child
        elif child.type == "ERROR" or mapping.parent is None:
            yield from (pair for pair in child.named_children if pair.type == "pair")


def _read_name(node: "Node", source: bytes) -> str:
    text = read_text(node, source)
    if "\\" in text:
        try:
            # half of a surrogate pair is no character, though JSON can spell it
            return str(json.loads(text)).encode("utf-8", "replace").decode()
        except ValueError:
            pass
    return text.strip('"')


LANGUAGES = (
    Language(
        name="json",
        extensions=(".json", ".jsonc", ".webmanifest", ".code-workspace"),
        filenames=(".babelrc", ".swcrc", ".jshintrc", ".watchmanconfig"),
        grammar="tree_sitter_json:language",
        extract=extract_json,
    ),
)
