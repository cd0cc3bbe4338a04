"""Perl: packages of the whole program, methods, imported functions."""

from agrama.indexer.languages.dynamic import NamedModules, join_path
from agrama.indexer.languages.language import Language, Policy
from agrama.indexer.languages.perl_extraction import extract_perl


class PerlModules(NamedModules):
    """`require "file.pl"` is relative to the file, the root or `lib`."""

    def find_path(self, module: str, level: int, path: str) -> tuple[str, ...]:
        for directory in (path.rpartition("/")[0], "", "lib"):
            joined = join_path(directory, module)
            if joined in self.paths and joined is not None:
                return (joined,)
        return ()


def is_perl_test(path: str) -> bool:
    return path.endswith(".t") or "/t/" in f"/{path}"


def end_last_line(content: bytes) -> bytes:
    """The grammar's scanner never returns from a here-document that the text ends in the midst of a line."""
    return content if content.endswith(b"\n") else content + b"\n"


LANGUAGES = (
    Language(
        name="perl",
        extensions=(".pl", ".pm", ".t"),
        shebangs=("perl",),
        grammar="tree_sitter_perl:language",
        extract=extract_perl,
        index_modules=PerlModules,
        is_test=is_perl_test,
        policy=Policy(dotted_modules=False, alternatives=True),
        prepare=end_last_line,
    ),
)
