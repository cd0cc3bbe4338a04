"""Bytes of a stream into messages: one line each, or `Content-Length` frames.

`feed` takes whatever arrived and gives the complete messages in it. A message over the limit is not
kept: it becomes one `TooLong` and its remaining bytes are dropped as they come. Blank lines vanish.
Headers may be given at any time, also between lines; only `Content-Length` is looked at.
"""

from agrama.protocol.messages import MAX_MESSAGE_BYTES

_HEADER = b"content-length:"
_MAX_HEADER_BYTES = 4096


class TooLong:
    """Stands where a message over the limit was."""

    __slots__ = ("size_bytes",)

    def __init__(self, size_bytes: int) -> None:
        self.size_bytes = size_bytes


class Framer:
    """State between two reads."""

    __slots__ = ("_buffer", "_limit", "_skip_bytes", "_skip_line", "_wanted")

    def __init__(self, limit: int = MAX_MESSAGE_BYTES) -> None:
        self._limit = limit
        self._buffer = bytearray()
        self._wanted = -1  # bytes of the body of a Content-Length frame, -1 outside one
        self._skip_line = False
        self._skip_bytes = 0

    def feed(self, data: bytes) -> list[bytes | TooLong]:
        # The usual reads first: whole lines that begin like JSON, no frame or skip under way.
        if self._wanted < 0 and not self._skip_line and not self._skip_bytes:
            if self._buffer:
                if b"\n" not in data or len(self._buffer) + len(data) > self._limit:
                    return self._slow(data)
                data = bytes(self._buffer) + data
            lines: list[bytes | TooLong] = data.split(b"\n")  # type: ignore[assignment]
            rest = lines.pop()
            if all(line[:1] == b"{" for line in lines):  # type: ignore[index]
                self._buffer[:] = rest  # type: ignore[assignment]
                if len(rest) <= self._limit:  # type: ignore[arg-type]
                    return lines
                data = b""
            else:
                self._buffer.clear()
        return self._slow(data)

    def is_single(self, data: bytes) -> bool:
        """Tell whether `data` is one whole line and needs no framing: most reads are."""
        return (
            data[:1] == b"{"
            and not self._buffer
            and data.find(b"\n") == len(data) - 1
            and self._wanted < 0
            and not self._skip_line
            and not self._skip_bytes
        )

    def end(self) -> list[bytes | TooLong]:
        """What an unterminated last line holds, at end of file."""
        if self._wanted >= 0 or self._skip_line or self._skip_bytes:
            return []
        rest = bytes(self._buffer)
        self._buffer.clear()
        return [rest] if rest.strip() else []

    def _slow(self, data: bytes) -> list[bytes | TooLong]:
        found: list[bytes | TooLong] = []
        if self._skip_bytes:
            dropped = min(self._skip_bytes, len(data))
            self._skip_bytes -= dropped
            data = data[dropped:]
        if self._skip_line:
            end = data.find(b"\n")
            if end < 0:
                return found
            self._skip_line = False
            data = data[end + 1 :]
        self._buffer += data
        while self._step(found):
            pass
        return found

    def _step(self, found: list[bytes | TooLong]) -> bool:
        if self._wanted >= 0:
            return self._take_body(found)
        buffer = self._buffer
        end = buffer.find(b"\n")
        if end < 0:
            if len(buffer) > self._limit:
                found.append(TooLong(len(buffer)))
                buffer.clear()
                self._skip_line = True
            return False
        if end > self._limit:
            found.append(TooLong(end))
            del buffer[: end + 1]
            return True
        line = bytes(buffer[:end])
        if line[:15].lower() == _HEADER:
            return self._take_header(line, end)
        del buffer[: end + 1]
        if line.strip():
            found.append(line)
        return True

    def _take_header(self, line: bytes, end: int) -> bool:
        """Begin a frame once its header block is complete; other headers in it are ignored."""
        buffer = self._buffer
        start = end + 1
        while True:
            stop = buffer.find(b"\n", start)
            if stop < 0:
                if len(buffer) > _MAX_HEADER_BYTES:
                    del buffer[: end + 1]
                    return True
                return False
            if not buffer[start:stop].strip():
                break
            start = stop + 1
            if start > _MAX_HEADER_BYTES:
                del buffer[: end + 1]
                return True
        size = line[15:].strip()
        del buffer[: stop + 1]
        self._wanted = int(size) if size.isdigit() and len(size) < 19 else 0
        return True

    def _take_body(self, found: list[bytes | TooLong]) -> bool:
        buffer, wanted = self._buffer, self._wanted
        if wanted > self._limit:
            found.append(TooLong(wanted))
            dropped = min(wanted, len(buffer))
            del buffer[:dropped]
            self._skip_bytes = wanted - dropped
            self._wanted = -1
            return self._skip_bytes == 0
        if len(buffer) < wanted:
            return False
        body = bytes(buffer[:wanted])
        del buffer[:wanted]
        self._wanted = -1
        if body.strip():
            # A body may be pretty-printed; it is one message whatever it contains.
            found.append(body)
        return True
