"""Asks git about a repository: by argument list, never by shell, with a time limit.

A repository's own configuration can name programs for git to run (file system monitors, external
diffs, text converters); all of them are switched off here, because a repository is data to us.
"""

import os
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path

from agrama.errors import InvalidParamsError, ToolError

_QUIET = (
    "-c",
    "core.fsmonitor=false",
    "-c",
    "core.hooksPath=/dev/null",
    "-c",
    "core.quotePath=off",
)
_PLAIN_DIFF = ("--no-ext-diff", "--no-textconv", "--no-color", "--no-renames")
_SECONDS = 20.0
_RECENT = 500  # commits: a second's work in a large repository, and months of it


class NoHistoryError(ToolError):
    """There is no git, or the code lies in none of its repositories."""


def run_git(root: Path, *arguments: str, seconds: float = _SECONDS) -> str:
    """The output of one git command; ToolError when there is no git, no repository or no time."""
    environment = {
        **os.environ,
        "GIT_OPTIONAL_LOCKS": "0",
        "GIT_TERMINAL_PROMPT": "0",
        "LC_ALL": "C",
    }
    try:
        done = subprocess.run(
            ["git", *_QUIET, *arguments],  # noqa: S607  the git on the user's path
            cwd=root,
            env=environment,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=seconds,
            check=False,
        )
    except FileNotFoundError as error:
        raise NoHistoryError("this needs git, which is not installed") from error
    except subprocess.TimeoutExpired as error:
        raise ToolError(f"git {arguments[0]} took longer than {seconds:.0f} s") from error
    if done.returncode != 0:
        reason = done.stderr.decode("utf-8", "replace").strip().splitlines()
        if reason and "not a git repository" in reason[0].lower():
            raise NoHistoryError(f"this needs git's history, and {root} is in no git repository")
        raise ToolError(f"git {arguments[0]}: {reason[0] if reason else 'failed'}")
    return done.stdout.decode("utf-8", "replace")


def find_head(root: Path) -> list[str]:
    """The files of git that change with every commit and checkout; none outside a repository."""
    folder = str(root)
    while True:
        place = os.path.join(folder, ".git")
        if os.path.isdir(place):
            break
        if os.path.isfile(place):  # a worktree or a submodule
            text = Path(place).read_text("utf-8", "replace").partition("gitdir:")[2].strip()
            place = os.path.join(folder, text)
            break
        above = os.path.dirname(folder)
        if above == folder:
            return []
        folder = above
    return [os.path.join(place, "HEAD"), os.path.join(place, "logs", "HEAD")]


def check_ref(ref: str, parameter: str) -> str:
    """A revision as it may be given to git: nothing that git would take for an option."""
    if not ref or ref.startswith("-") or "\0" in ref:
        raise InvalidParamsError(
            f"{ref!r} is not a git revision",
            data={"parameter": parameter, "expected": "a branch, tag or commit", "got": ref},
        )
    return ref


def diff_against(root: Path, ref: str) -> str:
    """What the working tree changed since a revision, as a unified diff without context."""
    return run_git(root, "diff", "-U0", *_PLAIN_DIFF, check_ref(ref, "base_ref"), "--")


_RECORD, _FIELD = "\x1e", "\x1f"
_HEAD = _RECORD + _FIELD.join(("%H", "%an", "%ae", "%aI", "%s")) + _FIELD


@dataclass(slots=True)
class Commit:
    """One commit, with the lines it added and deleted per path (None for binary files)."""

    commit: str
    author: str
    email: str
    date: str
    subject: str
    files: dict[str, tuple[int | None, int | None]] = field(default_factory=dict)
    diff: str = ""


def read_log(
    root: Path,
    *selection: str,
    limit: int,
    since: str | None = None,
    until: str | None = None,
    paths: Sequence[str] = (),
    with_diff: bool = False,
    seconds: float = _SECONDS,
) -> list[Commit]:
    """The newest commits of a selection (`-L` ranges, refs), with their numbers of changed lines."""
    bounds = [f"--{name}={value}" for name, value in (("since", since), ("until", until)) if value]
    shape = ["-p"] if with_diff else ["--numstat"] if not selection else ["-s"]
    places = ["--", *paths] if paths or not selection else []
    text = run_git(
        root, "log", f"--max-count={limit}", f"--format={_HEAD}", "--no-merges",
        *bounds, *shape, *_PLAIN_DIFF, *selection, *places, seconds=seconds,
    )  # fmt: skip
    return [_read_commit(record, with_diff=with_diff) for record in text.split(_RECORD)[1:]]


def recent_commits(root: Path) -> tuple[Commit, ...]:
    """The newest commits with the files they changed, read once per commit or checkout."""
    head = find_head(root)
    if not head:
        return ()
    return _read_recent(root, tuple(map(_stamp, head)))


@lru_cache(maxsize=8)
def _read_recent(root: Path, head: tuple[int, ...]) -> tuple[Commit, ...]:
    return tuple(read_log(root, limit=_RECENT))


def _stamp(name: str) -> int:
    try:
        return os.stat(name).st_mtime_ns
    except OSError:
        return 0


def _read_commit(record: str, *, with_diff: bool) -> Commit:
    commit_id, author, email, date, subject, rest = record.split(_FIELD, 5)
    commit = Commit(commit_id, author, email, date, subject)
    if with_diff:
        commit.diff = rest.strip("\n") + "\n"
        return commit
    for line in rest.splitlines():
        parts = line.split("\t")
        if len(parts) == 3:
            added, deleted, path = parts
            commit.files[path] = _count(added), _count(deleted)
    return commit


def _count(text: str) -> int | None:
    return int(text) if text.isdigit() else None
