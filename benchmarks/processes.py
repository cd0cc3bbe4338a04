"""Runs a command and measures all of its processes: wall time, CPU time, peak of the summed PSS."""

import os
import resource
import subprocess
import threading
import time
from pathlib import Path
from typing import Any

_SAMPLE_SECONDS = 0.1


def measure(command: list[str], environment: dict[str, str] | None = None) -> dict[str, Any]:
    """Figures of one run; `output` is what it printed."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    started = time.perf_counter()
    process = subprocess.Popen(command, stdout=subprocess.PIPE, env=environment or os.environ)
    peak = [0.0]
    sampler = threading.Thread(target=_sample, args=(process.pid, peak), daemon=True)
    sampler.start()
    output, _ = process.communicate()
    wall = time.perf_counter() - started
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if process.returncode:
        raise RuntimeError(f"{command} ended with {process.returncode}")
    return {
        "wall_seconds": round(wall, 3),
        "user_seconds": round(after.ru_utime - before.ru_utime, 3),
        "system_seconds": round(after.ru_stime - before.ru_stime, 3),
        "peak_pss_megabytes": round(peak[0] / 1e6, 1),
        "output": output.decode(),
    }


def _sample(pid: int, peak: list[float]) -> None:
    while os.path.isdir(f"/proc/{pid}"):
        peak[0] = max(peak[0], sum(read_pss(member) for member in find_family(pid)))
        time.sleep(_SAMPLE_SECONDS)


def find_family(pid: int) -> list[int]:
    """A process and all its descendants."""
    found = [pid]
    for member in found:
        try:
            text = Path(f"/proc/{member}/task/{member}/children").read_text()
        except OSError:
            continue
        found.extend(int(word) for word in text.split())
    return found


def read_pss(pid: int) -> int:
    """Bytes of memory of a process, shared pages counted by their share."""
    try:
        with open(f"/proc/{pid}/smaps_rollup") as file:
            return next(int(line.split()[1]) * 1024 for line in file if line.startswith("Pss:"))
    except (OSError, StopIteration):
        return 0
