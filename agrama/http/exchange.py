"""One HTTP request and the ways to answer it, on plain ASGI.

Plain, because the answer's form (JSON or a stream) and status are decided by the first message of the
core, and because a client that goes away must be noticed while nothing is being sent.
"""

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from starlette.types import Message, Receive, Scope, Send

from agrama.protocol.messages import dumps

JSON_TYPE = "application/json"
STREAM_TYPE = "text/event-stream"

_STREAM_HEADERS = {
    "content-type": STREAM_TYPE,
    "cache-control": "no-cache, no-transform",
    "x-accel-buffering": "no",
}


class BodyTooLargeError(Exception):
    """More bytes than a message may have."""


class ClientGoneError(Exception):
    """The client closed the connection before its request was complete."""


@dataclass(slots=True)
class Exchange:
    """One request. `extra` are headers every answer to it carries."""

    scope: Scope
    receive: Receive
    send: Send
    headers: Mapping[str, str]
    principal: str | None = None
    extra: dict[str, str] = field(default_factory=dict)

    async def read_body(self, limit_bytes: int) -> bytes:
        if int(self.headers.get("content-length", "0") or 0) > limit_bytes:
            raise BodyTooLargeError
        chunks, size = [], 0
        while True:
            message = await self.receive()
            if message["type"] == "http.disconnect":
                raise ClientGoneError
            chunk = message.get("body", b"")
            size += len(chunk)
            if size > limit_bytes:
                raise BodyTooLargeError
            chunks.append(chunk)
            if not message.get("more_body", False):
                return b"".join(chunks)

    async def reply(
        self, status: int, body: bytes = b"", headers: Mapping[str, str] | None = None
    ) -> None:
        """The whole answer at once; JSON when there is a body."""
        lines = {**self.extra, **(headers or {}), "content-length": str(len(body))}
        if body:
            lines.setdefault("content-type", JSON_TYPE)
        await self.send(_start(status, lines))
        await self.send({"type": "http.response.body", "body": body})

    async def refuse(
        self,
        status: int,
        code: int,
        message: str,
        *,
        identity: str | int | None = None,
        data: Mapping[str, Any] | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> None:
        """An error answer. Without a known id there is none: both eras allow that in HTTP errors."""
        error: dict[str, Any] = {"code": code, "message": message}
        if data:
            error["data"] = data
        body: dict[str, Any] = {"jsonrpc": "2.0", "error": error}
        if identity is not None:
            body["id"] = identity
        await self.reply(status, dumps(body), headers)

    async def start_stream(self, headers: Mapping[str, str] | None = None) -> None:
        await self.send(_start(200, {**self.extra, **_STREAM_HEADERS, **(headers or {})}))

    async def write(self, chunk: bytes) -> None:
        await self.send({"type": "http.response.body", "body": chunk, "more_body": True})

    async def end_stream(self) -> None:
        await self.send({"type": "http.response.body", "body": b""})


def _start(status: int, headers: Mapping[str, str]) -> Message:
    lines = [(name.encode("latin-1"), value.encode("latin-1")) for name, value in headers.items()]
    return {"type": "http.response.start", "status": status, "headers": lines}


class Watch:
    """Notices, in the background, that the client went away; then it wakes `wake`."""

    def __init__(self, exchange: Exchange, wake: asyncio.Event) -> None:
        self.gone = False
        self._exchange = exchange
        self._wake = wake
        self._task: asyncio.Task[None] | None = None

    async def __aenter__(self) -> "Watch":
        self._task = asyncio.create_task(self._run())
        return self

    async def __aexit__(self, *error: object) -> None:
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)

    async def _run(self) -> None:
        while (await self._exchange.receive())["type"] != "http.disconnect":
            pass
        self.gone = True
        self._wake.set()


def read_headers(scope: Scope) -> dict[str, str]:
    """Header names in lower case; values of a repeated one joined, as HTTP has it."""
    found: dict[str, str] = {}
    for raw_name, raw_value in scope["headers"]:
        name, value = raw_name.decode("latin-1").lower(), raw_value.decode("latin-1")
        found[name] = f"{found[name]}, {value}" if name in found else value
    return found


def accepts(header: str | None, *types: str) -> bool:
    """Whether an Accept header allows all of these types; none at all allows everything."""
    if header is None:
        return True
    ranges = {part.partition(";")[0].strip().lower() for part in header.split(",")}
    return all(
        not ranges.isdisjoint({kind, kind.partition("/")[0] + "/*", "*/*"}) for kind in types
    )
