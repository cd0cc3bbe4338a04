"""The stdio server as a process: how it starts, and everything that ends it."""

import ctypes
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from agrama.stdio import give_memory_back

SERVER = str(Path(__file__).parent / "protocol" / "everything_server.py")
PING = b'{"jsonrpc":"2.0","id":1,"method":"ping"}\n'


def run(*words: str, text: bytes = PING, **env: str) -> list[dict[str, Any]]:
    """What a server writes for an input that ends at once."""
    done = subprocess.run(
        [sys.executable, SERVER, *words],
        input=text,
        capture_output=True,
        timeout=20,
        env={**os.environ, **env},
        check=True,
    )
    assert done.stderr == b""
    return [json.loads(line) for line in done.stdout.splitlines()]


def test_heartbeat_only_when_asked_for() -> None:
    assert [message.get("method") for message in run()] == [None]
    first, second = run("--heartbeat")
    assert first["method"] == "notifications/heartbeat"
    assert "id" not in first
    assert second["id"] == 1


@pytest.mark.parametrize("value", ["1", "true", "0"])
def test_heartbeat_never_when_disabled(value: str) -> None:
    assert len(run("--heartbeat", MCP_DISABLE_HEARTBEAT=value)) == 1


def test_nothing_but_messages_on_stdout_and_no_warm_up_cost() -> None:
    assert run(text=b"") == []


def is_running(pid: int) -> bool:
    try:
        with open(f"/proc/{pid}/stat") as file:
            return file.read().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False


def wait_until_gone(pid: int, seconds: float = 5.0) -> bool:
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if not is_running(pid):
            return True
        time.sleep(0.05)
    return False


# Starts the server with its own standard input, tells its pid, and waits: a wrapper like `uvx` or `sh`.
WRAPPER = """
import subprocess, sys
child = subprocess.Popen([sys.executable, sys.argv[1]])
print(child.pid, file=sys.stderr, flush=True)
child.wait()
"""
# Starts the wrapper and waits: a client. Its death must end the server behind the wrapper.
CLIENT = """
import subprocess, sys
child = subprocess.Popen([sys.executable, "-c", sys.argv[2], sys.argv[1]], stdin=int(sys.argv[3]), pass_fds=[int(sys.argv[3])])
child.wait()
"""


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="needs /proc")
def test_ends_when_the_wrapper_is_killed_though_the_pipe_stays_open() -> None:
    with subprocess.Popen(
        [sys.executable, "-c", WRAPPER, SERVER],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as wrapper:
        assert wrapper.stdin and wrapper.stdout and wrapper.stderr
        server = int(wrapper.stderr.readline())
        wrapper.stdin.write(PING)
        wrapper.stdin.flush()
        assert json.loads(wrapper.stdout.readline())["id"] == 1
        time.sleep(0.7)  # the watch has looked at its ancestors
        os.kill(wrapper.pid, signal.SIGKILL)
        wrapper.wait()
        assert wait_until_gone(server)


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="needs /proc")
def test_ends_when_the_client_behind_a_wrapper_is_killed() -> None:
    ours, theirs = os.pipe()  # the write end stays open here, so the server sees no end of input
    with subprocess.Popen(
        [sys.executable, "-c", CLIENT, SERVER, WRAPPER, str(ours)],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        pass_fds=[ours],
    ) as client:
        assert client.stdout and client.stderr
        server = int(client.stderr.readline())
        os.write(theirs, PING)
        assert json.loads(client.stdout.readline())["id"] == 1
        time.sleep(0.7)
        assert is_running(server)
        os.kill(client.pid, signal.SIGKILL)
        client.wait()
        assert wait_until_gone(server)
    os.close(ours)
    os.close(theirs)


def test_parent_that_stays_keeps_the_server() -> None:
    with subprocess.Popen(
        [sys.executable, SERVER], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as server:
        assert server.stdin and server.stdout
        time.sleep(1.5)
        server.stdin.write(PING)
        server.stdin.flush()
        assert json.loads(server.stdout.readline())["id"] == 1
        server.stdin.close()
        assert server.wait(5) == 0


def test_input_and_output_may_be_one_socket() -> None:
    import socket

    ours, theirs = socket.socketpair()
    with (
        ours,
        theirs,
        subprocess.Popen([sys.executable, SERVER], stdin=theirs, stdout=theirs) as server,
    ):
        theirs.close()
        ours.settimeout(10)
        for _ in range(3):
            ours.sendall(PING)
            assert b'"result":{}' in ours.recv(4096)
            time.sleep(0.05)
        ours.shutdown(socket.SHUT_WR)
        assert server.wait(5) == 0


@pytest.mark.skipif(not hasattr(ctypes.CDLL(None), "malloc_trim"), reason="glibc only")
def test_freed_memory_goes_back_to_the_system() -> None:
    def private_kib() -> int:
        return int(Path("/proc/self/status").read_text().partition("RssAnon:")[2].split()[0])

    blocks = [bytes(2000) for _ in range(30_000)]
    del blocks[:-1]  # the last one lies above the hole
    before = private_kib()
    give_memory_back()
    assert private_kib() < before - 30_000
    assert len(blocks[0]) == 2000
