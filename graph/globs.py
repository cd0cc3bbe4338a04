"""Globs over repository paths, as agents and editors write them.

`**` crosses folders, `*` and `?` stay within one, `[a-c]` and `{a,b}` are choices. A glob without `/`
means the file's name wherever it lies; one that ends in a folder stands for all below it.
"""

import fnmatch
import re
from functools import lru_cache

_TOKEN = re.compile(r"\*\*/|\*\*|\[[^\]]+\]|.", re.S)
_WILD = {"**/": "(?:.*/)?", "**": ".*", "*": "[^/]*", "?": "[^/]"}


@lru_cache(maxsize=256)
def compile_glob(glob: str) -> re.Pattern[str]:
    """The pattern that matches the paths a glob means."""
    glob = glob.removeprefix("./").lstrip("/")
    if glob.endswith("/"):
        glob += "**"
    prefix = "" if "/" in glob else "(?:.*/)?"
    below = "" if "*" in glob.rpartition("/")[2] else "(?:/.*)?"
    return re.compile(prefix + _translate(glob) + below + r"\Z", re.S)


def _translate(glob: str) -> str:
    parts: list[str] = []
    depth = 0
    for piece in _TOKEN.findall(glob):
        if piece in _WILD:
            parts.append(_WILD[piece])
        elif piece == "{":
            depth += 1
            parts.append("(?:")
        elif piece == "}" and depth:
            depth -= 1
            parts.append(")")
        elif piece == "," and depth:
            parts.append("|")
        elif len(piece) > 1:
            parts.append(_translate_choice(piece))
        else:
            parts.append(re.escape(piece))
    return "".join(parts) + ")" * depth


def _translate_choice(piece: str) -> str:
    """`[...]`, by the rules of the standard library."""
    return fnmatch.translate(piece).removeprefix("(?s:").removesuffix(r")\Z")
