"""A few worker processes that parse files side by side, with bounded time and memory.

Each worker has a handful of files before it and answers one by one. A worker that is silent too long
or dies takes only its current file with it: that file is recorded, the rest go to a new worker.
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
_START_SECONDS = 60.0  # for a worker to say that it is ready; imports crawl on a busy machine
_AHEAD = 6  # files a worker holds, so that it never waits for us
_READ_BYTES = 1 << 18
_COMMAND = "from agrama.indexer.worker import main; main()"


@dataclass(slots=True)
class _Worker:
    process: "subprocess.Popen[bytes]"
    frames: Frames = field(default_factory=Frames)
    tasks: deque[Task] = field(default_factory=deque)  # the first is being parsed
    since: float = 0.0
    limit: float = _START_SECONDS  # how long it may be silent


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
            first = min(worker.since + worker.limit for worker in busy)
            limit = max(0.0, first - time.monotonic())
            ready = [key.data for key, _ in selector.select(limit)]
        for worker in ready:
            data = os.read(worker.process.stdout.fileno(), _READ_BYTES)
            if not data:
                yield self._replace(worker, "crashed", waiting)
            for row in worker.frames.feed(data):
                worker.since = time.monotonic()
                if row == READY:
                    worker.limit = self._parse_seconds
                    continue
                worker.tasks.popleft()
                yield Parsed._make(row)
        if not ready:
            now = time.monotonic()
            for worker in [worker for worker in busy if worker.since + worker.limit <= now]:
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
            worker.since = time.monotonic()
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


def _cores() -> int:
    if hasattr(os, "sched_getaffinity"):
        return max(1, len(os.sched_getaffinity(0)))
    return os.cpu_count() or 1
