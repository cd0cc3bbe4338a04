"""The journal and its LMDB index, written as one: the second and last module that speaks to LMDB.

Under LMDB's write lock: adopt what a killed process appended but did not commit, number the new
records, apply them to the index, append them to the journal, commit. Only then is a write
acknowledged. The index holds nothing the journal does not say, so replaying the journal gives the
same rows; it is thrown away and replayed after a reboot, because its own commits are never synced.
"""

import contextlib
import fcntl
import os
import shutil
import struct
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from types import TracebackType
from typing import Any, Literal, Self, TypeVar

import lmdb
import orjson

from agrama.errors import StoreBusyError, StoreError, StoreFormatError, StoreFullError, ToolError
from agrama.graph.datafile import find_defect
from agrama.graph.durable import Durability
from agrama.graph.journal import (
    MAX_PAYLOAD_BYTES,
    SEGMENT_BYTES,
    Damage,
    Frame,
    Journal,
    Position,
    encode_frame,
    explain,
    list_segments,
    scan,
)
from agrama.graph.store import boot_id, count_forks, read_commit

_T = TypeVar("_T")
Record = dict[str, Any]
Apply = Callable[["Rows", Record, bytes], None]
DurabilityMode = Literal["interval", "commit"]

# Address space, not memory; halved where it is not to be had.
_MAP_SIZE = 1 << 35
_SMALLEST_MAP = 1 << 26
_MAX_READERS = 1024
_REPLAY_BATCH = 5_000
_END = b"end"
_END_ROW = struct.Struct("<IQQQ")  # segment, offset, seq, time of the last record


class Rows:
    """One transaction over the index: a reader's, or the one a writer holds the lock by."""

    __slots__ = ("_heads", "_transaction")

    def __init__(self, heads: dict[str, bytes], transaction: Any) -> None:
        self._heads = heads
        self._transaction = transaction

    @property
    def version(self) -> int:
        """Changes with every commit of any process."""
        return int(self._transaction.id())

    def get(self, table: str, key: bytes) -> bytes | None:
        value: bytes | None = self._transaction.get(self._heads[table] + key)
        return value

    def put(self, table: str, key: bytes, value: bytes) -> None:
        self._transaction.put(self._heads[table] + key, value)

    def put_many(self, table: str, items: Iterable[tuple[bytes, bytes]]) -> None:
        head = self._heads[table]
        with self._transaction.cursor() as cursor:
            cursor.putmulti([(head + key, value) for key, value in items])

    def delete(self, table: str, key: bytes) -> bool:
        return bool(self._transaction.delete(self._heads[table] + key))

    def scan(
        self, table: str, prefix: bytes = b"", start: bytes | None = None
    ) -> Iterator[tuple[bytes, bytes]]:
        """Rows whose key begins with `prefix`, from `start` on. Do not write there meanwhile."""
        head = self._heads[table]
        wanted = head + prefix
        with self._transaction.cursor() as cursor:
            if not cursor.set_range(head + (start or prefix)):
                return
            for key, value in cursor:
                if not key.startswith(wanted):
                    return
                yield key[1:], value

    def scan_back(
        self, table: str, prefix: bytes, before: bytes | None = None
    ) -> Iterator[tuple[bytes, bytes]]:
        """Rows whose key begins with `prefix`, from just below `before` on, last first."""
        head = self._heads[table]
        wanted = head + prefix
        with self._transaction.cursor() as cursor:
            bound = _after_prefix(wanted) if before is None else head + before
            found = cursor.prev() if cursor.set_range(bound) else cursor.last()
            while found and cursor.key().startswith(wanted):
                key, value = cursor.item()
                yield key[1:], value
                found = cursor.prev()

    def end(self) -> tuple[Position, int, int]:
        """Where the journal ends as far as the index knows, the last seq, and its time in µs."""
        row = self.get("meta", _END)
        if row is None:
            return Position(0, 0), 0, 0
        segment, offset, seq, time_us = _END_ROW.unpack(row)
        return Position(segment, offset), seq, time_us

    @property
    def last_seq(self) -> int:
        return self.end()[1]

    def close(self) -> None:
        self._transaction.abort()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.close()


class Draft:
    """What one write adds; whoever looks at its rows finds the records there."""

    __slots__ = ("_apply", "_pending", "_rows", "frames", "now_us", "seq")

    def __init__(self, rows: Rows, apply: Apply, seq: int, now_us: int) -> None:
        self._rows = rows
        self._apply = apply
        self._pending: list[tuple[Record, bytes]] = []
        self.seq = seq
        self.now_us = now_us
        self.frames: list[bytes] = []

    @property
    def rows(self) -> Rows:
        """The index with everything added so far. Ask anew after each `add`."""
        if self._pending:
            self.apply_pending()
        return self._rows

    def apply_pending(self) -> None:
        """Records wait to be applied, because the disk can begin with them before that."""
        pending, self._pending = self._pending, []
        for record, payload in pending:
            self._apply(self._rows, record, payload)

    def add(self, kind: str, **fields: Any) -> Record:
        """One more record. Fields that are None are left out."""
        record: Record = {"seq": self.seq + 1, "time": self.now_us, "kind": kind}
        record.update((name, value) for name, value in fields.items() if value is not None)
        payload = orjson.dumps(record, option=orjson.OPT_APPEND_NEWLINE)
        if len(payload) > MAX_PAYLOAD_BYTES:
            raise ToolError(
                f"A record of {len(payload):,} bytes is too large: at most {MAX_PAYLOAD_BYTES:,}"
            )
        self._pending.append((record, payload))
        self.seq += 1
        self.frames.append(encode_frame(self.seq, payload))
        return record


class Ledger:
    """One repository's precious data. Shared by the threads of a process, not by its forks."""

    def __init__(
        self,
        folder: Path,
        tables: Sequence[str],
        apply: Apply,
        *,
        index_format: int,
        durability: DurabilityMode = "interval",
        segment_bytes: int = SEGMENT_BYTES,
        boot: str | None = None,
        clock: Callable[[], int] = time.time_ns,
    ) -> None:
        self.folder = folder
        self.durability = durability
        self.repairs: list[str] = []
        # One tree for all: with a tree per table a message changed a quarter more pages.
        self._heads = {name: bytes((1 + n,)) for n, name in enumerate(("meta", *tables))}
        self._apply = apply
        self._identity = orjson.dumps({"agrama": "journal index", "format": index_format})
        self._boot = boot or boot_id()
        self._clock = clock
        self._forks = count_forks()
        self._users_file = -1
        try:
            folder.mkdir(parents=True, exist_ok=True, mode=0o700)
            self._wake_file = os.open(folder / "wake", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        except OSError as error:
            raise explain(error, folder) from error
        self._journal = Journal(folder, segment_bytes=segment_bytes)
        self._durable = Durability(folder, self._read_end)
        try:
            self._open()
        except BaseException:
            self._release()
            raise

    def read(self) -> Rows:
        """Begin a read transaction; close it before the request ends."""
        self._check_pid()
        try:
            return Rows(self._heads, self._environment.begin())
        except lmdb.Error as error:
            raise _translate(error, self.folder) from error

    def append(self, fill: Callable[[Draft], _T]) -> _T:
        """Run `fill` under the write lock; what it added may be acknowledged. It must not block."""
        result, seq = self.commit(fill)
        if seq and self.durability == "commit":
            self._durable.settle(seq)
        return result

    def commit(self, fill: Callable[[Draft], _T]) -> tuple[_T, int]:
        """`append`, but with `commit` durability the caller has yet to settle the seq it returns.

        It is 0 when nothing was added.
        """
        self._check_pid()
        self._durable.check()
        written: Position | None = None  # where the journal ended before this write
        try:
            with self._environment.begin(write=True) as transaction:
                rows = Rows(self._heads, transaction)
                end, seq, time_us = self._reconcile(rows)
                draft = Draft(rows, self._apply, seq, max(self._clock() // 1000, time_us))
                result = fill(draft)
                if draft.frames:
                    before, end = end, self._write(end, draft)
                    written = before
                    row = _END_ROW.pack(end.segment, end.offset, draft.seq, draft.now_us)
                    rows.put("meta", _END, row)
        except lmdb.Error as error:
            if written is None or self._take_back(written):
                raise _translate(error, self.folder) from error
        if not draft.frames:
            return result, 0
        os.pwrite(self._wake_file, b"\n", 0)
        if self.durability != "commit":
            self._durable.soon()
        return result, draft.seq

    def _write(self, end: Position, draft: Draft) -> Position:
        """Append a draft's frames and apply its records, while the disk is at work where one waits for it."""
        frames = b"".join(draft.frames)
        if self.durability != "commit" or not self._journal.has_room(end, frames):
            draft.apply_pending()
            return self._journal.write(end, frames, draft.seq + 1)
        after = self._journal.write(end, frames, draft.seq + 1)
        try:
            self._durable.hurry(self._journal.descriptor, end.offset, after.offset)
            draft.apply_pending()
        except BaseException:
            self._journal.take_back(end)
            raise
        return after

    def _take_back(self, end: Position) -> bool:
        """Undo in the journal what the index had no room for; False when another process adopted it."""
        try:
            with self._environment.begin(write=True) as transaction:
                if Rows(self._heads, transaction).end()[0] != end:
                    return False
                self._journal.take_back(end)
        except lmdb.Error as error:
            raise _translate(error, self.folder) from error
        return True

    @property
    def version(self) -> int:
        """Changes with every commit of any process."""
        self._check_pid()
        try:
            return read_commit(self._environment)
        except lmdb.Error as error:
            raise _translate(error, self.folder) from error

    @property
    def syncs(self) -> int:
        return self._durable.syncs

    def settle(self, seq: int | None = None) -> bool:
        """Return when a record is durable, or all that is committed; whether that took a sync."""
        return self._durable.settle(self._read_end()[1] if seq is None else seq)

    def dump(self) -> dict[str, dict[bytes, bytes]]:
        """Every row of the index but its own position: what a replay must give again."""
        with self.read() as rows:
            return {name: dict(rows.scan(name)) for name in self._heads}

    def check_readers(self) -> int:
        """Free the slots of readers that were killed."""
        return int(self._environment.reader_check())

    def close(self) -> None:
        if self._forks == count_forks():
            self._release()

    def _release(self) -> None:
        if hasattr(self, "_environment"):
            self._durable.close()
            self._environment.close()
        self._journal.close()
        for descriptor in (self._users_file, self._wake_file):
            if descriptor >= 0:
                os.close(descriptor)
        self._users_file = self._wake_file = -1

    def _check_pid(self) -> None:
        if self._forks != count_forks():
            raise StoreError("The journal was opened before this process was forked: open it again")

    def _open(self) -> None:
        """Open the index, rebuilt first when it cannot be trusted; one process at a time."""
        gate = os.open(self.folder / "open.lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        try:
            fcntl.flock(gate, fcntl.LOCK_EX)
            users = os.open(
                self.folder / "users.lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600
            )
            self._users_file = users
            reason = self._distrust()
            if reason is not None:
                self._rebuild(reason)
            else:
                self._open_environment()
            fcntl.flock(users, fcntl.LOCK_SH)
        finally:
            os.close(gate)
        self._environment.reader_check()
        self.append(lambda draft: None)  # adopts what a killed process left
        self._durable.soon()

    def _distrust(self) -> str | None:
        """Why the index must be built again, or None."""
        data = self.folder / "index" / "data.mdb"
        try:
            mark = (self.folder / "index" / "boot").read_bytes()
        except FileNotFoundError:
            return "is new" if not list_segments(self.folder) else "was not finished"
        if mark != self._mark():
            return "is from another boot or format"
        if not data.exists():
            return "is missing"
        defect = find_defect(data)
        return f"is {defect}" if defect else None

    def _mark(self) -> bytes:
        return (self._boot or "").encode() + b"\n" + self._identity

    def _rebuild(self, reason: str) -> None:
        try:
            fcntl.flock(self._users_file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            raise StoreBusyError(
                f"The index of {self.folder} {reason} but other processes use it: "
                "end them (agrama serve) and try again"
            ) from error
        shutil.rmtree(self.folder / "index", ignore_errors=True)
        self._durable.reset()
        if not list_segments(self.folder):
            self._journal.start(1, 1)
        self._open_environment()
        self._replay()
        (self.folder / "index" / "boot").write_bytes(self._mark())

    def _open_environment(self) -> None:
        path = self.folder / "index"
        path.mkdir(exist_ok=True, mode=0o700)
        map_size = _MAP_SIZE
        while True:
            try:
                self._environment = lmdb.open(
                    str(path),
                    map_size=map_size,
                    max_readers=_MAX_READERS,
                    sync=self._boot is None,
                    metasync=False,
                    readahead=False,
                )
                break
            except (lmdb.MemoryError, lmdb.Error) as error:
                if "memory" not in str(error).lower() or map_size <= _SMALLEST_MAP:
                    raise _translate(error, path) from error
                map_size //= 2

    def _reconcile(self, rows: Rows) -> tuple[Position, int, int]:
        """The true end of the journal; what lies behind the known one is adopted or cut."""
        end, seq, time_us = rows.end()
        if self._journal.is_clean(end):
            return end, seq, time_us
        for item in scan(self.folder, end):
            end, seq, time_us = self._take(rows, item, end, seq, time_us)
        rows.put("meta", _END, _END_ROW.pack(end.segment, end.offset, seq, time_us))
        return end, seq, time_us

    def _replay(self) -> None:
        """Apply the whole journal to an empty index."""
        items = scan(self.folder)
        end, seq, time_us = Position(1, 0), 0, 0
        finished = False
        while not finished:
            with self._environment.begin(write=True) as transaction:
                rows = Rows(self._heads, transaction)
                for _ in range(_REPLAY_BATCH):
                    item = next(items, None)
                    if item is None:
                        finished = True
                        break
                    end, seq, time_us = self._take(rows, item, end, seq, time_us)
                if finished and end.offset == 0:
                    end = self._journal.start(list_segments(self.folder)[-1], seq + 1)
                rows.put("meta", _END, _END_ROW.pack(end.segment, end.offset, seq, time_us))

    def _take(
        self, rows: Rows, item: Frame | Damage, end: Position, seq: int, time_us: int
    ) -> tuple[Position, int, int]:
        if isinstance(item, Damage):
            last = item.start.segment == list_segments(self.folder)[-1]
            if item.torn and last and item.start.offset:
                self._journal.cut(item)
                self._report(f"{item}: cut at the last whole record, kept in cut/")
            else:
                self._report(f"{item}: skipped, the rest was read")
            return end, seq, time_us
        if not item.payload:
            return self._journal.start(item.end.segment + 1, item.seq), seq, time_us
        if item.seq <= seq:
            self._report(f"record {item.seq} at {item.start} comes twice: the second is ignored")
            return item.end, seq, time_us
        record = orjson.loads(item.payload)
        self._apply(rows, record, item.payload)
        return item.end, item.seq, int(record["time"])

    def _report(self, text: str) -> None:
        self.repairs.append(text)
        line = orjson.dumps({"time": self._clock() // 1000, "repair": text})
        with contextlib.suppress(OSError), (self.folder / "repairs.jsonl").open("ab") as file:
            file.write(line + b"\n")

    def _read_end(self) -> tuple[int, int]:
        with self.read() as rows:
            end, seq, _ = rows.end()
            return end.segment, seq


def verify(folder: Path) -> tuple[int, list[Damage]]:
    """How many whole records a journal has, and everything in it that is none. Changes nothing."""
    count = 0
    damages: list[Damage] = []
    for item in scan(folder):
        if isinstance(item, Damage):
            damages.append(item)
        elif item.payload:
            count += 1
    return count, damages


def _after_prefix(prefix: bytes) -> bytes:
    """The first key behind all that begin with `prefix`, which begins with the number of a table."""
    head = prefix.rstrip(b"\xff")
    return head[:-1] + bytes((head[-1] + 1,))


def _translate(error: Exception, path: Path) -> StoreError:
    text = str(error)
    if isinstance(error, lmdb.MapFullError | lmdb.DiskError) or "No space left" in text:
        return StoreFullError(f"There is no room for {path}: free some space and try again")
    if isinstance(error, lmdb.ReadersFullError | lmdb.LockError):
        return StoreBusyError(f"{path} is busy: try again")
    if isinstance(error, lmdb.VersionMismatchError | lmdb.InvalidError):
        return StoreFormatError(f"{path}: {text}: run `agrama sessions --verify`")
    return StoreError(f"{path}: {text}: run `agrama sessions --verify`")
