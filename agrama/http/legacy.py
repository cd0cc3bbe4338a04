"""The handshake revisions over HTTP: sessions, POST answered by JSON or a stream, GET, DELETE.

An answer that is ready at once is JSON; one that takes longer is a stream with event ids, which the
client may leave and resume by GET with Last-Event-ID. A client that disconnects has not cancelled
anything: it says so with `notifications/cancelled`.
"""

import asyncio
from collections.abc import Sequence

from agrama.errors import SessionError
from agrama.http.exchange import JSON_TYPE, STREAM_TYPE, Exchange, Watch, accepts
from agrama.http.headers import SESSION_HEADER
from agrama.http.options import HttpOptions
from agrama.http.sessions import Session, Sessions
from agrama.http.streams import (
    Stream,
    on_this_loop,
    parse_event_id,
    priming_event,
    write_events,
)
from agrama.protocol.lifecycle import State
from agrama.protocol.messages import (
    INVALID_REQUEST,
    PARSE_ERROR,
    Invalid,
    Message,
    Outgoing,
    Request,
)
from agrama.server import Server

# The first revision whose clients understand an event without data.
PRIMING_SINCE = "2025-11-25"

Parsed = Message | list[Message]


class Legacy:
    """The handshake era's side of the endpoint."""

    def __init__(self, server: Server, options: HttpOptions, sessions: Sessions) -> None:
        self._server = server
        self._options = options
        self._sessions = sessions

    async def post(self, exchange: Exchange, message: Parsed) -> None:
        if not accepts(exchange.headers.get("accept"), JSON_TYPE, STREAM_TYPE):
            await exchange.refuse(
                406, INVALID_REQUEST, f"Accept must allow {JSON_TYPE} and {STREAM_TYPE}"
            )
        elif isinstance(message, Invalid):
            await exchange.reply(400, message.encode())
        elif SESSION_HEADER in exchange.headers:
            session = await self._find(exchange, _first_id(message))
            if session is not None:
                await self._answer(exchange, session, message)
        elif isinstance(message, Request) and message.method == "initialize":
            await self._initialize(exchange, message)
        else:
            await exchange.refuse(
                400,
                SessionError.CODE,
                "Mcp-Session-Id is missing: send initialize first, or a request of 2026-07-28",
                identity=_first_id(message),
            )

    async def _initialize(self, exchange: Exchange, request: Request) -> None:
        session = self._sessions.create(exchange.principal)
        if session is None:
            await exchange.refuse(
                503, SessionError.CODE, "Too many sessions: end one first", identity=request.id
            )
            return
        session.peer = self._server.connect(
            on_this_loop(session.deliver),
            principal=exchange.principal,
            rate_limited=False,
            transport="http",
        )
        out = session.peer.receive_parsed(request, origin=None)
        if out is None or session.peer.state is State.UNINITIALIZED:
            self._sessions.remove(session)
        else:
            exchange.extra["mcp-session-id"] = session.id
        await exchange.reply(200, b"" if out is None else out.data)

    async def _answer(self, exchange: Exchange, session: Session, message: Parsed) -> None:
        stream = session.open_stream()
        out = session.peer.receive_parsed(message, origin=stream)
        if not _expects_answer(message) and (out is None or not out.data):
            session.drop_stream(stream)
            await exchange.reply(202)
        elif out is None:
            await self._stream(exchange, session, stream)
        elif stream.events:  # a fast tool reported something before it answered
            session.deliver(out)
            await self._stream(exchange, session, stream)
        else:
            session.drop_stream(stream)
            await exchange.reply(_status(out), out.data)

    async def _stream(self, exchange: Exchange, session: Session, stream: Stream) -> None:
        await exchange.start_stream()
        await self._write(exchange, session, stream, position=0)

    async def _write(
        self, exchange: Exchange, session: Session, stream: Stream, *, position: int
    ) -> None:
        options = self._options
        primed = session.peer.revision.name >= PRIMING_SINCE
        until = None
        if primed:
            await exchange.write(priming_event(stream, position, options.retry_ms))
            if options.poll_seconds is not None:
                until = asyncio.get_running_loop().time() + options.poll_seconds
        reader = stream.attach()
        try:
            async with Watch(exchange, reader.wake) as watch:
                await write_events(
                    exchange,
                    stream,
                    reader,
                    watch,
                    position=position,
                    with_ids=True,
                    keepalive_seconds=options.keepalive_seconds,
                    until=until,
                )
                if not watch.gone:
                    await exchange.end_stream()
        finally:
            stream.detach(reader)

    async def get(self, exchange: Exchange) -> None:
        """The standalone stream, or the rest of a stream that was left."""
        if not accepts(exchange.headers.get("accept"), STREAM_TYPE):
            await exchange.refuse(406, INVALID_REQUEST, f"Accept must allow {STREAM_TYPE}")
            return
        session = await self._find(exchange, None)
        if session is None:
            return
        last_seen = exchange.headers.get("last-event-id")
        if last_seen is None:
            stream, position = session.standalone, session.standalone.delivered
        else:
            found = parse_event_id(last_seen)
            if found is None or found[0] not in session.streams:
                await exchange.refuse(
                    400, INVALID_REQUEST, "Last-Event-ID names no stream that is still kept"
                )
                return
            stream, position = session.streams[found[0]], found[1]
        position = min(position, stream.last)
        # What was dropped meanwhile is lost; the reader goes on with the oldest that is left.
        if stream.has_gap_after(position):
            position = (stream.events[0][0] if stream.events else stream.last + 1) - 1
        await exchange.start_stream()
        await self._write(exchange, session, stream, position=position)

    async def delete(self, exchange: Exchange) -> None:
        session = await self._find(exchange, None)
        if session is not None:
            self._sessions.remove(session)
            await exchange.reply(204)

    async def _find(self, exchange: Exchange, identity: str | int | None) -> Session | None:
        """The session the request names; answers the request itself when there is none."""
        name = exchange.headers.get(SESSION_HEADER)
        if name is None:
            await exchange.refuse(
                400, SessionError.CODE, "Mcp-Session-Id is missing", identity=identity
            )
            return None
        session = self._sessions.find(name, exchange.principal)
        if session is None:
            await exchange.refuse(
                404,
                SessionError.CODE,
                "Unknown or ended session: send initialize again",
                identity=identity,
            )
        return session


def _status(out: Outgoing) -> int:
    return 400 if out.error_code in {PARSE_ERROR, INVALID_REQUEST} else 200


def _members(message: Parsed) -> Sequence[Message]:
    return message if isinstance(message, list) else [message]


def _expects_answer(message: Parsed) -> bool:
    return any(isinstance(each, Request) for each in _members(message))


def _first_id(message: Parsed) -> str | int | None:
    return next((each.id for each in _members(message) if isinstance(each, Request)), None)
