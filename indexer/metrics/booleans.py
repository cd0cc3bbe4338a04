"""The weight of boolean expressions in Python's cognitive figure, as complexipy defines it.

A run of like operators weighs one, an operand that is itself a run of the other operator weighs one
more. The definition compares every operand with its siblings, not with its parent alone, so that a
negation beside a run adds to it; the figures below follow it to the letter.
"""

from typing import TYPE_CHECKING, Optional

if TYPE_CHECKING:
    from tree_sitter import Node  # noqa: TID251 - a type only

_MOST_STEPS = 5_000
"""The definition is quadratic in the operands; no readable expression comes near this."""
_MOST_LEVELS = 40

_NEGATION = ""


class _Tree:
    """A boolean operator or a negation; operands that are neither have no weight and are None."""

    __slots__ = ("operator", "values")

    def __init__(self, operator: str, values: list[Optional["_Tree"]]) -> None:
        self.operator = operator
        self.values = values


def weigh_boolean(node: "Node") -> int:
    """Weight of a boolean operator, `not` or sign, 0 when it is a part of a larger one."""
    parent = node.parent
    while parent is not None and parent.type == "parenthesized_expression":
        parent = parent.parent
    if parent is not None and parent.type in _OPERATORS:
        return 0
    tree = _read_tree(node, _MOST_LEVELS)
    if tree is None:
        return 0
    base = 0 if tree.operator == _NEGATION else 1
    if not any(tree.values):
        return base
    steps = [_MOST_STEPS]
    return base + sum(_compare(value, tree, steps) for value in tree.values if value)


_OPERATORS = frozenset({"boolean_operator", "not_operator", "unary_operator"})


def _read_tree(node: "Node | None", levels: int) -> _Tree | None:
    while node is not None and node.type == "parenthesized_expression":
        node = _operand(node)
    if node is None or node.type not in _OPERATORS or not levels:
        return None
    if node.type != "boolean_operator":
        return _Tree(_NEGATION, [_read_tree(_operand(node), levels - 1)])
    operator = _operator(node)
    values = []
    while True:  # `a and b and c` leans to the left
        values.append(_read_tree(node.child_by_field_name("right"), levels - 1))
        left = node.child_by_field_name("left")
        if left is None or left.type != "boolean_operator" or _operator(left) != operator:
            break
        node = left
    values.append(_read_tree(left, levels - 1))
    return _Tree(operator, values[::-1])


def _operand(node: "Node") -> "Node | None":
    return next((child for child in node.named_children if not child.is_extra), None)


def _operator(node: "Node") -> str:
    token = node.child_by_field_name("operator")
    return token.type if token is not None else "?"


def _compare(tree: _Tree, before: _Tree, steps: list[int]) -> int:
    """What an operand adds beside what is already counted."""
    steps[0] -= 1
    if steps[0] < 0:
        return 0
    weight = 0
    if tree.operator != _NEGATION:
        weight = int(tree.operator != before.operator)
    return weight + sum(_compare(value, tree, steps) for value in before.values if value)
