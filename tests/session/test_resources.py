"""Sessions and decisions as resources; subscribers hear of changes made in other processes."""

import json
import time
from collections.abc import Callable
from typing import Any

from session_agents import Agent

Start = Callable[..., Agent]


def read_notification(agent: Agent, method: str) -> dict[str, Any]:
    assert agent.process.stdout is not None
    while line := agent.process.stdout.readline():
        message: dict[str, Any] = json.loads(line)
        if message.get("method") == method:
            return message
    raise AssertionError("the server went away")


def test_a_session_and_a_decision_can_be_read(start_agent: Start) -> None:
    agent = start_agent()
    missing = agent.request("resources/read", {"uri": "agrama://session/" + "0" * 32})
    assert missing["error"]["code"] == -32002
    session = agent.call("create_session", name="work")["session_id"]
    agent.call("append_message", session_id=session, content="hello")
    agent.call("record_decision", decision="Go", reasoning="now")
    read = agent.request("resources/read", {"uri": f"agrama://session/{session}"})
    assert "hello" in read["result"]["contents"][0]["text"]
    read = agent.request("resources/read", {"uri": "agrama://decision/D1"})
    assert read["result"]["contents"][0]["text"].startswith("# Go")
    missing = agent.request("resources/read", {"uri": "agrama://decision/D2"})
    assert missing["error"]["code"] == -32002


def test_a_subscriber_hears_of_another_process(start_agent: Start) -> None:
    watching, writing = start_agent(), start_agent()
    session = writing.call("create_session", name="work")["session_id"]
    uri = f"agrama://session/{session}"
    assert "result" in watching.request("resources/subscribe", {"uri": uri})
    writing.call("append_message", session_id=session, content="news")
    start = time.monotonic()
    told = read_notification(watching, "notifications/resources/updated")
    assert told["params"]["uri"] == uri
    assert time.monotonic() - start < 2


def test_a_modern_stream_hears_of_another_process(start_agent: Start) -> None:
    watching, writing = start_agent(), start_agent()
    session = writing.call("create_session", name="work")["session_id"]
    uri = f"agrama://session/{session}"
    meta = {
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": {},
    }
    wanted = {"notifications": {"resourceSubscriptions": [uri]}, "_meta": meta}
    watching.ask("subscriptions/listen", wanted)
    read_notification(watching, "notifications/subscriptions/acknowledged")
    writing.call("append_message", session_id=session, content="news")
    told = read_notification(watching, "notifications/resources/updated")
    assert told["params"]["uri"] == uri
