"""The server: what is on offer, the chain every request runs through, and the connected peers.

It knows no transport: a transport asks it for a `Peer` per connection and carries bytes. Everything
that may be slow to load is loaded by the first request that needs it.
"""

import os
import time
from collections.abc import Callable, Hashable, Sequence
from pathlib import Path
from threading import Condition, Lock, Thread
from typing import TYPE_CHECKING, Any, NamedTuple

from agrama import __version__
from agrama.cache import MAX_BYTES, TTL_SECONDS, ResponseCache
from agrama.context import Context
from agrama.inotify import Directories
from agrama.methods import (
    HANDLERS,
    Offer,
    find_prompt,
    find_resource,
    find_tool,
    unknown_method,
)
from agrama.metrics import Metrics
from agrama.middleware import (
    Middleware,
    Pace,
    Step,
    cached,
    call,
    measured,
    output_checked,
    paced,
    peeking,
    validated,
    wrap,
)
from agrama.peer import Peer
from agrama.protocol.messages import SERVER_KEY, Outgoing, Request
from agrama.protocol.revisions import MODERN, Revision
from agrama.protocol.shape import MAX_RESPONSE_BYTES
from agrama.registry import BoundTool, Registry
from agrama.workers import Pool, TokenBucket

if TYPE_CHECKING:
    from agrama.session.settling import Settling

__all__ = ("Options", "Outgoing", "Peer", "Server", "build_server")

_WATCH_SECONDS = 0.1


class Options(NamedTuple):
    """The limits of a server, and its switches."""

    check_output: bool = False
    workers: int = 4
    max_in_flight: int = 128
    deadline_seconds: float = 60.0
    ask_seconds: float = 600.0  # how long a person or a model may take over a question
    cache_ttl_seconds: float = TTL_SECONDS
    cache_bytes: int = MAX_BYTES
    page_size: int = 100
    request_state_ttl_seconds: float = 600.0
    rate_burst: int = 1000
    rate_per_second: float = 100.0
    max_response_bytes: int = MAX_RESPONSE_BYTES


class Route(NamedTuple):
    """How one tool or method is run: what it runs through, where, and how long it may take."""

    chain: Step
    limit_ns: int
    slow: bool = False
    peek: Step | None = None  # for slow ones: an answer that is there already
    pace: Pace | None = None  # for slow ones that may turn out quick


class Server:
    """One server, any number of peers."""

    def __init__(
        self,
        name: str = "agrama",
        version: str = __version__,
        *,
        title: str = "",
        instructions: str = "",
        registry: Registry | None = None,
        middleware: Sequence[Middleware] = (),
        services: Any = None,
        open_snapshot: Callable[[], Any] | None = None,
        cache_version: Callable[[int], Hashable] = lambda epoch: 0,
        directories: Directories | None = None,
        settling: "Settling | None" = None,
        clock: Callable[[], int] = time.monotonic_ns,
        options: Options | None = None,
    ) -> None:
        self.options = options or Options()
        self.clock = clock
        self.services = services
        self.open_snapshot = open_snapshot
        self.settling = settling  # given when answers wait for the disk
        self.registry = registry if registry is not None else Registry()
        self.offer = Offer(
            name, version, title, instructions, self.registry, self.options.page_size
        )
        self.identity_meta = {SERVER_KEY: self.offer.identity(MODERN)}
        self.metrics = Metrics()
        self.cache = ResponseCache(
            clock,
            ttl_seconds=self.options.cache_ttl_seconds,
            max_bytes=self.options.cache_bytes,
            version=cache_version,
            directories=directories,
        )
        self.pool = Pool(self.options.workers)
        self.started_ns = clock()
        self.middleware = tuple(middleware)
        self._tools: dict[str, Route] = {}
        self._methods: dict[str, Route] = {}
        self._key: bytes | None = None
        self._peers: dict[int, Peer] = {}
        self._active = 0
        self._idle = Condition(Lock())
        self._watching = False
        self.draining = False
        self.on_subscribe: Callable[[str], None] | None = None
        self.registry.listeners.append(self._list_changed)

    def find_route(self, request: Request, revision: Revision) -> "Route":
        """How a request is run, made once per tool and method."""
        method = request.method
        if method == "tools/call":
            name = request.params.get("name")
            route = self._tools.get(name) if type(name) is str else None
            return route or self._add_tool_route(find_tool(self.registry, request))
        route = self._methods.get(method)
        if route is None:
            if method not in HANDLERS:
                raise unknown_method(method, revision)
            route = self._methods[method] = self._make_route(method)
        if method == "resources/read":
            request.target = find_resource(self.registry, request)
            return route._replace(slow=request.target[0].slow)
        if method == "prompts/get":
            request.target = find_prompt(self.registry, request)
            return route._replace(slow=request.target.slow)
        return route

    def _make_route(self, method: str) -> "Route":
        handler, offer = HANDLERS[method], self.offer
        chain = wrap(self.middleware, lambda context, request: handler(offer, context, request))
        return Route(
            measured(self.metrics.of(method), self.clock, chain),
            limit_ns=int(self.options.deadline_seconds * 1e9),
        )

    def _add_tool_route(self, bound: BoundTool) -> "Route":
        tool = bound.tool
        chain = call(bound)
        pace = None
        if tool.often_quick:
            pace = Pace()
            chain = paced(pace, self.clock, chain)
        if self.options.check_output:
            chain = output_checked(bound, chain)
        if tool.cacheable:
            chain = cached(self.cache, self.identity_meta, chain)
        chain = wrap(self.middleware, validated(bound, chain))
        seconds = tool.deadline_seconds or self.options.deadline_seconds
        histogram = self.metrics.of(tool.name)
        peek = None
        if tool.slow and tool.cacheable and not self.middleware:
            look = peeking(self.cache, histogram, self.clock)
            peek = validated(bound, look)
        route = self._tools[tool.name] = Route(
            measured(histogram, self.clock, chain),
            slow=tool.slow,
            limit_ns=int(seconds * 1e9),
            peek=peek,
            pace=pace,
        )
        return route

    @property
    def key(self) -> bytes:
        """Seals request states; another server, or this one restarted, does not accept them."""
        if self._key is None:
            import secrets

            self._key = secrets.token_bytes(32)
        return self._key

    def connect(
        self,
        send: Callable[[Outgoing], None],
        *,
        principal: str | None = None,
        rate_limited: bool = True,
        transport: str = "stdio",
        stateless: bool = False,
    ) -> Peer:
        """The server's side of a new connection; `send` gets what is not an immediate answer."""
        bucket = None
        if rate_limited:
            bucket = TokenBucket(self.clock, self.options.rate_burst, self.options.rate_per_second)
        return Peer(
            self,
            send,
            principal=principal,
            bucket=bucket,
            transport=transport,
            stateless=stateless,
        )

    def connected(self, peer: Peer) -> None:
        """Keep a peer that wants to hear of changes."""
        with self._idle:
            self._peers[id(peer)] = peer
        if self.draining:
            peer.shut_down()

    def disconnected(self, peer: Peer) -> None:
        with self._idle:
            self._peers.pop(id(peer), None)

    def submit(self, peer: Peer, context: Context, chain: Step) -> None:
        """Run a slow request on the pool."""
        with self._idle:
            self._active += 1
        self.watch(peer)
        self.pool.submit(self._work, peer, context, chain)

    def watch(self, peer: Peer) -> None:
        """Hold what a peer has in flight to its deadline."""
        with self._idle:
            self._peers.setdefault(id(peer), peer)
            if not self._watching:
                self._watching = True
                Thread(target=self._watch, name="agrama-deadlines", daemon=True).start()

    def _work(self, peer: Peer, context: Context, chain: Step) -> None:
        try:
            peer.work(context, chain)
        finally:
            with self._idle:
                self._active -= 1
                self._idle.notify_all()

    def _watch(self) -> None:
        """Answer for those that overran their deadline, as long as anything runs."""
        while True:
            time.sleep(_WATCH_SECONDS)
            now_ns = self.clock()
            with self._idle:
                peers = list(self._peers.values())
            for peer in peers:
                if peer.in_flight:
                    peer.overdue(now_ns)
            with self._idle:
                if not self._active and not any(peer.in_flight for peer in peers):
                    self._watching = False
                    return

    @property
    def in_flight(self) -> int:
        with self._idle:
            return sum(len(peer.in_flight) for peer in self._peers.values())

    def release(self, context: Context) -> None:
        """Close what a request owned; a failure there is ours, not the request's."""
        try:
            context.release()
        except Exception:  # noqa: BLE001 - the answer is made, nothing may take it back
            self.complain("release")

    def complain(self, name: str) -> None:
        """The trace of the exception being handled, on stderr if somebody reads it.

        A client that starts a server with a pipe there and never empties it must not stop us: a pipe
        that is ready takes at least a page.
        """
        import select
        import traceback

        trace = f"agrama: {name} failed\n{traceback.format_exc()}".encode("utf-8", "replace")
        try:
            if select.select([], [2], [], 0)[1]:
                os.write(2, trace[-select.PIPE_BUF :])
        except OSError:
            pass  # there is nobody to tell

    def subscribed(self, uri: str) -> None:
        """A client wants to hear of a resource: tell whoever watches it."""
        if self.on_subscribe is not None:
            self.on_subscribe(uri)

    def resource_updated(self, uri: str) -> None:
        """Tell whoever subscribed to a resource that it changed."""
        for peer in self._everybody():
            peer.subscriptions.updated(uri)

    def _list_changed(self, kind: str) -> None:
        self._tools.clear()
        for peer in self._everybody():
            peer.subscriptions.list_changed(kind)

    def _everybody(self) -> list[Peer]:
        with self._idle:
            return list(self._peers.values())

    def close(
        self, timeout_seconds: float = 30.0, is_alone: Callable[[], bool] = lambda: False
    ) -> bool:
        """Refuse new work and wait for what is in flight; False when that took too long.

        `is_alone` says that nobody is there any more who could get an answer.
        """
        self.draining = True
        for peer in self._everybody():
            peer.shut_down()
        end = time.monotonic() + timeout_seconds
        while self.in_flight and time.monotonic() < end and not is_alone():
            with self._idle:
                self._idle.wait(min(0.05, max(0.0, end - time.monotonic())))
        self.pool.close()
        self.cache.close()
        return not self.in_flight

    def report(self) -> dict[str, Any]:
        """How the server is doing, for `server_stats`."""
        cache = self.cache
        return {
            "uptime_seconds": round((self.clock() - self.started_ns) / 1e9, 3),
            "in_flight": self.in_flight,
            "tools": self.metrics.as_dict(),
            "cache": {
                "entries": len(cache),
                "bytes": cache.size_bytes,
                "hits": cache.hits,
                "misses": cache.misses,
                "evictions": cache.evictions,
            },
        }


def build_server(
    root: Path | str | None = None,
    toolsets: str = "core,collaboration",
    *,
    allow_write: bool = False,
    services: Any = None,
    open_snapshot: Callable[[], Any] | None = None,
    cache_version: Callable[[int], Hashable] = lambda epoch: 0,
    directories: Directories | None = None,
    settling: "Settling | None" = None,
    middleware: Sequence[Middleware] = (),
    instructions: str = "",
    options: Options | None = None,
) -> Server:
    """A server with Agrama's own tools of these toolsets."""
    from agrama.tools import load_tools, read_toolsets

    chosen = read_toolsets(toolsets)
    registry = Registry(load=lambda: load_tools(chosen, allow_write=allow_write))
    return Server(
        title="Agrama",
        instructions=instructions,
        registry=registry,
        middleware=middleware,
        services=services,
        open_snapshot=open_snapshot,
        cache_version=cache_version,
        directories=directories,
        settling=settling,
        options=options,
    )
