"""The rules of every language but Python: cognitive complexity as SonarSource's paper defines it."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from agrama.indexer.metrics.halstead import read_boolean
from agrama.indexer.metrics.tally import Tally

if TYPE_CHECKING:
    from tree_sitter import Node  # noqa: TID251 - a type only


class SonarRules:
    """See the module."""

    def __init__(self) -> None:
        self._inner: set[tuple[int, int]] = (
            set()
        )  # operators that are a part of a larger expression

    def weigh(self, node: "Node", nesting: int, tally: Tally) -> None:
        """No expression weighs anything that its captures do not say."""

    def cases(self, node: "Node") -> int:
        return 0

    def count_runs(self, node: "Node") -> int:
        """Runs of like operators, read from left to right: `a && b || c && d` has three."""
        if (node.start_byte, node.end_byte) in self._inner:
            return 0
        runs = 0
        before = ""
        for operator in self._read_operators(node):
            runs += operator != before
            before = operator
        return runs

    def _read_operators(self, node: "Node") -> Iterator[str]:
        """The operators of a boolean expression in reading order, through parentheses."""
        pending: list[Node | str] = [node]
        while pending:
            item = pending.pop()
            if isinstance(item, str):
                yield item
                continue
            while item.type == "parenthesized_expression" and item.named_child_count == 1:
                item = item.named_children[0]
            operator = read_boolean(item)
            operands = [child for child in item.named_children if not child.is_extra]
            if operator and len(operands) == 2:
                self._inner.add((item.start_byte, item.end_byte))
                pending += [operands[1], operator, operands[0]]

    def deepening(self, outer: Tally, inner: "Node") -> int:
        return 1

    def settle(self, tally: Tally) -> None:
        """A function that branches nowhere itself only declares others, which are then no deeper."""
        lift = 0 if tally.structures else 1
        for inner, nesting in tally.inner:
            tally.absorb_cognitive(inner, nesting - lift)
            tally.absorb_operations(inner)
