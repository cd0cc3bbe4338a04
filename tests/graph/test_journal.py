"""The journal as bytes: frames, damage, torn tails, segments."""

import errno
import resource
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from agrama.errors import StoreError, StoreFormatError, StoreFullError
from agrama.graph.journal import (
    HEADER_BYTES,
    Damage,
    Frame,
    Journal,
    Position,
    encode_frame,
    explain,
    list_segments,
    scan,
    segment_name,
)


def write_records(folder: Path, count: int, *, segment_bytes: int = 1 << 20) -> list[Position]:
    """Records 1..count, one by one; where each begins."""
    journal = Journal(folder, segment_bytes=segment_bytes)
    end = journal.start(1, 1)
    starts = []
    for seq in range(1, count + 1):
        starts.append(end)
        end = journal.write(end, encode_frame(seq, b'{"n":%d}\n' % seq), seq + 1)
    journal.close()
    return starts


def read_seqs(folder: Path) -> list[int]:
    return [item.seq for item in scan(folder) if isinstance(item, Frame) and item.payload]


def damages(folder: Path) -> list[Damage]:
    return [item for item in scan(folder) if isinstance(item, Damage)]


def test_what_is_written_is_read_in_order(tmp_path: Path) -> None:
    write_records(tmp_path, 50)
    assert read_seqs(tmp_path) == list(range(1, 51))
    assert damages(tmp_path) == []


def test_segments_follow_each_other(tmp_path: Path) -> None:
    write_records(tmp_path, 100, segment_bytes=400)
    assert len(list_segments(tmp_path)) > 5
    assert read_seqs(tmp_path) == list(range(1, 101))
    assert damages(tmp_path) == []


def test_a_flipped_bit_is_found_with_its_position_and_the_rest_is_read(tmp_path: Path) -> None:
    starts = write_records(tmp_path, 10)
    path = tmp_path / segment_name(1)
    whole = path.read_bytes()
    for offset in range(starts[4].offset, starts[5].offset):
        for bit in (0, 7):
            broken = bytearray(whole)
            broken[offset] ^= 1 << bit
            path.write_bytes(broken)
            assert [item.start for item in damages(tmp_path)] == [starts[4]]
            assert read_seqs(tmp_path) == [1, 2, 3, 4, 6, 7, 8, 9, 10]


def test_a_tail_cut_anywhere_leaves_the_whole_records(tmp_path: Path) -> None:
    starts = write_records(tmp_path, 5)
    path = tmp_path / segment_name(1)
    whole = path.read_bytes()
    for end in range(starts[3].offset, starts[4].offset):
        path.write_bytes(whole[:end])
        assert read_seqs(tmp_path) == [1, 2, 3]
        torn = [item for item in damages(tmp_path) if item.torn]
        assert len(torn) == (end > starts[3].offset)


def test_a_damaged_header_does_not_hide_the_records(tmp_path: Path) -> None:
    write_records(tmp_path, 3)
    path = tmp_path / segment_name(1)
    path.write_bytes(b"\0" * 8 + path.read_bytes()[8:])
    assert read_seqs(tmp_path) == [1, 2, 3]
    assert damages(tmp_path)[0].start == Position(1, 0)


def test_a_missing_segment_is_reported(tmp_path: Path) -> None:
    write_records(tmp_path, 40, segment_bytes=400)
    (tmp_path / segment_name(2)).unlink()
    assert ["lost" in item.reason for item in damages(tmp_path)] == [True]


def test_a_newer_format_is_refused(tmp_path: Path) -> None:
    import struct
    import zlib

    write_records(tmp_path, 1)
    path = tmp_path / segment_name(1)
    data = bytearray(path.read_bytes())
    data[8:10] = struct.pack("<H", 99)
    data[24:28] = struct.pack("<I", zlib.crc32(bytes(data[:24])))
    path.write_bytes(data)
    with pytest.raises(StoreFormatError, match="99"):
        list(scan(tmp_path))


@settings(
    max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(st.lists(st.binary(max_size=80), min_size=1, max_size=6), st.binary(min_size=1, max_size=40))
def test_garbage_behind_the_records_is_never_taken_for_one(
    tmp_path: Path, payloads: list[bytes], garbage: bytes
) -> None:
    journal = Journal(tmp_path)
    end = journal.start(1, 1)
    for seq, payload in enumerate(payloads, 1):
        end = journal.write(end, encode_frame(seq, payload + b"\n"), seq + 1)
    journal.close()
    path = tmp_path / segment_name(1)
    path.write_bytes(path.read_bytes()[: end.offset] + garbage)
    assert read_seqs(tmp_path) == list(range(1, len(payloads) + 1))
    assert end.offset > HEADER_BYTES


def test_no_folder_is_an_empty_journal(tmp_path: Path) -> None:
    assert list(scan(tmp_path / "nowhere")) == []


def test_reading_on_from_a_position_skips_what_lies_before(tmp_path: Path) -> None:
    starts = write_records(tmp_path, 100, segment_bytes=400)
    found = [
        item.seq for item in scan(tmp_path, starts[60]) if isinstance(item, Frame) and item.payload
    ]
    assert found == list(range(61, 101))


def test_a_segment_that_was_only_begun_holds_nothing(tmp_path: Path) -> None:
    write_records(tmp_path, 3)
    begun = tmp_path / segment_name(2)
    for data, torn in ((b"", 0), (bytes(4096), 0), (b"AGJ", 1)):
        begun.write_bytes(data)
        assert read_seqs(tmp_path) == [1, 2, 3]
        assert [item.torn for item in damages(tmp_path)] == [True] * torn


def test_two_writers_share_the_room_one_of_them_made(tmp_path: Path) -> None:
    first, second = Journal(tmp_path), Journal(tmp_path)
    end = first.start(1, 1)
    assert first.is_clean(end)  # it has seen the segment before the other one makes room in it
    end = second.write(end, encode_frame(1, b"one\n"), 2)
    size = (tmp_path / segment_name(1)).stat().st_size
    end = first.write(end, encode_frame(2, b"two\n"), 3)
    assert (tmp_path / segment_name(1)).stat().st_size == size
    assert read_seqs(tmp_path) == [1, 2]
    first.close()
    second.close()


def test_a_write_that_fails_leaves_the_records_before_it(tmp_path: Path) -> None:
    journal = Journal(tmp_path)
    end = journal.write(journal.start(1, 1), encode_frame(1, b"one\n"), 2)
    size = (tmp_path / segment_name(1)).stat().st_size
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, hard))
    try:
        with pytest.raises(StoreError, match="agrama sessions --verify"):
            journal.write(end, encode_frame(2, b"x" * (size + 1)), 3)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    assert read_seqs(tmp_path) == [1]
    assert damages(tmp_path) == []
    journal.write(end, encode_frame(2, b"two\n"), 3)
    assert read_seqs(tmp_path) == [1, 2]
    journal.close()


def test_a_segment_taken_away_is_an_error_that_says_what_to_do(tmp_path: Path) -> None:
    write_records(tmp_path, 1)
    (tmp_path / segment_name(1)).unlink()
    with pytest.raises(StoreError, match=r"00000001\.journal.*agrama sessions --verify"):
        Journal(tmp_path).is_clean(Position(1, HEADER_BYTES))


def test_a_full_disk_is_named(tmp_path: Path) -> None:
    error = explain(OSError(errno.ENOSPC, "No space left on device"), tmp_path)
    assert isinstance(error, StoreFullError)
    assert "free some space" in error.message


def test_a_folder_that_cannot_be_written_is_named_with_what_to_do(tmp_path: Path) -> None:
    error = explain(OSError(errno.EROFS, "Read-only file system"), tmp_path)
    assert "cannot be written (Read-only file system)" in error.message
    assert "AGRAMA_HOME" in error.message
