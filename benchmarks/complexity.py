"""Are our complexity figures those of radon, complexipy and lizard, and what do they cost?

    complexity.py DIRECTORY... [--differences] [--save]

Python is compared with radon (cyclomatic) and complexipy (cognitive), JavaScript and TypeScript with
lizard, each when it is installed. A function is matched by its lines; lizard, which reads tokens
instead of a tree, finds other bounds for some, and those are only counted.
"""

import argparse
import importlib
import json
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

from report import write_report
from tree_sitter import Language, Node, Parser, Query, QueryCursor

from agrama.indexer.languages import language_of, load_languages
from agrama.indexer.metrics import measure_functions, read_query
from agrama.indexer.metrics.tally import Figures

Place = tuple[int, int]  # first and last line
LEFT_OUT = frozenset({"node_modules", "dist", ".git"})


class Measured(NamedTuple):
    """One function with our figures; `first` includes its decorators."""

    first: int
    place: Place
    name: str
    figures: Figures


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("directories", nargs="+", type=Path)
    parser.add_argument("--differences", action="store_true", help="list them on stderr")
    parser.add_argument("--save", action="store_true")
    options = parser.parse_args()
    figures = {}
    for directory in options.directories:
        show = print_difference if options.differences else ignore_difference
        name = "/".join(directory.parts[-2:])
        figures[name] = compare(directory, show)
        print(name, json.dumps(figures[name]))
    if options.save:
        print(write_report("complexity", figures))
    return 0


def print_difference(*words: object) -> None:
    print(*words, file=sys.stderr)


def ignore_difference(*words: object) -> None:
    pass


def compare(directory: Path, show: Callable[..., None]) -> dict[str, float]:
    """Counts per reference: how many functions both measured, and how many alike."""
    counts: Counter[str] = Counter()
    seconds = 0.0
    for path, language in find_files(directory):
        content = path.read_bytes()
        captures, took, figures = measure(content, language)
        seconds += took
        counts["files"] += 1
        counts["functions"] += len(figures)
        ours = [read_function(node, figures) for node in captures if node.start_byte in figures]
        for reference, key in REFERENCES["python" if language == "python" else "other"]:
            theirs = reference(path, content)
            for place, name, value in theirs or ():
                match = find_match(ours, place, name)
                counts[f"{reference.__name__}_functions"] += match is not None
                if match is not None and match.figures[key] == value:
                    counts[f"{reference.__name__}_same"] += 1
                elif match is not None:
                    show(f"{path}:{place[0]} {name} {key}: {value}, ours {match.figures[key]}")
    return {**counts, "metrics_cpu_seconds": round(seconds, 3)}


def find_files(directory: Path) -> Iterator[tuple[Path, str]]:
    for path in sorted(directory.rglob("*")):
        language = language_of(path.name)
        if language is None or read_query(language.name) is None or not path.is_file():
            continue
        if not LEFT_OUT & set(path.parts):
            yield path, language.name


@cache
def load_grammar(language: str) -> tuple[Parser, QueryCursor]:
    module, _, function = load_languages()[language].grammar.partition(":")
    grammar = Language(getattr(importlib.import_module(module), function)())
    return Parser(grammar), QueryCursor(Query(grammar, read_query(language) or ""))


def measure(content: bytes, language: str) -> tuple[list[Node], float, dict[int, Figures]]:
    parser, cursor = load_grammar(language)
    root = parser.parse(content).root_node
    start = time.process_time()
    captures = cursor.captures(root)
    figures = measure_functions(captures, content, language)
    return captures.get("function", []), time.process_time() - start, figures


def read_function(node: Node, figures: dict[int, Figures]) -> Measured:
    name = node.child_by_field_name("name")
    text = (name.text or b"").decode(errors="replace") if name is not None else ""
    place = (node.start_point[0] + 1, node.end_point[0] + 1)
    parent = node.parent
    decorated = parent is not None and parent.type == "decorated_definition"
    first = parent.start_point[0] + 1 if parent is not None and decorated else place[0]
    return Measured(first, place, text, figures[node.start_byte])


def find_match(ours: list[Measured], place: Place, name: str) -> Measured | None:
    """The one function at the same lines; Python's also by the line of its first decorator."""
    last = place[1]
    found = [
        function
        for function in ours
        if (function.place == place if last else place[0] in (function.first, function.place[0]))
        and (not name or function.name == name)
    ]
    return found[0] if len(found) == 1 else None


Figure = tuple[Place, str, int]


def radon(path: Path, content: bytes) -> list[Figure] | None:
    """Every function, nested ones and those of nested classes too."""
    try:
        from radon.complexity import cc_visit
    except ImportError:
        return None
    try:
        blocks = list(cc_visit(content.decode()))
    except (SyntaxError, ValueError):
        return []
    found: dict[tuple[int, str], int] = {}
    while blocks:
        block = blocks.pop()
        if hasattr(block, "methods"):
            blocks += [*block.methods, *block.inner_classes]
        else:
            blocks += block.closures
            found[block.lineno, block.name] = block.complexity
    return [((line, 0), name, value) for (line, name), value in found.items()]


def complexipy(path: Path, content: bytes) -> list[Figure] | None:
    try:
        from complexipy import code_complexity
    except ImportError:
        return None
    try:
        functions = code_complexity(content.decode()).functions
    except ValueError:
        return []
    return [
        ((each.line_start, 0), each.name.rpartition(":")[2], each.complexity) for each in functions
    ]


def lizard(path: Path, content: bytes) -> list[Figure] | None:
    try:
        import lizard as library
    except ImportError:
        return None
    try:
        functions = library.analyze_file(str(path)).function_list
    except (IndexError, RecursionError):  # it fails on some TypeScript
        return []
    return [
        ((each.start_line, each.end_line), "", each.cyclomatic_complexity) for each in functions
    ]


REFERENCES = {
    "python": ((radon, "cyclomatic"), (complexipy, "cognitive")),
    "other": ((lizard, "cyclomatic"),),
}

if __name__ == "__main__":
    sys.exit(main())
