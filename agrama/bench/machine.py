"""What is needed to judge and repeat a figure: the machine, its load, the versions."""

import os
import platform
import time
from importlib import metadata
from typing import Any

PACKAGES = ("agrama", "jsonschema-rs", "lmdb", "mcp", "numpy", "orjson", "tree-sitter")


def describe_machine() -> dict[str, Any]:
    return {
        "system": platform.system(),
        "machine": platform.machine(),
        "python": platform.python_version(),
        "cores": os.cpu_count(),
        "load": os.getloadavg(),
    }


def describe_versions() -> dict[str, str | None]:
    return {package: _version(package) for package in PACKAGES}


def _version(package: str) -> str | None:
    try:
        return metadata.version(package)
    except metadata.PackageNotFoundError:
        return None


def read_memory_kb(pid: int) -> dict[str, int]:
    """Resident and peak memory of a process, where the system tells (Linux)."""
    try:
        with open(f"/proc/{pid}/status") as file:
            rows = dict(line.split(":", 1) for line in file if ":" in line)
        return {
            "resident": int(rows["VmRSS"].split()[0]),
            "peak": int(rows["VmHWM"].split()[0]),
        }
    except (OSError, KeyError, ValueError):
        return {}


def read_cpu_us(pid: int) -> float | None:
    """Microseconds all threads of a process have run, where the system tells (Linux)."""
    try:
        tasks = os.listdir(f"/proc/{pid}/task")
        return sum(_read_task_ns(pid, task) for task in tasks) / 1000
    except (OSError, ValueError, IndexError):
        return None


def _read_task_ns(pid: int, task: str) -> int:
    with open(f"/proc/{pid}/task/{task}/schedstat") as file:
        return int(file.read().split()[0])


def children_of(pid: int) -> list[int]:
    """Processes started by a process, where the system tells."""
    try:
        with open(f"/proc/{pid}/task/{pid}/children") as file:
            return [int(word) for word in file.read().split()]
    except (OSError, ValueError):
        return []


def wait_until_idle(patience_seconds: float, share: float = 0.8) -> None:
    """Wait until the processors had little to do for a moment; go on anyway when that never comes."""
    end = time.monotonic() + patience_seconds
    while time.monotonic() < end:
        before = _processor_ticks()
        time.sleep(0.1)
        idle, total = (after - was for after, was in zip(_processor_ticks(), before, strict=True))
        if total == 0 or idle / total >= share:
            return


def _processor_ticks() -> tuple[int, int]:
    """Idle and all ticks of all processors so far, as Linux tells them."""
    try:
        with open("/proc/stat") as file:
            ticks = [int(word) for word in file.readline().split()[1:9]]
    except OSError:  # a system that does not tell is taken to be idle
        return 0, 0
    return ticks[3] + ticks[4], sum(ticks)
