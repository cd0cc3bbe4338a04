"""2026-07-28 over HTTP: every POST stands alone, with its own short-lived peer of the core.

The head of the answer waits for the first message, because its HTTP status depends on it; more than
one message makes a stream. A client that disconnects has cancelled its request.
"""

from agrama.http.exchange import JSON_TYPE, STREAM_TYPE, Exchange, Watch, accepts
from agrama.http.headers import VERSION_HEADER, find_mismatch
from agrama.http.options import HttpOptions
from agrama.http.streams import Reader, Stream, on_this_loop, wait_for_event, write_events
from agrama.peer import Peer
from agrama.protocol.faults import UnsupportedVersionError
from agrama.protocol.messages import (
    HEADER_MISMATCH,
    INVALID_PARAMS,
    INVALID_REQUEST,
    METHOD_NOT_FOUND,
    MISSING_CAPABILITY,
    MODERN_KEYS,
    PARSE_ERROR,
    UNSUPPORTED_VERSION,
    VERSION_KEY,
    Invalid,
    Message,
    Notification,
    Outgoing,
    Request,
    Response,
)
from agrama.protocol.revisions import MODERN
from agrama.server import Server

_STATUS = {
    PARSE_ERROR: 400,
    INVALID_REQUEST: 400,
    HEADER_MISMATCH: 400,
    MISSING_CAPABILITY: 400,
    UNSUPPORTED_VERSION: 400,
    METHOD_NOT_FOUND: 404,
}


class Stateless:
    """The stateless era's side of the endpoint."""

    def __init__(self, server: Server, options: HttpOptions) -> None:
        self._server = server
        self._options = options
        self._open: set[Stream] = set()

    async def post(self, exchange: Exchange, message: Message | list[Message]) -> None:
        if not accepts(exchange.headers.get("accept"), JSON_TYPE, STREAM_TYPE):
            await exchange.refuse(
                406, INVALID_REQUEST, f"Accept must allow {JSON_TYPE} and {STREAM_TYPE}"
            )
        elif isinstance(message, list):
            await exchange.refuse(400, INVALID_REQUEST, "2026-07-28 has no batches: one by one")
        elif isinstance(message, Invalid):
            await exchange.refuse(
                400, message.code, message.message, identity=message.id, data=message.data
            )
        elif isinstance(message, Response):
            await exchange.refuse(
                400, INVALID_REQUEST, "2026-07-28 has no client responses: send inputResponses"
            )
        elif isinstance(message, Notification):
            await exchange.reply(202)  # the core has none over HTTP; nothing to do with it
        elif VERSION_KEY not in message.meta and _version(exchange) not in {None, MODERN.name}:
            error = UnsupportedVersionError(str(_version(exchange)))
            await exchange.refuse(
                400, error.CODE, error.message, identity=message.id, data=error.data
            )
        else:
            problem = self._find_mismatch(exchange, message)
            if problem is None:
                await self._answer(exchange, message)
            else:
                await exchange.refuse(400, HEADER_MISMATCH, problem, identity=message.id)

    def _find_mismatch(self, exchange: Exchange, request: Request) -> str | None:
        headers, version = exchange.headers, request.meta.get(VERSION_KEY)
        given = _version(exchange)
        if given is None:
            return "Header mismatch: header MCP-Protocol-Version is missing"
        if isinstance(version, str) and version != given:
            return f"Header mismatch: MCP-Protocol-Version is {given!r}, the body says {version!r}"
        bound = None
        if request.method == "tools/call":
            bound = self._server.registry.tools.get(str(request.params.get("name")))
        schema = None if bound is None else bound.tool.input_schema
        return find_mismatch(request.method, request.params, headers, schema)

    async def _answer(self, exchange: Exchange, request: Request) -> None:
        stream = Stream(max_events=self._options.max_backlog)
        peer = self._server.connect(
            on_this_loop(stream.push),
            principal=exchange.principal,
            rate_limited=False,
            transport="http",
            stateless=True,
        )
        self._open.add(stream)
        try:
            out = peer.receive_parsed(request, origin=stream)
            if out is not None:
                stream.push(Outgoing(out.data, stream, error_code=out.error_code))
            await self._write(exchange, request, stream, peer)
        finally:
            self._open.discard(stream)
            peer.close()

    async def _write(
        self, exchange: Exchange, request: Request, stream: Stream, peer: Peer
    ) -> None:
        reader = stream.attach()
        if _is_whole(stream):
            await self._reply(exchange, request, stream)
            return
        async with Watch(exchange, reader.wake) as watch:
            await wait_for_event(stream, reader, watch, self._options.status_wait_seconds)
            if watch.gone:
                peer.close()  # at once: the request is cancelled
            elif _is_whole(stream):
                await self._reply(exchange, request, stream)
            else:
                await self._stream(exchange, stream, reader, watch)

    async def _stream(
        self, exchange: Exchange, stream: Stream, reader: Reader, watch: Watch
    ) -> None:
        await exchange.start_stream()
        await write_events(
            exchange,
            stream,
            reader,
            watch,
            position=0,
            with_ids=False,
            keepalive_seconds=self._options.keepalive_seconds,
        )
        if not watch.gone:
            await exchange.end_stream()

    async def _reply(self, exchange: Exchange, request: Request, stream: Stream) -> None:
        code = stream.error_code
        status = 200 if code is None else _STATUS.get(code, 200)
        if code == INVALID_PARAMS and any(key not in request.meta for key in MODERN_KEYS):
            status = 400
        await exchange.reply(status, stream.events[0][1])

    def finish(self) -> None:
        """End every open stream; for those that the drained core left without a last word."""
        for stream in list(self._open):
            stream.finish()


def _version(exchange: Exchange) -> str | None:
    version = exchange.headers.get(VERSION_HEADER)
    return None if version is None else version.strip()


def _is_whole(stream: Stream) -> bool:
    return stream.finished and len(stream.events) == 1
