"""The table of languages says what their modules say, and front ends load when they are needed."""

import subprocess
import sys

from agrama.indexer.languages import Languages, gather_rows, list_modules, read_rows
from agrama.indexer.languages.__main__ import TABLE, make_table


def test_the_table_is_what_the_modules_say() -> None:
    assert TABLE.read_text() == make_table(), "run python -m agrama.indexer.languages"


def test_rows_come_from_the_table() -> None:
    assert read_rows() == gather_rows(list_modules())


def test_every_language_can_be_loaded_by_its_name() -> None:
    languages = Languages(read_rows())
    assert len(languages) == len(read_rows())
    assert [languages[name].name for name in languages] == list(languages)
    assert "nothing" not in languages


def test_naming_a_language_loads_no_front_end() -> None:
    code = (
        "import sys\n"
        "from agrama.indexer.languages import language_of, name_language\n"
        "assert name_language('a/b.go') == 'go'\n"
        "assert 'agrama.indexer.languages.go' not in sys.modules\n"
        "assert language_of('a/b.go').name == 'go'\n"
        "assert 'agrama.indexer.languages.java' not in sys.modules\n"
    )
    subprocess.run([sys.executable, "-P", "-c", code], check=True)
