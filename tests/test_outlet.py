"""Writing without waiting for the reader."""

import contextlib
import os
import threading
import time
from collections.abc import Iterator

import pytest

from agrama.outlet import Outlet


@pytest.fixture
def pipe() -> Iterator[tuple[int, int]]:
    """The two ends of a pipe; every writer of an outlet is gone before its number is used again."""
    before = set(threading.enumerate())
    ends = os.pipe()
    yield ends
    with contextlib.suppress(OSError):
        os.close(ends[0])
    for thread in set(threading.enumerate()) - before:
        if thread.name == "agrama-writer":
            thread.join(5)
    os.close(ends[1])


def read_all(descriptor: int, size: int) -> bytes:
    data = b""
    while len(data) < size:
        data += os.read(descriptor, 1 << 16)
    return data


def test_more_than_the_pipe_holds_is_kept_in_order(pipe: tuple[int, int]) -> None:
    outlet = Outlet(pipe[1])
    lines = [b"%d " % number + b"x" * (number * 37 % 5000) + b"\n" for number in range(500)]
    start = time.monotonic()
    for line in lines:
        outlet.write(line)
    assert time.monotonic() - start < 1
    whole = b"".join(lines)
    assert read_all(pipe[0], len(whole)) == whole
    assert outlet.flush(1)
    os.close(pipe[0])
    outlet.write(b"x")


def test_messages_of_many_threads_stay_whole(pipe: tuple[int, int]) -> None:
    outlet = Outlet(pipe[1])

    def write(name: int) -> None:
        for number in range(50):
            outlet.write_all([b"%d:" % name, b"%d" % name * (number * 400), b"\n"])

    threads = [threading.Thread(target=write, args=(name,)) for name in range(4)]
    for thread in threads:
        thread.start()
    size = sum(3 + number * 400 for number in range(50)) * 4
    lines = read_all(pipe[0], size).splitlines()
    for thread in threads:
        thread.join()
    os.close(pipe[0])
    outlet.write(b"x")
    assert len(lines) == 200
    for line in lines:
        name, _, rest = line.partition(b":")
        assert rest == name * len(rest)


def test_reader_that_goes_away(pipe: tuple[int, int]) -> None:
    outlet = Outlet(pipe[1])
    outlet.write(b"x" * 1_000_000)
    assert not outlet.is_abandoned
    os.close(pipe[0])
    assert outlet.is_abandoned
    outlet.write(b"more")
    assert outlet.flush(1)


def test_flush_gives_up_in_time(pipe: tuple[int, int]) -> None:
    outlet = Outlet(pipe[1])
    outlet.write(b"x" * 1_000_000)
    assert not outlet.flush(0.05)
