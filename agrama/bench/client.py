"""A bare MCP client over a child's pipes, made for timing: no threads, no asyncio, no SDK."""

import json
import os
import subprocess
from collections.abc import Mapping, Sequence
from typing import Any

HANDSHAKE = {
    "protocolVersion": "2025-06-18",
    "capabilities": {},
    "clientInfo": {"name": "benchmark", "version": "1"},
}


class Client:
    """One server process and the pipes to it."""

    def __init__(
        self,
        command: Sequence[str],
        *,
        env: Mapping[str, str] | None = None,
        core: int | None = None,
    ) -> None:
        pin = None if core is None else (lambda: os.sched_setaffinity(0, {core}))
        self.process = subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env=None if env is None else {**os.environ, **env},
            preexec_fn=pin,
            bufsize=0,
        )
        pipes = self.process.stdin, self.process.stdout
        self.to_server, self.from_server = (pipe.fileno() for pipe in pipes if pipe)
        self.rest = b""
        self.count = 0

    def handshake(self) -> dict[str, Any]:
        answer = self.request("initialize", HANDSHAKE)
        self.write(b'{"jsonrpc":"2.0","method":"notifications/initialized"}\n')
        return answer

    def request(self, method: str, params: Mapping[str, Any]) -> dict[str, Any]:
        """Send one request and return its whole answer; notifications in between are dropped."""
        line, identity = self.encode(method, params)
        self.write(line)
        while True:
            answer: dict[str, Any] = json.loads(self.read_line())
            if answer.get("id") == identity:
                return answer

    def call(self, tool: str, arguments: Mapping[str, Any]) -> dict[str, Any]:
        return self.request("tools/call", {"name": tool, "arguments": arguments})

    def encode(self, method: str, params: Mapping[str, Any]) -> tuple[bytes, int]:
        self.count += 1
        message = {"jsonrpc": "2.0", "id": self.count, "method": method, "params": params}
        return json.dumps(message).encode() + b"\n", self.count

    def exchange(self, line: bytes) -> bytes:
        """Write one line and read one line: what a round trip is timed on."""
        os.write(self.to_server, line)
        data = os.read(self.from_server, 1 << 16)
        if data[-1:] == b"\n":
            return data
        parts = [data]
        while parts[-1][-1:] != b"\n":
            data = os.read(self.from_server, 1 << 16)
            if not data:
                raise RuntimeError("the server closed its output")
            parts.append(data)
        return b"".join(parts)

    def write(self, data: bytes) -> None:
        view = memoryview(data)
        while view:
            view = view[os.write(self.to_server, view) :]

    def read_line(self) -> bytes:
        while b"\n" not in self.rest:
            data = os.read(self.from_server, 1 << 16)
            if not data:
                raise RuntimeError(f"the server closed its output (exit {self.process.wait(5)})")
            self.rest += data
        line, self.rest = self.rest.split(b"\n", 1)
        return line

    def close(self) -> None:
        for pipe in (self.process.stdin, self.process.stdout):
            if pipe is not None:
                pipe.close()
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
