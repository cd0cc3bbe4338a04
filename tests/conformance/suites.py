"""Run one version of the official conformance suite against a server, and read what it found.

The verdict is taken from the `checks.json` files, not from the exit status: a warning or a skipped
check is not a passed one.
"""

import json
import re
import subprocess
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from toolchain import Node

PACKAGE = "@modelcontextprotocol/conformance"
_PASSED, _IGNORED = {"SUCCESS"}, {"INFO"}


@dataclass(frozen=True, slots=True)
class Scenario:
    """One scenario's checks, counted; `scored` says whether the revision requires it."""

    name: str
    passed: int
    problems: tuple[str, ...]
    scored: bool

    @property
    def is_good(self) -> bool:
        return self.passed > 0 and not self.problems


@dataclass(frozen=True, slots=True)
class SuiteRun:
    """A whole run; `broken` when the suite itself did not come to its summary."""

    title: str
    scenarios: tuple[Scenario, ...]
    broken: str = ""

    @property
    def is_good(self) -> bool:
        scored = [scenario for scenario in self.scenarios if scenario.scored]
        return not self.broken and bool(scored) and all(each.is_good for each in scored)


def run_suite(
    node: Node, folder: Path, url: str, output: Path, title: str, *options: str
) -> SuiteRun:
    script = folder / "node_modules" / PACKAGE / "dist" / "index.js"
    command = [node.node, str(script), "server", "--url", url, "-o", str(output), *options]
    done = subprocess.run(command, capture_output=True, text=True, timeout=180, check=False)
    if "=== SUMMARY ===" not in done.stdout:
        return SuiteRun(title, (), (done.stdout + done.stderr)[-2000:] or "no output")
    return SuiteRun(title, tuple(_read_scenarios(output, _unscored(done.stdout))))


def _unscored(report: str) -> set[str]:
    """The scenarios listed after the report's "Not scored for" line."""
    tail = report.partition("Not scored for ")[2]
    return set(re.findall(r"^\s+\S+ ([\w-]+) \(", tail, re.MULTILINE))


def _read_scenarios(output: Path, unscored: set[str]) -> Iterator[Scenario]:
    for path in sorted(output.glob("server-*/checks.json")):
        name = re.sub(r"^server-|-\d{4}-\d\d-\d\dT[\d-]+Z$", "", path.parent.name)
        checks = json.loads(path.read_text())
        counted = Counter(check["status"] for check in checks)
        problems = tuple(
            f"{check['status']} {check['id']}: {check.get('errorMessage') or 'no reason given'}"
            for check in checks
            if check["status"] not in _PASSED | _IGNORED
        )
        yield Scenario(name, counted["SUCCESS"], problems, name not in unscored)
