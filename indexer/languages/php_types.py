"""PHP: what its modules share. Names by namespace and `use`, declared types.

Properties keep their `$` in the tables of members, for a method may have the same name.
"""

import re
from typing import TYPE_CHECKING

from agrama.indexer.facts import NOTHING, OUTSIDE
from agrama.indexer.languages.dynamic import DynamicExtraction, class_around, function_around
from agrama.indexer.languages.typed import Block

if TYPE_CHECKING:
    from tree_sitter import Node  # noqa: TID251 - a type only

_OPEN = frozenset(("array", "callable", "iterable", "object", "mixed"))


class PhpExtraction(DynamicExtraction):
    """Everything collected from one PHP file."""

    language = "php"

    def __init__(self, source: bytes, path: str, root: "Node") -> None:
        super().__init__(source, path, root)
        self.namespace = ""
        self.has_documented = b"@var" in source
        self.uses: dict[str, dict[str, str]] = {"class": {}, "function": {}, "const": {}}

    def qualify(self, name: str) -> str:
        return f"{self.namespace}\\{name}" if self.namespace else name

    def class_name(self, text: str) -> str:
        """The full name of a class as written."""
        if text.startswith("\\"):
            return text[1:]
        first, slash, rest = text.partition("\\")
        if first.lower() == "namespace" and slash:
            return self.qualify(rest)
        used = self.uses["class"].get(first.lower())
        if used is not None:
            return f"{used}\\{rest}" if slash else used
        return self.qualify(text)

    def free_names(self, text: str, kind: str) -> list[str]:
        """Full names that a function or constant may have: its namespace's, then the global one."""
        if "\\" in text:
            return [self.class_name(text)]
        used = self.uses[kind].get(text.lower() if kind == "function" else text)
        if used is not None:
            return [used]
        return [self.qualify(text), text] if self.namespace else [text]

    def this_of(self, block: Block) -> int:
        function = function_around(block)
        return function.self_register if function is not None and not function.is_class else NOTHING

    def class_of(self, node: "Node", block: Block) -> int:
        """The register of the class that a name stands for."""
        text = self.text(node)
        own = class_around(block)
        word = text.lower()
        if word == "self" or (word == "static" and own is not None):
            return own.register if own is not None else NOTHING
        if word == "parent":
            return own.bases[0] if own is not None and own.bases else NOTHING
        last = node.named_children[-1] if node.type == "qualified_name" else node
        return self.full_name([self.class_name(text)], last, block.scope)

    def type_of(self, node: "Node | None", block: Block) -> int:
        """An instance of a declared type, OUTSIDE for a scalar, NOTHING where flow decides."""
        if node is None:
            return NOTHING
        kind = node.type
        if kind == "primitive_type":
            return NOTHING if self.text(node).lower() in _OPEN else OUTSIDE
        if kind == "named_type":
            return self._named_type(node, block)
        found = [self.type_of(child, block) for child in node.named_children]
        known = tuple(each for each in found if each >= 0)
        if known:
            return self.merge_versions(known)
        return NOTHING if NOTHING in found or not found else OUTSIDE

    def _named_type(self, node: "Node", block: Block) -> int:
        name = node.named_children[0] if node.named_child_count else node
        if self.text(name).lower() in ("static", "closure", "\\closure", "generator"):
            return NOTHING
        register = self.class_of(name, block)
        return self.instance(register) if register >= 0 else NOTHING


_ELEMENT = re.compile(
    r"(?:array|list|iterable|non-empty-\w+)<(?:[^<>,]+,\s*)?([\\\w]+)>?|([\\\w]+)\[\]"
)
_SCALARS = frozenset(
    (
        "int", "string", "bool", "float", "array", "mixed", "callable", "null", "void", "true",
        "false", "object", "resource", "scalar", "numeric", "self", "static", "iterable", "list",
        "never", "integer", "boolean", "double", "Closure", "class-string", "T",
    )
)  # fmt: skip


def documented_type(x: PhpExtraction, doc: str, tag: str, name: str, block: Block) -> int:
    """What a comment says: `@var Foo[]`, `@param list<Foo> $x`, `@return Foo|null`."""
    end = rf"\s+&?(?:\.\.\.)?\${re.escape(name)}\b" if name else ""
    found = re.search(rf"@{tag}\s+([^\s$][^$\n]*?)(?=\s|$){end}", doc) if doc else None
    if found is None:
        return NOTHING
    text = found.group(1)
    element = _ELEMENT.search(text)
    if element is not None:
        inner = _documented_class(x, element.group(1) or element.group(2), block)
        return x.container([(None, inner)]) if inner >= 0 else NOTHING
    parts = [_documented_class(x, part, block) for part in text.split("|")]
    known = tuple(part for part in parts if part >= 0)
    return x.merge_versions(known) if known else NOTHING


def _documented_class(x: PhpExtraction, text: str, block: Block) -> int:
    text = text.lstrip("?")
    plain = text.replace("\\", "")
    if not plain.isidentifier() or text in _SCALARS:
        return NOTHING
    return x.instance(x.full_name([x.class_name(text)], None, block.scope))


def literal(x: PhpExtraction, node: "Node | None") -> str | None:
    """The text of a string without code in it."""
    if node is None or node.type not in ("string", "encapsed_string"):
        return None
    parts = node.named_children
    if not parts:
        return ""
    plain = len(parts) == 1 and parts[0].type == "string_content"
    return x.text(parts[0]) if plain else None
