"""The static type of a C# argument as far as the text near it tells."""

from typing import TYPE_CHECKING

from agrama.indexer.languages.classes import UNKNOWN
from agrama.indexer.languages.classes_typing import (
    member_type,
    name_type,
    number_type,
    operator_type,
    this_type,
)
from agrama.indexer.languages.csharp_library import MEMBER_TYPES
from agrama.indexer.languages.csharp_types import CSharpExtraction, type_text
from agrama.indexer.languages.typed import Block, written

if TYPE_CHECKING:
    from tree_sitter import Node  # noqa: TID251 - a type only

_LITERALS = {
    "string_literal": "String", "interpolated_string_expression": "String",
    "verbatim_string_literal": "String", "raw_string_literal": "String",
    "character_literal": "char", "boolean_literal": "boolean", "null_literal": "null",
    "lambda_expression": "->", "anonymous_method_expression": "->", "typeof_expression": "Class",
    "is_expression": "boolean", "is_pattern_expression": "boolean",
}  # fmt: skip
_TYPED = frozenset(("object_creation_expression", "cast_expression", "default_expression"))


def static_type(x: CSharpExtraction, node: "Node | None", block: Block) -> str:
    """A simple name, `null`, `->` for a lambda, or `?`."""
    if node is None:
        return UNKNOWN
    kind = node.type
    known = _LITERALS.get(kind)
    if known is not None:
        return known
    if kind in ("integer_literal", "real_literal"):
        return number_type(x.text(node))
    if kind == "identifier":
        return name_type(x.text(node), block)
    if kind in _TYPED:
        return type_text(x, node.child_by_field_name("type"), block)
    if kind == "array_creation_expression":
        return type_text(x, node.child_by_field_name("type"), block)
    if kind == "as_expression":
        return type_text(x, node.child_by_field_name("right"), block)
    if kind == "this":
        return this_type(block)
    if kind in ("parenthesized_expression", "checked_expression") and len(written(node)) == 1:
        return static_type(x, written(node)[0], block)
    if kind == "invocation_expression":
        return _call_type(x, node, block)
    if kind == "member_access_expression":
        return _member_type(x, node, "", block)
    if kind == "conditional_expression":
        found = static_type(x, node.child_by_field_name("consequence"), block)
        other = static_type(x, node.child_by_field_name("alternative"), block)
        return other if found in (UNKNOWN, "null") else found
    if kind == "assignment_expression":
        return static_type(x, node.child_by_field_name("left"), block)
    return _operator_type(x, node, block)


def _call_type(x: CSharpExtraction, node: "Node", block: Block) -> str:
    function = node.child_by_field_name("function")
    if function is None:
        return UNKNOWN
    if function.type == "identifier":
        if x.text(function) == "nameof":
            return "String"
        return name_type(f"{x.text(function)}()", block)
    if function.type == "member_access_expression":
        return _member_type(x, function, "()", block)
    return UNKNOWN


def _member_type(x: CSharpExtraction, node: "Node", mark: str, block: Block) -> str:
    target, name = node.child_by_field_name("expression"), node.child_by_field_name("name")
    if target is None or name is None:
        return UNKNOWN
    wanted = x.text(name) + mark
    owner = static_type(x, target, block)
    if owner == UNKNOWN and target.type == "identifier" and x.text(target)[:1].isupper():
        owner = x.text(target)
        if owner in x.classes and x.classes[owner].types.get("<enum>") is not None:
            return owner
    found = member_type(x, owner, wanted)
    return found if found != UNKNOWN else MEMBER_TYPES.get(wanted, UNKNOWN)


def _operator_type(x: CSharpExtraction, node: "Node", block: Block) -> str:
    token = node.child_by_field_name("operator")
    operator = token.type if token is not None else ""
    if node.type in ("prefix_unary_expression", "postfix_unary_expression"):
        if x.source[node.start_byte : node.start_byte + 1] == b"!":
            return "boolean"
        return static_type(x, written(node)[0], block) if len(written(node)) else UNKNOWN
    if node.type != "binary_expression":
        return UNKNOWN
    if operator == "??":
        return static_type(x, node.child_by_field_name("left"), block)
    parts = []
    left = node.child_by_field_name("left")
    right = node.child_by_field_name("right")
    while left is not None and left.type == "binary_expression":
        parts.append(static_type(x, right, block))
        right = left.child_by_field_name("right")
        left = left.child_by_field_name("left")
    parts += [static_type(x, left, block), static_type(x, right, block)]
    return operator_type(operator, parts)
