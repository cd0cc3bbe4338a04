"""Calls as an agent would make them, drawn evenly from what a repository's index holds."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

from agrama.errors import ToolError
from agrama.graph.keys import repository_folder
from agrama.graph.model import Kind, Symbol
from agrama.graph.snapshot import Snapshot, open_snapshot
from agrama.graph.store import Store

_T = TypeVar("_T")
_FILES = 400  # looked into for symbols; enough for any sample
_CALLABLE = (Kind.CLASS, Kind.FUNCTION, Kind.METHOD)
_MAX_TOKENS = 8000  # what the tools take when nothing is said


class Call(NamedTuple):
    """One tool call."""

    tool: str
    arguments: dict[str, Any]


class Sample(NamedTuple):
    """What the calls are about."""

    paths: list[str]
    symbols: list[Symbol]

    def call(self, tool: str, number: int) -> Call:
        """The n-th call of a tool; no two numbers give equal arguments, so none is cached."""
        return Call(tool, self._arguments(tool, number))

    def _arguments(self, tool: str, number: int) -> dict[str, Any]:
        symbol = self.symbols[number % len(self.symbols)]
        # Each turn through the sample asks for a token more: another call, the same budget.
        turn = number // min(len(self.symbols), len(self.paths))
        unique = {"max_tokens": _MAX_TOKENS + turn}
        if tool == "read_code":
            path = self.paths[number % len(self.paths)]
            return ({"path": path} if number % 2 else {"symbol": symbol.id}) | unique
        if tool == "hybrid_search":
            return {"query": _question(symbol, number), **unique}
        if tool == "record_decision":
            return {
                "decision": f"Keep {symbol.name} as it is ({number})",
                "reasoning": "Measured: changing it would not make anything faster.",
                "symbols": [symbol.id],
            }
        return {"symbol": symbol.id, **unique}


def read_sample(root: Path) -> Sample:
    """Files and symbols spread evenly over a repository's index."""
    with Store.open(repository_folder(root)) as store, open_snapshot(store) as snapshot:
        paths = [entry.path for entry in snapshot.files() if entry.status != "skipped"]
        chosen = _spread(paths, _FILES)
        symbols = _spread(_distinct(_symbols(snapshot, chosen)), _FILES)
    if not symbols:
        raise ToolError(f"{root} holds no function or class to ask about: give --repo another one")
    return Sample(chosen, symbols)


def _symbols(snapshot: Snapshot, paths: Sequence[str]) -> list[Symbol]:
    return [
        symbol
        for path in paths
        for symbol in snapshot.symbols_in(path)
        if symbol.kind in _CALLABLE and not symbol.name.startswith("<")
    ]


def _distinct(symbols: Sequence[Symbol]) -> list[Symbol]:
    """One symbol of each name and each documentation: no two are asked for in the same words."""
    named = {symbol.name: symbol for symbol in reversed(symbols)}.values()
    said = {_words(symbol) or symbol.name: symbol for symbol in named}
    return list(reversed(said.values()))


def _spread(items: Sequence[_T], count: int) -> list[_T]:
    step = max(1.0, len(items) / count)
    return [items[int(at * step)] for at in range(min(count, len(items)))]


def _question(symbol: Symbol, number: int) -> str:
    """What its documentation says, its name, or its name as words."""
    words = _words(symbol)
    if number % 2 and words:
        return words
    return symbol.name if number % 3 else symbol.name.replace("_", " ")


def _words(symbol: Symbol) -> str:
    """The beginning of its documentation, when it is more than a word or two."""
    words = symbol.doc.split(".")[0].split()[:12]
    return " ".join(words) if len(words) > 2 else ""
