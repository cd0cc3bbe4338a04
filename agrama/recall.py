"""Repeated requests recognised by their bytes, so that a cached answer needs no parsing at all.

A line whose answer may be cached is remembered with its id cut out; when the same line comes under
another id, what is left to do is to look whether there is an answer that still holds and to splice
the new id into it. Anything unusual about a line makes it not worth remembering.
"""

import re
from collections.abc import Callable, Hashable
from typing import TYPE_CHECKING, Any, NamedTuple

from agrama.metrics import Histogram
from agrama.protocol.messages import Chunks, Request

if TYPE_CHECKING:
    from agrama.peer import Peer

MAX_LINES = 1024
MAX_LINE_BYTES = 4096
_TAIL_BYTES = 24
_ID = re.compile(rb'"id": ?(0|[1-9][0-9]{0,14})(?=[ ,}])')


# A larger answer is not copied into one piece here: whoever writes it adds the end of the line.
_CHUNKED_BYTES = 1 << 12


class _Line(NamedTuple):
    key: tuple[Hashable, ...]
    histogram: Histogram
    registry_version: int


class Recall:
    """The remembered lines of one connection."""

    def __init__(self, peer: "Peer", version: Callable[[], Hashable]) -> None:
        self._peer = peer
        self._server = peer.server
        self._version = version
        self._lines: dict[tuple[bytes, bytes], _Line] = {}
        # The ends of the remembered lines: most other lines are told apart by them alone.
        self._tails: set[bytes] = set()

    def learn(self, data: bytes, request: Request, key: tuple[Any, ...]) -> None:
        """Remember a line whose answer is in the cache, or will be."""
        found = _ID.search(data)
        if found is None or data.count(b'"id"') != 1 or len(data) > MAX_LINE_BYTES:
            return
        if not self._lines or len(self._lines) >= MAX_LINES:
            self.clear()
        start, end = found.span(1)
        server = self._server
        histogram = server.metrics.of(request.params["name"])
        line = _Line(key, histogram, server.registry.version)
        self._lines[data[:start], data[end:]] = line
        self._tails.add(data[end:][-_TAIL_BYTES:])

    def answer(self, data: bytes) -> bytes | Chunks | None:
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
        cache = server.cache
        body = cache.get(line.key, self._version(), counted=False)
        if body is None:
            return None
        cache.hits += 1
        line.histogram.record(server.clock() - started_ns)
        if len(body) > _CHUNKED_BYTES:
            return Chunks(b'{"jsonrpc":"2.0","id":%b,"result":' % data[start:end], body, b"}")
        return b'{"jsonrpc":"2.0","id":%b,"result":%b}' % (data[start:end], body)

    def clear(self) -> None:
        self._lines.clear()
        self._tails.clear()
