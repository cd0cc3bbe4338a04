"""The languages Agrama reads: every module of this package that defines `LANGUAGES`.

A front end is loaded when the first file of its language is met. Which files are whose stands in
`table.py`, made by `python -m agrama.indexer.languages`; a package with other modules than that table
was made from is looked through instead.
"""

import hashlib
import importlib
import pkgutil
from collections.abc import Iterator, Mapping
from functools import cache
from typing import NamedTuple

from agrama.indexer.languages.language import Language
from agrama.indexer.languages.table import MODULES_DIGEST, TABLE


class Row(NamedTuple):
    """A language as the table knows it."""

    name: str
    module: str
    extensions: tuple[str, ...]
    filenames: tuple[str, ...]


class Languages(Mapping[str, Language]):
    """All languages by name, in the order of their names; each is loaded when it is first asked for."""

    def __init__(self, rows: tuple[Row, ...]) -> None:
        self._modules = {row.name: row.module for row in rows}
        self._loaded: dict[str, Language] = {}

    def __getitem__(self, name: str) -> Language:
        language = self._loaded.get(name)
        if language is None:
            module = self._modules[name]
            self._loaded.update((found.name, found) for found in load_module(module))
            language = self._loaded[name]
        return language

    def __iter__(self) -> Iterator[str]:
        return iter(self._modules)

    def __len__(self) -> int:
        return len(self._modules)

    def __contains__(self, name: object) -> bool:
        return name in self._modules


@cache
def load_languages() -> Languages:
    """All languages by name."""
    return Languages(read_rows())


def language_of(path: str) -> Language | None:
    """The language of a file by its name, None when no language claims it."""
    name = name_language(path)
    return None if name is None else load_languages()[name]


def name_language(path: str) -> str | None:
    """The same, but its name only, and nothing is loaded."""
    extensions, filenames = _by_name()
    name = path.rpartition("/")[2]
    if name in filenames:
        return filenames[name]
    at = name.find(".", 1)
    while at >= 0:  # the longest extension wins: `.d.ts` before `.ts`
        if name[at:].lower() in extensions:
            return extensions[name[at:].lower()]
        at = name.find(".", at + 1)
    return None


@cache
def _by_name() -> tuple[dict[str, str], dict[str, str]]:
    extensions: dict[str, str] = {}
    filenames: dict[str, str] = {}
    for row in read_rows():
        extensions.update(dict.fromkeys(row.extensions, row.name))
        filenames.update(dict.fromkeys(row.filenames, row.name))
    return extensions, filenames


@cache
def read_rows() -> tuple[Row, ...]:
    """What the table says, or, where modules came or went since, the modules themselves."""
    modules = list_modules()
    if digest_modules(modules) == MODULES_DIGEST:
        return tuple(Row(*row) for row in TABLE)
    return gather_rows(modules)


def gather_rows(modules: list[str]) -> tuple[Row, ...]:
    """The rows of all languages, by name; loads every one."""
    rows = [
        Row(language.name, module, tuple(language.extensions), tuple(language.filenames))
        for module in modules
        for language in load_module(module)
    ]
    return tuple(sorted(rows))


def list_modules() -> list[str]:
    found = (info.name for info in pkgutil.iter_modules(__path__))
    return sorted(name for name in found if not name.startswith("__"))


def digest_modules(modules: list[str]) -> str:
    return hashlib.blake2b("\n".join(modules).encode(), digest_size=8).hexdigest()


def load_module(module: str) -> tuple[Language, ...]:
    """The languages that a module of this package defines."""
    loaded = importlib.import_module(f"{__name__}.{module}")
    return tuple(getattr(loaded, "LANGUAGES", ()))
