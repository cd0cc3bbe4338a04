"""Checks a journal and its index against each other; a crash's leftovers are mended as on any opening."""

import shutil
import tempfile
from pathlib import Path
from typing import Any

import orjson

from agrama.errors import StoreError
from agrama.graph.journal import list_segments, segment_name
from agrama.graph.ledger import verify
from agrama.session.hub import open_ledger


def verify_journal(folder: Path) -> dict[str, Any]:
    """Every checksum, and whether a replay gives the index that is there."""
    segments = list_segments(folder)
    # First: opening cuts a torn tail, which is then a repair to tell of and no damage any more.
    index = _compare(folder) if segments else "there is none"
    count, damages = verify(folder)
    damage = [str(item) for item in damages]
    return {
        "records": count,
        "segments": len(segments),
        "damage": damage,
        "index": index,
        "repairs": _read_repairs(folder),
        "healthy": not damage and index in ("equals a replay", "there is none"),
    }


def _compare(folder: Path) -> str:
    """Replay a copy of the journal and compare every row with the live index."""
    with tempfile.TemporaryDirectory(prefix="agrama-verify-") as name:
        copy = Path(name)
        try:
            live = open_ledger(folder)
            before = live.dump()
            for number in list_segments(folder):
                shutil.copy(folder / segment_name(number), copy)
            same = live.dump() == before
            live.close()
            replayed = open_ledger(copy)
        except StoreError as error:
            return f"cannot be opened: {error.message}"
        after = replayed.dump()
        replayed.close()
    if not same:
        return "is being written: run it again"
    return "equals a replay" if before == after else "differs from a replay"


def _read_repairs(folder: Path) -> list[str]:
    try:
        lines = (folder / "repairs.jsonl").read_bytes().splitlines()
    except FileNotFoundError:
        return []
    return [str(orjson.loads(line)["repair"]) for line in lines if line.strip()]
