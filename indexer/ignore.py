"""Patterns of `.gitignore` and `.agramaignore`, read the way git reads them.

Used for `.agramaignore` always, and for `.gitignore` where git itself cannot be asked.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Rule:
    """One line: what it matches, relative to the folder of its file."""

    pattern: re.Pattern[str]
    negated: bool
    folders_only: bool


@dataclass(frozen=True, slots=True)
class Rules:
    """The rules of one ignore file; `base` is its folder with a trailing slash, or empty."""

    base: str
    rules: tuple[Rule, ...]

    def decide(self, path: str, *, is_folder: bool) -> bool | None:
        """True: ignored, False: kept against an earlier rule, None: these rules say nothing."""
        if not path.startswith(self.base):
            return None
        relative = path[len(self.base) :]
        for rule in reversed(self.rules):
            if (is_folder or not rule.folders_only) and rule.pattern.fullmatch(relative):
                return not rule.negated
        return None


def read_rules(base: str, text: str) -> Rules:
    rules = (_read_rule(line) for line in text.splitlines())
    return Rules(base, tuple(rule for rule in rules if rule))


def is_ignored(stack: Iterable[Rules], path: str, *, is_folder: bool) -> bool:
    """Ask the rules from the innermost ignore file outwards; the first that speaks decides."""
    for rules in stack:
        decision = rules.decide(path, is_folder=is_folder)
        if decision is not None:
            return decision
    return False


def _read_rule(line: str) -> Rule | None:
    text = line.rstrip("\n\r")
    if not text.endswith("\\ "):
        text = text.rstrip(" ")
    if not text or text.startswith("#"):
        return None
    negated = text.startswith("!")
    text = text.removeprefix("!")
    folders_only = text.endswith("/")
    text = text.rstrip("/")
    if not text:
        return None
    anchored = "/" in text
    text = text.removeprefix("/")
    prefix = "" if anchored else "(?:.*/)?"
    try:
        pattern = re.compile(prefix + _translate(text))
    except re.error:
        return None
    return Rule(pattern, negated, folders_only)


def _translate(glob: str) -> str:
    """A glob as a regular expression: `*` stays within a name, `**` crosses folders."""
    parts = []
    at = 0
    while at < len(glob):
        char = glob[at]
        if glob.startswith("**/", at) and (at == 0 or glob[at - 1] == "/"):
            parts.append("(?:.*/)?")
            at += 3
        elif glob.startswith("**", at):
            parts.append(".*")
            at += 2
        elif char == "[" and (end := glob.find("]", at + 2)) > 0:
            body = glob[at + 1 : end].replace("\\", "\\\\")
            parts.append("[" + ("^" + body[1:] if body[0] in "!^" else body) + "]")
            at = end + 1
        elif char == "\\" and at + 1 < len(glob):
            parts.append(re.escape(glob[at + 1]))
            at += 2
        else:
            parts.append({"*": "[^/]*", "?": "[^/]"}.get(char) or re.escape(char))
            at += 1
    return "".join(parts)
