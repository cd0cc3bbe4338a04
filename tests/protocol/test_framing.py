"""Bytes of a stream into messages, however they are cut."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agrama.protocol.framing import Framer, TooLong

CASES = (
    ("one-line", b'{"a":1}\n', [b'{"a":1}']),
    ("two-lines", b'{"a":1}\n{"b":2}\n', [b'{"a":1}', b'{"b":2}']),
    ("blank-lines", b'\n  \n\r\n{"a":1}\n\n', [b'{"a":1}']),
    ("not-an-object", b"[1]\nhello\n", [b"[1]", b"hello"]),
    ("frame", b'Content-Length: 7\r\n\r\n{"a":1}', [b'{"a":1}']),
    ("frame-then-line", b'Content-Length: 7\r\n\r\n{"a":1}{"b":2}\n', [b'{"a":1}', b'{"b":2}']),
    ("line-then-frame", b'{"b":2}\nContent-Length: 7\n\n{"a":1}', [b'{"b":2}', b'{"a":1}']),
    ("frame-with-newlines", b'Content-Length: 9\r\n\r\n{\n"a":1\n}', [b'{\n"a":1\n}']),
    ("frame-other-headers", b'Content-Length: 7\r\nX: y\r\n\r\n{"a":1}', [b'{"a":1}']),
    ("frame-empty", b'Content-Length: 0\r\n\r\n{"a":1}\n', [b'{"a":1}']),
    ("frame-nonsense", b'Content-Length: x\r\n\r\n{"a":1}\n', [b'{"a":1}']),
)


@pytest.mark.parametrize(("name", "data", "expected"), CASES, ids=[case[0] for case in CASES])
def test_whole_bytewise_and_with_more_behind(name: str, data: bytes, expected: list[bytes]) -> None:
    assert Framer().feed(data) == expected
    framer = Framer()
    assert [line for at in range(len(data)) for line in framer.feed(data[at : at + 1])] == expected
    framer = Framer()
    assert framer.feed(data + b'{"unfin') == expected
    assert framer.feed(b'ished":1}\n') == [b'{"unfinished":1}']


@pytest.mark.parametrize("step", [1, 7, 1000])
def test_too_long_line_is_dropped_not_kept(step: int) -> None:
    framer = Framer(limit=100)
    data = b"x" * 5000 + b'\n{"a":1}\n'
    found = [item for at in range(0, len(data), step) for item in framer.feed(data[at : at + step])]
    assert [type(item) for item in found] == [TooLong, bytes]
    assert found[1] == b'{"a":1}'
    assert len(framer._buffer) == 0
    assert [type(item) for item in Framer(limit=100).feed(b"x" * 101 + b"\n{}\n")] == [
        TooLong,
        bytes,
    ]


@pytest.mark.parametrize("step", [1, 7, 1000])
def test_too_long_frame_is_dropped_not_kept(step: int) -> None:
    framer = Framer(limit=100)
    data = b"Content-Length: 5000\r\n\r\n" + b"x" * 5000 + b'{"a":1}\n'
    found = [item for at in range(0, len(data), step) for item in framer.feed(data[at : at + step])]
    assert [type(item) for item in found] == [TooLong, bytes]


def test_last_line_without_newline() -> None:
    framer = Framer()
    assert framer.feed(b'{"a":1}\n{"b"') == [b'{"a":1}']
    assert framer.end() == [b'{"b"']
    assert Framer().end() == []


def test_single_line_is_recognised() -> None:
    framer = Framer()
    assert framer.is_single(b'{"a":1}\n')
    assert not framer.is_single(b'{"a":1}')
    assert not framer.is_single(b'{"a":1}\n{"b":1}\n')
    assert not framer.is_single(b"Content-Length: 7\n")
    framer.feed(b'{"a"')
    assert not framer.is_single(b'{"a":1}\n')


lines = st.lists(
    st.sampled_from([case[1] for case in CASES if case[1].endswith(b"\n")]), max_size=5
)


@given(lines, st.lists(st.integers(0, 200), max_size=8))
def test_cuts_do_not_matter(chosen: list[bytes], cuts: list[int]) -> None:
    data = b"".join(chosen)
    whole = Framer().feed(data)
    framer, found, start = Framer(), [], 0
    for cut in [*sorted(cuts), len(data)]:
        found += framer.feed(data[start:cut])
        start = max(start, cut)
    assert found == whole


@given(st.lists(st.binary(max_size=60), max_size=6))
def test_any_bytes_are_survived(chunks: list[bytes]) -> None:
    framer = Framer(limit=50)
    for chunk in chunks:
        framer.feed(chunk)
    framer.end()


@pytest.mark.parametrize("filler", [b"x" * 5000, b"X: y\r\n" * 1000], ids=["one", "many"])
def test_headers_without_end_are_not_waited_for(filler: bytes) -> None:
    framer = Framer()
    found = framer.feed(b"Content-Length: 7\r\n" + filler + b'\n{"a":1}\n')
    assert found[-1] == b'{"a":1}'
    assert framer.feed(b'{"b":2}\n') == [b'{"b":2}']
    framer = Framer()
    assert framer.feed(b"Content-Length: 7\r\n" + b"x" * 5000) == []
    assert framer.feed(b'\n{"a":1}\n')[-1] == b'{"a":1}'


def test_a_frame_cut_off_by_the_end_is_no_message() -> None:
    framer = Framer()
    assert framer.feed(b"Content-Length: 10\r\n\r\n{}") == []
    assert framer.end() == []
