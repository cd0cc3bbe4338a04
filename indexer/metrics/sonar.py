"""The rules of every language but Python: cognitive complexity as SonarSource's paper defines it."""

from typing import TYPE_CHECKING

from agrama.indexer.metrics.tally import Tally

if TYPE_CHECKING:
    from tree_sitter import Node  # noqa: TID251 - a type only


class SonarRules:
    """See the module."""

    def weigh(self, node: "Node", nesting: int, tally: Tally) -> None:
        """No expression weighs anything that its captures do not say."""

    def cases(self, node: "Node") -> int:
        return 0

    def sequence(self, node: "Node") -> int:
        """Runs of like operators, read from left to right: `a && b || c && d` has three."""
        if _is_logical(_parent(node)):
            return 0
        runs = 0
        before = ""
        for operator in _read_operators(node):
            runs += operator != before
            before = operator
        return runs

    def deepening(self, outer: Tally, inner: "Node") -> int:
        return 1

    def settle(self, tally: Tally) -> None:
        """A function that branches nowhere itself only declares others, which are then no deeper."""
        lift = 0 if tally.structures else 1
        for inner, nesting in tally.inner:
            tally.absorb_cognitive(inner, nesting - lift)
            tally.absorb_operations(inner)


_LOGICAL = frozenset({"&&", "||", "??", "and", "or"})


def _operator(node: "Node") -> str:
    token = node.child_by_field_name("operator")
    if token is not None:
        return token.type
    return next((child.type for child in node.children if child.type in _LOGICAL), "")


def _is_logical(node: "Node | None") -> bool:
    return node is not None and node.named_child_count == 2 and _operator(node) in _LOGICAL


def _parent(node: "Node") -> "Node | None":
    parent = node.parent
    while parent is not None and parent.type == "parenthesized_expression":
        parent = parent.parent
    return parent


def _read_operators(node: "Node") -> list[str]:
    """The operators of a boolean expression in reading order, through parentheses."""
    operators: list[str] = []
    stack: list[Node | str] = [node]
    while stack:
        item = stack.pop()
        if isinstance(item, str):
            operators.append(item)
            continue
        while item.type == "parenthesized_expression" and item.named_child_count == 1:
            item = item.named_children[0]
        if _is_logical(item):
            left, right = item.named_children
            stack += [right, _operator(item), left]
    return operators
