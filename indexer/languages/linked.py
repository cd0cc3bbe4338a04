"""Facts of files that name things and refer to them, but hold little or no code.

A language gives, for each node type, what a node declares, uses or imports. Everything is declared
before anything is used, so the order in a file does not matter; the tree is walked without recursion.
"""

import posixpath
from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING

from agrama.graph.model import Kind
from agrama.indexer.facts import (
    CALL,
    FORM_CALLBACK,
    NOTHING,
    TO_DEFINITION,
    TO_VARIABLE,
    FileFacts,
    Import,
)
from agrama.indexer.languages.language import Sources
from agrama.indexer.languages.sections import MOST_SYMBOLS
from agrama.indexer.languages.typed import Extraction, Scope

if TYPE_CHECKING:
    from tree_sitter import Node  # noqa: TID251 - a type only

# Reads a node and tells in which scope its children stand; None: they were read already.
Visit = Callable[["LinkedExtraction", "Node", Scope], Scope | None]
_MOST_USES = 20_000
_LONGEST_NAME = 120


class LinkedExtraction(Extraction):
    """The names of one file, and what waits until all of them are known."""

    def __init__(self, source: bytes, path: str, root: "Node", language: str) -> None:
        super().__init__(source, path, root)
        self.language = language
        self._uses: list[tuple[str, Node, Scope, bool]] = []
        self._imported: set[tuple[str, str | None]] = set()
        self.bound_until: dict[str, int] = {}  # name of a parameter -> end of its last function

    def bind_until(self, name: str, end: int) -> None:
        """A name that means no definition up to a byte; functions are met in the order of the text."""
        self.bound_until[name] = max(end, self.bound_until.get(name, 0))

    def add(
        self, kind: Kind, name: str, node: "Node", name_node: "Node", scope: Scope, key: str = ""
    ) -> Scope:
        """A definition that others may use by `key`; beyond the limit the scope around it."""
        name = " ".join(name.split())[:_LONGEST_NAME]
        if not name or len(self.scopes) >= MOST_SYMBOLS:
            return scope
        made = self.define(kind, name, scope, node, name_node)
        made.signature = self.text(node).partition("\n")[0].strip()[:_LONGEST_NAME]
        made.end_line = max(made.line, node.end_point[0] + (node.end_point[1] > 0))
        self.exports.setdefault(key or name, (made.register, TO_DEFINITION, made.index))
        return made

    def add_value(self, name: str, node: "Node", name_node: "Node", scope: Scope) -> None:
        """A variable that others may use by its name."""
        if name not in self.exports and len(self.variables) < MOST_SYMBOLS:
            index = self.add_variable(name, scope, name_node, node)
            self.exports[name] = (NOTHING, TO_VARIABLE, index)

    def use(self, name: str, node: "Node", scope: Scope, *, calls: bool = False) -> None:
        if name and len(self._uses) < _MOST_USES:
            self._uses.append((name, node, scope, calls))

    def import_file(
        self, path: str, node: "Node", scope: Scope, *, names: bool = False, level: int = 1
    ) -> None:
        """A file named by its path, all its names with it if wanted; level 0 may lie outside."""
        name = "*" if names else None
        if path and (path, name) not in self._imported:
            self._imported.add((path, name))
            row, column = node.start_point
            self.imports.append(
                tuple(Import(path, level, name, 0, scope.index, row + 1, column, 0, 0, 0))
            )

    def see_others(self) -> None:
        """Let the names of files that belong together be used without an import."""
        self.imports.append(tuple(Import("", 1, "*", 0, 0, 0, 0, 0, 0, 0)))

    def finish_uses(self) -> None:
        for name, node, scope, calls in self._uses:
            register = self.read_free(name, node, scope)
            # as a callback: most functions are the language's own, not calls without a target
            if calls and register >= 0:
                row, column = node.start_point
                place = (row + 1, column, scope.index, FORM_CALLBACK)
                self.emit(CALL, self.register(), register, (), (), *place)


def extract_linked(
    language: str,
    visits: Mapping[str, Visit],
    root: "Node",
    source: bytes,
    path: str,
    *,
    together: bool = False,
) -> FileFacts:
    """Facts of a file; `together`: those of other files can be used by their names alone."""
    x = LinkedExtraction(source, path, root, language)
    if together:
        x.see_others()
    walk(x, visits, [root], x.file)
    x.finish_uses()
    return x.facts()


def walk(
    x: LinkedExtraction, visits: Mapping[str, Visit], nodes: Iterable["Node"], scope: Scope
) -> None:
    pending = [(node, scope) for node in reversed(list(nodes))]
    while pending:
        node, around = pending.pop()
        visit = visits.get(node.type)
        inner = around if visit is None else visit(x, node, around)
        if inner is not None:
            pending.extend((child, inner) for child in reversed(node.named_children))


class LinkedModules:
    """Files by their path, from the importing file or from the root of the project."""

    extensions: tuple[str, ...] = ("",)

    def __init__(self, sources: Sources) -> None:
        self._own = sources.paths
        self._paths = sources.everything or sources.paths
        self._folders: dict[str, list[str]] = {}
        for path in sorted(self._own):
            self._folders.setdefault(posixpath.dirname(path), []).append(path)

    def find(self, module: str, level: int, path: str) -> tuple[str, ...]:
        if not module:
            return self.together(path)
        bare = module.split("?")[0].split("#")[0]
        folder = "" if bare.startswith("/") else posixpath.dirname(path)
        for start in (folder, ""):
            target = posixpath.normpath(posixpath.join(start, bare.lstrip("/")))
            for candidate in self.candidates(target):
                if candidate in self._paths:
                    return (candidate,)
        return ()

    def candidates(self, target: str) -> list[str]:
        return [f"{target}{extension}" for extension in self.extensions]

    def together(self, path: str) -> tuple[str, ...]:
        """Files whose names are seen without an import: those of the same folder."""
        return tuple(each for each in self._folders[posixpath.dirname(path)] if each != path)

    def member(self, path: str, name: str) -> str | None:
        return None
