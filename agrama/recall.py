"""Repeated requests recognised by their bytes, so that a cached answer needs no parsing at all.

A line whose answer may be cached is remembered with its id cut out; when the same line comes under
another id, what is left to do is to look whether there is an answer that still holds and to splice
the new id into it. Anything unusual about a line makes it not worth remembering.
"""

import re
from collections.abc import Callable, Hashable
from itertools import islice
from typing import TYPE_CHECKING, Any

from agrama.cache import Entry
from agrama.protocol.messages import Chunks, Request

if TYPE_CHECKING:
    from agrama.server import Server

MAX_LINES = 1024
MAX_LINE_BYTES = 4096
_ID = re.compile(rb'"id": ?(0|[1-9][0-9]{0,14})(?=[ ,}])')


# Smaller answers are copied together faster than they are written in pieces.
_CHUNKED_BYTES = 1 << 17


class _Line:
    __slots__ = ("entry", "head", "key", "record", "registry_version")

    def __init__(
        self,
        head: bytes,
        key: tuple[Hashable, ...],
        record: Callable[[int], None],
        registry_version: int,
    ) -> None:
        self.head = head
        self.key = key
        self.entry: Entry | None = None
        self.record = record
        self.registry_version = registry_version


class Recall:
    """The remembered lines of one connection."""

    def __init__(self, server: "Server") -> None:
        self._server = server
        self._lines: dict[bytes, _Line] = {}  # by what comes after the id

    def learn(self, data: bytes, request: Request, key: tuple[Any, ...]) -> None:
        """Remember a line whose answer is in the cache, or will be."""
        found = _ID.search(data)
        if found is None or data.count(b'"id"') != 1 or len(data) > MAX_LINE_BYTES:
            return
        if len(self._lines) >= MAX_LINES:
            for tail in list(islice(self._lines, MAX_LINES // 8)):  # the oldest
                del self._lines[tail]
        start, end = found.span(1)
        server = self._server
        record = server.metrics.of(request.params["name"]).record
        line = _Line(data[:start], key, record, server.registry.version)
        self._lines[data[end:]] = line

    def answer(self, data: bytes) -> bytes | Chunks | None:
        """The cached answer to a line seen before, as a line; None whenever there is any doubt."""
        found = _ID.search(data)
        if found is None:
            return None
        start, end = found.span(1)
        line = self._lines.get(data[end:])
        server = self._server
        if (
            line is None
            or line.head != data[:start]
            or line.registry_version != server.registry.version
        ):
            return None
        cache = server.cache
        entry = line.entry or cache.find(line.key)
        if entry is None:
            return None
        body = entry.body
        now = cache.now()
        if not cache.holds(entry, now):
            line.entry = None
            return None
        line.entry = entry
        cache.hits += 1
        line.record(server.clock() - now[2])
        if len(body) > _CHUNKED_BYTES:
            return Chunks(b'{"jsonrpc":"2.0","id":%b,"result":' % data[start:end], body, b"}\n")
        return b'{"jsonrpc":"2.0","id":%b,"result":%b}\n' % (data[start:end], body)
