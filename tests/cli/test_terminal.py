"""Tables on a terminal and in a pipe."""

import io

from rich.console import Console

from agrama.cli.terminal import print_table

ROWS = [["analyze_dependencies", "12.345"], ["read_code", "1,234,567.8"]]


def show(width: int, *, terminal: bool) -> list[str]:
    file = io.StringIO()
    console = Console(
        file=file, force_terminal=terminal, width=width, color_system=None, soft_wrap=True
    )
    print_table(["tool", "P50 ms"], ROWS, right=["P50 ms"], console=console)
    return file.getvalue().splitlines()


def test_where_there_is_little_room_words_give_way_and_numbers_do_not() -> None:
    lines = show(24, terminal=True)
    assert all(len(line) <= 24 for line in lines)
    assert "1,234,567.8" in lines[2]
    assert "12.345" in lines[1] and "…" in lines[1]


def test_a_pipe_gets_everything() -> None:
    assert show(24, terminal=False)[1] == "analyze_dependencies       12.345"
