"""The LMDB environment of one repository; the only module that speaks to LMDB.

Publication is one commit: whatever a generation consists of is written by one `write`. A reader is one
transaction and so sees one generation; it must not outlive its request, because a pinned reader makes
the file grow. An environment may be open only once in a process, so `Store.open` hands out a shared
one; it must not cross a fork, so each use compares the process id. Commits are not synced one by one:
a mark with the boot id stands beside the index until `sync`, and an index found marked after another
boot is thrown away.
"""

import contextlib
import os
import struct
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from itertools import count
from pathlib import Path
from types import TracebackType
from typing import Any, Self, TypeVar

import lmdb
import orjson

from agrama.errors import (
    NotIndexedError,
    StoreBusyError,
    StoreError,
    StoreFormatError,
    StoreFullError,
)
from agrama.graph import keys
from agrama.graph.datafile import find_defect

_T = TypeVar("_T")

# Address space, not memory: large enough that growing is rare, and halved where it is not to be had.
_MAP_SIZE = 1 << 34
_SMALLEST_MAP = 1 << 26
_MAX_READERS = 512
_RESIZE_WAIT_SECONDS = 30.0
# LMDB creates its file empty and fills two pages at once; another process may look in between.
_CREATION_SECONDS = 1.0
# A write that the file system cut short is "Input/output error" to LMDB: a full disk, mostly.
_FULL_ERRORS = ("No space left", "File too large", "Disk quota", "Input/output error")

_NO_COMMIT = -1

_U64 = struct.Struct("<Q")
_forks = 0  # that lie between this process and the one that loaded this module


class Reader:
    """One read transaction. Views it returns are valid until it is closed."""

    __slots__ = ("_environment", "_generation", "_transaction")

    def __init__(self, environment: "_Environment", transaction: Any) -> None:
        self._environment = environment
        self._transaction = transaction
        self._generation: int | None = None

    @property
    def generation(self) -> int:
        if self._generation is None:
            value = self.get(keys.META, keys.GENERATION_KEY)
            self._generation = 0 if value is None else _U64.unpack(value)[0]
        return self._generation

    @property
    def commit(self) -> int:
        """Changes with every commit of any process."""
        return int(self._transaction.id())

    def get(self, database: str, key: bytes) -> memoryview | None:
        handle = self._environment.databases.get(database)
        if handle is None:
            return None
        value: memoryview | None = self._transaction.get(key, db=handle)
        return value

    def getter(self, database: str) -> Callable[[bytes], memoryview | None]:
        """`get` of one database as a function without a frame of its own, for many keys."""
        handle = self._environment.databases.get(database)
        if handle is None:
            return lambda key: None
        return partial(self._transaction.get, db=handle)

    @property
    def inode(self) -> int:
        return self._environment.inode

    @property
    def environment(self) -> int:
        """Which environment of this process it reads: the same commit of the same one holds the same."""
        return self._environment.number

    def scan(
        self, database: str, prefix: bytes = b"", start: bytes | None = None
    ) -> Iterator[tuple[memoryview, memoryview]]:
        """Rows whose key begins with `prefix`, from `start` on, in key order."""
        handle = self._environment.databases.get(database)
        if handle is None:
            return
        cursor = self._transaction.cursor(db=handle)
        if not cursor.set_range(start or prefix):
            return
        length = len(prefix)
        for key, value in cursor:
            if length and key[:length] != prefix:
                return
            yield key, value

    def get_many(self, database: str, wanted: Sequence[bytes]) -> list[memoryview]:
        """The values of those of some keys that are there, in the order of the keys."""
        handle = self._environment.databases.get(database)
        if handle is None:
            return []
        cursor = self._transaction.cursor(db=handle)
        return [value for _, value in cursor.getmulti(wanted)]

    def read_between(
        self, database: str, first: bytes, last: bytes
    ) -> tuple[list[bytes], list[memoryview]]:
        """Keys and values from one key on and before another, sooner than `scan` gives them."""
        found: list[bytes] = []
        values: list[memoryview] = []
        handle = self._environment.databases.get(database)
        if handle is not None:
            cursor = self._transaction.cursor(db=handle)
            for view, value in cursor if cursor.set_range(first) else ():
                key = bytes(view)
                if key >= last:
                    break
                found.append(key)
                values.append(value)
        return found, values

    def count(self, database: str) -> int:
        handle = self._environment.databases.get(database)
        return 0 if handle is None else int(self._transaction.stat(handle)["entries"])

    def close(self) -> None:
        if self._transaction is not None:
            self._transaction.abort()
            self._transaction = None
            self._environment.leave()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.close()


class WriteTransaction:
    """What a publication may do; it runs again from the start when the map had to grow."""

    __slots__ = ("_databases", "_transaction", "generation")

    def __init__(self, databases: dict[str, Any], transaction: Any) -> None:
        self._databases = databases
        self._transaction = transaction
        value = self.get(keys.META, keys.GENERATION_KEY)
        self.generation: int = 1 + (0 if value is None else _U64.unpack(value)[0])

    def get(self, database: str, key: bytes) -> bytes | None:
        value: bytes | None = self._transaction.get(key, db=self._databases[database])
        return value

    def put(self, database: str, key: bytes, value: bytes) -> None:
        self._transaction.put(key, value, db=self._databases[database])

    def put_many(
        self, database: str, items: Iterable[tuple[bytes, bytes]], *, append: bool = False
    ) -> None:
        """Store rows; `append` promises ascending keys beyond those that are there."""
        with self._transaction.cursor(db=self._databases[database]) as cursor:
            cursor.putmulti(items, append=append)

    def delete(self, database: str, key: bytes) -> bool:
        return bool(self._transaction.delete(key, db=self._databases[database]))

    def scan(self, database: str, prefix: bytes = b"") -> Iterator[tuple[bytes, bytes]]:
        """Rows whose key begins with `prefix`; do not write to the database meanwhile."""
        with self._transaction.cursor(db=self._databases[database]) as cursor:
            if not cursor.set_range(prefix):
                return
            for key, value in cursor:
                if not key.startswith(prefix):
                    return
                yield key, value

    def has_prefix(self, database: str, prefix: bytes) -> bool:
        return next(self.scan(database, prefix), None) is not None

    def clear(self, database: str) -> None:
        self._transaction.drop(self._databases[database], delete=False)

    def finish(self) -> None:
        """Name the new generation; the last thing a publication does."""
        self.put(keys.META, keys.GENERATION_KEY, _U64.pack(self.generation))


class Store:
    """The index of one repository, for readers and for its one writer."""

    _open: dict[str, "Store"] = {}  # noqa: RUF012  one environment per file and process is LMDB's rule
    _open_lock = threading.Lock()

    def __init__(self, folder: Path, *, map_size: int, writable: bool) -> None:
        self.folder = folder
        self._map_size = map_size
        self._users = 0
        self._environment = _Environment(folder, map_size, writable=writable)
        self._marked = False

    @classmethod
    def open(cls, folder: Path, *, create: bool = False, map_size: int = _MAP_SIZE) -> "Store":
        """Open the index in a repository folder; `create` is for the indexer."""
        name = str(folder.absolute())
        with cls._open_lock:
            store = cls._open.get(name)
            if store is None or store._environment.is_inherited:
                _check_folder(folder, create=create)
                writable = os.access(_nearest(folder), os.W_OK)
                store = cls(folder, map_size=map_size, writable=writable)
                cls._open[name] = store
            store._users += 1
        try:
            store._check_identity(create=create)
        except BaseException:
            store.close()
            raise
        return store

    def close(self) -> None:
        """Give the shared environment back; the last user closes it."""
        with self._open_lock:
            self._users -= 1
            if self._users > 0:
                return
            if self._open.get(str(self.folder.absolute())) is self:
                del self._open[str(self.folder.absolute())]
        self._environment.retire()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.close()

    def read(self) -> Reader:
        """Begin one read transaction, following an index that was set aside and built anew."""
        environment = self._environment
        if environment.is_replaced():
            environment = self._follow()
        return environment.begin_read()

    def version(self) -> tuple[int, tuple[int, int]]:
        """The last commit of the file that is there now, and which file that is with its generation.

        An index built anew counts its generations anew.
        """
        with self.read() as reader:
            return reader.commit, (reader.inode, reader.generation)

    def commit(self) -> int:
        """The last commit of the file that is open: while it and the file stay, everything does."""
        return self._environment.commit()

    def write(self, fill: Callable[[WriteTransaction], _T]) -> _T:
        """Run `fill` and commit; on any error nothing of it remains. A full map grows, then it runs again."""
        self._mark()
        while True:
            try:
                return self._environment.run_write(fill)
            except lmdb.MapFullError:
                self._environment.grow()
            except lmdb.MapResizedError:
                self._environment.adopt_size()
            except lmdb.Error as error:
                raise _translate(error, self.folder) from error

    def sync(self) -> None:
        """Make every commit durable and take the mark away."""
        self._environment.sync()
        with contextlib.suppress(FileNotFoundError):
            _mark_path(self.folder).unlink()
        self._marked = False

    def size_bytes(self) -> int:
        return _data_path(self.folder).stat().st_size

    def check_readers(self) -> int:
        """Free the slots of readers that died; they would keep old pages alive."""
        return self._environment.check_readers()

    def _mark(self) -> None:
        if self._marked or not self._environment.writable:
            return
        path = _mark_path(self.folder)
        # Replaced whole: a reader that met an empty mark would take the index for a broken one.
        fresh = path.with_suffix(f".{os.getpid()}")
        with fresh.open("w") as file:
            file.write(boot_id() or "")
            file.flush()
            os.fsync(file.fileno())
        fresh.replace(path)
        self._marked = True

    def _follow(self) -> "_Environment":
        with self._open_lock:
            if self._environment.is_replaced():
                _check_folder(self.folder, create=False)
                fresh = _Environment(
                    self.folder, self._map_size, writable=self._environment.writable
                )
                self._environment.retire()
                self._environment = fresh
        return self._environment

    def _check_identity(self, *, create: bool) -> None:
        with self.read() as reader:
            value = reader.get(keys.META, keys.IDENTITY_KEY)
            identity = None if value is None else orjson.loads(value)
        if identity is None and create:
            self.write(_write_identity)
        elif identity is None:
            raise NotIndexedError("The index holds nothing yet: run `agrama index .`")
        elif identity.get("agrama") != "index":
            raise StoreFormatError(f"{self.folder} was not written by agrama: run `agrama index .`")
        elif identity["format"] != keys.FORMAT_VERSION:
            raise StoreFormatError(
                f"index format {identity['format']}, this agrama reads {keys.FORMAT_VERSION}: "
                + ("upgrade agrama, or " if identity["format"] > keys.FORMAT_VERSION else "")
                + "run `agrama index .` to build it again"
            )


class _Environment:
    """An open LMDB environment with what LMDB itself does not guard: forks, resizes, live readers."""

    _numbers = count()

    def __init__(self, folder: Path, map_size: int, *, writable: bool) -> None:
        path = _data_path(folder).parent
        self.number = next(self._numbers)
        self._forks = count_forks()
        self.writable = writable
        self.environment = _open_environment(path, map_size, writable=writable)
        self.databases: dict[str, Any] = {}
        self._open_databases()
        self._data = str(_data_path(folder))
        self.inode = os.stat(self._data).st_ino
        self._lock = threading.Lock()
        self._gate = threading.Condition(self._lock)
        self._readers = 0
        self._retired = False
        if writable:
            self.environment.reader_check()

    @property
    def is_inherited(self) -> bool:
        """Whether another process opened it, of which this one is a copy."""
        return self._forks != count_forks()

    def is_replaced(self) -> bool:
        try:
            return os.stat(self._data).st_ino != self.inode
        except OSError:
            return False

    def begin_read(self) -> Reader:
        self._check_pid()
        while True:
            with self._gate:
                self._readers += 1
            try:
                return Reader(self, self.environment.begin(buffers=True))
            except lmdb.MapResizedError:
                self.leave()
                self.adopt_size()
            except lmdb.Error as error:
                self.leave()
                raise _translate(error, Path(self._data)) from error

    def commit(self) -> int:
        with self._lock:
            try:
                if self._forks == _forks:
                    return read_commit(self.environment)
            except lmdb.Error:
                pass  # told by begin_read
            return _NO_COMMIT

    def leave(self) -> None:
        with self._gate:
            self._readers -= 1
            if not self._readers:
                self._gate.notify_all()
                if self._retired:
                    self.environment.close()

    def run_write(self, fill: Callable[[WriteTransaction], _T]) -> _T:
        self._check_pid()
        if not self.writable:
            raise StoreError(
                f"{self._data} lies on a read-only file system: set AGRAMA_HOME elsewhere"
            )
        with self.environment.begin(write=True) as transaction:
            return fill(WriteTransaction(self.databases, transaction))

    def grow(self) -> None:
        self._resize(2 * int(self.environment.info()["map_size"]))

    def adopt_size(self) -> None:
        """Take over the size another process gave the map."""
        self._resize(0)

    def sync(self) -> None:
        self._check_pid()
        try:
            self.environment.sync(True)  # noqa: FBT003  py-lmdb takes it by position
        except lmdb.Error as error:
            raise _translate(error, Path(self._data)) from error

    def check_readers(self) -> int:
        return int(self.environment.reader_check()) if self.writable else 0

    def retire(self) -> None:
        with self._gate:
            self._retired = True
            if not self._readers and not self.is_inherited:
                self.environment.close()

    def _resize(self, size: int) -> None:
        """LMDB resizes only while this process has no transaction, so wait for ours to end."""
        deadline = time.monotonic() + _RESIZE_WAIT_SECONDS
        with self._gate:
            while self._readers:
                if not self._gate.wait(deadline - time.monotonic()):
                    raise StoreBusyError("The index must grow but requests keep it busy: try again")
            self.environment.set_mapsize(size)

    def _check_pid(self) -> None:
        if self.is_inherited:
            raise StoreError("The index was opened before this process was forked: open it again")

    def _open_databases(self) -> None:
        for name in keys.DATABASES:
            with contextlib.suppress(lmdb.NotFoundError, lmdb.ReadonlyError):
                self.databases[name] = self.environment.open_db(name.encode(), create=self.writable)


def _count_fork() -> None:
    global _forks
    _forks += 1


os.register_at_fork(after_in_child=_count_fork)


def count_forks() -> int:
    """Changes in a child process: `getpid` would ask the system each time."""
    return _forks


def read_commit(environment: Any) -> int:
    """The number of the last commit of any process, 0.2 µs."""
    transaction = environment.begin()
    commit: int = transaction.id()
    transaction.abort()
    return commit


def boot_id() -> str | None:
    """Which boot of the machine this is, or None where that cannot be told."""
    try:
        return Path("/proc/sys/kernel/random/boot_id").read_text().strip()
    except OSError:
        return None


def set_aside(folder: Path) -> Path:
    """Move an unusable index out of the way, over the one set aside before."""
    path = _data_path(folder)
    aside = path.with_name("set-aside.mdb")
    path.replace(aside)
    with contextlib.suppress(FileNotFoundError):
        path.with_name("lock.mdb").unlink()
    with contextlib.suppress(FileNotFoundError):
        _mark_path(folder).unlink()
    return aside


def _open_environment(path: Path, map_size: int, *, writable: bool) -> Any:
    """Open with as much address space as can be had."""
    if writable:
        path.mkdir(parents=True, exist_ok=True, mode=0o700)
    while True:
        try:
            return lmdb.open(
                str(path),
                map_size=map_size,
                max_dbs=64,
                max_readers=_MAX_READERS,
                readonly=not writable,
                lock=writable,
                create=writable,
                sync=boot_id() is None,
                metasync=False,
                readahead=True,
            )
        except (lmdb.MemoryError, lmdb.Error) as error:
            if "memory" not in str(error).lower() or map_size <= _SMALLEST_MAP:
                raise _translate(error, path) from error
            map_size //= 2


def _check_folder(folder: Path, *, create: bool) -> None:
    """Refuse what LMDB would choke on, before it is mapped."""
    path = _data_path(folder)
    if not path.exists():
        if not create:
            raise NotIndexedError("There is no index of this repository: run `agrama index .`")
        return
    if defect := _find_lasting_defect(path):
        raise StoreFormatError(f"{path} is {defect}: run `agrama index .` to build it again")
    mark = _mark_path(folder)
    with contextlib.suppress(FileNotFoundError):
        if mark.read_text() != (boot_id() or ""):
            raise StoreFormatError(
                f"{path} was being written when the machine went down: "
                "run `agrama index .` to build it again"
            )


def _find_lasting_defect(path: Path) -> str | None:
    """What is wrong with a data file, once whoever is creating it had time to write its first pages."""
    while (defect := find_defect(path)) == "empty":
        if not 0 <= time.time() - path.stat().st_mtime < _CREATION_SECONDS:
            break
        time.sleep(0.002)
    return defect


def _write_identity(transaction: WriteTransaction) -> None:
    identity = {"agrama": "index", "format": keys.FORMAT_VERSION}
    transaction.put(keys.META, keys.IDENTITY_KEY, orjson.dumps(identity))


def _translate(error: Exception, path: Path) -> StoreError:
    text = str(error)
    if isinstance(error, lmdb.DiskError) or any(part in text for part in _FULL_ERRORS):
        return StoreFullError(
            f"The disk with {path} is full (or failing): free some space; the old index is intact"
        )
    if isinstance(error, lmdb.ReadersFullError):
        return StoreBusyError(f"{path} has too many readers: try again")
    if isinstance(error, lmdb.LockError):
        return StoreBusyError(f"{path} is locked: try again")
    return StoreError(f"{path}: {text}: run `agrama doctor`, or `agrama index .` to build it again")


def _data_path(folder: Path) -> Path:
    return folder / "index" / "data.mdb"


def _mark_path(folder: Path) -> Path:
    return folder / "index.dirty"


def _nearest(folder: Path) -> Path:
    """The folder, or the first parent that is there."""
    return next(path for path in (folder.absolute(), *folder.absolute().parents) if path.exists())
