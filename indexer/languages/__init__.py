"""The languages Agrama reads: every module of this package that defines `LANGUAGES`."""

import importlib
import pkgutil
from collections.abc import Mapping
from functools import cache

from agrama.indexer.languages.language import Language


@cache
def load_languages() -> Mapping[str, Language]:
    """All languages by name, in the order of their names."""
    found: dict[str, Language] = {}
    for module in sorted(info.name for info in pkgutil.iter_modules(__path__)):
        loaded = importlib.import_module(f"{__name__}.{module}")
        for language in getattr(loaded, "LANGUAGES", ()):
            found[language.name] = language
    return dict(sorted(found.items()))


@cache
def _by_name() -> tuple[dict[str, Language], dict[str, Language]]:
    extensions: dict[str, Language] = {}
    filenames: dict[str, Language] = {}
    for language in load_languages().values():
        extensions.update(dict.fromkeys(language.extensions, language))
        filenames.update(dict.fromkeys(language.filenames, language))
    return extensions, filenames


def language_of(path: str) -> Language | None:
    """The language of a file by its name, None when no language claims it."""
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
