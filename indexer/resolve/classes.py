"""Class hierarchies: bases found without solving, linear orders (C3), descendants."""

from collections.abc import Iterable

from agrama.indexer.resolve.objects import CLASS, Objects


class Classes:
    """Bases, order of lookup and subclasses of every class object."""

    def __init__(self, objects: Objects) -> None:
        self._objects = objects
        self.bases: dict[int, list[int]] = {}
        self._subclasses: dict[int, list[int]] = {}
        self._orders: dict[int, tuple[int, ...]] = {}

    def declare(self, cls: int, bases: list[int]) -> None:
        self.bases[cls] = bases
        for base in bases:
            self._subclasses.setdefault(base, []).append(cls)

    def extend(self, cls: int, parts: list[int]) -> None:
        """Members of `parts` are members of the class; they come before those it inherits."""
        self.bases[cls] = [*parts, *self.bases.get(cls, ())]
        self._orders.clear()

    def order(self, cls: int) -> tuple[int, ...]:
        """The class and its ancestors, in the order attributes are looked up."""
        found = self._orders.get(cls)
        if found is None:
            found = self._orders[cls] = self._linearize(cls, ())
        return found

    def _linearize(self, cls: int, above: tuple[int, ...]) -> tuple[int, ...]:
        found = self._orders.get(cls)
        if found is not None:
            return found
        bases = self.bases.get(cls, [])
        if not bases or cls in above:
            return (cls,)
        chains = [list(self._linearize(base, (*above, cls))) for base in bases]
        order = (cls, *_merge([*chains, list(bases)]))
        if not above:
            self._orders[cls] = order
        return order

    def descendants(self, cls: int, limit: int) -> tuple[int, ...]:
        """All subclasses, () when there are more than `limit`."""
        found: dict[int, None] = {}
        waiting = [cls]
        while waiting:
            for child in self._subclasses.get(waiting.pop(), ()):
                if child not in found and child != cls:
                    found[child] = None
                    waiting.append(child)
                    if len(found) > limit:
                        return ()
        return tuple(found)

    def add_base(self, cls: int, base: int) -> Iterable[int]:
        """A base found by solving; returns the classes whose order changed."""
        if base in self.bases[cls] or cls in self.order(base):
            return ()
        self.bases[cls] = [*self.bases[cls], base]
        self._subclasses.setdefault(base, []).append(cls)
        changed = (cls, *self.descendants(cls, len(self.bases)))
        for each in changed:
            self._orders.pop(each, None)
        return changed

    def is_class(self, target: int) -> bool:
        return self._objects.kinds[target] == CLASS


def _merge(chains: list[list[int]]) -> list[int]:
    """C3; where no consistent order exists, the first candidate is taken all the same."""
    order: list[int] = []
    chains = [chain for chain in chains if chain]
    while chains:
        for chain in chains:
            head = chain[0]
            if not any(head in other[1:] for other in chains):
                break
        else:
            head = chains[0][0]
        if head not in order:
            order.append(head)
        chains = [rest for rest in ([x for x in c if x != head] for c in chains) if rest]
    return order
