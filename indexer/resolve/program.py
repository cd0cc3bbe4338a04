"""The linked program: files side by side in one space of registers, with imports as aliases.

Reading an imported name or a global is no flow: both registers become the same variable
(`find`). What cannot be an alias (a module, a missing name) becomes an object or nothing.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from agrama.graph.model import Kind
from agrama.indexer.facts import (
    DEF,
    GLOB,
    IMPORT,
    NOTHING,
    PARTIAL,
    WHOLE_EXPORT,
    Definition,
    FileFacts,
    Import,
)
from agrama.indexer.languages import load_languages
from agrama.indexer.languages.language import Language, ModuleIndex, Policy
from agrama.indexer.resolve.flow import Flow
from agrama.indexer.resolve.linkage import Linkage
from agrama.indexer.resolve.objects import CLASS, FUNCTION, SCOPE, Code, Objects

_FUNCTIONS = frozenset((Kind.FUNCTION, Kind.METHOD, Kind.TEST))
# An import cycle through re-exports ends here.
_LONGEST_ALIAS = 50


class Unit:
    """One file of the program."""

    __slots__ = (
        "base",
        "definitions",
        "exports",
        "imports",
        "index",
        "is_test",
        "language",
        "listed",
        "names",
        "ops",
        "package",
        "path",
        "places",
        "policy",
        "size",
        "stars",
        "variables",
    )  # fmt: skip

    def __init__(self, index: int, path: str, facts: FileFacts, language: Language, base: int):
        self.index = index
        self.path = path
        self.base = base
        self.language = language
        self.policy: Policy = language.policy
        self.is_test = language.is_test(path)
        self.package = facts["package"]
        self.size = facts["registers"]
        self.ops: Sequence[tuple[Any, ...]] = facts["ops"]
        self.imports = facts["imports"]
        self.exports = facts["exports"]
        self.names = facts["names"] if language.policy.linkage else []
        self.listed = None if facts["listed"] is None else frozenset(facts["listed"])
        self.definitions: range = range(0)  # objects of the definitions, in their order
        self.stars: list[int] = []
        self.variables = facts["variables"]
        # (qualified name, parent) of every definition, for their ids
        self.places: list[tuple[str, int]] = [(row[2], row[3]) for row in facts["definitions"]]


class Program:
    """All units of one component, their objects and the aliases between registers."""

    def __init__(self, files: Iterable[tuple[str, FileFacts]], modules: Mapping[str, ModuleIndex]):
        self.objects = Objects()
        self.units: list[Unit] = []
        self.by_path: dict[str, int] = {}
        self._modules = modules
        self._files: dict[tuple[int, str, int], tuple[int, ...]] = {}
        size = 0
        for path, facts in files:
            unit = Unit(len(self.units), path, facts, load_languages()[facts["language"]], size)
            self.by_path[path] = unit.index
            self.units.append(unit)
            size += unit.size
            unit.definitions = self._add_definitions(unit, facts["definitions"])
        self.flow = Flow(size)
        self.size = size
        self.parts = _find_parts(self)
        self._alias: dict[int, int] = {}
        self.tested: dict[int, int] = {}  # first part in tests -> first part in code
        self._join_partial()
        self._link_stars()
        self.linkage = Linkage(self.units, self.objects, self.flow)
        self._link_names()

    def _add_definitions(self, unit: Unit, rows: list[tuple[Any, ...]]) -> range:
        objects = self.objects
        first = len(objects.data)
        for index, row in enumerate(rows):
            d = Definition._make(row)
            kind = SCOPE
            if d.kind in _FUNCTIONS:
                kind = FUNCTION
            elif d.kind in (Kind.CLASS, Kind.MODULE):
                kind = CLASS
            owner = first + d.owner if d.owner >= 0 else -1
            code = Code(
                unit.index, unit.base, index, d.kind, d.name, d.flags, d.parameters, d.returns,
                d.yields, d.return_type, d.bases, d.self_register, owner, d.members,
            )  # fmt: skip
            objects.new(kind, code)
        return range(first, len(objects.data))

    def _join_partial(self) -> None:
        """The parts of one class stand for its first part; tests may see more of it than code."""
        first: dict[tuple[str, str, str, bool], int] = {}
        for unit in self.units:
            for target in unit.definitions:
                code: Code = self.objects.data[target]
                if code.flags & PARTIAL:
                    qualified = unit.places[code.position][0].partition("#")[0]
                    package = unit.package or unit.path.rpartition("/")[0]
                    key = (unit.language.family, package, qualified, unit.is_test)
                    known = first.setdefault(key, target)
                    if known != target:
                        self.parts[target] = known
        for (family, package, qualified, is_test), target in first.items():
            code_part = first.get((family, package, qualified, False))
            if is_test and code_part is not None:
                self.tested[target] = code_part

    # ---- names

    def find(self, register: int) -> int:
        """The variable that a register stands for."""
        alias = self._alias
        target = alias.get(register)
        if target is None:
            return register
        further = alias.get(target)
        if further is not None:
            for _ in range(_LONGEST_ALIAS):
                target = further
                further = alias.get(target)
                if further is None:
                    break
            alias[register] = target
        return target

    def files_of(self, module: str, level: int, unit: Unit) -> tuple[int, ...]:
        """Units of the files that an import names."""
        key = (unit.index, module, level)
        units = self._files.get(key)
        if units is None:
            found = self._modules[unit.language.family].find(module, level, unit.path)
            units = tuple(self.by_path[path] for path in found if path in self.by_path)
            self._files[key] = units
        return units

    def other_files_of(self, row: Import, unit: Unit) -> tuple[int, ...]:
        """The same without the importing file itself: the others of its own package."""
        units = self.files_of(row.module, row.level, unit)
        return tuple(index for index in units if index != unit.index)

    def sources_of(self, row: Import, unit: Unit) -> tuple[int, ...]:
        """Where an imported name may be declared; by its full name, in the own file too."""
        if unit.policy.alternatives:
            return self.files_of(row.module, row.level, unit)
        return self.other_files_of(row, unit)

    def declaring(self, units: tuple[int, ...], name: str) -> tuple[int, ...]:
        """Of several files of a package those that declare a name, a function as `name()`."""
        if len(units) < 2:
            return units
        names = (name, f"{name}()")
        found = [i for i in units if any(each in self.units[i].exports for each in names)]
        return tuple(found) or units

    def submodule(self, unit: Unit, name: str) -> int | None:
        path = self._modules[unit.language.family].member(unit.path, name)
        return None if path is None else self.by_path.get(path)

    def binding(
        self, unit: Unit, name: str, seen: tuple[int, ...] = ()
    ) -> tuple[Unit, tuple[int, ...]] | None:
        """What a file exports under a name, directly or through a star import."""
        row = unit.exports.get(name)
        if row is not None:
            return unit, row
        for index in reversed(unit.stars):  # the last one wins
            if index in seen or not _star_takes(self.units[index], name):
                continue
            if not unit.policy.star_reexports:
                row = self.units[index].exports.get(name)
                if row is not None:
                    return self.units[index], row
                continue
            found = self.binding(self.units[index], name, (*seen, unit.index))
            if found is not None:
                return found
        return None

    def bindings(self, unit: Unit, name: str) -> list[tuple[Unit, tuple[int, ...]]]:
        """All that a name which the file does not bind stands for."""
        if unit.policy.linkage:
            found = self.linkage.bindings(unit.index, name)
            return [(self.units[each[0]], each[1:]) for each in found]
        one = self.binding(unit, name)
        return [] if one is None else [one]

    def export(self, units: tuple[int, ...], name: str) -> int | None:
        """The register of an export; NOTHING if its value is unknown, None if there is none."""
        for index in units:
            found = self.binding(self.units[index], name)
            if found is not None:
                unit, row = found
                return unit.base + row[0] if row[0] >= 0 else NOTHING
        return None

    def _link_stars(self) -> None:
        for unit in self.units:
            for row in unit.imports:
                if row[2] == "*":
                    unit.stars.extend(self.files_of(row[0], row[1], unit))

    def _link_names(self) -> None:
        linked: list[int] = []
        for unit in self.units:
            for op in unit.ops:
                if op[0] == IMPORT:
                    row = Import._make(unit.imports[op[2]])
                    target = self._import_target(unit, row)
                elif op[0] == GLOB and unit.policy.linkage:
                    target = self.linkage.register(unit, op[2], unit.base + op[1])
                elif op[0] == GLOB:
                    target = self.export((unit.index,), op[2])
                elif op[0] == DEF:
                    target = unit.definitions[op[2]]
                    self.flow.seed(unit.base + op[1], self.parts.get(target, target))
                    continue
                else:
                    continue
                register = unit.base + op[1]
                if target is not None and target >= 0 and target != register:
                    self._alias[register] = target
                    linked.append(register)
                elif op[0] == IMPORT and target is None:
                    self._import_object(unit, row, register)
        for register, target in self.linkage.declarations():
            self._alias[register] = target
            linked.append(register)
        self._cut_cycles(linked)

    def _import_target(self, unit: Unit, row: Import) -> int | None:
        """The register that an import is an alias of."""
        if row.name is None:
            return None
        units = self.sources_of(row, unit)
        if not units:
            return None
        for name in names_of(row.name, unit.policy):
            target = self.export(units, name)
            if target is not None and (target >= 0 or self._submodules(units, name) is None):
                return target
        return None

    def _submodules(self, units: tuple[int, ...], name: str) -> int | None:
        for index in units:
            found = self.submodule(self.units[index], name)
            if found is not None:
                return found
        return None

    def _import_object(self, unit: Unit, row: Import, register: int) -> None:
        """An import that binds a module."""
        found = self.imported_module(unit, row)
        if found is not None:
            self.flow.seed(register, found)

    def imported_module(self, unit: Unit, row: Import) -> int | None:
        """The module object that an import binds, if it binds a module."""
        if row.name is None:
            name = row.module.partition(".")[0] if row.top else row.module
            units = self.files_of(name, row.level, unit)
            if units:
                return self.objects.module(units)
            inside = row.top and "." in row.module and self.files_of(row.module, 0, unit)
            return self.objects.namespace(name, unit.index) if inside else None
        units = self.files_of(row.module, row.level, unit)
        if units and row.name == WHOLE_EXPORT:
            return self.objects.module(units)
        if units:
            member = self._submodules(units, row.name)
            return None if member is None else self.objects.module((member,))
        if not unit.policy.dotted_modules:
            return None
        inner = self.files_of(
            f"{row.module}.{row.name}" if row.module else row.name, row.level, unit
        )
        return self.objects.module(inner) if inner else None

    def _cut_cycles(self, linked: list[int]) -> None:
        """Two names that import each other stand for nothing: end their aliases."""
        alias = self._alias
        for register in linked:
            seen = set()
            current = register
            while current in alias:
                if current in seen:
                    del alias[current]
                    break
                seen.add(current)
                current = alias[current]
        for register in linked:
            self.find(register)


def names_of(name: str, policy: Policy) -> tuple[str, ...]:
    """The export names that an imported name stands for, in order."""
    if policy.alternatives:
        return tuple(name.split("|"))
    return policy.import_names.get(name, (name,))


def _find_parts(program: Program) -> dict[int, int]:
    """Class -> the class it is a part of, where a class may be opened in several files.

    The first with a base stands for all, code before tests. Test files define classes of one
    name that have nothing to do with one another: those stay apart.
    """
    found: dict[tuple[str, str], list[int]] = {}
    objects = program.objects
    for unit in program.units:
        if unit.policy.reopens:
            for name, row in unit.exports.items():
                target = unit.definitions[row[2]] if len(row) > 2 and row[1] == 0 else 0
                if target and objects.kinds[target] == CLASS:
                    found.setdefault((unit.language.family, name), []).append(target)
    parts: dict[int, int] = {}
    for targets in found.values():
        codes: list[Code] = [objects.data[target] for target in targets]
        tests = [program.units[code.unit].is_test for code in codes]
        ranked = sorted(range(len(targets)), key=lambda i: (tests[i], not codes[i].bases, i))
        if not tests[ranked[0]]:
            parts.update({targets[i]: targets[ranked[0]] for i in ranked[1:]})
    return parts


def _star_takes(unit: Unit, name: str) -> bool:
    if unit.listed is not None:
        return name in unit.listed
    policy = unit.policy
    if name in policy.star_skips:
        return False
    return policy.star_takes_private or not name.startswith("_")
