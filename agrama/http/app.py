"""The ASGI application: one endpoint, its guards in order, then the era the request belongs to.

The order: path, Host, Origin, preflight, token, rate, draining, method, content type, size. A POST is
stateless when its MCP-Protocol-Version is none of the handshake revisions or its `_meta` says so.
"""

import asyncio
import threading
from contextlib import suppress

from starlette.applications import Starlette
from starlette.routing import Route
from starlette.types import Receive, Scope, Send

from agrama.errors import AgramaError, AuthenticationError, AuthorizationError, RateLimitError
from agrama.http.exchange import (
    JSON_TYPE,
    BodyTooLargeError,
    ClientGoneError,
    Exchange,
    read_headers,
)
from agrama.http.guard import RateLimiter, is_allowed_host, is_allowed_origin, is_authorized
from agrama.http.headers import VERSION_HEADER
from agrama.http.legacy import Legacy, Parsed
from agrama.http.options import HttpOptions
from agrama.http.sessions import Sessions
from agrama.http.stateless import Stateless
from agrama.protocol.faults import UnsupportedVersionError
from agrama.protocol.messages import INTERNAL_ERROR, INVALID_REQUEST, Request, parse
from agrama.protocol.revisions import LEGACY, MODERN
from agrama.server import Server

METHODS = "POST, GET, DELETE, OPTIONS"
PRINCIPAL = "bearer"


class Endpoint:
    """The MCP endpoint of one server."""

    def __init__(self, server: Server, options: HttpOptions) -> None:
        self._server = server
        self._options = options
        self._sessions = Sessions(options, _now)
        self._legacy = Legacy(server, options, self._sessions)
        self._stateless = Stateless(server, options)
        self._rate = RateLimiter(options.rate_burst, options.rate_per_second, _now)
        self._draining = False

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        exchange = Exchange(scope, receive, send, read_headers(scope))
        with suppress(ClientGoneError, OSError):  # nobody is left to be told
            if await self._admit(exchange):
                await self._dispatch(exchange)

    async def _admit(self, exchange: Exchange) -> bool:
        """Whether the request may go on; if not, it has been answered."""
        options, headers = self._options, exchange.headers
        origin = headers.get("origin")
        if not is_allowed_host(headers.get("host", ""), options):
            return await _turn_away(exchange, 403, AuthorizationError, "Host", "--allowed-host")
        if origin is not None and not is_allowed_origin(origin, options):
            return await _turn_away(exchange, 403, AuthorizationError, "Origin", "--allowed-origin")
        self._share(exchange, origin)
        if exchange.scope["method"] == "OPTIONS":
            await exchange.reply(204, headers={"allow": METHODS})
            return False
        if options.token is not None:
            exchange.principal = PRINCIPAL
            if not is_authorized(headers.get("authorization", ""), options.token):
                exchange.extra["www-authenticate"] = "Bearer"
                return await _turn_away(
                    exchange, 401, AuthenticationError, "Token", "Authorization: Bearer"
                )
        if wait := self._rate.take(_client(exchange.scope)):
            exchange.extra["retry-after"] = str(int(wait) + 1)
            return await _turn_away(exchange, 429, RateLimitError, "Rate", "Retry-After")
        if self._draining:
            await exchange.refuse(503, INTERNAL_ERROR, "The server is shutting down")
        return not self._draining

    def _share(self, exchange: Exchange, origin: str | None) -> None:
        """Let pages of the *listed* origins read the answers; loopback pages are only tolerated."""
        listed = {each.lower().rstrip("/") for each in self._options.allowed_origins}
        if origin is not None and origin.lower().rstrip("/") in listed:
            exchange.extra |= {
                "access-control-allow-origin": origin,
                "access-control-allow-methods": METHODS,
                "access-control-allow-headers": exchange.headers.get(
                    "access-control-request-headers", ""
                ),
                "access-control-expose-headers": "Mcp-Session-Id, WWW-Authenticate",
                "vary": "Origin",
            }

    async def _dispatch(self, exchange: Exchange) -> None:
        method = exchange.scope["method"]
        modern = _is_modern_version(exchange)
        if method == "POST":
            await self._post(exchange, modern=modern)
        elif modern and (version := exchange.headers[VERSION_HEADER].strip()) != MODERN.name:
            error = UnsupportedVersionError(version)
            await exchange.refuse(400, error.CODE, error.message, data=error.data)
        elif method == "GET" and not modern:
            await self._legacy.get(exchange)
        elif method == "DELETE" and not modern:
            await self._legacy.delete(exchange)
        else:
            await exchange.refuse(
                405, INVALID_REQUEST, "Use POST", headers={"allow": "POST" if modern else METHODS}
            )

    async def _post(self, exchange: Exchange, *, modern: bool) -> None:
        kind = exchange.headers.get("content-type", "").partition(";")[0].strip().lower()
        if kind != JSON_TYPE:
            await exchange.refuse(415, INVALID_REQUEST, f"Content-Type must be {JSON_TYPE}")
            return
        body = await self._read_body(exchange)
        if body is None:
            return
        message = parse(body)
        if modern or _is_modern_body(message):
            await self._stateless.post(exchange, message)
        else:
            await self._legacy.post(exchange, message)

    async def _read_body(self, exchange: Exchange) -> bytes | None:
        """The body, or None when the request has been refused for it."""
        limit = self._options.max_body_bytes
        try:
            async with asyncio.timeout(self._options.body_seconds):
                return await exchange.read_body(limit)
        except BodyTooLargeError:
            await exchange.refuse(
                413,
                INVALID_REQUEST,
                f"The body has more than {limit} bytes: send less at once",
                headers={"connection": "close"},
            )
        except TimeoutError:
            await exchange.refuse(
                408, INVALID_REQUEST, "The body did not arrive", headers={"connection": "close"}
            )
        return None

    async def drain(self) -> None:
        """Refuse new requests, let those in flight be answered, then end every stream."""
        self._draining = True
        self._sessions.end_standalone_streams()
        await self._close_server()
        self._stateless.finish()
        self._sessions.close()

    async def _close_server(self) -> None:
        """Wait for the core on a thread that nothing waits for, in case somebody is in a hurry.

        Its last word comes to this loop after everything the workers sent.
        """
        loop, done = asyncio.get_running_loop(), asyncio.Event()

        def close() -> None:
            self._server.close(self._options.drain_seconds)
            with suppress(RuntimeError):
                loop.call_soon_threadsafe(done.set)

        threading.Thread(target=close, name="agrama-drain", daemon=True).start()
        await done.wait()


def _now() -> float:
    return asyncio.get_running_loop().time()


async def _turn_away(
    exchange: Exchange, status: int, error: type[AgramaError], what: str, remedy: str
) -> bool:
    """Refuse with the error's own code, which only the handshake era knows; always False."""
    code = INVALID_REQUEST if _is_modern_version(exchange) else error.CODE
    await exchange.refuse(status, code, f"{what} is not allowed: see {remedy}")
    return False


def _is_modern_version(exchange: Exchange) -> bool:
    version = exchange.headers.get(VERSION_HEADER, "").strip()
    return bool(version) and version not in LEGACY


def _client(scope: Scope) -> str:
    client = scope.get("client")
    return str(client[0]) if client else ""


def _is_modern_body(message: Parsed) -> bool:
    return isinstance(message, Request) and message.is_modern


def build_app(endpoint: Endpoint, path: str) -> Starlette:
    """The application, for any ASGI server; `serve` brings one along."""
    return Starlette(routes=[Route(path, endpoint=endpoint)])
