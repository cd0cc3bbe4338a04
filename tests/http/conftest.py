"""A server with a few tools, on a real socket."""

import threading
from collections.abc import Iterator
from typing import Any

import pytest
from http_site import Gate, Site, running

from agrama.context import Context, Later
from agrama.errors import ToolError
from agrama.protocol.content import elicit
from agrama.registry import Prompt, Registry, Resource, Tool
from agrama.server import Server


def _fail(context: Context, arguments: dict[str, Any]) -> str:
    raise ToolError("no luck")


def _ask(context: Context, arguments: dict[str, Any]) -> str:
    schema = {"type": "object", "properties": {"name": {"type": "string"}}}
    answer = context.ask({"name": elicit("Who?", schema)})["name"]
    return f"Hello, {answer['content']['name']}!"


def _answer_later(context: Context, arguments: dict[str, Any]) -> Later:
    later = context.later()
    threading.Timer(0.1, later.resolve, ["at last"]).start()
    return later


def _chatty(context: Context, arguments: dict[str, Any]) -> str:
    for step in range(3):
        context.progress(step, 3)
    return "done"


@pytest.fixture
def gate() -> Iterator[Gate]:
    made = Gate()
    yield made
    made.open.set()


@pytest.fixture
def server(gate: Gate) -> Server:
    region = {"region": {"type": "string", "x-mcp-header": "Region"}}
    return Server(
        "test",
        "1",
        registry=Registry(
            Tool("fast", "At once", lambda context, arguments: "quick"),
            Tool("chatty", "Reports inline", _chatty),
            Tool("gate", "When told to", gate.run, slow=True),
            Tool("later", "Holds no worker", _answer_later),
            Tool("fail", "Never", _fail, slow=True),
            Tool("ask", "Asks", _ask, slow=True),
            Tool(
                "regional",
                "Wants a header",
                lambda context, arguments: "here",
                input_schema={"type": "object", "properties": region},
            ),
            Resource("test://a b", "a b", lambda context, uri: "text"),
            Prompt("hello", lambda context, arguments: "Hello"),
        ),
    )


@pytest.fixture
def site(server: Server) -> Iterator[Site]:
    with running(server, retry_ms=50) as made:
        yield made
