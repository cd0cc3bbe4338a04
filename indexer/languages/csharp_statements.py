"""C# statements."""

from typing import TYPE_CHECKING

from agrama.indexer.facts import NOTHING
from agrama.indexer.languages.classes import this_of
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
from agrama.indexer.languages.csharp_expressions import read_pattern, read_target
from agrama.indexer.languages.csharp_types import CSharpExtraction, read_type, type_text
from agrama.indexer.languages.csharp_typing import static_type
from agrama.indexer.languages.typed import Block, Environment, Handler, merge, merge_all, written

if TYPE_CHECKING:
    from tree_sitter import Node  # noqa: TID251 - a type only


def read_variables(
    x: CSharpExtraction, node: "Node", block: Block, env: Environment
) -> Environment:
    kind = node.child_by_field_name("type")
    declared = read_type(x, kind, block)
    for child in node.named_children:
        if child.type != "variable_declarator":
            continue
        name = child.child_by_field_name("name")
        parts = [part for part in written(child) if part != name]
        value = parts[-1] if parts else None
        if name is None:
            register = x.value(value, block, env)
            for part in parts[:1]:
                for each in part.named_children:
                    declare_local(x, x.text(each), NOTHING, register, block, env)
            continue
        register = read_target(x, value, declared, block, env)
        local = declare_local(x, x.text(name), declared, register, block, env)
        local.type_name = type_text(x, kind, block)
        if kind is not None and kind.type == "implicit_type":
            local.type_name = static_type(x, value, block)
    return env


def read_if(
    x: CSharpExtraction, node: "Node", block: Block, env: Environment
) -> Environment | None:
    ways: list[Environment | None] = []
    current: Node | None = node
    while current is not None and current.type == "if_statement":
        x.value(current.child_by_field_name("condition"), block, env)
        ways.append(x.body(current.child_by_field_name("consequence"), block, dict(env)))
        current = current.child_by_field_name("alternative")
    ways.append(x.body(current, block, dict(env)) if current is not None else env)
    return merge_all(ways)


def read_each(x: CSharpExtraction, node: "Node", block: Block, env: Environment) -> Environment:
    inner = block.inner()
    kind, name = node.child_by_field_name("type"), node.child_by_field_name("left")
    base = x.value(node.child_by_field_name("right"), block, env)
    declared = read_type(x, kind, inner)
    element = element_of(x, base, block) if declared < 0 else NOTHING
    names = [name] if name is not None and name.type == "identifier" else []
    if name is not None and not names:
        names = written(name)
    for each in names:
        local = declare_local(x, x.text(each), declared, element, inner, env)
        local.type_name = type_text(x, kind, inner)
    body = node.child_by_field_name("body")
    return x.loop(node, inner, env, lambda start: x.body(body, inner, start))


def read_switch(
    x: CSharpExtraction, node: "Node", block: Block, env: Environment
) -> Environment | None:
    value = x.value(node.child_by_field_name("value"), block, env)
    body = node.child_by_field_name("body")
    ways: list[Environment | None] = [env]
    for section in body.named_children if body is not None else ():
        inner, start = block.inner(), dict(env)
        rest: list[Node] = []
        for child in section.named_children:
            if child.type.endswith("_pattern"):
                read_pattern(x, child, value, inner, start)
            elif child.type == "identifier" and value >= 0 and not rest:
                x.refer_attribute(child, value, x.text(child), block.scope.index)
            else:
                rest.append(child)
        ways.append(x.run(rest, inner, start) or start)
    return merge_all(ways)


def read_try(
    x: CSharpExtraction, node: "Node", block: Block, env: Environment
) -> Environment | None:
    before = dict(env)
    after = x.body(node.child_by_field_name("body"), block, env)
    ways = [after]
    final: Node | None = None
    for child in node.named_children:
        if child.type == "catch_clause":
            ways.append(_read_catch(x, child, block, dict(merge(before, after) or before)))
        elif child.type == "finally_clause":
            final = child
    result = merge_all(ways)
    if final is not None:
        rest = x.run(final.named_children, block.inner(), dict(result or before))
        result = rest if result is not None else None
    return result


def _read_catch(
    x: CSharpExtraction, node: "Node", block: Block, env: Environment
) -> Environment | None:
    inner = block.inner()
    for child in node.named_children:
        if child.type == "catch_declaration":
            kind, name = child.child_by_field_name("type"), child.child_by_field_name("name")
            declared = read_type(x, kind, inner)
            if name is not None:
                local = declare_local(x, x.text(name), declared, NOTHING, inner, env)
                local.type_name = type_text(x, kind, inner)
        elif child.type == "catch_filter_clause":
            x.value(child, inner, env)
    return x.body(node.child_by_field_name("body"), inner, env)


def read_using(
    x: CSharpExtraction, node: "Node", block: Block, env: Environment
) -> Environment | None:
    """`using`, `lock`, `fixed`: what stands before the body is in its sight."""
    inner = block.inner()
    body = node.child_by_field_name("body")
    for child in node.named_children:
        if child != body:
            env = x.run((child,), inner, env) or env
    return x.body(body, inner, env) if body is not None else env


def read_return(x: CSharpExtraction, node: "Node", block: Block, env: Environment) -> None:
    if any(child.type == "this" for child in node.children):
        word = next(child for child in node.children if child.type == "this")
        give_back(x, word, this_of(x, block), block.scope)
    for child in node.named_children:
        give_back(x, child, _read_result(x, child, block, env), block.scope)


def _read_result(x: CSharpExtraction, node: "Node", block: Block, env: Environment) -> int:
    return read_target(x, node, block.scope.return_type, block, env)


def read_local_function(
    x: CSharpExtraction, node: "Node", block: Block, env: Environment
) -> Environment:
    x.read_local_function(node, block)
    return env


STATEMENTS: dict[str, Handler] = {
    "variable_declaration": read_variables,
    "local_declaration_statement": read_parts,
    "expression_statement": read_parts,
    "if_statement": read_if,
    "for_statement": read_loop,
    "foreach_statement": read_each,
    "while_statement": read_loop,
    "do_statement": read_loop,
    "switch_statement": read_switch,
    "try_statement": read_try,
    "using_statement": read_using,
    "lock_statement": read_using,
    "fixed_statement": read_using,
    "return_statement": read_return,
    "throw_statement": read_throw,
    "break_statement": read_jump,
    "continue_statement": read_jump,
    "goto_statement": read_jump,
    "labeled_statement": read_parts,
    "checked_statement": read_parts,
    "unsafe_statement": read_parts,
    "local_function_statement": read_local_function,
    "block": read_block,
    "ERROR": read_parts,
}
CSharpExtraction.statements = STATEMENTS
