"""Complexity figures of functions, one query and one pass over its captures per file.

A language takes part by its query in `queries/`; docs/metrics.md lists the captures.
"""

from functools import cache
from pathlib import Path

from agrama.indexer.metrics import python
from agrama.indexer.metrics.sweep import Captures, Rules, Shape, sweep
from agrama.indexer.metrics.tally import Figures

_QUERIES = Path(__file__).parent / "queries"

_RULES: dict[str, tuple[Rules, Shape]] = {"python": (python.PythonRules(), python.SHAPE)}


@cache
def read_query(language: str) -> str | None:
    """The metrics query of a language, None when it has none."""
    path = _QUERIES / f"{language}.scm"
    return path.read_text(encoding="utf-8") if path.is_file() else None


def measure_functions(captures: Captures, source: bytes, language: str) -> dict[int, Figures]:
    """Figures of the functions of a file by start byte; one that did not parse has none."""
    rules, shape = _RULES[language]
    return sweep(captures, source, rules, shape)
