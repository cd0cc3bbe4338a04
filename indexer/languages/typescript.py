"""TypeScript and TSX: JavaScript with types, read by the same code."""

from typing import TYPE_CHECKING

from agrama.indexer.facts import FileFacts
from agrama.indexer.languages.javascript import POLICY, extract_as, is_test
from agrama.indexer.languages.javascript_resolution import JavaScriptModules
from agrama.indexer.languages.language import Language

if TYPE_CHECKING:
    from tree_sitter import Node  # noqa: TID251 - a type only


def extract(root: "Node", source: bytes, path: str) -> FileFacts:
    return extract_as("typescript", root, source, path)


def extract_tsx(root: "Node", source: bytes, path: str) -> FileFacts:
    return extract_as("tsx", root, source, path)


LANGUAGES = (
    Language(
        name="typescript",
        extensions=(".ts", ".mts", ".cts"),
        grammar="tree_sitter_typescript:language_typescript",
        extract=extract,
        shebangs=("ts-node", "tsx"),
        group="javascript",
        index_modules=JavaScriptModules,
        is_test=is_test,
        policy=POLICY,
    ),
    Language(
        name="tsx",
        extensions=(".tsx",),
        grammar="tree_sitter_typescript:language_tsx",
        extract=extract_tsx,
        group="javascript",
        index_modules=JavaScriptModules,
        is_test=is_test,
        policy=POLICY,
    ),
)
