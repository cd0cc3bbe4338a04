"""How a process asks the one indexer of a repository to look at files: one JSON line each way.

The socket's path may be longer than the 107 bytes the kernel takes, so it is bound and reached
through a descriptor of its folder.
"""

import contextlib
import os
import socket
import threading
from collections.abc import Callable, Collection
from pathlib import Path
from types import TracebackType
from typing import Any, NamedTuple, Self

import orjson

_NAME = "indexer.sock"
_LINE_BYTES = 1 << 20
_READ_SECONDS = 5.0


class Request(NamedTuple):
    """Look at these paths, None: at everything. `answer` takes the report or an error."""

    paths: tuple[str, ...] | None
    answer: Callable[[dict[str, Any]], None] | None


def ask_indexer(
    folder: Path, paths: Collection[str] | None, timeout_seconds: float
) -> dict[str, Any] | None:
    """Have the running indexer look at files; its report, None when none answers in time."""
    deadline_question = orjson.dumps({"paths": None if paths is None else sorted(paths)}) + b"\n"
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as link:
        link.settimeout(timeout_seconds)
        try:
            with _address(folder) as address:
                link.connect(address)
            link.sendall(deadline_question)
            line = _read_line(link)
        except (OSError, ValueError):
            return None
    answer: dict[str, Any] | None = orjson.loads(line) if line else None
    return answer


def is_answered(folder: Path) -> bool:
    """Whether an indexer seems to be there; one that died in a hurry leaves its socket behind."""
    return (folder / _NAME).exists()


class Server:
    """Takes requests of other processes and hands them on."""

    def __init__(self, folder: Path, put: Callable[[Request], None]) -> None:
        self._put = put
        self._path = folder / _NAME
        self._path.unlink(missing_ok=True)  # of an indexer that died: we hold the lock
        self._listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        with _address(folder) as address:
            self._listener.bind(address)
        self._path.chmod(0o600)
        self._listener.listen(16)
        threading.Thread(target=self._serve, name="indexer-socket", daemon=True).start()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self._path.unlink(missing_ok=True)
        self._listener.close()

    def _serve(self) -> None:
        while True:
            try:
                link, _ = self._listener.accept()
            except OSError:
                return  # closed
            threading.Thread(target=self._take, args=(link,), daemon=True).start()

    def _take(self, link: socket.socket) -> None:
        link.settimeout(_READ_SECONDS)
        try:
            asked = orjson.loads(_read_line(link))["paths"]
            paths = None if asked is None else tuple(str(path) for path in asked)
        except (OSError, ValueError, KeyError, TypeError):
            link.close()
            return

        def answer(report: dict[str, Any]) -> None:
            with contextlib.suppress(OSError), link:  # who asked may have stopped waiting
                link.sendall(orjson.dumps(report) + b"\n")

        self._put(Request(paths, answer))


def _read_line(link: socket.socket) -> bytes:
    data = bytearray()
    while not data.endswith(b"\n"):
        part = link.recv(1 << 16)
        if not part:
            return b""
        data += part
        if len(data) > _LINE_BYTES:
            raise ValueError("the line is too long")
    return bytes(data)


@contextlib.contextmanager
def _address(folder: Path) -> Any:
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        through = f"/proc/self/fd/{descriptor}/{_NAME}"
        yield through if os.path.isdir("/proc/self/fd") else str(folder / _NAME)
    finally:
        os.close(descriptor)
