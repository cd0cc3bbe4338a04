"""Whether the process that started us, and the client behind it, are still there.

A pipe alone does not tell: another process may hold its other end open. Where a wrapper (a shell, a
package runner) handed its own standard input on to us, the client is the first ancestor that does not
share it; its death counts too. Outside Linux only the parent is watched.
"""

import os


class Ancestry:
    """The parent and the client as they were at the start."""

    def __init__(self, stdin_fd: int) -> None:
        self._parent = os.getppid()
        self._client: tuple[int, str] | None = None
        try:
            pid = _find_client(self._parent, os.readlink(f"/proc/self/fd/{stdin_fd}"))
            self._client = (pid, _started(pid)) if pid > 1 else None
        except OSError:
            pass

    def is_broken(self) -> bool:
        if os.getppid() != self._parent:
            return True
        if self._client is None:
            return False
        try:
            return _started(self._client[0]) != self._client[1]
        except OSError:
            return True


def _find_client(pid: int, stdin: str) -> int:
    """The nearest ancestor whose standard input is not ours."""
    while pid > 1 and ":[" in stdin:
        try:
            if os.readlink(f"/proc/{pid}/fd/0") != stdin:
                break
        except PermissionError:
            break
        pid = int(_status(pid)[1])
    return pid


def _started(pid: int) -> str:
    """When a process began; a number used again by another process has another start."""
    fields = _status(pid)
    if fields[0] == "Z":
        raise ProcessLookupError(pid)
    return fields[19]


def _status(pid: int) -> list[str]:
    """The fields of /proc/PID/stat after the name: state, parent, …, start time."""
    with open(f"/proc/{pid}/stat", "rb") as file:
        return file.read().rpartition(b")")[2].decode().split()
