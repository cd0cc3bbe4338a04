"""MCP conformance, in one command: `python tests/conformance/run.py`.

Starts the fixture server, runs both versions of the official suite against it over HTTP and the MCP
Inspector over stdio and HTTP, prints a table, and exits 1 unless every scored check passed.
"""

import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import inspector
import suites
from toolchain import Node, cache_folder, find_node, install_package

FIXTURE = Path(__file__).with_name("fixture_server.py")
STABLE, NEXT = "0.1.16", "0.2.0-alpha.12"
INSPECTOR = "2.12.0"
RUNS = (
    (f"suite {STABLE}, all scenarios", STABLE, ("--suite", "all")),
    (f"suite {NEXT}, 2026-07-28", NEXT, ("--requirements", "2026-07-28")),
    (f"suite {NEXT}, 2025-11-25", NEXT, ("--requirements", "2025-11-25")),
)


@contextmanager
def fixture_url() -> Iterator[str]:
    """The fixture over HTTP, on a free port, ended by SIGTERM."""
    process = subprocess.Popen(
        [sys.executable, str(FIXTURE), "--transport", "http"], stderr=subprocess.PIPE, text=True
    )
    assert process.stderr is not None
    try:
        line = process.stderr.readline()
        if "serving " not in line:
            raise SystemExit(f"the fixture did not start: {line}{process.stderr.read()}")
        yield line.rpartition("serving ")[2].strip()
    finally:
        process.terminate()
        complaints = process.communicate(timeout=60)[1]
        if process.returncode or complaints:
            print(f"fixture: exit status {process.returncode}\n{complaints}")
    if process.returncode:
        raise SystemExit("the fixture did not end well")


def print_suite(run: suites.SuiteRun) -> None:
    scored = [each for each in run.scenarios if each.scored]
    good = sum(each.is_good for each in scored)
    checks = sum(each.passed for each in scored)
    problems = sum(len(each.problems) for each in scored)
    print(f"\n{run.title}: {good}/{len(scored)} scenarios, {checks} checks passed, {problems} not")
    if run.broken:
        print(run.broken)
    for each in run.scenarios:
        mark = "ok" if each.is_good else "FAIL" if each.scored else "not scored"
        print(f"  {mark:<11}{each.name:<50}{each.passed:>3} passed {len(each.problems):>3} not")
        if each.scored:
            for problem in each.problems:
                print(f"             {problem}")


def print_calls(calls: list[inspector.Call]) -> None:
    good = sum(not call.problem for call in calls)
    print(f"\ninspector {INSPECTOR}: {good}/{len(calls)} calls")
    for call in calls:
        print(f"  {'FAIL' if call.problem else 'ok':<11}{call.title} {call.problem}")


def run_all(node: Node, cache: Path, output: Path) -> bool:
    folders = {
        version: install_package(node, cache, suites.PACKAGE, version) for version in (STABLE, NEXT)
    }
    looking_glass = install_package(node, cache, inspector.PACKAGE, INSPECTOR)
    good = True
    with fixture_url() as url:
        for number, (title, version, options) in enumerate(RUNS):
            results = output / str(number)
            run = suites.run_suite(node, folders[version], url, results, title, *options)
            print_suite(run)
            good = good and run.is_good
        calls = inspector.run_inspector(node, looking_glass, "http", [url])
    calls += inspector.run_inspector(node, looking_glass, "stdio", [sys.executable, str(FIXTURE)])
    print_calls(calls)
    return good and not any(call.problem for call in calls)


def main() -> int:
    start = time.monotonic()
    output = Path(tempfile.mkdtemp(prefix="agrama-conformance-"))
    try:
        cache = cache_folder()
        good = run_all(find_node(cache), cache, output)
    finally:
        shutil.rmtree(output, ignore_errors=True)
    print(f"\n{'passed' if good else 'FAILED'} in {time.monotonic() - start:.0f} s")
    return 0 if good else 1


if __name__ == "__main__":
    raise SystemExit(main())
