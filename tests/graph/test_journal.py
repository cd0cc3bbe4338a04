"""The journal as bytes: frames, damage, torn tails, segments."""

from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from agrama.errors import StoreFormatError
from agrama.graph.journal import (
    HEADER_BYTES,
    Damage,
    Frame,
    Journal,
    Position,
    encode_frame,
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
