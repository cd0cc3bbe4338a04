"""JavaScript object and array literals."""

from typing import TYPE_CHECKING

from agrama.graph.model import Kind
from agrama.indexer.facts import ELEM, ITER, NEW, NOTHING, PROPERTY, PROTO, RECORD, SEQUENCE
from agrama.indexer.languages.javascript_extraction import (
    Environment,
    Extraction,
    Scope,
    expression,
)
from agrama.indexer.languages.javascript_functions import define_function
from agrama.indexer.languages.javascript_naming import Naming, named, read_named
from agrama.indexer.languages.javascript_patterns import property_name
from agrama.indexer.languages.recording import Key

if TYPE_CHECKING:
    from tree_sitter import Node  # noqa: TID251 - a type only


@expression("object")
def read_object(x: Extraction, node: "Node", scope: Scope, env: Environment) -> int:
    return _read_members(x, node, scope, env, scope.prefix)


@named("object")
def name_object(x: Extraction, node: "Node", scope: Scope, env: Environment, naming: Naming) -> int:
    prefix = f"{naming.prefix}.{naming.name}" if naming.prefix else naming.name
    return _read_members(x, node, scope, env, prefix)


def _read_members(x: Extraction, node: "Node", scope: Scope, env: Environment, prefix: str) -> int:
    register, site = x.register(), x.sites
    x.sites += 1
    x.emit(NEW, register, site, RECORD)
    values = x.elements[register] = {}
    for child in node.named_children:
        kind = child.type
        if kind == "pair":
            _read_pair(x, child, scope, env, prefix, register, site)
        elif kind == "shorthand_property_identifier":
            name = x.text(child)
            values[name] = x.read(name, scope, env, child)
            _put(x, site, ("s", name), values[name])
        elif kind == "method_definition":
            _read_method(x, child, scope, env, prefix, register, site)
        elif kind == "spread_element" and child.named_child_count:
            value = x.value(child.named_children[0], scope, env)
            if value >= 0:
                x.emit(PROTO, register, value)
    return register


def _put(x: Extraction, site: int, key: Key, value: int) -> None:
    if value >= 0:
        x.emit(ELEM, site, key, value)


def _read_pair(
    x: Extraction,
    node: "Node",
    scope: Scope,
    env: Environment,
    prefix: str,
    register: int,
    site: int,
) -> None:
    key, value = node.child_by_field_name("key"), node.child_by_field_name("value")
    if key is None or value is None:
        return
    naming = Naming(property_name(x, key), key, prefix, kind=Kind.METHOD, literal=register)
    literal: Key = ("s", naming.name)
    if key.type == "computed_property_name":
        x.value(key, scope, env)
        literal = literal if naming.name.isidentifier() else None
    result = x.elements[register][naming.name] = read_named(x, value, scope, env, naming)
    _put(x, site, literal, result)


def _read_method(
    x: Extraction,
    node: "Node",
    scope: Scope,
    env: Environment,
    prefix: str,
    register: int,
    site: int,
) -> None:
    name = node.child_by_field_name("name")
    if name is None:
        return
    if name.type == "computed_property_name":
        x.value(name, scope, env)
    accessor = next((c.type for c in node.children[:3] if c.type in ("get", "set")), "")
    inner = define_function(
        x, node, scope, property_name(x, name), name, kind=Kind.METHOD, prefix=prefix,
        flags=PROPERTY if accessor == "get" else 0,
    )  # fmt: skip
    inner.literal = register
    if accessor != "set":
        x.elements[register][inner.name] = inner.register
        _put(x, site, ("s", inner.name), inner.register)


@expression("array")
def read_array(x: Extraction, node: "Node", scope: Scope, env: Environment) -> int:
    items: list[tuple[Key, int]] = []
    position: int | None = 0
    for child in node.named_children:
        if child.type == "comment":
            continue
        if child.type == "spread_element":
            items.append((None, spread(x, child, scope, env)))
            position = None
            continue
        items.append((None if position is None else ("i", position), x.value(child, scope, env)))
        position = None if position is None else position + 1
    return x.container(items, SEQUENCE)


def spread(x: Extraction, node: "Node", scope: Scope, env: Environment) -> int:
    """One element of what `...xs` spreads."""
    value = x.value(node.named_children[0], scope, env) if node.named_child_count else NOTHING
    return iterate(x, value, scope)


def iterate(x: Extraction, value: int, scope: Scope) -> int:
    if value < 0:
        return NOTHING
    register = x.register()
    x.emit(ITER, register, value, 0, 0, scope.index)
    return register
