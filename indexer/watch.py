"""Keeps an index fresh: waits for files to change, and for other processes that ask.

One thread watches the directories of the repository, one answers the socket; both only put events
into a queue, and the thread that owns the index works them off. In a large repository an edit is
published as a preview and made exact by another process once it is quiet. Nothing is synced to disk
while edits come in; that, the ranks and dead readers wait for a quiet moment too.
"""

import os
import queue
import threading
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from pathlib import Path

from watchfiles._rust_notify import RustNotify

from agrama.errors import AgramaError, StoreBusyError, StoreFullError
from agrama.indexer.build import Indexer
from agrama.indexer.doorbell import Request, Server
from agrama.indexer.report import Report
from agrama.indexer.settle import Settled, Settling
from agrama.indexer.walk import AGRAMA_IGNORE

_STEP_MILLISECONDS = 10  # quiet time that ends a batch; the library's 50 is half our budget
_DEBOUNCE_MILLISECONDS = 200
_TIMEOUT_MILLISECONDS = 5_000  # between two looks at whether to go on
_QUIET_SECONDS = 2.0
_SETTLE_SECONDS = 1.0  # without an edit, before the exact resolution is begun
_MANY_PATHS = 64  # more at once is a branch switch: walking is cheaper and surer
_RULES = (".gitignore", AGRAMA_IGNORE)
_RETRY_SECONDS = 5.0
_POLL_SECONDS = 5.0  # between two walks where the kernel cannot watch

_STOP = object()
_WATCHING = object()  # the directories are watched from now on


@dataclass(slots=True)
class _Todo:
    """What has gathered since the last look."""

    paths: set[str] = field(default_factory=set)
    all: bool = False
    requests: list[Request] = field(default_factory=list)

    def __bool__(self) -> bool:
        return bool(self.paths or self.all or self.requests)


class Watcher:
    """Watches one repository until `stop`."""

    def __init__(self, indexer: Indexer, tell: Callable[[Report], None]) -> None:
        self._indexer = indexer
        self._tell = tell
        self._events: queue.SimpleQueue[object] = queue.SimpleQueue()
        self._stopped = threading.Event()
        self._directories: frozenset[str] = frozenset()
        self._restart: threading.Event | None = None
        self._dirty_since: float | None = None
        self._settling: Settling | None = None
        self._settle_at: float | None = None
        self._unanswered: list[Request] = []

    def run(self) -> None:
        """Index once, then follow every change; returns after `stop`."""
        with Server(self._indexer.folder, self._events.put):
            self._do(_Todo(all=True))
            self._indexer.prepare()
            self._watch_directories()
            while not self._stopped.is_set():
                if todo := self._gather():
                    self._do(todo)
                    self._watch_directories()

    def stop(self) -> None:
        self._stopped.set()
        self._stop_settling()
        self._events.put(_STOP)
        if self._restart is not None:
            self._restart.set()

    def _gather(self) -> _Todo:
        """Wait for events; use the time when none come."""
        todo = _Todo()
        try:
            event = self._events.get(timeout=_SETTLE_SECONDS / 2)
            while True:
                self._note(event, todo)
                event = self._events.get_nowait()
        except queue.Empty:
            pass
        if not todo:
            self._use_quiet_time()
        return todo

    def _note(self, event: object, todo: _Todo) -> None:
        if isinstance(event, Request):
            todo.requests.append(event)
            todo.all |= event.paths is None
            todo.paths.update(event.paths or ())
        elif isinstance(event, Settled):
            self._finish_settling(event)
        elif isinstance(event, frozenset):
            todo.paths.update(event)
        elif event is _WATCHING:
            # What changed between the walk that found the directories and now was not seen.
            todo.all = True

    def _do(self, todo: _Todo) -> None:
        everything = todo.all or len(todo.paths) > _MANY_PATHS or self._needs_walk(todo.paths)
        try:
            report = self._indexer.run() if everything else self._indexer.refresh(todo.paths)
        except (StoreBusyError, StoreFullError) as error:
            # The old generation goes on answering; these pass, so try again later.
            _answer(todo.requests, error=error)
            threading.Timer(_RETRY_SECONDS, self._events.put, [Request(None, None)]).start()
            return
        except AgramaError as error:
            _answer(todo.requests, error=error)
            raise
        if report.changed:
            self._dirty_since = time.monotonic()
            self._stop_settling()
            self._settle_at = None if report.settled else time.monotonic() + _SETTLE_SECONDS
            self._tell(report)
        if self._settle_at is not None and any(request.paths is None for request in todo.requests):
            # Who asks for everything to be indexed gets the exact graph.
            self._unanswered += todo.requests
            self._settle_at = time.monotonic()
        else:
            _answer(todo.requests, report=report)

    def _needs_walk(self, paths: Iterable[str]) -> bool:
        """New or vanished directories and changed ignore rules touch more than their own path."""
        manifest = self._indexer.manifest()
        for path in paths:
            if path.rpartition("/")[2] in _RULES or path in self._directories:
                return True
            if path not in manifest and os.path.isdir(self._indexer.root / path):
                return True
        return False

    def _stop_settling(self) -> None:
        if self._settling is not None:
            self._settling.stop()
            self._settling = None

    def _finish_settling(self, settled: Settled) -> None:
        if self._settling is None or self._settling.generation != settled.generation:
            return  # stopped, or an older one
        self._settling = None
        report = self._indexer.finish_settling(settled)
        if report is None:
            self._settle_at = time.monotonic() + _QUIET_SECONDS
            return
        _answer(self._unanswered, report=report)
        self._unanswered = []
        self._tell(report)

    def _use_quiet_time(self) -> None:
        if self._settle_at is not None and time.monotonic() >= self._settle_at:
            self._settle_at = None
            self._settling = self._indexer.begin_settling(self._events.put)
        if self._dirty_since is None or time.monotonic() - self._dirty_since < _QUIET_SECONDS:
            return
        self._dirty_since = None
        self._indexer.tidy()

    def _watch_directories(self) -> None:
        """(Re)start the watching thread when the set of directories changed."""
        directories = frozenset(_parents(self._indexer.manifest()))
        if directories == self._directories:
            return
        self._directories = directories
        if self._restart is not None:
            self._restart.set()
        self._restart = threading.Event()
        folders = [self._indexer.root / name for name in sorted(directories)]
        threading.Thread(
            target=self._watch, args=(folders, self._restart), name="watch", daemon=True
        ).start()

    def _watch(self, folders: list[Path], stop: threading.Event) -> None:
        there = [folder for folder in folders if folder.is_dir()]
        try:
            self._follow(there, stop)
        except OSError:
            # The kernel has no watches left, or the file system knows none: look again and again.
            while not stop.wait(_POLL_SECONDS):
                self._events.put(Request(None, None))

    def _follow(self, folders: list[Path], stop: threading.Event) -> None:
        root = f"{self._indexer.root}/"
        # `watchfiles.watch` does not say when its watches stand; the class beneath it does.
        with RustNotify(
            [str(folder) for folder in folders],
            debug=False,
            force_polling=False,
            poll_delay_ms=0,
            recursive=False,
            ignore_permission_denied=True,
        ) as notify:
            self._events.put(_WATCHING)
            while not stop.is_set():
                changes = notify.watch(
                    _DEBOUNCE_MILLISECONDS, _STEP_MILLISECONDS, _TIMEOUT_MILLISECONDS, stop
                )
                if not isinstance(changes, set):
                    continue  # nothing happened in that time, or `stop` was set
                paths = (path.removeprefix(root) for _, path in changes)
                if seen := frozenset(p for p in paths if not p.startswith((".git/", "/"))):
                    self._events.put(seen)


def _parents(paths: Iterable[str]) -> set[str]:
    """The directories that hold these files, and those that hold the directories."""
    found = {""}
    for path in paths:
        at = path.rfind("/")
        while at > 0 and path[:at] not in found:
            found.add(path[:at])
            at = path.rfind("/", 0, at)
    return found


def _answer(
    requests: Iterable[Request], *, report: Report | None = None, error: AgramaError | None = None
) -> None:
    for request in requests:
        if request.answer is not None:
            request.answer(
                {"error": error.message} if error else (report or Report("", "")).as_dict()
            )
