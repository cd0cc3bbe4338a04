"""How far a running build is, in a small file beside the index, for every process to read."""

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import orjson

_NAME = "progress.json"


def write_progress(folder: Path, progress: Mapping[str, Any]) -> None:
    """Say how far the build of this process is: `phase`, `done` and `total` files."""
    path = folder / f"{_NAME}.{os.getpid()}"
    path.write_bytes(orjson.dumps({"pid": os.getpid(), **progress}))
    path.replace(folder / _NAME)


def clear_progress(folder: Path) -> None:
    (folder / _NAME).unlink(missing_ok=True)


def read_progress(folder: Path) -> dict[str, Any] | None:
    """What the running build last said; None when none runs."""
    path = f"{folder}/{_NAME}"
    if not os.access(path, os.F_OK):  # nearly always, and an exception takes longer
        return None
    try:
        with open(path, "rb") as file:
            progress: dict[str, Any] = orjson.loads(file.read())
    except FileNotFoundError:
        return None
    return progress if _is_alive(progress["pid"]) else None


def _is_alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True
