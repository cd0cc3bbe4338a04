"""@colbymchenry/codegraph from npm."""

import os
import re
import subprocess
from pathlib import Path

from baselines.contract import Answer, Baseline, Call, McpSession, Place, Subject
from client import Client

_FILE = re.compile(r"^\*\*`([^`]+)`\*\*", re.M)
_CALLER = re.compile(r"^- (\S+) \(\w+\) - (.+):(\d+)", re.M)


class Codegraph(Baseline):
    """Its daemon is left out: the process we start answers by itself, one hop less."""

    name = "codegraph"
    note = "its index holds the graph and full text; search is `codegraph_explore`, its own choice for questions; it answers with source"

    def __init__(self, work: Path) -> None:
        super().__init__(work)
        self.environment |= {
            "CODEGRAPH_NO_DAEMON": "1",
            "CODEGRAPH_NO_UPDATE_CHECK": "1",
            "CODEGRAPH_MCP_TOOLS": "explore,search,callers,impact,node",
        }
        self.program = str(self.folder / "node_modules" / ".bin" / "codegraph")

    def install(self) -> str:
        if not os.path.exists(self.program):
            package = "@colbymchenry/codegraph"
            subprocess.run(
                ["npm", "install", "--silent", "--prefix", self.folder, package], check=True
            )
        done = subprocess.run(
            [self.program, "--version"],
            capture_output=True,
            text=True,
            check=True,
            env={**os.environ, **self.environment},
        )
        return done.stdout.strip()

    def index_command(self, root: Path) -> list[str]:
        return [self.program, "init", "--yes", str(root)]

    def serve(self, root: Path) -> McpSession:
        command = [self.program, "serve", "--mcp", "--path", str(root), "--no-watch"]
        return McpSession(Client(command, env=self.environment))

    def make_call(self, operation: str, subject: Subject, root: Path) -> Call:
        name = {"symbol": subject.qualified}
        return {
            "search": Call("codegraph_explore", {"query": subject.query, "maxFiles": 10}),
            "symbol": Call("codegraph_search", {"query": subject.name}),
            "callers": Call("codegraph_callers", {**name, "limit": 100}),
            "impact": Call("codegraph_impact", name),
            "snippet": Call("codegraph_node", {**name, "includeCode": True}),
        }[operation]

    def read_places(self, operation: str, answer: Answer, root: Path) -> list[Place]:
        if operation == "search":
            return [Place(path) for path in dict.fromkeys(_FILE.findall(answer.text))]
        return [Place(path, name, int(line)) for name, path, line in _CALLER.findall(answer.text)]
