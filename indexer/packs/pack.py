"""What a framework pack may add to the solver.

A pack only ever adds objects, and what it adds must not depend on the order of work. A pack works
whether the framework is part of the program or lies outside.
"""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from agrama.indexer.resolve.solver import Solver


class Pack:
    """Hooks that do nothing; a pack overrides those it needs."""

    def prepare(self, solver: "Solver") -> bool:
        """The classes are known. Is the framework used by this program?"""
        raise NotImplementedError

    def class_attribute(self, solver: "Solver", cls: int, name: str, variable: int) -> None:
        """`cls.name` is read into a variable for the first time."""

    def instance_attribute(self, solver: "Solver", cls: int, name: str, variable: int) -> None:
        """An attribute of the instance of `cls` is read into a variable for the first time."""

    def element(self, solver: "Solver", cls: int) -> int | None:
        """What iterating or subscripting an instance of `cls` yields."""
        return None

    def item(self, solver: "Solver", cls: int, position: int) -> int | None:
        """The variable of what `instance[position]` reads, also by unpacking."""
        return None

    def settles(self, solver: "Solver", receiver: int) -> bool:
        """Does the pack say what methods of this receiver return?"""
        return False

    def operate(self, solver: "Solver", receiver: int, name: str, destination: int) -> None:
        """The method `name` of a receiver that this pack settles is called."""
