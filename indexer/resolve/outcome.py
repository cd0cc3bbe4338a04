"""What is drawn from a solution before its working state is let go."""

from sys import intern
from typing import TYPE_CHECKING

from agrama.indexer.facts import CALL

if TYPE_CHECKING:
    from agrama.indexer.resolve.objects import Code
    from agrama.indexer.resolve.solver import Solver


def find_constructed(s: "Solver") -> None:
    """Classes that some call makes instances of; of others only declarations speak."""
    for targets in s.targets.values():
        for target in (targets,) if type(targets) is int else targets:
            if s.is_class(target):
                s.constructed.add(target)


def name_outside(s: "Solver") -> None:
    """Calls and bases that lead out of the program, by name."""
    for unit in s.units:
        for op in unit.ops:
            if op[0] == CALL and unit.base + op[1] not in s.targets:
                name = s.static.outside_name(unit.base + op[2])
                if name is not None:
                    s.outside_calls[unit.base + op[1]] = intern(name)
        for target in unit.definitions:
            code: Code = s.data[target]
            found = (s.static.outside_name(code.base + r) for r in code.bases if r >= 0)
            names = tuple(name for name in found if name is not None)
            if names:
                s.outside_bases[target] = names
