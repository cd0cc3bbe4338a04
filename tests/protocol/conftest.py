"""A real server process behind pipes, and the shortest way to talk to it."""

import json
import os
import select
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

SERVER = Path(__file__).parent / "everything_server.py"
MODERN_META = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientCapabilities": {},
}


class Wire:
    """One server process."""

    def __init__(self, *words: str, env: dict[str, str] | None = None) -> None:
        self.process = subprocess.Popen(
            [sys.executable, str(SERVER), *words],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env={**os.environ, **(env or {})},
            bufsize=0,
        )
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.stdin = self.process.stdin
        self.stdout = self.process.stdout
        self.buffer = b""
        self.count = 0

    def send(self, *messages: Any) -> None:
        for message in messages:
            line = message if isinstance(message, bytes) else json.dumps(message).encode() + b"\n"
            self.stdin.write(line)

    def read(self, timeout: float = 10.0) -> Any:
        """The next message; None when none comes in time or the output ended."""
        end = time.monotonic() + timeout
        while b"\n" not in self.buffer:
            ready, _, _ = select.select([self.stdout], [], [], max(0.0, end - time.monotonic()))
            data = os.read(self.stdout.fileno(), 1 << 16) if ready else b""
            if not data:
                return None
            self.buffer += data
        line, self.buffer = self.buffer.split(b"\n", 1)
        return json.loads(line)

    def read_answer(self, identity: Any, timeout: float = 10.0) -> Any:
        """The answer to a request; what comes before it is dropped."""
        end = time.monotonic() + timeout
        while (message := self.read(end - time.monotonic())) is not None:
            if (
                isinstance(message, dict)
                and message.get("id") == identity
                and "method" not in message
            ):
                return message
        return None

    def request(self, method: str, params: Any = None, **extra: Any) -> Any:
        self.count += 1
        message = {"jsonrpc": "2.0", "id": f"r{self.count}", "method": method, **extra}
        if params is not None:
            message["params"] = params
        self.send(message)
        return self.read_answer(message["id"])

    def call(self, tool: str, **arguments: Any) -> Any:
        return self.request("tools/call", {"name": tool, "arguments": arguments})

    def modern(self, method: str, meta: dict[str, Any] | None = None, **params: Any) -> Any:
        return self.request(method, {**params, "_meta": {**MODERN_META, **(meta or {})}})

    def initialize(self, revision: str = "2025-11-25", **capabilities: Any) -> Any:
        answer = self.request(
            "initialize",
            {
                "protocolVersion": revision,
                "capabilities": capabilities,
                "clientInfo": {"name": "test", "version": "1"},
            },
        )
        self.send({"jsonrpc": "2.0", "method": "notifications/initialized"})
        return answer

    def is_alive(self) -> bool:
        """The server still answers; a stateless request, so that it works in every state."""
        answer = self.modern("tools/call", name="echo", arguments={"text": "alive"})
        return bool(answer and answer["result"]["content"][0]["text"] == "alive")

    def end(self, timeout: float = 10.0) -> int:
        """Close the input, wait, and return the exit status."""
        if not self.stdin.closed:
            self.stdin.close()
        return self.process.wait(timeout)

    def close(self) -> None:
        """Give it a moment to end by itself: a killed process takes its traces with it."""
        for pipe in (self.stdin, self.stdout, self.process.stderr):
            if pipe is not None:
                pipe.close()
        try:
            self.process.wait(0.5)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()


@pytest.fixture
def spawn() -> Iterator[Callable[..., Wire]]:
    """Start servers; all are gone after the test."""
    wires: list[Wire] = []

    def start(*words: str, revision: str | None = None, env: dict[str, str] | None = None) -> Wire:
        wire = Wire(*words, env=env)
        wires.append(wire)
        if revision is not None:
            wire.initialize(revision)
        return wire

    yield start
    for wire in wires:
        wire.close()


@pytest.fixture(scope="module")
def shared() -> Iterator[Callable[[str], Wire]]:
    """One server per revision for a whole module, for rows that leave it as it was."""
    wires: dict[str, Wire] = {}

    def of(revision: str) -> Wire:
        if revision not in wires:
            wires[revision] = Wire()
            if revision not in ("2026-07-28", "none"):
                wires[revision].initialize(revision)
        return wires[revision]

    yield of
    for wire in wires.values():
        wire.close()


LEGACY: Sequence[str] = ("2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25")
