"""Cut the power at random moments of recorded workloads and open what the disk would hold then.

Every write, truncation and sync of the journal is recorded while it happens. An image is the state at
some moment: what was synced is whole, and of what was not, each 512-byte sector is there or is not.
File names not yet synced may be missing, and the index is random bytes. Each image is opened under
another boot id and must hold every record that was acknowledged: all of them with `commit`, all older
than the interval with `interval`.

    python benchmarks/power_loss.py --images 2000
"""

import argparse
import os
import random
import shutil
import tempfile
import threading
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import orjson
from report import write_report

import agrama.graph.durable
import agrama.graph.journal
from agrama.graph.durable import INTERVAL_SECONDS
from agrama.graph.ledger import Ledger, Record, Rows, verify

SECTOR = 512
RECORDS = 150


@dataclass
class Trace:
    """What happened, in order: (time, kind, path, offset, data)."""

    steps: list[tuple[float, str, str, int, bytes]] = field(default_factory=list)
    acknowledged: list[tuple[float, int]] = field(default_factory=list)  # time, seq
    lock: threading.Lock = field(default_factory=threading.Lock)

    def add(self, kind: str, descriptor: int, offset: int = 0, data: bytes = b"") -> None:
        path = os.readlink(f"/proc/self/fd/{descriptor}")
        with self.lock:
            self.steps.append((time.monotonic(), kind, path, offset, data))


class RecordingOs:
    """The `os` module for the journal, with a note of everything that changes a file."""

    def __init__(self, trace: Trace) -> None:
        self._trace = trace

    def __getattr__(self, name: str) -> Any:
        return getattr(os, name)

    def pwrite(self, descriptor: int, data: Any, offset: int) -> int:
        written = os.pwrite(descriptor, data, offset)
        self._trace.add("write", descriptor, offset, bytes(data[:written]))
        return written

    def ftruncate(self, descriptor: int, length: int) -> None:
        os.ftruncate(descriptor, length)
        self._trace.add("truncate", descriptor, length)

    def fdatasync(self, descriptor: int) -> None:
        self._trace.add("begin", descriptor)  # what comes later may be missed by this sync
        os.fdatasync(descriptor)
        self._trace.add("sync", descriptor)

    fsync = fdatasync


def keep(rows: Rows, record: Record, payload: bytes) -> None:
    rows.put("records", record["seq"].to_bytes(8, "big"), payload)


def open_ledger(folder: Path, boot: str, durability: Any = "interval") -> Ledger:
    return Ledger(
        folder,
        ("records",),
        keep,
        index_format=1,
        durability=durability,
        boot=boot,
        segment_bytes=16 << 10,
    )


def record_workload(folder: Path, durability: str, rng: random.Random) -> Trace:
    """Two threads that write, and the trace of it."""
    trace = Trace()
    modules = (agrama.graph.journal, agrama.graph.durable)
    for module in modules:
        module.os = RecordingOs(trace)
    try:
        ledger = open_ledger(folder, "one", durability)
        seeds = [rng.random() for _ in range(2)]
        threads = [
            threading.Thread(target=write, args=(ledger, trace, random.Random(seed)))
            for seed in seeds
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        ledger.close()
    finally:
        for module in modules:
            module.os = os
    return trace


def write(ledger: Ledger, trace: Trace, rng: random.Random) -> None:
    for _ in range(RECORDS // 2):
        text = "x" * int(rng.expovariate(1 / 300))
        seq = ledger.append(lambda draft, text=text: draft.add("note", text=text)["seq"])
        with trace.lock:
            trace.acknowledged.append((time.monotonic(), seq))
        if rng.random() < 0.3:
            time.sleep(rng.random() * 0.004)


def build_image(trace: Trace, cut: int, target: Path, rng: random.Random) -> None:
    """The disk as a power cut after `cut` steps may leave it."""
    durable: dict[str, bytearray] = {}  # content that is certain
    pending: dict[str, list[tuple[str, int, bytes]]] = {}
    marks: dict[str, int] = {}
    named: set[str] = set()
    for _, kind, path, offset, data in trace.steps[:cut]:
        if not path.endswith(".journal"):
            if kind == "sync":  # the folder: names are durable
                named.update(pending)
            continue
        waiting = pending.setdefault(path, [])
        if kind in ("write", "truncate"):
            waiting.append((kind, offset, data))
        elif kind == "begin":
            marks[path] = len(waiting)
        else:
            content = durable.setdefault(path, bytearray())
            count = min(marks.get(path, 0), len(waiting))
            for step in waiting[:count]:
                change(content, *step)
            del waiting[:count]
            marks[path] = 0
    for path, waiting in pending.items():
        if path not in named and rng.random() < 0.5:
            continue
        content = durable.get(path, bytearray())
        for kind, offset, data in waiting:
            if kind == "truncate":
                if rng.random() < 0.5:
                    change(content, kind, offset, data)
            else:
                tear(content, offset, data, rng)
        (target / Path(path).name).write_bytes(content)


def change(content: bytearray, kind: str, offset: int, data: bytes) -> None:
    if kind == "truncate":
        del content[offset:]
        content.extend(bytes(max(0, offset - len(content))))
    else:
        content.extend(bytes(max(0, offset - len(content))))
        content[offset : offset + len(data)] = data


def tear(content: bytearray, offset: int, data: bytes, rng: random.Random) -> None:
    """Write those sectors of an unsynced write that happened to reach the disk."""
    share = rng.choice((0.0, 0.5, 0.9, 1.0))
    start = offset
    while start < offset + len(data):
        end = min((start // SECTOR + 1) * SECTOR, offset + len(data))
        if rng.random() < share:
            change(content, "write", start, data[start - offset : end - offset])
        start = end


def check_image(
    image: Path, trace: Trace, cut: int, durability: str, window: float
) -> dict[str, Any]:
    """Open an image; what it lost, and how old that was."""
    moment = trace.steps[cut - 1][0]
    (image / "synced").write_bytes(b"\xff" * 8)  # the worst the shared word can claim
    (image / "index").mkdir()
    (image / "index" / "data.mdb").write_bytes(os.urandom(20_000))
    (image / "index" / "boot").write_text("one\n")
    ledger = open_ledger(image, "two")
    with ledger.read() as rows:
        held = {int.from_bytes(key, "big") for key, _ in rows.scan("records")}
        last = rows.last_seq
    lost = [moment - at for at, seq in trace.acknowledged if at <= moment and seq not in held]
    seq = ledger.append(lambda draft: draft.add("note", text="after")["seq"])
    before = ledger.dump()
    repairs = len(ledger.repairs)
    ledger.close()
    again = open_ledger(image, "three")
    same = again.dump() == before
    again.close()
    whole, _ = verify(image)
    violated = bool(lost) if durability == "commit" else any(age > window for age in lost)
    return {
        "violated": violated or seq != last + 1 or not same or whole != len(held) + 1,
        "lost": len(lost),
        "oldest_lost_ms": max(lost, default=0.0) * 1000,
        "repairs": repairs,
    }


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--images", type=int, default=2000)
    parser.add_argument(
        "--window-ms",
        type=float,
        default=INTERVAL_SECONDS * 1000,
        help="how old a record lost in interval mode may be (an overloaded machine syncs late)",
    )
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--no-report", action="store_true")
    arguments = parser.parse_args()
    rng = random.Random(arguments.seed)
    figures: dict[str, Any] = {}
    per_trace = 50
    for durability in ("commit", "interval"):
        results: list[dict[str, Any]] = []
        while len(results) < arguments.images // 2:
            results += run_trace(
                durability, min(per_trace, arguments.images // 2), rng, arguments.window_ms / 1000
            )
        figures[durability] = {
            "images": len(results),
            "opened": len(results),
            "violations": sum(row["violated"] for row in results),
            "images_with_unsynced_loss": sum(row["lost"] > 0 for row in results),
            "images_repaired": sum(row["repairs"] > 0 for row in results),
            "oldest_lost_ms": round(max(row["oldest_lost_ms"] for row in results), 2),
        }
        print(durability, orjson.dumps(figures[durability]).decode())
    if not arguments.no_report:
        print(write_report("power_loss", figures))
    return int(any(row["violations"] for row in figures.values()))


def run_trace(
    durability: str, images: int, rng: random.Random, window: float
) -> list[dict[str, Any]]:
    folder = Path(tempfile.mkdtemp(prefix="power-loss-"))
    try:
        trace = record_workload(folder / "live", durability, rng)
        results = []
        for number in range(images):
            image = folder / f"image{number}"
            image.mkdir()
            cut = rng.randrange(1, len(trace.steps) + 1)
            build_image(trace, cut, image, rng)
            results.append(check_image(image, trace, cut, durability, window))
            shutil.rmtree(image)
        return results
    finally:
        shutil.rmtree(folder)


if __name__ == "__main__":
    raise SystemExit(main())
