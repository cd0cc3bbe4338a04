"""Follows values through one component of the program until nothing moves.

Stages, each ending when nothing moves, so that what is decided between them does not depend on the
order of work: (1) everything but arguments into parameters; (2) arguments, for functions with few
call sites; (3) fallbacks where a declared type, a decorator or a key led nowhere.
"""

from collections.abc import Sequence
from typing import Any

from agrama.indexer.facts import (
    ATTR,
    BIND,
    CALL,
    CLASS_METHOD,
    CONST,
    CONSTRUCTIBLE,
    COPY,
    DEF,
    ELEM,
    ELSE,
    ENTER,
    EXCLUDE,
    EXTENSION,
    FORM_DECORATOR,
    GSTORE,
    IMPORT,
    INST,
    INTERFACE,
    ITER,
    KEYS,
    KEYWORDS,
    MAPPING,
    NARROW,
    NEW,
    NEWTYPE,
    NOTHING,
    PROTO,
    RECORD,
    REST,
    RETURNS_SELF,
    SLICE,
    STATIC,
    STORE,
    SUB,
    SUBSTORE,
    SUPER,
)
from agrama.indexer.packs.pack import Pack
from agrama.indexer.resolve import attributes, calls, codes, containers, hierarchy, joins, outcome
from agrama.indexer.resolve.classes import Classes
from agrama.indexer.resolve.containers import Containers, Slots
from agrama.indexer.resolve.flow import Handler, Item
from agrama.indexer.resolve.objects import (
    CLASS,
    CONSTANT,
    CONTAINER,
    FUNCTION,
    INSTANCE,
    MODULE,
    Code,
)
from agrama.indexer.resolve.program import Program, Unit
from agrama.indexer.resolve.static import Static

_FALLBACK_ROUNDS = 3
# Instructions that the static evaluator reads again.
_KEPT = frozenset((ATTR, CALL, COPY, IMPORT))
# Which operand of an instruction is the variable whose objects it waits for.
_WAITS_FOR = {
    ATTR: 2, CALL: 2, STORE: 1, SUB: 2, SUBSTORE: 1, ITER: 2, INST: 2, ENTER: 2, SLICE: 2,
    NEWTYPE: 2,
}  # fmt: skip


def _ignore(s: Any, item: Item, target: int) -> None:
    return


_HANDLERS: list[Handler] = [_ignore] * codes.COUNT
for _code, _handler in {
    ATTR: attributes.read_attribute,
    CALL: calls.call,
    STORE: attributes.store_attribute,
    SUB: containers.subscript,
    SUBSTORE: containers.subscript_store,
    ITER: containers.iterate,
    INST: calls.instantiate,
    ENTER: containers.enter,
    SLICE: containers.slice_of,
    NEWTYPE: calls.new_type,
    codes.BIND_MEMBER: attributes.bind_member,
    codes.CONTEXT: calls.context,
    codes.CONSTRUCT: calls.construct,
    codes.EXTEND: containers.extend,
    codes.KEY_READ: containers.read_key,
    codes.KEY_STORE: containers.store_key,
    codes.GET_ITEM: containers.get_item,
    codes.ITERATE: containers.iterated_by,
    codes.ADVANCE: containers.advanced_by,
    codes.ITERATED: containers.iterated,
    codes.ENTERED: containers.entered,
    codes.TYPE_BASE: calls.type_base,
    codes.TYPE_SPACE: calls.type_space,
    codes.CLASS_BASE: calls.class_base,
    codes.PROTO_READ: attributes.read_prototype,
    codes.BIND_SLOT: attributes.bind_slot,
    codes.KEEP_CONTAINERS: containers.keep,
    codes.DROP_INSTANCES: containers.drop,
}.items():
    _HANDLERS[_code] = _handler


class Solver:
    """The state of one solution. Handlers (attributes, calls, containers) work on it."""

    def __init__(self, program: Program, packs: Sequence[Pack] = ()) -> None:
        self.program = program
        self.objects = program.objects
        self.kinds = program.objects.kinds
        self.data = program.objects.data
        self.units = program.units
        self.flow = program.flow
        self.find = program.find
        self.static = Static(program)
        self.classes = Classes(program.objects)
        slots = Slots(program.flow)
        self.slot = slots.slot
        self.containers = Containers(program.flow, slots)
        self.packs: list[Pack] = []
        self._offered = packs
        self.targets: dict[int, Any] = {}  # result register of a call -> object or set of them
        self.attributes: dict[int, dict[str, int]] = {}
        self.results: dict[int, int] = {}
        # function -> call -> (item, offset, receiver); a dict, for a call may be met more than once
        self.pending: dict[int, dict[tuple[int, int, int], tuple[Item, int, int]]] = {}
        self.declared: dict[int, list[int]] = {}
        self.stored: set[tuple[int, str]] = set()  # (class, name) that `self.name = …` sets
        self.foreign: set[str] = set()  # names that are set on anything but self
        self.synthetic: dict[int, int] = {}  # class made by a call -> its first base
        self.extended: dict[int, int] = {}  # EXTENSION -> the class it adds members to
        self.added_bases: list[tuple[int, int]] = []  # (class, base) that an extension adds
        self.records: set[int] = set()
        self.constructed: set[int] = set()
        self.outside_calls: dict[int, str] = {}  # result register -> dotted name
        self.inherited_calls: set[int] = set()  # those of them found through a base outside
        self.container_calls: set[int] = set()  # result registers of container methods
        self.outside_bases: dict[int, tuple[str, ...]] = {}
        self.opened: set[tuple[int, int]] = set()  # (register, container) looked into for it
        self.found_bases: set[tuple[int, int]] = set()
        self.binding = False
        self._prototypes: dict[int, int] = {}
        self._synthetic: dict[tuple[int, int, int], int] = {}
        self._decorations: list[Item] = []
        self._keyed: list[Item] = []
        self._alternatives: list[Item] = []
        self._joins: list[Item] = []
        self._self_class: dict[int, int] = {}
        self._dynamic: list[tuple[int, int]] = []
        self._defined: set[int] = set()
        self._by_name: dict[str, list[int]] | None = None

    def solve(self) -> None:
        self._find_bases()
        self._find_stores()
        for unit in self.units:
            self._seed_unit(unit)
            unit.ops = [op for op in unit.ops if op[0] in _KEPT]
        self._seed_functions()
        self.flow.start()
        self._run()
        self._join()
        self._add_found_bases()
        self._bind_parameters()
        self._join()
        for _ in range(_FALLBACK_ROUNDS):
            if not self._fall_back():
                break
            self._run()
        outcome.find_constructed(self)
        outcome.name_outside(self)

    def _run(self) -> None:
        self.flow.run(_HANDLERS, self)

    # ---- preparation

    def _find_bases(self) -> None:
        for target in range(len(self.data)):
            if self.kinds[target] != CLASS:
                continue
            code: Code = self.data[target]
            bases: list[int] = []
            for register in code.bases:
                if register < 0:
                    continue
                found = [c for c in self.static.classes(code.base + register) if c != target]
                if found:
                    bases.append(found[0])
                else:
                    self._dynamic.append((target, code.base + register))
            whole = self.program.parts.get(target)
            if whole is not None:
                bases = hierarchy.join_part(self, target, whole, bases)
            elif target in self.program.tested:
                bases.append(self.program.tested[target])
            elif code.flags & EXTENSION:
                bases = hierarchy.find_extended(self, target, bases)
            self.classes.declare(target, list(dict.fromkeys(bases)))
        hierarchy.join_extensions(self)
        hierarchy.satisfy_interfaces(self)
        self.packs = [pack for pack in self._offered if pack.prepare(self)]

    def _find_stores(self) -> None:
        """Which attributes exist at all: most lookups then need no variable."""
        for unit in self.units:
            for target in unit.definitions:
                if self.kinds[target] == FUNCTION:
                    code: Code = self.data[target]
                    if code.self_register >= 0 and code.owner >= 0:
                        self._self_class[unit.base + code.self_register] = code.owner
        for unit in self.units:
            for op in unit.ops:
                if op[0] == STORE:
                    cls = self._self_class.get(self.find(unit.base + op[1]))
                    if cls is None:
                        self.foreign.add(op[2])
                    else:
                        self.stored.add((cls, op[2]))

    def _seed_unit(self, unit: Unit) -> None:
        """Most instructions wait for a variable, copy or define: those are done right here."""
        base, index = unit.base, unit.index
        find, attach, link = self.find, self.flow.attach, self.flow.link
        waits_for = _WAITS_FOR.get
        for op in unit.ops:
            code = op[0]
            awaited = waits_for(code)
            if awaited is not None:
                item = (op, index, base)
                attach(find(base + op[awaited]), item)
                if code == CALL and op[8] == FORM_DECORATOR:
                    self._decorations.append(item)
                elif code == SUB and op[3] is not None and op[3][0] == "r":
                    self._keyed.append(item)
            elif code == COPY:
                link(find(base + op[2]), base + op[1])
            elif code == DEF:
                self._defined.add(base + op[1])
            else:
                self._seed(op, unit)

    def _seed(self, op: tuple[Any, ...], unit: Unit) -> None:
        code, base = op[0], unit.base
        if code in (BIND, PROTO):
            self._joins.append((op, unit.index, base))
        elif code == ELSE:
            self._alternatives.append((op, unit.index, base))
        elif code == NARROW:
            self._seed_narrow(op, unit)
        elif code == EXCLUDE:
            self._seed_exclude(op, unit)
        elif code == NEW:
            made = self.objects.container((unit.index, op[2]))
            if op[3] == RECORD:
                self.records.add(made)
            elif op[3] == MAPPING:
                self.containers.mappings.add(made)
            self.flow.seed(base + op[1], made)
        elif code == ELEM:
            made = self.objects.container((unit.index, op[1]))
            value = self.find(base + op[3])
            if op[2] == KEYS:
                self.flow.link(value, self.containers.keys(made))
            else:
                self.flow.link(value, self.containers.key(made, op[2]))
        elif code == SUPER:
            self.flow.seed(base + op[1], self.objects.super_of(unit.definitions[op[2]]))
        elif code == CONST:
            self.flow.seed(base + op[1], self.objects.constant(op[2]))
        elif code == GSTORE:
            register = self.program.export((unit.index,), op[1])
            if register is not None and register >= 0:
                self.flow.link(self.find(base + op[2]), self.find(register))

    def _seed_narrow(self, op: tuple[Any, ...], unit: Unit) -> None:
        """`isinstance(x, C)` makes x an instance of C, whatever flowed into it."""
        known = False
        for register in op[3]:
            found = self.static.evaluate(unit.base + register)
            known = known or any(self.kinds[each] in (CLASS, CONTAINER) for each in found)
            item = ((INST, op[1], register), unit.index, unit.base)
            self.flow.attach(self.find(unit.base + register), item)
        if not op[3] and op[2] >= 0:
            kept = ((codes.KEEP_CONTAINERS, unit.base + op[1]), -1, 0)
            self.flow.attach(self.find(unit.base + op[2]), kept)
        elif not known and op[2] >= 0:
            self.flow.link(self.find(unit.base + op[2]), unit.base + op[1])

    def _seed_exclude(self, op: tuple[Any, ...], unit: Unit) -> None:
        if op[2] < 0:
            return
        source, target = self.find(unit.base + op[2]), unit.base + op[1]
        found = {c for register in op[3] for c in self.static.classes(unit.base + register)}
        if op[3] and not found:
            self.flow.link(source, target)
        else:
            self.flow.attach(source, ((codes.DROP_INSTANCES, target, frozenset(found)), -1, 0))

    def _seed_functions(self) -> None:
        for unit in self.units:
            receivers = unit.policy.class_receivers
            for target in unit.definitions:
                if self.kinds[target] != FUNCTION:
                    continue
                code: Code = self.data[target]
                if code.self_register >= 0 and code.owner >= 0:
                    as_class = code.flags & (CLASS_METHOD | STATIC) or code.name in receivers
                    own = code.owner if as_class else self.objects.instance(code.owner)
                    self.flow.seed(unit.base + code.self_register, own)
                elif code.self_register >= 0 and code.flags & CONSTRUCTIBLE:
                    self.flow.seed(unit.base + code.self_register, self.objects.instance(target))
                for parameter in code.parameters:
                    if parameter[2] == REST:
                        made = self.objects.container(("rest", target))
                        self.flow.seed(unit.base + parameter[1], made)
                    elif parameter[2] == KEYWORDS:
                        made = self.objects.container(("keywords", target))
                        self.flow.seed(unit.base + parameter[1], made)
        for cls, register in self._dynamic:
            self.flow.attach(self.find(register), ((codes.CLASS_BASE, cls), -1, 0))

    # ---- between the stages

    def _add_found_bases(self) -> None:
        """Bases that only flow could find; lookups made so far are repeated."""
        if not self.found_bases:
            return
        changed: dict[int, None] = {}
        for cls, base in sorted(self.found_bases):
            changed.update(dict.fromkeys(self.classes.add_base(cls, base)))
        for cls in changed:
            for name, variable in list(self.attributes.get(cls, {}).items()):
                attributes.look_up_class(self, cls, name, variable)
            instance = self.objects.known_instance(cls)
            for name, variable in list(self.attributes.get(instance or -1, {}).items()):
                attributes.look_up_instance(self, cls, name, variable)
            parent = self.objects.super_of(cls)
            for name, variable in list(self.attributes.get(parent, {}).items()):
                attributes.look_up_super(self, cls, name, variable)
        self._run()

    def _join(self) -> None:
        for _ in range(joins.ROUNDS):
            if not joins.join(self, self._joins):
                break
            self._run()

    def _bind_parameters(self) -> None:
        self.binding = True
        for function, waiting in self.pending.items():
            if len(waiting) <= calls.FAN_IN:
                for item, offset, receiver in waiting.values():
                    calls.bind_arguments(self, function, item, offset, receiver)
        self._run()

    def _fall_back(self) -> bool:
        """Where a declaration led nowhere, let flow decide. True if anything was added."""
        before = self.flow.changes
        points = self.flow.points
        for op, _, base in self._decorations:
            if points[base + op[1]] is None and op[3] and op[3][0] >= 0:
                self.flow.link(self.find(base + op[3][0]), base + op[1])
        for op, _, base in self._alternatives:
            if points[self.find(base + op[3])] is None:
                self.flow.link(self.find(base + op[2]), base + op[1])
        if self.flow.changes != before:
            return True
        for function, variable in list(self.results.items()):
            if points[variable] is None and self.data[function].return_type != NOTHING:
                calls.let_results_in(self, function, variable)
        for register, values in self.declared.items():
            if points[register] is None:
                for value in values:
                    self.flow.link(value, register)
        for op, _, base in self._keyed:
            keys = self.flow.get(self.find(base + op[3][1]))
            if not any(self.kinds[key] == CONSTANT for key in keys):
                for target in self.flow.get(self.find(base + op[2])):
                    if self.kinds[target] == CONTAINER:
                        self.flow.link(self.containers.whole(target), base + op[1])
        return self.flow.changes != before

    # ---- services for handlers

    def subscribe(self, variable: int, op: tuple[Any, ...]) -> None:
        self.flow.subscribe(variable, (op, -1, 0))

    def subscribe_op(self, variable: int, item: Item) -> None:
        self.flow.subscribe(variable, item)

    def attribute(self, target: int, name: str, unit: int = 0) -> int | None:
        return attributes.find_attribute(self, target, name, unit)

    def returned(self, function: int) -> int:
        return calls.returned(self, function)

    def returns_self(self, function: int) -> bool:
        return bool(self.data[function].flags & RETURNS_SELF)

    def record(self, register: int, target: int) -> None:
        """A call whose result is `register` reaches `target`."""
        known = self.targets.get(register)
        if known is None:
            self.targets[register] = target
        elif type(known) is int:
            if known != target:
                self.targets[register] = {known, target}
        else:
            known.add(target)

    def prototype(self, target: int) -> int:
        variable = self._prototypes.get(target)
        if variable is None:
            variable = self._prototypes[target] = self.flow.variable()
        return variable

    def order_of(self, target: int) -> tuple[int, ...]:
        """The classes in which attributes of an instance are looked up."""
        if self.kinds[target] == INSTANCE and self.kinds[self.data[target]] == CLASS:
            return self.classes.order(self.data[target])
        return ()

    def own_instance(self, code: Code) -> int:
        return self.objects.instance(code.owner) if code.owner >= 0 else -1

    def binds_methods(self, code: Code) -> bool:
        return self.units[code.unit].policy.binds_methods

    def classes_named(self, name: str) -> list[int]:
        """All classes of a simple name."""
        if self._by_name is None:
            self._by_name = {}
            for target, kind in enumerate(self.kinds):
                if kind == CLASS:
                    self._by_name.setdefault(self.data[target].name, []).append(target)
        return self._by_name.get(name, [])

    def is_constructible(self, function: int) -> bool:
        return bool(self.data[function].flags & CONSTRUCTIBLE)

    def is_class(self, target: int) -> bool:
        return self.kinds[target] == CLASS

    def is_instance(self, target: int) -> bool:
        return self.kinds[target] == INSTANCE

    def is_definition(self, variable: int) -> bool:
        """Does the variable hold a function or class by its definition? Then a patch is no flow."""
        return variable in self._defined

    def is_interface(self, cls: int) -> bool:
        return bool(self.data[cls].flags & INTERFACE)

    def is_constructor(self, function: int) -> bool:
        code: Code = self.data[function]
        return code.owner >= 0 and code.name in self.units[code.unit].policy.constructors

    def in_tests(self, target: int) -> bool:
        """Does the definition of an object lie in a test file?"""
        kind, data = self.kinds[target], self.data[target]
        if kind == MODULE:
            return bool(self.units[data[0]].is_test)
        if kind in (CLASS, FUNCTION):
            return bool(self.units[data.unit].is_test)
        return True

    def synthetic_class(self, unit: int, register: int, base: int) -> int:
        """The class that a call makes from a base; it stands for the base in the graph."""
        key = (unit, register, base)
        made = self._synthetic.get(key)
        if made is None:
            code: Code = self.data[base]
            made = self._synthetic[key] = self.objects.new(CLASS, code._replace(members={}))
            self.synthetic[made] = base
            self.classes.declare(made, [base])
        return made
