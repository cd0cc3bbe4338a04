"""Abstract objects: everything a register may hold, as interned integers."""

from typing import Any, NamedTuple

FUNCTION = 0  # data: Code
CLASS = 1  # data: Code
MODULE = 2  # data: tuple of unit indexes
INSTANCE = 3  # data: class or constructible function
BOUND = 4  # data: (function, receiver)
CONTAINER = 5  # data: key of its site
SUPER = 6  # data: class whose bases are searched
CONSTANT = 7  # data: key
OPERATION = 8  # data: (container, method name)
NAMESPACE = 9  # data: (dotted name, unit index): a package directory without a file of its own
SCOPE = 10  # data: Code of a definition that is no value (a file, a section)


class Code(NamedTuple):
    """What the solver keeps of a definition."""

    unit: int
    base: int  # first register of the unit
    position: int  # of the definition in its unit
    kind: int
    name: str
    flags: int
    parameters: tuple[tuple[Any, ...], ...]
    returns: tuple[int | str, ...]
    yields: tuple[int, ...]
    return_type: int
    bases: tuple[int, ...]
    self_register: int
    owner: int  # object of the class, -1 for none
    members: dict[str, tuple[int, ...]]


class Objects:
    """The table of objects. Each constructor returns the one object for its arguments."""

    def __init__(self) -> None:
        self.kinds = bytearray()
        self.data: list[Any] = []
        self._instances: dict[int, int] = {}
        self._bound: dict[tuple[int, int], int] = {}
        self._containers: dict[Any, int] = {}
        self._supers: dict[int, int] = {}
        self._constants: dict[Any, int] = {}
        self._operations: dict[tuple[int, str], int] = {}
        self._modules: dict[Any, int] = {}

    def new(self, kind: int, data: Any) -> int:
        self.kinds.append(kind)
        self.data.append(data)
        return len(self.data) - 1

    def instance(self, cls: int) -> int:
        found = self._instances.get(cls)
        if found is None:
            found = self._instances[cls] = self.new(INSTANCE, cls)
        return found

    def known_instance(self, cls: int) -> int | None:
        return self._instances.get(cls)

    def bound(self, function: int, receiver: int) -> int:
        if self.kinds[receiver] == BOUND:  # else a function bound to itself has no end
            receiver = self.data[receiver][0]
        key = (function, receiver)
        found = self._bound.get(key)
        if found is None:
            found = self._bound[key] = self.new(BOUND, key)
        return found

    def container(self, key: Any) -> int:
        found = self._containers.get(key)
        if found is None:
            found = self._containers[key] = self.new(CONTAINER, key)
        return found

    def super_of(self, cls: int) -> int:
        found = self._supers.get(cls)
        if found is None:
            found = self._supers[cls] = self.new(SUPER, cls)
        return found

    def constant(self, key: Any) -> int:
        found = self._constants.get(key)
        if found is None:
            found = self._constants[key] = self.new(CONSTANT, key)
        return found

    def operation(self, container: int, name: str) -> int:
        key = (container, name)
        found = self._operations.get(key)
        if found is None:
            found = self._operations[key] = self.new(OPERATION, key)
        return found

    def module(self, units: tuple[int, ...]) -> int:
        found = self._modules.get(units)
        if found is None:
            found = self._modules[units] = self.new(MODULE, units)
        return found

    def namespace(self, dotted: str, unit: int) -> int:
        key = (dotted, unit)
        found = self._modules.get(key)
        if found is None:
            found = self._modules[key] = self.new(NAMESPACE, key)
        return found
