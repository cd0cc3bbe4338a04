"""TypeScript's own declarations: interfaces, aliases, enums, namespaces, ambient code, overloads."""

from typing import TYPE_CHECKING

from agrama.graph.model import Kind
from agrama.indexer.facts import (
    ABSTRACT,
    DEF,
    INTERFACE,
    NOTHING,
    TO_DEFINITION,
    TO_VARIABLE,
)
from agrama.indexer.languages.javascript_extraction import (
    HOISTED,
    STATEMENTS,
    Binding,
    Environment,
    Extraction,
    Scope,
    expression,
    hoisted,
    statement,
)
from agrama.indexer.languages.javascript_functions import (
    declare_type_parameters,
    define_function,
    define_overload,
    read_doc,
    squeeze,
)
from agrama.indexer.languages.javascript_patterns import property_name
from agrama.indexer.languages.typescript_types import class_of, read_type

if TYPE_CHECKING:
    from tree_sitter import Node  # noqa: TID251 - a type only


def _declare_type(x: Extraction, name: str, scope: Scope) -> Binding:
    binding = scope.block.types.get(name)
    if binding is None:
        binding = scope.block.types[name] = Binding(name, scope, fixed=True)
    return binding


@hoisted("interface_declaration", "type_alias_declaration")
def declare_type(x: Extraction, node: "Node", scope: Scope, env: Environment) -> None:
    name = node.child_by_field_name("name")
    if name is not None:
        _declare_type(x, x.text(name), scope)


def _open(
    x: Extraction, node: "Node", name: "Node", scope: Scope, env: Environment, flags: int
) -> Scope:
    inner = x.open_scope(Kind.CLASS, x.text(name), name, node, scope)
    x.name_scope(inner, scope.prefix)
    inner.flags |= flags
    inner.doc = read_doc(x, node)
    declare_type_parameters(x, node, inner, env)
    return inner


def _define(x: Extraction, inner: Scope) -> None:
    inner.register = x.register()
    x.emit(DEF, inner.register, inner.index)
    x.definition_of[inner.register] = inner


@statement("interface_declaration")
def read_interface(x: Extraction, node: "Node", scope: Scope, env: Environment) -> Environment:
    name, body = node.child_by_field_name("name"), node.child_by_field_name("body")
    if name is None:
        return env
    inner = _open(x, node, name, scope, env, INTERFACE)
    inner.signature = squeeze(x, node.start_byte, body.start_byte if body else node.end_byte)
    for clause in node.named_children:
        if clause.type == "extends_type_clause":
            for kind in clause.named_children:
                inner.bases.append(class_of(x, kind, inner, env))
    _define(x, inner)
    binding = _declare_type(x, inner.name, scope)
    binding.targets.append((TO_DEFINITION, inner.index))
    x.assign(binding, inner.register, env)
    read_members(x, body, inner, env)
    return env


def read_members(x: Extraction, body: "Node | None", inner: Scope, env: Environment) -> None:
    """Properties and methods of an interface or object type."""
    for child in body.named_children if body is not None else ():
        name = child.child_by_field_name("name")
        kind = child.child_by_field_name("type")
        if child.type == "method_signature" and name is not None:
            _define_signature(x, child, name, inner)
        elif child.type == "property_signature" and name is not None:
            function = _function_type(kind)
            if function is not None:
                _define_signature(x, function, name, inner)
            else:
                _declare_property(x, name, kind, inner, env)
        else:
            read_type(x, child, inner, env)


def _function_type(kind: "Node | None") -> "Node | None":
    if kind is not None and kind.named_child_count and kind.type == "type_annotation":
        inner = kind.named_children[0]
        return inner if inner.type == "function_type" else None
    return None


def _define_signature(x: Extraction, node: "Node", name_node: "Node", inner: Scope) -> None:
    name = property_name(x, name_node)
    if name in inner.members:
        define_overload(x, node, inner, name_node, inner)
        return
    method = define_function(
        x, node, inner, name, name_node, kind=Kind.METHOD, prefix=inner.qualified, owner=inner,
        flags=ABSTRACT,
    )  # fmt: skip
    inner.members[name] = (method.register, TO_DEFINITION, method.index)


def _declare_property(
    x: Extraction, name_node: "Node", kind: "Node | None", inner: Scope, env: Environment
) -> None:
    name = property_name(x, name_node)
    declared = read_type(x, kind, inner, env) if kind is not None else NOTHING
    index = x.add_variable(name, name_node, inner, prefix=inner.qualified)
    if index >= 0:
        inner.members[name] = (max(declared, NOTHING), TO_VARIABLE, index)


@statement("type_alias_declaration")
def read_alias(x: Extraction, node: "Node", scope: Scope, env: Environment) -> Environment:
    """An alias of an object type is a class; of a named type, that type; of another, a value."""
    name, value = node.child_by_field_name("name"), node.child_by_field_name("value")
    if name is None or value is None:
        return env
    inner = _open(x, node, name, scope, env, INTERFACE)
    inner.signature = squeeze(x, node.start_byte, node.end_byte)
    binding = _declare_type(x, inner.name, scope)
    binding.targets.append((TO_DEFINITION, inner.index))
    if value.type in ("object_type", "intersection_type"):
        _define(x, inner)
        x.assign(binding, inner.register, env)
        _read_parts(x, value, inner, env)
        return env
    if value.type in ("type_identifier", "nested_type_identifier", "generic_type", "union_type"):
        register = class_of(x, value, inner, env)
        if register >= 0:
            x.assign(binding, register, env)
            return env
        seen = len(x.references)
        x.type_values[binding] = max(read_type(x, value, inner, env), NOTHING)
        del x.references[seen:]
    else:
        x.type_values[binding] = max(read_type(x, value, inner, env), NOTHING)
    x.assign(binding, NOTHING, env)
    return env


def _read_parts(x: Extraction, node: "Node", inner: Scope, env: Environment) -> None:
    if node.type == "object_type":
        read_members(x, node, inner, env)
    elif node.type in ("intersection_type", "parenthesized_type"):
        for child in node.named_children:
            _read_parts(x, child, inner, env)
    else:
        base = class_of(x, node, inner, env)
        if base >= 0:
            inner.bases.append(base)


@hoisted("enum_declaration")
def declare_enum(x: Extraction, node: "Node", scope: Scope, env: Environment) -> None:
    name = node.child_by_field_name("name")
    if name is not None:
        x.declare(x.text(name), scope, fixed=True)


@statement("enum_declaration")
def read_enum(x: Extraction, node: "Node", scope: Scope, env: Environment) -> Environment:
    name, body = node.child_by_field_name("name"), node.child_by_field_name("body")
    if name is None:
        return env
    inner = _open(x, node, name, scope, env, 0)
    inner.signature = f"enum {inner.name}"
    _define(x, inner)
    binding = x.declare(inner.name, scope, fixed=True)
    binding.targets.append((TO_DEFINITION, inner.index))
    x.assign(binding, inner.register, env)
    for child in body.named_children if body is not None else ():
        member, value = (
            child.child_by_field_name("name") or child,
            child.child_by_field_name("value"),
        )
        if value is not None:
            x.value(value, inner, env)
        if member.type in ("property_identifier", "string"):
            _declare_property(x, member, None, inner, env)
    return env


# ---- namespaces and ambient code


@hoisted("internal_module", "module")
def declare_namespace(x: Extraction, node: "Node", scope: Scope, env: Environment) -> None:
    name = node.child_by_field_name("name")
    if name is not None and name.type == "identifier":
        x.declare(x.text(name), scope, fixed=True)


@statement("internal_module", "module")
def read_namespace(x: Extraction, node: "Node", scope: Scope, env: Environment) -> Environment:
    """`namespace A.B { … }`: its exported names are members of a module definition."""
    name, body = node.child_by_field_name("name"), node.child_by_field_name("body")
    if name is None:
        return env
    text = x.text(name)
    inner = x.open_scope(Kind.MODULE, property_name(x, name), name, node, scope)
    x.name_scope(inner, scope.prefix)
    inner.signature = f"namespace {text}"
    inner.arrow = True
    _define(x, inner)
    if name.type == "identifier":
        binding = x.declare(text, scope, fixed=True)
        binding.targets.append((TO_DEFINITION, inner.index))
        x.assign(binding, inner.register, env)
    ambient = node.parent is not None and node.parent.type == "ambient_declaration"
    x.statements(body.named_children if body is not None else [], inner, env)
    for name_, bound in (*inner.block.names.items(), *inner.block.types.items()):
        if (ambient or name_ in inner.attributes) and name_ not in inner.members:
            inner.members[name_] = x.row(x.read_binding(bound, env), bound.targets)
    return env


@expression("internal_module")
def read_namespace_expression(x: Extraction, node: "Node", scope: Scope, env: Environment) -> int:
    read_namespace(x, node, scope, env)
    return NOTHING


@hoisted("expression_statement")
def declare_in_expression(x: Extraction, node: "Node", scope: Scope, env: Environment) -> None:
    """The grammar wraps a namespace in an expression statement."""
    for child in node.named_children:
        if child.type == "internal_module":
            declare_namespace(x, child, scope, env)


@hoisted("ambient_declaration")
def declare_ambient(x: Extraction, node: "Node", scope: Scope, env: Environment) -> None:
    for child in node.named_children:
        handler = HOISTED.get(child.type)
        if handler is not None:
            handler(x, child, scope, env)


@statement("ambient_declaration")
def read_ambient(x: Extraction, node: "Node", scope: Scope, env: Environment) -> Environment:
    for child in node.named_children:
        if child.type == "statement_block":  # declare global { … }
            x.statements(child.named_children, scope, env)
            continue
        handler = STATEMENTS.get(child.type)
        if handler is not None:
            env = handler(x, child, scope, env) or env
    return env


@hoisted("function_signature")
def declare_signature(x: Extraction, node: "Node", scope: Scope, env: Environment) -> None:
    """A signature without a body: an overload folds into its implementation, others stand alone."""
    name = node.child_by_field_name("name")
    if name is None:
        return
    text = x.text(name)
    binding = x.declare(text, scope, fixed=True)
    if binding.targets or _is_implemented(x, node, text):
        return
    inner = define_function(x, node, scope, text, name, flags=ABSTRACT)
    binding.targets.append((TO_DEFINITION, inner.index))
    binding.function = inner
    x.assign(binding, inner.register, env)


@statement("function_signature")
def read_signature(x: Extraction, node: "Node", scope: Scope, env: Environment) -> Environment:
    name = node.child_by_field_name("name")
    binding = scope.block.find(x.text(name)) if name is not None else None
    own = binding.function if binding is not None else None
    if name is not None and (own is None or own.start_byte != node.start_byte):
        define_overload(x, node, scope, name)
    return env


def _is_implemented(x: Extraction, node: "Node", name: str) -> bool:
    at = node.parent if node.parent is not None and node.parent.type == "export_statement" else node
    following = at.next_named_sibling if at is not None else None
    while following is not None:
        inner = following.child_by_field_name("declaration") or following
        own = inner.child_by_field_name("name")
        if inner.type not in ("function_signature", "function_declaration", "comment"):
            return False
        if inner.type == "function_declaration":
            return own is not None and x.text(own) == name
        following = following.next_named_sibling
    return False
