"""Worker processes under bad files: slow ones, ones that kill the parser, ones that vanish."""

import os
import signal
import threading
import time
from pathlib import Path

import pytest

from agrama.indexer import pool as pool_module
from agrama.indexer.frames import Frames, pack_frame
from agrama.indexer.pool import Pool
from agrama.indexer.worker import FileReader, Task

# A worker that obeys what stands in the files, in place of a parser that hangs or crashes.
OBEDIENT = """
import os, signal, subprocess, sys, time
from agrama.indexer import worker
read = worker.FileReader.read
def obey(self, task):
    with open(f"{sys.argv[1]}/{task.path}") as file:
        word = file.read().strip()
    while word == "hang":
        pass
    if word == "sleep":
        time.sleep(60)
    if word == "stop":
        subprocess.Popen(["sh", "-c", f"sleep 2; kill -CONT {os.getpid()}"])
        os.kill(os.getpid(), signal.SIGSTOP)
    if word == "crash":
        os._exit(3)
    return read(self, task)
worker.FileReader.read = obey
worker.main()
"""


@pytest.fixture
def root(tmp_path: Path) -> Path:
    for number in range(40):
        (tmp_path / f"f{number:02}.py").write_text(f"def f{number}():\n    pass\n")
    return tmp_path


def tasks(root: Path) -> list[Task]:
    return [Task(path.name, "python", "") for path in sorted(root.iterdir())]


def test_every_file_gets_one_result(root: Path) -> None:
    with Pool(root, max_bytes=1 << 20, size=2) as pool:
        results = list(pool.parse(tasks(root)))
    assert sorted(result.path for result in results) == [task.path for task in tasks(root)]
    assert {result.status for result in results} == {"ok"}


def test_a_pool_can_be_used_again(root: Path) -> None:
    with Pool(root, max_bytes=1 << 20, size=1) as pool:
        assert len(list(pool.parse(tasks(root)))) == 40
        assert len(list(pool.parse(tasks(root)[:3]))) == 3


@pytest.mark.parametrize(
    ("word", "reason"), [("hang", "timeout"), ("sleep", "timeout"), ("crash", "crashed")]
)
def test_one_bad_file_costs_only_itself(
    root: Path, word: str, reason: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pool_module, "_COMMAND", OBEDIENT)
    (root / "f07.py").write_text(word)
    with Pool(root, max_bytes=1 << 20, size=2, parse_seconds=2.0) as pool:
        results = {result.path: result for result in pool.parse(tasks(root))}
    assert len(results) == 40
    assert (results["f07.py"].status, results["f07.py"].reason) == ("skipped", reason)
    assert results["f07.py"].problem
    others = {result.status for path, result in results.items() if path != "f07.py"}
    assert others == {"ok"}


def test_a_worker_that_had_no_processor_is_waited_for(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pool_module, "_COMMAND", OBEDIENT)
    (root / "f07.py").write_text("stop")
    with Pool(root, max_bytes=1 << 20, size=1, parse_seconds=1.0) as pool:
        results = {result.path: result for result in pool.parse(tasks(root))}
    assert {result.status for result in results.values()} == {"ok"}


def test_a_killed_worker_is_replaced(root: Path) -> None:
    with Pool(root, max_bytes=1 << 20, size=2) as pool:
        results = pool.parse(tasks(root))
        first = next(results)
        os.kill(pool._workers[0].process.pid, signal.SIGKILL)
        rest = list(results)
    assert len({first.path, *(result.path for result in rest)}) == 40
    assert sum(result.reason == "crashed" for result in rest) <= 1


def test_workers_end_when_their_parent_closes_the_pipe(root: Path) -> None:
    pool = Pool(root, max_bytes=1 << 20, size=1)
    list(pool.parse(tasks(root)[:1]))
    worker = pool._workers[0].process
    assert worker.stdin is not None
    worker.stdin.close()
    assert worker.wait(timeout=10) == 0
    pool.close()


def test_a_file_that_is_gone_or_the_same_is_said_so(root: Path) -> None:
    reader = FileReader(root, 1 << 20, graph_only=True)
    first = reader.read(Task("f01.py", "python", ""))
    assert reader.read(Task("f01.py", "python", first.digest)).status == "same"
    assert reader.read(Task("nowhere.py", "python", "")).status == "gone"


def test_a_surprise_in_a_front_end_is_recorded_with_the_file(root: Path) -> None:
    reader = FileReader(root, 1 << 20, graph_only=True)
    (root / "deep.py").write_text("x = " + "(" * 100_000 + ")" * 100_000)
    result = reader.read(Task("deep.py", "python", ""))
    assert result.status in ("ok", "partial") or (result.reason == "failed" and result.problem)


def test_frames_survive_any_cut() -> None:
    stream = b"".join(pack_frame((number, b"x" * number)) for number in range(50))
    frames = Frames()
    found = []
    for byte in stream:
        found += frames.feed(bytes([byte]))
    assert found == [(number, b"x" * number) for number in range(50)]


def test_interrupting_the_parent_leaves_no_workers(root: Path) -> None:
    # A shell that starts us in the background has SIGINT ignored; the test needs its handler.
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    timer = threading.Timer(0.3, os.kill, [os.getpid(), signal.SIGINT])
    with pytest.raises(KeyboardInterrupt), Pool(root, max_bytes=1 << 20, size=1) as pool:
        timer.start()
        while True:
            list(pool.parse(tasks(root)))
            time.sleep(0.01)
    signal.signal(signal.SIGINT, before)
    assert not pool._workers


def test_a_file_that_takes_all_memory_costs_only_itself(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    greedy = (
        "from agrama.indexer import parse, worker; plain = parse.parse_file\n"
        "def devour(path, content, language):\n"
        "    return plain(path, bytearray(4 << 30) if path == 'f07.py' else content, language)\n"
        "parse.parse_file = devour; worker.main()"
    )
    monkeypatch.setattr(pool_module, "_COMMAND", greedy)
    with Pool(root, max_bytes=1 << 20, size=1) as pool:
        results = {result.path: result for result in pool.parse(tasks(root))}
    assert results["f07.py"].problem == "MemoryError: "
    assert {result.status for path, result in results.items() if path != "f07.py"} == {"ok"}
