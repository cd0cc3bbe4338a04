"""Files and functions stay small enough to be read: the limits of docs/contributing.md, checked."""

import ast
from collections.abc import Iterator
from pathlib import Path

TOP = Path(__file__).parents[1]
FOLDERS = ("agrama", "graph", "indexer", "benchmarks")
MAX_FILE_LINES = 600
MAX_FUNCTION_LINES = 80


def _sources() -> Iterator[Path]:
    for folder in FOLDERS:
        yield from (path for path in (TOP / folder).rglob("*.py") if not path.is_symlink())


def test_no_file_is_too_long() -> None:
    lengths = {path: len(path.read_text().splitlines()) for path in _sources()}
    assert len(lengths) > 300
    assert {path: lines for path, lines in lengths.items() if lines > MAX_FILE_LINES} == {}


def test_no_function_is_too_long() -> None:
    long = {
        f"{path.relative_to(TOP)}::{node.name}": (node.end_lineno or 0) - node.lineno + 1
        for path in _sources()
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        and (node.end_lineno or 0) - node.lineno >= MAX_FUNCTION_LINES
    }
    assert long == {}
