"""Solutions do not depend on the order of files, and updates equal fresh solutions."""

import email
import random
from dataclasses import replace
from pathlib import Path

import pytest

from agrama.graph.model import FileGraph
from agrama.indexer.facts import FileFacts, head_of
from agrama.indexer.packs.registry import load_packs
from agrama.indexer.parse import parse_file
from agrama.indexer.resolve import Resolver, resolve
from agrama.indexer.resolve.emit import Emitter
from agrama.indexer.resolve.program import Program
from agrama.indexer.resolve.resolver import index_modules
from agrama.indexer.resolve.solver import Solver

# A package of the standard library: real, small, with relative imports and inheritance.
SOURCE = Path(email.__file__).parent


def _facts(files: dict[str, str]) -> list[tuple[str, FileFacts]]:
    return [(path, parse_file(path, text.encode(), "python")) for path, text in files.items()]


def _package() -> dict[str, str]:
    return {f"email/{path.name}": path.read_text() for path in sorted(SOURCE.glob("*.py"))}


def _by_path(graphs: list[FileGraph]) -> dict[str, FileGraph]:
    """Edges of a graph have no order of their own."""
    return {graph.path: replace(graph, edges=tuple(sorted(graph.edges))) for graph in graphs}


@pytest.mark.parametrize("seed", range(3))
def test_the_order_of_files_changes_nothing(seed: int) -> None:
    facts = _facts(_package())
    wanted = _by_path(list(resolve(facts)))
    random.Random(seed).shuffle(facts)
    modules = index_modules({path: head_of(each) for path, each in facts}, {})
    program = Program(iter(facts), modules)
    solver = Solver(program, load_packs())
    solver.solve()
    emitter = Emitter(solver)
    known = dict(facts)
    found = [emitter.emit(unit, known[unit.path]) for unit in program.units]
    assert _by_path(found) == wanted


BASE = "class Base:\n    def run(self):\n        pass\n"
USE = "from base import Base\n\nBase().run()\n"
ALONE = "def alone():\n    pass\n\n\nalone()\n"
FILES = {"base.py": BASE, "use.py": USE, "alone.py": ALONE}

UPDATES: list[tuple[dict[str, str], list[str]]] = [
    ({"base.py": BASE.replace("run", "go")}, []),
    ({"base.py": BASE + "\n\ndef more():\n    return Base()\n"}, []),
    ({"alone.py": ALONE + "import use\n"}, []),
    ({"other.py": "from base import Base\nBase()\n"}, []),
    ({"use/__init__.py": USE}, ["use.py"]),
    ({}, ["base.py"]),
]


@pytest.mark.parametrize(("changed", "removed"), UPDATES)
def test_an_update_equals_a_fresh_solution(changed: dict[str, str], removed: list[str]) -> None:
    resolver = Resolver(_facts(FILES))
    graphs = _by_path(list(resolver.graphs()))
    graphs.update(_by_path(list(resolver.update(_facts(changed), removed))))
    for path in removed:
        del graphs[path]
    after = {path: text for path, text in FILES.items() if path not in removed} | changed
    assert graphs == _by_path(list(resolve(_facts(after))))


def test_an_update_leaves_other_components_alone() -> None:
    resolver = Resolver(_facts(FILES))
    list(resolver.graphs())
    updated = resolver.update(_facts({"alone.py": ALONE + "alone()\n"}), [])
    assert [graph.path for graph in updated] == ["alone.py"]


def test_an_update_that_was_broken_off_is_made_up_for() -> None:
    resolver = Resolver(_facts(FILES))
    list(resolver.graphs())
    resolver.update(_facts({"base.py": BASE.replace("run", "go")}), [])
    updated = resolver.update(_facts({"alone.py": ALONE + "alone()\n"}), [])
    assert {graph.path for graph in updated} == set(FILES)


def test_a_method_of_a_base_outside_is_named() -> None:
    text = (
        "import unittest\n\n\nclass T(unittest.TestCase):\n    def go(self):\n        self.fail()\n"
    )
    (graph,) = resolve(_facts({"t.py": text}))
    (call,) = [edge for edge in graph.edges if edge.line == 6]
    assert (call.source, call.target) == ("t.py::T.go", "external:unittest.TestCase.fail")
    assert graph.unresolved == 0


def test_methods_of_containers_are_not_unresolved() -> None:
    (graph,) = resolve(_facts({"t.py": "items = []\nitems.append(1)\nunknown.thing()\n"}))
    assert (graph.call_sites, graph.unresolved) == (2, 1)
