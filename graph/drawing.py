"""Arrows between symbols as pictures: Graphviz and Mermaid text."""

from collections.abc import Iterable, Iterator
from typing import TypeAlias

Arrow: TypeAlias = "tuple[str, str, str]"  # source, target, kind


def draw_dot(arrows: Iterable[Arrow]) -> Iterator[str]:
    """Lines for Graphviz."""
    yield "digraph agrama {\n  rankdir=LR;\n"
    for source, target, kind in arrows:
        yield f"  {_quote(source)} -> {_quote(target)} [label={_quote(kind)}];\n"
    yield "}\n"


def draw_mermaid(arrows: Iterable[Arrow]) -> Iterator[str]:
    """Lines of a Mermaid flow chart."""
    numbers: dict[str, str] = {}
    yield "flowchart LR\n"
    for source, target, kind in arrows:
        for name in (source, target):
            if name not in numbers:
                numbers[name] = f"n{len(numbers)}"
                yield f"  {numbers[name]}[{_label(name)}]\n"
        yield f"  {numbers[source]} -->|{kind}| {numbers[target]}\n"


def _quote(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'


def _label(text: str) -> str:
    return '"' + text.replace('"', "#quot;") + '"'
