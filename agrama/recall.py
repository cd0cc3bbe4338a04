"""Repeated requests recognised by their bytes, so that a cached answer needs no parsing at all.

A line that was answered from the cache is remembered with its id cut out; when the same line comes
under another id, what is left to do is to look whether the cached answer still holds and to splice
the new id into it. Anything unusual about a line makes it not worth remembering.
"""

import re
from collections.abc import Callable, Hashable
from typing import TYPE_CHECKING, Any, NamedTuple

from agrama.context import Context
from agrama.metrics import Histogram
from agrama.protocol.handshake import Caller
from agrama.protocol.messages import Request

if TYPE_CHECKING:
    from agrama.peer import Peer

MAX_LINES = 1024
MAX_LINE_BYTES = 4096
_TAIL_BYTES = 24
_ID = re.compile(rb'"id": ?(0|[1-9][0-9]{0,14})(?=[ ,}])')


class _Line(NamedTuple):
    request: Request
    caller: Caller
    key: tuple[Hashable, ...]
    histogram: Histogram
    registry_version: int


class Recall:
    """The remembered lines of one connection."""

    def __init__(self, peer: "Peer", version_of: Callable[[Context], Hashable]) -> None:
        self._peer = peer
        self._server = peer.server
        self._version_of = version_of
        self._lines: dict[tuple[bytes, bytes], _Line] = {}
        # The ends of the remembered lines: most other lines are told apart by them alone.
        self._tails: set[bytes] = set()

    def learn(self, data: bytes, request: Request, caller: Caller, key: tuple[Any, ...]) -> None:
        """Remember a line whose answer is now in the cache."""
        found = _ID.search(data)
        if found is None or data.count(b'"id"') != 1 or len(data) > MAX_LINE_BYTES:
            return
        if not self._lines or len(self._lines) >= MAX_LINES:
            self.clear()
        start, end = found.span(1)
        server = self._server
        histogram = server.metrics.of(request.params["name"])
        line = _Line(request, caller, key, histogram, server.registry.version)
        self._lines[data[:start], data[end:]] = line
        self._tails.add(data[end:][-_TAIL_BYTES:])

    def answer(self, data: bytes) -> bytes | None:
        """The cached answer to a line seen before; None whenever there is any doubt."""
        if data[-_TAIL_BYTES:] not in self._tails and data[:10] == b'{"jsonrpc"':
            return None
        found = _ID.search(data)
        if found is None:
            return None
        start, end = found.span(1)
        line = self._lines.get((data[:start], data[end:]))
        server = self._server
        if line is None or line.registry_version != server.registry.version:
            return None
        started_ns = server.clock()
        context = Context(self._peer, server, line.request, line.caller, started_ns, 0)
        try:
            version = self._version_of(context)
        finally:
            if context.owned is not None:
                server.release(context)
        body = server.cache.get(line.key, version)
        if body is None:
            return None
        line.histogram.record(server.clock() - started_ns)
        return b'{"jsonrpc":"2.0","id":%b,"result":%b}' % (data[start:end], body)

    def clear(self) -> None:
        self._lines.clear()
        self._tails.clear()
