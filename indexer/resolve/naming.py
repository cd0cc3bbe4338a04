"""Ids of symbols: from objects, definitions, variables and bindings to strings."""

from agrama.graph.model import EXTERNAL_PREFIX
from agrama.indexer.facts import (
    ANONYMOUS,
    OVERLOAD,
    PROPERTY,
    TO_DEFINITION,
    TO_IMPORT,
    TO_VARIABLE,
    WHOLE_EXPORT,
    Import,
)
from agrama.indexer.resolve.attributes import class_name
from agrama.indexer.resolve.objects import (
    BOUND,
    CLASS,
    CONTAINER,
    FUNCTION,
    INSTANCE,
    MODULE,
    NAMESPACE,
    SUPER,
    Code,
)
from agrama.indexer.resolve.program import Unit, names_of
from agrama.indexer.resolve.solver import Solver

_DEEPEST = 20


class Naming:
    """Names what a solved program speaks of. Ids of a unit are made when first asked for."""

    def __init__(self, solver: Solver) -> None:
        self._solver = solver
        self._program = solver.program
        self._definitions: dict[int, list[str]] = {}
        self._variables: dict[int, list[str]] = {}
        self._attributes: dict[int, dict[str, int]] = {}  # class -> name -> variable index
        self._members: dict[tuple[int, str], tuple[str, ...]] = {}
        self._imports: dict[tuple[int, int], dict[str, None]] = {}

    def definitions(self, unit: Unit) -> list[str]:
        """Ids by definition index; a definition without a symbol has that of another."""
        found = self._definitions.get(unit.index)
        if found is None:
            found = self._definitions[unit.index] = self._name_definitions(unit)
        return found

    def _name_definitions(self, unit: Unit) -> list[str]:
        ids: list[str] = []
        implementations: dict[tuple[int, str], str] = {}
        flags = [self._flags(target) for target in unit.definitions]
        for index, (qualified, parent) in enumerate(unit.places):
            if not qualified:
                ids.append(unit.path)
            elif flags[index] & ANONYMOUS:
                ids.append(ids[parent])
            else:
                ids.append(f"{unit.path}::{qualified}")
                if not flags[index] & OVERLOAD:
                    implementations[parent, self._name(unit, index)] = ids[index]
        for index, (_, parent) in enumerate(unit.places):
            if flags[index] & OVERLOAD:
                key = (parent, self._name(unit, index))
                ids[index] = implementations.setdefault(key, ids[index])
        return ids

    def linked(self, unit: Unit, position: int) -> list[str]:
        """Ids of the definitions that a declaration stands for."""
        if not unit.policy.linkage:
            return []
        units = self._program.units
        places = self._program.linkage.definitions_of((unit.index, position))
        return [self.definitions(units[other])[index] for other, index in places]

    def _flags(self, target: int) -> int:
        code: Code = self._solver.data[target]
        return code.flags

    def _name(self, unit: Unit, index: int) -> str:
        name: str = self._solver.data[unit.definitions[index]].name
        return name

    def variables(self, unit: Unit) -> list[str]:
        found = self._variables.get(unit.index)
        if found is None:
            found = self._variables[unit.index] = []
            taken = set(self.definitions(unit))
            for row in unit.variables:
                outer = unit.places[row[1]][0]
                name = f"{unit.path}::{outer}.{row[0]}" if outer else f"{unit.path}::{row[0]}"
                own, count = name, 1
                while own in taken:
                    count += 1
                    own = f"{name}#{count}"
                taken.add(own)
                found.append(own)
        return found

    def object(self, target: int) -> str | None:
        """The id of a function, class or file; None for what has no symbol."""
        kind, data = self._solver.kinds[target], self._solver.data[target]
        if kind == BOUND:
            return self.object(data[0])
        if kind in (FUNCTION, CLASS):
            code: Code = data
            if code.flags & ANONYMOUS:
                return None
            return self.definitions(self._program.units[code.unit])[code.position]
        if kind == MODULE:
            path: str = self._program.units[data[0]].path
            return path
        return None

    # ---- what a name stands for

    def bound(self, unit: Unit, pairs: tuple[int, ...], depth: int = 0) -> dict[str, None]:
        """Ids behind the pairs (target, operand) of a binding."""
        found: dict[str, None] = {}
        for at in range(0, len(pairs), 2):
            found.update(self.target(unit, pairs[at], pairs[at + 1], depth))
        return found

    def target(self, unit: Unit, target: int, operand: int, depth: int = 0) -> dict[str, None]:
        if target == TO_DEFINITION:
            linked = self.linked(unit, operand)
            return dict.fromkeys(linked) if linked else {self.definitions(unit)[operand]: None}
        if target == TO_VARIABLE:
            return {self.variables(unit)[operand]: None}
        if target == TO_IMPORT and depth < _DEEPEST:
            return self.imported(unit, operand, depth + 1)
        return {}

    def imported(self, unit: Unit, index: int, depth: int = 0) -> dict[str, None]:
        """Ids that an import stands for; those outside begin with `external:`."""
        key = (unit.index, index)
        found = self._imports.get(key)
        if found is None:
            found = self._find_imported(unit, index, depth)
            if depth <= 1:  # deeper, a cycle may have cut it short
                self._imports[key] = found
        return found

    def _find_imported(self, unit: Unit, index: int, depth: int) -> dict[str, None]:
        program = self._program
        row = Import._make(unit.imports[index])
        if row.name is not None:
            units = program.files_of(row.module, row.level, unit)
            for name in names_of(row.name, unit.policy):
                for file in program.sources_of(row, unit):
                    found = program.binding(program.units[file], name)
                    if found is not None and len(found[1]) > 1:
                        return self.bound(found[0], found[1][1:], depth)
            if units and row.name == WHOLE_EXPORT:
                return {program.units[units[0]].path: None}
        module = program.imported_module(unit, row)
        if module is not None:
            path = self.object(module)
            return {} if path is None else {path: None}
        outside = self._solver.static.outside_import(unit, row)
        return {} if outside is None else {EXTERNAL_PREFIX + outside: None}

    def free(self, unit: Unit, name: str) -> dict[str, None]:
        """Ids of a name that the file does not bind itself."""
        found: dict[str, None] = {}
        for other, row in self._program.bindings(unit, name):
            found.update(self.bound(other, row[1:]))
        return found

    def member(self, target: int, name: str) -> tuple[str, ...]:
        """Ids of `target.name` by the tables of its class or module."""
        key = (target, name)
        found = self._members.get(key)
        if found is None:
            found = self._members[key] = tuple(self._find_member(target, name))
        return found

    def _find_member(self, target: int, name: str) -> dict[str, None]:
        solver = self._solver
        kind, data = solver.kinds[target], solver.data[target]
        if kind == MODULE:
            return self._module_member(target, name)
        if kind == INSTANCE and solver.kinds[data] == CLASS:
            return self._class_member(solver.classes.order(data), name)
        if kind == CLASS:
            own = class_name(solver, target, name)
            return self._class_member(solver.classes.order(target), own)
        if kind == SUPER:
            return self._class_member(solver.classes.order(data)[1:], name)
        if kind in (FUNCTION, CONTAINER, INSTANCE):
            return self._held(target, name)
        if kind == NAMESPACE:
            inner = solver.static.member(target, name)
            return {path: None for path in map(self.object, inner) if path is not None}
        return {}

    def _module_member(self, target: int, name: str) -> dict[str, None]:
        program = self._program
        for index in self._solver.data[target]:
            found = program.binding(program.units[index], name)
            if found is not None:
                return self.bound(found[0], found[1][1:])
        inner = self._solver.static.member(target, name)
        return {path: None for path in map(self.object, inner) if path is not None}

    def _class_member(self, order: tuple[int, ...], name: str) -> dict[str, None]:
        for cls in order:  # a property hides attributes of the instance, even if inherited
            code: Code = self._solver.data[cls]
            row = code.members.get(name)
            if row is not None and len(row) > 2 and row[1] == TO_DEFINITION:
                unit = self._program.units[code.unit]
                if self._flags(unit.definitions[row[2]]) & PROPERTY:
                    return self.bound(unit, row[1:])
            if row is not None:
                break
        for cls in order:
            code = self._solver.data[cls]
            unit = self._program.units[code.unit]
            row = code.members.get(name)
            if row is not None and len(row) > 1:
                return self.bound(unit, row[1:])
            variable = self._instance_attributes(unit, unit.definitions[code.position]).get(name)
            if variable is not None and cls not in self._solver.synthetic:
                return {self.variables(unit)[variable]: None}
        return {}

    def _instance_attributes(self, unit: Unit, cls: int) -> dict[str, int]:
        if unit.definitions[0] not in self._attributes:
            self._attributes[unit.definitions[0]] = {}
            for index, row in enumerate(unit.variables):
                if row[5]:
                    owner = unit.definitions[row[1]]
                    self._attributes.setdefault(owner, {}).setdefault(row[0], index)
        return self._attributes.get(cls, {})

    def _held(self, target: int, name: str) -> dict[str, None]:
        """Functions and records: the definitions stored under the name."""
        solver = self._solver
        variable = solver.attributes.get(target, {}).get(name)
        held = () if variable is None else solver.flow.get(variable)
        ids = (self.object(each) for each in sorted(held))
        return {each: None for each in ids if each is not None}
