"""The generated documents say what the program says."""

import re
import tomllib
from pathlib import Path

import pytest

from agrama.cli.reference import DOCUMENTS, FILLED
from agrama.config import SETTINGS
from agrama.indexer.languages import load_languages
from agrama.indexer.languages.accounts import ACCOUNTS

DOCS = Path(__file__).parents[2] / "docs"


@pytest.mark.parametrize("name", DOCUMENTS)
def test_a_document_is_what_the_program_would_write(name: str) -> None:
    told = "run: python -m agrama.cli.reference docs"
    assert (DOCS / name).read_text() == DOCUMENTS[name](), told


@pytest.mark.parametrize("name", FILLED)
def test_a_table_is_what_the_program_would_write(name: str) -> None:
    text = (DOCS / name).read_text()
    assert text == FILLED[name](text), "run: python -m agrama.cli.reference docs"


def test_every_language_gives_an_account_of_itself() -> None:
    assert {name for account in ACCOUNTS for name in account.names} == set(load_languages())


def test_the_example_of_settings_is_valid() -> None:
    text = (DOCS / "configuration.md").read_text()
    example = re.search(r"```toml\n(.*?)```", text, re.DOTALL)
    assert example
    assert set(tomllib.loads(example[1])) <= set(SETTINGS)
