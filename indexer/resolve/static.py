"""A small evaluator without flow: what a register certainly names (bases, narrowing, packs).

It follows aliases, copies, decorators and attributes of modules and classes, nothing else.
"""

from bisect import bisect_right
from typing import Any

from agrama.indexer.facts import ATTR, CALL, COPY, FORM_DECORATOR, IMPORT, Import
from agrama.indexer.resolve.objects import CLASS, MODULE, NAMESPACE
from agrama.indexer.resolve.program import Program, Unit

_DEEPEST = 12


class Static:
    """Evaluates registers; remembers how each unit computes them."""

    def __init__(self, program: Program) -> None:
        self._program = program
        self._bases = [unit.base for unit in program.units]
        self._origins: dict[int, dict[int, Any]] = {}
        self._outside: dict[int, str | None] = {}

    def unit_of(self, register: int) -> Unit:
        at = bisect_right(self._bases, register) - 1
        return self._program.units[at]

    def evaluate(self, register: int, depth: int = 0) -> dict[int, None]:
        """The objects that a global register names."""
        program = self._program
        register = program.find(register)
        found = dict.fromkeys(sorted(program.flow.get(register)))
        if depth > _DEEPEST or register >= program.size:
            return found
        unit = self.unit_of(register)
        origin = self._origin(unit).get(register - unit.base)
        if origin is None or origin[0] == IMPORT:
            return found
        if origin[0] == ATTR:
            for target in self.evaluate(unit.base + origin[2], depth + 1):
                found.update(self.member(target, origin[3], depth))
        else:
            for source in origin[1]:
                found.update(self.evaluate(unit.base + source, depth + 1))
        return found

    def member(self, target: int, name: str, depth: int = 0) -> dict[int, None]:
        """The objects that `target.name` names for a module or class."""
        program = self._program
        kind, data = program.objects.kinds[target], program.objects.data[target]
        if kind == MODULE:
            register = program.export(data, name)
            if register is not None and register >= 0:
                return self.evaluate(register, depth + 1)
            submodule = submodule_object(program, data, name)
            return {} if submodule is None else {submodule: None}
        if kind == NAMESPACE:
            inner = namespace_member(program, data, name)
            return {} if inner is None else {inner: None}
        if kind == CLASS:
            prefix = program.units[data.unit].policy.class_prefix
            row = data.members.get(prefix + name)
            if row is not None and row[0] >= 0:
                return self.evaluate(data.base + row[0], depth + 1)
        return {}

    def outside_name(self, register: int) -> str | None:
        """The dotted name of a thing outside the project, None if it is not plainly one."""
        register = self._program.find(register)
        if register not in self._outside:
            self._outside[register] = self._outside_name(register, 0)
        return self._outside[register]

    def _outside_name(self, register: int, depth: int) -> str | None:
        register = self._program.find(register)
        if depth > _DEEPEST or register >= self._program.size:
            return None
        unit = self.unit_of(register)
        origin = self._origin(unit).get(register - unit.base)
        if origin is None:
            return self._program.linkage.outside.get(register)
        if origin[0] == IMPORT:
            return self.outside_import(unit, Import._make(unit.imports[origin[2]]))
        if origin[0] == ATTR:
            base = self._outside_name(unit.base + origin[2], depth + 1)
            return None if base is None else f"{base}.{origin[3].partition('(')[0]}"
        sources = origin[1]
        if unit.policy.alternatives:  # a constant may also be inherited: it was not
            sources = [each for each in sources if self._is_constant(unit, each)] or sources
        names = {self._outside_name(unit.base + source, depth + 1) for source in sources}
        return names.pop() if len(names) == 1 else None

    def _is_constant(self, unit: Unit, register: int) -> bool:
        origin = self._origin(unit).get(register)
        if origin is None or origin[0] != IMPORT:
            return False
        name = unit.imports[origin[2]][2]
        return name is not None and not name.endswith("()")

    def outside_import(self, unit: Unit, row: Import) -> str | None:
        """The dotted name of what an import brings from outside."""
        program = self._program
        if row.level or program.files_of(row.module, 0, unit):
            return None
        if row.name is None:
            return row.module.partition(".")[0] if row.top else row.module
        if row.name in ("=", "*", "default"):
            return row.module
        if unit.policy.alternatives:
            return row.name.rpartition("|")[2].removesuffix("()")
        if unit.policy.dotted_modules and program.files_of(f"{row.module}.{row.name}", 0, unit):
            return None
        return f"{row.module}.{row.name}"

    def classes(self, register: int) -> list[int]:
        kinds = self._program.objects.kinds
        return [target for target in self.evaluate(register) if kinds[target] == CLASS]

    def _origin(self, unit: Unit) -> dict[int, Any]:
        found = self._origins.get(unit.index)
        if found is None:
            found = self._origins[unit.index] = {}
            for op in unit.ops:
                if op[0] == ATTR or op[0] == IMPORT:
                    found[op[1]] = op
                elif op[0] == COPY:
                    found.setdefault(op[1], (COPY, []))[1].append(op[2])
                elif op[0] == CALL and op[8] == FORM_DECORATOR and op[3][0] >= 0:
                    found[op[1]] = (COPY, [op[3][0]])
        return found


def submodule_object(program: Program, units: tuple[int, ...], name: str) -> int | None:
    for index in units:
        member = program.submodule(program.units[index], name)
        if member is not None:
            return program.objects.module((member,))
    return None


def namespace_member(program: Program, data: tuple[str, int], name: str) -> int | None:
    """`a.b` where `a` is a directory of modules without a file of its own."""
    dotted, index = f"{data[0]}.{name}", data[1]
    units = program.files_of(dotted, 0, program.units[index])
    if units:
        return program.objects.module(units)
    return program.objects.namespace(dotted, index) if dotted.count(".") < _DEEPEST else None
