"""Calls a tool of the server inside this process, through the same core agents use."""

import threading
from pathlib import Path
from typing import Any

import orjson

from agrama import __version__
from agrama.cli.assemble import assemble
from agrama.errors import InvalidParamsError, ToolError
from agrama.protocol.revisions import SUPPORTED
from agrama.server import Options, Outgoing


def call_tool(
    root: Path, name: str, arguments: dict[str, Any], *, allow_write: bool = False
) -> dict[str, Any]:
    """The result of one `tools/call`, held to its schema; its errors become exceptions."""
    options = Options(check_output=True)
    workspace, server = assemble(root, allow_write=allow_write, options=options)
    answers: list[bytes] = []
    answered = threading.Event()

    def send(out: Outgoing) -> None:
        if out.kind == "response":
            answers.append(out.data)
            answered.set()

    peer = server.connect(send, rate_limited=False, transport="cli", stateless=True)
    try:
        out = peer.receive(_request(name, arguments))
        if out is not None:
            send(out)
        answered.wait()
        return _result(orjson.loads(answers[0]))
    finally:
        peer.close()
        server.close()
        workspace.close()


def _request(name: str, arguments: dict[str, Any]) -> bytes:
    meta = {
        "io.modelcontextprotocol/protocolVersion": SUPPORTED[0],
        "io.modelcontextprotocol/clientInfo": {"name": "agrama", "version": __version__},
        "io.modelcontextprotocol/clientCapabilities": {},
    }
    params = {"name": name, "arguments": arguments, "_meta": meta}
    return orjson.dumps({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params})


def _result(answer: dict[str, Any]) -> dict[str, Any]:
    if "error" in answer:
        error = answer["error"]
        raise InvalidParamsError(error["message"], data=error.get("data"))
    result: dict[str, Any] = answer["result"]
    if result.get("isError"):
        raise ToolError(text_of(result))
    return result


def text_of(result: dict[str, Any]) -> str:
    return "\n".join(part["text"] for part in result["content"] if part["type"] == "text")
