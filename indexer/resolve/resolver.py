"""Resolves a repository: files in, file graphs out.

Files that import one another, directly or not, form a component; components are solved one after
the other, so that memory follows the largest and not the sum.
"""

import ctypes
import gc
from collections.abc import Iterator, Mapping, MutableMapping, Sequence
from contextlib import contextmanager, suppress
from typing import Any

from agrama.graph.model import FileGraph
from agrama.indexer.facts import FileFacts, Head, head_of, read_facts, read_head
from agrama.indexer.languages import load_languages
from agrama.indexer.languages.language import ModuleIndex, Sources
from agrama.indexer.packs.registry import load_packs
from agrama.indexer.resolve.emit import Emitter
from agrama.indexer.resolve.program import Program
from agrama.indexer.resolve.solver import Solver

Facts = FileFacts | bytes
Files = MutableMapping[str, Facts] | Sequence[tuple[str, Facts]]
# Small components are solved together: each solution has a fixed cost.
_BATCH_REGISTERS = 100_000


def resolve(files: Files, links: Mapping[str, str] | None = None) -> Iterator[FileGraph]:
    """The graphs of all files. Facts may be given as they are or packed."""
    return Resolver(files, links).graphs()


class Resolver:
    """The facts of all files, and their graphs.

    An update solves again the components that hold a changed file, or whose files or imports are
    others than before. A component's graphs depend on nothing else, so they equal a fresh solution.
    """

    def __init__(self, files: Files, links: Mapping[str, str] | None = None) -> None:
        """A mapping is kept and written to by updates: it may hold its values elsewhere."""
        self._files = files if isinstance(files, MutableMapping) else dict(files)
        self._links = dict(links or {})
        self._heads: dict[str, Head] = {}
        self._solved: set[tuple[Any, ...]] = set()  # components and imports of the last solution
        self._changed: set[str] = set()  # files taken in since then

    def graphs(self) -> Iterator[FileGraph]:
        """One graph for each file, component by component."""
        self._heads = {path: self._read_head(path) for path in sorted(self._files)}
        self._solved = set()
        return self._solve_changed()

    def update(self, changed: Files, removed: Sequence[str]) -> Iterator[FileGraph]:
        """Take in new facts; yields the graphs that may differ from before."""
        fresh = dict(changed)
        self._files.update(fresh)
        steering = False
        for path in (*fresh, *removed):
            before = self._heads.pop(path, None)
            if path in fresh:
                self._heads[path] = self._read_head(path)
            else:
                self._files.pop(path, None)
            steering = steering or _steers(before) or _steers(self._heads.get(path))
        self._heads = dict(sorted(self._heads.items()))
        self._changed.update(self._files if steering else fresh)
        return self._solve_changed()

    def _solve_changed(self) -> Iterator[FileGraph]:
        modules = index_modules(self._heads, self._links)
        neighbours = find_all_neighbours(self._heads, modules)
        components = _components(neighbours)
        keys = {group[0]: _key(group, neighbours) for group in components}
        work = [
            group
            for group in components
            if keys[group[0]] not in self._solved or not self._changed.isdisjoint(group)
        ]
        for batch in _batches(work, self._heads):
            yield from self._solve(batch, modules)
            _return_memory()
        # Not before: a solution that was broken off counts for nothing.
        self._solved = set(keys.values())
        self._changed = set()

    def _load(self, path: str) -> FileFacts:
        facts = self._files[path]
        return read_facts(facts) if isinstance(facts, bytes) else facts

    def _read_head(self, path: str) -> Head:
        facts = self._files[path]
        return read_head(facts) if isinstance(facts, bytes) else head_of(facts)

    def _solve(self, paths: list[str], modules: Mapping[str, ModuleIndex]) -> Iterator[FileGraph]:
        with _frozen():
            program = Program(((path, self._load(path)) for path in paths), modules)
            solver = Solver(program, load_packs())
            solver.solve()
        emitter = Emitter(solver)
        for unit in program.units:
            yield emitter.emit(unit, self._load(unit.path))


@contextmanager
def _frozen() -> Iterator[None]:
    """Millions of small tuples live until the end: looking for garbage doubles the time.

    What is made inside is never looked at again; it goes when nothing refers to it (no cycles).
    """
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        gc.freeze()
        if enabled:
            gc.enable()


def _return_memory() -> None:
    """Give what a solution took back to the system, before the caller needs memory of its own.

    The solver frees nothing before its graphs are written: what the caller keeps of them would
    settle in the gaps and hold whole arenas. The free lists and the C heap must be told.
    """
    gc.collect()
    with suppress(OSError, AttributeError):  # only the GNU library has it
        ctypes.CDLL("libc.so.6").malloc_trim(0)


def _steers(head: Head | None) -> bool:
    """Does the file decide how others' imports are found?"""
    return head is not None and (head.config is not None or head.package is not None)


def index_modules(heads: Mapping[str, Head], links: Mapping[str, str]) -> dict[str, ModuleIndex]:
    """One index of modules for each family of languages."""
    languages = load_languages()
    members: dict[str, list[str]] = {}
    for path, head in heads.items():
        members.setdefault(languages[head.language].family, []).append(path)
    configs = {path: head.config for path, head in heads.items() if head.config is not None}
    everything = frozenset(heads)
    indexes: dict[str, ModuleIndex] = {}
    for family, paths in members.items():
        packages = {path: heads[path].package for path in paths}
        sources = Sources(
            frozenset(paths),
            configs,
            {path: package for path, package in packages.items() if package is not None},
            links,
            everything,
        )
        indexes[family] = languages[heads[paths[0]].language].index_modules(sources)
    return indexes


def find_all_neighbours(
    heads: Mapping[str, Head], modules: Mapping[str, ModuleIndex]
) -> dict[str, tuple[str, ...]]:
    """For every file those that its imports reach."""
    languages = load_languages()
    return {
        path: tuple(find_neighbours(path, head, modules[languages[head.language].family]))
        for path, head in heads.items()
    }


def _key(group: list[str], neighbours: Mapping[str, tuple[str, ...]]) -> tuple[Any, ...]:
    """Equal for components with the same files that import the same."""
    return tuple(group), hash(tuple(neighbours[path] for path in group))


def _components(neighbours: Mapping[str, tuple[str, ...]]) -> list[list[str]]:
    """Files that import one another, each component and all of them in order of path."""
    parent = {path: path for path in neighbours}

    def find(path: str) -> str:
        while parent[path] != path:
            parent[path] = parent[parent[path]]
            path = parent[path]
        return path

    for path, others in neighbours.items():
        for other in others:
            if other in parent:
                left, right = sorted((find(path), find(other)))
                parent[right] = left
    groups: dict[str, list[str]] = {}
    for path in neighbours:
        groups.setdefault(find(path), []).append(path)
    return list(groups.values())


def find_neighbours(path: str, head: Head, index: ModuleIndex) -> Iterator[str]:
    """Files that a file can reach by its imports, packages on the way included."""
    for module, level, name in sorted(head.imports, key=str):
        yield from index.find(module, level, path)
        if name is not None and name != "*":
            yield from index.find(f"{module}.{name}" if module else name, level, path)
        parts = module.split(".")
        if not level and len(parts) > 1:
            for end in range(1, len(parts)):
                yield from index.find(".".join(parts[:end]), 0, path)
    yield from _own_packages(path, index)


def _own_packages(path: str, index: ModuleIndex) -> Iterator[str]:
    """A package is joined with its modules: `package.module` reads them as attributes."""
    directory, _, name = path.rpartition("/")
    stem = name.partition(".")[0]
    for package in (f"{directory}/__init__.py" if directory else "__init__.py",):
        if index.member(package, stem) == path:
            yield package


def _batches(groups: list[list[str]], heads: Mapping[str, Head]) -> Iterator[list[str]]:
    """Components gathered into batches worth a solution of their own."""
    batch: list[str] = []
    size = 0
    for group in groups:
        weight = sum(heads[path].registers for path in group)
        if batch and size + weight > _BATCH_REGISTERS:
            yield batch
            batch, size = [], 0
        batch = [*batch, *group]
        size += weight
    if batch:
        yield batch
