"""Agents over HTTP, several on one server, beside agents with a server of their own."""

import json
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from session_agents import Agent

MODERN = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientCapabilities": {},
}


@pytest.fixture(params=["interval", "commit"])
def url(sample: Path, request: pytest.FixtureRequest) -> Iterator[str]:
    command = [sys.executable, "-P", "-m", "agrama", "serve", "--root", str(sample), "--no-index"]
    with subprocess.Popen(
        [*command, "--transport", "http", "--port", "0", "--durability", request.param],
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stderr is not None
        line = process.stderr.readline()
        yield line.split("serving ")[1].strip()
        process.kill()


def call(url: str, tool: str, **arguments: Any) -> dict[str, Any]:
    params = {"name": tool, "arguments": arguments, "_meta": MODERN}
    body = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}
    headers = {
        "Accept": "application/json, text/event-stream",
        "MCP-Protocol-Version": "2026-07-28",
        "Mcp-Method": "tools/call",
        "Mcp-Name": tool,
    }
    answer = httpx.post(url, json=body, headers=headers, timeout=20)
    text = answer.text
    if answer.headers["content-type"].startswith("text/event-stream"):
        lines = [line[5:] for line in text.splitlines() if line.startswith("data:")]
        text = next(line for line in lines if '"result"' in line or '"error"' in line)
    result: dict[str, Any] = json.loads(text)["result"]
    return result


def test_http_and_stdio_share_a_session(url: str, start_agent: Callable[..., Agent]) -> None:
    agent = start_agent()
    session = agent.call("create_session", name="both", agent_id="a")["session_id"]
    waiting = agent.start(
        "session_events", session_id=session, agent_id="a", after_seq=2, wait_ms=9000
    )
    ids: list[int] = []

    def talk(name: str) -> None:
        for _ in range(10):
            said = call(url, "append_message", session_id=session, content="x", agent_id=name)
            ids.append(said["structuredContent"]["message_id"])

    talkers = [threading.Thread(target=talk, args=(name,)) for name in ("b", "c", "d")]
    for talker in talkers:
        talker.start()
    assert agent.finish(waiting)["events"]
    own = [
        agent.call("append_message", session_id=session, content="y")["message_id"]
        for _ in range(10)
    ]
    for talker in talkers:
        talker.join()
    assert sorted(ids + own) == list(range(1, 41))


def test_a_closed_session_is_an_error_result_in_the_modern_revision(url: str) -> None:
    made = call(url, "create_session", name="short")["structuredContent"]
    call(url, "close_session", session_id=made["session_id"])
    refused = call(url, "append_message", session_id=made["session_id"], content="late")
    assert refused["isError"] is True
    assert "is closed" in refused["content"][0]["text"]


def test_writes_in_flight_at_once_are_all_answered(start_agent: Callable[..., Agent]) -> None:
    agent, other = start_agent("--durability", "commit"), start_agent("--durability", "commit")
    session = agent.call("create_session", name="many", agent_id="a")["session_id"]
    begun = [
        (who, who.start("append_message", session_id=session, content=str(number)))
        for number in range(20)
        for who in (agent, other)
    ]
    ids = [who.finish(identity)["message_id"] for who, identity in begun]
    assert sorted(ids) == list(range(1, 41))
    assert len(other.call("list_messages", session_id=session, limit=100)["messages"]) == 40
