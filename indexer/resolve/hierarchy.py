"""Parts of the hierarchy that no class declares itself: extensions and satisfied interfaces."""

from typing import TYPE_CHECKING

from agrama.indexer.facts import ABSTRACT, TO_DEFINITION
from agrama.indexer.resolve.objects import CLASS, FUNCTION

if TYPE_CHECKING:
    from agrama.indexer.resolve.objects import Code
    from agrama.indexer.resolve.solver import Solver


def find_extended(s: "Solver", target: int, bases: list[int]) -> list[int]:
    """Note which class an extension extends; returns the bases that it keeps for itself."""
    code: Code = s.data[target]
    register = code.bases[0] if code.bases else -1
    found = s.static.classes(code.base + register) if register >= 0 else []
    if not found:
        return bases  # a class outside: methods and traits stay with the extension
    unit = s.units[code.unit]
    if unit.is_test and unit.policy.overloads and not s.in_tests(found[0]):
        return bases  # found by name where a test calls it; code never sees it
    s.extended[target] = found[0]
    s.added_bases.extend((found[0], base) for base in bases if base != found[0])
    return []


def join_part(s: "Solver", target: int, whole: int, bases: list[int]) -> list[int]:
    """A class opened again: what it says belongs to the class that stands for all."""
    s.extended[target] = whole
    s.added_bases.extend((whole, base) for base in bases if base != whole)
    return []


def join_extensions(s: "Solver") -> None:
    """Methods that a file adds to a class of another file belong to that class."""
    if not s.extended:
        return
    parts: dict[int, list[int]] = {}
    for part, cls in s.extended.items():
        parts.setdefault(cls, []).append(part)
    for cls, joined in parts.items():
        s.classes.extend(cls, joined)
    for cls, base in s.added_bases:
        s.classes.add_base(cls, base)
    for target, kind in enumerate(s.kinds):
        if kind == FUNCTION:
            code: Code = s.data[target]
            owner = s.extended.get(code.owner)
            if owner is not None:
                s.data[target] = code._replace(owner=owner)


def satisfy_interfaces(s: "Solver") -> None:
    """Where interfaces are structural, a class implements those whose methods it has all.

    The front end lists methods by their shape too: `Save(string)(error)`.
    """
    classes = [
        target
        for target, kind in enumerate(s.kinds)
        if kind == CLASS
        and s.units[s.data[target].unit].policy.structural
        and target not in s.extended
    ]
    holders: dict[str, list[int]] = {}
    wanted: dict[int, list[str]] = {}
    for cls in classes:
        shapes = _shapes(s, cls)
        if s.is_interface(cls):
            if len(s.classes.bases[cls]) == len(s.data[cls].bases):  # all of it is known
                wanted[cls] = shapes
        else:
            for shape in shapes:
                holders.setdefault(shape, []).append(cls)
    for interface, shapes in wanted.items():
        for cls in _holders_of_all(shapes, holders):
            if interface not in s.classes.order(cls):
                s.classes.add_base(cls, interface)


def _shapes(s: "Solver", cls: int) -> list[str]:
    found: dict[str, None] = {}
    for each in s.classes.order(cls):
        found.update(dict.fromkeys(name for name in s.data[each].members if "(" in name))
    return list(found)


def _holders_of_all(shapes: list[str], holders: dict[str, list[int]]) -> list[int]:
    if not shapes:
        return []
    lists = sorted((holders.get(shape, []) for shape in shapes), key=len)
    others = [set(each) for each in lists[1:]]
    return [cls for cls in lists[0] if all(cls in each for each in others)]


def find_declared(s: "Solver", objects: list[int]) -> list[int]:
    """Of methods and those that override them: the ones that the receiver's type has.

    They are several where overloads could not be told apart.
    """
    owners = [s.data[each].owner if s.kinds[each] == FUNCTION else -1 for each in objects]
    if min(owners) < 0:
        return []
    top = next((o for o in owners if all(o in s.classes.order(other) for other in owners)), -1)
    return [each for each, owner in zip(objects, owners, strict=True) if owner == top]


def only_method(s: "Solver", instance: int) -> int:
    """The one method without a body of an interface: a lambda stands for it. Else the instance."""
    cls: int = s.data[instance]
    if s.kinds[cls] != CLASS or not s.is_interface(cls):
        return instance
    found: dict[str, int] = {}
    for each in s.classes.order(cls):
        code: Code = s.data[each]
        for name, row in code.members.items():
            if len(row) == 3 and row[1] == TO_DEFINITION and "(" not in name:
                method = s.units[code.unit].definitions[row[2]]
                if s.data[method].flags & ABSTRACT:
                    found.setdefault(name, method)
    return next(iter(found.values())) if len(found) == 1 else instance
