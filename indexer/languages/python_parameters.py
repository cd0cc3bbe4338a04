"""Parameters of Python functions and lambdas."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from agrama.indexer.facts import (
    COPY,
    KEYWORD_ONLY,
    KEYWORDS,
    NOTHING,
    OUTSIDE,
    POSITIONAL,
    REST,
    STATIC,
)
from agrama.indexer.languages.python_extraction import Environment, Extraction, Scope
from agrama.indexer.languages.python_types import read_annotation

if TYPE_CHECKING:
    from tree_sitter import Node  # noqa: TID251 - a type only


@dataclass(frozen=True, slots=True)
class _Written:
    """One parameter as it stands in the source."""

    name: "Node"
    kind: int
    annotation: "Node | None" = None
    default: "Node | None" = None


def read_parameters(
    x: Extraction, node: "Node | None", inner: Scope, outer: Scope, env: Environment
) -> None:
    """Declare the parameters of `inner`; annotations and defaults are read in `outer`."""
    is_method = inner.owner >= 0 and not inner.flags & STATIC
    after_star = False
    for child in node.named_children if node is not None else ():
        written = _read_written(child)
        if written is None:
            after_star = after_star or child.type == "keyword_separator"
            continue
        after_star = after_star or written.kind == REST
        register = x.register()
        declared = 0
        if not inner.parameters and is_method and written.kind == POSITIONAL:
            inner.self_register = register
        elif written.annotation is not None:
            declared = _declare(x, written, register, outer, env)
        _read_default(x, written, register, declared, outer, env)
        if inner.self_register != register and declared <= 0 and written.kind == POSITIONAL:
            inner.parameter_of[register] = len(inner.parameters)
        kind = KEYWORD_ONLY if after_star and written.kind == POSITIONAL else written.kind
        name = x.text(written.name)
        inner.parameters.append((name, register, kind, declared))
        inner.versions[name] = [register]


def _read_written(child: "Node") -> _Written | None:
    name = child.child_by_field_name("name")
    annotation = child.child_by_field_name("type")
    default = child.child_by_field_name("value")
    if child.type == "identifier":
        return _Written(child, POSITIONAL)
    if child.type in ("default_parameter", "typed_default_parameter") and name is not None:
        return _Written(name, POSITIONAL, annotation, default)
    pattern = child
    if child.type == "typed_parameter" and child.named_child_count:
        pattern = child.named_children[0]
    if pattern.type == "identifier":
        return _Written(pattern, POSITIONAL, annotation)
    kind = {"list_splat_pattern": REST, "dictionary_splat_pattern": KEYWORDS}.get(pattern.type)
    if kind is None or not pattern.named_child_count:
        return None
    return _Written(pattern.named_children[0], kind, annotation)


def _declare(
    x: Extraction, written: _Written, register: int, outer: Scope, env: Environment
) -> int:
    if written.annotation is None or not written.annotation.named_child_count:
        return 0
    declared = read_annotation(x, written.annotation, outer, env)
    if written.kind != POSITIONAL:
        return 0
    if declared >= 0:
        x.emit(COPY, register, declared)
        return declared + 1
    return -1 if declared == OUTSIDE else 0


def _read_default(
    x: Extraction, written: _Written, register: int, declared: int, outer: Scope, env: Environment
) -> None:
    if written.default is None:
        return
    value = x.value(written.default, outer, env, constant=True)
    if value != NOTHING and declared == 0:
        x.emit(COPY, register, value)
