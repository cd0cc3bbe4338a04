"""C and C++ functions, variables and fields: what they declare, and what is in them."""

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

from agrama.graph.model import Kind
from agrama.indexer.facts import (
    ABSTRACT,
    COPY,
    DECLARED,
    FORM_CALL,
    NOTHING,
    STATIC,
    STORE,
    TEST,
    TO_DEFINITION,
    TO_VARIABLE,
)
from agrama.indexer.languages.c_expressions import (
    CONSTRUCTOR,
    argument_nodes,
    emit_call,
    fill,
    read_parameters,
)
from agrama.indexer.languages.c_tests import declare_test
from agrama.indexer.languages.c_types import (
    CExtraction,
    Declarator,
    last_part,
    plain_name,
    read_type,
    type_text,
)
from agrama.indexer.languages.c_typing import static_type
from agrama.indexer.languages.typed import Block, Scope

if TYPE_CHECKING:
    from tree_sitter import Node  # noqa: TID251 - a type only


def publish(
    x: CExtraction,
    parent: Scope,
    name: str,
    register: int,
    target: int,
    index: int,
    suffix: str = "",
) -> None:
    """Make a definition known to the program, and as a member of its class."""
    key = x.key_of(parent)
    full = f"{key}::{name}" if key else name
    x.add_export(full, register, target, index)
    if suffix:
        x.add_export(full + suffix, register, target, index)
    if parent.is_class:
        x.add_member(parent, name, register, target, index)
        if suffix:
            parent.members[name + suffix] = (register, target, index)


def with_templates(x: CExtraction, scope: Scope, read: Callable[[], None]) -> None:
    """Parameters of the template around count while a declaration is read."""
    added = [name for name in x.template if name not in scope.types]
    scope.types.update(dict.fromkeys(added, NOTHING))
    read()
    for name in added:
        del scope.types[name]


# ---- functions


def declare_function(
    x: CExtraction, node: "Node", parent: Scope, block: Block, whole: "Node"
) -> None:
    declarator = node.child_by_field_name("declarator")
    found = Declarator(declarator) if declarator is not None else None
    if found is None or found.name is None or found.function is None:
        body, kind = node.child_by_field_name("body"), node.child_by_field_name("type")
        macro = x.text(kind) if kind is not None and kind.type == "type_identifier" else ""
        if declarator is not None and body is not None and macro.isupper():
            declare_test(x, node, macro, declarator, parent, block)
        elif body is not None and declarator is not None:
            x.bodies.append((parent, node, block.inner()))
        return
    _add_function(x, node, found, parent, block, whole)


def _add_function(
    x: CExtraction, node: "Node", found: Declarator, parent: Scope, block: Block, whole: "Node"
) -> None:
    assert found.name is not None and found.function is not None
    text = plain_name(x, found.name)
    body = node.child_by_field_name("body")
    listed = found.function.child_by_field_name("parameters")
    macro = body is not None and node.child_by_field_name("type") is None and text.isupper()
    if macro and not parent.is_class:
        declare_test(x, node, text, listed, parent, block)
        return
    outer, _, last = text.rpartition("::")
    owner = parent if parent.is_class else None
    if outer and body is not None:
        owner = x.extension(outer, parent, node)
    elif outer:
        return
    kind = Kind.METHOD if owner is not None else Kind.FUNCTION
    qualified = ".".join(p for p in (parent.qualified, outer.replace("::", "."), last) if p)
    scope = x.define(kind, last, parent, node, found.name, qualified if outer else "")
    _, scope.column = last_part(found.name).start_point
    scope.doc = scope.doc or x.comment_before(whole)
    scope.types.update(dict.fromkeys(x.template, NOTHING))
    _set_flags(x, scope, node, owner)
    inner = Block(scope, block)
    if owner is not None:
        scope.owner = owner
        scope.self_register = x.register()
    scope.return_type = read_type(x, node.child_by_field_name("type"), inner)
    trailing = next((c for c in found.function.named_children if "trailing" in c.type), None)
    if trailing is not None:
        scope.return_type = read_type(x, next(iter(trailing.named_children), None), inner)
    types = read_parameters(x, scope, listed, inner)
    _publish_function(x, scope, types, owner or parent)
    if body is not None:
        x.bodies.append((scope, node, inner))


def _set_flags(x: CExtraction, scope: Scope, node: "Node", owner: Scope | None) -> None:
    words = {x.text(c) for c in node.children if c.type in ("storage_class_specifier", "virtual")}
    if "static" in words or (x.local_space and owner is None):
        scope.flags |= STATIC
    special = {child.type for child in node.named_children}
    if node.child_by_field_name("body") is None and not special & {
        "default_method_clause", "delete_method_clause", "pure_virtual_clause",
    }:  # fmt: skip
        pure = x.text(node).rstrip("; \n").endswith("= 0")
        scope.flags |= ABSTRACT if pure else DECLARED
    if "pure_virtual_clause" in special:
        scope.flags |= ABSTRACT


def _publish_function(x: CExtraction, scope: Scope, types: list[str], parent: Scope) -> None:
    name = scope.name
    if scope.owner is not None and name == scope.owner.name:
        name = CONSTRUCTOR
    suffix = f"({','.join(types)})" if x.is_cpp and not x.extern_c else ""
    publish(x, parent, name, scope.register, TO_DEFINITION, scope.index, suffix)
    if x.is_test and scope.name.lower().startswith("test"):
        scope.flags |= TEST


# ---- variables, fields and declarations of functions


def declare_variables(
    x: CExtraction, node: "Node", parent: Scope, block: Block, whole: "Node"
) -> None:
    kind = node.child_by_field_name("type")
    scope = None
    if kind is not None and kind.child_by_field_name("body") is not None:
        scope = x.declare_class(kind, parent, block, whole)
    external = any(x.text(c) == "extern" for c in node.children if "storage" in c.type)
    declared = NOTHING
    typed = False
    for child in node.children_by_field_name("declarator"):
        found = Declarator(child)
        if found.name is None:
            continue
        if found.function is not None:
            with_templates(x, parent, partial(_add_function, x, node, found, parent, block, whole))
            continue
        if not typed:
            declared, typed = _declared_type(x, kind, scope, block), True
        if external and found.value is None:
            continue
        value = found.value or node.child_by_field_name("default_value")
        _add_variable(x, node, found, declared, value, parent, block)


def _declared_type(x: CExtraction, kind: "Node | None", scope: Scope | None, block: Block) -> int:
    return x.instance(scope.register) if scope is not None else read_type(x, kind, block)


def _add_variable(
    x: CExtraction, node: "Node", found: Declarator, declared: int, value: "Node | None", parent: Scope,
    block: Block,
) -> None:  # fmt: skip
    assert found.name is not None
    name = plain_name(x, found.name)
    kind = node.child_by_field_name("type")
    text = type_text(x, kind, parent)
    if "::" in name:  # a static member has its symbol in the class
        if value is not None:
            x.waiting.append((NOTHING, value, block, declared, text))
        return
    index = x.add_variable(name, parent, found.name, node)
    held = max(declared, NOTHING)
    if found.is_array and held >= 0:
        held = x.container([(None, held)])
    register = x.register()
    if held >= 0:
        x.emit(COPY, register, held)
    publish(x, parent, name, register, TO_VARIABLE, index)
    if parent.is_class:
        x.fields.setdefault(parent.name, []).append(name)
    if value is not None:
        x.waiting.append((register, value, block, declared, text))


def read_value(
    x: CExtraction, register: int, node: "Node", block: Block, declared: int, text: str
) -> None:
    if node.type == "initializer_list":
        value = fill(x, node, max(declared, NOTHING), text, block, {})
    elif node.type == "argument_list":
        for child in node.named_children:
            x.value(child, block, {})
        return
    else:
        value = x.value(node, block, {})
    if value >= 0 and register >= 0:
        x.emit(COPY, register, value)


def read_body(x: CExtraction, scope: Scope, node: "Node", block: Block) -> None:
    for child in node.named_children:
        if child.type == "field_initializer_list":
            for each in child.named_children:
                _read_field_initializer(x, scope, each, block)
    body = node.child_by_field_name("body")
    if body is not None:
        x.run(body.named_children, block, {})


def _read_field_initializer(x: CExtraction, scope: Scope, node: "Node", block: Block) -> None:
    """`: Base(a), field_(b)`"""
    parts = node.named_children
    if not parts:
        return
    nodes = [each for part in parts[1:] for each in argument_nodes(part)]
    values = [x.value(each, block, {}) for each in nodes]
    name = plain_name(x, parts[0])
    if parts[0].type != "field_identifier" or name[:1].isupper():
        cls = x.read_name(name, parts[0], scope)
        types = ",".join(static_type(x, each, block) for each in nodes)
        constructor = x.attribute(cls, f"{CONSTRUCTOR}({types})")
        emit_call(x, constructor, tuple(values), parts[0], block, FORM_CALL)
        return
    x.read_name(name, parts[0], scope)
    if len(values) == 1 and values[0] >= 0 and scope.self_register >= 0:
        x.emit(STORE, scope.self_register, name, values[0])
