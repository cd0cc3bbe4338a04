"""Instructions that pair two sets of objects: binding receivers, setting prototypes.

Their work is a product. In bundled code, where one `require` yields every module, both sides have
hundreds of members and the pairs mean nothing. So pairs are made between the stages, when the sets
stand still, and only while there are few: a limit that does not depend on the order of work.
"""

from typing import TYPE_CHECKING

from agrama.indexer.facts import BIND
from agrama.indexer.resolve.flow import Item
from agrama.indexer.resolve.objects import BOUND, CLASS, CONTAINER, FUNCTION, INSTANCE

if TYPE_CHECKING:
    from agrama.indexer.resolve.solver import Solver

MOST_PAIRS = 64
ROUNDS = 4
_HOLDERS = frozenset((FUNCTION, CONTAINER, INSTANCE, CLASS))


def join(s: "Solver", items: list[Item]) -> bool:
    """Make the pairs there are now. True if any was new."""
    changed = False
    for item in items:
        made = _bind(s, item) if item[0][0] == BIND else _set_prototypes(s, item)
        changed = changed or made
    return changed


def _bind(s: "Solver", item: Item) -> bool:
    """`f.bind(receiver)`; too many pairs leave the functions unbound."""
    op, _, base = item
    found = {s.data[f][0] if s.kinds[f] == BOUND else f for f in s.flow.get(s.find(base + op[2]))}
    functions = sorted(f for f in found if s.kinds[f] == FUNCTION)
    receivers = s.flow.get(s.find(base + op[3])) if op[3] >= 0 else ()
    changed = False
    if not receivers or len(functions) * len(receivers) > MOST_PAIRS:
        for function in functions:
            changed = _add(s, base + op[1], function) or changed
        return changed
    for receiver in sorted(receivers):
        own = s.data[receiver][0] if s.kinds[receiver] == BOUND else receiver
        for function in functions:
            changed = _add(s, base + op[1], s.objects.bound(function, own)) or changed
    return changed


def _set_prototypes(s: "Solver", item: Item) -> bool:
    op, _, base = item
    holders = [t for t in sorted(s.flow.get(s.find(base + op[1]))) if s.kinds[t] in _HOLDERS]
    prototypes = sorted(s.flow.get(s.find(base + op[2])))
    changed = False
    if len(holders) * len(prototypes) <= MOST_PAIRS:
        for holder in holders:
            for prototype in prototypes:
                changed = _add(s, s.prototype(holder), prototype) or changed
    return changed


def _add(s: "Solver", variable: int, target: int) -> bool:
    points = s.flow.points[variable]
    known = points == target if type(points) is int else points is not None and target in points
    if not known:
        s.flow.add(variable, target)
    return not known
