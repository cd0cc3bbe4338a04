"""The response cache, on a clock of its own."""

import mmap
import os
import sys
from pathlib import Path

import pytest

from agrama.cache import MAX_FILES, ResponseCache


class Clock:
    def __init__(self) -> None:
        self.now_ns = 0

    def __call__(self) -> int:
        return self.now_ns

    def advance(self, seconds: float) -> None:
        self.now_ns += int(seconds * 1e9)


@pytest.fixture
def clock() -> Clock:
    return Clock()


def test_entries_live_300_seconds(clock: Clock) -> None:
    cache = ResponseCache(clock)
    cache.put("k", b"body")
    clock.advance(299.9)
    assert cache.get("k") == b"body"
    clock.advance(0.1)
    assert cache.get("k") is None
    assert (cache.hits, cache.misses, len(cache), cache.size_bytes) == (1, 1, 0, 0)


def test_an_answer_may_live_shorter_but_not_longer(clock: Clock) -> None:
    cache = ResponseCache(clock)
    cache.put("short", b"x", ttl_seconds=5)
    cache.put("long", b"x", ttl_seconds=5000)
    assert not cache.put("never", b"x", ttl_seconds=0)
    clock.advance(5)
    assert cache.get("short") is None
    assert cache.get("never") is None
    clock.advance(295)
    assert cache.get("long") is None


def test_least_recently_used_goes_first(clock: Clock) -> None:
    cache = ResponseCache(clock, max_bytes=20_000)
    for name in "abcdefgh":
        cache.put(name, b"x" * 1900)
        cache.get("a")
    assert cache.size_bytes <= 20_000
    cache.put("i", b"x" * 1900)
    assert cache.get("a") is not None
    assert cache.get("b") is None
    assert cache.evictions > 0


def test_too_big_an_answer_is_not_kept(clock: Clock) -> None:
    cache = ResponseCache(clock, max_bytes=8_000)
    assert not cache.put("k", b"x" * 2_000)
    assert cache.get("k") is None


def test_replacing_counts_once(clock: Clock) -> None:
    cache = ResponseCache(clock)
    for _ in range(10):
        cache.put("k", b"x" * 100)
    assert len(cache) == 1
    assert cache.size_bytes < 1000


def test_dropped_when_a_file_changes(clock: Clock, tmp_path: Path) -> None:
    cache = ResponseCache(clock)
    path = tmp_path / "file"
    path.write_text("one")
    status = os.stat(path)
    files = [(str(path), status.st_mtime_ns, status.st_size)]
    cache.put("k", b"body", files=files)
    assert cache.get("k") == b"body"
    path.write_text("three")
    assert cache.get("k") is None
    cache.put("k", b"body", files=files)
    path.unlink()
    assert cache.get("k") is None


def test_a_file_recorded_as_missing_must_stay_missing(clock: Clock, tmp_path: Path) -> None:
    cache = ResponseCache(clock)
    path = tmp_path / "file"
    cache.put("k", b"body", files=[(str(path), 0, -1)])
    assert cache.get("k") == b"body"
    path.write_text("here now")
    assert cache.get("k") is None


def test_too_many_files_are_not_watched(clock: Clock) -> None:
    files = [(f"/nowhere/{number}", 0, -1) for number in range(MAX_FILES + 1)]
    assert not ResponseCache(clock).put("k", b"body", files=files)


def test_an_answer_of_another_version_is_dropped_on_sight(clock: Clock) -> None:
    cache = ResponseCache(clock)
    cache.put("k", b"old", 1)
    assert cache.get("k", 1) == b"old"
    assert cache.get("k", 2) is None
    assert (len(cache), cache.size_bytes) == (0, 0)
    for version in range(100):
        cache.put("k", b"new", version)
    assert len(cache) == 1


def test_an_answer_evicted_while_it_is_looked_at_is_still_given() -> None:
    crowd = [f"other {number}" for number in range(20)]

    def crowded() -> int:
        """The clock is read between finding an entry and marking it as used: others come then."""
        while looking and crowd:
            cache.put(crowd.pop(), b"x" * 500)
        return 0

    looking = False
    cache = ResponseCache(crowded, max_bytes=10_000)
    cache.put("k", b"body")
    looking = True
    assert cache.get("k") == b"body"
    assert cache.get("k") is None


def put_many_files(cache: ResponseCache, folder: Path) -> list[Path]:
    folder.mkdir()
    paths = [folder / name for name in "abcd"]
    for path in paths:
        path.write_text("text")
    cache.put("k", b"body", files=[(str(p), p.stat().st_mtime_ns, 4) for p in paths])
    return paths


def test_an_answer_about_many_files_goes_at_once_when_one_changes(
    clock: Clock, tmp_path: Path
) -> None:
    cache = ResponseCache(clock)
    for turn in range(3):
        paths = put_many_files(cache, tmp_path / str(turn))
        for _ in range(3):
            assert cache.get("k") == b"body"
        if turn == 0:
            paths[2].write_text("longer text")
        elif turn == 1:
            paths[1].rename(tmp_path / "elsewhere")
        else:
            paths[0].parent.rename(tmp_path / "moved")
        assert cache.get("k") is None
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
        assert cache.get("k") == b"body"
        clock.advance(0.1)
        assert cache.get("k") is None
    cache.close()


def test_an_answer_that_holds_for_no_time_is_not_kept(clock: Clock) -> None:
    cache = ResponseCache(clock)
    assert not cache.put("k", b"body", ttl_seconds=0)
    assert cache.get("k") is None
