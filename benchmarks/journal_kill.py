"""Kill -9 writers in the middle of their work, over and over, while others read and write.

Three writers and eight readers, each client with an `agrama serve` of its own on one repository.
Writers pipeline messages and are killed at random moments; at the end every acknowledged message must
be there under its id, ids must be dense, nothing may be there twice, no reader may have seen an error
or a gap, and replaying the journal must give the index that is there.

    python benchmarks/journal_kill.py --cycles 1000
"""

import argparse
import json
import os
import random
import shutil
import sys
import tempfile
import threading
import time
from pathlib import Path
from typing import Any

from client import Client
from report import write_report

from agrama.graph.keys import repository_folder
from agrama.session.hub import open_ledger

WRITERS = 3
READERS = 8
PIPELINE = 8


class Run:
    """What all threads share."""

    def __init__(self, root: Path, cycles: int, seed: int, durability: str) -> None:
        self.root = root
        self.seed = seed
        self.durability = durability
        self.left = cycles
        self.lock = threading.Lock()
        self.acknowledged: dict[int, str] = {}
        self.problems: list[str] = []
        self.reads = 0
        self.done = threading.Event()
        first = self.start()
        self.session = call(first, "create_session", {"name": "kill"})["session_id"]
        stop(first)

    def start(self) -> Client:
        command = [sys.executable, "-P", "-m", "agrama", "serve", "--root", str(self.root)]
        client = Client([*command, "--no-index", "--durability", self.durability])
        client.handshake()
        return client

    def complain(self, text: str) -> None:
        with self.lock:
            self.problems.append(text)

    def take_cycle(self) -> bool:
        with self.lock:
            self.left -= 1
            return self.left >= 0


def call(client: Client, tool: str, arguments: dict[str, Any]) -> dict[str, Any]:
    answer = client.call(tool, arguments)
    if "error" in answer or answer["result"].get("isError"):
        raise RuntimeError(str(answer)[:500])
    result: dict[str, Any] = answer["result"]["structuredContent"]
    return result


def stop(client: Client) -> None:
    client.process.kill()
    client.process.wait()
    for pipe in (client.process.stdin, client.process.stdout):
        if pipe is not None:
            pipe.close()


def keep_writing(run: Run, number: int) -> None:
    rng = random.Random(run.seed * 100 + number)
    count = 0
    while run.take_cycle():
        client = run.start()
        # The first call opens the journal: one kill in five aims at that, the others at writing.
        delay = rng.random() * (0.15 if rng.random() < 0.2 else 0.03)
        killer = threading.Timer(delay, client.process.kill)
        if delay > 0.03:
            killer.start()
        sent: dict[int, str] = {}
        try:
            while True:
                lines = []
                for _ in range(PIPELINE):
                    content = f"w{number}-{count}"
                    count += 1
                    arguments = {
                        "session_id": run.session,
                        "content": content,
                        "tags": f"w{number}",
                    }
                    line, identity = client.encode(
                        "tools/call", {"name": "append_message", "arguments": arguments}
                    )
                    sent[identity] = content
                    lines.append(line)
                client.write(b"".join(lines))
                for _ in range(PIPELINE):
                    take_answer(run, client, sent)
                if not killer.is_alive() and killer.ident is None:
                    killer.start()
        except (OSError, RuntimeError, ValueError):
            pass
        killer.cancel()
        stop(client)


def take_answer(run: Run, client: Client, sent: dict[int, str]) -> None:
    answer = json.loads(client.read_line())
    if "error" in answer or answer["result"].get("isError"):
        run.complain(f"writer: {str(answer)[:300]}")
        return
    message = answer["result"]["structuredContent"]["message_id"]
    with run.lock:
        if message in run.acknowledged:
            run.problems.append(f"id {message} acknowledged twice")
        run.acknowledged[message] = sent[answer["id"]]


def keep_reading(run: Run, number: int) -> None:
    client = run.start()
    last = 0
    try:
        while not run.done.is_set():
            wanted = {"session_id": run.session, "after_message_id": last, "limit": 200}
            found = call(client, "list_messages", {**wanted, "max_tokens": 100_000})["messages"]
            ids = [row["message_id"] for row in found]
            if ids != list(range(last + 1, last + 1 + len(ids))):
                run.complain(f"reader {number} saw a gap behind {last}: {ids[:5]}")
            last = ids[-1] if ids else last
            run.reads += 1
            time.sleep(0.005)
    except (RuntimeError, OSError, ValueError, AssertionError) as error:
        run.complain(f"reader {number}: {error!r}")
    finally:
        stop(client)


def check(run: Run) -> dict[str, Any]:
    """What the journal holds at the end, against what was acknowledged."""
    folder = repository_folder(run.root) / "journal"
    ledger = open_ledger(folder)
    with ledger.read() as rows:
        records = [json.loads(row) for _, row in rows.scan("records")]
    before = ledger.dump()
    ledger.close()
    shutil.rmtree(folder / "index")
    again = open_ledger(folder)
    same = again.dump() == before
    again.close()
    messages = [record for record in records if record["kind"] == "message"]
    contents = [record["content"] for record in messages]
    by_id = {record["id"]: record["content"] for record in messages}
    lost = [key for key, text in run.acknowledged.items() if by_id.get(key) != text]
    return {
        "messages": len(messages),
        "acknowledged": len(run.acknowledged),
        "lost": len(lost),
        "dense": [record["id"] for record in messages] == list(range(1, len(messages) + 1)),
        "seq_dense": [record["seq"] for record in records] == list(range(1, len(records) + 1)),
        "duplicates": len(contents) - len(set(contents)),
        "replay_equals_index": same,
    }


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--cycles", type=int, default=1000)
    parser.add_argument("--readers", type=int, default=READERS)
    parser.add_argument("--durability", choices=("interval", "commit"), default="interval")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--no-report", action="store_true")
    arguments = parser.parse_args()
    folder = Path(tempfile.mkdtemp(prefix="journal-kill-"))
    os.environ["AGRAMA_HOME"] = str(folder / "home")
    root = folder / "repository"
    root.mkdir()
    started = time.monotonic()
    run = Run(root, arguments.cycles, arguments.seed, arguments.durability)
    readers = [
        threading.Thread(target=keep_reading, args=(run, n)) for n in range(arguments.readers)
    ]
    writers = [threading.Thread(target=keep_writing, args=(run, n)) for n in range(WRITERS)]
    for thread in (*readers, *writers):
        thread.start()
    for thread in writers:
        thread.join()
    run.done.set()
    for thread in readers:
        thread.join()
    figures = check(run)
    figures.update(
        cycles=arguments.cycles,
        reads=run.reads,
        problems=run.problems[:10],
        seconds=round(time.monotonic() - started, 1),
        durability=arguments.durability,
    )
    shutil.rmtree(folder)
    print(json.dumps(figures))
    if not arguments.no_report:
        print(write_report("journal_kill", figures))
    good = figures["dense"] and figures["seq_dense"] and figures["replay_equals_index"]
    return int(not good or bool(figures["lost"] or figures["duplicates"] or run.problems))


if __name__ == "__main__":
    raise SystemExit(main())
