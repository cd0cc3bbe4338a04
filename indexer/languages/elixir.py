"""Elixir: modules of the whole program, aliases, imports, pipes."""

from agrama.indexer.languages.dynamic import NamedModules
from agrama.indexer.languages.elixir_definitions import extract_elixir
from agrama.indexer.languages.language import Language, Policy


def is_elixir_test(path: str) -> bool:
    return path.endswith("_test.exs") or "/test/" in f"/{path}"


LANGUAGES = (
    Language(
        name="elixir",
        extensions=(".ex", ".exs"),
        shebangs=("elixir",),
        grammar="tree_sitter_elixir:language",
        extract=extract_elixir,
        index_modules=NamedModules,
        is_test=is_elixir_test,
        policy=Policy(dotted_modules=False, alternatives=True),
    ),
)
