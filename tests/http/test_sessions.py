import pytest

from agrama.http.options import HttpOptions
from agrama.http.sessions import Session, Sessions
from agrama.protocol.lifecycle import State
from agrama.protocol.messages import Outgoing
from agrama.server import Server


class Clock:
    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


def make(sessions: Sessions, server: Server, principal: str | None = None) -> Session:
    session = sessions.create(principal)
    assert session is not None
    session.peer = server.connect(session.deliver, rate_limited=False)
    return session


def test_ids_are_long_and_visible_ascii(server: Server, clock: Clock) -> None:
    sessions = Sessions(HttpOptions(), clock)
    ids = {make(sessions, server).id for _ in range(50)}
    assert len(ids) == 50
    assert all(len(each) == 32 and each.isascii() and each.isprintable() for each in ids)


def test_a_session_belongs_to_its_principal(server: Server, clock: Clock) -> None:
    sessions = Sessions(HttpOptions(), clock)
    session = make(sessions, server, "ada")
    assert sessions.find(session.id, "ada") is session
    assert sessions.find(session.id, "eve") is None
    assert sessions.find(session.id, None) is None


def test_an_idle_session_ends_and_a_used_one_does_not(server: Server, clock: Clock) -> None:
    sessions = Sessions(HttpOptions(session_idle_seconds=10), clock)
    idle, used = make(sessions, server), make(sessions, server)
    clock.now = 8
    assert sessions.find(used.id, None) is used
    clock.now = 12
    assert sessions.find(idle.id, None) is None
    assert idle.peer.state is State.CLOSED
    assert sessions.find(used.id, None) is used


def test_a_full_house_makes_room_by_ending_the_longest_idle(server: Server, clock: Clock) -> None:
    sessions = Sessions(HttpOptions(max_sessions=2), clock)
    first, second = make(sessions, server), make(sessions, server)
    second.open_stream()  # an unanswered request
    third = make(sessions, server)
    assert sessions.find(first.id, None) is None
    third.open_stream()
    assert sessions.create(None) is None
    assert len(sessions) == 2


def test_messages_without_a_request_go_to_the_standalone_stream(
    server: Server, clock: Clock
) -> None:
    session = make(Sessions(HttpOptions(), clock), server)
    stream = session.open_stream()
    session.deliver(Outgoing(b"for all", None, "notification", final=False))
    session.deliver(Outgoing(b"for one", stream))
    assert [data for _, data in session.standalone.events] == [b"for all"]
    assert [data for _, data in stream.events] == [b"for one"]
    assert (session.standalone.finished, stream.finished) == (False, True)


def test_what_is_kept_for_replay_is_bounded_in_number_size_and_age(
    server: Server, clock: Clock
) -> None:
    options = HttpOptions(retained_events=3, retained_bytes=100, retained_seconds=60)
    session = make(Sessions(options, clock), server)
    stream = session.open_stream()
    for number in range(5):
        session.deliver(Outgoing(b"%d" % number, stream, "notification", final=False))
    assert [data for _, data in stream.events] == [b"2", b"3", b"4"]
    session.deliver(Outgoing(b"x" * 99, stream))
    assert [number for number, _ in stream.events] == [5, 6]
    session.deliver(Outgoing(b"yy", None, "notification", final=False))
    assert not stream.events
    assert stream.number not in session.streams
    clock.now = 61
    session.open_stream()
    assert not session.standalone.events


def test_closing_ends_every_stream(server: Server, clock: Clock) -> None:
    sessions = Sessions(HttpOptions(), clock)
    session = make(sessions, server)
    stream = session.open_stream()
    sessions.close()
    assert stream.finished
    assert session.standalone.finished
    assert len(sessions) == 0
