"""Tasks with a labelled end: bug reports with the functions that were edited, questions with their files."""

import argparse
import ast
import json
import subprocess
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple


class Task(NamedTuple):
    """A text, the tree it is about, the files and the first lines of functions that end it."""

    name: str
    tree: str
    root: Path
    text: str
    files: frozenset[str]
    places: frozenset[tuple[str, int]]
    skip_tests: bool


def read_retrieval(options: argparse.Namespace) -> Iterator[Task]:
    """Questions; where a label has lines, its first line is the place."""
    return islice(_read_questions(options), 0, None, options.every)


def _read_questions(options: argparse.Namespace) -> Iterator[Task]:
    folder = options.truth / "retrieval"
    for row in json.loads((folder / "repos.json").read_text()):
        prefix = (row["benchmark_root"] or "").strip("./")
        root = (options.repos / row["name"] / prefix).resolve()
        for question in json.loads((folder / "queries" / f"{row['name']}.json").read_text()):
            targets = question["relevant"]
            files = {_cut(target["path"], prefix) for target in targets}
            places = {
                (_cut(target["path"], prefix), target["start_line"])
                for target in targets
                if target.get("start_line") is not None
            }
            yield Task(question["id"], row["name"], root, question["query"], frozenset(files), frozenset(places), False)  # fmt: skip


def read_localisation(options: argparse.Namespace) -> Iterator[Task]:
    """Bug reports, each on the Python files of its own commit; ordered so that trees change little."""
    rows = json.loads((options.truth / "localisation" / "instances.json").read_text())
    rows.sort(key=lambda row: (row["repo"], row["instance_id"]))
    for row in rows[:: options.every]:
        root = options.work / "checkouts" / row["repo"].replace("/", "+")
        check_out(find_git(options.mirrors, row["repo"]), row["base_commit"], root)
        yield Task(
            row["instance_id"],
            f"{row['repo']}@{row['base_commit']}",
            root,
            row["problem_statement"],
            frozenset(row["gt_files"]),
            frozenset(_find_places(root, row["gt_changes"])),
            True,
        )


def _cut(path: str, prefix: str) -> str:
    return path.removeprefix(prefix + "/") if prefix else path


def find_git(mirrors: Path, repository: str) -> Path:
    """The git directory of a mirror, which may lie one folder down."""
    folder = mirrors / repository.replace("/", "+")
    for candidate in (folder, *sorted(folder.iterdir())):
        if (candidate / "HEAD").exists():
            return candidate
    raise SystemExit(f"no git directory in {folder}")


def check_out(git: Path, commit: str, root: Path) -> None:
    """Make `root` hold a commit's Python files, touching only those that differ."""
    listing = _run(git, "ls-tree", "-r", "-z", commit).decode(errors="replace").split("\0")
    wanted = {}
    for row in listing:
        head, _, path = row.partition("\t")
        if path.endswith(".py"):
            wanted[path] = head.split()[2]
    notes = root.parent / f"{root.name}.json"
    have = json.loads(notes.read_text()) if notes.exists() else {}
    for path in have.keys() - wanted.keys():
        (root / path).unlink(missing_ok=True)
    changed = {path: blob for path, blob in wanted.items() if have.get(path) != blob}
    for path, data in _read_blobs(git, changed):
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_bytes(data)
    notes.write_text(json.dumps(wanted))


def _read_blobs(git: Path, blobs: dict[str, str]) -> Iterator[tuple[str, bytes]]:
    """The contents of blobs by path, from one process; a mirror may lack its largest."""
    asked = "".join(f"{blob}\n" for blob in blobs.values()).encode()
    command = ["git", f"--git-dir={git}", "cat-file", "--batch"]
    answer = subprocess.run(command, input=asked, capture_output=True, check=True).stdout
    at = 0
    for path in blobs:
        end = answer.index(b"\n", at)
        words = answer[at:end].split()
        at = end + 1
        if words[-1] != b"missing":
            yield path, answer[at : at + int(words[2])]
            at += int(words[2]) + 1


def _run(git: Path, *words: str) -> bytes:
    command = ["git", f"--git-dir={git}", *words]
    return subprocess.run(command, capture_output=True, check=True).stdout


def _find_places(root: Path, changes: list[dict[str, Any]]) -> Iterator[tuple[str, int]]:
    """The lines at which the edited functions begin."""
    for change in changes:
        path = root / change["file"]
        lines = _find_definitions(ast.parse(path.read_text()), "") if path.exists() else {}
        for entity in change["changes"].get("edited_entities", []):
            name = entity.partition(":")[2]
            if name in lines:
                yield change["file"], lines[name]


def _find_definitions(node: ast.AST, prefix: str) -> dict[str, int]:
    found: dict[str, int] = {}
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            found.setdefault(prefix + child.name, child.lineno)
            found = _find_definitions(child, f"{prefix}{child.name}.") | found
    return found
