"""How many of the calls that look like calls of the project's own code do we resolve?

    call_share.py LANGUAGE REPOSITORY [--seed N] --draw FILE
    call_share.py --judged FILE

Calls are the call nodes of the syntax tree, found without the front ends. A call looks like one of the
project's own when

- its callee's last name is that of a function, method or class that the project defines,
- the definition could be called that way: only functions and classes (and methods of a class around,
  in languages that need no `this`) by a bare name, anything through a receiver,
- and no edge says that it leads outside (an imported library, a declared type that lies outside).

It is resolved when an edge `calls` of confidence 0.5 or more stands at that name; a resolved call looks
so whatever its name. Most of the rest are calls of the library by a name that the project has too
(`append`, `get`, `toString`). So 30 of them are drawn into FILE to be read by eye and marked `own` or
`other` as `verdict`; the share then counts as many unresolved calls as the draw lets expect.
"""

import argparse
import importlib
import json
import random
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from graphs import SURE, resolve_repository
from tree_sitter import Language, Node, Parser

from agrama.graph.model import EXTERNAL_PREFIX, EdgeKind, FileGraph, Kind
from agrama.indexer.languages import load_languages

# Call nodes, and the field that holds the callee (None: the first child).
CALLS: dict[str, dict[str, str | None]] = {
    "python": {"call": "function"},
    "javascript": {"call_expression": "function", "new_expression": "constructor"},
    "typescript": {"call_expression": "function", "new_expression": "constructor"},
    "go": {"call_expression": "function"},
    "java": {"method_invocation": "name", "object_creation_expression": "type"},
    "rust": {"call_expression": "function"},
    "c": {"call_expression": "function"},
    "cpp": {"call_expression": "function"},
    "csharp": {"invocation_expression": "function", "object_creation_expression": "type"},
    "kotlin": {"call_expression": None},
    "php": {
        "function_call_expression": "function", "member_call_expression": "name",
        "nullsafe_member_call_expression": "name", "scoped_call_expression": "name",
        "object_creation_expression": None,
    },
    "ruby": {"call": "method"},
}  # fmt: skip
# Languages that a repository's graph needs besides.
BESIDES = {
    "go": ("gomod",), "typescript": ("tsx", "javascript", "json"), "javascript": ("json",),
    "c": ("cpp",), "cpp": ("c",), "rust": ("toml",),
}  # fmt: skip
DRAWN = 30
CALLABLE = (Kind.FUNCTION, Kind.METHOD, Kind.CLASS, Kind.TEST)
_BUILT_IN = frozenset((b"Ok", b"Err", b"Some"))  # Rust's, whoever has an associated type `Ok`
_BETWEEN = frozenset(
    ("type_arguments", "template_argument_list", "type_argument_list", "arguments")
)


class Site(NamedTuple):
    """The last name of a callee; `line` counts from 1, `column` from 0 in bytes."""

    path: str
    line: int
    column: int
    name: str
    bare: bool


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("language", nargs="?", choices=CALLS)
    parser.add_argument("repository", nargs="?", type=Path)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--commit", default="", help="of the repository, to be kept in FILE")
    parser.add_argument("--draw", type=Path, metavar="FILE")
    parser.add_argument("--judged", type=Path, metavar="FILE")
    options = parser.parse_args()
    if options.judged is not None:
        figures = json.loads(options.judged.read_text())
        figures["share"] = estimate(figures)
        options.judged.write_text(json.dumps(figures, indent=1) + "\n")
        print(figures["language"], figures["repository"], figures["share"])
        return 0
    root = options.repository.resolve()
    languages = (options.language, *BESIDES.get(options.language, ()))
    graphs = resolve_repository(root, languages)
    sites = [
        site
        for graph in graphs
        if graph.language == options.language
        for site in find_sites(root, graph.path, options.language)
    ]
    counts, missing = judge(sites, graphs)
    drawn = random.Random(options.seed).sample(missing, min(DRAWN, len(missing)))
    figures = {
        "language": options.language, "repository": root.name, "commit": options.commit,
        "seed": options.seed, **counts,
        "unresolved": [describe(root, site) for site in sorted(drawn)],
    }  # fmt: skip
    print(json.dumps({**figures, "unresolved": len(drawn)}))
    if options.draw is not None:
        options.draw.write_text(json.dumps(figures, indent=1) + "\n")
    return 0


def estimate(figures: dict[str, Any]) -> float:
    """Resolved calls over those and the unresolved ones that are the project's own."""
    verdicts = [each["verdict"] for each in figures["unresolved"]]
    if not set(verdicts) <= {"own", "other"}:
        raise SystemExit("every verdict must be own or other")
    missed = (figures["own"] - figures["resolved"]) * verdicts.count("own") / max(len(verdicts), 1)
    return round(figures["resolved"] / (figures["resolved"] + missed), 4)


def describe(root: Path, site: Site) -> dict[str, Any]:
    lines = (root / site.path).read_text(errors="replace").split("\n")
    text = lines[site.line - 1].strip()[:110]
    return {
        "path": site.path, "line": site.line, "name": site.name, "text": text, "verdict": "",
    }  # fmt: skip


def find_sites(root: Path, path: str, language: str) -> Iterator[Site]:
    described = load_languages()[language]
    module, _, function = described.grammar.partition(":")
    parser = Parser(Language(getattr(importlib.import_module(module), function)()))
    content = (root / path).read_bytes()
    if described.prepare is not None:
        content = described.prepare(content)
    waiting = [parser.parse(content).root_node]
    while waiting:
        node = waiting.pop()
        waiting += node.children
        if node.type in CALLS[language]:
            site = read_site(node, path, CALLS[language][node.type])
            if site is not None:
                yield site


def read_site(node: Node, path: str, field: str | None) -> Site | None:
    callee = node.child_by_field_name(field) if field else None
    if field is None and node.named_child_count:
        callee = node.named_children[0]
    if callee is None or callee.type == node.type:  # `f(…) { … }`: the same call
        return None
    name = last_name(callee)
    if name is None or name.text is None or name.text in _BUILT_IN:
        return None
    receiver = any(
        node.child_by_field_name(each) is not None for each in ("object", "receiver", "scope")
    )
    bare = name.id == callee.id and not receiver and node.type != "object_creation_expression"
    row, column = name.start_point
    return Site(path, row + 1, column, name.text.decode(errors="replace"), bare)


def last_name(node: Node) -> Node | None:
    """The last leaf that is a name, type arguments left out."""
    if not node.named_child_count:
        return node if node.text and (node.text[:1].isalpha() or node.text[:1] in b"_$") else None
    if node.type in ("parenthesized_expression", "function_expression", "arrow_function"):
        return None
    kept = [child for child in node.named_children if child.type not in _BETWEEN]
    return last_name(kept[-1]) if kept else None


def judge(sites: list[Site], graphs: list[FileGraph]) -> tuple[Counter[str], list[Site]]:
    """Counts, and the calls that look like the project's own but are not resolved."""
    kinds: dict[str, set[Kind]] = {}
    members: dict[str, set[str]] = {}  # file -> methods of its classes
    for graph in graphs:
        for symbol in graph.symbols:
            if symbol.kind in CALLABLE:
                kinds.setdefault(symbol.name, set()).add(symbol.kind)
                if symbol.kind == Kind.METHOD:
                    members.setdefault(graph.path, set()).add(symbol.name)
    inside, outside = set(), set()
    for graph in graphs:
        for edge in graph.edges:
            if edge.kind == EdgeKind.CALLS and edge.confidence >= SURE:
                place = (graph.path, edge.line, edge.column)
                (outside if edge.target.startswith(EXTERNAL_PREFIX) else inside).add(place)
    counts: Counter[str] = Counter(files=len(graphs), calls=len(sites), own=0, resolved=0)
    missing = []
    for site in sites:
        defined = kinds.get(site.name, set())
        if site.bare and site.name not in members.get(site.path, ()):
            defined = defined - {Kind.METHOD}
        place = site[:3]
        resolved = place in inside
        if not resolved and (not defined or place in outside):
            counts["outside"] += place in outside
            continue
        counts["own"] += 1
        counts["resolved"] += resolved
        if not resolved:
            missing.append(site)
    return counts, missing


if __name__ == "__main__":
    raise SystemExit(main())
