"""Asks git about a repository: by argument list, never by shell, with a time limit.

A repository's own configuration can name programs for git to run (file system monitors, external
diffs, text converters); all of them are switched off here, because a repository is data to us.
"""

import os
import subprocess
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
        raise ToolError("this needs git, which is not installed") from error
    except subprocess.TimeoutExpired as error:
        raise ToolError(f"git {arguments[0]} took longer than {seconds:.0f} s") from error
    if done.returncode != 0:
        reason = done.stderr.decode("utf-8", "replace").strip().splitlines()
        raise ToolError(f"git {arguments[0]}: {reason[0] if reason else 'failed'}")
    return done.stdout.decode("utf-8", "replace")


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
