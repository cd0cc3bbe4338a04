"""The ledger: numbering, adoption, cutting, replay, durability, several processes."""

import os
import resource
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import orjson
import pytest

from agrama.errors import StoreBusyError, StoreError
from agrama.graph.journal import Position, encode_frame, list_segments, segment_name
from agrama.graph.ledger import Ledger, Record, Rows, verify


def keep(rows: Rows, record: Record, payload: bytes) -> None:
    rows.put("records", record["seq"].to_bytes(8, "big"), payload)


def open_ledger(folder: Path, **options: Any) -> Ledger:
    return Ledger(folder, ("records",), keep, index_format=1, **options)


def add(ledger: Ledger, text: str) -> int:
    seq: int = ledger.append(lambda draft: draft.add("note", text=text))["seq"]
    return seq


def texts(ledger: Ledger) -> list[str]:
    with ledger.read() as rows:
        return [orjson.loads(row)["text"] for _, row in rows.scan("records")]


def test_records_are_numbered_without_gaps(tmp_path: Path) -> None:
    ledger = open_ledger(tmp_path)
    assert [add(ledger, str(n)) for n in range(5)] == [1, 2, 3, 4, 5]
    ledger.close()
    again = open_ledger(tmp_path)
    assert add(again, "5") == 6
    assert texts(again) == ["0", "1", "2", "3", "4", "5"]
    again.close()


def test_a_failed_write_leaves_nothing(tmp_path: Path) -> None:
    ledger = open_ledger(tmp_path)
    add(ledger, "first")

    def fail(draft: Any) -> None:
        draft.add("note", text="never")
        raise RuntimeError("no")

    with pytest.raises(RuntimeError):
        ledger.append(fail)
    assert add(ledger, "second") == 2
    assert texts(ledger) == ["first", "second"]
    ledger.close()


@pytest.mark.parametrize("durability", ["interval", "commit"])
def test_a_record_that_cannot_be_applied_is_not_written(tmp_path: Path, durability: Any) -> None:
    def refuse(rows: Rows, record: Record, payload: bytes) -> None:
        if record["text"] == "odd":
            raise RuntimeError("no")
        keep(rows, record, payload)

    options: Any = {"index_format": 1, "durability": durability}
    ledger = Ledger(tmp_path, ("records",), refuse, **options)
    add(ledger, "first")
    with pytest.raises(RuntimeError):
        add(ledger, "odd")
    assert add(ledger, "second") == 2
    assert texts(ledger) == ["first", "second"]
    assert verify(tmp_path) == (2, [])
    ledger.close()


@pytest.mark.parametrize("segment_bytes", [1 << 20, 50_000])
def test_a_write_the_index_has_no_room_for_is_undone(tmp_path: Path, segment_bytes: int) -> None:
    ledger = open_ledger(tmp_path, segment_bytes=segment_bytes)
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    count = 0
    try:
        resource.setrlimit(resource.RLIMIT_FSIZE, (300_000, hard))
        with pytest.raises(StoreError):
            while count < 5000:
                count = add(ledger, "x" * 150)
        assert (tmp_path / "index" / "data.mdb").stat().st_size > 280_000
        for _ in range(3):
            with pytest.raises(StoreError):
                add(ledger, "x" * 150)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    assert verify(tmp_path) == (count, [])
    assert add(ledger, "after") == count + 1
    before = ledger.dump()
    ledger.close()
    shutil.rmtree(tmp_path / "index")
    again = open_ledger(tmp_path)
    assert again.dump() == before
    assert again.repairs == []
    again.close()


def test_segments_end_in_every_mode(tmp_path: Path) -> None:
    for durability in ("interval", "commit"):
        folder = tmp_path / durability
        ledger = open_ledger(folder, durability=durability, segment_bytes=2000)
        for number in range(40):
            assert add(ledger, "x" * 100) == number + 1
        before = ledger.dump()
        ledger.close()
        assert len(list_segments(folder)) > 2
        shutil.rmtree(folder / "index")
        again = open_ledger(folder, segment_bytes=2000)
        assert again.dump() == before
        again.close()


def test_what_a_write_added_is_seen_by_the_rest_of_it(tmp_path: Path) -> None:
    ledger = open_ledger(tmp_path, durability="commit")

    def fill(draft: Any) -> list[bytes]:
        seen = []
        for text in ("a", "b"):
            draft.add("note", text=text)
            seen.append([orjson.loads(row)["text"] for _, row in draft.rows.scan("records")])
        return seen

    assert ledger.append(fill) == [["a"], ["a", "b"]]
    ledger.close()


def test_a_record_appended_but_not_committed_is_adopted(tmp_path: Path) -> None:
    ledger = open_ledger(tmp_path)
    add(ledger, "first")
    with ledger.read() as rows:
        end, seq, time_us = rows.end()
    payload = orjson.dumps({"seq": 2, "time": time_us, "kind": "note", "text": "orphan"}) + b"\n"
    with (tmp_path / segment_name(end.segment)).open("r+b") as file:
        file.seek(end.offset)
        file.write(encode_frame(seq + 1, payload))
    assert add(ledger, "next") == 3
    assert texts(ledger) == ["first", "orphan", "next"]
    ledger.close()


def test_a_torn_tail_is_cut_and_reported(tmp_path: Path) -> None:
    ledger = open_ledger(tmp_path)
    add(ledger, "first")
    with ledger.read() as rows:
        end, _, _ = rows.end()
    with (tmp_path / segment_name(end.segment)).open("r+b") as file:
        file.seek(end.offset)
        file.write(encode_frame(2, b'{"seq":2}\n')[:-3])
    assert add(ledger, "next") == 2
    assert len(ledger.repairs) == 1
    assert f"offset {end.offset}" in ledger.repairs[0]
    assert len(list((tmp_path / "cut").iterdir())) == 1
    assert verify(tmp_path) == (2, [])
    ledger.close()


def test_replay_gives_the_same_rows(tmp_path: Path) -> None:
    ledger = open_ledger(tmp_path, segment_bytes=2000)
    for number in range(200):
        add(ledger, f"text {number}")
    before = ledger.dump()
    ledger.close()
    shutil.rmtree(tmp_path / "index")
    again = open_ledger(tmp_path, segment_bytes=2000)
    assert again.dump() == before
    assert again.repairs == []
    again.close()


def test_after_another_boot_the_index_is_not_trusted(tmp_path: Path) -> None:
    ledger = open_ledger(tmp_path, boot="one")
    add(ledger, "kept")
    ledger.close()
    (tmp_path / "index" / "data.mdb").write_bytes(os.urandom(50_000))
    again = open_ledger(tmp_path, boot="two")
    assert texts(again) == ["kept"]
    again.close()


def test_damage_in_the_middle_is_skipped_and_reported(tmp_path: Path) -> None:
    ledger = open_ledger(tmp_path, boot="one")
    for number in range(5):
        add(ledger, f"text {number}")
    ledger.close()
    path = tmp_path / segment_name(1)
    data = path.read_bytes()
    path.write_bytes(data.replace(b"text 2", b"text 9"))
    again = open_ledger(tmp_path, boot="two")
    assert texts(again) == ["text 0", "text 1", "text 3", "text 4"]
    assert len(again.repairs) == 1
    assert add(again, "more") == 6
    again.close()


def test_a_broken_index_is_not_replaced_under_others(tmp_path: Path) -> None:
    first = open_ledger(tmp_path)
    (tmp_path / "index" / "boot").unlink()
    with pytest.raises(StoreBusyError, match="other processes"):
        open_ledger(tmp_path)
    first.close()


def test_commit_durability_syncs_before_the_answer(tmp_path: Path) -> None:
    ledger = open_ledger(tmp_path, durability="commit")
    ledger.settle()
    before = ledger.syncs
    add(ledger, "one")
    add(ledger, "two")
    assert ledger.syncs - before == 2
    ledger.close()


def test_interval_durability_syncs_once_for_many(tmp_path: Path) -> None:
    ledger = open_ledger(tmp_path)
    time.sleep(0.1)
    before = ledger.syncs
    for number in range(20):
        add(ledger, str(number))
    time.sleep(0.15)
    assert 1 <= ledger.syncs - before <= 3
    ledger.close()


def test_a_fork_may_not_use_it(tmp_path: Path) -> None:
    ledger = open_ledger(tmp_path)
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            ledger.read()
            os.write(writer, b"read")
        except StoreError:
            os.write(writer, b"refused")
        os._exit(0)
    os.waitpid(child, 0)
    assert os.read(reader, 20) == b"refused"
    ledger.close()


WRITER = """
import sys
from pathlib import Path
from tests_ledger_support import open_ledger, add
ledger = open_ledger(Path(sys.argv[1]), durability=sys.argv[2])
for number in range(int(sys.argv[4])):
    print(add(ledger, sys.argv[3] + str(number)), flush=True)
"""


def start_writer(folder: Path, name: str, count: int, mode: str = "interval") -> Any:
    code = WRITER.replace("tests_ledger_support", Path(__file__).stem)
    return subprocess.Popen(
        [sys.executable, "-c", code, str(folder), mode, name, str(count)],
        stdout=subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": str(Path(__file__).parent)},
    )


def test_processes_share_one_numbering(tmp_path: Path) -> None:
    writers = [start_writer(tmp_path, name, 100) for name in "abc"]
    seqs = [int(line) for writer in writers for line in writer.communicate(timeout=30)[0].split()]
    assert sorted(seqs) == list(range(1, 301))
    ledger = open_ledger(tmp_path)
    assert len(texts(ledger)) == 300
    ledger.close()


def test_killed_writers_lose_nothing_they_acknowledged(tmp_path: Path) -> None:
    acknowledged: list[int] = []
    for cycle in range(6):
        writers = [start_writer(tmp_path, f"{cycle}{name}", 10**6) for name in "ab"]
        for writer in writers:
            writer.stdout.read(20)
        time.sleep(0.02 * cycle)
        for writer in writers:
            os.kill(writer.pid, signal.SIGKILL)
        for writer in writers:
            lines = writer.communicate()[0].split(b"\n")
            acknowledged += [int(line) for line in lines[1:-1]]
    ledger = open_ledger(tmp_path)
    with ledger.read() as rows:
        seqs = [int.from_bytes(key, "big") for key, _ in rows.scan("records")]
    assert seqs == list(range(1, len(seqs) + 1))
    assert set(acknowledged) <= set(seqs)
    assert len(acknowledged) == len(set(acknowledged))
    before = ledger.dump()
    ledger.close()
    shutil.rmtree(tmp_path / "index")
    again = open_ledger(tmp_path)
    assert again.dump() == before
    again.close()


def test_positions_order_by_segment_then_offset() -> None:
    assert Position(1, 500) < Position(2, 32)
