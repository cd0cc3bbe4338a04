"""The floor: read, parse, answer with as many bytes as asked, nothing else. Run as a file.

With the word `lmdb` it imports what a server of this kind cannot do without, to time a cold start.
"""

import importlib
import os
import sys

import orjson

PADDING = b"x" * 1_000_000


def main() -> None:
    if "lmdb" in sys.argv:
        importlib.import_module("lmdb")
    buffer = b""
    while data := os.read(0, 65536):
        buffer += data
        *lines, buffer = buffer.split(b"\n")
        for line in lines:
            message = orjson.loads(line)
            if "id" in message:
                arguments = message.get("params", {}).get("arguments", {})
                _write(answer(message["id"], arguments.get("size", 0)))


def answer(identity: int, size: int) -> bytes:
    """One result of about `size` bytes."""
    return b'{"jsonrpc":"2.0","id":%d,"result":{"content":[{"type":"text","text":"%b"}]}}\n' % (
        identity,
        PADDING[:size],
    )


def _write(data: bytes) -> None:
    view = memoryview(data)
    while view:
        view = view[os.write(1, view) :]


if __name__ == "__main__":
    main()
