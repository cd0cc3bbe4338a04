"""The graph of a file by itself: its own symbol and what it declares, without resolution."""

from agrama.graph.model import EdgeKind, EdgeRow, FileGraph, Kind, Resolution, Symbol
from agrama.indexer.facts import Definition, FileFacts, Variable
from agrama.indexer.languages import load_languages
from agrama.indexer.languages.language import dotted_name


def declare_file(path: str, language: str | None) -> FileGraph:
    """A file of which nothing but its existence is known."""
    name = path.rpartition("/")[2]
    symbol = Symbol(path, Kind.FILE, name, dotted_name(path), path, language, 1, 0, 1, 1)
    return FileGraph(path, language, (symbol,), ())


def declare_facts(path: str, facts: FileFacts) -> FileGraph:
    """What a file declares, and which declaration lies in which."""
    language = facts["language"]
    module = load_languages()[language].module_name(path)
    rows = [Definition._make(row) for row in facts["definitions"]]
    if not rows:
        return declare_file(path, language)
    ids = [f"{path}::{row.qualified}" if row.qualified else path for row in rows]
    symbols, edges = [], []
    for index, row in enumerate(rows):
        symbols.append(
            Symbol(
                ids[index],
                Kind(row.kind),
                row.name or path.rpartition("/")[2],
                f"{module}.{row.qualified}" if row.qualified else module,
                path,
                language,
                row.line,
                row.column,
                row.body_line,
                row.end_line,
                row.signature,
                row.doc,
                facts["metrics"].get(row.start_byte) if row.qualified else None,
            )
        )
        if row.parent >= 0:
            edges.append(_contains(ids[row.parent], ids[index], row.line, row.column))
    taken = set(ids)
    for variable in map(Variable._make, facts["variables"]):
        inner = f"{rows[variable.parent].qualified}.{variable.name}".lstrip(".")
        name = f"{path}::{inner}"
        if name in taken:
            continue
        taken.add(name)
        place = variable.line, variable.column, variable.line, variable.end_line
        symbols.append(
            Symbol(name, Kind.VARIABLE, variable.name, f"{module}.{inner}", path, language, *place)
        )
        edges.append(_contains(ids[variable.parent], name, variable.line, variable.column))
    return FileGraph(path, language, tuple(symbols), tuple(edges))


def _contains(outer: str, inner: str, line: int, column: int) -> EdgeRow:
    return EdgeRow(EdgeKind.CONTAINS, outer, inner, line, column, Resolution.EXACT, 1.0)
