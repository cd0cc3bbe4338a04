"""Sessions of the handshake era: one peer of the core each, its streams, and what can be replayed.

An id is 192 random bits. A session ends by DELETE, after an idle time, when the server drains, or
when it is the longest idle one and room is needed.
"""

import secrets
from collections import OrderedDict, deque
from collections.abc import Callable

from agrama.http.options import HttpOptions
from agrama.http.streams import Stream
from agrama.peer import Peer
from agrama.protocol.messages import Outgoing


class Session:
    """One client's connection, as far as HTTP has such a thing."""

    def __init__(
        self,
        identity: str,
        options: HttpOptions,
        principal: str | None,
        clock: Callable[[], float],
    ) -> None:
        self.id = identity
        self.principal = principal
        self.used = clock()
        self.peer: Peer
        self.standalone = Stream(0)
        self.streams: dict[int, Stream] = {0: self.standalone}
        self._options = options
        self._clock = clock
        # Oldest first: (stream, size in bytes, when).
        self._log: deque[tuple[Stream, int, float]] = deque()
        self._log_bytes = 0
        self._count = 0

    def open_stream(self) -> Stream:
        self._trim()
        self._count += 1
        stream = self.streams[self._count] = Stream(self._count)
        return stream

    def drop_stream(self, stream: Stream) -> None:
        """Forget a stream that was answered without ever becoming one."""
        self.streams.pop(stream.number, None)

    def deliver(self, out: Outgoing) -> None:
        """Put a message of the core where it belongs."""
        stream: Stream = self.standalone if out.origin is None else out.origin
        count = stream.last
        stream.push(out)
        if stream.last == count:
            return
        self._log.append((stream, len(out.data), self._clock()))
        self._log_bytes += len(out.data)
        self._trim()

    def _trim(self) -> None:
        """Drop what is too old or too much to be kept for a client that may come back."""
        options, log = self._options, self._log
        oldest = self._clock() - options.retained_seconds
        while log and (
            self._log_bytes > options.retained_bytes
            or len(log) > options.retained_events
            or log[0][2] < oldest
        ):
            stream, size, _ = log.popleft()
            self._log_bytes -= size
            stream.events.popleft()
            if stream.finished and not stream.events and stream.number:
                self.streams.pop(stream.number, None)

    @property
    def is_connected(self) -> bool:
        return any(stream.reader is not None for stream in self.streams.values())

    @property
    def is_busy(self) -> bool:
        """A request is unanswered: the client may be polling for it."""
        return any(not stream.finished for stream in self.streams.values() if stream.number)

    def close(self) -> None:
        self.peer.close()
        for stream in list(self.streams.values()):
            stream.finish()
        self.streams.clear()


class Sessions:
    """All sessions, the longest idle first."""

    def __init__(self, options: HttpOptions, clock: Callable[[], float]) -> None:
        self._options = options
        self._clock = clock
        self._by_id: OrderedDict[str, Session] = OrderedDict()

    def __len__(self) -> int:
        return len(self._by_id)

    def create(self, principal: str | None) -> Session | None:
        """A session without a peer yet; None when all places are taken by busy clients."""
        self.expire()
        if len(self._by_id) >= self._options.max_sessions and not self._make_room():
            return None
        session = Session(secrets.token_urlsafe(24), self._options, principal, self._clock)
        self._by_id[session.id] = session
        return session

    def find(self, identity: str, principal: str | None) -> Session | None:
        """The session of this id and principal, and mark it used."""
        self.expire()
        session = self._by_id.get(identity)
        if session is None or session.principal != principal:
            return None
        session.used = self._clock()
        self._by_id.move_to_end(identity)
        return session

    def remove(self, session: Session) -> None:
        if self._by_id.pop(session.id, None) is not None:
            session.close()

    def expire(self) -> None:
        """Close what nobody used for the idle time; connected sessions are in use."""
        limit = self._clock() - self._options.session_idle_seconds
        for session in list(self._by_id.values()):
            if session.used > limit:
                break
            if session.is_connected:
                session.used = self._clock()
                self._by_id.move_to_end(session.id)
            else:
                self.remove(session)

    def _make_room(self) -> bool:
        for session in self._by_id.values():
            if not session.is_connected and not session.is_busy:
                self.remove(session)
                return True
        return False

    def end_standalone_streams(self) -> None:
        for session in self._by_id.values():
            session.standalone.finish()

    def close(self) -> None:
        for session in list(self._by_id.values()):
            self.remove(session)
