"""What is drawn from a solution before its working state is let go."""

from sys import intern
from typing import TYPE_CHECKING, Any

from agrama.indexer.facts import ATTR, CALL, COPY
from agrama.indexer.resolve.objects import CLASS, INSTANCE, SUPER

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
        for target in unit.definitions:
            code: Code = s.data[target]
            found = (s.static.outside_name(code.base + r) for r in code.bases if r >= 0)
            names = tuple(name for name in found if name is not None)
            if names:
                s.outside_bases[target] = names
    for unit in s.units:
        attributes = {op[1]: op for op in unit.ops if op[0] == ATTR}
        if unit.policy.alternatives:  # a method, or else a function of the program
            for op in unit.ops:
                if op[0] == COPY and op[2] in attributes:
                    attributes.setdefault(op[1], attributes[op[2]])
        for op in unit.ops:
            if op[0] != CALL or unit.base + op[1] in s.targets:
                continue
            name = s.static.outside_name(unit.base + op[2])
            if name is not None:
                s.outside_calls[unit.base + op[1]] = intern(name)
            elif op[2] in attributes:
                _name_inherited(s, unit.base, op[1], attributes[op[2]])


def _name_inherited(s: "Solver", base: int, register: int, attribute: tuple[Any, ...]) -> None:
    """A method that no class of ours has is that of the base outside."""
    names = {_first_outside(s, target) for target in s.flow.get(s.find(base + attribute[2]))}
    if len(names) == 1:
        name = names.pop()
        if name is not None:
            s.outside_calls[base + register] = intern(f"{name}.{attribute[3]}")
            s.inherited_calls.add(base + register)


def _first_outside(s: "Solver", target: int) -> str | None:
    """The first base outside along the order of an object's class."""
    kind = s.kinds[target]
    cls = s.data[target] if kind in (INSTANCE, SUPER) else target
    if s.kinds[cls] != CLASS:
        return None
    for each in s.classes.order(cls):
        names = s.outside_bases.get(each)
        if names is not None:
            return names[0]
    return None
