"""Tables and colours on a terminal, plain aligned text in a pipe; NO_COLOR is respected."""

from collections.abc import Sequence

from rich.console import Console
from rich.table import Table
from rich.text import Text


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
    table = Table(box=None, header_style="bold", pad_edge=False)
    for name, *cells in zip(names, *rows, strict=True):
        if name in right:  # half a number is none: where there is little room, words give way
            width = max(len(str(cell)) for cell in (name, *cells))
            table.add_column(name, justify="right", no_wrap=True, min_width=width)
        else:
            table.add_column(name, no_wrap=True)
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
    widths = [max(map(len, column)) for column in zip(*texts, strict=True)]
    for text in texts:
        cells = (
            cell.rjust(width) if name in right else cell.ljust(width)
            for name, cell, width in zip(names, text, widths, strict=True)
        )
        console.print("  ".join(cells).rstrip(), markup=False)
