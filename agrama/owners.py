"""Who to ask about files: those CODEOWNERS names, and those whose commits changed them most."""

import os
from collections import Counter
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

from agrama.errors import AgramaError
from agrama.git import find_head, read_log
from agrama.graph.globs import compile_glob
from agrama.jail import read_beneath

_PLACES = ("CODEOWNERS", ".github/CODEOWNERS", "docs/CODEOWNERS", ".gitlab/CODEOWNERS")
_COMMITS = 200  # the newest ones: who wrote a file long ago may be gone
_SECONDS = 2.0
_SHOWN = 5


class Owner(NamedTuple):
    """A person or team, why they are named, and how much of the recent churn is theirs."""

    name: str
    source: str  # codeowners or git
    commits: int
    lines: int


class Owners(NamedTuple):
    """Owners, those declared first; `missing` says why history could not be read."""

    found: tuple[Owner, ...]
    missing: str | None = None


def find_owners(root: Path, paths: Sequence[str]) -> Owners:
    """The declared owners of some files, then the people whose recent commits changed them most."""
    declared = tuple(
        Owner(name, "codeowners", 0, 0) for name in _read_declared(root, tuple(sorted(paths)))
    )
    head = find_head(root)
    if not head:
        return Owners(declared, "this is no git repository")
    try:
        people = _count_people(root, tuple(sorted(paths)), tuple(map(_stamp, head)))
    except AgramaError as error:
        return Owners(declared, error.message)
    return Owners(declared + people)


def _stamp(name: str) -> int:
    try:
        return Path(name).stat().st_mtime_ns
    except OSError:
        return 0


@lru_cache(maxsize=256)
def _count_people(root: Path, paths: tuple[str, ...], head: tuple[int, ...]) -> tuple[Owner, ...]:
    """People by changed lines; `head` makes the answer one of the history as it is now."""
    commits: Counter[str] = Counter()
    lines: Counter[str] = Counter()
    for commit in read_log(root, paths=paths, limit=_COMMITS, seconds=_SECONDS):
        commits[commit.author] += 1
        lines[commit.author] += sum(
            (added or 0) + (gone or 0) for added, gone in commit.files.values()
        )
    ranked = sorted(commits, key=lambda name: (-lines[name], -commits[name], name))
    return tuple(Owner(name, "git", commits[name], lines[name]) for name in ranked[:_SHOWN])


def _read_declared(root: Path, paths: tuple[str, ...]) -> list[str]:
    """Owners by the last rule that fits each file, as the file's format says."""
    rules = _read_rules(root)
    found: dict[str, None] = {}
    for path in paths:
        for pattern, names in reversed(rules):
            if _fits(pattern, path):
                found.update(dict.fromkeys(names))
                break
    return list(found)


def _read_rules(root: Path) -> list[tuple[str, list[str]]]:
    for place in _PLACES:
        if not os.path.isfile(f"{root}/{place}"):
            continue
        text = read_beneath(root, place).decode("utf-8", "replace")
        rows = (line.partition("#")[0].split() for line in text.splitlines())
        return [(row[0], row[1:]) for row in rows if row and row[0][0] not in "[^"]
    return []


def _fits(pattern: str, path: str) -> bool:
    """As in .gitignore: a slash inside anchors a pattern, a folder stands for all it holds."""
    anchored = "/" in pattern.strip("/") or pattern.startswith("/")
    body = pattern.strip("/")
    if not anchored:
        body = f"**/{body}"
    forms = [f"{body}/**"] if pattern.endswith("/") else [body, f"{body}/**"]
    return any(compile_glob(form).match(path) for form in forms)
