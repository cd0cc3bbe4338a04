import pytest
from hypothesis import given
from hypothesis import strategies as st

from agrama.http.streams import Stream, encode_event, parse_event_id, priming_event
from agrama.protocol.messages import Outgoing


def out(data: bytes, *, final: bool = False) -> Outgoing:
    return Outgoing(data, "origin", final=final)


@given(st.integers(0, 10**9), st.integers(0, 10**9))
def test_event_ids_come_back(stream: int, event: int) -> None:
    frame = encode_event(Stream(stream), event, b"{}", with_id=True)
    identity = frame.split(b"\n")[0].removeprefix(b"id: ").decode()
    assert parse_event_id(identity) == (stream, event)


@pytest.mark.parametrize(
    "value", ["", "1", "1-", "-1", "a-b", "1-2-3", "1.5-2", "²-1", "9" * 50 + "-1"]
)
def test_foreign_event_ids_are_none_of_ours(value: str) -> None:
    assert parse_event_id(value) is None


def test_frames() -> None:
    stream = Stream(3)
    assert encode_event(stream, 7, b'{"a":1}', with_id=True) == b'id: 3-7\ndata: {"a":1}\n\n'
    assert encode_event(stream, 7, b'{"a":1}', with_id=False) == b'data: {"a":1}\n\n'
    assert priming_event(stream, 0, 500) == b"id: 3-0\nretry: 500\ndata: \n\n"


def test_events_are_numbered_and_replayed_after_a_position() -> None:
    stream = Stream()
    stream.push(out(b"a"))
    stream.push(out(b"b", final=True))
    assert stream.finished
    assert stream.after(0) == [(1, b"a"), (2, b"b")]
    assert stream.after(1) == [(2, b"b")]
    assert not stream.has_gap_after(0)


def test_nothing_follows_the_final_message() -> None:
    stream = Stream()
    stream.push(out(b"a", final=True))
    stream.push(out(b"late"))
    assert stream.after(0) == [(1, b"a")]


def test_a_withdrawn_request_ends_its_stream_without_a_message() -> None:
    stream = Stream()
    stream.push(Outgoing(b"", "origin", "nothing"))
    assert stream.finished
    assert not stream.events


def test_a_gap_is_noticed() -> None:
    stream = Stream()
    for data in (b"a", b"b", b"c"):
        stream.push(out(data))
    stream.forget(2)
    assert stream.has_gap_after(0)
    assert not stream.has_gap_after(2)


def test_a_reader_that_lags_too_far_is_let_go() -> None:
    stream = Stream(max_events=2)
    for data in (b"a", b"b", b"c", b"d"):
        stream.push(out(data))
    assert stream.finished
    assert [data for _, data in stream.events] == [b"a", b"b", b"c"]


async def _newest_wins() -> None:
    stream = Stream()
    first = stream.attach()
    second = stream.attach()
    assert first.wake.is_set()
    assert stream.reader is second
    stream.detach(first)
    assert stream.reader is second
    stream.detach(second)
    assert stream.reader is None


def test_the_newest_reader_wins() -> None:
    import asyncio

    asyncio.run(_newest_wins())
