"""Java types and the state of a Java file: which class does a name stand for?

A type yields the register of a value of it, `NOTHING` when flow must decide (`Object`, a type
parameter), `OUTSIDE` when it is a primitive or of `java.lang`.
"""

from typing import TYPE_CHECKING

from agrama.indexer.facts import (
    KEYS,
    MAPPING,
    NOTHING,
    OUTSIDE,
    TO_DEFINITION,
    TO_IMPORT,
)
from agrama.indexer.languages.classes import ClassExtraction, find_parameter, inherited_class
from agrama.indexer.languages.java_library import FLOWING, LANG, MAPPINGS, SEQUENCES
from agrama.indexer.languages.typed import Block, Scope

if TYPE_CHECKING:
    from tree_sitter import Node  # noqa: TID251 - a type only

_PRIMITIVES = frozenset(("integral_type", "floating_point_type", "boolean_type", "void_type"))


class JavaExtraction(ClassExtraction):
    """A Java file."""

    language = "java"

    def __init__(self, source: bytes, path: str, root: "Node") -> None:
        super().__init__(source, path, root)
        self.has_utilities = False  # `import java.util.*`
        self.class_nodes: list[tuple[Scope, Node, Block]] = []
        self.method_nodes: list[tuple[Scope, Node, Block]] = []
        self.switches: list[int] = []  # ids of the switch nodes being read, innermost last
        self.yielded: dict[int, list[int]] = {}  # switch node -> what its branches yield

    def read_annotations(self, node: "Node", block: Block) -> list[str]:
        """The names of the annotations among modifiers."""
        names: list[str] = []
        for child in node.named_children:
            name = child.child_by_field_name("name")
            if name is not None and "annotation" in child.type:
                class_of(self, name, block)
                names.append(self.text(name).rpartition(".")[2])
                self.value(child.child_by_field_name("arguments"), block, {})
        return names

    def read_anonymous(self, node: "Node", body: "Node", base: int, block: Block) -> int:
        """An instance of a class that an expression declares; see java_declarations."""
        raise NotImplementedError

    def read_local_class(self, node: "Node", block: Block) -> None:
        """A class declared in a function; see java_declarations."""
        raise NotImplementedError


def read_type(x: JavaExtraction, node: "Node | None", block: Block) -> int:
    """The register of a value of a type; records the names it uses."""
    if node is None:
        return NOTHING
    kind = node.type
    if kind in _PRIMITIVES:
        return OUTSIDE
    if kind == "type_identifier":
        return _read_named(x, node, block)
    if kind == "generic_type":
        return _read_generic(x, node, block)
    if kind == "array_type":
        element = read_type(x, node.child_by_field_name("element"), block)
        return x.container([(None, element)])
    if kind == "scoped_type_identifier":
        register = class_of(x, node, block)
        return OUTSIDE if register < 0 else x.instance(register)
    if kind in ("annotated_type", "catch_type", "type_bound", "wildcard"):
        parts = [read_type(x, child, block) for child in node.named_children]
        known = tuple(part for part in parts if part >= 0)
        return x.merge_versions(known) if known else NOTHING
    for child in node.named_children:
        read_type(x, child, block)
    return NOTHING


def class_of(x: JavaExtraction, node: "Node | None", block: Block) -> int:
    """The register of the class that a type names, NOTHING for any other type."""
    if node is None:
        return NOTHING
    kind = node.type
    if kind in ("type_identifier", "identifier"):
        return named_class(x, x.text(node), node, block)
    if kind == "generic_type":
        inner = node.named_children
        for argument in inner[1:]:
            for child in argument.named_children:
                read_type(x, child, block)
        return class_of(x, inner[0], block) if inner else NOTHING
    if kind in ("scoped_type_identifier", "scoped_identifier", "field_access"):
        return _scoped_class(x, node, block)
    if kind == "annotated_type":
        return class_of(x, node.named_children[-1], block) if node.named_child_count else NOTHING
    return NOTHING


def _scoped_class(x: JavaExtraction, node: "Node", block: Block) -> int:
    """`Outer.Inner`, or a class with its whole package."""
    parts = [part for part in node.named_children if "annotation" not in part.type]
    if len(parts) < 2:
        return NOTHING
    name = x.text(parts[-1])
    scope = parts[0]
    if scope.type in ("type_identifier", "identifier") and x.text(scope)[:1].islower():
        return NOTHING
    if scope.named_child_count and _is_package(x.text(scope)):
        return x.import_class(x.text(scope), name)
    base = class_of(x, scope, block)
    if base < 0:
        return NOTHING
    x.refer_attribute(parts[-1], base, name, block.scope.index)
    return x.attribute(base, name)


def _is_package(text: str) -> bool:
    return all(part[:1].islower() for part in text.split("."))


def named_class(x: JavaExtraction, name: str, node: "Node | None", block: Block) -> int:
    if find_parameter(block, name) is not None:
        return NOTHING
    local = block.find_type(name)
    if local is not None:
        if node is not None:
            x.add_reference(node, block.scope.index, TO_DEFINITION, local.index)
        return local.register
    if name not in x.exports:
        found = x.imported.get(name)
        if found is not None:
            if node is not None:
                x.add_reference(node, block.scope.index, TO_IMPORT, found[1])
            return found[0]
        if name in LANG or name in FLOWING:
            return NOTHING
        if x.has_utilities and (name in SEQUENCES or name in MAPPINGS):
            return NOTHING
        return x.union(inherited_class(x, name, node, block), x.read_free(name, node, block.scope))
    return x.read_free(name, node, block.scope)


def is_library(x: JavaExtraction, name: str, block: Block) -> bool:
    """Is this a class of the Java library, by the imports of the file?"""
    if block.find_type(name) is not None or name in x.exports:
        return False
    found = x.imported.get(name)
    if found is not None:
        module: str = x.imports[found[1]][0]
        return module.startswith(("java.", "javax."))
    return x.has_utilities or name in LANG


def _read_named(x: JavaExtraction, node: "Node", block: Block) -> int:
    name = x.text(node)
    bound = find_parameter(block, name)
    if bound is not None:
        return bound
    register = named_class(x, name, node, block)
    if register >= 0:
        return x.instance(register)
    return OUTSIDE if name in LANG else NOTHING


def _read_generic(x: JavaExtraction, node: "Node", block: Block) -> int:
    inner = node.named_children
    if not inner:
        return NOTHING
    name = x.text(inner[0])
    own = read_type(x, inner[0], block)
    arguments = [read_type(x, child, block) for part in inner[1:] for child in part.named_children]
    if not arguments or not is_library(x, name.partition(".")[0], block):
        return own
    if name in SEQUENCES:
        return x.container([(None, arguments[-1])])
    if name in MAPPINGS:
        return x.container([(KEYS, arguments[0]), (None, arguments[-1])], MAPPING)
    return own


def type_text(x: JavaExtraction, node: "Node | None", block: Block) -> str:
    """A type as overloads are chosen by: its simple name without arguments, `?` if it may be any."""
    if node is None:
        return "?"
    kind = node.type
    if kind == "generic_type":
        return type_text(x, node.named_children[0] if node.named_child_count else None, block)
    if kind == "array_type":
        return type_text(x, node.child_by_field_name("element"), block) + "[]"
    if kind == "scoped_type_identifier":
        return x.text(node.named_children[-1]) if node.named_child_count else "?"
    if kind == "annotated_type":
        return type_text(x, node.named_children[-1] if node.named_child_count else None, block)
    text = x.text(node)
    if find_parameter(block, text) is not None or text == "var":
        return "?"
    return text
