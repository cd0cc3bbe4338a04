"""Lists, dictionaries and other containers: one variable per known key, one for all elements."""

from typing import TYPE_CHECKING, Any

from agrama.indexer.facts import BLOCK, CALL, FORM_CALLBACK
from agrama.indexer.languages.language import (
    ADD,
    EXTEND,
    GET,
    ITEMS,
    KEYS_OF,
    MAP,
    REDUCE,
    SAME,
)
from agrama.indexer.resolve import codes
from agrama.indexer.resolve.flow import Flow, Item
from agrama.indexer.resolve.objects import (
    BOUND,
    CLASS,
    CONSTANT,
    CONTAINER,
    INSTANCE,
)

if TYPE_CHECKING:
    from agrama.indexer.resolve.solver import Solver


class Slots:
    """The variables of what is stored on classes (or their instances), functions and modules."""

    def __init__(self, flow: Flow) -> None:
        self._flow = flow
        self._slots: dict[int, dict[str, int]] = {}

    def slot(self, holder: int, name: str) -> int:
        slots = self._slots.get(holder)
        if slots is None:
            slots = self._slots[holder] = {}
        variable = slots.get(name)
        if variable is None:
            variable = slots[name] = self._flow.variable()
        return variable


class Containers:
    """The variables of containers: `key` None holds what was stored under an unknown key."""

    def __init__(self, flow: Flow, slots: Slots) -> None:
        self._flow = flow
        self._slots = slots
        self._keys: dict[int, dict[Any, int]] = {}
        self._whole: dict[int, int] = {}
        self._key_values: dict[int, int] = {}
        self.mappings: set[int] = set()  # containers that yield their keys when iterated
        self._slices: dict[int, list[tuple[int, int]]] = {}
        self._spaces: dict[int, list[int]] = {}

    def key(self, container: int, key: Any) -> int:
        keys = self._keys.get(container)
        if keys is None:
            keys = self._keys[container] = {}
        variable = keys.get(key)
        if variable is None:
            variable = keys[key] = self._flow.variable()
            self._flow.link(variable, self.whole(container))
            self._announce(container, key, variable)
        return variable

    def whole(self, container: int) -> int:
        """The variable of all elements together."""
        variable = self._whole.get(container)
        if variable is None:
            variable = self._whole[container] = self._flow.variable()
        return variable

    def keys(self, container: int) -> int:
        """The variable of what is used as a key."""
        variable = self._key_values.get(container)
        if variable is None:
            variable = self._key_values[container] = self._flow.variable()
        return variable

    def elements(self, container: int) -> int:
        """The variable of what iterating yields."""
        return self.keys(container) if container in self.mappings else self.whole(container)

    def _announce(self, container: int, key: Any, variable: int) -> None:
        for part, start in self._slices.get(container, ()):
            self._copy_key(part, start, key, variable)
        for cls in self._spaces.get(container, ()):
            if key is not None and key[0] == "s":
                self._flow.link(variable, self._slots.slot(cls, key[1]))

    def slice(self, container: int, start: int, part: int) -> None:
        """`part` holds the elements from `start` on, those to come included."""
        self._slices.setdefault(container, []).append((part, start))
        for key, variable in list(self._keys.get(container, {}).items()):
            self._copy_key(part, start, key, variable)

    def _copy_key(self, part: int, start: int, key: Any, variable: int) -> None:
        if key is None:
            self._flow.link(variable, self.key(part, None))
        elif key[0] == "i" and key[1] >= start:
            self._flow.link(variable, self.key(part, ("i", key[1] - start)))

    def use_as_namespace(self, container: int, cls: int) -> None:
        """The string keys of a container are attributes of a class."""
        self._spaces.setdefault(container, []).append(cls)
        for key, variable in list(self._keys.get(container, {}).items()):
            if key is not None and key[0] == "s":
                self._flow.link(variable, self._slots.slot(cls, key[1]))


# ---- handlers: (solver, item, object that arrived)


def subscript(s: "Solver", item: Item, target: int) -> None:
    op, unit, base = item
    destination = base + op[1]
    kind = s.kinds[target]
    if kind == CONTAINER:
        key = op[3]
        if key is None:
            s.flow.link(s.containers.whole(target), destination)
        elif key[0] == "r":
            s.flow.link(s.containers.key(target, None), destination)
            s.subscribe(s.find(base + key[1]), (codes.KEY_READ, destination, target))
        else:
            s.flow.link(s.containers.key(target, key), destination)
            s.flow.link(s.containers.key(target, None), destination)
    elif kind == INSTANCE:
        _add_element(s, target, destination)
        _add_field(s, target, op[3], destination)
        method = s.attribute(target, s.units[unit].policy.subscript)
        if method is not None:
            s.subscribe(method, (codes.GET_ITEM, destination))
    elif kind == CLASS:
        s.flow.add(destination, target)


def _add_element(s: "Solver", instance: int, destination: int) -> None:
    for pack in s.packs:
        element = pack.element(s, s.data[instance])
        if element is not None:
            s.flow.add(destination, element)


def _add_field(s: "Solver", instance: int, key: Any, destination: int) -> None:
    if key is not None and key[0] == "i":
        for pack in s.packs:
            variable = pack.item(s, s.data[instance], key[1])
            if variable is not None:
                s.flow.link(variable, destination)


def read_key(s: "Solver", item: Item, target: int) -> None:
    _, destination, container = item[0]
    if s.kinds[target] == CONSTANT:
        s.flow.link(s.containers.key(container, s.data[target]), destination)


def get_item(s: "Solver", item: Item, target: int) -> None:
    if s.kinds[target] == BOUND:
        s.flow.link(s.returned(s.data[target][0]), item[0][1])
    elif s.kinds[target] == CONTAINER:  # what the class is made of, where that is a type
        s.flow.link(s.containers.whole(target), item[0][1])


def subscript_store(s: "Solver", item: Item, target: int) -> None:
    op, _, base = item
    if s.kinds[target] != CONTAINER or op[3] < 0:
        return
    value, key = s.find(base + op[3]), op[2]
    if key is not None and key[0] == "r":
        s.flow.link(s.find(base + key[1]), s.containers.keys(target))
        s.flow.link(value, s.containers.whole(target))
        s.subscribe(s.find(base + key[1]), (codes.KEY_STORE, value, target))
    else:
        s.flow.link(value, s.containers.key(target, key))


def store_key(s: "Solver", item: Item, target: int) -> None:
    _, value, container = item[0]
    if s.kinds[target] == CONSTANT:
        s.flow.link(value, s.containers.key(container, s.data[target]))


def slice_of(s: "Solver", item: Item, target: int) -> None:
    op, unit, base = item
    if s.kinds[target] != CONTAINER:
        return
    part = s.objects.container((unit, op[4]))
    s.flow.add(base + op[1], part)
    if op[3] is None:
        s.flow.link(s.containers.whole(target), s.containers.key(part, None))
    elif part != target:
        s.containers.slice(target, op[3], part)


def iterate(s: "Solver", item: Item, target: int) -> None:
    op, unit, base = item
    kind = s.kinds[target]
    if kind == CONTAINER:
        s.flow.link(s.containers.elements(target), base + op[1])
    elif kind == INSTANCE:
        _add_element(s, target, base + op[1])
        method = s.attribute(target, s.units[unit].policy.iterate)
        if method is not None:
            s.subscribe(method, (codes.ITERATE, item))


def iterated_by(s: "Solver", item: Item, target: int) -> None:
    inner = item[0][1]
    if s.kinds[target] == CONTAINER:
        s.flow.link(s.containers.elements(target), inner[2] + inner[0][1])
    if s.kinds[target] != BOUND:
        return
    function, receiver = s.data[target]
    if inner[0][3]:
        s.record(inner[2] + inner[0][1], function)
    s.subscribe(s.returned(function), (codes.ITERATED, inner))
    if s.returns_self(function):
        iterated(s, ((codes.ITERATED, inner), -1, 0), receiver)


def iterated(s: "Solver", item: Item, target: int) -> None:
    inner = item[0][1]
    op, unit, base = inner
    kind = s.kinds[target]
    if kind == CONTAINER:
        s.flow.link(s.containers.elements(target), base + op[1])
    elif kind == INSTANCE:
        method = s.attribute(target, s.units[unit].policy.advance)
        if method is not None:
            s.subscribe(method, (codes.ADVANCE, inner))


def advanced_by(s: "Solver", item: Item, target: int) -> None:
    if s.kinds[target] != BOUND:
        return
    op, _, base = item[0][1]
    function = s.data[target][0]
    if op[3]:
        s.record(base + op[1], function)
    s.flow.link(s.returned(function), base + op[1])


def enter(s: "Solver", item: Item, target: int) -> None:
    op, unit, base = item
    kind = s.kinds[target]
    if kind == CONTAINER:
        s.flow.link(s.containers.whole(target), base + op[1])
    elif kind == INSTANCE:
        method = s.attribute(target, s.units[unit].policy.enter)
        if method is not None:
            s.subscribe(method, (codes.ENTERED, base + op[1]))


def entered(s: "Solver", item: Item, target: int) -> None:
    if s.kinds[target] == BOUND:
        function, receiver = s.data[target]
        if s.returns_self(function):
            s.flow.add(item[0][1], receiver)
        s.flow.link(s.returned(function), item[0][1])


def keep(s: "Solver", item: Item, target: int) -> None:
    if s.kinds[target] == CONTAINER:
        s.flow.add(item[0][1], target)


def drop(s: "Solver", item: Item, target: int) -> None:
    """What is no instance of the classes passes."""
    _, variable, classes = item[0]
    if not classes:
        refused = s.kinds[target] == CONTAINER
    else:
        is_ours = s.kinds[target] == INSTANCE and s.kinds[s.data[target]] == CLASS
        refused = is_ours and not classes.isdisjoint(s.classes.order(s.data[target]))
    if not refused:
        s.flow.add(variable, target)


def extend(s: "Solver", item: Item, target: int) -> None:
    container = item[0][1]
    if s.kinds[target] == CONTAINER and target != container:
        s.flow.link(s.containers.whole(target), s.containers.key(container, None))
        s.flow.link(s.containers.keys(target), s.containers.keys(container))


def operate(s: "Solver", item: Item, target: int) -> None:
    """Call a method of a container."""
    op, unit, base = item
    container, name = s.data[target]
    effect = s.units[unit].policy.container_methods[name]
    if op[4] and op[4][-1][0] == BLOCK:  # `xs.map { … }`
        op = (*op[:3], (op[4][-1][1], *op[3]), (), *op[5:])
        item = (op, unit, base)
    arguments, destination = op[3], base + op[1]
    last = arguments[-1] if arguments else -1
    if effect == GET:
        s.flow.link(s.containers.whole(container), destination)
        if len(arguments) > 1 and last >= 0:
            s.flow.link(s.find(base + last), destination)
            if name == "setdefault":
                s.flow.link(s.find(base + last), s.containers.key(container, None))
    elif effect == ADD:
        if last >= 0:
            s.flow.link(s.find(base + last), s.containers.key(container, None))
    elif effect == SAME:
        _same(s, container, name, destination)
    elif effect == KEYS_OF:
        held = s.objects.container(("keys", container))
        s.flow.link(s.containers.keys(container), s.containers.key(held, None))
        s.flow.add(destination, held)
    elif effect == ITEMS:
        _items(s, container, destination)
    elif effect == EXTEND:
        for argument in arguments:
            if argument >= 0:
                s.subscribe(s.find(base + argument), (codes.EXTEND, container))
    elif op[8] != FORM_CALLBACK and arguments and arguments[0] >= 0:
        _call_each(s, item, container, effect)


def _same(s: "Solver", container: int, name: str, destination: int) -> None:
    """`d.values()` of a mapping is iterated by its elements, not by its keys."""
    if name == "values" and container in s.containers.mappings:
        held = s.objects.container(("values", container))
        s.flow.link(s.containers.whole(container), s.containers.key(held, None))
        container = held
    s.flow.add(destination, container)


def _items(s: "Solver", container: int, destination: int) -> None:
    if s.data[container][0] in ("pair", "pairs"):  # pairs of pairs of pairs have no end
        s.flow.add(destination, container)
        return
    pair = s.objects.container(("pair", container))
    pairs = s.objects.container(("pairs", container))
    s.flow.link(s.containers.keys(container), s.containers.key(pair, ("i", 0)))
    s.flow.link(s.containers.whole(container), s.containers.key(pair, ("i", 1)))
    s.flow.add(s.containers.key(pairs, None), pair)
    s.flow.add(destination, pairs)


def _call_each(s: "Solver", item: Item, container: int, effect: str) -> None:
    """`xs.map(f)`: f is called with an element; what it returns fills a new container."""
    op, unit, base = item
    destination = base + op[1]
    if (destination, container) in s.opened:
        return
    s.opened.add((destination, container))
    result = s.flow.variable()
    whole = s.containers.whole(container)
    arguments: tuple[int, ...] = (whole - base,)
    if effect == REDUCE:
        first = op[3][1] if len(op[3]) > 1 else -1
        if first >= 0:
            s.flow.link(s.find(base + first), destination)
        s.flow.link(result, destination)
        arguments = (op[1], whole - base)
    elif effect == MAP:
        made = s.objects.container(("map", destination))
        s.flow.link(result, s.containers.key(made, None))
        s.flow.add(destination, made)
    else:
        s.flow.add(destination, container)
    call = (CALL, result - base, op[3][0], arguments, (), op[5], op[6], op[7], FORM_CALLBACK)
    s.subscribe_op(s.find(base + op[3][0]), (call, unit, base))
