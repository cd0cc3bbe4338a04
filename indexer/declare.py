"""The graph of a file in a language without a front end: its own symbol."""

from agrama.graph.model import FileGraph, Kind, Symbol
from agrama.indexer.languages.language import dotted_name


def declare_file(path: str, language: str | None) -> FileGraph:
    """A file of which nothing but its existence is known."""
    name = path.rpartition("/")[2]
    symbol = Symbol(path, Kind.FILE, name, dotted_name(path), path, language, 1, 0, 1, 1)
    return FileGraph(path, language, (symbol,), ())
