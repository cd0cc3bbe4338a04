"""Durability: one sync serves all who wait, and the death of who syncs keeps nobody waiting."""

import os
import signal
import subprocess
import sys
import threading
import time
from array import array
from pathlib import Path

import pytest

from agrama.graph import durable
from agrama.graph.durable import Durability
from agrama.graph.journal import segment_name

HOLDER = """
import fcntl, os, sys, time
lock = os.open(sys.argv[1], os.O_RDWR)
fcntl.flock(lock, fcntl.LOCK_EX)
print("held", flush=True)
time.sleep(60)
"""


def make(folder: Path, end: list[int]) -> Durability:
    (folder / segment_name(1)).touch()
    return Durability(folder, lambda: (1, end[0]))


def test_those_who_wait_while_one_syncs_share_the_next(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun, go = threading.Event(), threading.Event()

    def fdatasync(descriptor: int) -> None:
        begun.set()
        go.wait(10)

    monkeypatch.setattr(os, "fdatasync", fdatasync)
    end = [1]
    # Two openings stand for two processes: their locks on the file are as separate.
    here, there = make(tmp_path, end), make(tmp_path, end)
    threads = [threading.Thread(target=here.settle, args=(1,))]
    threads[0].start()
    assert begun.wait(10)
    end[0] = 9
    for seq in range(2, 10):
        durable = here if seq % 2 else there
        threads.append(threading.Thread(target=durable.settle, args=(seq,)))
        threads[-1].start()
    time.sleep(0.05)
    assert all(thread.is_alive() for thread in threads)
    go.set()
    for thread in threads:
        thread.join(10)
    assert not any(thread.is_alive() for thread in threads)
    assert here.syncs + there.syncs == 2
    here.close()
    there.close()


def test_a_killed_leader_is_replaced(tmp_path: Path) -> None:
    durable = make(tmp_path, [3])
    holder = subprocess.Popen(
        [sys.executable, "-c", HOLDER, str(tmp_path / "sync.lock")], stdout=subprocess.PIPE
    )
    assert holder.stdout is not None
    assert holder.stdout.readline() == b"held\n"
    waiter = threading.Thread(target=durable.settle, args=(3,))
    waiter.start()
    time.sleep(0.1)
    assert waiter.is_alive()
    os.kill(holder.pid, signal.SIGKILL)
    holder.communicate()
    waiter.join(5)
    assert not waiter.is_alive()
    durable.close()


def test_a_lone_writer_has_its_pages_written_early(tmp_path: Path) -> None:
    durable = make(tmp_path, [3])
    other = make(tmp_path, [3])
    begun: list[tuple[int, ...]] = []
    durable._write_early = lambda *arguments: begun.append(arguments) or 0
    durable.hurry(7, 5000, 5400)
    assert begun == [(7, 4096, 1304, 2)]
    other._word[2] = 1  # somebody syncs
    durable.hurry(7, 5400, 5800)
    assert len(begun) == 1
    other._sync = lambda segment: None
    other.settle(3)
    durable.hurry(7, 5400, 5800)
    assert len(begun) == 2
    durable.close()
    other.close()


def test_on_a_slow_disk_a_sync_takes_those_along_whom_the_last_let_go(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    end = [2]
    here, there = make(tmp_path, end), make(tmp_path, end)

    def fdatasync(descriptor: int) -> None:
        time.sleep(0.02)
        end[0] = max(end[0], 3)  # one more came while two were served

    monkeypatch.setattr(os, "fdatasync", fdatasync)
    here.settle(2)
    assert here._word[3] == 3
    monkeypatch.setattr(durable, "_MOST_GATHERING_NS", 10**11)
    here._word[4] = time.monotonic_ns() + 10**11
    threading.Timer(0.01, lambda: end.__setitem__(0, 5)).start()  # the two are back
    there.settle(3)
    assert there._word[0] == 5
    assert here.syncs + there.syncs == 2
    here._word[3:5] = memoryview(array("Q", [9, time.monotonic_ns()]))
    end[0] = 6
    assert here._gather() == (1, 6)  # later nobody is waited for
    here.close()
    there.close()


def test_after_a_reboot_nothing_shared_is_believed(tmp_path: Path) -> None:
    durable = make(tmp_path, [3])
    for number in range(len(durable._word)):
        durable._word[number] = 1 << 40
    durable.reset()
    assert not any(durable._word)
    durable.close()
