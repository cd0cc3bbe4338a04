"""Reads one text as a file of its language and tells its symbols in a comparable form."""

from textwrap import dedent

from agrama.graph.model import Kind
from agrama.indexer.facts import Definition, FileFacts, Variable
from agrama.indexer.languages import language_of
from agrama.indexer.parse import parse_file


def read_facts(path: str, text: str | bytes) -> FileFacts:
    content = text if isinstance(text, bytes) else dedent(text).encode()
    language = language_of(path)
    assert language is not None
    return parse_file(path, content, language.name)


def list_symbols(path: str, text: str | bytes) -> list[str]:
    """`kind name first-last` of every symbol but the file, sections before keys."""
    facts = read_facts(path, text)
    rows = [Definition._make(row) for row in facts["definitions"]]
    found = [
        f"{Kind(row.kind).label} {row.qualified} {row.line}-{row.end_line}" for row in rows[1:]
    ]
    for variable in map(Variable._make, facts["variables"]):
        name = f"{rows[variable.parent].qualified}.{variable.name}".lstrip(".")
        found.append(f"key {name} {variable.line}-{variable.end_line}")
    return found
