"""Manifests tell what a package depends on."""

import pytest
from data_facts import read_facts

from agrama.graph.model import EdgeKind
from agrama.indexer.facts import Import
from agrama.indexer.resolve import resolve

NODE = '{"name": "a", "dependencies": {"react": "^18", "own": "workspace:*"},\n "devDependencies": {"@x/y.js": "1"}}'
PYTHON = '[project]\nname = "a"\ndependencies = ["requests>=2", "a[x]", "PyYAML ~= 6"]\n'
CARGO = '[dependencies]\nserde = "1"\nown = { path = "../own" }\n[dev-dependencies]\ntokio = { version = "1" }\n'
GO = "module example.org/a\n\nrequire (\n\tgithub.com/x/y v1.2.3\n\tgopkg.in/z.v3 v3.0.1 // indirect\n)\n"


@pytest.mark.parametrize(
    ("path", "text", "expected"),
    [
        ("package.json", NODE, [("react", 1), ("@x/y.js", 2)]),
        ("x/other.json", NODE, []),
        ("pyproject.toml", PYTHON, [("requests", 3), ("PyYAML", 3)]),
        ("Cargo.toml", CARGO, [("serde", 2), ("tokio", 5)]),
        ("go.mod", GO, [("github.com/x/y", 4), ("gopkg.in/z.v3", 5)]),
        ("pyproject.toml", "[project\n", []),
        ("package.json", "[", []),
    ],
)
def test_dependencies_are_imports(path: str, text: str, expected: list[tuple[str, int]]) -> None:
    rows = [Import._make(row) for row in read_facts(path, text.encode())["imports"]]
    assert [(row.module, row.line) for row in rows] == expected


def test_a_dependency_is_the_node_that_code_imports() -> None:
    files = [
        ("pyproject.toml", read_facts("pyproject.toml", PYTHON.encode())),
        ("a.py", read_facts("a.py", b"import requests\n")),
    ]
    edges = [edge for graph in resolve(files) for edge in graph.edges]
    targets = {(edge.source, edge.target) for edge in edges if edge.kind == EdgeKind.IMPORTS}
    assert {("pyproject.toml", "external:requests"), ("a.py", "external:requests")} <= targets


@pytest.mark.parametrize(
    ("path", "text", "target"),
    [
        ("package.json", NODE, "react"),
        ("Cargo.toml", CARGO, "serde"),
        ("go.mod", GO, "github.com/x/y"),
    ],
)
def test_every_manifest_has_edges_from_its_file(path: str, text: str, target: str) -> None:
    (graph,) = resolve([(path, read_facts(path, text.encode()))])
    imported = {edge.target for edge in graph.edges if edge.kind == EdgeKind.IMPORTS}
    assert f"external:{target}" in imported
    assert {edge.source for edge in graph.edges if edge.kind == EdgeKind.IMPORTS} == {path}
