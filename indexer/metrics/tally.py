"""What is counted while a function is walked, and the figures that come out of it.

Halstead's measures follow radon: operators are the arithmetic, boolean, comparison, unary and
augmented ones, operands are what stands directly beside them. A name or constant is one distinct
operand per function however often it occurs; any larger expression is distinct each time.
"""

from math import log2
from typing import TYPE_CHECKING, Optional

if TYPE_CHECKING:
    from tree_sitter import Node  # noqa: TID251 - a type only

Figures = dict[str, int | float | None]


class Tally:
    """Running counts of one function."""

    __slots__ = (
        "body_start",
        "cognitive",
        "counted_from",
        "cyclomatic",
        "depth",
        "inner",
        "muted",
        "name",
        "node",
        "operand_count",
        "operands",
        "operator_count",
        "operators",
        "outer",
        "parameters",
        "regions",
        "structures",
        "unique_operands",
    )

    def __init__(
        self, node: "Node", name: bytes, body_start: int, outer: Optional["Tally"]
    ) -> None:
        self.node = node
        self.name = name
        self.body_start = body_start
        self.parameters: int | None = None  # None: counted from a field of the node
        self.counted_from = body_start  # parameters and their defaults lie before it
        self.outer = outer  # the function this one counts in, in part
        self.inner: list[tuple[Tally, int]] = []  # nested functions and the nesting they stand at
        self.regions: list[tuple[int, int]] = []  # where functions and classes in it lie
        self.muted = False  # its own expressions carry no cognitive weight
        self.cyclomatic = 1
        self.cognitive = 0
        # How many cognitive increments grow by one when the whole function is nested one deeper.
        self.structures = 0
        self.depth = 0
        self.operator_count = 0
        self.operand_count = 0
        self.unique_operands = 0
        self.operators: set[str] = set()
        # Distinct operands with the name of the function they stand in, as radon tells them apart.
        self.operands: set[tuple[bytes, bytes]] = set()

    def add_structure(self, nesting: int) -> None:
        """Count a break of the linear flow, dearer the deeper it is nested."""
        self.cognitive += 1 + nesting
        self.structures += 1

    def absorb_operations(self, inner: "Tally") -> None:
        """Take over the operators and operands of a function nested in this one."""
        self.operator_count += inner.operator_count
        self.operand_count += inner.operand_count
        self.unique_operands += inner.unique_operands
        self.operators |= inner.operators
        self.operands |= inner.operands

    def absorb_cognitive(self, inner: "Tally", nesting: int) -> None:
        """Add the cognitive figure of a nested function as it is at this nesting."""
        self.cognitive += inner.cognitive + nesting * inner.structures
        self.structures += inner.structures

    def figures(self, *, lines: int, parameters: int, recursive: bool) -> Figures:
        return {
            "cyclomatic": self.cyclomatic,
            "cognitive": self.cognitive + recursive,
            "nesting": self.depth,
            "lines": lines,
            "parameters": parameters,
            **self._halstead(),
        }

    def _halstead(self) -> Figures:
        operators = len(self.operators)
        operands = self.unique_operands + len(self.operands)
        if not operators or not operands:
            return {"halstead": 0.0, "halstead_volume": 0.0, "halstead_difficulty": 0.0}
        volume = (self.operator_count + self.operand_count) * log2(operators + operands)
        difficulty = operators * self.operand_count / (2 * operands)
        return {
            "halstead": round(volume * difficulty, 2),
            "halstead_volume": round(volume, 2),
            "halstead_difficulty": round(difficulty, 2),
        }
