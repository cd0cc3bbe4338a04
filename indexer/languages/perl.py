"""Perl: packages of the whole program, methods, imported functions."""

import re

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


# A here-document whose text is interpolated: <<E, <<~E, <<"E", << "E", <<`E`.
_HERE = re.compile(rb"<<~?[ \t]*(?:([\"`])(.*?)\1|([A-Za-z_]\w*))")


def end_last_line(content: bytes) -> bytes:
    """The grammar's scanner never returns from a here-document that ends with the text, in a line.

    Where one may be open, the last byte becomes a line end: the text is broken there anyway.
    """
    if content.endswith(b"\n") or not any(map(_is_open, _HERE.finditer(content))):
        return content
    return content[:-1] + b"\n"


def _is_open(here: re.Match[bytes]) -> bool:
    """Is the word that ends it missing?"""
    word = re.escape(here[2] or here[3] or b"")
    return re.compile(rb"(?m)^[ \t]*" + word + rb"$").search(here.string, here.end()) is None


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
