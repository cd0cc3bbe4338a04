"""A few worker processes that parse files side by side, with bounded time and memory.

Each worker has a handful of files before it and answers one by one. A worker that is silent too long
or dies takes only its current file with it: that file is recorded, the rest go to a new worker. Too
long is a matter of the processor time it took: on a machine that is busy, or was stopped for a while,
a file that is harmless must not be left out of the index.
"""

import os
import selectors
import subprocess
import sys
import time
from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import TracebackType
from typing import Self

from agrama.indexer.frames import Frames, pack_frame
from agrama.indexer.worker import ALL, READY, Parsed, Task

PARSE_SECONDS = (
    20.0  # far beyond any file within the size cap; parsing Django's largest takes 0.1 s
)
_LOOKS = 4  # times per limit that a silent worker is looked at
_PATIENCE = 3  # times its limit, for a worker that is silent and takes no processor time
_START_SECONDS = 60.0  # for a worker to say that it is ready; imports crawl on a busy machine
_AHEAD = 6  # files a worker holds, so that it never waits for us
_READ_BYTES = 1 << 18
_COMMAND = "from agrama.indexer.worker import main; main()"


@dataclass(slots=True)
class _Worker:
    process: "subprocess.Popen[bytes]"
    frames: Frames = field(default_factory=Frames)
    tasks: deque[Task] = field(default_factory=deque)  # the first is being parsed
    limit: float = _START_SECONDS  # how long it may be silent
    looked: float = 0.0  # when it last said something or was looked at
    silent: float = 0.0  # seconds we saw it silent: none while we were stopped ourselves
    spent: float | None = None  # its processor time when it was first seen silent

    def hear(self) -> None:
        """It said something, or was given its first file."""
        self.looked, self.silent, self.spent = time.monotonic(), 0.0, None

    def next_look(self) -> float:
        return self.looked + self.limit / _LOOKS

    def is_stuck(self, now: float) -> bool:
        """Look at a silent worker."""
        if now < self.next_look():
            return False
        self.silent += min(now - self.looked, 2 * self.limit / _LOOKS)
        self.looked = now
        spent = _processor_seconds(self.process.pid)
        if spent is None:
            return self.silent >= self.limit
        self.spent = spent if self.spent is None else self.spent
        return (
            spent - self.spent >= self.limit * (1 - 1 / _LOOKS)
            or self.silent >= self.limit * _PATIENCE
        )


class Pool:
    """Worker processes for one repository; `close` ends them."""

    def __init__(
        self,
        root: Path,
        *,
        max_bytes: int,
        mode: str = ALL,
        size: int | None = None,
        parse_seconds: float = PARSE_SECONDS,
    ) -> None:
        self._command = [sys.executable, "-P", "-c", _COMMAND, str(root), str(max_bytes), mode]
        self._size = size or _cores()
        self._parse_seconds = parse_seconds
        self._workers: list[_Worker] = []

    def parse(self, tasks: Sequence[Task]) -> Iterator[Parsed]:
        """Results in the order they come; every task gets exactly one."""
        waiting = deque(tasks)
        left = len(waiting)
        # Starting a process costs as much as parsing a few dozen files.
        for _ in range(len(self._workers), min(self._size, 1 + left // 16)):
            self._workers.append(self._start())
        while left:
            for worker in self._workers:
                _hand_out(worker, waiting)
            for result in self._collect(waiting):
                left -= 1
                yield result

    def shrink(self, size: int) -> None:
        """Keep this many workers; more are started when there is more to do."""
        while len(self._workers) > size:
            _end(self._workers.pop())

    def close(self) -> None:
        self.shrink(0)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.close()

    def _start(self) -> _Worker:
        return _Worker(
            subprocess.Popen(
                self._command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0
            )
        )

    def _collect(self, waiting: deque[Task]) -> Iterator[Parsed]:
        """Wait until some worker says something, or one has been silent too long."""
        busy = [worker for worker in self._workers if worker.tasks]
        with selectors.DefaultSelector() as selector:
            for worker in busy:
                selector.register(worker.process.stdout, selectors.EVENT_READ, worker)  # type: ignore[arg-type]
            first = min(worker.next_look() for worker in busy)
            limit = max(0.0, first - time.monotonic())
            ready = [key.data for key, _ in selector.select(limit)]
        for worker in ready:
            data = os.read(worker.process.stdout.fileno(), _READ_BYTES)
            if not data:
                yield self._replace(worker, "crashed", waiting)
            for row in worker.frames.feed(data):
                worker.hear()
                if row == READY:
                    worker.limit = self._parse_seconds
                    continue
                worker.tasks.popleft()
                yield Parsed._make(row)
        if not ready:
            now = time.monotonic()
            for worker in [worker for worker in busy if worker.is_stuck(now)]:
                yield self._replace(worker, "timeout", waiting)

    def _replace(self, worker: _Worker, reason: str, waiting: deque[Task]) -> Parsed:
        task = worker.tasks.popleft()
        waiting.extendleft(reversed(worker.tasks))
        worker.tasks.clear()
        _end(worker)
        self._workers[self._workers.index(worker)] = self._start()
        problem = f"the parser of {task.path} {reason}"
        return Parsed(task.path, 0, 0, 0, "", "skipped", reason, task.language, b"", b"", problem)


def _hand_out(worker: _Worker, waiting: deque[Task]) -> None:
    while waiting and len(worker.tasks) < _AHEAD:
        task = waiting.popleft()
        if not worker.tasks:
            worker.hear()
        worker.tasks.append(task)
        try:
            worker.process.stdin.write(pack_frame(tuple(task)))  # type: ignore[union-attr]
        except BrokenPipeError:
            return  # it died: reading its end of output says so


def _end(worker: _Worker) -> None:
    """A worker holds nothing worth saving, so it is simply killed."""
    worker.process.kill()
    worker.process.wait()
    for stream in (worker.process.stdin, worker.process.stdout):
        if stream is not None:
            stream.close()


def _processor_seconds(pid: int) -> float | None:
    """What a process took of the processor so far; None where the system does not tell."""
    try:
        with open(f"/proc/{pid}/stat", "rb") as file:
            fields = file.read().rpartition(b")")[2].split()
    except OSError:
        return None
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def _cores() -> int:
    if hasattr(os, "sched_getaffinity"):
        return max(1, len(os.sched_getaffinity(0)))
    return os.cpu_count() or 1
