"""Values flow along copy edges: a worklist with difference propagation.

A variable is an integer. Its points-to set is None, one object or a set of objects: 93 % of the
non-empty ones hold one object, so a set for each would double the memory. Its successors are kept
the same way. An *item* subscribed to a variable is run once for every object that arrives there.
Results do not depend on the order of work as long as items only ever add.
"""

from collections import deque
from collections.abc import Callable
from typing import Any

Item = tuple[tuple[Any, ...], int, int]  # instruction, unit index, first register of the unit
Handler = Callable[[Any, Item, int], None]

# A list is searched faster than a set is built up to about this length.
LONGEST_LIST = 12


class Flow:
    """Points-to sets, edges and subscriptions of all variables."""

    def __init__(self, size: int) -> None:
        self.points: list[Any] = [None] * size
        self.successors: list[Any] = [None] * size
        self.items: list[Any] = [None] * size  # None, an item, or a list of them
        self.changes = 0  # edges added so far
        self._work: deque[int] = deque()
        self._delta: dict[int, Any] = {}
        self._fresh: list[tuple[Item, Any]] = []  # subscribed, still to be run

    def variable(self) -> int:
        self.points.append(None)
        self.successors.append(None)
        self.items.append(None)
        return len(self.points) - 1

    def get(self, variable: int) -> tuple[int, ...]:
        """The objects of a variable."""
        points = self.points[variable]
        if points is None:
            return ()
        return (points,) if type(points) is int else tuple(points)

    def add(self, variable: int, target: int) -> None:
        """One more object arrives at a variable."""
        points = self.points[variable]
        if points is None:
            self.points[variable] = target
        elif type(points) is int:
            if points == target:
                return
            self.points[variable] = {points, target}
        elif target in points:
            return
        else:
            points.add(target)
        waiting = self._delta.get(variable)
        if waiting is None:
            self._delta[variable] = target
            self._work.append(variable)
        elif type(waiting) is int:
            self._delta[variable] = {waiting, target}
        else:
            waiting.add(target)

    def add_all(self, variable: int, targets: set[int]) -> None:
        points = self.points[variable]
        if points is None:
            self.points[variable] = set(targets)
            new = set(targets)
        elif type(points) is int:
            new = set(targets)
            new.discard(points)
            if not new:
                return
            self.points[variable] = new | {points}
        else:
            new = targets - points
            if not new:
                return
            points |= new
        waiting = self._delta.get(variable)
        if waiting is None:
            self._delta[variable] = new
            self._work.append(variable)
        elif type(waiting) is int:
            new.add(waiting)
            self._delta[variable] = new
        else:
            waiting |= new

    def link(self, source: int, target: int) -> None:
        """Whatever is in `source` is also in `target`."""
        if source == target:
            return
        successors = self.successors[source]
        if successors is None:
            self.successors[source] = target
        elif type(successors) is int:
            if successors == target:
                return
            self.successors[source] = [successors, target]
        elif target in successors:
            return
        elif type(successors) is list:
            successors.append(target)
            if len(successors) > LONGEST_LIST:
                self.successors[source] = set(successors)
        else:
            successors.add(target)
        self.changes += 1
        points = self.points[source]
        if points is not None:
            if type(points) is int:
                self.add(target, points)
            else:
                self.add_all(target, points)

    def attach(self, variable: int, item: Item) -> None:
        """Subscribe before anything has arrived (while seeding)."""
        items = self.items[variable]
        if items is None:
            self.items[variable] = item
        elif type(items) is tuple:
            self.items[variable] = [items, item]
        else:
            items.append(item)

    def subscribe(self, variable: int, item: Item) -> None:
        """Run `item` for the objects here now and for all that will arrive.

        It is queued, not run: what it does may subscribe again, deeper than the stack reaches.
        """
        self.attach(variable, item)
        points = self.points[variable]
        if points is not None:
            self._fresh.append((item, points if type(points) is int else tuple(points)))

    def start(self) -> None:
        """Queue every variable that was given objects while seeding."""
        for variable, points in enumerate(self.points):
            if points is not None:
                self._delta[variable] = points if type(points) is int else set(points)
                self._work.append(variable)

    def seed(self, variable: int, target: int) -> None:
        """Give an object to a variable without queueing it: `start` does that for all."""
        points = self.points[variable]
        if points is None:
            self.points[variable] = target
        elif type(points) is int:
            if points != target:
                self.points[variable] = {points, target}
        else:
            points.add(target)

    def run(self, handlers: list[Handler], context: Any) -> None:
        """Until nothing moves."""
        work, delta = self._work, self._delta
        successors, items = self.successors, self.items
        add, add_all, fresh = self.add, self.add_all, self._fresh
        while work or fresh:
            while fresh:
                item, new = fresh.pop()
                handler = handlers[item[0][0]]
                for target in (new,) if type(new) is int else new:
                    handler(context, item, target)
            if not work:
                break
            variable = work.popleft()
            new = delta.pop(variable, None)
            if new is None:
                continue
            targets = successors[variable]
            if targets is not None:
                if type(new) is int:
                    if type(targets) is int:
                        add(targets, new)
                    else:
                        for target in tuple(targets):
                            add(target, new)
                elif type(targets) is int:
                    add_all(targets, new)
                else:
                    for target in tuple(targets):
                        add_all(target, new)
            waiting = items[variable]
            if waiting is not None:
                for item in (waiting,) if type(waiting) is tuple else tuple(waiting):
                    handler = handlers[item[0][0]]
                    if type(new) is int:
                        handler(context, item, new)
                    else:
                        for target in new:
                            handler(context, item, target)
