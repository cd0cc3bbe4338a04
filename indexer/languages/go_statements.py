"""Go statements."""

from typing import TYPE_CHECKING

from agrama.indexer.facts import COPY, ITER, NOTHING, STORE, SUB, SUBSTORE
from agrama.indexer.languages.go_types import GoExtraction, read_type, result_register
from agrama.indexer.languages.typed import (
    Block,
    Environment,
    Handler,
    Scope,
    merge,
    merge_all,
)

if TYPE_CHECKING:
    from tree_sitter import Node  # noqa: TID251 - a type only

# Expressions that also tell whether they succeeded: `v, ok := m[k]`.
_COMMA_OK = frozenset(("index_expression", "type_assertion_expression", "unary_expression"))


def _listed(node: "Node | None") -> list["Node"]:
    if node is None:
        return []
    nodes = node.named_children if node.type == "expression_list" else [node]
    return [each for each in nodes if each.type != "comment"]


def read_values(
    x: GoExtraction, nodes: list["Node"], wanted: int, block: Block, env: Environment
) -> list[int]:
    """One register for each variable on the left; a call may give several."""
    if len(nodes) == 1 and wanted > 1:
        value = x.value(nodes[0], block, env)
        if value < 0 or nodes[0].type in _COMMA_OK:
            return [value] + [NOTHING] * (wanted - 1)
        parts = []
        for at in range(wanted):
            parts.append(x.register())
            x.emit(SUB, parts[-1], value, ("i", at))
        return parts
    values = [x.value(each, block, env) for each in nodes]
    return values + [NOTHING] * (wanted - len(values))


def read_short(x: GoExtraction, node: "Node", block: Block, env: Environment) -> Environment:
    names = _listed(node.child_by_field_name("left"))
    values = read_values(x, _listed(node.child_by_field_name("right")), len(names), block, env)
    for name, value in zip(names, values, strict=False):
        text = x.text(name)
        local = block.names.get(text)
        if local is None:
            local = x.declare(text, block)
        x.assign(local, value, block, env)
    return env


def read_var(x: GoExtraction, node: "Node", block: Block, env: Environment) -> Environment:
    for spec in _specs(node):
        names = [n for n in spec.children_by_field_name("name") if n.type == "identifier"]
        kind = spec.child_by_field_name("type")
        declared = read_type(x, kind, block)
        nodes = _listed(spec.child_by_field_name("value"))
        values = read_values(x, nodes, len(names), block, env)
        for name, value in zip(names, values, strict=False):
            local = x.declare(x.text(name), block, max(declared, NOTHING))
            x.assign(local, value, block, env)
    return env


def _specs(node: "Node") -> list["Node"]:
    found = []
    for child in node.named_children:
        if child.type in ("var_spec_list", "const_spec_list"):
            found += child.named_children
        else:
            found.append(child)
    return [each for each in found if each.type in ("var_spec", "const_spec")]


def read_assignment(x: GoExtraction, node: "Node", block: Block, env: Environment) -> Environment:
    targets = _listed(node.child_by_field_name("left"))
    values = read_values(x, _listed(node.child_by_field_name("right")), len(targets), block, env)
    for target, value in zip(targets, values, strict=False):
        assign(x, target, value, block, env)
    return env


def assign(x: GoExtraction, target: "Node", value: int, block: Block, env: Environment) -> None:
    kind = target.type
    if kind == "identifier":
        name = x.text(target)
        local = block.find(name)
        if local is not None:
            x.assign(local, value, block, env)
        elif name != "_":
            holder = x.read_free(name, target, block.scope)
            if value >= 0 and holder >= 0 and name in x.exports:
                x.emit(COPY, holder, value)
    elif kind == "selector_expression":
        base = x.value(target.child_by_field_name("operand"), block, env)
        field = target.child_by_field_name("field")
        if base >= 0 and field is not None:
            x.refer_attribute(field, base, x.text(field), block.scope.index)
            if value >= 0:
                x.emit(STORE, base, x.text(field), value)
    elif kind == "index_expression":
        base = x.value(target.child_by_field_name("operand"), block, env)
        x.value(target.child_by_field_name("index"), block, env)
        if base >= 0 and value >= 0:
            x.emit(SUBSTORE, base, None, value)
    else:
        x.value(target, block, env)


def read_if(x: GoExtraction, node: "Node", block: Block, env: Environment) -> Environment | None:
    ways: list[Environment | None] = []
    current: Node | None = node
    inner = block
    rest: Environment = env
    while current is not None and current.type == "if_statement":
        inner = inner.inner()
        initializer = current.child_by_field_name("initializer")
        if initializer is not None:
            rest = x.run([initializer], inner, rest) or rest
        x.value(current.child_by_field_name("condition"), inner, rest)
        ways.append(x.body(current.child_by_field_name("consequence"), inner, dict(rest)))
        current = current.child_by_field_name("alternative")
    ways.append(x.body(current, inner, dict(rest)) if current is not None else rest)
    return merge_all(ways)


def read_for(x: GoExtraction, node: "Node", block: Block, env: Environment) -> Environment:
    inner = block.inner()
    clause = next((c for c in node.named_children if c.type.endswith("_clause")), None)
    body = node.child_by_field_name("body")
    if clause is not None and clause.type == "for_clause":
        initializer = clause.child_by_field_name("initializer")
        if initializer is not None:
            env = x.run([initializer], inner, env) or env

    def read(start: Environment) -> Environment | None:
        if clause is None:
            for child in node.named_children:
                if child != body:
                    x.value(child, inner, start)
        elif clause.type == "range_clause":
            _read_range(x, clause, inner, start)
        else:
            x.value(clause.child_by_field_name("condition"), inner, start)
        after = x.body(body, inner, start)
        update = clause.child_by_field_name("update") if clause is not None else None
        if update is not None:
            x.run([update], inner, after if after is not None else dict(start))
        return after

    return x.loop(node, inner, env, read)


def _read_range(x: GoExtraction, node: "Node", block: Block, env: Environment) -> None:
    names = _listed(node.child_by_field_name("left"))
    base = x.value(node.child_by_field_name("right"), block, env)
    values = [NOTHING, NOTHING]
    if base >= 0 and names:
        element = x.register()
        x.emit(SUB, element, base, None)
        key = x.register()
        x.emit(ITER, key, base, 0, 0, block.scope.index)
        # over a map the key is what iterating yields; over a channel it is the element
        values = [key, element]
    declares = any(child.type == ":=" for child in node.children)
    for name, value in zip(names, values, strict=False):
        if declares:
            x.assign(x.declare(x.text(name), block), value, block, env)
        else:
            assign(x, name, value, block, env)


def read_switch(
    x: GoExtraction, node: "Node", block: Block, env: Environment
) -> Environment | None:
    inner = block.inner()
    initializer = node.child_by_field_name("initializer")
    if initializer is not None:
        env = x.run([initializer], inner, env) or env
    value = x.value(node.child_by_field_name("value"), inner, env)
    alias = node.child_by_field_name("alias")
    ways: list[Environment | None] = [env]
    for case in node.named_children:
        if not case.type.endswith("_case"):
            continue
        own, start = inner.inner(), dict(env)
        kinds = case.children_by_field_name("type")
        types = [read_type(x, kind, own) for kind in kinds]
        if alias is not None and alias.named_child_count:
            narrowed = types[0] if len(types) == 1 and types[0] >= 0 else value
            if len(types) > 1:
                narrowed = x.merge_versions(tuple(t for t in types if t >= 0) or (value,))
            local = x.declare(x.text(alias.named_children[0]), own)
            x.assign(local, narrowed, own, start)
        ways.append(_read_case(x, case, kinds, own, start))
    return merge_all(ways)


def _read_case(
    x: GoExtraction, case: "Node", skip: list["Node"], block: Block, env: Environment
) -> Environment | None:
    read: Environment | None = env
    for child in case.named_children:
        if child in skip:
            continue
        if child.type == "statement_list":
            read = x.run(child.named_children, block, env)
        elif child.type in x.statements:
            env = x.run([child], block, env) or env
        else:
            x.value(child, block, env)
    return read


def read_receive(x: GoExtraction, node: "Node", block: Block, env: Environment) -> Environment:
    names = _listed(node.child_by_field_name("left"))
    values = read_values(x, _listed(node.child_by_field_name("right")), len(names), block, env)
    for name, value in zip(names, values, strict=False):
        x.assign(x.declare(x.text(name), block), value, block, env)
    return env


def read_send(x: GoExtraction, node: "Node", block: Block, env: Environment) -> Environment:
    channel = x.value(node.child_by_field_name("channel"), block, env)
    value = x.value(node.child_by_field_name("value"), block, env)
    if channel >= 0 and value >= 0:
        x.emit(SUBSTORE, channel, None, value)
    return env


def read_return(x: GoExtraction, node: "Node", block: Block, env: Environment) -> None:
    scope = block.scope
    nodes = [n for child in node.named_children for n in _listed(child)]
    values = [x.value(each, block, env) for each in nodes]
    types = [int(text) for text in scope.type_names.values()]
    if len(values) > 1:
        known = [t if t >= 0 else v for t, v in zip(types, values, strict=False)]
        if result_register(x, types) == NOTHING and any(part >= 0 for part in known):
            items = [(("i", at), part) for at, part in enumerate(known)]
            scope.returns.append(x.container(list(items)))
    elif values and values[0] >= 0 and scope.return_type == NOTHING:
        scope.returns.append(_own_parameter(scope, values[0]))


def _own_parameter(scope: Scope, register: int) -> int:
    for position, parameter in enumerate(scope.parameters):
        if parameter[1] == register and parameter[3] == 0:
            return -2 - position
    return register


def read_block(x: GoExtraction, node: "Node", block: Block, env: Environment) -> Environment | None:
    return x.run(node.named_children, block.inner(), env)


def read_list(x: GoExtraction, node: "Node", block: Block, env: Environment) -> Environment | None:
    return x.run(node.named_children, block, env)


def read_labeled(x: GoExtraction, node: "Node", block: Block, env: Environment) -> Environment:
    inner = [child for child in node.named_children if child.type != "label_name"]
    return merge(x.run(inner, block, dict(env)), env) or env


def read_jump(x: GoExtraction, node: "Node", block: Block, env: Environment) -> None:
    return None


STATEMENTS: dict[str, Handler] = {
    "short_var_declaration": read_short,
    "var_declaration": read_var,
    "const_declaration": read_var,
    "assignment_statement": read_assignment,
    "if_statement": read_if,
    "for_statement": read_for,
    "expression_switch_statement": read_switch,
    "type_switch_statement": read_switch,
    "select_statement": read_switch,
    "receive_statement": read_receive,
    "send_statement": read_send,
    "return_statement": read_return,
    "block": read_block,
    "statement_list": read_list,
    "ERROR": read_list,
    "labeled_statement": read_labeled,
    **dict.fromkeys(("break_statement", "continue_statement", "goto_statement"), read_jump),
}
GoExtraction.statements = STATEMENTS
