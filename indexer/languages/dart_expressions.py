"""Dart expressions: a value and the selectors after it stand side by side in the tree."""

from typing import TYPE_CHECKING

from agrama.indexer.facts import NOTHING, STORE, SUB
from agrama.indexer.languages.brief import BriefExtraction, part_of
from agrama.indexer.languages.classes import (
    CONSTRUCTOR,
    Given,
    construct,
    emit_call,
    holder,
    implicit_target,
    member,
    named_class,
    super_of,
    this_of,
)
from agrama.indexer.languages.classes_statements import (
    declare_local,
    element_of,
    give_back,
    read_block,
    read_branches,
    read_loop,
    read_parts,
)
from agrama.indexer.languages.typed import Block, Environment, Handler, written

if TYPE_CHECKING:
    from tree_sitter import Node  # noqa: TID251 - a type only

_SELECTORS = frozenset(
    ("selector", "unconditional_assignable_selector", "conditional_assignable_selector",
     "argument_part", "cascade_section")
)  # fmt: skip


class DartExtraction(BriefExtraction):
    """A Dart file."""

    language = "dart"
    signed = False
    sequences = frozenset(("Future", "FutureOr", "Iterable", "List", "Queue", "Set", "Stream"))
    mappings = frozenset(("Map",))
    library = frozenset(
        ("DateTime", "Duration", "Exception", "Function", "Future", "Iterable", "List", "Map",
         "Object", "Set", "Stream", "String", "bool", "double", "dynamic", "int", "num", "void")
    )  # fmt: skip

    def type_of(self, node: "Node | None", block: Block) -> int:
        if node is None or node.type != "type_identifier":
            return NOTHING
        return self.named_type(self.text(node), node, (), block)

    def class_of(self, node: "Node", block: Block) -> int:
        return named_class(self, self.text(node), node, block)

    def type_text(self, node: "Node | None", block: Block) -> str:
        return self.simple_text(self.text(node), block) if node is not None else "?"


def read_parts_value(x: DartExtraction, nodes: list["Node"], block: Block, env: Environment) -> int:
    """Values each followed by their selectors; the last one counts."""
    value = NOTHING
    at = 0
    while at < len(nodes):
        end = at + 1
        while end < len(nodes) and nodes[end].type in _SELECTORS:
            end += 1
        value = _read_chain(x, nodes[at], nodes[at + 1 : end], block, env)
        at = end
    return value


def _read_chain(
    x: DartExtraction, head: "Node", rest: list["Node"], block: Block, env: Environment
) -> int:
    name: Node | None = head if head.type == "identifier" else None
    value = x.value(head, block, env)
    for part in rest:
        inner = written(part)[0] if part.type == "selector" and written(part) else part
        if inner.type == "cascade_section":
            _read_cascade(x, inner, value, block, env)
            continue
        listed = part_of(inner, "arguments") if inner.type == "argument_part" else None
        if listed is not None:
            given = _read_arguments(x, listed, block, env)
            value = _call(x, name, value, given, inner, block)
            name = None
        else:
            name = part_of(inner, "identifier")
            value = _select(x, inner, name, value, block, env)
    return value


def _select(
    x: DartExtraction, node: "Node", name: "Node | None", base: int, block: Block, env: Environment
) -> int:
    if name is not None:
        return member(x, base, x.text(name), name, block)
    for child in written(node):
        x.value(child, block, env)
    if base < 0:
        return NOTHING
    register = x.register()
    x.emit(SUB, register, base, None)
    return register


def _call(
    x: DartExtraction, name: "Node | None", value: int, given: Given, place: "Node", block: Block
) -> int:
    """`Name(…)` makes an object, anything else is called."""
    if name is not None and x.text(name)[:1].isupper():
        return construct(x, value, CONSTRUCTOR, given.values, name, block)
    return emit_call(x, value, given.values, name or place, block) if value >= 0 else NOTHING


def _read_cascade(
    x: DartExtraction, node: "Node", value: int, block: Block, env: Environment
) -> None:
    """`..name(…)`: called on the value that the cascade began with."""
    selector = part_of(node, "cascade_selector")
    name = part_of(selector, "identifier")
    listed = part_of(part_of(node, "argument_part"), "arguments")
    if name is None or value < 0:
        return
    callee = member(x, value, x.text(name), name, block)
    if listed is not None and callee >= 0:
        emit_call(x, callee, _read_arguments(x, listed, block, env).values, name, block)


def _read_arguments(x: DartExtraction, listed: "Node", block: Block, env: Environment) -> Given:
    values = []
    for child in written(listed):
        nodes = [part for part in written(child) if part.type != "label"]
        values.append(read_parts_value(x, nodes, block, env))
    return Given(tuple(values))


def read_identifier(x: DartExtraction, node: "Node", block: Block, env: Environment) -> int:
    name = x.text(node)
    how, owner = holder(block, name)
    if how == "local":
        local = block.find(name)
        return NOTHING if local is None else x.read_local(local, block, env)
    if how == "member" and owner is not None:
        return member(x, this_of(x, block, owner), name, node, block)
    if name in x.imported:
        return x.imported[name][0]
    target = implicit_target(x, name, block)
    found = member(x, target, name, node, block) if target >= 0 else NOTHING
    return found if name in x.library else x.union(found, x.read_free(name, node, block.scope))


def read_this(x: DartExtraction, node: "Node", block: Block, env: Environment) -> int:
    return this_of(x, block)


def read_super(x: DartExtraction, node: "Node", block: Block, env: Environment) -> int:
    return super_of(x, block)


def read_new(x: DartExtraction, node: "Node", block: Block, env: Environment) -> int:
    kind, listed = part_of(node, "type_identifier"), part_of(node, "arguments")
    given = _read_arguments(x, listed, block, env) if listed is not None else Given()
    if kind is None:
        return NOTHING
    return construct(x, x.class_of(kind, block), CONSTRUCTOR, given.values, kind, block)


def read_lambda(x: DartExtraction, node: "Node", block: Block, env: Environment) -> int:
    scope = x.define_closure(node, block)
    inner = Block(scope, block)
    listed = node.child_by_field_name("parameters")
    for child in written(listed) if listed is not None else ():
        name = child.child_by_field_name("name") or part_of(child, "identifier")
        kind = part_of(child, "type_identifier")
        x.add_parameter(
            scope, inner, x.text(name) if name is not None else "", x.type_of(kind, inner)
        )
    body = node.child_by_field_name("body")

    def read() -> None:
        nodes = written(body) if body is not None else []
        if nodes and nodes[0].type == "block":
            x.run(written(nodes[0]), inner, {})
        elif nodes:
            give_back(x, nodes[0], read_parts_value(x, nodes, inner, {}), scope)

    x.defer(read)
    return scope.register


def read_assignment(x: DartExtraction, node: "Node", block: Block, env: Environment) -> int:
    left = node.child_by_field_name("left")
    nodes = [c for c in node.children_by_field_name("right") if c.is_named]
    value = read_parts_value(x, nodes, block, env)
    parts = written(left) if left is not None else []
    local = block.find(x.text(parts[0])) if len(parts) == 1 else None
    if local is not None:
        x.assign(local, value, block, env)
    elif len(parts) > 1:
        base = read_parts_value(x, parts[:-1], block, env)
        name = part_of(parts[-1], "identifier")
        if name is not None and base >= 0 and x.text(name):
            member(x, base, x.text(name), name, block)
            if value >= 0:
                x.emit(STORE, base, x.text(name), value)
    return value


def read_sides(x: DartExtraction, node: "Node", block: Block, env: Environment) -> int:
    """Any node whose children are values with selectors."""
    return read_parts_value(x, written(node), block, env)


def read_local(x: DartExtraction, node: "Node", block: Block, env: Environment) -> Environment:
    inner = part_of(node, "initialized_variable_definition")
    name = inner.child_by_field_name("name") if inner is not None else None
    if inner is None or name is None:
        return env
    nodes = [child for child in inner.children_by_field_name("value") if child.is_named]
    value = read_parts_value(x, nodes, block, env)
    declared = x.type_of(part_of(inner, "type_identifier"), block)
    declare_local(x, x.text(name), declared, value, block, env)
    return env


def read_for(x: DartExtraction, node: "Node", block: Block, env: Environment) -> Environment:
    inner = block.inner()
    parts = part_of(node, "for_loop_parts")
    name = parts.child_by_field_name("name") if parts is not None else None
    if parts is None or name is None:
        return read_loop(x, node, block, env)
    nodes = [child for child in parts.children_by_field_name("value") if child.is_named]
    element = element_of(x, read_parts_value(x, nodes, block, env), block)
    declared = x.type_of(part_of(parts, "type_identifier"), block)
    declare_local(x, x.text(name), declared, element, inner, env)
    body = node.child_by_field_name("body")
    return x.loop(node, inner, env, lambda start: x.body(body, inner, start))


def read_statement(x: DartExtraction, node: "Node", block: Block, env: Environment) -> Environment:
    read_parts_value(x, written(node), block, env)
    return env


def read_return(x: DartExtraction, node: "Node", block: Block, env: Environment) -> None:
    nodes = written(node)
    value = read_parts_value(x, nodes, block, env)
    if nodes:
        give_back(x, nodes[0], value, block.scope)


def read_if(x: DartExtraction, node: "Node", block: Block, env: Environment) -> Environment:
    inner = block.inner()
    ways = [node.child_by_field_name(field) for field in ("consequence", "alternative")]
    read_parts_value(x, [c for c in written(node) if c not in ways], inner, env)
    for way in ways:
        if way is not None:
            x.body(way, inner, dict(env))
    return env


DartExtraction.expressions = {
    "identifier": read_identifier,
    "type_identifier": lambda x, node, block, env: x.class_of(node, block),
    "this": read_this,
    "super": read_super,
    "new_expression": read_new,
    "const_object_expression": read_new,
    "function_expression": read_lambda,
    "assignment_expression": read_assignment,
    **dict.fromkeys(
        ("parenthesized_expression", "unary_expression", "await_expression", "argument",
         "template_substitution", "relational_expression", "equality_expression",
         "additive_expression", "multiplicative_expression", "logical_and_expression",
         "logical_or_expression", "if_null_expression", "conditional_expression", "initializers",
         "list_literal", "field_initializer", "throw_expression", "type_cast_expression"),
        read_sides,
    ),
}  # fmt: skip
_STATEMENTS: dict[str, Handler] = {
    "local_variable_declaration": read_local,
    "expression_statement": read_statement,
    "if_statement": read_if,
    "for_statement": read_for,
    "while_statement": read_loop,
    "do_statement": read_loop,
    "switch_statement": read_branches,
    "try_statement": read_parts,
    "return_statement": read_return,
    "block": read_block,
    "ERROR": read_parts,
}
DartExtraction.statements = _STATEMENTS
