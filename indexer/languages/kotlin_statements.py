"""Kotlin's control flow: branches are values too, and `is` narrows."""

from typing import TYPE_CHECKING

from agrama.indexer.facts import FORM_CALLBACK, NOTHING, SUB
from agrama.indexer.languages.classes import emit_call
from agrama.indexer.languages.classes_statements import (
    declare_local,
    element_of,
    give_back,
    read_block,
    read_jump,
    read_loop,
    read_parts,
    read_throw,
)
from agrama.indexer.languages.kotlin_expressions import VALUED, flatten, narrow
from agrama.indexer.languages.kotlin_types import (
    KotlinExtraction,
    read_type,
    static_type,
    type_node,
    type_text,
)
from agrama.indexer.languages.typed import Block, Environment, Handler, merge_all, written

if TYPE_CHECKING:
    from tree_sitter import Node  # noqa: TID251 - a type only


def read_if_value(x: KotlinExtraction, node: "Node", block: Block, env: Environment) -> int:
    value, after = _read_if(x, node, block, env)
    env.update(after or {})
    return value


def read_if(
    x: KotlinExtraction, node: "Node", block: Block, env: Environment
) -> Environment | None:
    return _read_if(x, node, block, env)[1]


def _read_if(
    x: KotlinExtraction, node: "Node", block: Block, env: Environment
) -> tuple[int, Environment | None]:
    value = NOTHING
    ways: list[Environment | None] = []
    current: Node | None = node
    while current is not None and current.type == "if_expression":
        condition = current.child_by_field_name("condition")
        chosen = dict(env)
        x.value(condition, block, chosen)
        parts = [child for child in written(current) if child != condition]
        found, way = _read_way(x, parts[0] if parts else None, block, chosen)
        value = x.union(value, found)
        ways.append(way)
        current = parts[1] if len(parts) > 1 else None
    found, way = _read_way(x, current, block, dict(env))
    ways.append(way)
    return x.union(value, found), merge_all(ways)


def _read_way(
    x: KotlinExtraction, node: "Node | None", block: Block, env: Environment
) -> tuple[int, Environment | None]:
    """A branch: its last expression is its value."""
    if node is None:
        return NOTHING, env
    nodes = written(node) if node.type in ("block", "control_structure_body") else [node]
    inner = block.inner()
    rest = x.run(nodes[:-1], inner, env)
    if not nodes:
        return NOTHING, env
    last, after = nodes[-1], rest if rest is not None else dict(env)
    if last.type in x.statements and last.type not in VALUED:
        final = x.statements[last.type](x, last, inner, after)
        return NOTHING, final if rest is not None else None
    value = x.value(last, inner, after)
    return value, after if rest is not None else None


def read_when_value(x: KotlinExtraction, node: "Node", block: Block, env: Environment) -> int:
    value, after = _read_when(x, node, block, env)
    env.update(after or {})
    return value


def read_when(
    x: KotlinExtraction, node: "Node", block: Block, env: Environment
) -> Environment | None:
    return _read_when(x, node, block, env)[1]


def _read_when(
    x: KotlinExtraction, node: "Node", block: Block, env: Environment
) -> tuple[int, Environment | None]:
    inner = block.inner()
    subject, value = "", NOTHING
    ways: list[Environment | None] = [env]
    for child in node.named_children:
        if child.type == "when_subject":
            subject = _read_subject(x, child, inner, env)
        elif child.type == "when_entry":
            start = dict(env)
            conditions = child.children_by_field_name("condition")
            for condition in conditions:
                declared = read_type(x, type_node(condition), inner)
                if declared < 0:
                    x.value(condition, inner, start)
                elif subject and len(conditions) == 1:
                    narrow(x, subject, declared, inner, start)
            bodies = [part for part in written(child) if part not in conditions]
            found, way = _read_way(x, bodies[-1] if bodies else None, inner, start)
            value = x.union(value, found)
            ways.append(way)
    return value, merge_all(ways)


def _read_subject(x: KotlinExtraction, node: "Node", block: Block, env: Environment) -> str:
    """The name that a `when` is about."""
    parts = written(node)
    if not parts:
        return ""
    value = x.value(parts[-1], block, env)
    if parts[0].type == "variable_declaration" and len(written(parts[0])):
        name = x.text(parts[0].named_children[0])
        local = declare_local(x, name, read_type(x, type_node(parts[0]), block), value, block, env)
        local.type_name = static_type(x, parts[-1], block)
        return name
    return x.text(parts[0]) if parts[0].type == "identifier" else ""


def read_for(x: KotlinExtraction, node: "Node", block: Block, env: Environment) -> Environment:
    inner = block.inner()
    parts = [child for child in node.named_children if child.type not in ("label", "annotation")]
    if len(parts) < 2:
        return read_loop(x, node, block, env)
    element = element_of(x, x.value(parts[1], block, env), block)
    declare_names(x, parts[0], element, "", inner, env)
    body = parts[2] if len(parts) > 2 else None
    return x.loop(node, inner, env, lambda start: x.body(body, inner, start))


def declare_names(
    x: KotlinExtraction, node: "Node", value: int, text: str, block: Block, env: Environment
) -> None:
    """`x`, `x: T` or `(a, b)`."""
    if node.type == "multi_variable_declaration":
        for at, child in enumerate(node.named_children):
            part = NOTHING
            if value >= 0:
                part = x.register()
                x.emit(SUB, part, value, ("i", at))
            declare_names(x, child, part, "", block, env)
        return
    if not len(written(node)):
        return
    kind = type_node(node)
    declared = read_type(x, kind, block)
    local = declare_local(x, x.text(written(node)[0]), declared, value, block, env)
    local.type_name = type_text(x, kind, block) if kind is not None else text


def read_property(x: KotlinExtraction, node: "Node", block: Block, env: Environment) -> Environment:
    """A local variable."""
    target = value = None
    for child in node.named_children:
        if child.type in ("variable_declaration", "multi_variable_declaration"):
            target = child
        elif child.type not in ("modifiers", "type_parameters"):
            value = child
    register = read_initial(x, value, block, env)
    if target is not None:
        declare_names(x, target, register, static_type(x, value, block), block, env)
    return env


def read_initial(x: KotlinExtraction, node: "Node | None", block: Block, env: Environment) -> int:
    """The value of a property; `by lazy { … }` is what the lambda returns."""
    if node is None or node.type != "property_delegate":
        return x.value(node, block, env)
    for child in node.named_children:
        function, _, lambdas = flatten(child) if child.type == "call_expression" else (None, [], [])
        if function is not None and x.text(function) == "lazy" and lambdas:
            closure = x.value(lambdas[0], block, env)
            return emit_call(x, closure, (), function, block, FORM_CALLBACK)
        x.value(child, block, env)
    return NOTHING


def read_try(
    x: KotlinExtraction, node: "Node", block: Block, env: Environment
) -> Environment | None:
    return _read_try(x, node, block, env)[1]


def read_try_value(x: KotlinExtraction, node: "Node", block: Block, env: Environment) -> int:
    value, after = _read_try(x, node, block, env)
    env.update(after or {})
    return value


def _read_try(
    x: KotlinExtraction, node: "Node", block: Block, env: Environment
) -> tuple[int, Environment | None]:
    value, ways = NOTHING, []
    for child in node.named_children:
        inner, start = block.inner(), dict(env)
        body: Node | None = child
        if child.type == "catch_block":
            parts = written(child)
            declared = read_type(x, type_node(child), inner)
            if parts and parts[0].type == "identifier":
                declare_local(x, x.text(parts[0]), declared, NOTHING, inner, start)
            body = parts[-1] if parts else None
        elif child.type == "finally_block":
            x.run(child.named_children, inner, start)
            continue
        found, way = _read_way(x, body, inner, start)
        value = x.union(value, found)
        ways.append(way)
    return value, merge_all(ways)


def read_return(x: KotlinExtraction, node: "Node", block: Block, env: Environment) -> None:
    label = node.child_by_field_name("label")
    for child in node.named_children:
        if child != label:
            value = x.value(child, block, env)
            scope = block.scope
            while label is None and scope.name == "<lambda>" and scope.parent is not None:
                scope = scope.parent  # `return` in a lambda leaves the function around it
            give_back(x, child, value, scope)


def read_return_value(x: KotlinExtraction, node: "Node", block: Block, env: Environment) -> int:
    read_return(x, node, block, env)
    return NOTHING


def read_declared(x: KotlinExtraction, node: "Node", block: Block, env: Environment) -> Environment:
    x.declare_inside(node, block)
    return env


STATEMENTS: dict[str, Handler] = {
    "property_declaration": read_property,
    "if_expression": read_if,
    "when_expression": read_when,
    "try_expression": read_try,
    "for_statement": read_for,
    "while_statement": read_loop,
    "do_while_statement": read_loop,
    "return_expression": read_return,
    "throw_expression": read_throw,
    "break_expression": read_jump,
    "continue_expression": read_jump,
    "block": read_block,
    "ERROR": read_parts,
    **dict.fromkeys(
        ("class_declaration", "object_declaration", "function_declaration"), read_declared
    ),
}
KotlinExtraction.statements = STATEMENTS
KotlinExtraction.expressions.update(
    {
        "if_expression": read_if_value,
        "when_expression": read_when_value,
        "try_expression": read_try_value,
        "return_expression": read_return_value,
    }
)
