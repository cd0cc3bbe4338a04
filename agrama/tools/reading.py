"""The text of a file as an answer shows it: decoded, cut to a budget, numbered, or as an outline."""

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from agrama.errors import ToolError
from agrama.graph.model import Kind

if TYPE_CHECKING:
    from agrama.graph.model import Symbol

_BINARY_BYTES = 8192  # a NUL among so many first bytes makes a file binary
_OUTLINE_SHARE = 0.6  # of the room; the rest is for the rows about the file


def decode(path: str, content: bytes) -> str:
    """A file's text; an error when it has none."""
    if b"\0" in content[:_BINARY_BYTES]:
        raise ToolError(
            f"{path} is a binary file: there is no text to read",
            data={"parameter": "path", "got": path},
        )
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError:
        return content.decode("latin-1")


def count_lines(text: str) -> int:
    return text.count("\n") + (not text.endswith("\n") and text != "")


def cut_text(text: str, first: int, last: int | None, room: int) -> dict[str, Any]:
    """The lines asked for, as many as `room` bytes take, and where to go on."""
    if first == 1 and last is None and len(text) <= room and len(text.encode()) <= room:
        total = count_lines(text)
        return {"content": text, "start_line": 1, "end_line": total, "total_lines": total}
    lines = text.split("\n")
    if not lines[-1]:
        lines.pop()
    end = min(len(lines) if last is None else last, len(lines))
    taken: list[str] = []
    for line in lines[first - 1 : end]:
        room -= len(line.encode()) + 1
        if room < 0 and taken:
            break
        taken.append(line)
    cut: dict[str, Any] = {"content": "".join(f"{line}\n" for line in taken), "start_line": first}
    if room < 0 and len(taken) == 1:
        # One line alone is over the budget: minified code, data. Its head is all there is to show.
        cut["content"] = taken[0][: max(1, (room + len(taken[0].encode())) // 3)]
        cut["cut_line"] = first
    reached = first + len(taken) - 1
    cut |= {"end_line": reached, "total_lines": len(lines)}
    if reached < end:
        cut["next_start_line"] = reached + 1
    return cut


def draw_outline(symbols: "Iterable[Symbol]", total_lines: int, room: int) -> dict[str, Any] | None:
    """The definitions of a file with their lines, in place of its text; None when there are none."""
    found = [symbol for symbol in symbols if symbol.kind not in (Kind.FILE, Kind.VARIABLE)]
    if not found:
        return None
    left = int(room * _OUTLINE_SHARE)
    rows: list[str] = []
    for symbol in found:
        depth = symbol.id.partition("::")[2].count(".")
        shown = symbol.signature or f"{symbol.kind.label} {symbol.name}"
        row = f"{symbol.body_line}-{symbol.end_line}: {'  ' * depth}{shown}\n"
        left -= len(row.encode())
        if left < 0:
            rows.append(f"({len(found) - len(rows)} more definitions)\n")
            break
        rows.append(row)
    return {
        "content": "".join(rows),
        "outline": True,
        "start_line": 1,
        "end_line": total_lines,
        "total_lines": total_lines,
    }


def number_lines(content: str, first: int) -> str:
    """The same with the number of each line before it."""
    lines = content.split("\n")
    ended = not lines[-1]
    numbered = (f"{first + at}\t{line}" for at, line in enumerate(lines[:-1] if ended else lines))
    return "\n".join(numbered) + ("\n" if ended else "")
