"""The states of a connection: every pair of state and event has a defined outcome."""

import pytest

from agrama.protocol.lifecycle import REFUSALS, TRANSITIONS, Event, State


@pytest.mark.parametrize("state", State)
def test_every_state_can_be_closed_and_refuses_in_words(state: State) -> None:
    assert TRANSITIONS[state, Event.CLOSE] is State.CLOSED
    assert REFUSALS[state]


def test_the_way_of_a_handshake() -> None:
    state = State.UNINITIALIZED
    for event, expected in (
        (Event.INITIALIZE, State.INITIALIZING),
        (Event.INITIALIZED, State.READY),
        (Event.REQUEST, State.READY),
        (Event.SHUTDOWN, State.SHUTTING_DOWN),
        (Event.CLOSE, State.CLOSED),
    ):
        state = TRANSITIONS[state, event]
        assert state is expected


def test_no_way_back() -> None:
    for (before, _), after in TRANSITIONS.items():
        assert after >= before


@pytest.mark.parametrize("state", [State.SHUTTING_DOWN, State.CLOSED])
def test_no_new_work_at_the_end(state: State) -> None:
    for event in (Event.INITIALIZE, Event.REQUEST, Event.STATELESS):
        assert (state, event) not in TRANSITIONS
