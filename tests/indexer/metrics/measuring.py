"""Measures a text by itself: no front end, no index."""

from textwrap import dedent

import tree_sitter_javascript
import tree_sitter_php
import tree_sitter_python
import tree_sitter_rust
import tree_sitter_typescript
from tree_sitter import Language, Parser, Query, QueryCursor

from agrama.indexer.metrics import measure_functions, read_query
from agrama.indexer.metrics.tally import Figures

GRAMMARS = {
    "python": tree_sitter_python.language,
    "javascript": tree_sitter_javascript.language,
    "typescript": tree_sitter_typescript.language_typescript,
    "php": tree_sitter_php.language_php,
    "rust": tree_sitter_rust.language,
    "tsx": tree_sitter_typescript.language_tsx,
}


def measure_text(source: str | bytes, language: str = "python") -> dict[int, Figures]:
    """Figures of all functions of a text, by start byte."""
    content = source if isinstance(source, bytes) else dedent(source).encode()
    grammar = Language(GRAMMARS[language]())
    query = read_query(language)
    assert query is not None
    root = Parser(grammar).parse(content).root_node
    captures = QueryCursor(Query(grammar, query)).captures(root)
    return measure_functions(captures, content, language)


def measure_first(source: str, language: str = "python") -> Figures:
    """Figures of the function that begins first."""
    figures = measure_text(source, language)
    return figures[min(figures)]
