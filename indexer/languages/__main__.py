"""Writes `table.py`: python -m agrama.indexer.languages"""

import sys
from pathlib import Path

from agrama.indexer.languages import digest_modules, gather_rows, list_modules

TABLE = Path(__file__).with_name("table.py")


def make_table() -> str:
    """The text of `table.py` for the modules as they are."""
    modules = list_modules()
    rows = "".join(f"    {tuple(row)!r},\n" for row in gather_rows(modules))
    return (
        '"""Which files are whose. Made by `python -m agrama.indexer.languages`; do not edit."""\n\n'
        "# fmt: off\n"
        f'MODULES_DIGEST = "{digest_modules(modules)}"\n'
        "TABLE: tuple[tuple[str, str, tuple[str, ...], tuple[str, ...]], ...] = (\n"
        f"{rows})\n"
    ).replace("'", '"')


if __name__ == "__main__":
    TABLE.write_text(make_table())
    sys.exit(0)
