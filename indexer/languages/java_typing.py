"""The static type of an argument as far as the text near it tells: overloads are chosen by it."""

from typing import TYPE_CHECKING

from agrama.indexer.languages.classes import class_around
from agrama.indexer.languages.java_types import JavaExtraction, type_text
from agrama.indexer.languages.typed import Block

if TYPE_CHECKING:
    from tree_sitter import Node  # noqa: TID251 - a type only

UNKNOWN = "?"
_LITERALS = {
    "string_literal": "String", "character_literal": "char", "true": "boolean", "false": "boolean",
    "null_literal": "null", "class_literal": "Class", "lambda_expression": "->",
    "method_reference": "->", "instanceof_expression": "boolean",
}  # fmt: skip
_NUMBERS = ("byte", "short", "char", "int", "long", "float", "double")
# What well-known methods of the library return, whatever their class.
_RETURNS = {
    **dict.fromkeys(("toString", "name", "getName", "getSimpleName", "substring", "trim",
                     "toLowerCase", "toUpperCase", "replace", "strip", "concat"), "String"),
    **dict.fromkeys(("length", "size", "indexOf", "lastIndexOf", "hashCode", "intValue", "ordinal",
                     "compareTo"), "int"),
    **dict.fromkeys(("equals", "isEmpty", "contains", "containsKey", "startsWith", "endsWith",
                     "hasNext", "booleanValue", "equalsIgnoreCase", "matches"), "boolean"),
    "longValue": "long", "doubleValue": "double", "floatValue": "float", "shortValue": "short",
    "byteValue": "byte", "charAt": "char", "getClass": "Class", "toCharArray": "char[]",
}  # fmt: skip
_COMPARISONS = frozenset(("==", "!=", "<", ">", "<=", ">=", "&&", "||"))


def static_type(x: JavaExtraction, node: "Node", block: Block) -> str:
    """A simple name, `null`, `->` for a lambda, or `?`."""
    kind = node.type
    known = _LITERALS.get(kind)
    if known is not None:
        return known
    if kind.endswith("_integer_literal"):
        return "long" if x.text(node)[-1:] in "lL" else "int"
    if kind.endswith("floating_point_literal"):
        return "float" if x.text(node)[-1:] in "fF" else "double"
    if kind == "identifier":
        return _name_type(x, x.text(node), block)
    if kind in ("object_creation_expression", "cast_expression"):
        return type_text(x, node.child_by_field_name("type"), block)
    if kind == "array_creation_expression":
        return type_text(x, node.child_by_field_name("type"), block) + "[]"
    if kind == "this":
        cls = class_around(block)
        return cls.name if cls is not None else UNKNOWN
    if kind == "parenthesized_expression" and node.named_child_count == 1:
        return static_type(x, node.named_children[0], block)
    if kind == "method_invocation":
        return _call_type(x, node, block)
    if kind == "field_access":
        return _field_type(x, node, block)
    if kind == "ternary_expression":
        return _ternary_type(x, node, block)
    if kind == "assignment_expression":
        left = node.child_by_field_name("left")
        return static_type(x, left, block) if left is not None else UNKNOWN
    return _operator_type(x, node, block)


def _name_type(x: JavaExtraction, name: str, block: Block) -> str:
    current: Block | None = block
    while current is not None:
        local = current.names.get(name)
        if local is not None:
            return local.type_name or UNKNOWN
        if current.scope.is_class and name in current.scope.type_names:
            return current.scope.type_names[name]
        current = current.outer
    return UNKNOWN


def _call_type(x: JavaExtraction, node: "Node", block: Block) -> str:
    """What a method of a class of this file is declared to return."""
    name, target = node.child_by_field_name("name"), node.child_by_field_name("object")
    if name is None:
        return UNKNOWN
    wanted = f"{x.text(name)}()"
    if target is None or target.type == "this":
        return _name_type(x, wanted, block)
    owner = static_type(x, target, block) if target.type != "identifier" else UNKNOWN
    if target.type == "identifier":
        text = x.text(target)
        owner = _name_type(x, text, block)
        if owner == UNKNOWN and text[:1].isupper():
            owner = text
    found = _member_type(x, owner, wanted)
    return found if found != UNKNOWN else _RETURNS.get(x.text(name), UNKNOWN)


def _field_type(x: JavaExtraction, node: "Node", block: Block) -> str:
    target, field = node.child_by_field_name("object"), node.child_by_field_name("field")
    if target is None or field is None:
        return UNKNOWN
    if target.type == "this":
        cls = class_around(block)
        return cls.type_names.get(x.text(field), UNKNOWN) if cls is not None else UNKNOWN
    if x.text(field) == "length":
        return "int"
    if target.type == "identifier" and x.text(target)[:1].isupper():
        return _member_type(x, x.text(target), x.text(field))
    return _member_type(x, static_type(x, target, block), x.text(field))


def _member_type(x: JavaExtraction, owner: str, wanted: str) -> str:
    for cls, _, _ in x.class_nodes:
        if cls.name == owner:
            return cls.type_names.get(wanted, UNKNOWN)
    return UNKNOWN


def _ternary_type(x: JavaExtraction, node: "Node", block: Block) -> str:
    for field in ("consequence", "alternative"):
        part = node.child_by_field_name(field)
        found = static_type(x, part, block) if part is not None else UNKNOWN
        if found not in (UNKNOWN, "null"):
            return found
    return UNKNOWN


def _operator_type(x: JavaExtraction, node: "Node", block: Block) -> str:
    token = node.child_by_field_name("operator")
    operator = token.type if token is not None else ""
    if operator in _COMPARISONS or operator == "!":
        return "boolean"
    if node.type in ("unary_expression", "update_expression") and node.named_child_count:
        return static_type(x, node.named_children[-1], block)
    if node.type != "binary_expression":
        return UNKNOWN
    right = node.child_by_field_name("right")
    left = node.child_by_field_name("left")
    parts = []
    while left is not None and left.type == "binary_expression":
        inner = left.child_by_field_name("right")
        parts.append(static_type(x, inner, block) if inner is not None else UNKNOWN)
        left = left.child_by_field_name("left")
    parts += [static_type(x, part, block) for part in (left, right) if part is not None]
    if operator == "+" and "String" in parts:
        return "String"
    if all(part in _NUMBERS for part in parts):
        return max(("int", *parts), key=_NUMBERS.index)
    return UNKNOWN
