"""Swift: one module per target, types and their extensions, calls chosen by labels."""

from typing import TYPE_CHECKING

from agrama.indexer.facts import FileFacts
from agrama.indexer.languages.language import (
    ADD,
    EACH,
    GET,
    MAP,
    SAME,
    Language,
    Policy,
    Sources,
)
from agrama.indexer.languages.swift_declarations import extract

if TYPE_CHECKING:
    from tree_sitter import Node  # noqa: TID251 - a type only

_ROOTS = ("Sources", "Tests", "Source")


def target_of(path: str) -> str:
    """The target that a file belongs to: `Sources/App/x.swift` is of App."""
    parts = path.split("/")
    for at, part in enumerate(parts[:-2]):
        if part in _ROOTS:
            return "/".join(parts[: at + 2])
    return "."


def extract_swift(root: "Node", source: bytes, path: str) -> FileFacts:
    """Facts of a Swift file."""
    return extract(root, source, path, target_of(path))


class SwiftModules:
    """Targets to their files; a module is imported by the last part of its path."""

    def __init__(self, sources: Sources) -> None:
        self._target_of = sources.packages
        self._targets: dict[str, list[str]] = {}
        self._modules: dict[str, list[str]] = {}
        for path in sorted(sources.paths):
            target = sources.packages.get(path, ".")
            self._targets.setdefault(target, []).append(path)
            self._modules.setdefault(target.rpartition("/")[2], []).append(path)

    def find(self, module: str, level: int, path: str) -> tuple[str, ...]:
        if level:
            own = self._targets.get(self._target_of.get(path, "."), ())
            return tuple(other for other in own if other != path)
        return tuple(self._modules.get(module, ())) if module != "." else ()

    def member(self, path: str, name: str) -> str | None:
        return None


def is_swift_test(path: str) -> bool:
    return "Tests/" in path or path.endswith(("Test.swift", "Tests.swift"))


CONTAINER_METHODS = {
    **dict.fromkeys(
        (
            "first",
            "last",
            "popLast",
            "removeFirst",
            "removeLast",
            "removeValue",
            "min",
            "max",
            "get",
        ),
        GET,
    ),
    **dict.fromkeys(("append", "insert", "updateValue"), ADD),
    **dict.fromkeys(
        ("values", "reversed", "sorted", "dropFirst", "dropLast", "prefix", "lazy"), SAME
    ),
    **dict.fromkeys(("forEach", "filter", "contains", "allSatisfy", "first(where:)"), EACH),
    **dict.fromkeys(("map", "flatMap", "compactMap"), MAP),
}

LANGUAGES = (
    Language(
        name="swift",
        extensions=(".swift",),
        grammar="tree_sitter_swift:language",
        extract=extract_swift,
        index_modules=SwiftModules,
        is_test=is_swift_test,
        policy=Policy(
            container_methods=CONTAINER_METHODS,
            virtual=True,
            overloads=True,
            star_reexports=False,
            dotted_modules=False,
        ),
    ),
)
