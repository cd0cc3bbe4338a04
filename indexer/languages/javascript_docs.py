"""Types in JSDoc comments: `@param {Store} store`, `@returns {Store}`, `@type {Store}`.

Only names are read, also in arrays and unions; a comment never keeps flow out.
"""

import re
from typing import TYPE_CHECKING

from agrama.indexer.facts import COPY, NOTHING
from agrama.indexer.languages.javascript_extraction import Environment, Extraction, Scope

if TYPE_CHECKING:
    from tree_sitter import Node  # noqa: TID251 - a type only

_PARAMETER = re.compile(r"@param\s+\{([^}]+)\}\s+\[?([A-Za-z_$][\w$]*)")
_RETURNED = re.compile(r"@returns?\s+\{([^}]+)\}")
_NAME = re.compile(r"[A-Za-z_$][\w$]*(?:\.[A-Za-z_$][\w$]*)*")
_ARRAY = re.compile(r"(?:Array\.?<(.+)>|\(?([^()]+)\)?\[\])")
_PROMISE = re.compile(r"Promise\.?<(.+)>")
MAX_COMMENT_BYTES = 4000


def read_comment(x: Extraction, start: int) -> str:
    """The `/** … */` that ends right before a byte."""
    head = x.source[max(0, start - MAX_COMMENT_BYTES) : start].rstrip()
    if not head.endswith(b"*/"):
        return ""
    at = head.rfind(b"/**")
    if at < 0 or head.find(b"*/", at) != len(head) - 2:
        return ""
    return head[at:].decode("utf-8", "replace")


def read_documented(x: Extraction, inner: Scope, start: int, env: Environment) -> None:
    """Let the types that a function's comment names into its parameters and result."""
    comment = read_comment(x, start)
    if "{" not in comment:
        return
    given = {row[0]: row for row in inner.parameters}
    for kind, name in _PARAMETER.findall(comment):
        row = given.get(name)
        value = _instance(x, kind, inner, env) if row is not None and row[3] == 0 else NOTHING
        if row is not None and value >= 0:
            x.emit(COPY, row[1], value)
            inner.parameter_of.pop(row[1], None)
    returned = _RETURNED.search(comment)
    if returned is not None:
        value = _instance(x, returned[1], inner, env)
        if value >= 0:
            inner.returns.append(value)


def _instance(x: Extraction, kind: str, scope: Scope, env: Environment) -> int:
    """An instance of the type; NOTHING where it names nothing of the file."""
    kind = kind.strip().strip("?!=")
    promised = _PROMISE.fullmatch(kind)
    if promised is not None:
        return _instance(x, promised[1], scope, env)
    array = _ARRAY.fullmatch(kind)
    if array is not None:
        part = _instance(x, array[1] or array[2], scope, env)
        return x.container([(None, part)]) if part >= 0 else NOTHING
    found = [_named(x, part.strip(), scope, env) for part in kind.strip("()").split("|")]
    return x.merge_versions(tuple(part for part in found if part >= 0) or (NOTHING,))


def _named(x: Extraction, kind: str, scope: Scope, env: Environment) -> int:
    if not _NAME.fullmatch(kind):
        return NOTHING
    first, *rest = kind.split(".")
    binding = scope.block.find_type(first)
    if binding is None or not binding.targets:
        return NOTHING
    register = x.read_binding(binding, env)
    for name in rest:
        if register >= 0:
            register = x.attribute(register, name)
    return x.instance(register) if register >= 0 else NOTHING


def comment_start(node: "Node") -> int:
    """Where the statement begins that a function is written in."""
    current = node
    while (
        current.parent is not None
        and current.parent.type in _AROUND
        and current.parent.start_point[0] == current.start_point[0]
    ):
        current = current.parent
    return current.start_byte


_AROUND = frozenset(
    (
        "export_statement", "expression_statement", "assignment_expression", "variable_declarator",
        "lexical_declaration", "variable_declaration", "pair",
    )
)  # fmt: skip
