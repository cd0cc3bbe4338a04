"""code-review-graph from PyPI."""

import json
from pathlib import Path

from baselines.contract import (
    Answer,
    Baseline,
    Call,
    McpSession,
    Place,
    Subject,
    make_relative,
    make_venv,
    read_version,
)
from client import Client


class CodeReviewGraph(Baseline):
    """Without its optional embeddings, whose model is on a hub."""

    name = "code-review-graph"
    note = "impact is of the whole file: it has none of a symbol; full-text search, its embeddings are an extra"

    def __init__(self, work: Path) -> None:
        super().__init__(work)
        self.program = str(self.folder / "venv" / "bin" / "code-review-graph")

    def install(self) -> str:
        return read_version(make_venv(self.folder, "code-review-graph"), "code-review-graph")

    def index_command(self, root: Path) -> list[str]:
        return [self.program, "build", "--quiet", "--repo", str(root)]

    def serve(self, root: Path) -> McpSession:
        command = [self.program, "serve", "--repo", str(root)]
        return McpSession(Client(command, env=self.environment))

    def make_call(self, operation: str, subject: Subject, root: Path) -> Call | None:
        target = str(root / f"{subject.path}::{subject.qualified}")
        calls = {
            "search": Call("semantic_search_nodes_tool", {"query": subject.query, "limit": 30}),
            "symbol": Call("semantic_search_nodes_tool", {"query": subject.name, "limit": 5}),
            "callers": Call("query_graph_tool", {"pattern": "callers_of", "target": target}),
            "impact": Call("get_impact_radius_tool", {"changed_files": [subject.path]}),
        }
        return calls.get(operation)

    def read_places(self, operation: str, answer: Answer, root: Path) -> list[Place]:
        return [
            Place(
                make_relative(row["file_path"], root),
                row["name"],
                row["line_start"],
                row["line_end"],
            )
            for row in json.loads(answer.text).get("results", [])
        ]
