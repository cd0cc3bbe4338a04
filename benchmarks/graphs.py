"""The graph of a repository straight from front ends and solver, without an index on disk."""

from pathlib import Path

from agrama.graph.model import FileGraph
from agrama.indexer.languages import language_of
from agrama.indexer.parse import parse_file
from agrama.indexer.resolve import resolve

SURE = 0.5
"""Edges below this confidence are candidates only."""


def resolve_repository(root: Path, languages: tuple[str, ...]) -> list[FileGraph]:
    """One graph for each file of these languages; hidden folders are left out."""
    files = []
    for path in sorted(root.rglob("*")):
        relative = path.relative_to(root)
        if any(part.startswith(".") for part in relative.parts):
            continue
        name = relative.as_posix()
        language = language_of(name)
        if language is not None and language.name in languages and path.is_file():
            files.append((name, parse_file(name, path.read_bytes(), language.name)))
    return list(resolve(files, {}))
