"""C and C++ statements."""

from typing import TYPE_CHECKING

from agrama.indexer.facts import ITER, NOTHING, RETURNS_SELF
from agrama.indexer.languages.c_expressions import (
    construct_with,
    fill,
    read_this,
)
from agrama.indexer.languages.c_types import CExtraction, Declarator, read_type, type_text
from agrama.indexer.languages.c_typing import static_type
from agrama.indexer.languages.typed import Block, Environment, Handler, merge, merge_all

if TYPE_CHECKING:
    from tree_sitter import Node  # noqa: TID251 - a type only

_DECLARED_INSIDE = frozenset(
    (
        "struct_specifier", "class_specifier", "union_specifier", "enum_specifier",
        "alias_declaration", "type_definition", "using_declaration", "preproc_def",
        "preproc_function_def",
    )
)  # fmt: skip


def read_local(x: CExtraction, node: "Node", block: Block, env: Environment) -> Environment:
    kind = node.child_by_field_name("type")
    if kind is not None and kind.child_by_field_name("body") is not None:
        x.declare_local(kind, block)
    declared = read_type(x, kind, block)
    for child in node.children_by_field_name("declarator"):
        _declare(x, child, kind, declared, block, env)
    return env


def _declare(
    x: CExtraction, node: "Node", kind: "Node | None", declared: int, block: Block, env: Environment
) -> None:
    found = Declarator(node)
    text = type_text(x, kind, block.scope)
    if node.type == "structured_binding_declarator" or found.name is None:
        _bind_names(x, node, block, env)
        return
    register = NOTHING
    if found.value is not None:
        register = _read_value(x, found.value, kind, declared, text, block, env)
        if text == "?":
            text = static_type(x, found.value, block)
    elif found.function is not None and x.is_cpp and kind is not None and declared >= 0:
        listed = found.function.child_by_field_name("parameters")
        if listed is not None and listed.named_child_count:  # `T x(a);` is read as a function
            register = construct_with(x, kind, listed, block, env)
    if found.function is not None and not x.is_cpp:
        return  # a declaration of a function: the name is looked up elsewhere
    held = max(declared, NOTHING)
    if found.is_array and held >= 0:
        held = x.container([(None, held)])
    local = x.declare(x.text(found.name), block, held)
    local.type_name = text
    x.assign(local, register, block, env)


def _read_value(
    x: CExtraction, node: "Node", kind: "Node | None", declared: int, text: str, block: Block,
    env: Environment,
) -> int:  # fmt: skip
    if node.type == "argument_list" and kind is not None:
        return construct_with(x, kind, node, block, env)
    if node.type == "initializer_list":
        value = fill(x, node, max(declared, NOTHING), text, block, env)
        if x.is_cpp and kind is not None and declared >= 0 and node.named_child_count:
            return construct_with(x, kind, node, block, env)
        return value
    return x.value(node, block, env)


def _bind_names(x: CExtraction, node: "Node", block: Block, env: Environment) -> None:
    """`auto [a, b] = f();`: what they hold is not followed."""
    inner: Node | None = node
    if node.type == "init_declarator":
        x.value(node.child_by_field_name("value"), block, env)
        inner = node.child_by_field_name("declarator")
    while inner is not None and inner.type == "reference_declarator":
        inner = next(iter(inner.named_children), None)
    for child in inner.named_children if inner is not None else ():
        if child.type == "identifier":
            x.declare(x.text(child), block)


def read_if(x: CExtraction, node: "Node", block: Block, env: Environment) -> Environment | None:
    ways: list[Environment | None] = []
    current: Node | None = node
    inner = block.inner()
    while current is not None and current.type == "if_statement":
        read_condition(x, current.child_by_field_name("condition"), inner, env)
        ways.append(x.body(current.child_by_field_name("consequence"), inner, dict(env)))
        current = current.child_by_field_name("alternative")
        if current is not None and current.type == "else_clause":
            rest = [child for child in current.named_children if child.type != "comment"]
            current = rest[0] if rest else None
    ways.append(x.body(current, inner, dict(env)) if current is not None else env)
    return merge_all(ways)


def read_condition(
    x: CExtraction, node: "Node | None", block: Block, env: Environment
) -> Environment:
    """`(x)`, `(T* p = f())`, `(init; x)`."""
    if node is None or node.type != "condition_clause":
        x.value(node, block, env)
        return env
    for child in node.named_children:
        if child.type == "init_statement":
            x.run(child.named_children, block, env)
        elif child.type == "declaration":
            kind, name = child.child_by_field_name("type"), child.child_by_field_name("declarator")
            declared = read_type(x, kind, block)
            value = x.value(child.child_by_field_name("value"), block, env)
            if name is not None:
                _declare(x, name, kind, declared, block, env)
                local = block.find(x.text(Declarator(name).name or name))
                if local is not None:
                    x.assign(local, value, block, env)
        else:
            x.value(child, block, env)
    return env


def read_for(x: CExtraction, node: "Node", block: Block, env: Environment) -> Environment:
    inner = block.inner()
    initializer = node.child_by_field_name("initializer")
    if initializer is not None:
        env = x.run([initializer], inner, env) or env

    def read(start: Environment) -> Environment | None:
        x.value(node.child_by_field_name("condition"), inner, start)
        after = x.body(node.child_by_field_name("body"), inner, start)
        for update in node.children_by_field_name("update"):
            x.value(update, inner, after if after is not None else dict(start))
        return after

    return x.loop(node, inner, env, read)


def read_each(x: CExtraction, node: "Node", block: Block, env: Environment) -> Environment:
    inner = block.inner()
    kind, name = node.child_by_field_name("type"), node.child_by_field_name("declarator")
    base = x.value(node.child_by_field_name("right"), block, env)
    declared = read_type(x, kind, inner)
    element = NOTHING
    if base >= 0:
        element = x.register()
        x.emit(ITER, element, base, 0, 0, block.scope.index)
    found = Declarator(name).name if name is not None else None
    if found is not None:
        local = x.declare(x.text(found), inner, max(declared, NOTHING))
        local.type_name = type_text(x, kind, inner.scope)
        x.assign(local, element, inner, env)
    elif name is not None:
        _bind_names(x, name, inner, env)
    body = node.child_by_field_name("body")
    return x.loop(node, inner, env, lambda start: x.body(body, inner, start))


def read_while(x: CExtraction, node: "Node", block: Block, env: Environment) -> Environment:
    def read(start: Environment) -> Environment | None:
        inner = block.inner()
        read_condition(x, node.child_by_field_name("condition"), inner, start)
        return x.body(node.child_by_field_name("body"), inner, start)

    return x.loop(node, block, env, read)


def read_switch(x: CExtraction, node: "Node", block: Block, env: Environment) -> Environment | None:
    inner = block.inner()
    read_condition(x, node.child_by_field_name("condition"), inner, env)
    body = node.child_by_field_name("body")
    ways: list[Environment | None] = [env]
    fallen: Environment | None = None
    for child in body.named_children if body is not None else ():
        start = merge(dict(env), fallen) or dict(env)
        fallen = x.run([child], inner, start)
        ways.append(fallen if fallen is not None else start)
    return merge_all(ways)


def read_case(x: CExtraction, node: "Node", block: Block, env: Environment) -> Environment | None:
    return x.run(node.named_children, block, env)


def read_return(x: CExtraction, node: "Node", block: Block, env: Environment) -> None:
    scope = block.scope
    for child in node.named_children:
        value = x.value(child, block, env)
        if x.text(child) == "*this":
            scope.flags |= RETURNS_SELF
        if value >= 0 and scope.return_type < 0 and value != read_this(x, child, block, env):
            for position, parameter in enumerate(scope.parameters):
                if parameter[1] == value and parameter[3] == 0:
                    value = -2 - position
            scope.returns.append(value)


def read_try(x: CExtraction, node: "Node", block: Block, env: Environment) -> Environment | None:
    before = dict(env)
    ways = [x.body(node.child_by_field_name("body"), block, env)]
    for child in node.named_children:
        if child.type == "catch_clause":
            inner = block.inner()
            listed = child.child_by_field_name("parameters")
            for parameter in listed.named_children if listed is not None else ():
                kind = parameter.child_by_field_name("type")
                name = parameter.child_by_field_name("declarator")
                declared = read_type(x, kind, inner)
                if name is not None:
                    _declare(x, name, kind, declared, inner, before)
            ways.append(x.body(child.child_by_field_name("body"), inner, dict(before)))
    return merge_all(ways)


def read_jump(x: CExtraction, node: "Node", block: Block, env: Environment) -> None:
    for child in node.named_children:
        if child.type != "statement_identifier":
            x.value(child, block, env)


def read_block(x: CExtraction, node: "Node", block: Block, env: Environment) -> Environment | None:
    return x.run(node.named_children, block.inner(), env)


def read_broken(x: CExtraction, node: "Node", block: Block, env: Environment) -> Environment:
    """Inside a syntax error whole statements may have survived."""
    return x.run(node.named_children, block, env) or env


def read_conditional_code(
    x: CExtraction, node: "Node", block: Block, env: Environment
) -> Environment:
    """`#if … #else … #endif`: all branches count."""
    skipped = (node.child_by_field_name("condition"), node.child_by_field_name("name"))
    nodes = [child for child in node.named_children if child not in skipped]
    return merge(x.run(nodes, block, dict(env)), env) or env


def read_labeled(x: CExtraction, node: "Node", block: Block, env: Environment) -> Environment:
    return merge(x.run(node.named_children[1:], block, dict(env)), env) or env


def read_declared(x: CExtraction, node: "Node", block: Block, env: Environment) -> Environment:
    x.declare_local(node, block)
    return env


def read_nothing(x: CExtraction, node: "Node", block: Block, env: Environment) -> Environment:
    return env


STATEMENTS: dict[str, Handler] = {
    "declaration": read_local,
    "if_statement": read_if,
    "for_statement": read_for,
    "for_range_loop": read_each,
    "while_statement": read_while,
    "do_statement": read_while,
    "switch_statement": read_switch,
    "case_statement": read_case,
    "return_statement": read_return,
    "try_statement": read_try,
    "throw_statement": read_jump,
    "break_statement": read_jump,
    "continue_statement": read_jump,
    "goto_statement": read_jump,
    "labeled_statement": read_labeled,
    "compound_statement": read_block,
    "ERROR": read_broken,
    **dict.fromkeys(
        ("preproc_if", "preproc_ifdef", "preproc_else", "preproc_elif", "preproc_elifdef"),
        read_conditional_code,
    ),
    **dict.fromkeys(("preproc_call", "preproc_include", "comment"), read_nothing),
    **dict.fromkeys(_DECLARED_INSIDE, read_declared),
}
CExtraction.statements = STATEMENTS
