"""What JavaScript's own functions and constructors do with the values they are given."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from agrama.indexer.facts import (
    CALL,
    COPY,
    FORM_CALLBACK,
    FORM_NAMED,
    FORM_NEW,
    NOTHING,
    PROTO,
    RECORD,
    STORE,
)
from agrama.indexer.languages.javascript_extraction import Environment, Extraction, Scope
from agrama.indexer.languages.javascript_objects import iterate
from agrama.indexer.languages.javascript_patterns import element, property_name

if TYPE_CHECKING:
    from tree_sitter import Node  # noqa: TID251 - a type only


@dataclass(slots=True)
class Arguments:
    """The arguments of one call: nodes, and registers (more than nodes when one is spread)."""

    nodes: list["Node"]
    registers: list[int]

    def at(self, position: int) -> int:
        if position < len(self.registers) and len(self.registers) == len(self.nodes):
            return self.registers[position]
        return NOTHING


Builtin = Callable[[Extraction, Arguments, Scope, Environment], int]


def _first(x: Extraction, read: Arguments, scope: Scope, env: Environment) -> int:
    return read.at(0)


def _assign(x: Extraction, read: Arguments, scope: Scope, env: Environment) -> int:
    """`Object.assign(a, b)`: what a lacks is looked up on b."""
    target = read.at(0)
    if target >= 0:
        for source in read.registers[1:]:
            if source >= 0:
                x.emit(PROTO, target, source)
    return target


def _create(x: Extraction, read: Arguments, scope: Scope, env: Environment) -> int:
    register = x.container([], RECORD)
    if read.at(0) >= 0:
        x.emit(PROTO, register, read.at(0))
    return register


def _set_prototype(x: Extraction, read: Arguments, scope: Scope, env: Environment) -> int:
    if read.at(0) >= 0 and read.at(1) >= 0:
        x.emit(PROTO, read.at(0), read.at(1))
    return read.at(0)


def _values(x: Extraction, read: Arguments, scope: Scope, env: Environment) -> int:
    if read.at(0) < 0:
        return NOTHING
    return x.container([(None, element(x, read.at(0), None))])


def _entries(x: Extraction, read: Arguments, scope: Scope, env: Environment) -> int:
    if read.at(0) < 0:
        return NOTHING
    pair = x.container([(("i", 1), element(x, read.at(0), None))])
    return x.container([(None, pair)])


def _define_property(x: Extraction, read: Arguments, scope: Scope, env: Environment) -> int:
    target = read.at(0)
    if target >= 0 and len(read.nodes) > 2 and read.nodes[1].type == "string":
        _describe(x, target, x.text(read.nodes[1])[1:-1], read.at(2), scope)
    return target


def _define_properties(x: Extraction, read: Arguments, scope: Scope, env: Environment) -> int:
    target = read.at(0)
    if target >= 0:
        for name, descriptor in x.elements.get(read.at(1), {}).items():
            _describe(x, target, name, descriptor, scope)
    return target


def _describe(x: Extraction, target: int, name: str, descriptor: int, scope: Scope) -> None:
    """A property descriptor: its value is stored, its accessors get the target as `this`."""
    parts = x.elements.get(descriptor, {})
    value = parts.get("value", NOTHING)
    if value >= 0:
        x.emit(STORE, target, name, value)
    for accessor in ("get", "set"):
        inner = x.definition_of.get(parts.get(accessor, NOTHING))
        if inner is not None and not inner.arrow and inner.owner < 0:
            x.emit(COPY, x.this(inner), target)


def _from(x: Extraction, read: Arguments, scope: Scope, env: Environment) -> int:
    """`Array.from(xs, f)`."""
    if len(read.nodes) < 2 or read.at(1) < 0:
        return read.at(0)
    result = _call(x, read.at(1), [iterate(x, read.at(0), scope)], read.nodes[1], scope)
    return x.container([(None, result)])


def _of(x: Extraction, read: Arguments, scope: Scope, env: Environment) -> int:
    return x.container([(("i", i), register) for i, register in enumerate(read.registers)])


def _any(x: Extraction, read: Arguments, scope: Scope, env: Environment) -> int:
    return iterate(x, read.at(0), scope)


def _reflect_apply(x: Extraction, read: Arguments, scope: Scope, env: Environment) -> int:
    if read.at(0) < 0:
        return NOTHING
    values = read.at(2)
    arguments = [element(x, values, ("i", i)) for i in range(4)] if values >= 0 else []
    return _call(x, read.at(0), arguments, read.nodes[0], scope)


def _reflect_construct(x: Extraction, read: Arguments, scope: Scope, env: Environment) -> int:
    if read.at(0) < 0:
        return NOTHING
    values = read.at(1)
    arguments = [element(x, values, ("i", i)) for i in range(4)] if values >= 0 else []
    return _call(x, read.at(0), arguments, read.nodes[0], scope, FORM_NEW)


def _reflect_get(x: Extraction, read: Arguments, scope: Scope, env: Environment) -> int:
    """`Reflect.get(o, "f")`: finding a function by its name counts as calling it."""
    if read.at(0) < 0 or len(read.nodes) < 2:
        return NOTHING
    if read.nodes[1].type == "string":
        found = x.attribute(read.at(0), property_name(x, read.nodes[1]))
        _call(x, found, [], read.nodes[1], scope, FORM_NAMED)
        return found
    return element(x, read.at(0), None)


def _call(
    x: Extraction, callee: int, arguments: list[int], place: "Node", scope: Scope,
    form: int = FORM_CALLBACK,
) -> int:  # fmt: skip
    name = place.child_by_field_name("property") or place
    row, column = name.start_point
    register = x.register()
    x.emit(CALL, register, callee, tuple(arguments), (), row + 1, column, scope.index, form)
    return register


FUNCTIONS_OF: dict[str, Builtin] = {
    "Object.assign": _assign,
    "Object.create": _create,
    "Object.setPrototypeOf": _set_prototype,
    "Object.values": _values,
    "Object.entries": _entries,
    "Object.defineProperty": _define_property,
    "Object.defineProperties": _define_properties,
    **dict.fromkeys(("Object.freeze", "Object.seal", "Object.fromEntries"), _first),
    "Object.getPrototypeOf": _first,
    "Array.from": _from,
    "Array.of": _of,
    **dict.fromkeys(("Promise.resolve", "Promise.all", "Promise.allSettled"), _first),
    **dict.fromkeys(("Promise.race", "Promise.any"), _any),
    "Reflect.apply": _reflect_apply,
    "Reflect.construct": _reflect_construct,
    "Reflect.get": _reflect_get,
    **dict.fromkeys(("React.memo", "React.forwardRef"), _first),
}

COLLECTIONS = frozenset(("Set", "WeakSet", "Array", "Map", "WeakMap"))


def make_builtin(x: Extraction, name: str, read: Arguments, scope: Scope) -> int:
    """`new Name(…)` of one of the language's own classes."""
    if name == "Promise":
        return _make_promise(x, read, scope)
    if name == "Proxy":
        return read.at(0)
    if name not in COLLECTIONS:
        return NOTHING
    given = read.at(0)
    if given < 0:
        return x.container([])
    if name in ("Set", "WeakSet"):
        return x.container([(None, iterate(x, given, scope))])
    if name in ("Map", "WeakMap"):
        return x.container([(None, element(x, iterate(x, given, scope), ("i", 1)))])
    return x.container([])


def _make_promise(x: Extraction, read: Arguments, scope: Scope) -> int:
    """A promise is its value: whatever `resolve` is called with."""
    promise = x.register()
    executor = read.at(0)
    inner = x.definition_of.get(executor)
    if inner is not None:
        x.promise_of[inner.index] = promise
    if executor >= 0:
        _call(x, executor, [], read.nodes[0], scope)
    return promise
