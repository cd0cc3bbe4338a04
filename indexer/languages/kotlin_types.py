"""Kotlin types and the state of a Kotlin file: which class does a name stand for?"""

from typing import TYPE_CHECKING

from agrama.indexer.facts import KEYS, MAPPING, NOTHING, OUTSIDE
from agrama.indexer.languages.classes import (
    UNKNOWN,
    ClassExtraction,
    find_parameter,
    named_class,
)
from agrama.indexer.languages.classes_typing import (
    member_type,
    name_type,
    number_type,
    operator_type,
    this_type,
)
from agrama.indexer.languages.kotlin_library import (
    BOXED,
    CONTAINER_METHODS,
    FLOWING,
    LIBRARY,
    MAPPINGS,
    MEMBER_TYPES,
    SEQUENCES,
    TYPE_NAMES,
)
from agrama.indexer.languages.typed import Block, written

if TYPE_CHECKING:
    from tree_sitter import Node  # noqa: TID251 - a type only

TYPES = frozenset(
    ("user_type", "nullable_type", "function_type", "parenthesized_type", "non_nullable_type")
)
_LITERALS = {
    "string_literal": "String", "multiline_string_literal": "String", "character_literal": "char",
    "lambda_literal": "->", "annotated_lambda": "->", "callable_reference": "->",
    "anonymous_function": "->", "is_expression": "boolean", "in_expression": "boolean",
}  # fmt: skip


class KotlinExtraction(ClassExtraction):
    """A Kotlin file."""

    language = "kotlin"
    library = LIBRARY
    common = frozenset(CONTAINER_METHODS)
    invoke = "invoke"
    nested_calls = True
    extends_implicitly = True

    def knows(self, name: str) -> bool:
        """Does a simple name stand for something that this file declares or imports?"""
        return (
            name in self.exports
            or name in self.functions
            or name in self.static_imported
            or name in self.imported
            or (self.loose is not None and name in self.loose.members)
        )

    def declare_inside(self, node: "Node", block: Block) -> None:
        """A class or function declared in a function; see kotlin_declarations."""
        raise NotImplementedError

    def read_object(self, node: "Node", block: Block) -> int:
        """`object : T { … }`; see kotlin_declarations."""
        raise NotImplementedError


def type_node(node: "Node") -> "Node | None":
    """The type among the children of a node."""
    return next((child for child in node.named_children if child.type in TYPES), None)


def _names(node: "Node") -> list["Node"]:
    return [child for child in node.named_children if child.type == "identifier"]


def _arguments(node: "Node") -> list["Node"]:
    listed = next((c for c in node.named_children if c.type == "type_arguments"), None)
    found = []
    for child in listed.named_children if listed is not None else ():
        inner = type_node(child)
        if inner is not None:
            found.append(inner)
    return found


def read_type(x: KotlinExtraction, node: "Node | None", block: Block) -> int:
    """The register of a value of a type; records the names it uses."""
    if node is None:
        return NOTHING
    if node.type == "user_type":
        return _read_user(x, node, block)
    if node.type in TYPES and node.type != "function_type":
        return read_type(x, type_node(node), block)
    for child in node.named_children:
        read_type(x, child, block)
    return NOTHING


def _read_user(x: KotlinExtraction, node: "Node", block: Block) -> int:
    names = _names(node)
    if not names:
        return NOTHING
    name = x.text(names[0])
    bound = find_parameter(block, name)
    if bound is not None:
        return bound
    arguments = [read_type(x, each, block) for each in _arguments(node)]
    known = len(names) > 1 or name in x.exports or name in x.imported or block.find_type(name)
    if not known:
        if name in SEQUENCES and arguments:
            return x.container([(None, arguments[-1])])
        if name in MAPPINGS and arguments:
            return x.container([(KEYS, arguments[0]), (None, arguments[-1])], MAPPING)
        if name in FLOWING:
            return NOTHING
    register = class_of(x, node, block)
    return x.instance(register) if register >= 0 else OUTSIDE


def class_of(x: KotlinExtraction, node: "Node | None", block: Block) -> int:
    """The register of the class that a type names, NOTHING for any other type."""
    if node is None:
        return NOTHING
    if node.type != "user_type":
        return class_of(x, type_node(node), block) if node.type in TYPES else NOTHING
    names = _names(node)
    if not names:
        return NOTHING
    if x.text(names[0])[:1].islower() and len(names) > 1:
        module = ".".join(x.text(each) for each in names[:-1])
        return x.import_class(module, x.text(names[-1]))
    register = named_class(x, x.text(names[0]), names[0], block)
    for each in names[1:]:
        if register >= 0 and x.text(each):
            x.refer_attribute(each, register, x.text(each), block.scope.index)
            register = x.attribute(register, x.text(each))
    return register


def type_text(x: KotlinExtraction, node: "Node | None", block: Block) -> str:
    """A type as overloads are chosen by: its simple name without arguments, `?` if it may be any."""
    if node is None:
        return UNKNOWN
    if node.type == "function_type":
        return "->"
    if node.type == "nullable_type":
        inner = type_text(x, type_node(node), block)
        return BOXED.get(inner, inner)
    if node.type != "user_type":
        return type_text(x, type_node(node), block)
    names = _names(node)
    text = x.text(names[-1]) if names else UNKNOWN
    if find_parameter(block, text) is not None:
        return UNKNOWN
    return TYPE_NAMES.get(text, text)


# ---- the types of arguments


def static_type(x: KotlinExtraction, node: "Node | None", block: Block) -> str:
    """A simple name, `null`, `->` for a lambda, or `?`."""
    if node is None:
        return UNKNOWN
    kind = node.type
    known = _LITERALS.get(kind)
    if known is not None:
        return known
    if kind in ("number_literal", "float_literal"):
        return number_type(x.text(node))
    if kind == "identifier":
        text = x.text(node)
        if text in ("true", "false"):
            return "boolean"
        return "null" if text == "null" else name_type(text, block)
    if kind == "as_expression":
        return type_text(x, node.child_by_field_name("right"), block)
    if kind == "this_expression":
        return this_type(block)
    if kind == "parenthesized_expression" and len(written(node)) == 1:
        return static_type(x, written(node)[0], block)
    if kind == "call_expression" and len(written(node)):
        return _call_type(x, written(node)[0], block)
    if kind == "navigation_expression":
        return _member_type(x, node, "", block)
    if kind == "unary_expression":
        return static_type(x, node.child_by_field_name("argument"), block)
    return _operator_type(x, node, block)


def _call_type(x: KotlinExtraction, function: "Node", block: Block) -> str:
    if function.type == "identifier":
        text = x.text(function)
        found = name_type(f"{text}()", block)
        if found == UNKNOWN and x.loose is not None:
            found = x.loose.type_names.get(f"{text}()", UNKNOWN)
        return text if found == UNKNOWN and text[:1].isupper() else found
    if function.type == "navigation_expression":
        return _member_type(x, function, "()", block)
    return UNKNOWN


def _member_type(x: KotlinExtraction, node: "Node", mark: str, block: Block) -> str:
    parts = written(node)
    if len(parts) < 2 or parts[-1].type != "identifier":
        return UNKNOWN
    wanted = x.text(parts[-1]) + mark
    owner = static_type(x, parts[0], block)
    if owner == UNKNOWN and parts[0].type == "identifier" and x.text(parts[0])[:1].isupper():
        owner = x.text(parts[0])
    found = member_type(x, owner, wanted)
    return found if found != UNKNOWN else MEMBER_TYPES.get(wanted, UNKNOWN)


def _operator_type(x: KotlinExtraction, node: "Node", block: Block) -> str:
    token = node.child_by_field_name("operator")
    operator = token.type if token is not None else ""
    if node.type != "binary_expression":
        return UNKNOWN
    left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
    if operator == "?:":
        return static_type(x, left, block)
    parts = []
    while left is not None and left.type == "binary_expression":
        parts.append(static_type(x, right, block))
        right = left.child_by_field_name("right")
        left = left.child_by_field_name("left")
    parts += [static_type(x, left, block), static_type(x, right, block)]
    return operator_type(operator, parts)
