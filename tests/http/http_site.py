"""A server on a real socket for the HTTP tests, and how to speak to it."""

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import httpx

from agrama.context import Context
from agrama.http.options import HttpOptions
from agrama.http.serve import HttpServer
from agrama.protocol.messages import CAPABILITIES_KEY, VERSION_KEY
from agrama.server import Server

MODERN = "2026-07-28"
ACCEPT = {"accept": "application/json, text/event-stream"}


class Gate:
    """A tool that starts, reports, and ends when told to; it knows whether it was cancelled."""

    def __init__(self) -> None:
        self.started = threading.Event()
        self.open = threading.Event()
        self.cancelled = threading.Event()

    def run(self, context: Context, arguments: dict[str, Any]) -> str:
        self.started.set()
        context.progress(1, 2)
        while not self.open.wait(0.01):
            if context.cancelled:
                self.cancelled.set()
                context.check()
        return "through"


class Site:
    """One running server. Requests are raw: what a test sends is what the server gets."""

    def __init__(self, server: Server, url: str, http: httpx.Client) -> None:
        self.server = server
        self.url = url
        self.http = http

    def post(self, body: Any, **headers: str) -> httpx.Response:
        return self.http.post(self.url, json=body, headers=ACCEPT | named(headers))

    def stream(self, body: Any, **headers: str) -> Any:
        return self.http.stream("POST", self.url, json=body, headers=ACCEPT | named(headers))

    def get(self, **headers: str) -> Any:
        accept = {"accept": "text/event-stream"}
        return self.http.stream("GET", self.url, headers=accept | named(headers))

    def initialize(self, version: str = "2025-11-25", **headers: str) -> dict[str, str]:
        """The headers of a new session's requests."""
        params = {
            "protocolVersion": version,
            "capabilities": {},
            "clientInfo": {"name": "test", "version": "1"},
        }
        answer = self.post(request("initialize", params), **headers)
        assert answer.status_code == 200, answer.text
        assert answer.json()["result"]["protocolVersion"] == version
        session = {"mcp_session_id": answer.headers["mcp-session-id"], **headers}
        done = self.post({"jsonrpc": "2.0", "method": "notifications/initialized"}, **session)
        assert done.status_code == 202
        return session


def named(headers: dict[str, str]) -> dict[str, str]:
    return {name.replace("_", "-"): value for name, value in headers.items()}


def request(method: str, params: dict[str, Any] | None = None, identity: Any = 1) -> dict[str, Any]:
    return {"jsonrpc": "2.0", "id": identity, "method": method, "params": params or {}}


def call(name: str, identity: Any = 1, **params: Any) -> dict[str, Any]:
    return request("tools/call", {"name": name, "arguments": {}, **params}, identity)


def modern(body: dict[str, Any], **capabilities: Any) -> tuple[dict[str, Any], dict[str, str]]:
    """A request of the stateless era, and the headers that repeat it."""
    meta = {VERSION_KEY: MODERN, CAPABILITIES_KEY: capabilities}
    params = {**body["params"], "_meta": {**body["params"].get("_meta", {}), **meta}}
    headers = {"mcp_protocol_version": MODERN, "mcp_method": body["method"]}
    name = params.get("name") or params.get("uri")
    if name is not None:
        headers["mcp_name"] = name
    return {**body, "params": params}, headers


def events(response: httpx.Response) -> Iterator[dict[str, Any]]:
    """The events of a stream as they come: `id`, `retry`, and `data` decoded unless empty."""
    event: dict[str, Any] = {}
    for line in response.iter_lines():
        if not line:
            if event:
                yield event
            event = {}
        elif not line.startswith(":"):
            name, _, value = line.partition(":")
            value = value.removeprefix(" ")
            event[name] = json.loads(value) if name == "data" and value else value


@contextmanager
def running(server: Server, **options: Any) -> Iterator[Site]:
    """Serve on a free port till the block ends, then drain."""
    site = HttpServer(server, HttpOptions(**{"port": 0, "drain_seconds": 5.0, **options}))
    thread = threading.Thread(target=site.run, name="http")
    thread.start()
    try:
        with httpx.Client(timeout=20) as http:
            yield Site(server, site.url, http)
    finally:
        site.stop()
        thread.join(20)
        assert not thread.is_alive()
