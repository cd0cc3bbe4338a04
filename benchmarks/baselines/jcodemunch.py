"""jcodemunch-mcp from PyPI."""

import json
from pathlib import Path

from baselines.contract import (
    Answer,
    Baseline,
    Call,
    McpSession,
    Place,
    Subject,
    make_venv,
    read_version,
)
from client import Client


class Jcodemunch(Baseline):
    """Without its summaries, which are written by a language model elsewhere."""

    name = "jcodemunch"

    def __init__(self, work: Path) -> None:
        super().__init__(work)
        self.environment |= {
            "JCODEMUNCH_DEFAULT_FORMAT": "json",
            "JCODEMUNCH_SHARE_SAVINGS": "0",
            "JCODEMUNCH_USE_AI_SUMMARIES": "false",
            # Its own limits would leave files of a large repository out.
            "JCODEMUNCH_MAX_FOLDER_FILES": "100000",
            "JCODEMUNCH_MAX_INDEX_FILES": "100000",
        }
        self.program = str(self.folder / "venv" / "bin" / "jcodemunch-mcp")

    def install(self) -> str:
        return read_version(make_venv(self.folder, "jcodemunch-mcp"), "jcodemunch-mcp")

    def index_command(self, root: Path) -> list[str]:
        words = ["--no-ai-summaries", "--identity-mode", "local"]
        return [self.program, "index", *words, str(root)]

    def serve(self, root: Path) -> McpSession:
        return McpSession(Client([self.program, "serve"], env=self.environment))

    def make_call(self, operation: str, subject: Subject, root: Path) -> Call:
        repo = {"repo": str(root)}
        identity = f"{subject.path}::{subject.qualified}#{subject.kind}"
        callers = {**repo, "symbol_id": identity, "direction": "callers", "depth": 1}
        return {
            "search": Call("search_symbols", {**repo, "query": subject.query, "max_results": 30}),
            "symbol": Call("search_symbols", {**repo, "query": subject.name, "max_results": 5}),
            "callers": Call("get_call_hierarchy", callers),
            "impact": Call("get_blast_radius", {**repo, "symbol": identity}),
            "snippet": Call("get_symbol_source", {**repo, "symbol_id": identity}),
        }[operation]

    def read_places(self, operation: str, answer: Answer, root: Path) -> list[Place]:
        rows = json.loads(answer.text)["results" if operation == "search" else "callers"]
        return [Place(row["file"], row["name"], row["line"]) for row in rows]
