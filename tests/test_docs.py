"""The documents agree with the tree: links lead somewhere, the profile runs, modules it names exist."""

import re
from pathlib import Path

import pytest

TOP = Path(__file__).parents[1]
PAGES = [TOP / "README.md", *sorted((TOP / "docs").rglob("*.md"))]
LINK = re.compile(r"\]\((?!https?:|mailto:)([^)#\s]+)(?:#[^)]*)?\)")
MODULE = re.compile(r"`((?:agrama|graph|indexer|benchmarks|tests|docs)/[\w/]+\.(?:py|sh))`")


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_and_modules_exist(page: Path) -> None:
    text = page.read_text()
    broken = [link for link in LINK.findall(text) if not (page.parent / link).exists()]
    assert broken == []
    assert [name for name in MODULE.findall(text) if not (TOP / name).exists()] == []


def test_every_document_is_reached_from_another() -> None:
    linked = {
        (page.parent / link).resolve() for page in PAGES for link in LINK.findall(page.read_text())
    }
    folders = {place for place in linked if place.is_dir()}
    lost = [page.name for page in PAGES[1:] if page not in linked and page.parent not in folders]
    assert lost == []
