"""Sleeping on a number in shared memory until another thread or process changes it.

Linux only; elsewhere `sleep` is a short nap, and whoever calls it looks again in any case.
"""

import ctypes
import errno
import mmap
import os
import platform
import sys
import time

_NUMBERS = {"x86_64": 202, "aarch64": 98, "riscv64": 98}  # of the system call, by machine
_WAIT, _WAKE = 0, 1
_EVERYBODY = 2**31 - 1
_NAP_SECONDS = 0.0005


class _Timespec(ctypes.Structure):
    _fields_ = (("seconds", ctypes.c_long), ("nanoseconds", ctypes.c_long))


class Futex:
    """A 32-bit cell of a shared mapping that can be waited on."""

    def __init__(self, memory: mmap.mmap, offset: int, patience_seconds: float) -> None:
        """`patience_seconds` is how long one `sleep` lasts at most."""
        self._cell = ctypes.c_uint32.from_buffer(memory, offset)
        self._place = ctypes.byref(self._cell)
        seconds = int(patience_seconds)
        self._patience = _Timespec(seconds, int((patience_seconds - seconds) * 1e9))
        number = _NUMBERS.get(platform.machine()) if sys.platform.startswith("linux") else None
        self._call = ctypes.CDLL(None, use_errno=True).syscall if number is not None else None
        self._number = number

    @property
    def value(self) -> int:
        return self._cell.value

    def sleep(self, value: int) -> None:
        """Return when woken, when the cell no longer holds `value`, or when patience ends."""
        if self._call is None:
            time.sleep(_NAP_SECONDS)
            return
        patience = ctypes.byref(self._patience)
        if self._call(self._number, self._place, _WAIT, value, patience, None, 0):
            code = ctypes.get_errno()
            if code not in (errno.EAGAIN, errno.EINTR, errno.ETIMEDOUT):
                raise OSError(code, os.strerror(code))

    def wake(self) -> None:
        """Give the cell a value it did not have, and wake everybody who sleeps on it."""
        # A time, not a count: two processes that count at once could agree on the same number.
        self._cell.value = time.monotonic_ns() & 0xFFFFFFFF
        if self._call is not None:
            self._call(self._number, self._place, _WAKE, _EVERYBODY, None, None, 0)
