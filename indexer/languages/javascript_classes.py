"""JavaScript and TypeScript classes."""

from typing import TYPE_CHECKING

from agrama.graph.model import Kind
from agrama.indexer.facts import (
    ABSTRACT,
    CALL,
    DEF,
    FORM_DECORATOR,
    NOTHING,
    PROPERTY,
    STATIC,
    STORE,
    TO_DEFINITION,
    TO_VARIABLE,
)
from agrama.indexer.languages.javascript_extraction import (
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
from agrama.indexer.languages.javascript_naming import Naming, definitions_in, named, read_named
from agrama.indexer.languages.javascript_patterns import property_name
from agrama.indexer.languages.typescript_types import class_of, read_type

if TYPE_CHECKING:
    from tree_sitter import Node  # noqa: TID251 - a type only


@hoisted("class_declaration", "abstract_class_declaration")
def declare_class(x: Extraction, node: "Node", scope: Scope, env: Environment) -> None:
    name = node.child_by_field_name("name")
    if name is not None:
        x.declare(x.text(name), scope, fixed=True)


@statement("class_declaration", "abstract_class_declaration")
def read_class_declaration(
    x: Extraction, node: "Node", scope: Scope, env: Environment
) -> Environment:
    name = node.child_by_field_name("name")
    if name is not None:
        define_class(x, node, scope, env, x.text(name), name, scope.prefix)
    return env


@expression("class")
def read_class_expression(x: Extraction, node: "Node", scope: Scope, env: Environment) -> int:
    name = node.child_by_field_name("name")
    if name is not None:
        return define_class(x, node, scope, env, x.text(name), name, scope.prefix).register
    scope.lambdas += 1
    text = f"<class{scope.lambdas}>"
    return define_class(x, node, scope, env, text, node, scope.prefix).register


@named("class")
def name_class(x: Extraction, node: "Node", scope: Scope, env: Environment, naming: Naming) -> int:
    if node.child_by_field_name("name") is not None:
        return read_class_expression(x, node, scope, env)
    return define_class(x, node, scope, env, naming.name, naming.node, naming.prefix).register


def define_class(
    x: Extraction,
    node: "Node",
    scope: Scope,
    env: Environment,
    name: str,
    name_node: "Node",
    prefix: str,
) -> Scope:
    """Define a class and read its body; a declared name is bound to it."""
    inner = x.open_scope(Kind.CLASS, name, name_node, node, scope)
    x.name_scope(inner, prefix)
    if node.type == "abstract_class_declaration":
        inner.flags |= ABSTRACT
    declare_type_parameters(x, node, inner, env)
    body = node.child_by_field_name("body")
    end = body.start_byte if body is not None else node.end_byte
    inner.signature = squeeze(x, node.start_byte, end) or f"class {name}"
    inner.doc = read_doc(x, node)
    _read_heritage(x, node, scope, inner, env)
    inner.register = x.register()
    x.emit(DEF, inner.register, inner.index)
    x.definition_of[inner.register] = inner
    _bind_class(x, node, scope, inner, env)
    _read_class_body(x, body, inner, env)
    for child in node.children_by_field_name("decorator"):
        read_decorator(x, child, scope, env, inner.register)
    return inner


def _bind_class(x: Extraction, node: "Node", scope: Scope, inner: Scope, env: Environment) -> None:
    declared = node.type != "class"
    own = node.child_by_field_name("name")
    if own is None:
        return
    binding = x.declare(x.text(own), scope if declared else inner, fixed=True,
                        block=scope.block if declared else inner.block)  # fmt: skip
    binding.function = inner
    binding.targets.append((TO_DEFINITION, inner.index))
    x.assign(binding, inner.register, env)


def _read_heritage(
    x: Extraction, node: "Node", scope: Scope, inner: Scope, env: Environment
) -> None:
    for heritage in node.named_children:
        if heritage.type != "class_heritage":
            continue
        for clause in heritage.named_children:
            if clause.type == "extends_clause":
                value = clause.child_by_field_name("value")
                if value is not None:
                    inner.bases.append(x.value(value, scope, env))
                arguments = clause.child_by_field_name("type_arguments")
                if arguments is not None:
                    read_type(x, arguments, inner, env)
            elif clause.type == "implements_clause":
                for kind in clause.named_children:
                    base = class_of(x, kind, inner, env)
                    if base >= 0:
                        inner.bases.append(base)
            elif clause.type != "comment":
                inner.bases.append(x.value(clause, scope, env))


def _read_class_body(x: Extraction, body: "Node | None", inner: Scope, env: Environment) -> None:
    children = body.named_children if body is not None else []
    implemented = {
        x.text(name)
        for child in children
        if child.type == "method_definition"
        and (name := child.child_by_field_name("name")) is not None
    }
    decorators: list[Node] = []
    overloads: list[tuple[Node, Node]] = []
    for child in children:
        kind = child.type
        if kind == "decorator":
            decorators.append(child)
            continue
        register = NOTHING
        if kind == "method_definition":
            register = _define_method(x, child, inner, env)
        elif kind in ("public_field_definition", "field_definition"):
            _define_field(x, child, inner, env)
        elif kind in ("abstract_method_signature", "method_signature"):
            name = child.child_by_field_name("name")
            if name is not None and x.text(name) not in implemented:
                implemented.add(x.text(name))
                register = _define_method(x, child, inner, env)
            elif name is not None:
                overloads.append((child, name))
        elif kind == "class_static_block":
            block = child.child_by_field_name("body")
            x.inner_block(block.named_children if block is not None else [], inner, env)
        elif kind == "index_signature":
            read_type(x, child, inner, env)
        for decorator in (*decorators, *child.children_by_field_name("decorator")):
            read_decorator(x, decorator, inner, env, register)
        decorators.clear()
    for signature, name in overloads:
        define_overload(x, signature, inner, name, inner)


def _modifiers(node: "Node") -> set[str]:
    """The words before a member's name."""
    found: set[str] = set()
    for child in node.children:
        if child.type in ("property_identifier", "private_property_identifier"):
            break
        found.add(child.type)
    return found


def _define_method(x: Extraction, node: "Node", inner: Scope, env: Environment) -> int:
    name_node = node.child_by_field_name("name")
    if name_node is None:
        return NOTHING
    if name_node.type == "computed_property_name":
        x.value(name_node, inner, env)
    name, words = property_name(x, name_node), _modifiers(node)
    flags = (STATIC if "static" in words else 0) | (PROPERTY if "get" in words else 0)
    if node.type == "abstract_method_signature":
        flags |= ABSTRACT
    method = define_function(
        x, node, inner, name, name_node, kind=Kind.METHOD, prefix=inner.qualified, owner=inner,
        flags=flags,
    )  # fmt: skip
    if flags & STATIC:
        method.receiver = inner.register
    if "set" in words:
        inner.members.setdefault(name, (NOTHING, TO_DEFINITION, method.index))
    else:
        inner.members[name] = (method.register, TO_DEFINITION, method.index)
    return method.register


def _define_field(x: Extraction, node: "Node", inner: Scope, env: Environment) -> None:
    name_node = node.child_by_field_name("name") or node.child_by_field_name("property")
    value, annotation = node.child_by_field_name("value"), node.child_by_field_name("type")
    if name_node is None:
        return
    name = property_name(x, name_node)
    declared = read_type(x, annotation, inner, env) if annotation is not None else NOTHING
    register = NOTHING
    if value is not None:
        naming = Naming(name, name_node, inner.qualified, Kind.METHOD, inner, whole=node)
        register = read_named(x, value, inner, env, naming)
    targets = definitions_in(x, register, name)
    if not targets:
        index = x.add_variable(name, name_node, inner, prefix=inner.qualified)
        targets = [(TO_VARIABLE, index)] if index >= 0 else []
    if not (targets and targets[0][0] == TO_DEFINITION):
        register = x.declared_value(declared, register)
    inner.members[name] = x.row(register, targets)
    if register >= 0 and "static" in _modifiers(node):
        x.emit(STORE, inner.register, name, register)


def read_decorator(
    x: Extraction, node: "Node", scope: Scope, env: Environment, decorated: int
) -> None:
    """`@log` calls log with what it decorates; `@log()` is a call already."""
    inner = node.named_children[0] if node.named_child_count else None
    if inner is None:
        return
    register = x.value(inner, scope, env)
    if register < 0 or inner.type not in ("identifier", "member_expression"):
        return
    place = inner.child_by_field_name("property") or inner
    row, column = place.start_point
    x.emit(
        CALL, x.register(), register, (decorated,), (), row + 1, column, scope.index, FORM_DECORATOR
    )


@expression("decorator")
def read_decorator_expression(x: Extraction, node: "Node", scope: Scope, env: Environment) -> int:
    read_decorator(x, node, scope, env, NOTHING)
    return NOTHING
