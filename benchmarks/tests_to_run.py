"""How often the tests a real commit changed are among the first that analyze_impact names.

    python benchmarks/tests_to_run.py CLONE... [--commits 20] [--skip 0]

CLONE is a git clone with its history. For each of the last commits that changed code and test
functions together: the parent is checked out into a temporary folder and indexed, the commit's diff
without its test files is given to analyze_impact, and the test functions it changed (of those that
exist in the parent) are looked for among the first 20 tests returned.
"""

import argparse
import subprocess
import sys
import tempfile
from pathlib import Path

from report import write_report

from agrama.cli import main as agrama
from agrama.cli.local import call_tool
from agrama.graph.diffs import parse_diff
from agrama.graph.impact import is_test, symbols_at
from agrama.graph.roles import Role, read_roles
from agrama.workspace import Workspace

_FIRST = 20


def git(clone: Path, *arguments: str) -> str:
    done = subprocess.run(["git", "-C", clone, *arguments], capture_output=True, check=True)
    return done.stdout.decode("utf-8", "replace")


def candidates(clone: Path) -> list[str]:
    """Commits with one parent that changed Python code and Python tests, newest first."""
    found = []
    log = git(clone, "log", "--no-merges", "--format=%x00%H", "--name-only", "-n", "4000")
    for entry in log.split("\0")[1:]:
        commit, *paths = entry.split()
        python = [path for path in paths if path.endswith(".py")]
        tests = [path for path in python if read_roles(path) & Role.TEST]
        code = [path for path in python if not read_roles(path) & (Role.TEST | Role.EXAMPLE)]
        if tests and code and len(python) <= 12:
            found.append(commit)
    return found


def try_commit(clone: Path, commit: str, folder: Path) -> tuple[int, int, int] | None:
    """Changed tests, how many of them were among the first, and the best rank; None: not usable."""
    parent = git(clone, "rev-parse", f"{commit}^").strip()
    git(clone, "worktree", "add", "--force", "--detach", str(folder), parent)
    try:
        diff = git(clone, "diff", "-U3", "--no-renames", parent, commit, "--", "*.py")
        agrama(["index", str(folder), "--quiet"])
        changed = _changed_tests(folder, diff)
        if not changed:
            return None
        answer = call_tool(
            folder, "analyze_impact", {"diff": _without_tests(diff), "max_tokens": 50_000}
        )
        tests = [row["symbol"] for row in answer["structuredContent"]["tests_to_run"]]
        ranks = [tests.index(name) + 1 for name in changed if name in tests]
        hits = sum(rank <= _FIRST for rank in ranks)
        print(
            f"  {commit[:10]} changed {len(changed):2} found {hits:2} best {min(ranks, default=0):4} of {len(tests)}"
        )
        return len(changed), hits, min(ranks, default=0)
    finally:
        git(clone, "worktree", "remove", "--force", str(folder))


def _changed_tests(folder: Path, diff: str) -> list[str]:
    workspace = Workspace(folder)
    try:
        with workspace.open_snapshot() as snapshot:
            names = {
                name
                for file in parse_diff(diff)
                if file.old_path and read_roles(file.old_path) & Role.TEST
                for name in symbols_at(
                    snapshot, file.old_path, [(line, line) for line, _ in file.removed]
                )
            }
            return sorted(name for name in names if is_test(snapshot, name))
    finally:
        workspace.close()


def _without_tests(diff: str) -> str:
    parts = diff.split("diff --git ")[1:]
    kept = [part for part in parts if not read_roles(part.split(" ", 1)[0][2:]) & Role.TEST]
    return "".join("diff --git " + part for part in kept)


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("clones", nargs="+", type=Path)
    parser.add_argument("--commits", type=int, default=20)
    parser.add_argument("--skip", type=int, default=0)
    arguments = parser.parse_args()
    figures = {}
    for clone in arguments.clones:
        rows = []
        skip = arguments.skip
        with tempfile.TemporaryDirectory() as home:
            for commit in candidates(clone):
                row = try_commit(clone, commit, Path(home) / commit[:12])
                if row is not None and skip > 0:
                    skip -= 1
                elif row is not None:
                    rows.append(row)
                if len(rows) == arguments.commits:
                    break
        figures[clone.name] = {
            "commits": len(rows),
            "one_in_first_20": sum(hits > 0 for _, hits, _ in rows) / len(rows),
            "all_in_first_20": sum(hits == changed for changed, hits, _ in rows) / len(rows),
        }
        print(clone.name, figures[clone.name])
    write_report("tests_to_run", figures)
    return 0


if __name__ == "__main__":
    sys.exit(main())
