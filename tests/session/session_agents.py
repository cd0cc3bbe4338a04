"""A client of its own server process, as every agent has one."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

HANDSHAKE = {
    "protocolVersion": "2025-06-18",
    "capabilities": {},
    "clientInfo": {"name": "test", "version": "1"},
}


class RefusedError(Exception):
    """The server answered with an error."""

    def __init__(self, code: int, message: str, data: Any = None) -> None:
        super().__init__(message)
        self.code = code
        self.data = data


class Agent:
    """One client with a server process of its own."""

    def __init__(self, root: Path, *words: str) -> None:
        command = [sys.executable, "-P", "-m", "agrama", "serve", "--root", str(root), "--no-index"]
        self.process = subprocess.Popen(
            [*command, "--check-output", "--toolsets", "all", *words],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
        )
        self.count = 0
        self.request("initialize", HANDSHAKE)
        self.send({"jsonrpc": "2.0", "method": "notifications/initialized"})

    def send(self, message: dict[str, Any]) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(json.dumps(message).encode() + b"\n")
        self.process.stdin.flush()

    def ask(self, method: str, params: dict[str, Any]) -> int:
        self.count += 1
        self.send({"jsonrpc": "2.0", "id": self.count, "method": method, "params": params})
        return self.count

    def answer(self, identity: int) -> dict[str, Any]:
        assert self.process.stdout is not None
        while line := self.process.stdout.readline():
            message: dict[str, Any] = json.loads(line)
            if message.get("id") == identity:
                return message
        raise AssertionError("the server went away")

    def request(self, method: str, params: dict[str, Any]) -> dict[str, Any]:
        return self.answer(self.ask(method, params))

    def start(self, tool: str, **arguments: Any) -> int:
        return self.ask("tools/call", {"name": tool, "arguments": arguments})

    def finish(self, identity: int) -> dict[str, Any]:
        answer = self.answer(identity)
        if "error" in answer:
            error = answer["error"]
            raise RefusedError(error["code"], error["message"], error.get("data"))
        result: dict[str, Any] = answer["result"]
        if result.get("isError"):
            raise RefusedError(0, result["content"][0]["text"])
        structured: dict[str, Any] = result["structuredContent"]
        return structured

    def call(self, tool: str, **arguments: Any) -> dict[str, Any]:
        return self.finish(self.start(tool, **arguments))

    def kill(self) -> None:
        self.process.kill()
        self.process.wait()

    def close(self) -> None:
        if self.process.stdin is not None:
            self.process.stdin.close()
        try:
            self.process.wait(timeout=10)
        finally:
            self.process.kill()
            self.process.wait()
            if self.process.stdout is not None:
                self.process.stdout.close()
