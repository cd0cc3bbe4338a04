"""JavaScript: what the engine must know of it. TypeScript is read by the same code."""

import re
import sys
from typing import TYPE_CHECKING

from agrama.indexer.facts import FileFacts
from agrama.indexer.languages import (
    javascript_assignments,
    javascript_calls,
    javascript_classes,
    javascript_expressions,
    javascript_jsx,
    javascript_modules,
    javascript_objects,
    javascript_statements,
    typescript_declarations,
)
from agrama.indexer.languages.javascript_extraction import Extraction
from agrama.indexer.languages.javascript_functions import read_bodies
from agrama.indexer.languages.javascript_globals import GLOBALS
from agrama.indexer.languages.javascript_resolution import JavaScriptModules
from agrama.indexer.languages.language import (
    ADD,
    EACH,
    EXTEND,
    GET,
    ITEMS,
    MAP,
    REDUCE,
    SAME,
    Language,
    Policy,
)

if TYPE_CHECKING:
    from tree_sitter import Node  # noqa: TID251 - a type only

_HANDLERS = (
    javascript_assignments, javascript_calls, javascript_classes, javascript_expressions,
    javascript_jsx, javascript_modules, javascript_objects, javascript_statements,
    typescript_declarations,
)  # fmt: skip
# A tree of nested expressions takes three frames per level.
_RECURSION_LIMIT = 8000
# Functions that act as classes: `new Name`, `Name.prototype`, `inherits(Name`.
_CONSTRUCTED = re.compile(
    rb"\bnew\s+([A-Za-z_$][\w$]*)|\b([A-Za-z_$][\w$]*)\.prototype\b|inherits\(\s*([A-Za-z_$][\w$]*)"
)


def extract_as(language: str, root: "Node", source: bytes, path: str) -> FileFacts:
    """Facts of one JavaScript or TypeScript file."""
    if sys.getrecursionlimit() < _RECURSION_LIMIT:
        sys.setrecursionlimit(_RECURSION_LIMIT)
    x = Extraction(source, path, GLOBALS, test=is_test(path))
    names = {name.decode() for groups in _CONSTRUCTED.findall(source) for name in groups if name}
    x.constructed = frozenset(names)
    x.documented = language == "javascript" and b"@" in source
    module = x.module
    module.end_line = root.end_point[0] + 1
    module.final = x.statements(root.named_children, module, {}) or {}
    read_bodies(x)
    javascript_modules.finish_exports(x)
    return x.facts(language)


def extract(root: "Node", source: bytes, path: str) -> FileFacts:
    return extract_as("javascript", root, source, path)


def is_test(path: str) -> bool:
    name = path.rpartition("/")[2]
    stem = name.partition(".")[0]
    return (
        ".test." in name
        or ".spec." in name
        or "-test." in name
        or stem in ("test", "tests")
        or path.startswith(("test/", "tests/", "spec/", "__tests__/", "e2e/"))
        or any(part in path for part in ("/test/", "/tests/", "/spec/", "/__tests__/", "/e2e/"))
    )


POLICY = Policy(
    constructors=("constructor",),
    iterate="[Symbol.iterator]",
    advance="next",
    class_names=frozenset(("constructor",)),
    same_names=frozenset(("prototype",)),
    container_methods={
        **dict.fromkeys(("get", "pop", "shift", "at", "find", "findLast"), GET),
        **dict.fromkeys(("push", "unshift", "add", "set", "enqueue"), ADD),
        **dict.fromkeys(
            ("slice", "reverse", "sort", "filter", "values", "concat", "flat", "toSorted", "fill"),
            SAME,
        ),
        "splice": SAME,
        "entries": ITEMS,
        "append": EXTEND,
        **dict.fromkeys(("forEach", "some", "every", "findIndex"), EACH),
        **dict.fromkeys(("map", "flatMap"), MAP),
        **dict.fromkeys(("reduce", "reduceRight"), REDUCE),
    },
    import_names={"default": ("default", "=")},
    builtins=GLOBALS,
    virtual=True,
    trusts_classes=True,
    dotted_modules=False,
)

LANGUAGES = (
    Language(
        name="javascript",
        extensions=(".js", ".jsx", ".mjs", ".cjs"),
        grammar="tree_sitter_javascript:language",
        extract=extract,
        shebangs=("node", "deno", "bun"),
        group="javascript",
        index_modules=JavaScriptModules,
        is_test=is_test,
        policy=POLICY,
    ),
)
