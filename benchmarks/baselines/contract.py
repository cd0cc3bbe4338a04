"""What a baseline is: how to install, index, serve and ask it, and how its answers are read.

Nothing of a rival's code lives here. Each is installed under a work folder, keeps its state in a home of
its own there, and is given its own copy of the repository, because some write into it.
"""

import json
import os
import shutil
import subprocess
import sys
import threading
import time
from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple, Protocol

from client import Client

OPERATIONS = ("search", "symbol", "callers", "impact", "snippet")
_PATIENCE_SECONDS = 120.0


class Subject(NamedTuple):
    """What a call is about: a question, and a symbol by every name it goes by."""

    query: str
    name: str
    qualified: str  # Class.method
    kind: str
    path: str


class Call(NamedTuple):
    """One question in a baseline's own words."""

    tool: str
    arguments: dict[str, Any]


class Place(NamedTuple):
    """A piece of code in an answer; line 0 where the answer names none."""

    path: str
    name: str = ""
    start_line: int = 0
    end_line: int = 0


class Answer(NamedTuple):
    """The text of an answer, how long it took, and why it failed if it did."""

    text: str
    seconds: float
    error: str = ""
    structured: Any = None


class Session(Protocol):
    """A running baseline."""

    pid: int | None

    def ask(self, call: Call) -> Answer: ...

    def close(self) -> None: ...


class Baseline(ABC):
    """One rival under a work folder; `note` is what a reader of its figures must know."""

    name = ""
    note = ""
    names_callers = True  # its callers are functions, not lines

    def __init__(self, work: Path) -> None:
        self.folder = work / self.name
        self.home = self.folder / "home"
        self.environment = {"HOME": str(self.home), "DO_NOT_TRACK": "1"}

    @abstractmethod
    def install(self) -> str:
        """Install it from its registry when it is not there yet; its version."""

    def forget(self) -> None:
        """Drop everything it has kept: an index is measured from nothing."""
        shutil.rmtree(self.home, ignore_errors=True)
        self.home.mkdir(parents=True)

    @abstractmethod
    def index_command(self, root: Path) -> list[str] | None:
        """The command that builds its index; None when it has none."""

    @abstractmethod
    def serve(self, root: Path) -> Session: ...

    @abstractmethod
    def make_call(self, operation: str, subject: Subject, root: Path) -> Call | None:
        """None when it has no such operation."""

    @abstractmethod
    def read_places(self, operation: str, answer: Answer, root: Path) -> list[Place]:
        """The places in the answer to a search or to a question for callers, in its order."""


@dataclass(slots=True)
class McpSession:
    """A baseline that speaks MCP over stdio, asked by the client that asks us."""

    client: Client
    pid: int | None = field(init=False)

    def __post_init__(self) -> None:
        self.pid = self.client.process.pid
        with _Watchdog(self.client.process):
            self.client.handshake()

    def ask(self, call: Call) -> Answer:
        """Times from the write to the whole line; reading the JSON is not the server's time."""
        params = {"name": call.tool, "arguments": call.arguments}
        line, identity = self.client.encode("tools/call", params)
        with _Watchdog(self.client.process):
            started = time.perf_counter()
            self.client.write(line)
            while True:
                raw = self.client.read_line()
                took = time.perf_counter() - started
                message = json.loads(raw)
                if message.get("id") == identity and "method" not in message:
                    return _read_message(message, took)

    def close(self) -> None:
        self.client.close()


class _Watchdog:
    """Kills a server that does not answer, so that the reader meets the end of its output."""

    def __init__(self, process: "subprocess.Popen[bytes]") -> None:
        self.timer = threading.Timer(_PATIENCE_SECONDS, process.kill)

    def __enter__(self) -> None:
        self.timer.start()

    def __exit__(self, *_: object) -> None:
        self.timer.cancel()


def _read_message(message: Mapping[str, Any], seconds: float) -> Answer:
    if "error" in message:
        return Answer("", seconds, str(message["error"].get("message", message["error"])))
    result = message["result"]
    text = "\n".join(part["text"] for part in result["content"] if part["type"] == "text")
    error = text[:200] if result.get("isError") else ""
    return Answer(text, seconds, error, result.get("structuredContent"))


def make_venv(folder: Path, *requirements: str) -> Path:
    """A virtual environment with these packages; its folder of programs."""
    programs = folder / "venv" / "bin"
    if not (folder / "venv" / "installed").exists():
        subprocess.run([sys.executable, "-m", "venv", folder / "venv"], check=True)
        subprocess.run([programs / "pip", "install", "-q", *requirements], check=True)
        (folder / "venv" / "installed").touch()
    return programs


def read_version(programs: Path, package: str) -> str:
    code = f"from importlib.metadata import version; print(version({package!r}))"
    done = subprocess.run(
        [programs / "python", "-c", code], capture_output=True, text=True, check=True
    )
    return done.stdout.strip()


def make_relative(path: str, root: Path) -> str:
    """Some answer with absolute paths."""
    return os.path.relpath(path, root) if os.path.isabs(path) else path
