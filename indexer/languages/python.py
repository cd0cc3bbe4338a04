"""Python: what the engine must know of it."""

import builtins
import sys
from typing import TYPE_CHECKING

from agrama.indexer.facts import FileFacts
from agrama.indexer.languages import (
    python_calls,
    python_definitions,
    python_expressions,
    python_statements,
)
from agrama.indexer.languages.language import (
    ADD,
    EXTEND,
    GET,
    ITEMS,
    KEYS_OF,
    SAME,
    Language,
    Policy,
)
from agrama.indexer.languages.python_extraction import Extraction
from agrama.indexer.languages.python_imports import PythonModules, python_module

if TYPE_CHECKING:
    from tree_sitter import Node  # noqa: TID251 - a type only

_HANDLERS = (python_calls, python_expressions, python_statements)
_BUILTINS = frozenset(dir(builtins))
# A tree of nested expressions takes three frames per level.
_RECURSION_LIMIT = 8000


def extract(root: "Node", source: bytes, path: str) -> FileFacts:
    """Facts of one Python file."""
    if sys.getrecursionlimit() < _RECURSION_LIMIT:
        sys.setrecursionlimit(_RECURSION_LIMIT)
    x = Extraction(source, path, _BUILTINS, is_test=is_test(path))
    module = x.module
    module.end_line = root.end_point[0] + 1
    module.final = x.block(root, module, {}) or {}
    while x.pending:
        scope, node = x.pending.pop()
        python_definitions.read_body(x, scope, node)
    return x.facts()


def is_test(path: str) -> bool:
    name = path.rpartition("/")[2]
    return (
        name.startswith("test_")
        or name.endswith("_test.py")
        or name in ("conftest.py", "tests.py")
        or path.startswith(("tests/", "test/"))
        or "/tests/" in path
        or "/test/" in path
    )


POLICY = Policy(
    constructors=("__init__",),
    call="__call__",
    subscript="__getitem__",
    iterate="__iter__",
    advance="__next__",
    enter="__enter__",
    class_names=frozenset(("__class__",)),
    class_receivers=frozenset(("__new__", "__init_subclass__", "__class_getitem__")),
    container_methods={
        **dict.fromkeys(("get", "pop", "popitem", "popleft", "setdefault"), GET),
        **dict.fromkeys(("append", "add", "appendleft", "insert"), ADD),
        **dict.fromkeys(("values", "copy"), SAME),
        **dict.fromkeys(("update", "extend"), EXTEND),
        "items": ITEMS,
        "keys": KEYS_OF,
    },
    builtins=_BUILTINS,
    star_takes_private=False,
)

LANGUAGES = (
    Language(
        name="python",
        extensions=(".py", ".pyi", ".pyw"),
        grammar="tree_sitter_python:language",
        extract=extract,
        shebangs=("python", "python3", "python2"),
        index_modules=PythonModules,
        module_name=python_module,
        is_test=is_test,
        policy=POLICY,
    ),
)
