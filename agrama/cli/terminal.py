"""Tables and colours on a terminal, plain aligned text in a pipe; NO_COLOR is respected."""

from collections.abc import Sequence
from typing import Literal

from rich.console import Console
from rich.table import Table
from rich.text import Text

_GAP = 2  # columns between columns
_LEAST = 4  # of a column of words


def make_console(*, stderr: bool = False) -> Console:
    """A console that never wraps in a pipe and never guesses at what to colour."""
    return Console(stderr=stderr, highlight=False, soft_wrap=True)


def print_table(
    names: Sequence[str],
    rows: Sequence[Sequence[str | Text]],
    *,
    right: Sequence[str] = (),
    console: Console | None = None,
) -> None:
    """Aligned columns; those named in `right` are numbers."""
    console = console or make_console()
    if not console.is_terminal:
        _print_plain(names, rows, right, console)
        return
    table = Table(box=None, header_style="bold", pad_edge=False, padding=(0, _GAP, 0, 0))
    widths = _measure(names, rows)
    # Half a number is none: where there is little room, the longest words give way.
    over = sum(widths) + _GAP * (len(widths) - 1) - console.width
    words = [at for at, name in enumerate(names) if name not in right]
    while over > 0 and words:
        longest = max(words, key=widths.__getitem__)
        if widths[longest] <= _LEAST:
            break
        widths[longest] -= 1
        over -= 1
    for name, width in zip(names, widths, strict=True):
        side: Literal["left", "right"] = "right" if name in right else "left"
        table.add_column(name, justify=side, no_wrap=True, width=width)
    for row in rows:
        table.add_row(*row)
    console.print(table)


def _print_plain(
    names: Sequence[str],
    rows: Sequence[Sequence[str | Text]],
    right: Sequence[str],
    console: Console,
) -> None:
    texts = [list(names), *([str(cell) for cell in row] for row in rows)]
    widths = _measure(names, rows)
    for text in texts:
        cells = (
            cell.rjust(width) if name in right else cell.ljust(width)
            for name, cell, width in zip(names, text, widths, strict=True)
        )
        console.print("  ".join(cells).rstrip(), markup=False)


def _measure(names: Sequence[str], rows: Sequence[Sequence[str | Text]]) -> list[int]:
    """How wide each column is."""
    return [max(len(str(cell)) for cell in column) for column in zip(names, *rows, strict=True)]
