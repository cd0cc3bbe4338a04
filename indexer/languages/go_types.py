"""Go types: which class do they name?

A type yields the register of a value of it, `NOTHING` when it says nothing (flow decides), or
`OUTSIDE` when it is a builtin (flow is kept out). Pointers stand for what they point to.
"""

import re
from typing import TYPE_CHECKING

from agrama.indexer.facts import KEYS, MAPPING, NOTHING, OUTSIDE, RECORD, TO_DEFINITION
from agrama.indexer.languages.recording import Key
from agrama.indexer.languages.typed import Block, Extraction, Scope

if TYPE_CHECKING:
    from tree_sitter import Node  # noqa: TID251 - a type only

BASIC_TYPES = frozenset(
    (
        "bool", "byte", "comparable", "complex128", "complex64", "error", "float32", "float64",
        "int", "int16", "int32", "int64", "int8", "rune", "string", "uint", "uint16", "uint32",
        "uint64", "uint8", "uintptr",
    )
)  # fmt: skip
_QUALIFIER = re.compile(r"\b\w+\.(?=\w)")
_SEQUENCES = frozenset(("slice_type", "array_type", "implicit_length_array_type", "channel_type"))


class GoExtraction(Extraction):
    """A Go file. `imported` maps the name of a package to its register and import row."""

    language = "go"

    def __init__(self, source: bytes, path: str, root: "Node") -> None:
        super().__init__(source, path, root)
        self.imported: dict[str, tuple[int, int]] = {}
        self.extensions: dict[str, Scope] = {}
        self.literals: dict[int, int] = {}  # start of a function literal with a name -> register


def read_type(x: GoExtraction, node: "Node | None", block: Block) -> int:
    """The register of a value of a type; records the names it uses."""
    if node is None:
        return NOTHING
    kind = node.type
    if kind in ("type_identifier", "identifier", "qualified_type", "generic_type"):
        return _read_named(x, node, block)
    if kind in (
        "pointer_type",
        "parenthesized_type",
        "type_elem",
        "negated_type",
        "type_constraint",
    ):
        parts = [read_type(x, child, block) for child in node.named_children]
        return parts[0] if len(parts) == 1 else NOTHING
    if kind in _SEQUENCES:
        return _read_sequence(x, node, block)
    if kind == "map_type":
        return _read_map(x, node, block)
    if kind == "function_type":
        return _read_function(x, node, block)
    if kind == "struct_type":
        return _read_struct(x, node, block)
    for child in node.named_children:
        read_type(x, child, block)
    return NOTHING


def class_of(x: GoExtraction, node: "Node | None", block: Block) -> int:
    """The register of the class that a named type stands for, NOTHING for any other type."""
    if node is None:
        return NOTHING
    kind = node.type
    if kind in ("pointer_type", "parenthesized_type", "type_elem"):
        inner = node.named_children
        return class_of(x, inner[0], block) if len(inner) == 1 else NOTHING
    if kind == "generic_type":
        arguments = node.child_by_field_name("type_arguments")
        for argument in arguments.named_children if arguments is not None else ():
            read_type(x, argument, block)
        return class_of(x, node.child_by_field_name("type"), block)
    if kind == "qualified_type":
        return _qualified_class(x, node, block)
    if kind not in ("type_identifier", "identifier"):
        return NOTHING
    name = x.text(node)
    local = block.find_type(name)
    if local is not None:
        x.add_reference(node, block.scope.index, TO_DEFINITION, local.index)
        return local.register
    if name in BASIC_TYPES or name == "any" or find_parameter(block.scope, name) is not None:
        return NOTHING
    return x.read_free(name, node, block.scope)


def _qualified_class(x: GoExtraction, node: "Node", block: Block) -> int:
    package, name = node.child_by_field_name("package"), node.child_by_field_name("name")
    if package is None or name is None:
        return NOTHING
    found = find_import(x, x.text(package))
    if found is None:
        return NOTHING
    x.refer_attribute(name, found[0], x.text(name), block.scope.index)
    return x.attribute(found[0], x.text(name))


def find_import(x: GoExtraction, name: str) -> tuple[int, int] | None:
    """The package of a name; one whose name differs from its path is found by likeness."""
    found = x.imported.get(name)
    if found is None:
        for index, row in enumerate(x.imports):
            if row[2] is None and name in row[0].rpartition("/")[2]:
                known = [each for each in x.imported.values() if each[1] == index]
                if known:
                    found = x.imported[name] = known[0]
                    break
    return found


def find_parameter(scope: Scope | None, name: str) -> int | None:
    """The bound of a type parameter in sight."""
    while scope is not None:
        if name in scope.types:
            return scope.types[name]
        if scope.owner is not None and name in scope.owner.types:
            return scope.owner.types[name]
        scope = scope.parent
    return None


def _read_named(x: GoExtraction, node: "Node", block: Block) -> int:
    name = x.text(node) if node.type in ("type_identifier", "identifier") else ""
    if name in BASIC_TYPES and block.find_type(name) is None:
        return OUTSIDE
    bound = find_parameter(block.scope, name) if name else None
    if bound is not None:
        return bound
    register = class_of(x, node, block)
    if register < 0:
        return NOTHING
    return x.instance(register)


def _read_sequence(x: GoExtraction, node: "Node", block: Block) -> int:
    element = node.child_by_field_name("element") or node.child_by_field_name("value")
    part = read_type(x, element, block)
    return x.container([(None, part)])


def _read_map(x: GoExtraction, node: "Node", block: Block) -> int:
    key = read_type(x, node.child_by_field_name("key"), block)
    part = read_type(x, node.child_by_field_name("value"), block)
    return x.container([(KEYS, key), (None, part)], MAPPING)


def _read_function(x: GoExtraction, node: "Node", block: Block) -> int:
    """A function type stands for a function of no name that returns what it declares."""
    for child in (node.child_by_field_name("parameters"),):
        for parameter in child.named_children if child is not None else ():
            read_type(x, parameter.child_by_field_name("type"), block)
    types = read_results(x, node.child_by_field_name("result"), block)
    register = result_register(x, types)
    if register < 0:
        return NOTHING
    scope = x.define_closure(node, block)
    scope.return_type = register
    return scope.register


def _read_struct(x: GoExtraction, node: "Node", block: Block) -> int:
    """An anonymous struct: a record of its fields."""
    items: list[tuple[Key, int]] = []
    for field in struct_fields(node):
        part = read_type(x, field.child_by_field_name("type"), block)
        for name in field.children_by_field_name("name"):
            items.append((("s", x.text(name)), part))
    return x.container(items, RECORD)


def struct_fields(node: "Node") -> list["Node"]:
    lists = [child for child in node.named_children if child.type == "field_declaration_list"]
    return [field for each in lists for field in each.named_children if "field" in field.type]


def read_results(x: GoExtraction, node: "Node | None", block: Block) -> list[int]:
    """The types of the results, one for each value."""
    if node is None:
        return []
    if node.type != "parameter_list":
        return [read_type(x, node, block)]
    types: list[int] = []
    for child in node.named_children:
        if "parameter_declaration" in child.type:
            part = read_type(x, child.child_by_field_name("type"), block)
            types += [part] * max(1, len(child.children_by_field_name("name")))
    return types


def result_register(x: GoExtraction, types: list[int]) -> int:
    """The declared result of a function: NOTHING where flow must decide."""
    if not types:
        return NOTHING
    if len(types) == 1:
        return types[0]
    if NOTHING in types:
        return NOTHING
    if all(part == OUTSIDE for part in types):
        return OUTSIDE
    return x.container([(("i", at), part) for at, part in enumerate(types)])


def shape_of(x: GoExtraction, node: "Node") -> str:
    """The types of a method without names and packages: `(string,...int)(User,error)`."""
    parameters = _type_texts(x, node.child_by_field_name("parameters"))
    results = _type_texts(x, node.child_by_field_name("result"))
    return f"({','.join(parameters)})({','.join(results)})"


def _type_texts(x: GoExtraction, node: "Node | None") -> list[str]:
    if node is None:
        return []
    if node.type != "parameter_list":
        return [_plain_type(x, node)]
    texts: list[str] = []
    for child in node.named_children:
        kind = child.child_by_field_name("type")
        if kind is not None:
            dots = "..." if child.type.startswith("variadic") else ""
            count = max(1, len(child.children_by_field_name("name")))
            texts += [dots + _plain_type(x, kind)] * count
    return texts


def _plain_type(x: GoExtraction, node: "Node") -> str:
    text = "".join(x.text(node).split()).replace("interface{}", "any")
    return _QUALIFIER.sub("", text)
