"""Ruby expressions: names, assignments, control flow with a value, literals."""

from functools import partial
from typing import TYPE_CHECKING

from agrama.graph.model import Kind
from agrama.indexer.facts import (
    COPY,
    FORM_IMPLICIT,
    ITER,
    MAPPING,
    NARROW,
    NOTHING,
    STORE,
    SUB,
    SUBSTORE,
    TO_VARIABLE,
)
from agrama.indexer.languages.dynamic import Way, class_around, left_spine, read_last
from agrama.indexer.languages.recording import MAX_CONSTANT_LENGTH, Key
from agrama.indexer.languages.ruby_calls import CALLS, call_self
from agrama.indexer.languages.ruby_definitions import (
    DEFINITIONS,
    literal,
    read_made_class,
    read_module_function,
)
from agrama.indexer.languages.ruby_extraction import OWN, RubyExtraction
from agrama.indexer.languages.typed import Block, Environment, Handler

if TYPE_CHECKING:
    from tree_sitter import Node  # noqa: TID251 - a type only

_BOOLEAN = frozenset(("&&", "||", "and", "or"))


def read_identifier(x: RubyExtraction, node: "Node", block: Block, env: Environment) -> int:
    name = x.text(node)
    local = block.find(name)
    if local is not None:
        return x.read_local(local, block, env)
    if name == "module_function" and block.scope.kind == Kind.MODULE:
        read_module_function(x, node, block, env)
        return NOTHING
    return call_self(x, node, node, name, block, env)


def read_constant(x: RubyExtraction, node: "Node", block: Block, env: Environment) -> int:
    return x.constant_register(x.text(node), node, block)


def read_scoped(x: RubyExtraction, node: "Node", block: Block, env: Environment) -> int:
    """`A::B` and `::B`; a constant of anything but a constant is an attribute."""
    scope, name = node.child_by_field_name("scope"), node.child_by_field_name("name")
    if name is None:
        return NOTHING
    if scope is None:
        return x.full_name([x.text(name)], name, block.scope)
    if scope.type in ("constant", "scope_resolution") and "(" not in x.text(scope):
        x.value(scope, block, env)
        text = x.text(node).replace(" ", "")
        if text.startswith("::"):
            return x.full_name([text[2:]], name, block.scope)
        return x.constant_register(text, name, block)
    base = x.value(scope, block, env)
    if base < 0:
        return NOTHING
    x.refer_attribute(name, base, x.text(name), block.scope.index)
    return x.attribute(base, x.text(name))


def read_self(x: RubyExtraction, node: "Node", block: Block, env: Environment) -> int:
    return x.self_of(block)


def read_instance_variable(x: RubyExtraction, node: "Node", block: Block, env: Environment) -> int:
    own = x.self_of(block)
    if own < 0:
        return _file_variable(x, node, block, env)
    x.refer_attribute(node, own, x.text(node), block.scope.index)
    return x.attribute(own, x.text(node))


def _file_variable(x: RubyExtraction, node: "Node", block: Block, env: Environment) -> int:
    """Outside of classes (tests): one variable for the file."""
    binding = x.exports.get(x.text(node))
    return binding[0] if binding is not None else NOTHING


# ---- assignments


def read_assignment(x: RubyExtraction, node: "Node", block: Block, env: Environment) -> int:
    left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
    if left is None or right is None:
        return NOTHING
    if left.type == "constant" and read_made_class(x, left, right, block, env):
        return NOTHING
    if left.type == "left_assignment_list":
        return _assign_several(x, left, right, block, env)
    value = x.value(right, block, env)
    assign(x, left, value, block, env)
    return value


def _assign_several(
    x: RubyExtraction, left: "Node", right: "Node", block: Block, env: Environment
) -> int:
    targets = left.named_children
    if right.type == "right_assignment_list":
        values = [x.value(each, block, env) for each in right.named_children]
        values += [NOTHING] * (len(targets) - len(values))
        for target, value in zip(targets, values, strict=False):
            assign(x, target, value, block, env)
        return NOTHING
    assign_parts(x, targets, x.value(right, block, env), block, env)
    return NOTHING


def assign_parts(
    x: RubyExtraction, targets: list["Node"], whole: int, block: Block, env: Environment
) -> None:
    for at, target in enumerate(targets):
        part = NOTHING
        if whole >= 0 and target.type != "rest_assignment":
            part = x.register()
            x.emit(SUB, part, whole, ("i", at))
        if target.type == "destructured_left_assignment":
            assign_parts(x, target.named_children, part, block, env)
        else:
            assign(x, target, part if part >= 0 else NOTHING, block, env)


def assign(x: RubyExtraction, target: "Node", value: int, block: Block, env: Environment) -> None:
    kind = target.type
    if kind == "identifier":
        name = x.text(target)
        x.assign(block.find(name) or x.declare(name, block), value, block, env)
    elif kind in ("instance_variable", "class_variable"):
        _assign_attribute(x, target, value, block)
    elif kind == "constant":
        _assign_constant(x, target, value, block)
    elif kind == "call":
        receiver, method = (
            target.child_by_field_name("receiver"),
            target.child_by_field_name("method"),
        )
        base = x.value(receiver, block, env)
        if base >= 0 and method is not None:
            name = f"{x.text(method)}="
            x.call_method(base, name, (value,), method, block, FORM_IMPLICIT)
    elif kind == "element_reference":
        base, key = _element(x, target, block, env)
        if base >= 0:
            if value >= 0:
                x.emit(SUBSTORE, base, key, value)
            x.call(x.attribute(base, "[]="), (NOTHING, value), target, block, FORM_IMPLICIT)
    elif kind == "rest_assignment":
        for child in target.named_children:
            assign(x, child, NOTHING, block, env)
    elif kind == "global_variable":
        _assign_global(x, target, value, block)
    else:
        x.value(target, block, env)


def _assign_attribute(x: RubyExtraction, node: "Node", value: int, block: Block) -> None:
    own, cls, name = x.self_of(block), class_around(block), x.text(node)
    if own < 0 or cls is None:
        if value >= 0:
            _assign_global(x, node, value, block)
        return
    x.add_attribute(name, cls, node)
    x.refer_attribute(node, own, name, block.scope.index)
    if value >= 0:
        x.emit(STORE, own, name, value)


def _assign_global(x: RubyExtraction, node: "Node", value: int, block: Block) -> None:
    name = x.text(node)
    binding = x.exports.get(name)
    if binding is None:
        register = x.register()
        binding = x.exports[name] = (register,)
    if value >= 0:
        x.emit(COPY, binding[0], value)


def _assign_constant(x: RubyExtraction, node: "Node", value: int, block: Block) -> None:
    cls, name = class_around(block), x.text(node)
    owner = cls if cls is not None else x.file
    known = owner.variables.get(name)
    index = x.add_variable(name, owner, node, node.parent or node) if known is None else known
    around = x.nesting(block)
    full = f"{around[0]}::{name}" if around else name
    x.export_name(full, value if value >= 0 else NOTHING, TO_VARIABLE, index)
    if cls is not None:
        cls.members.setdefault(OWN + name, (max(value, NOTHING), TO_VARIABLE, index))


def read_operator_assignment(
    x: RubyExtraction, node: "Node", block: Block, env: Environment
) -> int:
    left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
    if left is None:
        return NOTHING
    defined = left.type != "identifier" or block.find(x.text(left)) is not None
    before = x.value(left, block, env) if defined and left.type != "constant" else NOTHING
    value = x.union(before, x.value(right, block, env))
    if left.type == "constant":
        value = x.value(right, block, env)
    assign(x, left, value, block, env)
    return value


# ---- control flow


def read_statements(x: RubyExtraction, node: "Node", block: Block, env: Environment) -> int:
    """The value of the last statement; `rescue` and `ensure` may follow."""
    children = node.named_children
    if any(child.type in ("rescue", "ensure", "else") for child in children):
        return _read_rescued(x, children, block, env)
    value = NOTHING
    for child in children:
        if child.type != "comment":
            value = x.value(child, block, env)
    return value


def _read_rescued(x: RubyExtraction, children: list["Node"], block: Block, env: Environment) -> int:
    body = [c for c in children if c.type not in ("rescue", "ensure", "comment")]
    rescues = [c for c in children if c.type == "rescue"]

    def read_body(own: Environment) -> int:
        value = NOTHING
        for child in body:
            value = x.value(child, block, own)
        return value

    ways: list[Way] = [read_body, *(partial(_read_rescue, x, each, block) for each in rescues)]
    value = x.branch(env, ways)
    for child in children:
        if child.type == "ensure":
            read_statements(x, child, block, env)
    return value


def _read_rescue(x: RubyExtraction, node: "Node", block: Block, env: Environment) -> int:
    listed, variable = node.child_by_field_name("exceptions"), node.child_by_field_name("variable")
    classes = []
    for child in listed.named_children if listed is not None else ():
        classes.append(x.value(child, block, env))
    if variable is not None and variable.named_child_count:
        caught = [x.instance(each) for each in classes if each >= 0]
        value = x.merge_versions(tuple(caught)) if caught else NOTHING
        assign(x, variable.named_children[0], value, block, env)
    return x.value(node.child_by_field_name("body"), block, env)


def read_if(x: RubyExtraction, node: "Node", block: Block, env: Environment) -> int:
    ways = []
    current: Node | None = node
    while current is not None and current.type in ("if", "unless", "elsif"):
        x.value(current.child_by_field_name("condition"), block, env)
        ways.append(partial(x.value, current.child_by_field_name("consequence"), block))
        current = current.child_by_field_name("alternative")
    ways.append(partial(x.value, current, block))
    return x.branch(env, ways)


def read_modifier(x: RubyExtraction, node: "Node", block: Block, env: Environment) -> int:
    """`body if condition`."""
    x.value(node.child_by_field_name("condition"), block, env)
    body = node.child_by_field_name("body")
    return x.branch(env, [partial(x.value, body, block), lambda own: NOTHING])


def read_ternary(x: RubyExtraction, node: "Node", block: Block, env: Environment) -> int:
    x.value(node.child_by_field_name("condition"), block, env)
    fields = ("consequence", "alternative")
    return x.branch(env, [partial(x.value, node.child_by_field_name(f), block) for f in fields])


def read_loop(x: RubyExtraction, node: "Node", block: Block, env: Environment) -> int:
    condition, body = node.child_by_field_name("condition"), node.child_by_field_name("body")

    def read(start: Environment) -> None:
        x.value(condition, block, start)
        x.value(body, block, start)

    x.repeat(node, block, env, read)
    return NOTHING


def read_for(x: RubyExtraction, node: "Node", block: Block, env: Environment) -> int:
    pattern = node.child_by_field_name("pattern")
    base = x.value(node.child_by_field_name("value"), block, env)

    def read(start: Environment) -> None:
        element = NOTHING
        if base >= 0:
            element = x.register()
            x.emit(ITER, element, base, 0, 0, block.scope.index)
        if pattern is not None and pattern.type == "left_assignment_list":
            assign_parts(x, pattern.named_children, element, block, start)
        elif pattern is not None:
            assign(x, pattern, element, block, start)
        x.value(node.child_by_field_name("body"), block, start)

    x.repeat(node, block, env, read)
    return NOTHING


def read_case(x: RubyExtraction, node: "Node", block: Block, env: Environment) -> int:
    """`case x when C`: x is an instance of C there."""
    subject = node.child_by_field_name("value")
    value = x.value(subject, block, env)
    local = block.find(x.text(subject)) if subject is not None else None
    ways: list[Way] = []
    for child in node.named_children:
        if child.type in ("when", "in_clause"):
            ways.append(partial(_read_when, x, child, value, local, block))
        elif child.type == "else":
            ways.append(partial(read_statements, x, child, block))
    if not any(child.type == "else" for child in node.named_children):
        ways.append(lambda own: NOTHING)
    return x.branch(env, ways)


def _read_when(
    x: RubyExtraction, node: "Node", value: int, local: object, block: Block, env: Environment
) -> int:
    classes = []
    for pattern in node.children_by_field_name("pattern"):
        if node.type == "in_clause":
            bind_pattern(x, pattern, NOTHING, block, env)
            continue
        register = x.value(pattern, block, env)
        inner = pattern.named_children[0] if pattern.named_child_count else pattern
        if inner.type in ("constant", "scope_resolution") and register >= 0:
            classes.append(register)
    found = local if value >= 0 else None
    if classes and found is not None:
        narrowed = x.register()
        x.emit(NARROW, narrowed, value, tuple(classes))
        env[found] = (narrowed,)  # type: ignore[index]
    return x.value(node.child_by_field_name("body"), block, env)


def bind_pattern(
    x: RubyExtraction, node: "Node", value: int, block: Block, env: Environment
) -> None:
    """The names of a pattern; `Engine => e` is an instance of that class."""
    if node.type == "identifier":
        assign(x, node, value, block, env)
        return
    if node.type in ("constant", "scope_resolution"):
        x.value(node, block, env)
        return
    name, inner = node.child_by_field_name("name"), node.child_by_field_name("value")
    if node.type == "as_pattern" and name is not None and inner is not None:
        if inner.type in ("constant", "scope_resolution"):
            cls = x.value(inner, block, env)
            value = x.instance(cls) if cls >= 0 else NOTHING
        assign(x, name, value, block, env)
        return
    for child in node.named_children:
        bind_pattern(x, child, NOTHING, block, env)


# ---- operators and literals


def read_binary(x: RubyExtraction, node: "Node", block: Block, env: Environment) -> int:
    """The left spine in a loop: generated code joins thousands of strings."""
    rest, spine = left_spine(node, "binary")
    value = x.value(rest, block, env)
    for each in spine:
        operator = each.child_by_field_name("operator")
        text = operator.type if operator is not None else ""
        right = x.value(each.child_by_field_name("right"), block, env)
        if text in _BOOLEAN:
            value = x.union(value, right) if text in ("||", "or") else right
        elif value >= 0 and operator is not None:
            made = x.call_method(value, text, (right,), operator, block, FORM_IMPLICIT)
            value = x.union(made, value) if text == "<<" else made
        else:
            value = NOTHING
    return value


def read_element(x: RubyExtraction, node: "Node", block: Block, env: Environment) -> int:
    base, key = _element(x, node, block, env)
    if base < 0:
        return NOTHING
    register = x.register()
    x.emit(SUB, register, base, key)
    x.call(x.attribute(base, "[]"), (), node, block, FORM_IMPLICIT)
    return register


def _element(x: RubyExtraction, node: "Node", block: Block, env: Environment) -> tuple[int, Key]:
    parts = node.named_children
    base = x.value(node.child_by_field_name("object"), block, env)
    key: Key = None
    for child in parts[1:]:
        x.value(child, block, env)
        key = _key(x, child)
    return base, key


def _key(x: RubyExtraction, node: "Node") -> Key:
    if node.type == "integer" and x.text(node).isdigit() and len(x.text(node)) < 6:
        return ("i", int(x.text(node)))
    text = literal(x, node)
    return ("s", text) if text is not None and len(text) <= MAX_CONSTANT_LENGTH else None


def read_array(x: RubyExtraction, node: "Node", block: Block, env: Environment) -> int:
    items: list[tuple[Key, int]] = []
    for at, child in enumerate(node.named_children):
        value = x.value(child, block, env)
        items.append((("i", at) if child.type != "splat_argument" else None, value))
    return x.container(items)


def read_hash(x: RubyExtraction, node: "Node", block: Block, env: Environment) -> int:
    items: list[tuple[Key, int]] = []
    for child in node.named_children:
        if child.type != "pair":
            x.value(child, block, env)
            continue
        key = child.child_by_field_name("key")
        items.append(
            (
                _key(x, key) if key is not None else None,
                x.value(child.child_by_field_name("value"), block, env),
            )
        )
        if key is not None and key.type not in ("hash_key_symbol", "simple_symbol"):
            x.value(key, block, env)
    return x.container(items, MAPPING)


def read_nothing(x: RubyExtraction, node: "Node", block: Block, env: Environment) -> int:
    return NOTHING


EXPRESSIONS: dict[str, Handler] = {
    **DEFINITIONS,
    **CALLS,
    "identifier": read_identifier,
    "constant": read_constant,
    "scope_resolution": read_scoped,
    "self": read_self,
    "instance_variable": read_instance_variable,
    "class_variable": read_instance_variable,
    "global_variable": _file_variable,
    "assignment": read_assignment,
    "operator_assignment": read_operator_assignment,
    **dict.fromkeys(("if", "unless"), read_if),
    **dict.fromkeys(("if_modifier", "unless_modifier"), read_modifier),
    "conditional": read_ternary,
    **dict.fromkeys(("while", "until", "while_modifier", "until_modifier"), read_loop),
    "for": read_for,
    **dict.fromkeys(("case", "case_match"), read_case),
    "binary": read_binary,
    "element_reference": read_element,
    "array": read_array,
    "hash": read_hash,
    **dict.fromkeys(("parenthesized_statements", "body_statement", "begin", "then", "else", "do",
                     "block_body", "begin_block", "end_block", "ensure", "in"), read_statements),
    **dict.fromkeys(("pattern", "splat_argument", "rescue_modifier", "program"), read_last),
    **dict.fromkeys(("comment", "integer", "float", "simple_symbol", "nil", "true", "false",
                     "hash_key_symbol", "string_content", "symbol_array", "string_array"),
                    read_nothing),
}  # fmt: skip
RubyExtraction.expressions = EXPRESSIONS
RubyExtraction.statements = {}
