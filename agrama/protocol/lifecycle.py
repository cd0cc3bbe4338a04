"""The states of a connection, as one table.

Only the handshake era moves through them. A stateless request is served in every state but the last
two, because nothing it needs was agreed before. What is not in the table is refused (a request) or
ignored (a notification).
"""

from enum import IntEnum


class State(IntEnum):
    UNINITIALIZED = 0
    INITIALIZING = 1  # `initialize` was answered, `notifications/initialized` is awaited
    READY = 2
    SHUTTING_DOWN = 3  # no new work; what is in flight is answered
    CLOSED = 4


class Event(IntEnum):
    INITIALIZE = 0
    INITIALIZED = 1
    PING = 2
    REQUEST = 3  # any other request of the handshake era
    STATELESS = 4  # a request that carries its own version and capabilities
    NOTIFICATION = 5
    SHUTDOWN = 6
    CLOSE = 7


_S, _E = State, Event
TRANSITIONS: dict[tuple[State, Event], State] = {
    (_S.UNINITIALIZED, _E.INITIALIZE): _S.INITIALIZING,
    (_S.UNINITIALIZED, _E.PING): _S.UNINITIALIZED,
    (_S.UNINITIALIZED, _E.STATELESS): _S.UNINITIALIZED,
    (_S.UNINITIALIZED, _E.NOTIFICATION): _S.UNINITIALIZED,
    (_S.INITIALIZING, _E.INITIALIZED): _S.READY,
    (_S.INITIALIZING, _E.PING): _S.INITIALIZING,
    # Clients pipeline their first requests behind the handshake; nothing is won by refusing them.
    (_S.INITIALIZING, _E.REQUEST): _S.INITIALIZING,
    (_S.INITIALIZING, _E.STATELESS): _S.INITIALIZING,
    (_S.INITIALIZING, _E.NOTIFICATION): _S.INITIALIZING,
    (_S.READY, _E.INITIALIZED): _S.READY,
    (_S.READY, _E.PING): _S.READY,
    (_S.READY, _E.REQUEST): _S.READY,
    (_S.READY, _E.STATELESS): _S.READY,
    (_S.READY, _E.NOTIFICATION): _S.READY,
    (_S.SHUTTING_DOWN, _E.PING): _S.SHUTTING_DOWN,
    (_S.SHUTTING_DOWN, _E.NOTIFICATION): _S.SHUTTING_DOWN,
    **{(state, _E.SHUTDOWN): _S.SHUTTING_DOWN for state in State if state < _S.SHUTTING_DOWN},
    **{(state, _E.CLOSE): _S.CLOSED for state in State},
}

REFUSALS = {
    State.UNINITIALIZED: "The connection is not initialized",
    State.INITIALIZING: "The connection is already initialized",
    State.READY: "The connection is already initialized",
    State.SHUTTING_DOWN: "The server is shutting down",
    State.CLOSED: "The connection is closed",
}
