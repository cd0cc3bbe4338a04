"""Ours, through the same interface as the rest."""

import os
import sys
from pathlib import Path

from baselines.contract import Answer, Baseline, Call, McpSession, Place, Subject
from client import Client

from agrama.bench.machine import describe_versions

COMMAND = [sys.executable, "-P", "-m", "agrama"]

_WITHOUT = {
    f"include_{part}": False for part in ("semantic_context", "decisions", "collaborative_context")
}


class Agrama(Baseline):
    """Answers are never the cached ones: no two subjects are alike."""

    name = "agrama"
    note = "its index holds the graph, full text and vectors; impact names the tests to run; code is read with what it calls and who calls it, as codegraph gives it, without similar code and decisions, which nobody else has"

    def __init__(self, work: Path) -> None:
        super().__init__(work)
        self.environment = {"AGRAMA_HOME": str(self.home)}

    def install(self) -> str:
        return str(describe_versions()["agrama"])

    def index_command(self, root: Path) -> list[str]:
        return [*COMMAND, "index", str(root), "--quiet"]

    def serve(self, root: Path) -> McpSession:
        command = [*COMMAND, "serve", "--root", str(root)]
        return McpSession(Client(command, env=self.environment))

    def make_call(self, operation: str, subject: Subject, root: Path) -> Call:
        identity = f"{subject.path}::{subject.qualified}"
        return {
            "search": Call("hybrid_search", {"query": subject.query, "max_results": 10}),
            "symbol": Call("find_symbol", {"name": subject.name}),
            "callers": Call(
                "find_references", {"symbol": identity, "kind": "calls", "max_results": 100}
            ),
            "impact": Call("analyze_impact", {"symbols": [identity]}),
            "snippet": Call("read_code", {"symbol": identity, **_WITHOUT}),
        }[operation]

    def read_places(self, operation: str, answer: Answer, root: Path) -> list[Place]:
        result = answer.structured
        if operation == "search":
            return [
                Place(hit["path"], hit["symbol"] or "", hit["start_line"], hit["end_line"])
                for hit in result["results"]
            ]
        return [
            Place(row["path"], _last_name(row["symbol"]), row["line"], row["line"])
            for row in result["references"]
            if row["confidence"] >= 0.5
        ]


def _last_name(symbol: str) -> str:
    """The name of the function that calls; none at module level."""
    path, separator, inner = symbol.partition("::")
    return inner.split("#")[0].rpartition(".")[2] if separator else os.path.basename(path)
