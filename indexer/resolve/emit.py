"""Writes the graph of each file from a solved program: symbols, edges with evidence, confidences."""

import re
from collections.abc import Callable
from functools import partial
from typing import Any

from agrama.graph.model import (
    EXTERNAL_PREFIX,
    EdgeKind,
    EdgeRow,
    FileGraph,
    Kind,
    Resolution,
    Symbol,
)
from agrama.indexer.facts import (
    ABSTRACT,
    ANONYMOUS,
    ATTR,
    CALL,
    COPY,
    DECLARED,
    ENTER,
    FORM_CALLBACK,
    FORM_IMPLICIT,
    FORM_NAMED,
    ITER,
    NARROW,
    OVERLOAD,
    REFERENCE_WIDTH,
    SLICE,
    SUB,
    TEST,
    TO_ATTRIBUTE,
    TO_GLOBAL,
    Definition,
    FileFacts,
    Import,
    Route,
    Variable,
    unpack_references,
)
from agrama.indexer.resolve.hierarchy import find_declared
from agrama.indexer.resolve.naming import Naming
from agrama.indexer.resolve.objects import CLASS, FUNCTION, Code
from agrama.indexer.resolve.program import Unit
from agrama.indexer.resolve.solver import Solver

_CALLS, _REFERENCES, _TESTS = int(EdgeKind.CALLS), int(EdgeKind.REFERENCES), int(EdgeKind.TESTS)
_CALL_KIND = EdgeKind.CALLS
_EXACT, _INFERRED = int(Resolution.EXACT), int(Resolution.INFERRED)
# Instructions that derive a value from another (their second register).
_DERIVING = frozenset((ATTR, CALL, COPY, NARROW, SUB, ITER, ENTER, SLICE))
_CALLABLE = frozenset((Kind.FUNCTION, Kind.METHOD))
_LONGEST_CHAIN = 20
_SECOND = re.compile(r"(?<=[^.])#\d+(?=\.|$)")
# Calls that no one wrote as such: without a target they are not unresolved.
_UNWRITTEN = frozenset((FORM_CALLBACK, FORM_IMPLICIT, FORM_NAMED))
_ONLY = 0.95  # the confidence of a target without another beside it
_NAMED = 0.5  # that of a target found by a literal name alone
_OVERRIDING = 0.4  # the confidence of a target that only may stand behind a declared one
# A file has hundreds of edges: this is three times as fast as calling EdgeRow.
_new_row: Callable[[tuple[Any, ...]], EdgeRow] = partial(tuple.__new__, EdgeRow)


def confidence_of(count: int) -> float:
    """How sure one of `count` targets is."""
    if count == 1:
        return _ONLY
    if count <= 3:
        return 0.8
    return 0.6 if count <= 5 else round(1.0 / count, 4)


class Emitter:
    """Makes file graphs; one for each solved program."""

    def __init__(self, solver: Solver) -> None:
        self._solver = solver
        self._naming = Naming(solver)

    def emit(self, unit: Unit, facts: FileFacts) -> FileGraph:
        return _FileEmitter(self._solver, self._naming, unit, facts).emit()


class _FileEmitter:
    """The graph of one file while it is being written."""

    def __init__(self, solver: Solver, naming: Naming, unit: Unit, facts: FileFacts) -> None:
        self._solver = solver
        self._naming = naming
        self._unit = unit
        self._facts = facts
        self._ids = naming.definitions(unit)
        self._rows = [Definition._make(row) for row in facts["definitions"]]
        self._module = unit.language.module_name(unit.path)
        self._symbols: list[Symbol] = []
        self._edges: list[EdgeRow] = []
        self._called: set[tuple[int, int, str]] = set()
        self._origins = {op[1]: op for op in facts["ops"] if op[0] in _DERIVING}
        self._guessed = {
            parameter[1]
            for row in self._rows
            for parameter in row.parameters
            if parameter[3] == 0 and parameter[1] != row.self_register
        }
        self._unresolved = self._call_sites = 0

    def emit(self) -> FileGraph:
        self._emit_definitions()
        self._emit_variables()
        self._emit_imports()
        self._emit_hierarchy()
        self._emit_calls()
        self._emit_references()
        self._emit_routes()
        return FileGraph(
            self._unit.path,
            self._facts["language"],
            tuple(self._symbols),
            tuple(dict.fromkeys(self._edges)),
            self._unresolved,
            self._call_sites,
        )

    def _add(
        self,
        kind: EdgeKind,
        source: str,
        target: str,
        place: tuple[int, int],
        resolution: Resolution = Resolution.EXACT,
        confidence: float = 1.0,
    ) -> None:
        self._edges.append(
            _new_row((int(kind), source, target, *place, int(resolution), confidence))
        )

    # ---- symbols

    def _emit_definitions(self) -> None:
        path, metrics = self._unit.path, self._facts["metrics"]
        rows = self._rows or [_file_row(self._facts)]
        ids = self._ids or [path]
        for index, row in enumerate(rows):
            if row.flags & ANONYMOUS or self._refers(index, row):
                continue
            own = f"{path}::{row.qualified}" if row.flags & OVERLOAD else ids[index]
            qualified = _plain(row.qualified)
            self._symbols.append(
                Symbol(
                    own, Kind(row.kind), row.name or path.rpartition("/")[2],
                    _join(self._module, qualified), path, self._facts["language"], row.line,
                    row.column, row.body_line, row.end_line, row.signature, row.doc,
                    metrics.get(row.start_byte) if row.qualified else None,
                )
            )  # fmt: skip
            if row.parent >= 0:
                place = (row.line, row.column)
                self._add(EdgeKind.CONTAINS, ids[row.parent], own, place)

    def _refers(self, index: int, row: Definition) -> bool:
        """A declaration whose definition is known is no symbol: it refers to it."""
        linked = self._naming.linked(self._unit, index) if row.flags & DECLARED else []
        for target in linked:
            place = (row.line, row.column)
            self._add(EdgeKind.REFERENCES, self._ids[row.parent], target, place)
        return bool(linked)

    def _emit_variables(self) -> None:
        path, language = self._unit.path, self._facts["language"]
        names = self._naming.variables(self._unit)
        for index, row in enumerate(self._facts["variables"]):
            variable = Variable._make(row)
            outer = _plain(self._rows[variable.parent].qualified)
            qualified = _join(self._module, _join(outer, variable.name))
            self._symbols.append(
                Symbol(
                    names[index], Kind.VARIABLE, variable.name, qualified, path, language,
                    variable.line, variable.column, variable.line, variable.end_line,
                )
            )  # fmt: skip
            place = (variable.line, variable.column)
            self._add(EdgeKind.CONTAINS, self._ids[variable.parent], names[index], place)

    # ---- imports and classes

    def _emit_imports(self) -> None:
        program = self._solver.program
        for row in map(Import._make, self._facts["imports"]):
            if not row.line:
                continue  # what the language imports by itself
            source = self._ids[row.scope]
            place = (row.line, row.column)
            files = self._imported_files(row)
            for target in files:
                self._add(EdgeKind.IMPORTS, source, target, place)
            if not row.level and not program.files_of(row.module, 0, self._unit):
                module = Import._make((*row[:2], None, 0, *row[4:]))
                outside = self._solver.static.outside_import(self._unit, module)
                if outside and not files:
                    self._add(EdgeKind.IMPORTS, source, EXTERNAL_PREFIX + outside, place)

    def _imported_files(self, row: Import) -> tuple[str, ...]:
        """The files that the statement names: a submodule rather than its package."""
        program, unit = self._solver.program, self._unit
        units = program.files_of(row.module, row.level, unit)
        if row.name is not None and row.name not in ("*", "="):
            inner = Import._make((*row[:2], row.name, *row[3:]))
            module = f"{inner.module}.{row.name}" if inner.module else row.name
            dotted = unit.policy.dotted_modules
            members = program.files_of(module, row.level, unit) if dotted else ()
            for index in units if not members else ():
                member = program.submodule(program.units[index], row.name)
                members = () if member is None else (member,)
            units = members or program.declaring(units, row.name)
        return tuple(program.units[index].path for index in units)

    def _emit_hierarchy(self) -> None:
        solver = self._solver
        for target in self._unit.definitions:
            if solver.kinds[target] != CLASS:
                continue
            code: Code = solver.data[target]
            row = self._rows[code.position]
            place = (row.line, row.column)
            for base in solver.classes.bases.get(target, ()):
                base_id = self._naming.object(base)
                if base_id is not None and base not in solver.extended:
                    kind = EdgeKind.INHERITS
                    if solver.is_interface(base) and not solver.is_interface(target):
                        kind = EdgeKind.IMPLEMENTS
                    self._add(
                        kind, self._ids[code.position], base_id, place, Resolution.EXACT, 0.95
                    )
            for outside in solver.outside_bases.get(target, ()):
                external = EXTERNAL_PREFIX + outside
                self._add(EdgeKind.INHERITS, self._ids[code.position], external, place)
            self._emit_overrides(target, code)

    def _emit_overrides(self, target: int, code: Code) -> None:
        """A method overrides the first one of its name along the order of its class.

        Where there are overloads, the first one of its signature.
        """
        solver = self._solver
        order = solver.classes.order(solver.extended.get(target, target))
        ancestors = [each for each in order[1:] if each not in solver.extended]
        signed = self._unit.policy.overloads
        for name, row in code.members.items() if ancestors else ():
            if len(row) < 3 or row[1] != 0 or self._rows[row[2]].kind != Kind.METHOD:
                continue
            if signed != name.endswith(")") or name[:1] == "<":
                continue
            if self._rows[row[2]].flags & ANONYMOUS or self._naming.linked(self._unit, row[2]):
                continue
            for ancestor in ancestors:
                above = solver.data[ancestor].members.get(name)
                if above is None:
                    continue
                if len(above) > 2 and above[1] == 0:
                    unit = solver.units[solver.data[ancestor].unit]
                    method = self._rows[row[2]]
                    self._add(
                        EdgeKind.OVERRIDES, self._ids[row[2]],
                        self._naming.definitions(unit)[above[2]], (method.line, method.column),
                        Resolution.EXACT, 0.95,
                    )  # fmt: skip
                break

    # ---- calls

    def _emit_calls(self) -> None:
        targets, base = self._solver.targets, self._unit.base
        for op in self._facts["ops"]:
            if op[0] == CALL:
                self._call_sites += op[8] not in _UNWRITTEN
                found = targets.get(base + op[1])
                if found is not None:
                    self._emit_call(found, op[5], op[6], op[7], op[2])
                elif op[8] == FORM_NAMED:
                    self._emit_named_call(op)
                elif op[8] not in _UNWRITTEN and not (
                    self._emit_outside_call(op) or self._is_conversion(op)
                ):
                    self._unresolved += 1
            elif op[0] == ITER and op[3]:
                found = targets.get(base + op[1])
                if found is not None:
                    self._emit_call(found, op[3], op[4], op[5], op[2])

    def _emit_named_call(self, op: tuple[Any, ...]) -> None:
        """The only function here of the name that a literal gives, if nothing else is known."""
        solver, base = self._solver, self._unit.base
        attribute = self._origins[op[2]]
        receiver = solver.find(base + attribute[2])
        if solver.flow.get(receiver) or base + op[1] in solver.outside_calls:
            return
        found = [
            index
            for index, row in enumerate(self._rows)
            if row.name == attribute[3] and row.kind in _CALLABLE and not row.flags & ANONYMOUS
        ]
        if len(found) == 1:
            target, place = self._ids[found[0]], (op[5], op[6])
            self._add(
                _CALL_KIND, self._ids[op[7]], target, place, Resolution.HEURISTIC, _NAMED
            )  # fmt: skip

    def _is_conversion(self, op: tuple[Any, ...]) -> bool:
        static = self._solver.static
        return self._unit.policy.converts and bool(static.classes(self._unit.base + op[2]))

    def _is_plain(self, register: int) -> bool:
        """Was a callee found by names and declared types alone, without inference?"""
        targets, base = self._solver.targets, self._unit.base
        for _ in range(_LONGEST_CHAIN):
            op = self._origins.get(register)
            if op is None:
                return register not in self._guessed
            if op[0] == CALL:
                made = targets.get(base + op[1])
                classes = [made] if type(made) is int else made or ()
                return any(self._solver.is_class(target) for target in classes)
            if op[0] not in (ATTR, COPY, NARROW):
                return False
            register = op[2]
        return False

    def _emit_call(self, found: Any, line: int, column: int, scope: int, callee: int) -> None:
        if type(found) is int:
            self._emit_only_call(found, line, column, scope, callee)
        else:
            self._emit_many_calls(sorted(found), line, column, scope, callee)

    def _emit_only_call(self, target: int, line: int, column: int, scope: int, callee: int) -> None:
        """One target, as nine calls of ten have."""
        name = self._naming.object(target)
        if name is not None:
            self._called.add((line, column, name))
            resolution = _EXACT if self._is_plain(callee) else _INFERRED
            row = (_CALLS, self._ids[scope], name, line, column, resolution, _ONLY)
            self._edges.append(_new_row(row))
        if self._unit.is_test and self._is_in_test(scope):
            self._emit_tests([target], scope, line, column, _ONLY)

    def _emit_many_calls(
        self, objects: list[int], line: int, column: int, scope: int, callee: int
    ) -> None:
        solver = self._solver
        overriding = self._overriding(objects, callee) if len(objects) > 1 else frozenset()
        classes = {target for target in objects if solver.kinds[target] == CLASS}
        count = len(classes) or 0
        ids: dict[str, None] = {}
        weak: dict[str, None] = {}
        for target in objects:
            name = self._naming.object(target)
            if name is None:
                continue
            if target in overriding:
                weak[name] = None
                continue
            if target not in classes and not (classes and solver.is_constructor(target)):
                count += name not in ids
            ids[name] = None
        confidence = confidence_of(max(count, 1))
        resolution = _EXACT if count <= 1 and self._is_plain(callee) else _INFERRED
        source = self._ids[scope]
        virtual = count > 1 and self._unit.policy.virtual
        declared = (
            [self._naming.object(t) for t in find_declared(solver, objects)] if virtual else []
        )
        for name in ids:
            self._called.add((line, column, name))
            sure = confidence_of(len(declared)) if name in declared else confidence
            self._edges.append(_new_row((_CALLS, source, name, line, column, resolution, sure)))
        for name in weak:
            self._called.add((line, column, name))
            row = (_CALLS, source, name, line, column, _INFERRED, _OVERRIDING)
            self._edges.append(_new_row(row))
        if self._unit.is_test and self._is_in_test(scope):
            self._emit_tests(objects, scope, line, column, confidence)

    def _overriding(self, objects: list[int], callee: int) -> frozenset[int]:
        """Methods that override another target, whose class is only ever declared.

        The call names the declared one; `overrides` edges lead on from it.
        """
        solver = self._solver
        if self._unit.policy.virtual:
            trusting = self._unit.policy.trusts_classes
            return self._not_of_receiver(objects, callee) if trusting else frozenset()
        owners = {
            solver.data[target].owner: target
            for target in objects
            if solver.kinds[target] == FUNCTION and solver.data[target].owner >= 0
        }
        declared = set(owners) - solver.constructed
        return frozenset(
            target
            for owner, target in owners.items()
            if declared.intersection(solver.classes.order(owner)[1:])
        )

    def _not_of_receiver(self, objects: list[int], callee: int) -> frozenset[int]:
        """Methods of subclasses when the receiver, not `this`, is known to have the method."""
        solver, unit = self._solver, self._unit
        op = self._origins.get(callee)
        if op is None or op[0] != ATTR or any(row.self_register == op[2] for row in self._rows):
            return frozenset()
        owners: set[int] = set()
        for receiver in solver.flow.get(solver.find(unit.base + op[2])):
            order = solver.order_of(receiver)
            owner = next((cls for cls in order if op[3] in solver.data[cls].members), -1)
            if owner < 0 or solver.is_interface(owner):
                return frozenset()
            owners.add(owner)
        methods = {t: solver.data[t] for t in objects if solver.kinds[t] == FUNCTION}
        if any(code.flags & ABSTRACT for code in methods.values() if code.owner in owners):
            return frozenset()
        return frozenset(t for t, code in methods.items() if code.owner not in owners)

    def _emit_outside_call(self, op: tuple[Any, ...]) -> bool:
        solver, register = self._solver, self._unit.base + op[1]
        outside = solver.outside_calls.get(register)
        if outside is None:
            return register in solver.container_calls  # a method of the language itself
        target, place = EXTERNAL_PREFIX + outside, (op[5], op[6])
        if register in solver.inherited_calls:
            self._add(_CALL_KIND, self._ids[op[7]], target, place, Resolution.INFERRED, 0.8)
        else:
            self._add(_CALL_KIND, self._ids[op[7]], target, place, confidence=0.95)
        return True

    def _is_in_test(self, scope: int) -> bool:
        while scope >= 0:
            row = self._rows[scope]
            if row.flags & TEST or row.kind == Kind.TEST:
                return True
            scope = row.parent
        return False

    def _emit_tests(
        self, objects: list[int], scope: int, line: int, column: int, confidence: float
    ) -> None:
        solver = self._solver
        while not (self._rows[scope].flags & TEST or self._rows[scope].kind == Kind.TEST):
            scope = self._rows[scope].parent
        for target in objects:
            if solver.kinds[target] in (CLASS, FUNCTION) and not solver.in_tests(target):
                name = self._naming.object(target)
                if name is not None:
                    source = self._ids[scope]
                    self._edges.append(
                        _new_row((_TESTS, source, name, line, column, _INFERRED, confidence))
                    )

    # ---- references

    def _emit_references(self) -> None:
        naming, unit, names = self._naming, self._unit, self._facts["names"]
        rows = [iter(unpack_references(self._facts["references"]))] * REFERENCE_WIDTH
        for line, column, scope, target, operand, extra in zip(*rows, strict=True):
            exact = True
            if target == TO_ATTRIBUTE:
                found, exact = self._attribute_targets(names[operand], extra)
            elif target == TO_GLOBAL:
                found = tuple(naming.free(unit, names[operand]))
            else:
                found = tuple(naming.target(unit, target, operand))
            if found:
                self._emit_reference(found, line, column, scope, exact=exact)

    def _attribute_targets(self, name: str, register: int) -> tuple[tuple[str, ...], bool]:
        solver = self._solver
        points = solver.flow.points[solver.find(self._unit.base + register)]
        if points is None:
            return (), True
        if type(points) is int:
            return self._naming.member(points, name), True
        found: dict[str, None] = {}
        for target in sorted(points):
            found.update(dict.fromkeys(self._naming.member(target, name)))
        return tuple(found), False

    def _emit_reference(
        self, found: tuple[str, ...], line: int, column: int, scope: int, *, exact: bool
    ) -> None:
        confidence = confidence_of(len(found))
        resolution = _EXACT if exact else _INFERRED
        source = self._ids[scope]
        for name in found:
            if (line, column, name) not in self._called:
                self._edges.append(
                    _new_row((_REFERENCES, source, name, line, column, resolution, confidence))
                )

    # ---- routes

    def _emit_routes(self) -> None:
        solver, unit = self._solver, self._unit
        taken: dict[str, int] = {}
        for route in map(Route._make, self._facts["routes"]):
            name = f"{route.method} {route.pattern}"
            count = taken[name] = taken.get(name, 0) + 1
            own = f"{unit.path}::{name}" if count == 1 else f"{unit.path}::{name}#{count}"
            place = (route.line, route.column)
            self._symbols.append(
                Symbol(
                    own, Kind.ROUTE, name, _join(self._module, name), unit.path,
                    self._facts["language"], route.line, route.column, route.line, route.line,
                )
            )  # fmt: skip
            self._add(EdgeKind.CONTAINS, self._ids[route.scope], own, place)
            points = solver.flow.get(solver.find(unit.base + route.handler))
            handlers = [self._naming.object(target) for target in sorted(points)]
            known = [each for each in handlers if each is not None]
            for handler in dict.fromkeys(known):
                self._add(
                    EdgeKind.HANDLES, own, handler, place, Resolution.EXACT,
                    confidence_of(len(known)),
                )  # fmt: skip


def _file_row(facts: FileFacts) -> Definition:
    return Definition(
        int(Kind.FILE), "", "", -1, 1, 0, 1, 1, 0, 0, "", "", (), (), (), -1, (), -1, -1, {}
    )


def _plain(qualified: str) -> str:
    """Without the `#2` of second definitions."""
    if "#" not in qualified:
        return qualified
    return _SECOND.sub("", qualified)


def _join(outer: str, inner: str) -> str:
    return f"{outer}.{inner}" if outer and inner else outer or inner
