"""The repository a server speaks for: its files, its index, and the process that keeps it fresh.

The store is opened at first use, so that a server starts in milliseconds and may start before there
is an index. Indexing and watching happen in a child process, off this interpreter's lock; it ends
when its standard input does, which is when this process goes, however it goes.
"""

import contextlib
import os
import subprocess
import sys
import threading
import time
from collections.abc import Hashable, Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from agrama.errors import NotIndexedError, ToolError
from agrama.inotify import Directories

if TYPE_CHECKING:
    from agrama.graph.coverage import Coverage
    from agrama.graph.ledger import DurabilityMode
    from agrama.graph.snapshot import Snapshot
    from agrama.graph.store import Store
    from agrama.session.hub import Hub
    from agrama.session.settling import Settling


# While files are being saved there is a new generation every second; the counts hardly change.
_COVERAGE_SECONDS = 5.0


class _Seen(NamedTuple):
    """What was found to be the version, as long as these commits are the last ones of an epoch."""

    epoch: int
    commits: tuple[int, int | None]
    version: Hashable


class Workspace:
    """One repository. Safe to share between threads."""

    def __init__(
        self, root: Path, *, durability: "DurabilityMode" = "interval", enforce_claims: bool = False
    ) -> None:
        if not root.is_dir():
            raise ToolError(
                f"{root} is not a directory: give the repository's root",
                data={"parameter": "root", "got": str(root)},
            )
        self.root = Path(os.path.realpath(root))
        self.prefix = f"{self.root}/"
        self._folder: Path | None = None
        self._journal: str | None = None
        self._store: Store | None = None
        self._hub: Hub | None = None
        self.directories = Directories()
        self._seen: _Seen | None = None
        self._durability = durability
        self.settling = self._make_settling() if durability == "commit" else None
        self.enforce_claims = enforce_claims
        self._lock = threading.Lock()
        self._coverage: tuple[int, float, Coverage] | None = None
        self._indexer: subprocess.Popen[bytes] | None = None

    @property
    def folder(self) -> Path:
        """Where the index of this repository lies."""
        if self._folder is None:
            from agrama.graph.keys import repository_folder

            self._folder = repository_folder(self.root)
        return self._folder

    def open_snapshot(self) -> "Snapshot":
        """The index as it is now; the caller closes it."""
        from agrama.graph.snapshot import Snapshot

        try:
            return Snapshot((self._store or self._open_store()).read())
        except NotIndexedError as error:
            raise self.explain(error) from error

    def version(self, epoch: int) -> Hashable:
        """What an answer is made from: the index, and what agents claimed and decided.

        In one epoch of `directories` no file takes another's place, so that the numbers of the last
        commits say whether anything is new: 0.5 µs.
        """
        known, store, hub = self._seen, self._store, self._hub
        if known is not None and known.epoch == epoch and store is not None:
            commits = store.commit(), None if hub is None else hub.version
            if commits == known.commits:
                return known.version
        return self._look(epoch)

    def _look(self, epoch: int) -> Hashable:
        # Watched before the look: what happens after it is heard of.
        watched = self.directories.watch_names((f"{self.folder}/index", str(self.folder)))
        commit, index = -1, None
        with contextlib.suppress(NotIndexedError):
            commit, index = (self._store or self._open_store()).version()
        hub = self.existing_hub
        written = None if hub is None else hub.version  # before what was written is read
        version = index, None if hub is None else hub.shared_version()
        self._seen = _Seen(epoch, (commit, written), version) if watched and index else None
        return version

    @property
    def hub(self) -> "Hub":
        """What agents share about this repository: sessions, messages, claims, decisions."""
        return self._hub or self._open_hub()

    @property
    def existing_hub(self) -> "Hub | None":
        """The same if anybody ever used it: reading code must not create a journal, nor need to write."""
        if self._hub is None:
            if self._journal is None:
                self._journal = f"{self.folder}/journal"
            if not os.access(self._journal, os.W_OK):
                return None
        return self.hub

    def start_indexer(self) -> None:
        """Index and watch in the background until this process ends."""
        if self._indexer is None:
            command = [sys.executable, "-P", "-m", "agrama", "index", str(self.root)]
            self._indexer = subprocess.Popen(
                [*command, "--watch", "--quiet", "--exit-with-parent"],
                stdin=subprocess.PIPE,
                stdout=subprocess.DEVNULL,
            )

    @property
    def has_indexer(self) -> bool:
        """Whether somebody answers when asked to look at files."""
        from agrama.indexer.doorbell import is_answered

        return is_answered(self.folder)

    def ask_indexer(self, paths: Iterable[str], seconds: float) -> bool:
        """Have the running indexer look at files; False when none did so in time."""
        from agrama.indexer.doorbell import ask_indexer

        report = ask_indexer(self.folder, list(paths), seconds)
        return report is not None and "error" not in report

    def refresh(self, paths: Iterable[str], seconds: float) -> bool:
        """Have files indexed as they are now; False when that did not happen in time."""
        from agrama.indexer.doorbell import ask_indexer

        report = ask_indexer(self.folder, list(paths), seconds)
        if report is None and self.progress() is None:
            command = [sys.executable, "-P", "-m", "agrama", "index", str(self.root), "--quiet"]
            try:
                return subprocess.run(command, timeout=seconds, check=False).returncode == 0
            except subprocess.TimeoutExpired:
                return False
        return report is not None and "error" not in report

    def coverage(self, snapshot: "Snapshot") -> "Coverage":
        """What of the repository the graph does not know, counted anew every few seconds at most."""
        known = self._coverage
        now = time.monotonic()
        if known is None or (known[0] != snapshot.generation and now > known[1]):
            from agrama.graph.coverage import measure_coverage

            measured = measure_coverage(snapshot.reader)
            self._coverage = known = (snapshot.generation, now + _COVERAGE_SECONDS, measured)
        return known[2]

    def progress(self) -> dict[str, Any] | None:
        """How far a build is that runs right now, whoever runs it."""
        from agrama.graph.progress import read_progress

        return read_progress(self.folder)

    def close(self) -> None:
        """Let the indexer go and close the store."""
        with self._lock:
            indexer, self._indexer = self._indexer, None
            store, self._store = self._store, None
            hub, self._hub = self._hub, None
        if indexer is not None:
            if indexer.stdin is not None:
                indexer.stdin.close()
            try:
                indexer.wait(timeout=5)
            except subprocess.TimeoutExpired:
                indexer.kill()
                indexer.wait()
        if store is not None:
            store.close()
        if hub is not None:
            hub.close()

    def _make_settling(self) -> "Settling":
        from agrama.session.settling import Settling

        return Settling(lambda seq: self.hub.ledger.settle(seq))

    def _open_hub(self) -> "Hub":
        from agrama.session.hub import Hub

        with self._lock:
            if self._hub is None:
                folder = self.folder / "journal"
                owed = self.settling.owed if self.settling else None
                self._hub = Hub(folder, self.root, durability=self._durability, owed=owed)
            return self._hub

    def _open_store(self) -> "Store":
        from agrama.graph.store import Store

        with self._lock:
            if self._store is None:
                self._store = Store.open(self.folder)
            return self._store

    def explain(self, error: NotIndexedError) -> NotIndexedError:
        """The same with what is being done about it, while an indexer is at work."""
        progress = self.progress()
        if progress is None and self._indexer is None:
            return error
        done = progress or {"phase": "start", "done": 0, "total": None}
        count = f"{done['done']:,} of {done['total']:,} files" if done["total"] else "starting"
        return NotIndexedError(
            f"{self.root} is being indexed ({count}): ask again in a moment; "
            "read_code with a path works meanwhile",
            data={"indexing": done, "hint": "ask again in a moment"},
        )
