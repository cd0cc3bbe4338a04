"""The store under everything that goes wrong around it."""

import os
import resource
import shutil
import signal
import struct
import subprocess
import sys
import tempfile
import textwrap
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import orjson
import pytest

from agrama.errors import NotIndexedError, StoreError, StoreFormatError
from agrama.graph import keys
from agrama.graph.datafile import find_defect
from agrama.graph.store import Store, WriteTransaction, set_aside
from agrama.indexer.build import open_for_indexing

SMALL_MAP = 1 << 20


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "repository"


def fill(transaction: WriteTransaction, size: int = 100, mark: bytes = b"x") -> None:
    transaction.put(keys.MANIFEST, b"key", mark * size)
    transaction.finish()


def read_value(store: Store) -> bytes | None:
    with store.read() as reader:
        value = reader.get(keys.MANIFEST, b"key")
        return None if value is None else bytes(value)


def run_python(code: str, *arguments: object) -> "subprocess.Popen[str]":
    """A process that talks over its pipes, line by line."""
    return subprocess.Popen(
        [sys.executable, "-c", textwrap.dedent(code), *map(str, arguments)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )


def test_a_commit_is_seen_by_the_next_reader_and_not_by_an_open_one(folder: Path) -> None:
    with Store.open(folder, create=True) as store:
        store.write(fill)
        with store.read() as before:
            store.write(lambda txn: fill(txn, mark=b"y"))
            assert before.generation == 1
            assert store.version()[1][1] == 2
            assert bytes(before.get(keys.MANIFEST, b"key") or b"") == b"x" * 100
        with store.read() as after:
            assert after.generation == 2
        assert read_value(store) == b"y" * 100


def test_an_index_built_anew_has_a_version_of_its_own(folder: Path) -> None:
    make_index(folder)
    with Store.open(folder) as store:
        before = store.version()
        assert store.version() == before
        set_aside(folder)
        with run_python(BUILD_ANEW, folder) as builder:
            assert builder.wait() == 0
        after = store.version()
    assert before[1][1] == after[1][1] == 1
    assert before != after


BUILD_ANEW = """
    import sys
    from pathlib import Path
    from agrama.graph.store import Store
    with Store.open(Path(sys.argv[1]), create=True) as store:
        store.write(lambda txn: txn.finish())
"""


def test_a_failed_write_leaves_nothing(folder: Path) -> None:
    def fail(transaction: WriteTransaction) -> None:
        fill(transaction, mark=b"y")
        raise RuntimeError("in the middle")

    with Store.open(folder, create=True) as store:
        store.write(fill)
        with pytest.raises(RuntimeError, match="in the middle"):
            store.write(fail)
        assert read_value(store) == b"x" * 100
        with store.read() as reader:
            assert reader.generation == 1


def test_an_index_that_is_not_there_names_the_next_step(folder: Path) -> None:
    with pytest.raises(NotIndexedError, match="run `agrama index"):
        Store.open(folder)
    assert not folder.exists()


def test_a_forked_child_must_open_anew(folder: Path) -> None:
    with Store.open(folder, create=True) as store:
        store.write(fill)
        child = os.fork()
        if child == 0:
            code = 1
            try:
                store.read()
            except StoreError as error:
                code = 0 if "forked" in error.message else 2
                with Store.open(folder) as fresh:
                    code = code if read_value(fresh) == b"x" * 100 else 3
            finally:
                os._exit(code)
        assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
        assert read_value(store) == b"x" * 100


ATTACHED_READER = """
    import sys
    from pathlib import Path
    from agrama.graph import keys
    from agrama.graph.store import Store
    store = Store.open(Path(sys.argv[1]), map_size=int(sys.argv[2]))
    print("open", flush=True)
    for line in sys.stdin:
        with store.read() as reader:
            print(reader.generation, len(reader.get(keys.MANIFEST, b"key")), flush=True)
"""


def test_the_map_grows_while_other_processes_are_attached(folder: Path) -> None:
    with Store.open(folder, create=True, map_size=SMALL_MAP) as store:
        store.write(fill)
        with run_python(ATTACHED_READER, folder, SMALL_MAP) as other:
            assert other.stdin and other.stdout
            assert other.stdout.readline() == "open\n"
            store.write(lambda txn: fill(txn, 8 * SMALL_MAP))
            other.stdin.write("read\n")
            other.stdin.flush()
            assert other.stdout.readline() == f"2 {8 * SMALL_MAP}\n"
        assert other.returncode == 0
        assert len(read_value(store) or b"") == 8 * SMALL_MAP


def test_the_map_waits_to_grow_for_a_request_of_its_own_process(folder: Path) -> None:
    with Store.open(folder, create=True, map_size=SMALL_MAP) as store:
        store.write(fill)
        reader = store.read()
        timer = threading.Timer(0.2, reader.close)
        timer.start()
        store.write(lambda txn: fill(txn, 4 * SMALL_MAP))
        timer.join()
        assert len(read_value(store) or b"") == 4 * SMALL_MAP


PINNED_READER = """
    import sys
    from pathlib import Path
    from agrama.graph.store import Store
    reader = Store.open(Path(sys.argv[1])).read()
    print(reader.generation, flush=True)
    sys.stdin.read()
"""


def test_a_killed_reader_does_not_make_the_file_grow(folder: Path) -> None:
    with Store.open(folder, create=True) as store:
        store.write(lambda txn: fill(txn, 1 << 20))
        with run_python(PINNED_READER, folder) as other:
            assert other.stdout and other.stdout.readline() == "1\n"
            other.send_signal(signal.SIGKILL)
        assert store.check_readers() == 1
        for _ in range(20):
            store.write(lambda txn: fill(txn, 1 << 20))
        assert store.size_bytes() < 6 << 20


def make_index(folder: Path) -> Path:
    with Store.open(folder, create=True) as store:
        store.write(lambda txn: fill(txn, 1 << 16))
        store.sync()
    return folder / "index" / "data.mdb"


def truncate(path: Path) -> None:
    os.truncate(path, path.stat().st_size // 2)


def test_a_file_that_is_just_being_created_is_waited_for(tmp_path: Path) -> None:
    with Store.open(tmp_path / "made", create=True):
        pass
    made = (tmp_path / "made" / "index" / "data.mdb").read_bytes()
    path = tmp_path / "young" / "index" / "data.mdb"
    path.parent.mkdir(parents=True)
    path.touch()
    filler = threading.Timer(0.1, path.write_bytes, [made])
    filler.start()
    with Store.open(tmp_path / "young") as store, store.read() as reader:
        assert reader.get(keys.META, keys.IDENTITY_KEY) is not None
    filler.join()


def empty(path: Path) -> None:
    os.truncate(path, 0)


def replace_by_text(path: Path) -> None:
    path.write_text("this is no database\n" * 1000)


def claim_format(number: int) -> Callable[[Path], None]:
    def claim(path: Path) -> None:
        identity = orjson.dumps({"agrama": "index", "format": number})
        with Store.open(path.parent.parent) as store:
            store.write(lambda txn: txn.put(keys.META, keys.IDENTITY_KEY, identity))
            store.sync()

    return claim


def claim_other_program(path: Path) -> None:
    with Store.open(path.parent.parent) as store:
        store.write(lambda txn: txn.put(keys.META, keys.IDENTITY_KEY, b'{"agrama":"journal"}'))
        store.sync()


@pytest.mark.parametrize(
    ("damage", "says"),
    [
        (truncate, "truncated"),
        (empty, "empty"),
        (replace_by_text, "not an LMDB file"),
        (claim_format(keys.FORMAT_VERSION + 1), f"index format {keys.FORMAT_VERSION + 1}"),
        (claim_format(keys.FORMAT_VERSION - 1), f"index format {keys.FORMAT_VERSION - 1}"),
        (claim_other_program, "not written by agrama"),
    ],
)
def test_an_unusable_index_is_refused_by_readers_and_set_aside_by_the_indexer(
    folder: Path, damage: Callable[[Path], None], says: str
) -> None:
    path = make_index(folder)
    damage(path)
    with pytest.raises(StoreFormatError, match="run `agrama index") as refused:
        Store.open(folder)
    assert says in refused.value.message
    store, message = open_for_indexing(folder)
    with store:
        assert message is not None
        assert says in message
        assert (path.parent / "set-aside.mdb").exists()
        store.write(fill)
        assert read_value(store) == b"x" * 100


def test_a_lost_identity_is_not_taken_for_a_new_index(folder: Path) -> None:
    make_index(folder)
    with Store.open(folder) as store:
        store.write(lambda txn: txn.delete(keys.META, keys.IDENTITY_KEY))
    with pytest.raises(NotIndexedError):
        Store.open(folder)


def test_a_cut_inside_the_meta_pages_is_seen(folder: Path) -> None:
    path = make_index(folder)
    os.truncate(path, 4096 + 10)
    assert find_defect(path) == "truncated"
    os.truncate(path, 60)
    assert find_defect(path) == "not an LMDB file"


def test_an_index_not_synced_before_a_power_cut_is_rebuilt(folder: Path) -> None:
    with Store.open(folder, create=True) as store:
        store.write(fill)
    mark = folder / "index.dirty"
    assert mark.exists()
    with Store.open(folder) as store:  # the same boot: nothing was lost
        assert read_value(store) == b"x" * 100
    mark.write_text("00000000-another-boot")
    with pytest.raises(StoreFormatError, match="when the machine went down"):
        Store.open(folder)
    store, message = open_for_indexing(folder)
    with store:
        assert message and "went down" in message
        store.sync()
        assert not mark.exists()


def test_a_running_reader_follows_an_index_that_was_built_anew(folder: Path) -> None:
    make_index(folder)
    with run_python(ATTACHED_READER, folder, 1 << 30) as other:
        assert other.stdin and other.stdout
        assert other.stdout.readline() == "open\n"
        set_aside(folder)
        with Store.open(folder, create=True) as store:
            store.write(lambda txn: fill(txn, 7))
            other.stdin.write("read\n")
            other.stdin.flush()
            assert other.stdout.readline() == "1 7\n"


FULL_DISK = """
    import resource, sys
    from pathlib import Path
    from agrama.errors import StoreFullError
    from agrama.graph import keys
    from agrama.graph.store import Store
    store = Store.open(Path(sys.argv[1]))
    limit = store.size_bytes() + (1 << 16)
    resource.setrlimit(resource.RLIMIT_FSIZE, (limit, resource.RLIM_INFINITY))
    try:
        store.write(lambda txn: (txn.put(keys.MANIFEST, b"key", b"y" * (1 << 24)), txn.finish()))
    except StoreFullError as error:
        assert "the old index is intact" in error.message
    else:
        raise SystemExit("the write should have failed")
    with store.read() as reader:
        assert reader.generation == 1 and len(reader.get(keys.MANIFEST, b"key")) == 1 << 16
    resource.setrlimit(resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
    store.write(lambda txn: (txn.put(keys.MANIFEST, b"key", b"y" * (1 << 24)), txn.finish()))
    with store.read() as reader:
        assert reader.generation == 2 and len(reader.get(keys.MANIFEST, b"key")) == 1 << 24
"""


def test_a_full_disk_loses_nothing_and_reading_goes_on(folder: Path) -> None:
    """The limit on file sizes makes the kernel refuse pages just as a full disk does."""
    assert resource.getrlimit(resource.RLIMIT_FSIZE)[1] == resource.RLIM_INFINITY
    make_index(folder)
    with run_python(FULL_DISK, folder) as process:
        pass
    assert process.returncode == 0


@pytest.fixture
def read_only_folder() -> Iterator[Path]:
    """A folder that another user may read but not write."""
    top = Path(tempfile.mkdtemp(prefix="agrama-read-only-"))
    folder = top / "repository"
    make_index(folder)
    for path in (top, folder, folder / "index"):
        path.chmod(0o555)
    for path in (folder / "index").iterdir():
        path.chmod(0o444)
    yield folder
    for path in (top, folder, folder / "index"):
        path.chmod(0o755)
    shutil.rmtree(top)


def use_read_only(folder: Path) -> None:
    with Store.open(folder) as store:
        assert len(read_value(store) or b"") == 1 << 16
        with pytest.raises(StoreError, match="AGRAMA_HOME"):
            store.write(fill)


def test_an_index_on_a_read_only_file_system_can_be_read(read_only_folder: Path) -> None:
    child = os.fork()
    if child == 0:
        code = 1
        try:
            if os.geteuid() == 0:  # root may write anywhere, so become nobody
                os.setgroups([])
                os.setgid(65534)
                os.setuid(65534)
            use_read_only(read_only_folder)
            code = 0
        finally:
            os._exit(code)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0


def test_readers_in_many_threads_see_whole_generations(folder: Path) -> None:
    seen: list[tuple[int, int]] = []

    def read(store: Store) -> None:
        for _ in range(200):
            with store.read() as reader:
                value = reader.get(keys.MANIFEST, b"key")
                assert value is not None
                seen.append((reader.generation, value[0]))

    with Store.open(folder, create=True) as store:
        store.write(lambda txn: fill(txn, 1, b"\x01"))
        threads = [threading.Thread(target=read, args=(store,)) for _ in range(4)]
        for thread in threads:
            thread.start()
        for number in range(2, 100):
            store.write(lambda txn, number=number: fill(txn, 1, struct.pack("B", number)))  # type: ignore[misc]
        for thread in threads:
            thread.join()
    assert len(seen) == 800
    assert all(generation == value for generation, value in seen)


def test_a_reader_never_meets_half_a_mark(folder: Path) -> None:
    with Store.open(folder, create=True) as store:
        store.write(fill)
    code = """
        import sys
        from pathlib import Path
        from agrama.graph.store import Store
        with Store.open(Path(sys.argv[1]), create=True) as store:
            print("ready", flush=True)
            while True:
                store.write(lambda transaction: transaction.finish())
                store.sync()
    """
    writer = run_python(code, folder)
    assert writer.stdout is not None
    with writer:
        writer.stdout.readline()
        try:
            for _ in range(2_000):
                with Store.open(folder) as store:
                    assert store.folder == folder
        finally:
            writer.kill()
