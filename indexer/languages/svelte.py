"""Svelte and Vue: scripts and expressions of a component, read as TypeScript where they stand."""

import re
from functools import partial

from agrama.indexer.languages.javascript import POLICY, extract_as, is_test
from agrama.indexer.languages.javascript_resolution import JavaScriptModules
from agrama.indexer.languages.language import Language

_SCRIPT = re.compile(rb"(<script\b[^>]*>)(.*?)(?=</script\s*>|\Z)", re.DOTALL | re.IGNORECASE)
_STYLE = re.compile(rb"<style\b.*?(?:</style\s*>|\Z)|<!--.*?(?:-->|\Z)", re.DOTALL | re.IGNORECASE)
_EXPRESSION = re.compile(rb"\{(?!\.\.\.)([^{}#/:@][^{}]*)\}")
_TEXT = re.compile(rb"[^\r\n]")


def _blank(text: bytes) -> bytes:
    return _TEXT.sub(b" ", text)


def _keep_expressions(text: bytes) -> bytes:
    """`on:click={go}` as the statement `;go;`, everything else as blanks."""
    text = _STYLE.sub(lambda found: _blank(found[0]), text)
    kept, last = [], 0
    for found in _EXPRESSION.finditer(text):
        kept += [_blank(text[last : found.start()]), b";", found[1], b";"]
        last = found.end()
    return b"".join([*kept, _blank(text[last:])])


def keep_scripts(content: bytes, *, expressions: bool = True) -> bytes:
    """The code of a component, at the places where it is written."""
    kept, last = [], 0
    outside = _keep_expressions if expressions else _blank
    for found in _SCRIPT.finditer(content):
        kept += [outside(content[last : found.start()]), _blank(found[1]), found[2]]
        last = found.end()
    return b"".join([*kept, outside(content[last:])])


LANGUAGES = (
    Language(
        name="svelte",
        extensions=(".svelte",),
        grammar="tree_sitter_typescript:language_typescript",
        extract=partial(extract_as, "svelte"),
        group="javascript",
        index_modules=JavaScriptModules,
        is_test=is_test,
        policy=POLICY,
        prepare=keep_scripts,
    ),
    Language(
        name="vue",
        extensions=(".vue",),
        grammar="tree_sitter_typescript:language_typescript",
        extract=partial(extract_as, "vue"),
        group="javascript",
        index_modules=JavaScriptModules,
        is_test=is_test,
        policy=POLICY,
        prepare=partial(keep_scripts, expressions=False),
    ),
)
