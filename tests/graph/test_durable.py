"""Durability: one sync serves all who wait, and the death of who syncs keeps nobody waiting."""

import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

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
