"""Methods the connection itself answers, without a context and outside the middleware."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeAlias

from agrama import methods
from agrama.errors import InvalidRequestError
from agrama.protocol.handshake import LEVELS, Caller, read_handshake
from agrama.protocol.messages import Request

if TYPE_CHECKING:
    from agrama.peer import Peer

Control: TypeAlias = "Callable[[Peer, Request, Caller], dict[str, Any] | None]"


def initialize(peer: "Peer", request: Request, caller: Caller) -> dict[str, Any]:
    if request.batch is not None:
        raise InvalidRequestError(
            "initialize cannot be part of a batch",
            data={"parameter": "message", "hint": "send it alone"},
        )
    peer.begin(read_handshake(request.params))
    return methods.initialize(peer.server.offer, peer.revision)


def ping(peer: "Peer", request: Request, caller: Caller) -> dict[str, Any]:
    return {}


def set_level(peer: "Peer", request: Request, caller: Caller) -> dict[str, Any]:
    peer.log_level = methods.choice_parameter(request, "level", LEVELS)
    return {}


def subscribe(peer: "Peer", request: Request, caller: Caller) -> dict[str, Any]:
    methods.find_resource(peer.server.registry, request)
    peer.subscriptions.uris.add(request.params["uri"])
    peer.server.subscribed(request.params["uri"])
    return {}


def unsubscribe(peer: "Peer", request: Request, caller: Caller) -> dict[str, Any]:
    peer.subscriptions.uris.discard(methods.text_parameter(request, "uri"))
    return {}


def listen(peer: "Peer", request: Request, caller: Caller) -> None:
    """The answer comes when the stream ends."""
    if not caller.revision.modern:
        raise methods.unknown_method(request.method, caller.revision)
    peer.subscriptions.listen(request)
    peer.server.connected(peer)


CONTROL: dict[str, Control] = {
    "initialize": initialize,
    "ping": ping,
    "logging/setLevel": set_level,
    "resources/subscribe": subscribe,
    "resources/unsubscribe": unsubscribe,
    "subscriptions/listen": listen,
}
