"""The journal: append-only segments of checked records, the truth behind the collaboration index.

A segment is a header and frames; a frame is `mark, length, crc, seq, payload`, the payload JSON and
a newline. The mark holds bytes that UTF-8 never does, so after damage the next frame is found by
looking for it and nothing a client wrote can pass for one. A frame without payload ends a segment and
says the next one follows. Space is filled with zeros ahead of use: a sync then writes data alone and
no file size. What follows the last frame is zeros, or a tail torn by a crash.
"""

import errno
import os
import struct
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from agrama.errors import StoreError, StoreFormatError, StoreFullError

# One history line per bump; a journal of a newer format is refused, never rewritten.
#   1  header of 32 bytes, frames of 20 bytes and a JSON payload
FORMAT_VERSION = 1

SEGMENT_BYTES = 16 << 20
MAX_PAYLOAD_BYTES = 8 << 20
HEADER_BYTES = 32

_SEGMENT_MARK = b"AGRAMA\xffJ"
_HEADER = struct.Struct("<8sHxxIQI4x")  # mark, version, number, first seq, crc of what precedes it
_FRAME_MARK = b"\xffJ\xfeR"
_FRAME = struct.Struct("<4sIIQ")
_CHECKED = struct.Struct("<IQ")
FRAME_BYTES = _FRAME.size
_AHEAD_BYTES = 256 << 10  # about 500 messages between two extensions


@dataclass(frozen=True, slots=True, order=True)
class Position:
    """A place in the journal."""

    segment: int
    offset: int


@dataclass(frozen=True, slots=True)
class Frame:
    """One whole record, or (with an empty payload) the end of its segment."""

    seq: int
    payload: bytes
    start: Position
    end: Position


@dataclass(frozen=True, slots=True)
class Damage:
    """Bytes that are no record. `torn` is an unfinished tail, anything else has records after it."""

    start: Position
    size_bytes: int
    reason: str

    @property
    def torn(self) -> bool:
        return self.reason == "torn"

    def __str__(self) -> str:
        name = segment_name(self.start.segment)
        return f"{name} offset {self.start.offset}: {self.size_bytes} bytes {self.reason}"


def encode_frame(seq: int, payload: bytes) -> bytes:
    length = len(payload)
    check = zlib.crc32(payload, zlib.crc32(_CHECKED.pack(length, seq)))
    return _FRAME.pack(_FRAME_MARK, length, check, seq) + payload


def segment_name(number: int) -> str:
    return f"{number:08d}.journal"


def list_segments(folder: Path) -> list[int]:
    """The numbers of the segments in a folder, ascending."""
    try:
        names = os.listdir(folder)
    except FileNotFoundError:
        return []
    stems = (name.removesuffix(".journal") for name in names if name.endswith(".journal"))
    return sorted(int(stem) for stem in stems if stem.isdecimal())


def scan(folder: Path, start: Position | None = None) -> Iterator[Frame | Damage]:
    """Everything in the journal from `start` on, in order, damage included."""
    last = start.segment if start else 0
    for number in list_segments(folder):
        if start and number < start.segment:
            continue
        if last and number > last + 1:
            reason = f"lost: {number - last - 1} segments before this one are missing"
            yield Damage(Position(number, 0), 0, reason)
        last = number
        data = (folder / segment_name(number)).read_bytes()
        offset = start.offset if start and number == start.segment else 0
        yield from _scan_segment(data, number, offset)


def _scan_segment(data: bytes, number: int, offset: int) -> Iterator[Frame | Damage]:
    if offset == 0:
        if _header_is_whole(data, number):
            offset = HEADER_BYTES
        elif not data.strip(b"\0"):
            return
    while offset < len(data):
        frame = _read_frame(data, number, offset)
        if frame is not None:
            yield frame
            offset = frame.end.offset
            continue
        found = _find_frame(data, number, offset + 1)
        rest = data[offset : found.start.offset] if found else data[offset:].rstrip(b"\0")
        if rest:
            reason = "damaged: the checksum does not match" if found else "torn"
            yield Damage(Position(number, offset), len(rest), reason)
        if found is None:
            return
        offset = found.start.offset


def _header_is_whole(data: bytes, number: int) -> bool:
    if len(data) < HEADER_BYTES:
        return False
    mark, version, stored, _, check = _HEADER.unpack_from(data)
    if mark != _SEGMENT_MARK or check != zlib.crc32(data[:24]):
        return False
    if version > FORMAT_VERSION:
        raise StoreFormatError(
            f"{segment_name(number)} has journal format {version}, this agrama reads "
            f"{FORMAT_VERSION}: upgrade agrama"
        )
    return bool(stored == number)


def _read_frame(data: bytes, number: int, offset: int) -> Frame | None:
    if offset + FRAME_BYTES > len(data):
        return None
    mark, length, check, seq = _FRAME.unpack_from(data, offset)
    if mark != _FRAME_MARK or length > MAX_PAYLOAD_BYTES:
        return None
    end = offset + FRAME_BYTES + length
    payload = data[offset + FRAME_BYTES : end]
    if len(payload) != length:
        return None
    if check != zlib.crc32(payload, zlib.crc32(_CHECKED.pack(length, seq))):
        return None
    return Frame(seq, payload, Position(number, offset), Position(number, end))


def _find_frame(data: bytes, number: int, offset: int) -> Frame | None:
    while (offset := data.find(_FRAME_MARK, offset)) >= 0:
        frame = _read_frame(data, number, offset)
        if frame is not None:
            return frame
        offset += 1
    return None


class Journal:
    """The segments as a writer uses them. Whoever calls it holds the index's write lock."""

    def __init__(self, folder: Path, *, segment_bytes: int = SEGMENT_BYTES) -> None:
        self.folder = folder
        self._segment_bytes = segment_bytes
        self._segment = 0
        self._descriptor = -1
        self._filled = 0

    @property
    def descriptor(self) -> int:
        """The file of the last segment, as long as nothing else is written."""
        return self._descriptor

    def start(self, number: int, first_seq: int) -> Position:
        """Begin a segment, durable before anything refers to it; an unfinished start is redone."""
        path = self.folder / segment_name(number)
        head = _HEADER.pack(_SEGMENT_MARK, FORMAT_VERSION, number, first_seq, 0)[:24]
        head += struct.pack("<I4x", zlib.crc32(head))
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        try:
            _write_all(descriptor, head, 0)
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
        sync_folder(self.folder)
        return Position(number, HEADER_BYTES)

    def is_clean(self, end: Position) -> bool:
        """Tell whether nothing follows the last known record."""
        self._attach(end.segment)
        return not os.pread(self._descriptor, 4, end.offset).strip(b"\0")

    def write(self, end: Position, frames: bytes, next_seq: int) -> Position:
        """Append frames at the end; what a failed write left is wiped out again."""
        self._attach(end.segment)
        reached = end.offset + len(frames)
        try:
            if reached > self._filled:
                self._fill(reached)
            _write_all(self._descriptor, frames, end.offset)
        except OSError as error:
            self._wipe(end.offset)
            raise explain(error, self.folder) from error
        if reached < self._segment_bytes:
            return Position(end.segment, reached)
        return self._rotate(Position(end.segment, reached), next_seq)

    def has_room(self, end: Position, frames: bytes) -> bool:
        """Tell whether frames fit into the segment without ending it."""
        return end.offset + len(frames) < self._segment_bytes

    def take_back(self, end: Position) -> None:
        """Take away what was just written behind the end, in the same segment."""
        self._attach(end.segment)
        self._wipe(end.offset)

    def cut(self, damage: Damage) -> None:
        """Take a torn tail away; its bytes are kept beside the journal for a person to look at."""
        self._attach(damage.start.segment)
        rest = os.pread(self._descriptor, damage.size_bytes, damage.start.offset)
        aside = self.folder / "cut"
        aside.mkdir(exist_ok=True, mode=0o700)
        name = f"{damage.start.segment:08d}-{damage.start.offset}.bin"
        (aside / name).write_bytes(rest)
        self._wipe(damage.start.offset)
        os.fdatasync(self._descriptor)

    def close(self) -> None:
        if self._descriptor >= 0:
            os.close(self._descriptor)
        self._descriptor = -1
        self._segment = 0

    def _rotate(self, end: Position, next_seq: int) -> Position:
        """End a segment with an empty frame; it is synced, so only the last one ever needs to be."""
        _write_all(self._descriptor, encode_frame(next_seq, b""), end.offset)
        os.ftruncate(self._descriptor, end.offset + FRAME_BYTES)
        os.fsync(self._descriptor)
        return self.start(end.segment + 1, next_seq)

    def _attach(self, segment: int) -> None:
        if segment == self._segment:
            return
        path = self.folder / segment_name(segment)
        try:
            descriptor = os.open(path, os.O_RDWR | os.O_CLOEXEC)
        except OSError as error:
            raise explain(error, path) from error
        self.close()
        self._descriptor = descriptor
        self._segment = segment
        self._filled = os.fstat(descriptor).st_size

    def _fill(self, reached: int) -> None:
        """Write zeros ahead: blocks given out beforehand make a sync cheaper by a fifth."""
        size = os.fstat(self._descriptor).st_size  # another process may have been here
        if reached > size:
            zeros = bytes(reached - size + _AHEAD_BYTES)
            _write_all(self._descriptor, zeros, size)
            size += len(zeros)
        self._filled = size

    def _wipe(self, offset: int) -> None:
        os.ftruncate(self._descriptor, offset)
        self._filled = offset


def sync_folder(folder: Path) -> None:
    """Make the names in a folder durable."""
    descriptor = os.open(folder, os.O_RDONLY | os.O_CLOEXEC)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def explain(error: OSError, path: Path) -> StoreError:
    """An error of the file system as one of ours."""
    if error.errno in (errno.ENOSPC, errno.EDQUOT):
        return StoreFullError(f"The disk with {path} is full: free some space and try again")
    if error.errno in (errno.EROFS, errno.EACCES, errno.EPERM):
        return StoreError(
            f"{path} cannot be written ({error.strerror}): make it writable or set AGRAMA_HOME to a "
            "folder that is"
        )
    return StoreError(f"{path}: {error.strerror}: run `agrama sessions --verify`")


def _write_all(descriptor: int, data: bytes, offset: int) -> None:
    view = memoryview(data)
    while view:
        written = os.pwrite(descriptor, view, offset)
        view = view[written:]
        offset += written
