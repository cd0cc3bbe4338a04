"""A server with everything the conformance suites and the client tests ask for, on the real core.

    python fixture_server.py --transport stdio
    python fixture_server.py --transport http --port 0

Names, URIs and schemas are those the suites look for; the texts are our own.
"""

import argparse
import threading
from typing import Any

from fixture_asking import add_asking
from fixture_content import add_content

from agrama.context import Context
from agrama.http.options import HttpOptions
from agrama.registry import Prompt, Tool
from agrama.server import Options, Server

# A silent stream is closed after this long, so that clients have to poll for `test_reconnection`.
POLL_SECONDS = 1.2


class Changes:
    """Tools that change what the server offers, or that must be stopped from outside."""

    def __init__(self, server: Server) -> None:
        self._server = server
        self._count = 0
        self._lock = threading.Lock()
        self.cancelled = 0

    def _next(self) -> int:
        with self._lock:
            self._count += 1
            return self._count

    def change_tools(self, context: Context, arguments: dict[str, Any]) -> str:
        name = f"added_tool_{self._next()}"
        self._server.registry.add(Tool(name, "Added while running", lambda context, given: name))
        self._server.registry.remove_tool(name)
        return "tools changed"

    def change_prompts(self, context: Context, arguments: dict[str, Any]) -> str:
        name = f"added_prompt_{self._next()}"
        self._server.registry.add(Prompt(name, lambda context, given: name))
        self._server.registry.remove("prompts", name)
        return "prompts changed"

    def touch(self, context: Context, arguments: dict[str, Any]) -> str:
        self._server.resource_updated("test://watched-resource")
        return "touched"

    def wait_for_cancel(self, context: Context, arguments: dict[str, Any]) -> str:
        """Runs till the client gives up; `count_cancelled` tells that it did."""
        stop = threading.Event()
        try:
            while True:
                context.check()
                context.progress(self._next())
                stop.wait(0.02)
        finally:
            with self._lock:
                self.cancelled += 1

    def count_cancelled(self, context: Context, arguments: dict[str, Any]) -> dict[str, int]:
        return {"cancelled": self.cancelled}

    def make_tools(self) -> list[Tool]:
        return [
            Tool("test_trigger_tool_change", "Changes the tool list", self.change_tools),
            Tool("test_trigger_prompt_change", "Changes the prompt list", self.change_prompts),
            Tool("touch_watched_resource", "Announces an update", self.touch),
            Tool("wait_for_cancel", "Never ends by itself", self.wait_for_cancel, slow=True),
            Tool("count_cancelled", "How many calls were cancelled", self.count_cancelled),
        ]


def build_fixture() -> Server:
    server = Server(
        "agrama-fixture", "1.0.0", title="Fixture", options=Options(check_output=True, workers=8)
    )
    add_content(server.registry)
    add_asking(server.registry)
    server.registry.add(*Changes(server).make_tools())
    return server


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--transport", choices=("stdio", "http"), default="stdio")
    parser.add_argument("--port", type=int, default=0)
    parser.add_argument("--token")
    arguments = parser.parse_args()
    server = build_fixture()
    if arguments.transport == "stdio":
        from agrama.stdio import serve as serve_stdio

        return serve_stdio(server)
    from agrama.http.serve import serve as serve_http

    options = HttpOptions(
        port=arguments.port, token=arguments.token, poll_seconds=POLL_SECONDS, retry_ms=200
    )
    return serve_http(server, options)


if __name__ == "__main__":
    raise SystemExit(main())
