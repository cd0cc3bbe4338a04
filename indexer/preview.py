"""Resolves edited files together with their neighbourhood only, for an answer within milliseconds.

A whole program is solved exactly, which takes seconds on a large one. What an edited file says
depends almost always on the files it imports and used before, so those are solved with it and the
rest is left out. The exact solution follows in the background and replaces what is published here.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping

from agrama.graph.model import FileGraph
from agrama.indexer.facts import FileFacts, head_of, read_facts, read_head
from agrama.indexer.languages import load_languages
from agrama.indexer.languages.language import ModuleIndex
from agrama.indexer.packs.registry import load_packs
from agrama.indexer.resolve.emit import Emitter
from agrama.indexer.resolve.program import Program
from agrama.indexer.resolve.resolver import find_neighbours, index_modules
from agrama.indexer.resolve.solver import Solver

# Solving takes some 2 µs per register. What was used before is taken in up to the first limit, what is
# merely imported up to the second: more of that costs time and adds next to no edges.
_MOST_USED = 40_000
_MOST_IMPORTED = 4_000


class Preview:
    """What is needed to resolve single files: the heads of all, and a way to read the rest."""

    def __init__(
        self,
        facts: Iterable[tuple[str, bytes]],
        read: Callable[[str], bytes | None],
        links: Mapping[str, str],
    ) -> None:
        self._heads = {path: read_head(data) for path, data in facts}
        self._read = read
        self._links = dict(links)
        self._modules: dict[str, ModuleIndex] | None = None

    @property
    def registers(self) -> int:
        """How large the whole program is."""
        return sum(head.registers for head in self._heads.values())

    def graphs(
        self, changed: Mapping[str, bytes], removed: Iterable[str], used: Iterable[str]
    ) -> Iterator[FileGraph]:
        """Graphs of the changed files; `used` are files they had edges to before."""
        fresh = self.take_in(changed, removed)
        if not fresh:
            return
        modules = self._index()
        chosen = self._choose(fresh, used, modules)
        rows = ((path, fresh.get(path) or self._load_stored(path)) for path in chosen)
        program = Program(((path, facts) for path, facts in rows if facts), modules)
        solver = Solver(program, load_packs())
        solver.solve()
        emitter = Emitter(solver)
        for unit in program.units:
            if unit.path in fresh:
                yield emitter.emit(unit, fresh[unit.path])

    def take_in(self, changed: Mapping[str, bytes], removed: Iterable[str]) -> dict[str, FileFacts]:
        """Know of changes; returns the facts of the changed files."""
        fresh = {path: read_facts(data) for path, data in changed.items()}
        for path in removed:
            if self._heads.pop(path, None) is not None:
                self._modules = None
        for path, facts in fresh.items():
            old, new = self._heads.get(path), head_of(facts)
            self._heads[path] = new
            if old is None or (old.package, old.config) != (new.package, new.config):
                self._modules = None
        return fresh

    def _index(self) -> dict[str, ModuleIndex]:
        if self._modules is None:
            self._modules = index_modules(self._heads, self._links)
        return self._modules

    def _choose(
        self,
        fresh: Mapping[str, FileFacts],
        used: Iterable[str],
        modules: Mapping[str, ModuleIndex],
    ) -> list[str]:
        """The changed files, what they import and used, then what those import, while there is room."""
        chosen = dict.fromkeys(sorted(fresh))
        size = self._fill(chosen, self._ring(chosen, modules), 0, _MOST_USED)
        size = self._fill(chosen, used, size, _MOST_USED)
        ring: Iterable[str] = list(chosen)
        while ring and size < _MOST_IMPORTED:
            before = len(chosen)
            size = self._fill(chosen, self._ring(ring, modules), size, _MOST_IMPORTED)
            ring = list(chosen)[before:]
        return sorted(chosen)

    def _fill(self, chosen: dict[str, None], paths: Iterable[str], size: int, limit: int) -> int:
        """Choose paths in order until the limit is reached; returns the size so far."""
        for path in paths:
            if path not in chosen and path in self._heads and size < limit:
                chosen[path] = None
                size += self._heads[path].registers
        return size

    def _ring(self, paths: Iterable[str], modules: Mapping[str, ModuleIndex]) -> list[str]:
        return sorted({other for path in paths for other in self._neighbours(path, modules)})

    def _neighbours(self, path: str, modules: Mapping[str, ModuleIndex]) -> Iterator[str]:
        head = self._heads[path]
        index = modules[load_languages()[head.language].family]
        return find_neighbours(path, head, index)

    def _load_stored(self, path: str) -> FileFacts | None:
        data = self._read(path)
        return None if data is None else read_facts(data)
