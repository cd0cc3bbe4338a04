"""C# types and the state of a C# file: which class does a name stand for?

A type yields the register of a value of it, `NOTHING` when flow must decide (`object`, a type
parameter), `OUTSIDE` when it is predefined. A generic class is known by name and arity: ``List`1``.
"""

from typing import TYPE_CHECKING

from agrama.indexer.facts import KEYS, MAPPING, NOTHING, OUTSIDE
from agrama.indexer.languages.classes import (
    UNKNOWN,
    ClassExtraction,
    find_parameter,
    named_class,
)
from agrama.indexer.languages.csharp_library import (
    BOXED,
    CONTAINER_METHODS,
    FLOWING,
    LIBRARY,
    MAPPINGS,
    SEQUENCES,
    TYPE_NAMES,
)
from agrama.indexer.languages.typed import Block, written

if TYPE_CHECKING:
    from tree_sitter import Node  # noqa: TID251 - a type only

_WRAPPERS = frozenset(("nullable_type", "ref_type", "scoped_type", "type", "pointer_type"))


class CSharpExtraction(ClassExtraction):
    """A C# file."""

    language = "csharp"
    library = LIBRARY
    common = frozenset(CONTAINER_METHODS)
    invoke = "Invoke"

    def __init__(self, source: bytes, path: str, root: "Node") -> None:
        super().__init__(source, path, root)
        self.namespaces: list[str] = []
        self.globals: list[str] = []  # namespaces that all files see
        self.roots: set[str] = set()  # first words of the namespaces that the file names

    def read_local_function(self, node: "Node", block: Block) -> None:
        """A function in a function; see csharp_declarations."""
        raise NotImplementedError


def argument_nodes(node: "Node") -> list["Node"]:
    """The type arguments of a generic name."""
    for child in node.named_children:
        if child.type == "type_argument_list":
            return child.named_children
    return []


def key_of(x: CSharpExtraction, node: "Node") -> str:
    """The name under which a class is known."""
    if node.type != "generic_name":
        return x.text(node)
    listed = written(node)[-1] if len(written(node)) > 1 else None
    count = len(x.text(listed).split(",")) if listed is not None else 0
    arguments = argument_nodes(node)
    name = x.text(written(node)[0]) if len(written(node)) else ""
    return f"{name}`{len(arguments) or count}"


def read_type(x: CSharpExtraction, node: "Node | None", block: Block) -> int:
    """The register of a value of a type; records the names it uses."""
    if node is None:
        return NOTHING
    kind = node.type
    if kind == "predefined_type":
        return NOTHING if x.text(node) in FLOWING else OUTSIDE
    if kind == "implicit_type":
        return NOTHING
    if kind == "identifier":
        return _read_named(x, node, block)
    if kind == "generic_name":
        return _read_generic(x, node, block)
    if kind == "array_type":
        element = read_type(x, node.child_by_field_name("type"), block)
        return x.container([(None, element)])
    if kind in ("qualified_name", "alias_qualified_name", "member_access_expression"):
        register = class_of(x, node, block)
        last = node.child_by_field_name("name")
        if last is not None and last.type == "generic_name":
            held = _read_container(x, last, block)
            if held >= 0:
                return held
        return OUTSIDE if register < 0 else x.instance(register)
    if kind in _WRAPPERS:
        inner = node.child_by_field_name("type") or next(iter(node.named_children), None)
        return read_type(x, inner, block)
    if kind == "tuple_type":
        parts = [read_type(x, c.child_by_field_name("type"), block) for c in node.named_children]
        return x.container([(("i", at), part) for at, part in enumerate(parts)])
    for child in node.named_children:
        read_type(x, child, block)
    return NOTHING


def class_of(x: CSharpExtraction, node: "Node | None", block: Block) -> int:
    """The register of the class that a type names, NOTHING for any other type."""
    if node is None:
        return NOTHING
    kind = node.type
    if kind == "identifier":
        return named_class(x, x.text(node), node, block)
    if kind == "generic_name":
        for argument in argument_nodes(node):
            read_type(x, argument, block)
        if not len(written(node)):
            return NOTHING
        return named_class(x, key_of(x, node), written(node)[0], block)
    if kind in ("qualified_name", "member_access_expression"):
        return _qualified_class(x, node, block)
    if kind in _WRAPPERS or kind in ("alias_qualified_name", "primary_constructor_base_type"):
        inner = node.child_by_field_name("type") or node.child_by_field_name("name")
        return class_of(x, inner, block)
    return NOTHING


def _qualified_class(x: CSharpExtraction, node: "Node", block: Block) -> int:
    """`Outer.Inner`, or a class with its namespace."""
    outer = node.child_by_field_name("qualifier") or node.child_by_field_name("expression")
    name = node.child_by_field_name("name")
    if outer is None or name is None:
        return NOTHING
    key = key_of(x, name)
    for argument in argument_nodes(name):
        read_type(x, argument, block)
    text = x.text(outer).removeprefix("global::")
    found = NOTHING
    if text.partition(".")[0] in x.roots:
        found = x.import_class(text, key)
    base = class_of(x, outer, block)
    if base >= 0 and key:
        place = written(name)[0] if name.type == "generic_name" else name
        x.refer_attribute(place, base, key, block.scope.index)
        found = x.union(found, x.attribute(base, key))
    return found


def _read_named(x: CSharpExtraction, node: "Node", block: Block) -> int:
    name = x.text(node)
    bound = find_parameter(block, name)
    if bound is not None:
        return bound
    if name in ("dynamic", "var", "Object"):
        return NOTHING
    register = named_class(x, name, node, block)
    return x.instance(register) if register >= 0 else OUTSIDE


def _read_generic(x: CSharpExtraction, node: "Node", block: Block) -> int:
    held = _read_container(x, node, block)
    if held >= 0:
        return held
    register = class_of(x, node, block)
    return x.instance(register) if register >= 0 else OUTSIDE


def _read_container(x: CSharpExtraction, node: "Node", block: Block) -> int:
    name = x.text(written(node)[0]) if len(written(node)) else ""
    key = key_of(x, node)
    if key in x.exports or block.find_type(key) is not None:
        return NOTHING
    if name not in SEQUENCES and name not in MAPPINGS:
        return NOTHING
    arguments = [read_type(x, argument, block) for argument in argument_nodes(node)]
    if not arguments:
        return NOTHING
    if name in SEQUENCES:
        return x.container([(None, arguments[-1])])
    return x.container([(KEYS, arguments[0]), (None, arguments[-1])], MAPPING)


def type_text(x: CSharpExtraction, node: "Node | None", block: Block) -> str:
    """A type as overloads are chosen by: its simple name without arguments, `?` if it may be any."""
    if node is None or node.type in ("implicit_type", "tuple_type", "function_pointer_type"):
        return UNKNOWN
    kind = node.type
    if kind == "nullable_type":
        inner = type_text(x, node.child_by_field_name("type"), block)
        return BOXED.get(inner, inner)
    if kind == "array_type":
        return type_text(x, node.child_by_field_name("type"), block) + "[]"
    if kind == "generic_name":
        return x.text(written(node)[0]) if len(written(node)) else UNKNOWN
    if kind in ("qualified_name", "alias_qualified_name"):
        return type_text(x, node.child_by_field_name("name"), block)
    if kind in _WRAPPERS:
        return type_text(x, node.child_by_field_name("type"), block)
    text = x.text(node)
    if find_parameter(block, text) is not None:
        return "*"
    if not text.isidentifier():
        return UNKNOWN
    return TYPE_NAMES.get(text, text)
