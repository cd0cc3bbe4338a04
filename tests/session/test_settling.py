"""Answers that wait for the disk: none is early, many share a sync, nobody else waits with them."""

import os
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import orjson
import pytest

from agrama.cli.assemble import assemble
from agrama.errors import StoreError
from agrama.peer import Peer
from agrama.session.settling import Settling

PING = b'{"jsonrpc":"2.0","id":"ping","method":"ping"}'


class Site:
    """A server that waits for a disk the test controls, and one client of it."""

    def __init__(self, root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self.sent: list[Any] = []
        self.syncs = 0
        self.disk = threading.Event()
        self.disk.set()
        self.failure: OSError | None = None

        def fdatasync(descriptor: int) -> None:
            self.disk.wait(10)
            self.syncs += 1
            if self.failure is not None:
                raise self.failure

        monkeypatch.setattr(os, "fdatasync", fdatasync)
        self.workspace, self.server = assemble(root, durability="commit")
        self.peer: Peer = self.server.connect(
            lambda out: self.sent.append(orjson.loads(out.data)), rate_limited=False
        )
        hello = {"protocolVersion": "2025-06-18", "capabilities": {}}
        self.ask("initialize", hello)
        self.peer.respond(b'{"jsonrpc":"2.0","method":"notifications/initialized"}')
        answer = self.ask("tools/call", {"name": "create_session", "arguments": {"name": "s"}})
        assert answer is not None
        self.session = answer["result"]["structuredContent"]["session_id"]

    def ask(self, method: str, params: dict[str, Any], identity: Any = 1) -> Any:
        line = {"jsonrpc": "2.0", "id": identity, "method": method, "params": params}
        answer = self.peer.respond(orjson.dumps(line))
        return None if answer is None else orjson.loads(bytes(answer))  # type: ignore[arg-type]

    def append(self, identity: int) -> Any:
        arguments = {"session_id": self.session, "content": str(identity)}
        return self.ask("tools/call", {"name": "append_message", "arguments": arguments}, identity)

    def wait_for(self, count: int) -> list[Any]:
        end = time.monotonic() + 10
        while len(self.sent) < count and time.monotonic() < end:
            time.sleep(0.005)
        return self.sent


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Site]:
    monkeypatch.setenv("AGRAMA_HOME", str(tmp_path / "home"))
    root = tmp_path / "root"
    root.mkdir()
    made = Site(root, monkeypatch)
    yield made
    made.disk.set()
    made.server.close(5)
    made.workspace.close()


def test_a_lone_write_is_answered_on_the_spot_after_its_sync(site: Site) -> None:
    assert site.server.settling is not None
    site.server.settling.is_prompt = True
    before = site.syncs
    assert site.append(2)["result"]["structuredContent"]["message_id"] == 1
    assert site.syncs == before + 1


def test_gathered_writes_are_answered_after_one_sync_and_hold_up_nobody(site: Site) -> None:
    site.peer.gathers = True
    site.disk.clear()
    before = site.syncs
    assert [site.append(number) for number in range(10, 18)] == [None] * 8
    assert orjson.loads(bytes(site.peer.respond(PING) or b""))["id"] == "ping"  # type: ignore[arg-type]
    time.sleep(0.05)
    assert site.sent == []
    site.disk.set()
    answers = site.wait_for(8)
    ids = [answer["result"]["structuredContent"]["message_id"] for answer in answers]
    assert ids == list(range(1, 9))
    assert site.syncs - before <= 2  # the first may have begun alone
    assert not site.peer.in_flight


def test_a_slow_disk_sends_the_wait_to_a_thread(site: Site) -> None:
    assert site.server.settling is not None
    site.server.settling.is_prompt = False
    assert site.append(5) is None
    assert site.wait_for(1)[0]["id"] == 5


@pytest.mark.parametrize("gathers", [False, True])
def test_a_write_that_did_not_reach_the_disk_is_an_error(site: Site, gathers: bool) -> None:
    site.peer.gathers = gathers
    site.failure = OSError(5, "Input/output error")
    answer = site.append(7) or site.wait_for(1)[0]
    assert "Input/output error" in str(answer)
    assert "message_id" not in str(answer)


def test_what_waits_together_is_settled_together() -> None:
    begun, go = threading.Event(), threading.Event()
    settled: list[int] = []

    def settle(seq: int) -> bool:
        begun.set()
        go.wait(10)
        settled.append(seq)
        return True

    settling, done = Settling(settle), []
    settling.later(1, done.append)
    assert begun.wait(10)
    for seq in (2, 4, 3):
        settling.later(seq, done.append)
    go.set()
    end = time.monotonic() + 10
    while len(done) < 4 and time.monotonic() < end:
        time.sleep(0.005)
    assert settled == [1, 4]
    assert done == [None] * 4


def test_a_failure_is_handed_to_those_who_wait() -> None:
    def settle(seq: int) -> bool:
        raise StoreError("gone")

    done: list[Any] = []
    settling = Settling(settle)
    settling.later(1, done.append)
    end = time.monotonic() + 10
    while not done and time.monotonic() < end:
        time.sleep(0.005)
    assert isinstance(done[0], StoreError)


def test_what_another_synced_does_not_make_a_disk_quick() -> None:
    settling = Settling(lambda seq: False)
    settling.is_prompt = False
    assert settling.now(1) is None
    assert not settling.is_prompt
