"""What is counted while a function is walked, and the figures that come out of it.

Halstead's measures follow radon: operators are the arithmetic, boolean, comparison, unary and
augmented ones, operands are what stands directly beside them. A name or constant is one distinct
operand per function however often it occurs; any larger expression is distinct each time.
"""

from math import log2

Figures = dict[str, int | float | None]


class Tally:
    """Running counts of one function, or of code that belongs to none."""

    __slots__ = (
        "cognitive",
        "cyclomatic",
        "depth",
        "name",
        "operand_count",
        "operands",
        "operator_count",
        "operators",
        "structures",
        "unique_operands",
    )

    def __init__(self, name: bytes = b"") -> None:
        self.name = name
        self.cyclomatic = 1
        self.cognitive = 0
        # How many cognitive increments grow by one when the whole function is nested one deeper.
        self.structures = 0
        self.depth = 0
        self.operator_count = 0
        self.operand_count = 0
        self.unique_operands = 0
        self.operators: set[str] = set()
        # Distinct operands by the name of the function they stand in.
        self.operands: dict[bytes, set[object]] = {}

    def add_operation(self, operator: str, keys: list[object]) -> None:
        """Count one operator with its operands; a None key is an operand equal to no other."""
        self.operator_count += 1
        self.operators.add(operator)
        self.add_operands(keys)

    def add_operands(self, keys: list[object]) -> None:
        self.operand_count += len(keys)
        seen = self.operands.get(self.name)
        if seen is None:
            seen = self.operands[self.name] = set()
        for key in keys:
            if key is None:
                self.unique_operands += 1
            else:
                seen.add(key)

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
        for name, keys in inner.operands.items():
            if name in self.operands:
                self.operands[name] |= keys
            else:
                self.operands[name] = set(keys)

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
        operands = self.unique_operands + sum(len(keys) for keys in self.operands.values())
        if not operators or not operands:
            return {"halstead_volume": 0.0, "halstead_difficulty": 0.0, "halstead_effort": 0.0}
        volume = (self.operator_count + self.operand_count) * log2(operators + operands)
        difficulty = operators * self.operand_count / (2 * operands)
        return {
            "halstead_volume": round(volume, 2),
            "halstead_difficulty": round(difficulty, 2),
            "halstead_effort": round(volume * difficulty, 2),
        }
