"""Scala expressions and patterns; a method without parentheses is called by its name alone."""

from typing import TYPE_CHECKING

from agrama.indexer.facts import FORM_IMPLICIT, NOTHING, STORE, TO_DEFINITION
from agrama.indexer.languages.brief import BriefExtraction, part_of, read_body
from agrama.indexer.languages.classes import (
    CONSTRUCTOR,
    REFLECTION,
    UNKNOWN,
    Given,
    call_member,
    call_name,
    call_named,
    class_around,
    construct,
    emit_call,
    holder,
    member,
    named_class,
    read_name,
    super_of,
    this_of,
)
from agrama.indexer.languages.classes_statements import (
    declare_local,
    element_of,
    read_block,
    read_branches,
    read_loop,
    read_parts,
    read_return,
    read_throw,
)
from agrama.indexer.languages.classes_typing import member_type, name_type, number_type, this_type
from agrama.indexer.languages.scala_library import LIBRARY, MAPPINGS, SEQUENCES, TYPE_NAMES
from agrama.indexer.languages.typed import Block, Environment, Handler, Scope, written

if TYPE_CHECKING:
    from tree_sitter import Node  # noqa: TID251 - a type only

_LITERALS = {
    "string": "String", "interpolated_string_expression": "String", "boolean_literal": "boolean",
    "character_literal": "char", "null_literal": "null", "lambda_expression": "->",
}  # fmt: skip


class ScalaExtraction(BriefExtraction):
    """A Scala file."""

    nested_calls = True
    language = "scala"
    library = LIBRARY
    sequences = SEQUENCES
    mappings = MAPPINGS
    type_names = TYPE_NAMES
    block_types = frozenset(("block", "indented_block"))

    def __init__(self, source: bytes, path: str, root: "Node") -> None:
        super().__init__(source, path, root)
        self.companions: list[tuple[Scope, Scope]] = []

    def declare_inside(self, node: "Node", block: Block) -> None:
        """A class or function declared in a function; see scala_declarations."""
        raise NotImplementedError

    def read_new(self, node: "Node", body: "Node", base: int, block: Block) -> int:
        """`new T { … }`; see scala_declarations."""
        raise NotImplementedError

    def type_of(self, node: "Node | None", block: Block) -> int:
        if node is None:
            return NOTHING
        kind = node.type
        if kind == "type_identifier":
            return self.named_type(self.text(node), node, (), block)
        if kind == "generic_type":
            inner = node.child_by_field_name("type")
            listed = node.child_by_field_name("type_arguments")
            arguments = written(listed) if listed is not None else []
            if inner is not None and inner.type == "type_identifier":
                return self.named_type(self.text(inner), inner, arguments, block)
            for each in arguments:
                self.type_of(each, block)
            return self.type_of(inner, block)
        if kind in ("stable_type_identifier", "projected_type"):
            register = self.class_of(node, block)
            return self.instance(register) if register >= 0 else NOTHING
        if kind == "repeated_parameter_type":
            return self.container([(None, self.type_of(node.child_by_field_name("type"), block))])
        parts = [self.type_of(child, block) for child in written(node)]
        if kind in ("compound_type", "annotated_type", "lazy_parameter_type"):
            return next((part for part in parts if part >= 0), NOTHING)
        return NOTHING

    def class_of(self, node: "Node | None", block: Block) -> int:
        if node is None:
            return NOTHING
        if node.type in ("type_identifier", "identifier"):
            return named_class(self, self.text(node), node, block)
        if node.type == "generic_type":
            listed = node.child_by_field_name("type_arguments")
            for each in written(listed) if listed is not None else ():
                self.type_of(each, block)
            return self.class_of(node.child_by_field_name("type"), block)
        parts = written(node)
        if node.type in ("stable_type_identifier", "projected_type") and len(parts) > 1:
            base = self.class_of(parts[0], block)
            return member(self, base, self.text(parts[-1]), parts[-1], block)
        return NOTHING

    def type_text(self, node: "Node | None", block: Block) -> str:
        if node is None:
            return UNKNOWN
        if node.type == "type_identifier":
            return self.simple_text(self.text(node), block)
        if node.type == "generic_type":
            return self.type_text(node.child_by_field_name("type"), block)
        if node.type == "repeated_parameter_type":
            return self.type_text(node.child_by_field_name("type"), block) + "..."
        return "->" if node.type == "function_type" else UNKNOWN


def static_type(x: ScalaExtraction, node: "Node | None", block: Block) -> str:
    if node is None:
        return UNKNOWN
    kind = node.type
    if kind in _LITERALS:
        return _LITERALS[kind]
    if kind in ("integer_literal", "floating_point_literal"):
        return number_type(x.text(node))
    if kind == "identifier":
        return this_type(block) if x.text(node) == "this" else name_type(x.text(node), block)
    if kind == "instance_expression" and written(node):
        return x.type_text(written(node)[0], block)
    if kind == "call_expression":
        function = node.child_by_field_name("function")
        text = x.text(function) if function is not None else ""
        is_class = text[:1].isupper() and text.isidentifier()
        return text if is_class else name_type(f"{text}()", block)
    if kind == "field_expression":
        name = node.child_by_field_name("field")
        owner = static_type(x, node.child_by_field_name("value"), block)
        return member_type(x, owner, x.text(name)) if name is not None else UNKNOWN
    return UNKNOWN


# ---- expressions


def read_identifier(x: ScalaExtraction, node: "Node", block: Block, env: Environment) -> int:
    text = x.text(node)
    if text == "this":
        return this_of(x, block)
    if text == "super":
        return super_of(x, block)
    value = read_name(x, node, block, env)
    how, owner = holder(block, text)
    if how == "member" and owner is not None and TO_DEFINITION in owner.members[text][1::2]:
        return x.union(value, _call_plain(x, this_of(x, block, owner), node, block))
    return value


def _call_plain(x: ScalaExtraction, base: int, name: "Node", block: Block) -> int:
    """A method that takes nothing is called by naming it."""
    if base < 0 or not x.text(name):
        return NOTHING
    callee = x.attribute(base, x.signature(x.text(name), ()))
    return emit_call(x, callee, (), name, block, FORM_IMPLICIT)


def _receiver(x: ScalaExtraction, node: "Node | None", block: Block, env: Environment) -> int:
    if node is not None and node.type == "identifier":
        text = x.text(node)
        if text[:1].isupper() and holder(block, text)[0] not in ("local", "member"):
            return named_class(x, text, node, block)
    return x.value(node, block, env)


def read_field(x: ScalaExtraction, node: "Node", block: Block, env: Environment) -> int:
    name = node.child_by_field_name("field")
    base = _receiver(x, node.child_by_field_name("value"), block, env)
    if name is None or base < 0:
        return NOTHING
    value = member(x, base, x.text(name), name, block)
    return x.union(value, _call_plain(x, base, name, block))


def read_arguments(
    x: ScalaExtraction, listed: "Node | None", block: Block, env: Environment
) -> Given:
    values: list[int] = []
    types: list[str] = []
    nodes = written(listed) if listed is not None and listed.type == "arguments" else []
    if listed is not None and listed.type != "arguments":
        nodes = [listed]
    for child in nodes:
        label = ""
        if child.type == "assignment_expression" and nodes[0] is not listed:
            left = child.child_by_field_name("left")
            label = f"{x.text(left)}:" if left is not None else ""
            child = child.child_by_field_name("right") or child
        types.append(label + static_type(x, child, block))
        values.append(x.value(child, block, env))
    return Given(tuple(values), tuple(types))


def read_call(x: ScalaExtraction, node: "Node", block: Block, env: Environment) -> int:
    function, listed = node.child_by_field_name("function"), node.child_by_field_name("arguments")
    if function is not None and function.type == "generic_function":
        types = function.child_by_field_name("type_arguments")
        for each in written(types) if types is not None else ():
            x.type_of(each, block)
        function = function.child_by_field_name("function")
    if function is None:
        return NOTHING
    if function.type == "identifier":
        return _call_simple(x, function, read_arguments(x, listed, block, env), block, env)
    name = function.child_by_field_name("field") if function.type == "field_expression" else None
    if name is None:
        value = x.value(function, block, env)
        given = read_arguments(x, listed, block, env)
        if function.type == "call_expression":
            return value  # further parameter lists belong to the same call
        return emit_call(x, value, given.values, function, block) if value >= 0 else NOTHING
    target = function.child_by_field_name("value")
    base = _receiver(x, target, block, env)
    given = read_arguments(x, listed, block, env)
    if x.text(name) in REFLECTION:
        _read_reflection(x, target, listed, name, block)
    return call_member(x, base, static_type(x, target, block), name, given, block)


def _read_reflection(
    x: ScalaExtraction, target: "Node | None", listed: "Node | None", name: "Node", block: Block
) -> None:
    """`classOf[T].getMethod("f")`: f of T."""
    first = listed.named_children[0] if listed is not None and listed.named_child_count else None
    if target is None or first is None or first.type != "string":
        return
    cls = NOTHING
    if target.type == "generic_function" and x.text(target).startswith("classOf["):
        types = target.child_by_field_name("type_arguments")
        cls = x.class_of(types.named_children[0], block) if types is not None else NOTHING
        if cls < 0:
            return  # a class of a library
    call_named(x, cls, x.text(first).strip('"'), name, block)


def _call_simple(
    x: ScalaExtraction, name: "Node", given: Given, block: Block, env: Environment
) -> int:
    cls = class_around(block)
    if x.text(name) in ("this", "super") and cls is not None:
        base = cls.register if x.text(name) == "this" else super_of(x, block)
        callee = x.attribute(base, x.signature(CONSTRUCTOR, given.types))
        return emit_call(x, callee, given.values, name, block)
    return call_name(x, name, given, block, env)


def read_instance(x: ScalaExtraction, node: "Node", block: Block, env: Environment) -> int:
    """`new T(…)`, `new T { … }`."""
    kind = next((c for c in written(node) if "type" in c.type), None)
    given = read_arguments(x, node.child_by_field_name("arguments"), block, env)
    register = x.class_of(kind, block)
    body = part_of(node, "template_body")
    made = NOTHING
    if kind is not None and register >= 0:
        name = kind
        while name.type == "generic_type" and written(name):
            name = written(name)[0]
        signature = x.signature(CONSTRUCTOR, given.types)
        made = construct(x, register, signature, given.values, name, block)
    return x.read_new(node, body, register, block) if body is not None else made


def read_lambda(x: ScalaExtraction, node: "Node", block: Block, env: Environment) -> int:
    scope = x.define_closure(node, block)
    inner = Block(scope, block)
    listed = node.child_by_field_name("parameters")
    nodes = [listed] if listed is not None and listed.type == "identifier" else []
    if listed is not None and not nodes:
        nodes = written(listed)
    for child in nodes:
        name, kind = child.child_by_field_name("name") or child, child.child_by_field_name("type")
        local = x.add_parameter(scope, inner, x.text(name), x.type_of(kind, inner))
        local.type_name = x.type_text(kind, inner)
    rest = [child for child in written(node) if child != listed]

    def read() -> None:
        for child in rest[:-1]:
            x.run((child,), inner, {})
        for child in rest[-1:]:
            read_body(x, scope, child, inner)

    x.defer(read)
    return scope.register


def read_block_value(x: ScalaExtraction, node: "Node", block: Block, env: Environment) -> int:
    """The last expression of a block is its value; `{ x => … }` is a function."""
    inner = block.inner()
    nodes = written(node)
    env = x.run(nodes[:-1], inner, env) or env
    if not nodes:
        return NOTHING
    if nodes[-1].type in x.statements:
        x.statements[nodes[-1].type](x, nodes[-1], inner, env)
        return NOTHING
    return x.value(nodes[-1], inner, env)


def read_choice(x: ScalaExtraction, node: "Node", block: Block, env: Environment) -> int:
    x.value(node.child_by_field_name("condition"), block, env)
    left = x.value(node.child_by_field_name("consequence"), block, dict(env))
    return x.union(left, x.value(node.child_by_field_name("alternative"), block, dict(env)))


def read_match(x: ScalaExtraction, node: "Node", block: Block, env: Environment) -> int:
    value = x.value(node.child_by_field_name("value"), block, env)
    return _read_cases(x, node.child_by_field_name("body"), value, block, env)


def read_try(x: ScalaExtraction, node: "Node", block: Block, env: Environment) -> int:
    value = x.value(node.child_by_field_name("body"), block, env)
    for child in written(node):
        if child.type == "catch_clause":
            for inner in written(child):
                value = x.union(value, _read_cases(x, inner, NOTHING, block, env))
        elif child.type == "finally_clause":
            x.value(child, block, env)
    return value


def read_cases(x: ScalaExtraction, node: "Node", block: Block, env: Environment) -> int:
    return _read_cases(x, node, NOTHING, block, env)


def _read_cases(
    x: ScalaExtraction, node: "Node | None", value: int, block: Block, env: Environment
) -> int:
    result = NOTHING
    for child in written(node) if node is not None else ():
        if child.type != "case_clause":
            continue
        inner, start = block.inner(), dict(env)
        _bind_pattern(x, child.child_by_field_name("pattern"), value, inner, start)
        for part in child.named_children:
            if part.type == "guard":
                x.value(part, inner, start)
        bodies = [part for part in child.children_by_field_name("body") if part.is_named]
        env_after = x.run(bodies[:-1], inner, start) or start
        for last in bodies[-1:]:
            if last.type in x.statements:
                x.statements[last.type](x, last, inner, env_after)
            else:
                result = x.union(result, x.value(last, inner, env_after))
    return result


def _bind_pattern(
    x: ScalaExtraction, node: "Node | None", value: int, block: Block, env: Environment
) -> None:
    if node is None:
        return
    if node.type == "typed_pattern":
        name, kind = node.child_by_field_name("pattern"), node.child_by_field_name("type")
        declared = x.type_of(kind, block)
        if name is not None and name.type == "identifier":
            local = declare_local(x, x.text(name), declared, NOTHING, block, env)
            local.type_name = x.type_text(kind, block)
    elif node.type == "identifier":
        if not x.text(node)[:1].isupper():
            declare_local(x, x.text(node), NOTHING, value, block, env)
    elif node.type == "case_class_pattern":
        x.class_of(node.child_by_field_name("type"), block)
        for child in node.children_by_field_name("pattern"):
            if child.is_named:
                _bind_pattern(x, child, NOTHING, block, env)
    else:
        for child in written(node):
            _bind_pattern(x, child, NOTHING, block, env)


def read_infix(x: ScalaExtraction, node: "Node", block: Block, env: Environment) -> int:
    """`a op b`; the left spine in a loop."""
    spine: list[Node] = []
    rest: Node | None = node
    while rest is not None and rest.type == "infix_expression":
        spine.append(rest)
        rest = rest.child_by_field_name("left")
    value = x.value(rest, block, env)
    for each in reversed(spine):
        name, right = each.child_by_field_name("operator"), each.child_by_field_name("right")
        given = Given((x.value(right, block, env),), (static_type(x, right, block),))
        plain = name is not None and name.type == "identifier"
        if plain and name is not None and value >= 0:
            value = call_member(x, value, UNKNOWN, name, given, block)
        else:
            value = NOTHING
    return value


def read_for(x: ScalaExtraction, node: "Node", block: Block, env: Environment) -> int:
    inner = block.inner()
    for listed in node.children_by_field_name("enumerators"):
        for child in written(listed):
            parts = written(child)
            if len(parts) < 2:
                x.value(child, inner, env)
                continue
            value = x.value(parts[1], inner, env)
            if any(each.type == "<-" for each in child.children):
                value = element_of(x, value, inner)
            _bind_pattern(x, parts[0], value, inner, env)
            for rest in parts[2:]:
                x.value(rest, inner, env)
    body = node.child_by_field_name("body")
    return x.container([(None, x.value(body, inner, env))])


def read_assignment(x: ScalaExtraction, node: "Node", block: Block, env: Environment) -> int:
    left, value = node.child_by_field_name("left"), NOTHING
    value = x.value(node.child_by_field_name("right"), block, env)
    local = block.find(x.text(left)) if left is not None and left.type == "identifier" else None
    if local is not None:
        x.assign(local, value, block, env)
    elif left is not None and left.type == "identifier":
        base = this_of(x, block, holder(block, x.text(left))[1])
        member(x, base, x.text(left), left, block)
        if base >= 0 and value >= 0 and x.text(left):
            x.emit(STORE, base, x.text(left), value)
    else:
        x.value(left, block, env)
    return NOTHING


def read_inner(x: ScalaExtraction, node: "Node", block: Block, env: Environment) -> int:
    value = NOTHING
    for child in written(node):
        value = x.value(child, block, env)
    return value


def read_value(x: ScalaExtraction, node: "Node", block: Block, env: Environment) -> Environment:
    """A local `val` or `var`."""
    kind = node.child_by_field_name("type")
    declared = x.type_of(kind, block)
    value = node.child_by_field_name("value")
    register = x.value(value, block, env)
    pattern = node.child_by_field_name("pattern")
    if pattern is not None and pattern.type == "identifier":
        local = declare_local(x, x.text(pattern), declared, register, block, env)
        known = x.type_text(kind, block) if kind is not None else static_type(x, value, block)
        local.type_name = known
    else:
        _bind_pattern(x, pattern, register, block, env)
    return env


def read_declared(x: ScalaExtraction, node: "Node", block: Block, env: Environment) -> Environment:
    x.declare_inside(node, block)
    return env


def read_returned(x: ScalaExtraction, node: "Node", block: Block, env: Environment) -> int:
    read_return(x, node, block, env)
    return NOTHING


ScalaExtraction.expressions = {
    "identifier": read_identifier,
    "field_expression": read_field,
    "call_expression": read_call,
    "instance_expression": read_instance,
    "lambda_expression": read_lambda,
    "block": read_block_value,
    "indented_block": read_block_value,
    "if_expression": read_choice,
    "match_expression": read_match,
    "case_block": read_cases,
    "indented_cases": read_cases,
    "try_expression": read_try,
    "infix_expression": read_infix,
    "for_expression": read_for,
    "assignment_expression": read_assignment,
    "parenthesized_expression": read_inner,
    "ascription_expression": read_inner,
    "generic_function": read_inner,
    "return_expression": read_returned,
}
_STATEMENTS: dict[str, Handler] = {
    "val_definition": read_value,
    "var_definition": read_value,
    "while_expression": read_loop,
    "do_while_expression": read_loop,
    "throw_expression": read_throw,
    "return_expression": read_return,
    "ERROR": read_parts,
    "template_body": read_block,
    "enumerators": read_branches,
    **dict.fromkeys(
        ("class_definition", "object_definition", "trait_definition", "function_definition"),
        read_declared,
    ),
}
ScalaExtraction.statements = _STATEMENTS
