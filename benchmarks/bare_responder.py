"""The floor: read, parse, answer with as many bytes as asked, nothing else.

`bare_responder.py lmdb` imports what a server of this kind cannot do without, to time a cold start.
"""

import os
import sys

import orjson

if "lmdb" in sys.argv:
    import lmdb

    assert lmdb.version()

PADDING = b"x" * 1_000_000


def main() -> None:
    buffer = b""
    while data := os.read(0, 65536):
        buffer += data
        *lines, buffer = buffer.split(b"\n")
        for line in lines:
            message = orjson.loads(line)
            if "id" in message:
                arguments = message.get("params", {}).get("arguments", {})
                os_write(answer(message["id"], arguments.get("size", 0)))


def answer(identity: int, size: int) -> bytes:
    return b'{"jsonrpc":"2.0","id":%d,"result":{"content":[{"type":"text","text":"%b"}]}}\n' % (
        identity,
        PADDING[:size],
    )


def os_write(data: bytes) -> None:
    view = memoryview(data)
    while view:
        view = view[os.write(1, view) :]


if __name__ == "__main__":
    main()
