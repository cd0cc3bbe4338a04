"""A watching indexer follows every change, answers who asks, and ends when it should."""

import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from agrama.graph.keys import repository_folder
from agrama.graph.snapshot import Snapshot, open_snapshot
from agrama.graph.store import Store
from agrama.indexer.build import Indexer, Options
from agrama.indexer.doorbell import ask_indexer
from agrama.indexer.lock import IndexerLock
from agrama.indexer.watch import Watcher

DEADLINE_SECONDS = 30.0


@pytest.fixture
def watching(sample: Path) -> "Iterator[subprocess.Popen[bytes]]":
    command = [sys.executable, "-P", "-m", "agrama", "index", str(sample), "--watch", "--quiet"]
    with subprocess.Popen([*command, "--exit-with-parent"], stdin=subprocess.PIPE) as process:
        wait_for(sample, lambda snapshot: snapshot.generation >= 1)
        # The first answer comes once directories are watched.
        assert ask_indexer(repository_folder(sample), None, DEADLINE_SECONDS) is not None
        yield process


def wait_for(root: Path, holds: Callable[[Snapshot], bool]) -> None:
    deadline = time.monotonic() + DEADLINE_SECONDS
    folder = repository_folder(root)
    while not (folder / "index" / "data.mdb").exists() and time.monotonic() < deadline:
        time.sleep(0.02)
    with Store.open(folder, create=True) as store:
        wait_in(store, holds, deadline)


def wait_in(store: Store, holds: Callable[[Snapshot], bool], deadline: float) -> None:
    while time.monotonic() < deadline:
        with open_snapshot(store) as snapshot:
            if holds(snapshot):
                return
        time.sleep(0.02)
    raise AssertionError("it did not come true in time")


def has(symbol: str) -> Callable[[Snapshot], bool]:
    return lambda snapshot: snapshot.symbol(symbol) is not None


def has_not(symbol: str) -> Callable[[Snapshot], bool]:
    return lambda snapshot: snapshot.symbol(symbol) is None


@pytest.mark.usefixtures("watching")
def test_edits_additions_and_removals_are_seen(sample: Path) -> None:
    (sample / "shop" / "money.py").write_text("def fresh():\n    pass\n")
    wait_for(sample, has("shop/money.py::fresh"))
    (sample / "shop" / "added.py").write_text("def added():\n    pass\n")
    wait_for(sample, has("shop/added.py::added"))
    (sample / "deep" / "down").mkdir(parents=True)
    (sample / "deep" / "down" / "x.py").write_text("def far():\n    pass\n")
    wait_for(sample, has("deep/down/x.py::far"))
    (sample / "deep" / "down" / "x.py").write_text("def farther():\n    pass\n")
    wait_for(sample, has("deep/down/x.py::farther"))
    (sample / "shop" / "added.py").rename(sample / "shop" / "moved.py")
    wait_for(sample, has("shop/moved.py::added"))
    wait_for(sample, has_not("shop/added.py"))
    (sample / "shop" / "moved.py").unlink()
    wait_for(sample, has_not("shop/moved.py"))


class SlowToWatch(Watcher):
    """Its watches stand only once `gate` is set."""

    gate: threading.Event

    def _watch(self, folders: list[Path], stop: threading.Event) -> None:
        assert self.gate.wait(DEADLINE_SECONDS)
        super()._watch(folders, stop)


def test_an_edit_before_the_watches_stand_is_seen(sample: Path) -> None:
    with Indexer(sample, Options(resident=True)) as indexer:
        watcher = SlowToWatch(indexer, lambda _: None)
        watcher.gate = threading.Event()
        thread = threading.Thread(target=watcher.run)
        thread.start()
        try:
            deadline = time.monotonic() + DEADLINE_SECONDS
            watcher.gate.set()
            wait_in(indexer.store, has("shop/money.py::Money"), deadline)
            (sample / "shop" / "money.py").write_text("def watched():\n    pass\n")
            wait_in(indexer.store, has("shop/money.py::watched"), deadline)
            watcher.gate.clear()
            (sample / "deep").mkdir()
            (sample / "deep" / "x.py").write_text("def far():\n    pass\n")
            wait_in(indexer.store, has("deep/x.py::far"), deadline)
            (sample / "deep" / "x.py").write_text("def between():\n    pass\n")
            time.sleep(0.3)
            watcher.gate.set()
            wait_in(indexer.store, has("deep/x.py::between"), deadline)
        finally:
            watcher.stop()
            thread.join()


@pytest.mark.usefixtures("watching")
def test_a_save_by_renaming_is_one_edit(sample: Path) -> None:
    temporary = sample / "shop" / ".money.py.swp"
    temporary.write_text("def renamed_in():\n    pass\n")
    temporary.replace(sample / "shop" / "money.py")
    wait_for(sample, has("shop/money.py::renamed_in"))


@pytest.mark.usefixtures("watching")
def test_many_changes_at_once_are_taken_together(sample: Path) -> None:
    for number in range(100):
        (sample / "shop" / f"m{number}.py").write_text(f"def f{number}():\n    pass\n")
    wait_for(sample, lambda s: all(has(f"shop/m{n}.py::f{n}")(s) for n in range(100)))
    with Store.open(repository_folder(sample)) as store, store.read() as reader:
        assert reader.generation < 50


@pytest.mark.usefixtures("watching")
def test_new_ignore_rules_take_effect(sample: Path) -> None:
    (sample / ".agramaignore").write_text("shop/money.py\n")
    wait_for(sample, has_not("shop/money.py::Money"))


@pytest.mark.usefixtures("watching")
def test_another_process_may_ask_for_a_file(sample: Path) -> None:
    (sample / "shop" / "money.py").write_text("def asked():\n    pass\n")
    folder = repository_folder(sample)
    answer = ask_indexer(folder, ["shop/money.py"], DEADLINE_SECONDS)
    assert answer is not None and answer["generation"] >= 2
    with Store.open(folder) as store, open_snapshot(store) as snapshot:
        assert snapshot.symbol("shop/money.py::asked") is not None


@pytest.mark.usefixtures("watching")
def test_a_second_index_command_uses_the_running_one(sample: Path) -> None:
    (sample / "shop" / "money.py").write_text("def second():\n    pass\n")
    command = [sys.executable, "-P", "-m", "agrama", "index", str(sample), "--json"]
    done = subprocess.run(command, capture_output=True, check=True, timeout=DEADLINE_SECONDS)
    assert b'"generation"' in done.stdout
    wait_for(sample, has("shop/money.py::second"))


def test_it_ends_with_its_parent(sample: Path, watching: "subprocess.Popen[bytes]") -> None:
    assert watching.stdin is not None
    watching.stdin.close()
    assert watching.wait(timeout=20) == 0
    with IndexerLock(repository_folder(sample)) as lock:
        assert lock.take()
    assert not (repository_folder(sample) / "indexer.sock").exists()


def test_it_ends_with_its_parent_where_interrupts_are_ignored(sample: Path) -> None:
    command = [sys.executable, "-P", "-m", "agrama", "index", str(sample), "--watch", "--quiet"]
    process = subprocess.Popen(
        [*command, "--exit-with-parent"],
        stdin=subprocess.PIPE,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_IGN),
    )
    wait_for(sample, lambda snapshot: snapshot.generation >= 1)
    assert process.stdin is not None
    process.stdin.close()
    assert process.wait(timeout=20) in (0, -signal.SIGTERM)


def test_nobody_answers_where_nobody_listens(tmp_path: Path) -> None:
    assert ask_indexer(tmp_path, None, 1.0) is None


def test_a_killed_watcher_leaves_the_lock_free(
    sample: Path, watching: "subprocess.Popen[bytes]"
) -> None:
    watching.kill()
    watching.wait()
    assert ask_indexer(repository_folder(sample), None, 1.0) is None
    done = subprocess.run(
        [sys.executable, "-P", "-m", "agrama", "index", str(sample), "--quiet"], timeout=60
    )
    assert done.returncode == 0
