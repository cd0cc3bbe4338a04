"""Values between processes: four bytes of length, then a marshalled value."""

import marshal
import os
import struct
from typing import Any

_LENGTH = struct.Struct("<I")


def pack_frame(value: Any) -> bytes:
    data = marshal.dumps(value)
    return _LENGTH.pack(len(data)) + data


def write_all(descriptor: int, data: bytes) -> None:
    """Write everything, however small the pieces the other end takes."""
    view = memoryview(data)
    while view:
        view = view[os.write(descriptor, view) :]


class Frames:
    """Cuts a stream of bytes into frames."""

    def __init__(self) -> None:
        self._buffer = bytearray()

    def feed(self, data: bytes) -> list[Any]:
        """The values that are complete now."""
        self._buffer += data
        found = []
        at = 0
        while len(self._buffer) - at >= _LENGTH.size:
            (length,) = _LENGTH.unpack_from(self._buffer, at)
            end = at + _LENGTH.size + length
            if len(self._buffer) < end:
                break
            found.append(marshal.loads(memoryview(self._buffer)[at + _LENGTH.size : end]))  # noqa: S302
            at = end
        del self._buffer[:at]
        return found
