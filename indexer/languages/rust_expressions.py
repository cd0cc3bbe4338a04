"""Rust expressions. Control flow is made of expressions, so environments are changed in place."""

from collections.abc import Callable
from typing import TYPE_CHECKING

from agrama.indexer.facts import (
    CALL,
    COPY,
    FORM_CALL,
    ITER,
    NOTHING,
    STORE,
    SUBSTORE,
)
from agrama.indexer.languages.rust_patterns import WRAPPING, bind, part_of
from agrama.indexer.languages.rust_types import (
    RustExtraction,
    class_of,
    read_name,
    read_path,
    read_type,
    segments_of,
)
from agrama.indexer.languages.typed import Block, Environment, Handler, Scope, merge_all

if TYPE_CHECKING:
    from tree_sitter import Node  # noqa: TID251 - a type only

# Methods of every type that give the value back, or one that has the same members.
SAME_VALUE = frozenset(
    (
        "as_deref", "as_mut", "as_ref", "borrow", "borrow_mut", "by_ref", "clone", "cloned", "copied",
        "deref", "deref_mut", "expect", "into", "lock", "ok", "read", "to_owned", "unwrap",
        "unwrap_or", "unwrap_or_default", "unwrap_or_else", "write",
    )
)  # fmt: skip


def read_identifier(x: RustExtraction, node: "Node", block: Block, env: Environment) -> int:
    name = x.text(node)
    local = block.find(name)
    if local is not None:
        return x.read_local(local, block, env)
    register = read_name(x, name, node, block)
    if register >= 0 and name[:1].isupper() and not name.isupper():
        return x.union(register, x.instance(register))  # `NameValidator` is also its only value
    return register


def read_self(x: RustExtraction, node: "Node", block: Block, env: Environment) -> int:
    local = block.find("self")
    return NOTHING if local is None else x.read_local(local, block, env)


def read_scoped(x: RustExtraction, node: "Node", block: Block, env: Environment) -> int:
    parts = segments_of(x, node)
    register = read_path(x, parts, block)
    if len(parts) > 1 and _is_variant(x, parts):
        holder = read_path(x, parts[:-1], block)
        return x.union(register, x.instance(holder)) if holder >= 0 else register
    return register


def _is_variant(x: RustExtraction, parts: list["Node"]) -> bool:
    return all(x.text(part)[:1].isupper() for part in parts[-2:])


def read_field(x: RustExtraction, node: "Node", block: Block, env: Environment) -> int:
    base = x.value(node.child_by_field_name("value"), block, env)
    field = node.child_by_field_name("field")
    if base < 0 or field is None:
        return NOTHING
    name = x.text(field)
    x.refer_attribute(field, base, name, block.scope.index)
    register = x.attribute(base, name)
    if name.isdigit():
        return x.union(register, part_of(x, base, ("i", int(name))))
    return register


# ---- calls


def read_call(x: RustExtraction, node: "Node", block: Block, env: Environment) -> int:
    function = node.child_by_field_name("function")
    listed = node.child_by_field_name("arguments")
    nodes = [n for n in listed.named_children if "comment" not in n.type] if listed else []
    if function is None:
        return NOTHING
    if function.type == "generic_function":
        read_type(x, function.child_by_field_name("type_arguments"), block)
        function = function.child_by_field_name("function") or function
    if function.type == "identifier" and x.text(function) in WRAPPING:
        values = [x.value(each, block, env) for each in nodes]
        return x.container([(None, value) for value in values])
    if function.type == "field_expression":
        return _call_method(x, function, nodes, block, env)
    parts = segments_of(x, function)
    names = [part for part in parts if part.type.endswith("identifier")]
    if function.type == "identifier" and block.find(x.text(function)) is None:
        callee = read_name(x, x.text(function), function, block)
    else:
        callee = x.value(function, block, env)
    arguments = tuple(x.value(each, block, env) for each in nodes)
    if len(parts) > 1 and _is_variant(x, parts):
        return callee
    return emit_call(x, callee, arguments, names[-1] if names else function, block)


def read_generic(x: RustExtraction, node: "Node", block: Block, env: Environment) -> int:
    """`parse::<u8>` as a value."""
    read_type(x, node.child_by_field_name("type_arguments"), block)
    return x.value(node.child_by_field_name("function"), block, env)


def emit_call(
    x: RustExtraction, callee: int, arguments: tuple[int, ...], name: "Node", block: Block
) -> int:
    if callee < 0:
        return NOTHING
    register = x.register()
    row, column = name.start_point
    x.emit(CALL, register, callee, arguments, (), row + 1, column, block.scope.index, FORM_CALL)
    return register


def _call_method(
    x: RustExtraction, function: "Node", nodes: list["Node"], block: Block, env: Environment
) -> int:
    base = x.value(function.child_by_field_name("value"), block, env)
    field = function.child_by_field_name("field")
    arguments = tuple(x.value(each, block, env) for each in nodes)
    if base < 0 or field is None:
        return NOTHING
    name = x.text(field)
    result = emit_call(x, x.attribute(base, name), arguments, field, block)
    if name in SAME_VALUE:
        x.emit(COPY, result, base)
    return result


# ---- blocks and branches


def read_block(x: RustExtraction, node: "Node", block: Block, env: Environment) -> int:
    """The value of a block is that of its last expression."""
    inner = block.inner()
    x.declare_items(node.named_children, inner)
    return read_statements(x, node, inner, env)


def read_statements(x: RustExtraction, node: "Node", block: Block, env: Environment) -> int:
    last = NOTHING
    for child in node.named_children:
        if "comment" in child.type or child.type in x.items:
            continue
        last = NOTHING
        if child.type == "let_declaration":
            read_let(x, child, block, env)
        elif child.type == "expression_statement":
            for inner in child.named_children:
                value = x.value(inner, block, env)
                if child.child_count == 1:  # without a semicolon: `if … {}` at the end
                    last = value
        else:
            last = x.value(child, block, env)
    return last


def read_let(x: RustExtraction, node: "Node", block: Block, env: Environment) -> int:
    declared = read_type(x, node.child_by_field_name("type"), block)
    value = x.value(node.child_by_field_name("value"), block, env)
    alternative = node.child_by_field_name("alternative")
    if alternative is not None:
        x.value(alternative, block, dict(env))
    pattern = node.child_by_field_name("pattern")
    bind(x, pattern, declared if declared >= 0 else value, block, env)
    return NOTHING


def _branches(env: Environment, ways: list[Environment]) -> None:
    merged = merge_all(list(ways)) or {}
    env.clear()
    env.update(merged)


def read_if(x: RustExtraction, node: "Node", block: Block, env: Environment) -> int:
    result = NOTHING
    ways: list[Environment] = []
    current: Node | None = node
    while current is not None and current.type == "if_expression":
        inner, own = block.inner(), dict(env)
        x.value(current.child_by_field_name("condition"), inner, own)
        result = x.union(result, x.value(current.child_by_field_name("consequence"), inner, own))
        ways.append(own)
        clause = current.child_by_field_name("alternative")
        current = clause.named_children[0] if clause is not None and clause.named_children else None
    if current is not None:
        own = dict(env)
        result = x.union(result, x.value(current, block, own))
        ways.append(own)
    else:
        ways.append(dict(env))
    _branches(env, ways)
    return result


def read_condition(x: RustExtraction, node: "Node", block: Block, env: Environment) -> int:
    """`let P = value` in a condition."""
    value = x.value(node.child_by_field_name("value"), block, env)
    bind(x, node.child_by_field_name("pattern"), value, block, env)
    return NOTHING


def read_match(x: RustExtraction, node: "Node", block: Block, env: Environment) -> int:
    value = x.value(node.child_by_field_name("value"), block, env)
    body = node.child_by_field_name("body")
    result = NOTHING
    ways: list[Environment] = []
    for arm in body.named_children if body is not None else ():
        if arm.type != "match_arm":
            continue
        inner, own = block.inner(), dict(env)
        bind(x, arm.child_by_field_name("pattern"), value, inner, own)
        result = x.union(result, x.value(arm.child_by_field_name("value"), inner, own))
        ways.append(own)
    if ways:
        _branches(env, ways)
    return result


def _loop(
    x: RustExtraction,
    node: "Node",
    block: Block,
    env: Environment,
    read: Callable[[Environment], object],
) -> int:
    def body(start: Environment) -> Environment:
        read(start)
        return start

    after = x.loop(node, block, env, body)
    if after is not env:
        env.update(after)
    return NOTHING


def read_for(x: RustExtraction, node: "Node", block: Block, env: Environment) -> int:
    base = x.value(node.child_by_field_name("value"), block, env)
    element = NOTHING
    if base >= 0:
        element = x.register()
        x.emit(ITER, element, base, 0, 0, block.scope.index)
    inner = block.inner()

    def read(start: Environment) -> None:
        bind(x, node.child_by_field_name("pattern"), element, inner, start)
        x.value(node.child_by_field_name("body"), inner, start)

    return _loop(x, node, block, env, read)


def read_while(x: RustExtraction, node: "Node", block: Block, env: Environment) -> int:
    inner = block.inner()

    def read(start: Environment) -> None:
        x.value(node.child_by_field_name("condition"), inner, start)
        x.value(node.child_by_field_name("body"), inner, start)

    return _loop(x, node, block, env, read)


def add_return(scope: Scope, value: int) -> None:
    if value < 0 or scope.return_type >= 0:
        return
    for position, parameter in enumerate(scope.parameters):
        if parameter[1] == value and parameter[3] == 0:
            value = -2 - position
    scope.returns.append(value)


def read_return(x: RustExtraction, node: "Node", block: Block, env: Environment) -> int:
    for child in node.named_children:
        add_return(block.scope, x.value(child, block, env))
    return NOTHING


# ---- values


def read_struct(x: RustExtraction, node: "Node", block: Block, env: Environment) -> int:
    kind, body = node.child_by_field_name("name"), node.child_by_field_name("body")
    parts = segments_of(x, kind) if kind is not None else []
    register = class_of(x, kind, block)
    if len(parts) > 1 and _is_variant(x, parts):
        register = read_path(x, parts[:-1], block)
    made = x.instance(register) if register >= 0 else NOTHING
    for child in body.named_children if body is not None else ():
        if child.type == "field_initializer":
            field, value = child.child_by_field_name("field"), child.child_by_field_name("value")
            _set_field(x, made, field, x.value(value, block, env), block)
        elif child.type == "shorthand_field_initializer" and child.named_child_count:
            name = child.named_children[-1]
            _set_field(x, made, name, x.value(name, block, env), block)
        else:
            x.value(child, block, env)
    return made


def _set_field(
    x: RustExtraction, made: int, field: "Node | None", value: int, block: Block
) -> None:
    if made >= 0 and field is not None:
        x.refer_attribute(field, made, x.text(field), block.scope.index)
        if value >= 0:
            x.emit(STORE, made, x.text(field), value)


def read_closure(x: RustExtraction, node: "Node", block: Block, env: Environment) -> int:
    scope = x.define_closure(node, block)
    inner = Block(scope, block)
    start: Environment = {}
    parameters = node.child_by_field_name("parameters")
    for child in parameters.named_children if parameters is not None else ():
        pattern = child.child_by_field_name("pattern") or child
        declared = read_type(x, child.child_by_field_name("type"), inner)
        local = x.add_parameter(scope, inner, "", declared)
        bind(x, pattern, local.versions[0], inner, start)
    body = node.child_by_field_name("body")
    x.defer(lambda: add_return(scope, x.value(body, inner, start)))
    return scope.register


def read_assignment(x: RustExtraction, node: "Node", block: Block, env: Environment) -> int:
    left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
    value = x.value(right, block, env)
    while left is not None and left.type in ("unary_expression", "parenthesized_expression"):
        left = left.named_children[0] if left.named_child_count else None
    if left is None:
        return NOTHING
    if left.type == "identifier":
        local = block.find(x.text(left))
        if local is not None:
            x.assign(local, value, block, env)
        else:
            x.value(left, block, env)
    elif left.type == "field_expression":
        base = x.value(left.child_by_field_name("value"), block, env)
        _set_field(x, base, left.child_by_field_name("field"), value, block)
    elif left.type == "index_expression" and left.named_child_count:
        base = x.value(left.named_children[0], block, env)
        if base >= 0 and value >= 0:
            x.emit(SUBSTORE, base, None, value)
    else:
        x.value(left, block, env)
    return NOTHING


def read_index(x: RustExtraction, node: "Node", block: Block, env: Environment) -> int:
    children = node.named_children
    for child in children[1:]:
        x.value(child, block, env)
    return part_of(x, x.value(children[0], block, env), None) if children else NOTHING


def read_try(x: RustExtraction, node: "Node", block: Block, env: Environment) -> int:
    """`value?` takes the value out of a Result or an Option."""
    inner = x.value(node.named_children[0], block, env) if node.named_child_count else NOTHING
    return x.union(part_of(x, inner, None), inner)


def read_inner(x: RustExtraction, node: "Node", block: Block, env: Environment) -> int:
    value = NOTHING
    for child in node.named_children:
        if child.type not in ("mutable_specifier", "label", "lifetime"):
            value = x.value(child, block, env)
    return value


def read_cast(x: RustExtraction, node: "Node", block: Block, env: Environment) -> int:
    value = x.value(node.child_by_field_name("value"), block, env)
    declared = read_type(x, node.child_by_field_name("type"), block)
    return declared if declared >= 0 else value


def read_tuple(x: RustExtraction, node: "Node", block: Block, env: Environment) -> int:
    parts = [x.value(child, block, env) for child in node.named_children]
    return x.container([(("i", at), part) for at, part in enumerate(parts)])


def read_array(x: RustExtraction, node: "Node", block: Block, env: Environment) -> int:
    return x.container([(None, x.value(child, block, env)) for child in node.named_children])


def read_binary(x: RustExtraction, node: "Node", block: Block, env: Environment) -> int:
    spine: list[Node | None] = []
    rest: Node | None = node
    while rest is not None and rest.type == "binary_expression":
        spine.append(rest.child_by_field_name("right"))
        rest = rest.child_by_field_name("left")
    x.value(rest, block, env)
    for right in reversed(spine):
        x.value(right, block, env)
    return NOTHING


EXPRESSIONS: dict[str, Handler] = {
    "identifier": read_identifier,
    "self": read_self,
    "scoped_identifier": read_scoped,
    "field_expression": read_field,
    "call_expression": read_call,
    "generic_function": read_generic,
    "block": read_block,
    "let_declaration": read_let,
    "if_expression": read_if,
    "let_condition": read_condition,
    "match_expression": read_match,
    "for_expression": read_for,
    "while_expression": read_while,
    "loop_expression": read_while,
    "return_expression": read_return,
    "struct_expression": read_struct,
    "closure_expression": read_closure,
    "assignment_expression": read_assignment,
    "index_expression": read_index,
    "try_expression": read_try,
    "type_cast_expression": read_cast,
    "tuple_expression": read_tuple,
    "array_expression": read_array,
    "binary_expression": read_binary,
    **dict.fromkeys(
        ("reference_expression", "parenthesized_expression", "unary_expression", "await_expression",
         "unsafe_block", "async_block", "else_clause", "expression_statement", "const_block"),
        read_inner,
    ),
}  # fmt: skip
RustExtraction.expressions = EXPRESSIONS
RustExtraction.statements = {}
