"""Golden conversations, one file per revision: the very bytes a client gets for the very bytes it sends.

Each line of `vectors/<revision>.jsonl` is `{"id", "send", "receive"}`, played in order against one
real server process. `UPDATE_VECTORS=1 pytest tests/protocol/test_golden_conversations.py` writes them anew; read
the difference before you commit it.
"""

import json
import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

VECTORS = Path(__file__).parent / "vectors"
REVISIONS = ("2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25", "2026-07-28")
META = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientCapabilities": {"roots": {}},
    "io.modelcontextprotocol/clientInfo": {"name": "vectors", "version": "1"},
}
REQUESTS: tuple[tuple[str, str, dict[str, Any]], ...] = (
    ("ping", "ping", {}),
    ("discover", "server/discover", {}),
    ("tools:list", "tools/list", {}),
    ("tools:call:text", "tools/call", {"name": "echo", "arguments": {"text": "héllo\n"}}),
    ("tools:call:structured", "tools/call", {"name": "add", "arguments": {"left": 1, "b": 2.5}}),
    ("tools:call:cached", "tools/call", {"name": "add", "arguments": {"left": 1, "b": 2.5}}),
    ("tools:call:kinds", "tools/call", {"name": "kinds"}),
    ("tools:call:parts", "tools/call", {"name": "parts", "arguments": {"count": 2}}),
    ("tools:call:later", "tools/call", {"name": "later", "arguments": {}}),
    ("tools:call:failed", "tools/call", {"name": "fail", "arguments": {"kind": "tool"}}),
    ("tools:call:store-failed", "tools/call", {"name": "fail", "arguments": {"kind": "store"}}),
    ("tools:call:unknown-tool", "tools/call", {"name": "ad", "arguments": {}}),
    ("tools:call:missing-argument", "tools/call", {"name": "add", "arguments": {"a": 1}}),
    ("tools:call:misspelt-argument", "tools/call", {"name": "echo", "arguments": {"tekst": "x"}}),
    ("tools:call:progress", "tools/call", {"name": "count", "_meta": {"progressToken": 5}}),
    ("tools:call:cannot-ask", "tools/call", {"name": "ask", "arguments": {"what": ["sampling"]}}),
    ("resources:list", "resources/list", {}),
    ("resources:templates", "resources/templates/list", {}),
    ("resources:read", "resources/read", {"uri": "test://static"}),
    ("resources:read:template", "resources/read", {"uri": "test://item/a%20b"}),
    ("resources:read:unknown", "resources/read", {"uri": "test://nothing"}),
    ("resources:subscribe", "resources/subscribe", {"uri": "test://static"}),
    ("resources:unsubscribe", "resources/unsubscribe", {"uri": "test://static"}),
    ("prompts:list", "prompts/list", {}),
    ("prompts:get", "prompts/get", {"name": "greet", "arguments": {"name": "Ada"}}),
    ("prompts:get:missing-argument", "prompts/get", {"name": "greet"}),
    (
        "completion",
        "completion/complete",
        {
            "ref": {"type": "ref/prompt", "name": "greet"},
            "argument": {"name": "style", "value": "fr"},
        },
    ),
    ("logging", "logging/setLevel", {"level": "warning"}),
    ("cursor:wrong", "tools/list", {"cursor": "nonsense"}),
    ("method:unknown", "tools/call_all", {}),
)


def script(revision: str) -> Iterator[tuple[str, str]]:
    """The names and lines of one revision's conversation."""
    modern = revision == "2026-07-28"
    if not modern:
        hello = {"protocolVersion": revision, "capabilities": {"roots": {}}}
        yield "initialize", line(0, "initialize", hello)
    for number, (name, method, params) in enumerate(REQUESTS, 1):
        if modern:
            params = {**params, "_meta": {**META, **params.get("_meta", {})}}
        yield name, line(number, method, params)
    yield "batch", "[" + line("b1", "ping", {}) + "," + line("b2", "nope", {}) + "]"
    yield "not-json", "{"
    if modern:
        yield "version:unsupported", line("v", "tools/list", {"_meta": {**META, next(iter(META)): "2030-01-01"}})  # fmt: skip
        wanted = {"toolsListChanged": True, "resourceSubscriptions": ["test://static"]}
        yield "listen", line("l", "subscriptions/listen", {"notifications": wanted, "_meta": META})


def line(identity: Any, method: str, params: dict[str, Any]) -> str:
    return json.dumps({"jsonrpc": "2.0", "id": identity, "method": method, "params": params})


def play(wire: Any, sent: str) -> list[str]:
    """Everything that comes back for one line, up to a marker sent behind it."""
    wire.send(sent.encode() + b"\n")
    received: list[str] = []
    while True:
        message = wire.read(0.3 if received else 5)
        if message is None:
            return received
        received.append(json.dumps(message, ensure_ascii=False))
        if isinstance(message, list) or "method" not in message:
            return received


@pytest.mark.parametrize("revision", REVISIONS)
def test_conversation(spawn: Callable[..., Any], revision: str) -> None:
    wire = spawn()
    played = [
        {"id": name, "send": sent, "receive": play(wire, sent)} for name, sent in script(revision)
    ]
    path = VECTORS / f"{revision}.jsonl"
    if os.environ.get("UPDATE_VECTORS"):
        path.parent.mkdir(exist_ok=True)
        path.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in played))
    kept = [json.loads(row) for row in path.read_text().splitlines()]
    assert [row["id"] for row in played] == [row["id"] for row in kept]
    for row, golden in zip(played, kept, strict=True):
        assert row == golden, row["id"]
