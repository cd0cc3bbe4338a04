"""Small repositories whose comments say which edges each line must have (see cases/README.md)."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from agrama.graph.model import EXTERNAL_PREFIX, EdgeKind, FileGraph
from agrama.indexer.languages import language_of
from agrama.indexer.parse import parse_file
from agrama.indexer.resolve import resolve

CASES = Path(__file__).parent / "cases"
SURE = 0.5
_MARK = re.compile(r"(?:#|//|--|!|\(\*|<!--|/\*): (\S.*?)\s*(?:\*\)|-->|\*/)?\s*$")


def resolve_tree(root: Path) -> list[FileGraph]:
    """The graphs of all files beneath a directory."""
    files = []
    for path in sorted(root.rglob("*")):
        name = path.relative_to(root).as_posix()
        language = language_of(name)
        if path.is_file() and language is not None:
            files.append((name, parse_file(name, path.read_bytes(), language.name)))
    return list(resolve(files, {}))


def _read_marks(text: str) -> Iterator[tuple[int, str, set[str]]]:
    """(line, kind, targets) of every expectation."""
    for number, line in enumerate(text.splitlines(), 1):
        found = _MARK.search(line)
        for part in found.group(1).split(";") if found else ():
            kind, _, targets = part.strip().partition(" ")
            names = {name.strip() for name in targets.split(",")} - {"-", ""}
            yield number, kind, names


def _found(graph: FileGraph, line: int, kind: str) -> set[str]:
    weakest = 0.0 if kind.endswith("?") else SURE
    wanted = EdgeKind[kind.rstrip("?").upper()]
    return {
        edge.target.removeprefix(f"{graph.path}::")
        for edge in graph.edges
        if edge.kind == wanted
        and edge.line == line
        and edge.confidence >= weakest
        and not edge.target.startswith(EXTERNAL_PREFIX)
    }


def _case_folders() -> list[Path]:
    return sorted(folder for folder in CASES.glob("*/*") if folder.is_dir())


@pytest.mark.parametrize("folder", _case_folders(), ids=lambda f: f"{f.parent.name}-{f.name}")
def test_edges_are_those_in_the_comments(folder: Path) -> None:
    wrong, checked = [], 0
    for graph in resolve_tree(folder):
        text = (folder / graph.path).read_text()
        for line, kind, names in _read_marks(text):
            checked += 1
            found = _found(graph, line, kind)
            if found != names:
                wrong.append(f"{graph.path}:{line} {kind}: {sorted(found)}, not {sorted(names)}")
    assert not wrong, "\n".join(wrong)
    assert checked, "the case says nothing"
