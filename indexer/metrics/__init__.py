"""Complexity figures of functions, one query and one pass over its captures per file.

A language takes part by its query in `queries/`; docs/metrics.md lists the captures.
"""

from collections.abc import Callable
from functools import cache
from pathlib import Path

from agrama.indexer.metrics.python import SHAPE as PYTHON_SHAPE
from agrama.indexer.metrics.python import PythonRules
from agrama.indexer.metrics.sonar import SonarRules
from agrama.indexer.metrics.sweep import Captures, Rules, Shape, sweep
from agrama.indexer.metrics.tally import Figures

_QUERIES = Path(__file__).parent / "queries"

_INHERITS = "; inherits: "

_OTHERS: tuple[Callable[[], Rules], Shape] = (SonarRules, Shape())
_RULES: dict[str, tuple[Callable[[], Rules], Shape]] = {
    "python": (PythonRules, PYTHON_SHAPE),
    "php": (SonarRules, Shape(plain_operators=frozenset(("??",)))),  # as lizard has it
}


@cache
def read_query(language: str) -> str | None:
    """The metrics query of a language, None when it has none."""
    path = _QUERIES / f"{language}.scm"
    if not path.is_file():
        return None
    text = path.read_text(encoding="utf-8")
    first = text.partition("\n")[0]
    if first.startswith(_INHERITS):
        parent = read_query(first.removeprefix(_INHERITS).strip())
        text = f"{parent or ''}{text}"
    return text


def measure_functions(captures: Captures, source: bytes, language: str) -> dict[int, Figures]:
    """Figures of the functions of a file by start byte; one that did not parse has none."""
    make_rules, shape = _RULES.get(language, _OTHERS)
    return sweep(captures, source, make_rules(), shape)
