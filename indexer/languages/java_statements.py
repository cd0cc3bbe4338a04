"""Java statements."""

from typing import TYPE_CHECKING

from agrama.indexer.facts import ITER, NOTHING, RETURNS_SELF
from agrama.indexer.languages.java_patterns import read_pattern
from agrama.indexer.languages.java_types import JavaExtraction, read_type, type_text
from agrama.indexer.languages.java_typing import static_type
from agrama.indexer.languages.typed import Block, Environment, Handler, merge, merge_all

if TYPE_CHECKING:
    from tree_sitter import Node  # noqa: TID251 - a type only


def read_local(x: JavaExtraction, node: "Node", block: Block, env: Environment) -> Environment:
    kind = node.child_by_field_name("type")
    _read_modifiers(x, node, block, env)
    inferred = kind is not None and x.text(kind) == "var"
    declared = NOTHING if inferred else read_type(x, kind, block)
    for child in node.children_by_field_name("declarator"):
        name, value = child.child_by_field_name("name"), child.child_by_field_name("value")
        if name is None:
            continue
        register = x.value(value, block, env)
        local = x.declare(x.text(name), block, max(declared, NOTHING))
        local.type_name = type_text(x, kind, block)
        if inferred and value is not None:
            local.type_name = static_type(x, value, block)
        if child.child_by_field_name("dimensions") is not None:
            local.declared = x.container([(None, declared)])
            local.type_name += "[]"
        x.assign(local, register, block, env)
    return env


def _read_modifiers(x: JavaExtraction, node: "Node", block: Block, env: Environment) -> None:
    for child in node.named_children:
        if child.type == "modifiers":
            x.read_annotations(child, block)


def read_if(x: JavaExtraction, node: "Node", block: Block, env: Environment) -> Environment | None:
    ways: list[Environment | None] = []
    current: Node | None = node
    while current is not None and current.type == "if_statement":
        x.value(current.child_by_field_name("condition"), block, env)
        ways.append(x.body(current.child_by_field_name("consequence"), block, dict(env)))
        current = current.child_by_field_name("alternative")
    ways.append(x.body(current, block, dict(env)) if current is not None else env)
    return merge_all(ways)


def read_for(x: JavaExtraction, node: "Node", block: Block, env: Environment) -> Environment:
    inner = block.inner()
    env = x.run(node.children_by_field_name("init"), inner, env) or env

    def read(start: Environment) -> Environment | None:
        x.value(node.child_by_field_name("condition"), inner, start)
        after = x.body(node.child_by_field_name("body"), inner, start)
        for update in node.children_by_field_name("update"):
            x.value(update, inner, after if after is not None else dict(start))
        return after

    return x.loop(node, inner, env, read)


def read_each(x: JavaExtraction, node: "Node", block: Block, env: Environment) -> Environment:
    inner = block.inner()
    kind, name = node.child_by_field_name("type"), node.child_by_field_name("name")
    base = x.value(node.child_by_field_name("value"), block, env)
    declared = NOTHING if kind is None or x.text(kind) == "var" else read_type(x, kind, inner)
    element = NOTHING
    if base >= 0:
        element = x.register()
        x.emit(ITER, element, base, 0, 0, block.scope.index)
    if name is not None:
        local = x.declare(x.text(name), inner, max(declared, NOTHING))
        local.type_name = type_text(x, kind, inner)
        x.assign(local, element if declared < 0 else NOTHING, inner, env)
    body = node.child_by_field_name("body")
    return x.loop(node, inner, env, lambda start: x.body(body, inner, start))


def read_while(x: JavaExtraction, node: "Node", block: Block, env: Environment) -> Environment:
    def read(start: Environment) -> Environment | None:
        inner = block.inner()
        x.value(node.child_by_field_name("condition"), inner, start)
        return x.body(node.child_by_field_name("body"), inner, start)

    return x.loop(node, block, env, read)


def read_switch(
    x: JavaExtraction, node: "Node", block: Block, env: Environment
) -> Environment | None:
    value = x.value(node.child_by_field_name("condition"), block, env)
    body = node.child_by_field_name("body")
    inner = block.inner()
    ways: list[Environment | None] = [env]
    fallen: Environment | None = None
    x.switches.append(node.id)
    x.yielded[node.id] = []
    for group in body.named_children if body is not None else ():
        start = merge(dict(env), fallen) or dict(env)
        own = inner.inner() if group.type == "switch_rule" else inner
        rest = []
        for child in group.named_children:
            if child.type == "switch_label":
                _read_label(x, child, value, own, start)
            else:
                rest.append(child)
        if group.type == "switch_rule" and rest and rest[-1].type == "expression_statement":
            for child in rest[-1].named_children:
                x.yielded[node.id].append(x.value(child, own, start))
            fallen = start
        else:
            fallen = x.run(rest, own, start)
        ways.append(fallen if fallen is not None else start)
    x.switches.pop()
    return merge_all(ways)


def _read_label(
    x: JavaExtraction, node: "Node", value: int, block: Block, env: Environment
) -> None:
    """A plain name in a `case` is a constant of the enum that is switched on, or one in sight."""
    for child in node.named_children:
        if child.type == "pattern":
            read_pattern(x, child, block, env)
        elif child.type == "identifier" and value >= 0 and block.find(x.text(child)) is None:
            x.refer_attribute(child, value, x.text(child), block.scope.index)
        else:
            x.value(child, block, env)


def read_yield(x: JavaExtraction, node: "Node", block: Block, env: Environment) -> None:
    for child in node.named_children:
        value = x.value(child, block, env)
        if x.switches:
            x.yielded.setdefault(x.switches[-1], []).append(value)


def read_try(x: JavaExtraction, node: "Node", block: Block, env: Environment) -> Environment | None:
    inner = block.inner()
    resources = node.child_by_field_name("resources")
    for resource in resources.named_children if resources is not None else ():
        _read_resource(x, resource, inner, env)
    before = dict(env)
    after = x.body(node.child_by_field_name("body"), inner, env)
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


def _read_resource(x: JavaExtraction, node: "Node", block: Block, env: Environment) -> None:
    name = node.child_by_field_name("name")
    value = node.child_by_field_name("value")
    if name is None:
        for child in node.named_children:
            x.value(child, block, env)
        return
    kind = node.child_by_field_name("type")
    register = x.value(value, block, env)
    declared = NOTHING if kind is None or x.text(kind) == "var" else read_type(x, kind, block)
    local = x.declare(x.text(name), block, max(declared, NOTHING))
    local.type_name = type_text(x, kind, block)
    x.assign(local, register, block, env)


def _read_catch(
    x: JavaExtraction, node: "Node", block: Block, env: Environment
) -> Environment | None:
    inner = block.inner()
    for child in node.named_children:
        if child.type == "catch_formal_parameter":
            name = child.child_by_field_name("name")
            kinds = [each for each in child.named_children if each.type == "catch_type"]
            declared = read_type(x, kinds[0], inner) if kinds else NOTHING
            if name is not None:
                local = x.declare(x.text(name), inner, max(declared, NOTHING))
                names = kinds[0].named_children if kinds else []
                if len(names) == 1:
                    local.type_name = type_text(x, names[0], inner)
                x.assign(local, NOTHING, inner, env)
    return x.body(node.child_by_field_name("body"), inner, env)


def read_return(x: JavaExtraction, node: "Node", block: Block, env: Environment) -> None:
    scope = block.scope
    for child in node.named_children:
        value = x.value(child, block, env)
        if child.type == "this":
            scope.flags |= RETURNS_SELF
        if value >= 0 and scope.return_type < 0:
            for position, parameter in enumerate(scope.parameters):
                if parameter[1] == value and parameter[3] == 0:
                    value = -2 - position
            scope.returns.append(value)


def read_throw(x: JavaExtraction, node: "Node", block: Block, env: Environment) -> None:
    for child in node.named_children:
        x.value(child, block, env)


def read_jump(x: JavaExtraction, node: "Node", block: Block, env: Environment) -> None:
    return None


def read_expression(
    x: JavaExtraction, node: "Node", block: Block, env: Environment
) -> Environment | None:
    for child in node.named_children:
        if child.type == "switch_expression":
            return read_switch(x, child, block, env)
        x.value(child, block, env)
    return env


def read_block(
    x: JavaExtraction, node: "Node", block: Block, env: Environment
) -> Environment | None:
    return x.run(node.named_children, block.inner(), env)


def read_broken(x: JavaExtraction, node: "Node", block: Block, env: Environment) -> Environment:
    """Inside a syntax error whole statements may have survived."""
    return x.run(node.named_children, block, env) or env


def read_labeled(x: JavaExtraction, node: "Node", block: Block, env: Environment) -> Environment:
    return merge(x.run(node.named_children[1:], block, dict(env)), env) or env


def read_synchronized(
    x: JavaExtraction, node: "Node", block: Block, env: Environment
) -> Environment | None:
    body = node.child_by_field_name("body")
    for child in node.named_children:
        if child != body:
            x.value(child, block, env)
    return x.body(body, block, env)


def read_class(x: JavaExtraction, node: "Node", block: Block, env: Environment) -> Environment:
    x.read_local_class(node, block)
    return env


STATEMENTS: dict[str, Handler] = {
    "local_variable_declaration": read_local,
    "expression_statement": read_expression,
    "if_statement": read_if,
    "for_statement": read_for,
    "enhanced_for_statement": read_each,
    "while_statement": read_while,
    "do_statement": read_while,
    "switch_expression": read_switch,
    "switch_statement": read_switch,
    "yield_statement": read_yield,
    "try_statement": read_try,
    "try_with_resources_statement": read_try,
    "return_statement": read_return,
    "throw_statement": read_throw,
    "break_statement": read_jump,
    "continue_statement": read_jump,
    "labeled_statement": read_labeled,
    "synchronized_statement": read_synchronized,
    "block": read_block,
    "ERROR": read_broken,
    **dict.fromkeys(
        ("class_declaration", "record_declaration", "interface_declaration", "enum_declaration"),
        read_class,
    ),
}
JavaExtraction.statements = STATEMENTS
