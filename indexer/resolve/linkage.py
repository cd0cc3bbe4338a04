"""Names of languages whose files share one program by inclusion: C and its relatives.

An export is a key of the whole program: `f`, `space::Class`, and `space::f(int,T)` with its types
where there are overloads. A name used is a request: `class@space,used|name(types)`, where `class` is the
position of the class around it, `space` the namespace and `used` the namespaces it opened; a request
without `|` is a key. Names are found in what a file includes, directly or not; what is only declared
there stands for its definitions anywhere in the program. Nothing here depends on flow.
"""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from agrama.graph.model import Kind
from agrama.indexer.facts import (
    CLASS_METHOD,
    DECLARED,
    DEF,
    GLOB,
    NOTHING,
    STATIC,
    TO_DEFINITION,
    TO_GLOBAL,
)
from agrama.indexer.resolve.objects import CLASS, Code
from agrama.indexer.resolve.overloads import choose_leniently

if TYPE_CHECKING:
    from agrama.indexer.resolve.flow import Flow
    from agrama.indexer.resolve.objects import Objects
    from agrama.indexer.resolve.program import Unit

Place = tuple[int, int]  # unit, position of a definition
Found = tuple[int, int, int, int]  # unit, register, target, operand
_DEEPEST = 8


class Linkage:
    """The keys of a program and what each name in a file stands for."""

    def __init__(self, units: Sequence["Unit"], objects: "Objects", flow: "Flow") -> None:
        # Not the program itself: a cycle of its size takes the collector most of a second.
        self._units = units
        self._objects = objects
        self._flow = flow
        self._holders: dict[str, list[tuple[int, tuple[int, ...]]]] = {}
        self._types: dict[Place, tuple[str, ...]] = {}
        self._keys: dict[Place, str] = {}
        self._defined: dict[str, list[Place]] = {}
        self._local: dict[tuple[int, str], list[Place]] = {}  # static functions, by file
        self._plain: set[str] = set()  # last names of all keys
        self._closures: dict[int, int] = {}
        self._directories: dict[int, frozenset[str]] = {}
        self._requests: dict[tuple[int, str], list[Found]] = {}
        self._globals: dict[int, dict[int, str]] = {}
        self._registers: dict[int, dict[int, int]] = {}
        self._linked: dict[Place, tuple[Place, ...]] = {}
        self.outside: dict[int, str] = {}  # register of a name that nothing here has -> name
        for unit in units:
            if unit.policy.linkage:
                self._take(unit)

    def _take(self, unit: "Unit") -> None:
        for key, row in unit.exports.items():
            self._holders.setdefault(key, []).append((unit.index, row))
            plain, paren, signature = key.partition("(")
            self._plain.add(plain.rpartition("::")[2])
            for at in range(1, len(row), 2):
                if row[at] != TO_DEFINITION:
                    continue
                place = (unit.index, row[at + 1])
                if paren:
                    self._types[place] = split_types(signature)
                if paren or place not in self._keys:
                    self._keys[place] = key
                flags = self._flags(place)
                if flags & DECLARED:
                    continue
                if flags & STATIC and self._owner(place) < 0:
                    self._local.setdefault((unit.index, plain), []).append(place)
                else:
                    self._defined.setdefault(key.replace("=", ""), []).append(place)

    def _flags(self, place: Place) -> int:
        flags: int = self._code(place).flags
        return flags

    def _owner(self, place: Place) -> int:
        owner: int = self._code(place).owner
        return owner

    def _code(self, place: Place) -> Code:
        code: Code = self._objects.data[self._units[place[0]].definitions[place[1]]]
        return code

    # ---- what a file sees

    def closure(self, unit: int) -> int:
        """The units that a unit includes, itself too, as bits."""
        found = self._closures.get(unit)
        if found is None:
            seen, waiting = 1 << unit, [unit]
            while waiting:
                for star in self._units[waiting.pop()].stars:
                    if not seen >> star & 1:
                        seen |= 1 << star
                        waiting.append(star)
            found = self._closures[unit] = seen
        return found

    def bindings(self, unit: int, request: str, depth: int = 0) -> list[Found]:
        """What a request stands for, declarations replaced by their definitions."""
        known = self._requests.get((unit, request))
        if known is not None:
            return known
        self._requests[unit, request] = []  # a name that leads to itself leads nowhere
        context, _, name = request.rpartition("|")
        plain, paren, rest = name.partition("(")
        found = self._look_up(unit, context, plain, depth)
        if paren and len(found) > 1:
            found = self._choose(found, split_types(rest))
        complete: dict[Found, None] = {}
        for each in found:
            complete.update(dict.fromkeys(self._complete(unit, each)))
        result = self._requests[unit, request] = list(complete)
        return result

    def _choose(self, found: list[Found], arguments: tuple[str, ...]) -> list[Found]:
        types = [
            self._types.get((each[0], each[3])) if each[2] == TO_DEFINITION else None
            for each in found
        ]
        return [found[at] for at in choose_leniently(types, arguments)]

    def _complete(self, unit: int, found: Found) -> Iterator[Found]:
        if found[2] != TO_DEFINITION or not self._flags((found[0], found[3])) & DECLARED:
            yield found
            return
        places = nearest(
            self._units[unit].path,
            [(self._units[p[0]].path, p) for p in self.definitions_of((found[0], found[3]))],
        )
        for place in places:
            yield place[0], self._register(place), TO_DEFINITION, place[1]
        if not places:
            yield found

    def definitions_of(self, place: Place) -> tuple[Place, ...]:
        """The definitions that a declaration stands for."""
        known = self._linked.get(place)
        if known is None:
            known = self._linked[place] = tuple(self._find_definitions(place))
        return known

    def _find_definitions(self, place: Place) -> list[Place]:
        key = self._keys.get(place)
        if key is None or not self._flags(place) & DECLARED:
            return []
        plain, paren, _ = key.partition("(")
        if self._flags(place) & STATIC and self._owner(place) < 0:
            candidates = self._local.get((place[0], plain), [])
        else:
            exact = self._defined.get(key.replace("=", ""))
            if exact:
                return exact
            candidates = self._defined.get(plain, [])
        wanted = self._types.get(place)
        same = [
            each
            for each in candidates
            if self._code(each).kind == self._code(place).kind
            and (wanted is None or each not in self._types or len(self._types[each]) == len(wanted))
        ]
        return same if len(same) == 1 or not paren else []

    # ---- lookup

    def _look_up(self, unit: int, context: str, name: str, depth: int) -> list[Found]:
        cls, _, spaces = context.rpartition("@")
        if cls:
            found = self._member((unit, int(cls)), name, depth)
            if found:
                return found
        keys = [f"{prefix}{name}" for prefix in _prefixes(spaces)]
        closure = self.closure(unit)
        for key in keys:
            seen = [holder for holder in self._holders.get(key, ()) if closure >> holder[0] & 1]
            if seen:
                return self._flatten(seen, depth)
        for key in keys:
            anywhere = self._flatten(self._holders.get(key, []), depth)
            complete = {each for found in anywhere for each in self._complete(unit, found)}
            if len(complete) == 1 and not self._is_local(anywhere):
                only = complete.pop()
                if self._is_class(only) or self._is_variable(unit, only):
                    return anywhere
        return []

    def _is_class(self, found: Found) -> bool:
        """A struct is often declared here and defined where it is used."""
        place = (found[0], found[3])
        return found[2] == TO_DEFINITION and self._code(place).kind == Kind.CLASS

    def _is_variable(self, unit: int, found: Found) -> bool:
        """An `extern` variable is declared nowhere: it is that of a directory the file knows."""
        if found[2] == TO_DEFINITION or found[1] < 0:
            return False
        known = self._directories.get(unit)
        if known is None:
            closure = self.closure(unit)
            known = self._directories[unit] = frozenset(
                other.path.rpartition("/")[0] for other in self._units if closure >> other.index & 1
            )
        return self._units[found[0]].path.rpartition("/")[0] in known

    def _is_local(self, found: list[Found]) -> bool:
        """Statics of a file that is not included are never meant."""
        return any(
            each[2] == TO_DEFINITION and self._flags((each[0], each[3])) & (STATIC | CLASS_METHOD)
            for each in found
        )

    def _flatten(self, holders: list[tuple[int, tuple[int, ...]]], depth: int) -> list[Found]:
        found: list[Found] = []
        for unit, row in holders:
            for at in range(1, len(row), 2):
                if row[at] == TO_GLOBAL:
                    if depth < _DEEPEST:
                        name = self._units[unit].names[row[at + 1]]
                        found += self.bindings(unit, name, depth + 1)
                    continue
                register = row[0] if len(row) == 3 else NOTHING
                if row[at] == TO_DEFINITION and register < 0:
                    register = self._register((unit, row[at + 1]))
                found.append((unit, register, row[at], row[at + 1]))
        return found

    def _member(self, place: Place, name: str, depth: int) -> list[Found]:
        """A member of a class, its ancestors, or a class around it."""
        current: Place | None = place
        while current is not None:
            for cls in self._ancestors(current, depth):
                row = self._code(cls).members.get(name)
                if row is not None and len(row) > 1:
                    return self._flatten([(cls[0], row)], depth)
            current = self._outer_class(current)
        return []

    def _outer_class(self, place: Place) -> Place | None:
        unit = self._units[place[0]]
        parent = unit.places[place[1]][1]
        if parent > 0 and self._objects.kinds[unit.definitions[parent]] == CLASS:
            return (place[0], parent)
        return None

    def _ancestors(self, place: Place, depth: int) -> list[Place]:
        """A class and those it inherits from, nearest first."""
        order: dict[Place, None] = {}
        waiting = [place]
        while waiting:
            cls = waiting.pop(0)
            if cls in order:
                continue
            order[cls] = None
            if depth >= _DEEPEST:
                continue
            for register in self._code(cls).bases:
                waiting += self._classes(cls[0], register, depth + 1)
        return list(order)

    def _classes(self, unit: int, register: int, depth: int) -> list[Place]:
        """The classes that a register of a unit names, aliases followed."""
        if depth > _DEEPEST:
            return []
        own = self._definitions(unit)
        if register in own:
            return [(unit, own[register])]
        request = self._global_names(unit).get(register)
        if request is None:
            return []
        places: list[Place] = []
        for other, found, target, operand in self.bindings(unit, request, depth):
            if target == TO_DEFINITION:
                places.append((other, operand))
            elif found >= 0:
                places += self._classes(other, found, depth + 1)
        return places

    def _global_names(self, unit: int) -> dict[int, str]:
        known = self._globals.get(unit)
        if known is None:
            ops = self._units[unit].ops
            known = self._globals[unit] = {op[1]: op[2] for op in ops if op[0] == GLOB}
        return known

    def _definitions(self, unit: int) -> dict[int, int]:
        """Register -> position of the definition that it holds."""
        known = self._registers.get(unit)
        if known is None:
            ops = self._units[unit].ops
            known = self._registers[unit] = {op[1]: op[2] for op in ops if op[0] == DEF}
            self._registers[~unit] = {position: register for register, position in known.items()}
        return known

    def _register(self, place: Place) -> int:
        self._definitions(place[0])
        return self._registers[~place[0]].get(place[1], NOTHING)

    # ---- registers

    def register(self, unit: "Unit", request: str, own: int) -> int | None:
        """The register that a request is an alias of; `own` is its register."""
        found = self.bindings(unit.index, request)
        if not found:
            name = request.rpartition("|")[2].partition("(")[0]
            if name.rpartition("::")[2] not in self._plain:
                self.outside[own] = name.replace("::", ".")
            return None
        return self._join(found)

    def _join(self, found: list[Found]) -> int | None:
        if len(found) == 1 and found[0][1] >= 0:
            return self._units[found[0][0]].base + found[0][1]
        places = [(each[0], each[3]) for each in found if each[2] == TO_DEFINITION]
        if not places:
            each = found[0]
            return self._units[each[0]].base + each[1] if each[1] >= 0 else None
        return self._gather(places)

    def _gather(self, places: list[Place]) -> int:
        """A variable that holds several definitions."""
        variable = self._flow.variable()
        for unit, position in places:
            self._flow.seed(variable, self._units[unit].definitions[position])
        return variable

    def declarations(self) -> Iterator[tuple[int, int]]:
        """(register of a declaration, register of what it stands for)."""
        for place in self._keys:
            places = self.definitions_of(place)
            own = self._register(place) if places else NOTHING
            if own < 0:
                continue
            if len(places) == 1:
                target = self._units[places[0][0]].base + self._register(places[0])
            else:
                target = self._gather(list(places))
            yield self._units[place[0]].base + own, target


def split_types(signature: str) -> tuple[str, ...]:
    """`int,T)` -> its types."""
    inner = signature.removesuffix(")")
    return tuple(inner.split(",")) if inner else ()


def _prefixes(spaces: str) -> Iterator[str]:
    """`a::b,c` -> `a::b::`, `a::`, ``, `c::`."""
    space, *used = spaces.split(",")
    while space:
        yield f"{space}::"
        space = space.rpartition("::")[0]
    yield ""
    for each in used:
        yield f"{each}::"


def nearest(path: str, places: list[tuple[str, Place]]) -> list[Place]:
    """Of several definitions those whose directories have most in common with a path."""
    if len(places) < 2:
        return [place for _, place in places]
    own = path.split("/")[:-1]

    def shared(other: str) -> int:
        count = 0
        for left, right in zip(own, other.split("/")[:-1], strict=False):
            if left != right:
                break
            count += 1
        return count + (other == path)

    best = max(shared(other) for other, _ in places)
    return [place for other, place in places if shared(other) == best]
