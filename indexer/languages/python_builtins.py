"""Builtin functions that call, iterate or hand on their arguments.

What a builtin runs (`__next__`, a callback) is no call of the builtin's own name: such edges stand
at the argument or at the opening parenthesis.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from agrama.indexer.facts import ATTR, CALL, COPY, FORM_CALLBACK, FORM_IMPLICIT, ITER, NOTHING
from agrama.indexer.languages.python_expressions import iterate
from agrama.indexer.languages.python_extraction import Extraction, Key, Scope

if TYPE_CHECKING:
    from tree_sitter import Node  # noqa: TID251 - a type only


@dataclass(slots=True)
class Arguments:
    """The arguments of one call, read."""

    positional: list[int]
    keywords: list[tuple[str, int]]
    nodes: list["Node"]


NAMED = frozenset(("identifier", "attribute"))


def callee_name(function: "Node") -> "Node":
    """The node whose position a call edge carries: the last name of the callee."""
    if function.type == "attribute":
        return function.child_by_field_name("attribute") or function
    return function


Builtin = Callable[[Extraction, Arguments, "Node", Scope], int]


def _first(x: Extraction, arguments: Arguments, at: "Node", scope: Scope) -> int:
    return arguments.positional[0] if arguments.positional else NOTHING


def _sorted(x: Extraction, arguments: Arguments, at: "Node", scope: Scope) -> int:
    first = _first(x, arguments, at, scope)
    _call_key(x, arguments, at, scope)
    return first


def _element(x: Extraction, arguments: Arguments, at: "Node", scope: Scope) -> int:
    _call_key(x, arguments, at, scope)
    return iterate(x, _first(x, arguments, at, scope), scope, at.end_point)


def _call_key(x: Extraction, arguments: Arguments, at: "Node", scope: Scope) -> None:
    """`sorted(xs, key=f)` calls f with each element."""
    for name, function in arguments.keywords:
        if name == "key" and function >= 0:
            node = next((n for n in arguments.nodes if _keyword_name(x, n) == "key"), at)
            value = node.child_by_field_name("value") or node
            element = iterate(x, _first(x, arguments, at, scope), scope, at.end_point)
            _call_back(x, function, (element,), _argument_point(value, at), scope)


def _keyword_name(x: Extraction, node: "Node") -> str:
    name = node.child_by_field_name("name") if node.type == "keyword_argument" else None
    return "" if name is None else x.text(name)


def _argument_point(node: "Node", at: "Node") -> tuple[int, int]:
    """Where a callback stands; one that is itself called stands at the parenthesis."""
    if node.type in NAMED or node.type == "lambda":
        return callee_name(node).start_point
    return at.end_point


def _call_back(
    x: Extraction, function: int, given: tuple[int, ...], point: tuple[int, int], scope: Scope
) -> int:
    result = x.register()
    x.emit(
        CALL, result, function, given, (), point[0] + 1, point[1], scope.index, FORM_CALLBACK
    )  # fmt: skip
    return result


def _next(x: Extraction, arguments: Arguments, at: "Node", scope: Scope) -> int:
    """`next(x)` runs `x.__next__`; of a container it yields an element."""
    base = _first(x, arguments, at, scope)
    if base < 0:
        return NOTHING
    method, result, element = x.register(), x.register(), x.register()
    point = at.end_point
    x.emit(ATTR, method, base, "__next__")
    x.emit(
        CALL, result, method, (), (), point[0] + 1, point[1], scope.index, FORM_IMPLICIT
    )  # fmt: skip
    x.emit(ITER, element, base, 0, 0, scope.index)
    default = arguments.positional[1] if len(arguments.positional) > 1 else NOTHING
    return x.union(x.merge_versions((result, element)), default)


def _map(x: Extraction, arguments: Arguments, at: "Node", scope: Scope) -> int:
    """Whatever argument is a function is called with elements of the others."""
    results: list[tuple[Key, int]] = []
    for position, function in enumerate(arguments.positional):
        if function >= 0:
            rest = arguments.positional[:position] + arguments.positional[position + 1 :]
            elements = tuple(iterate(x, given, scope, at.end_point) for given in rest)
            point = _argument_point(arguments.nodes[position], at)
            results.append((None, _call_back(x, function, elements, point, scope)))
    return x.container(results)


def _filter(x: Extraction, arguments: Arguments, at: "Node", scope: Scope) -> int:
    _map(x, arguments, at, scope)
    return arguments.positional[1] if len(arguments.positional) > 1 else NOTHING


def read_reduce(x: Extraction, arguments: Arguments, at: "Node", scope: Scope) -> int:
    """`reduce(f, xs, start)`: f gets what it returned before, and an element."""
    function, items, *start = arguments.positional[:3]
    kept = x.register()
    element = iterate(x, items, scope, at.end_point)
    point = _argument_point(arguments.nodes[0], at)
    result = _call_back(x, function, (kept, element), point, scope)
    for value in (result, *(start or [element])):
        if value >= 0:
            x.emit(COPY, kept, value)
    return kept


def _type_of(x: Extraction, arguments: Arguments, at: "Node", scope: Scope) -> int:
    value = _first(x, arguments, at, scope)
    return x.attribute(value, "__class__", scope) if value >= 0 else NOTHING


def _enumerate(x: Extraction, arguments: Arguments, at: "Node", scope: Scope) -> int:
    element = _element(x, arguments, at, scope)
    if element < 0:
        return NOTHING
    return x.container([(None, x.container([(("i", 1), element)]))])


def _zip(x: Extraction, arguments: Arguments, at: "Node", scope: Scope) -> int:
    elements = [iterate(x, given, scope, at.end_point) for given in arguments.positional]
    return x.container([(None, x.container([(("i", i), e) for i, e in enumerate(elements)]))])


def _getattr(x: Extraction, arguments: Arguments, at: "Node", scope: Scope) -> int:
    nodes = arguments.nodes
    if len(nodes) < 2 or nodes[1].type != "string" or arguments.positional[0] < 0:
        return NOTHING
    name = x.text(nodes[1]).strip("\"'")
    if not name.isidentifier():
        return NOTHING
    register = x.register()
    x.emit(ATTR, register, arguments.positional[0], name)
    default = arguments.positional[2] if len(arguments.positional) > 2 else NOTHING
    return x.union(register, default)


BUILTINS: dict[str, Builtin] = {
    **dict.fromkeys(("list", "tuple", "reversed", "set", "iter", "frozenset", "dict"), _first),
    **dict.fromkeys(("min", "max"), _element),
    "sorted": _sorted,
    "next": _next,
    "map": _map,
    "filter": _filter,
    "type": _type_of,
    "enumerate": _enumerate,
    "zip": _zip,
    "getattr": _getattr,
}
