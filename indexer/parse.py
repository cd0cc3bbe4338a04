"""Turns the text of one file into facts; the only module that speaks to tree-sitter.

Errors of the text are data: what is intact is read, the places of the errors are listed. There is
no clock here: a parse that does not end is ended from outside, with the process it runs in.
"""

import ctypes
import importlib
from collections.abc import Callable
from functools import cache

from tree_sitter import Language as Grammar
from tree_sitter import Node, Parser, Query, QueryCursor, Tree

from agrama.indexer.facts import FileFacts
from agrama.indexer.languages import load_languages
from agrama.indexer.languages.language import Language
from agrama.indexer.metrics import measure_functions, read_query

_CAPSULE = b"tree_sitter.Language"  # lives as long as the capsules that name it
_MAX_ERRORS = 50  # places listed per file; the first few tell the story


def parse_file(path: str, content: bytes, language_name: str) -> FileFacts:
    """The facts of one file whose text is UTF-8."""
    language, root = parse_text(content, language_name)
    facts = language.extract(root, content, path)
    # A front end lists statements it had to leave out; the grammar knows of the rest.
    if root.has_error:
        facts["errors"] = sorted({*facts["errors"], *_find_errors(root)})
    cursor = _metrics_cursor(language.name, language.grammar)
    if cursor is not None:
        facts["metrics"] = measure_functions(cursor.captures(root), content, language.name)
    return facts


def parse_errors(content: bytes, language_name: str) -> list[tuple[int, int]]:
    """Lines and columns at which a text does not follow its grammar."""
    _, root = parse_text(content, language_name)
    return _find_errors(root) if root.has_error else []


def parse_text(content: bytes, language_name: str) -> tuple[Language, Node]:
    """The language that a text is really written in, and the root of its tree."""
    language = _language(language_name, content)
    return language, _parser(language.grammar).parse(_prepared(language, content)).root_node


def bare_parser(language_name: str) -> Callable[[bytes], Tree]:
    """The grammar's own parser: what measurements compare with."""
    return _parser(load_languages()[language_name].grammar).parse


def _language(name: str, content: bytes) -> Language:
    """The language of a text; a header may be C or C++."""
    language = load_languages()[name]
    return language if language.variant is None else load_languages()[language.variant(content)]


def _prepared(language: Language, content: bytes) -> bytes:
    return content if language.prepare is None else language.prepare(content)


@cache
def _grammar(name: str) -> Grammar:
    module, _, function = name.partition(":")
    pointer = getattr(importlib.import_module(module), function)()
    return Grammar(_wrap(pointer) if isinstance(pointer, int) else pointer)


def _wrap(address: int) -> object:
    """Some wheels give the address of a grammar, where the capsule around it is asked for."""
    make = ctypes.pythonapi.PyCapsule_New
    make.restype = ctypes.py_object
    make.argtypes = (ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p)
    return make(address, _CAPSULE, None)


@cache
def _parser(grammar: str) -> Parser:
    return Parser(_grammar(grammar))


@cache
def _metrics_cursor(language: str, grammar: str) -> QueryCursor | None:
    query = read_query(language)
    return None if query is None else QueryCursor(Query(_grammar(grammar), query))


def _find_errors(root: Node) -> list[tuple[int, int]]:
    """Where the text does not follow its grammar."""
    found: list[tuple[int, int]] = []
    pending = [root]
    while pending and len(found) < _MAX_ERRORS:
        node = pending.pop()
        if node.is_error or node.is_missing:
            row, column = node.start_point
            found.append((row + 1, column))
        elif node.has_error:
            pending.extend(reversed(node.children))
    return found
