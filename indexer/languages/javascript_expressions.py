"""JavaScript expressions except calls, functions in places, classes and literals of objects."""

from typing import TYPE_CHECKING

from agrama.indexer.facts import GENERATOR, ITER, NOTHING, SUPER
from agrama.indexer.languages.javascript_extraction import (
    Environment,
    Extraction,
    Scope,
    expression,
)
from agrama.indexer.languages.javascript_functions import define_anonymous
from agrama.indexer.languages.javascript_narrowing import narrow
from agrama.indexer.languages.javascript_patterns import (
    bind,
    element,
    path_of,
    read_key,
    symbol_name,
)
from agrama.indexer.languages.recording import MAX_CONSTANT_LENGTH
from agrama.indexer.languages.typescript_types import read_type

if TYPE_CHECKING:
    from tree_sitter import Node  # noqa: TID251 - a type only


@expression("identifier", "shorthand_property_identifier")
def read_identifier(x: Extraction, node: "Node", scope: Scope, env: Environment) -> int:
    name = x.text(node)
    if scope.block.find(name) is None:
        if name == "arguments":
            return _read_arguments(x, scope)
        if name == "exports":
            return x.exports_register()
    return x.read(name, scope, env, node)


def _read_arguments(x: Extraction, scope: Scope) -> int:
    """The object that holds the function's arguments."""
    holder = scope
    while holder.arrow and holder.parent is not None:
        holder = holder.parent
    parameters = [(("i", i), p[1]) for i, p in enumerate(holder.parameters)]
    return x.container(list(parameters)) if parameters else NOTHING


@expression("this")
def read_this(x: Extraction, node: "Node", scope: Scope, env: Environment) -> int:
    return x.this(scope)


@expression("super")
def read_super(x: Extraction, node: "Node", scope: Scope, env: Environment) -> int:
    inside: Scope | None = scope
    while inside is not None and inside.owner < 0:
        inside = inside.parent
    if inside is None:
        return NOTHING
    register = x.register()
    x.emit(SUPER, register, inside.owner)
    return register


@expression("member_expression")
def read_member(x: Extraction, node: "Node", scope: Scope, env: Environment) -> int:
    base_node, name_node = node.child_by_field_name("object"), node.child_by_field_name("property")
    if base_node is None or name_node is None:
        return NOTHING
    name = x.text(name_node)
    if name == "exports" and _is_module(x, base_node, scope):
        return x.exports_register()
    return read_property(x, node, x.value(base_node, scope, env), scope, env)


def read_property(x: Extraction, node: "Node", base: int, scope: Scope, env: Environment) -> int:
    """The member that `node` takes of a base that has been read."""
    base_node, name_node = node.child_by_field_name("object"), node.child_by_field_name("property")
    if base < 0 or base_node is None or name_node is None:
        return NOTHING
    name = x.text(name_node)
    x.refer_attribute(name_node, base, name, scope.index)
    path = path_of(x, node, scope)
    if path is not None:
        versions = env.get(path)
        if versions:
            return x.merge_versions(versions)
    register = x.attribute(base, name)
    if base_node.type == "this":
        x.attribute_of[register] = name
    return register


def _is_module(x: Extraction, node: "Node", scope: Scope) -> bool:
    return node.type == "identifier" and x.text(node) == "module" and not scope.block.find("module")


@expression("subscript_expression")
def read_subscript(x: Extraction, node: "Node", scope: Scope, env: Environment) -> int:
    base_node, index = node.child_by_field_name("object"), node.child_by_field_name("index")
    if base_node is None or index is None:
        return NOTHING
    base = x.value(base_node, scope, env)
    key = read_key(x, index, scope, env)
    if base < 0:
        return NOTHING
    if key is not None and key[0] == "s":
        return x.union(x.attribute(base, key[1]), element(x, base, key))
    symbol = symbol_name(x, index, scope)
    value = element(x, base, key)
    return x.union(x.attribute(base, symbol), value) if symbol else value


@expression("arrow_function", "function_expression", "function", "generator_function")
def read_function(x: Extraction, node: "Node", scope: Scope, env: Environment) -> int:
    name = node.child_by_field_name("name")
    inner = define_anonymous(x, node, scope, symbol=True)
    if name is not None:
        inner.name = x.text(name)
        inner.line, inner.column = name.start_point[0] + 1, name.start_point[1]
        x.name_scope(inner, scope.prefix)
    return inner.register


@expression("parenthesized_expression", "sequence_expression")
def read_last(x: Extraction, node: "Node", scope: Scope, env: Environment) -> int:
    register = NOTHING
    for child in node.named_children:
        if child.type != "comment":
            register = x.value(child, scope, env)
    return register


@expression("as_expression", "satisfies_expression")
def read_cast(x: Extraction, node: "Node", scope: Scope, env: Environment) -> int:
    children = node.named_children
    value = x.value(children[0], scope, env) if children else NOTHING
    declared = read_type(x, children[1], scope, env) if len(children) > 1 else NOTHING
    if node.type == "satisfies_expression":
        return value
    return x.declared_value(declared, value)


@expression("type_assertion")
def read_assertion(x: Extraction, node: "Node", scope: Scope, env: Environment) -> int:
    declared = value = NOTHING
    for child in node.named_children:
        if child.type == "type_arguments":
            declared = max(read_type(x, child.named_children[0], scope, env), NOTHING)
        else:
            value = x.value(child, scope, env)
    return x.declared_value(declared, value)


@expression("non_null_expression", "await_expression")
def read_first(x: Extraction, node: "Node", scope: Scope, env: Environment) -> int:
    return x.value(node.named_children[0], scope, env) if node.named_child_count else NOTHING


@expression("instantiation_expression")
def read_instantiation(x: Extraction, node: "Node", scope: Scope, env: Environment) -> int:
    register = NOTHING
    for child in node.named_children:
        if child.type == "type_arguments":
            read_type(x, child, scope, env)
        else:
            register = x.value(child, scope, env)
    return register


@expression("yield_expression")
def read_yield(x: Extraction, node: "Node", scope: Scope, env: Environment) -> int:
    scope.flags |= GENERATOR
    if not node.named_child_count:
        return NOTHING
    register = x.value(node.named_children[0], scope, env)
    if register >= 0:
        if any(child.type == "*" for child in node.children):
            inner = x.register()
            x.emit(ITER, inner, register, 0, 0, scope.index)
            register = inner
        scope.yields.append(register)
    return NOTHING


@expression("ternary_expression")
def read_ternary(x: Extraction, node: "Node", scope: Scope, env: Environment) -> int:
    condition = node.child_by_field_name("condition")
    chosen, other = node.child_by_field_name("consequence"), node.child_by_field_name("alternative")
    if condition is None or chosen is None or other is None:
        return NOTHING
    x.value(condition, scope, env)
    first = x.value(chosen, scope, narrow(x, condition, scope, env, holds=True))
    return x.union(first, x.value(other, scope, narrow(x, condition, scope, env, holds=False)))


@expression("binary_expression")
def read_binary(x: Extraction, node: "Node", scope: Scope, env: Environment) -> int:
    """Read the left spine in a loop: a sum of a thousand strings is a thousand levels deep."""
    rights: list[tuple[Node, str]] = []
    current: Node | None = node
    while current is not None and current.type == "binary_expression":
        right = current.child_by_field_name("right")
        operator = current.child_by_field_name("operator")
        if right is not None and operator is not None:
            rights.append((right, operator.type))
        current = current.child_by_field_name("left")
    left = current
    value = x.value(left, scope, env) if left is not None else NOTHING
    for right, operator_text in reversed(rights):
        if operator_text not in ("&&", "||", "??"):
            x.value(right, scope, env)
            value = NOTHING
            continue
        inside = env
        if operator_text != "??" and right.parent is not None:
            condition = right.parent.child_by_field_name("left")
            inside = narrow(x, condition, scope, env, holds=operator_text == "&&")
        second = x.value(right, scope, inside)
        value = second if operator_text == "&&" else x.union(value, second)
    return value


@expression("augmented_assignment_expression")
def read_augmented(x: Extraction, node: "Node", scope: Scope, env: Environment) -> int:
    left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
    operator = node.child_by_field_name("operator")
    if left is None or right is None or operator is None:
        return NOTHING
    old = x.value(left, scope, env)
    value = x.value(right, scope, env)
    if operator.type not in ("&&=", "||=", "??="):
        return NOTHING
    seen = len(x.references)
    result = x.union(old, value)
    bind(x, left, result, scope, env, None)
    del x.references[seen:]
    return result


@expression("string")
def read_string(x: Extraction, node: "Node", scope: Scope, env: Environment) -> int:
    """A short string may become a key; only in calls and declarations is it worth a register."""
    return NOTHING


def string_constant(x: Extraction, node: "Node") -> int:
    if node.type == "string" and node.end_byte - node.start_byte < MAX_CONSTANT_LENGTH:
        return x.constant(("s", x.text(node)[1:-1]))
    return NOTHING


@expression(
    "number", "regex", "true", "false", "null", "undefined", "comment", "import", "meta_property",
    "property_identifier", "statement_identifier", "string_fragment", "escape_sequence",
)  # fmt: skip
def read_nothing(x: Extraction, node: "Node", scope: Scope, env: Environment) -> int:
    return NOTHING


@expression("unary_expression", "update_expression")
def read_unary(x: Extraction, node: "Node", scope: Scope, env: Environment) -> int:
    argument = node.child_by_field_name("argument")
    if argument is not None:
        x.value(argument, scope, env)
    return NOTHING
