"""Operators and operands of one expression, counted into a tally."""

from typing import TYPE_CHECKING

from agrama.indexer.metrics.tally import Tally

if TYPE_CHECKING:
    from tree_sitter import Node  # noqa: TID251 - a type only

_MEMBERS = ("attribute", "property", "field", "name")
"""Fields that name the member of an access: the operand is that name, whatever the object."""

_STRINGS = frozenset({"string", "template_string", "string_literal"})
_SUBSTITUTIONS = frozenset({"interpolation", "template_substitution"})


_BOOLEANS = frozenset({"and", "or", "&&", "||", "??"})


def read_boolean(node: "Node") -> str:
    """The operator of a boolean expression, also of `a ??= b`; "" for any other node."""
    token = node.child_by_field_name("operator")
    if token is None:
        return ""
    operator = token.type.removesuffix("=")
    return operator if operator in _BOOLEANS else ""


def count_operation(node: "Node", source: bytes, tally: Tally) -> None:
    """Count the operator tokens of a node and the operands beside them."""
    operands = []
    operators = []
    for child in node.children:
        if not child.is_named:
            operators.append(child.type)
        elif not child.is_extra:
            operands.append(child)
    first = operands[0] if operands else None
    if first is not None and len(operators) == 1 and _continues(first, node, operators[0]):
        # `a and b and c` is one operator with three operands, counted where the chain begins.
        operators.clear()
        del operands[0]
    if len(operands) == 1:
        operators = [f"unary {operator}" for operator in operators]
    elif node.type.startswith("augmented"):
        operators = [operator.removesuffix("=") for operator in operators]
    tally.operator_count += len(operators)
    tally.operators.update(operators)
    tally.operand_count += len(operands)
    for operand in operands:
        key = _operand_key(operand, source)
        if key is None:
            tally.unique_operands += 1
        else:
            tally.operands.add((tally.name, key))


def _continues(first: "Node", node: "Node", operator: str) -> bool:
    if first.type != node.type or operator not in _BOOLEANS:
        return False
    token = first.child_by_field_name("operator")
    return token is not None and token.type == operator


def _operand_key(node: "Node", source: bytes) -> bytes | None:
    """What makes two operands the same; None for an expression that equals no other.

    As radon has it, a string equals a name that is spelt like it.
    """
    while node.type == "parenthesized_expression" and node.named_child_count:
        inner = node.named_child(0)
        if inner is None:
            break
        node = inner
    text = source[node.start_byte : node.end_byte]
    if node.type in _STRINGS:
        plain = not any(child.type in _SUBSTITUTIONS for child in node.named_children)
        return text.strip(b"rbuRBU").strip(b"\"'`") if plain else None
    if not node.child_count:
        return text
    for field in _MEMBERS:
        member = node.child_by_field_name(field)
        if member is not None:
            return source[member.start_byte : member.end_byte]
    return None
