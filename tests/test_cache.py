"""The response cache, on a clock of its own."""

import mmap
import os
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest

from agrama.cache import MAX_FILES, ResponseCache
from agrama.inotify import Directories


class Clock:
    def __init__(self) -> None:
        self.now_ns = 0

    def __call__(self) -> int:
        return self.now_ns

    def advance(self, seconds: float) -> None:
        self.now_ns += int(seconds * 1e9)


def get(cache: ResponseCache, key: str) -> bytes | None:
    return cache.get(key, cache.now())


def put(cache: ResponseCache, key: str, body: bytes, **how: Any) -> bool:
    return cache.put(key, body, cache.now(), **how)


@pytest.fixture
def clock() -> Clock:
    return Clock()


def test_entries_live_300_seconds(clock: Clock) -> None:
    cache = ResponseCache(clock)
    put(cache, "k", b"body")
    clock.advance(299.9)
    assert get(cache, "k") == b"body"
    clock.advance(0.1)
    assert get(cache, "k") is None
    assert (cache.hits, cache.misses, len(cache), cache.size_bytes) == (1, 1, 0, 0)


def test_an_answer_may_live_shorter_but_not_longer(clock: Clock) -> None:
    cache = ResponseCache(clock)
    put(cache, "short", b"x", ttl_seconds=5)
    put(cache, "long", b"x", ttl_seconds=5000)
    assert not put(cache, "never", b"x", ttl_seconds=0)
    clock.advance(5)
    assert get(cache, "short") is None
    assert get(cache, "never") is None
    clock.advance(295)
    assert get(cache, "long") is None


def test_least_recently_used_goes_first(clock: Clock) -> None:
    cache = ResponseCache(clock, max_bytes=20_000)
    for name in "abcdefgh":
        put(cache, name, b"x" * 1900)
        clock.advance(1)
        get(cache, "a")
    assert cache.size_bytes <= 20_000
    put(cache, "i", b"x" * 1900)
    assert get(cache, "a") is not None
    assert get(cache, "b") is None
    assert cache.evictions > 0


def test_too_big_an_answer_is_not_kept(clock: Clock) -> None:
    cache = ResponseCache(clock, max_bytes=8_000)
    assert not put(cache, "k", b"x" * 2_000)
    assert get(cache, "k") is None


def test_replacing_counts_once(clock: Clock) -> None:
    cache = ResponseCache(clock)
    for _ in range(10):
        put(cache, "k", b"x" * 100)
    assert len(cache) == 1
    assert cache.size_bytes < 1000


def test_dropped_when_a_file_changes(clock: Clock, tmp_path: Path) -> None:
    cache = ResponseCache(clock)
    path = tmp_path / "file"
    path.write_text("one")
    status = os.stat(path)
    files = [(str(path), status.st_mtime_ns, status.st_size)]
    put(cache, "k", b"body", files=files)
    assert get(cache, "k") == b"body"
    path.write_text("three")
    assert get(cache, "k") is None
    put(cache, "k", b"body", files=files)
    path.unlink()
    assert get(cache, "k") is None


def test_a_file_recorded_as_missing_must_stay_missing(clock: Clock, tmp_path: Path) -> None:
    cache = ResponseCache(clock)
    path = tmp_path / "file"
    put(cache, "k", b"body", files=[(str(path), 0, -1)])
    assert get(cache, "k") == b"body"
    path.write_text("here now")
    assert get(cache, "k") is None


def test_too_many_files_are_not_watched(clock: Clock) -> None:
    files = [(f"/nowhere/{number}", 0, -1) for number in range(MAX_FILES + 1)]
    assert not put(ResponseCache(clock), "k", b"body", files=files)


def test_an_answer_of_another_version_is_dropped_on_sight(clock: Clock) -> None:
    version = 1
    cache = ResponseCache(clock, version=lambda epoch: version)
    put(cache, "k", b"old")
    assert get(cache, "k") == b"old"
    version = 2
    assert get(cache, "k") is None
    assert (len(cache), cache.size_bytes) == (0, 0)
    put(cache, "k", b"new")
    assert get(cache, "k") == b"new"


def test_a_dropped_entry_that_somebody_kept_holds_nothing(clock: Clock) -> None:
    cache = ResponseCache(clock)
    put(cache, "k", b"old")
    entry = cache.find("k")
    assert entry is not None and cache.holds(entry, cache.now())
    put(cache, "k", b"new")
    assert not cache.holds(entry, cache.now())
    assert entry.body == b""
    assert get(cache, "k") == b"new"


def test_an_answer_dropped_while_it_is_looked_at_is_still_given(
    clock: Clock, tmp_path: Path
) -> None:
    class Crowded(Directories):
        def watch(self, paths: Iterable[str]) -> bool:
            """Called while an entry is looked at: others come then."""
            while looking and crowd:
                clock.advance(0.01)
                put(cache, crowd.pop(), b"x" * 500)
            return super().watch(paths)

    crowd = [f"other {number}" for number in range(30)]
    looking = False
    cache = ResponseCache(clock, max_bytes=10_000, directories=Crowded())
    put(cache, "k", b"body")
    clock.advance(6)
    looking = True
    assert get(cache, "k") == b"body"
    assert get(cache, "k") is None


def put_many_files(cache: ResponseCache, folder: Path) -> list[Path]:
    folder.mkdir()
    paths = [folder / name for name in "abcd"]
    for path in paths:
        path.write_text("text")
    put(cache, "k", b"body", files=[(str(p), p.stat().st_mtime_ns, 4) for p in paths])
    return paths


def test_an_answer_about_many_files_goes_at_once_when_one_changes(
    clock: Clock, tmp_path: Path
) -> None:
    cache = ResponseCache(clock)
    for turn in range(3):
        paths = put_many_files(cache, tmp_path / str(turn))
        for _ in range(3):
            assert get(cache, "k") == b"body"
        if turn == 0:
            paths[2].write_text("longer text")
        elif turn == 1:
            paths[1].rename(tmp_path / "elsewhere")
        else:
            paths[0].parent.rename(tmp_path / "moved")
        assert get(cache, "k") is None
    cache.close()


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="inotify is Linux's")
def test_a_change_that_causes_no_event_is_seen_within_five_seconds(
    clock: Clock, tmp_path: Path
) -> None:
    cache = ResponseCache(clock)
    path = put_many_files(cache, tmp_path / "folder")[0]
    with path.open("r+b") as file, mmap.mmap(file.fileno(), 4) as mapped:
        mapped[:] = b"TEXT"
        mapped.flush()
        clock.advance(4.9)
        assert get(cache, "k") == b"body"
        clock.advance(0.1)
        assert get(cache, "k") is None
    cache.close()


def test_an_answer_that_holds_for_no_time_is_not_kept(clock: Clock) -> None:
    cache = ResponseCache(clock)
    assert not put(cache, "k", b"body", ttl_seconds=0)
    assert get(cache, "k") is None
