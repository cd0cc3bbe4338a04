"""What one client wants to hear about: subscribed resources and open `subscriptions/listen` streams.

Events come from any thread (a watcher, a tool that registers another); each is sent to whoever asked
for it, once per stream, with the stream's id as the modern revision wants it.
"""

from threading import Lock
from typing import TYPE_CHECKING, Any, NamedTuple

from agrama.protocol.faults import WrongCallError
from agrama.protocol.lifecycle import State
from agrama.protocol.messages import (
    SUBSCRIPTION_KEY,
    Outgoing,
    Request,
    encode_notification,
    encode_response,
)
from agrama.protocol.revisions import MODERN
from agrama.protocol.shape import encode_result

if TYPE_CHECKING:
    from agrama.peer import Peer

_LIST_KINDS = {
    "toolsListChanged": "tools",
    "promptsListChanged": "prompts",
    "resourcesListChanged": "resources",
}
MAX_URIS = 10_000


class _Stream(NamedTuple):
    request: Request
    kinds: frozenset[str]
    uris: frozenset[str]


class Subscriptions:
    """One peer's."""

    def __init__(self, peer: "Peer") -> None:
        self._peer = peer
        self._streams: dict[str | int, _Stream] = {}
        self._lock = Lock()
        self.uris: set[str] = set()

    def listen(self, request: Request) -> None:
        """Open a stream: its acknowledgement is the first thing on it."""
        wanted = request.params.get("notifications")
        if type(wanted) is not dict:
            raise _wrong_filter("notifications", "an object", wanted)
        kinds, uris = self._read_filter(wanted)
        honoured: dict[str, Any] = {key: True for key, kind in _LIST_KINDS.items() if kind in kinds}
        if "resourceSubscriptions" in wanted:
            honoured["resourceSubscriptions"] = uris
        stream = _Stream(request, frozenset(kinds), frozenset(uris))
        for uri in uris:  # before the acknowledgement: nothing that follows it may be missed
            self._peer.server.subscribed(uri)
        with self._lock:
            if request.id in self._streams:
                raise _wrong_filter("id", "a new id", request.id)
            self._send(
                stream, "notifications/subscriptions/acknowledged", {"notifications": honoured}
            )
            self._streams[request.id] = stream

    def _read_filter(self, wanted: dict[str, Any]) -> tuple[set[str], list[str]]:
        kinds = set()
        for key, kind in _LIST_KINDS.items():
            value = wanted.get(key)
            if value is not None and type(value) is not bool:
                raise _wrong_filter(f"notifications.{key}", "true or false", value)
            if value:
                kinds.add(kind)
        uris = wanted.get("resourceSubscriptions", [])
        if type(uris) is not list or not all(type(uri) is str for uri in uris):
            raise _wrong_filter("notifications.resourceSubscriptions", "an array of URIs", uris)
        registry = self._peer.server.registry
        known = [uri for uri in uris[:MAX_URIS] if registry.knows_resource(uri)]
        return kinds, known

    def end(self, identity: str | int) -> Any:
        """Close a stream the client withdrew; its origin, for the transport to let go."""
        with self._lock:
            stream = self._streams.pop(identity, None)
        return None if stream is None else stream.request.origin

    def open_ids(self) -> set[str | int]:
        with self._lock:
            return set(self._streams)

    def finish_all(self) -> None:
        """End every stream with the answer its request never got."""
        with self._lock:
            streams, self._streams = list(self._streams.values()), {}
        for stream in streams:
            request = stream.request
            result = {"_meta": {SUBSCRIPTION_KEY: request.id}}
            body = encode_result(result, MODERN, self._peer.server.identity_meta)
            self._peer.send(Outgoing(encode_response(request.id, body), request.origin))

    def clear(self) -> None:
        with self._lock:
            self._streams.clear()
        self.uris.clear()

    def list_changed(self, kind: str) -> None:
        method = f"notifications/{kind}/list_changed"
        if self._peer.state is State.READY:
            self._peer.send(
                Outgoing(encode_notification(method), None, "notification", final=False)
            )
        with self._lock:
            for stream in self._streams.values():
                if kind in stream.kinds:
                    self._send(stream, method, {})

    def updated(self, uri: str) -> None:
        method = "notifications/resources/updated"
        if uri in self.uris:
            data = encode_notification(method, {"uri": uri})
            self._peer.send(Outgoing(data, None, "notification", final=False))
        with self._lock:
            for stream in self._streams.values():
                if uri in stream.uris:
                    self._send(stream, method, {"uri": uri})

    def _send(self, stream: _Stream, method: str, params: dict[str, Any]) -> None:
        meta = {"_meta": {SUBSCRIPTION_KEY: stream.request.id}}
        data = encode_notification(method, {**meta, **params})
        self._peer.send(Outgoing(data, stream.request.origin, "notification", final=False))


def _wrong_filter(name: str, expected: str, got: Any) -> WrongCallError:
    return WrongCallError(
        f"subscriptions/listen: {name} must be {expected}",
        data={
            "parameter": name,
            "expected": expected,
            "got": str(got)[:80],
            "hint": "see the method",
        },
    )
