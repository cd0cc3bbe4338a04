"""Swift expressions and statements."""

from typing import TYPE_CHECKING

from agrama.indexer.facts import COPY, NOTHING, STORE, SUB
from agrama.indexer.languages.brief import BriefExtraction, part_of, read_last
from agrama.indexer.languages.classes import (
    CONSTRUCTOR,
    UNKNOWN,
    Given,
    call_member,
    call_name,
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
    give_back,
    read_branches,
    read_loop,
    read_parts,
)
from agrama.indexer.languages.classes_typing import member_type, name_type, number_type, this_type
from agrama.indexer.languages.typed import Block, Environment, Handler, Scope, written

if TYPE_CHECKING:
    from tree_sitter import Node  # noqa: TID251 - a type only

_LITERALS = {
    "line_string_literal": "String", "multi_line_string_literal": "String",
    "boolean_literal": "boolean", "lambda_literal": "->",
}  # fmt: skip


class SwiftExtraction(BriefExtraction):
    """A Swift file."""

    language = "swift"
    nested_calls = True
    extends_implicitly = False
    sequences = frozenset(("Array", "Set", "Optional", "Result", "Sequence", "Collection"))
    mappings = frozenset(("Dictionary",))
    library = frozenset(
        ("Any", "AnyObject", "Array", "Bool", "Character", "Codable", "Data", "Date", "Decodable",
         "Dictionary", "Double", "Encodable", "Equatable", "Error", "Float", "Hashable", "Int",
         "Int64", "Never", "Optional", "Result", "Self", "Sendable", "Set", "String", "UInt", "UInt8",
         "URL", "UUID", "Void")
    )  # fmt: skip
    type_names = {"Int": "int", "Double": "double", "Float": "float", "Bool": "boolean",  # noqa: RUF012
                  "Any": "Object"}  # fmt: skip
    block_types = frozenset(("statements", "function_body"))

    def __init__(self, source: bytes, path: str, root: "Node") -> None:
        super().__init__(source, path, root)
        self.is_test_file = "Tests/" in path

    def declare_inside(self, node: "Node", block: Block) -> None:
        """A type or function declared in a function; see swift_declarations."""
        raise NotImplementedError

    def type_of(self, node: "Node | None", block: Block) -> int:
        if node is None:
            return NOTHING
        kind = node.type
        if kind == "user_type":
            return self._user_type(node, block)
        if kind == "array_type":
            return self.container([(None, self.type_of(node.child_by_field_name("name"), block))])
        if kind == "dictionary_type":
            value = self.type_of(node.child_by_field_name("value"), block)
            return self.container([(None, value)])
        found = NOTHING
        for child in written(node):
            found = self.union(found, max(self.type_of(child, block), NOTHING))
        return NOTHING if kind == "function_type" else found

    def _user_type(self, node: "Node", block: Block) -> int:
        names = [child for child in node.named_children if child.type == "type_identifier"]
        listed = part_of(node, "type_arguments")
        if not names:
            return NOTHING
        arguments = written(listed) if listed is not None else []
        if self.text(names[0]) == "Self":
            return this_of(self, block)
        if len(names) == 1:
            return self.named_type(self.text(names[0]), names[0], arguments, block)
        register = self.class_of(node, block)
        return self.instance(register) if register >= 0 else NOTHING

    def class_of(self, node: "Node | None", block: Block) -> int:
        if node is None or node.type != "user_type":
            return NOTHING
        names = [child for child in node.named_children if child.type == "type_identifier"]
        register = named_class(self, self.text(names[0]), names[0], block) if names else NOTHING
        for name in names[1:]:
            register = member(self, register, self.text(name), name, block)
        return register

    def type_text(self, node: "Node | None", block: Block) -> str:
        if node is None:
            return UNKNOWN
        if node.type == "user_type":
            names = [c for c in node.named_children if c.type == "type_identifier"]
            return self.simple_text(self.text(names[-1]), block) if names else UNKNOWN
        if node.type == "optional_type":
            return self.type_text(node.child_by_field_name("wrapped"), block)
        return "->" if node.type == "function_type" else UNKNOWN


def static_type(x: SwiftExtraction, node: "Node | None", block: Block) -> str:
    if node is None:
        return UNKNOWN
    kind = node.type
    if kind in _LITERALS:
        return _LITERALS[kind]
    if kind in ("integer_literal", "real_literal"):
        return number_type(x.text(node))
    if kind == "simple_identifier":
        return name_type(x.text(node), block)
    if kind == "self_expression":
        return this_type(block)
    if kind == "call_expression" and written(node):
        function = written(node)[0]
        text = x.text(function)
        return text if function.type == "simple_identifier" and text[:1].isupper() else UNKNOWN
    if kind == "navigation_expression":
        name = _suffix(node)
        owner = static_type(x, node.child_by_field_name("target"), block)
        return member_type(x, owner, x.text(name)) if name is not None else UNKNOWN
    return UNKNOWN


# ---- expressions


def read_identifier(x: SwiftExtraction, node: "Node", block: Block, env: Environment) -> int:
    return read_name(x, node, block, env)


def read_self(x: SwiftExtraction, node: "Node", block: Block, env: Environment) -> int:
    return this_of(x, block)


def read_super(x: SwiftExtraction, node: "Node", block: Block, env: Environment) -> int:
    return super_of(x, block)


def _suffix(node: "Node") -> "Node | None":
    suffix = node.child_by_field_name("suffix")
    return suffix.child_by_field_name("suffix") if suffix is not None else None


def _receiver(x: SwiftExtraction, node: "Node | None", block: Block, env: Environment) -> int:
    if node is not None and node.type == "simple_identifier":
        text = x.text(node)
        if text[:1].isupper() and holder(block, text)[0] not in ("local", "member"):
            return this_of(x, block) if text == "Self" else named_class(x, text, node, block)
    return x.value(node, block, env)


def read_navigation(x: SwiftExtraction, node: "Node", block: Block, env: Environment) -> int:
    base = _receiver(x, node.child_by_field_name("target"), block, env)
    name = _suffix(node)
    return member(x, base, x.text(name), name, block) if name is not None else NOTHING


def _read_arguments(
    x: SwiftExtraction, node: "Node | None", block: Block, env: Environment
) -> Given:
    values: list[int] = []
    types: list[str] = []
    listed = part_of(node, "value_arguments")
    for child in listed.named_children if listed is not None else ():
        label, value = child.child_by_field_name("name"), child.child_by_field_name("value")
        if child.type == "value_argument":
            kind = static_type(x, value, block)
            values.append(x.value(value, block, env))
            types.append(f"{x.text(label) if label is not None else '_'}:{kind}")
    for child in node.named_children if node is not None else ():
        if child.type == "lambda_literal":
            values.append(x.value(child, block, env))
            types.append("*:->")
    return Given(tuple(values), tuple(types))


def read_call(x: SwiftExtraction, node: "Node", block: Block, env: Environment) -> int:
    function = written(node)[0] if written(node) else None
    suffix = part_of(node, "call_suffix")
    while function is not None and function.type == "prefix_expression":  # `!f(x)`
        function = function.child_by_field_name("target")
    if function is None:
        return NOTHING
    if function.type == "call_suffix":  # `-(x)`: a sign and parentheses, nothing is called
        _read_arguments(x, suffix, block, env)
        return NOTHING
    if function.type == "simple_identifier":
        given = _read_arguments(x, suffix, block, env)
        return call_name(x, function, given, block, env)
    name = _suffix(function) if function.type == "navigation_expression" else None
    if name is None:
        value = x.value(function, block, env)
        given = _read_arguments(x, suffix, block, env)
        return emit_call(x, value, given.values, function, block) if value >= 0 else NOTHING
    target = function.child_by_field_name("target")
    base = _receiver(x, target, block, env)
    given = _read_arguments(x, suffix, block, env)
    if x.text(name) == "init":
        return _call_init(x, target, name, base, given, block)
    owner = f"*:{static_type(x, target, block)}"
    return call_member(x, base, owner, name, given, block)


def _call_init(
    x: SwiftExtraction, target: "Node | None", name: "Node", base: int, given: Given, block: Block
) -> int:
    """`self.init(…)`, `super.init(…)`, `Type.init(…)`."""
    if base < 0:
        return NOTHING
    signature = x.signature(CONSTRUCTOR, given.types)
    if target is not None and target.type in ("self_expression", "super_expression"):
        return emit_call(x, x.attribute(base, signature), given.values, name, block)
    return construct(x, base, signature, given.values, name, block)


def read_lambda(x: SwiftExtraction, node: "Node", block: Block, env: Environment) -> int:
    scope = x.define_closure(node, block)
    inner = Block(scope, block)
    listed = node.child_by_field_name("type")
    names = part_of(listed, "lambda_function_type_parameters")
    for child in names.named_children if names is not None else ():
        name = child.child_by_field_name("name")
        if name is not None:
            x.add_parameter(scope, inner, x.text(name), NOTHING)
    if names is None:
        for at in range(2):
            x.add_parameter(scope, inner, f"${at}", NOTHING)
    x.defer(lambda: read_statements(x, scope, node, inner))
    return scope.register


def read_statements(x: SwiftExtraction, scope: Scope, node: "Node", block: Block) -> None:
    """All statements beneath a body; a single expression is what is returned."""
    for child in written(node):
        if child.type == "statements":
            read_last(x, scope, written(child), block, {})
        elif child.type in ("computed_getter", "computed_setter", "computed_modify"):
            read_statements(x, scope, child, block.inner())


def read_assignment(x: SwiftExtraction, node: "Node", block: Block, env: Environment) -> int:
    value = x.value(node.child_by_field_name("result"), block, env)
    target = node.child_by_field_name("target")
    inner = written(target)[0] if target is not None and written(target) else None
    if inner is None:
        return NOTHING
    local = block.find(x.text(inner)) if inner.type == "simple_identifier" else None
    if local is not None:
        x.assign(local, value, block, env)
    elif inner.type == "navigation_expression":
        name = _suffix(inner)
        base = _receiver(x, inner.child_by_field_name("target"), block, env)
        if name is not None and base >= 0 and x.text(name):
            member(x, base, x.text(name), name, block)
            if value >= 0:
                x.emit(STORE, base, x.text(name), value)
    else:
        x.value(inner, block, env)
    return NOTHING


def read_cast(x: SwiftExtraction, node: "Node", block: Block, env: Environment) -> int:
    value = x.value(node.child_by_field_name("expr"), block, env)
    declared = x.type_of(node.child_by_field_name("name"), block)
    return declared if declared >= 0 else value


def read_inner(x: SwiftExtraction, node: "Node", block: Block, env: Environment) -> int:
    """`x!`, `try x`, `(x)`, `await x`: the value of the last part that has one."""
    value = NOTHING
    for child in written(node):
        found = x.value(child, block, env)
        value = found if found >= 0 else value
    return value


def read_array(x: SwiftExtraction, node: "Node", block: Block, env: Environment) -> int:
    return x.container([(None, x.value(child, block, env)) for child in written(node)])


def read_choice(x: SwiftExtraction, node: "Node", block: Block, env: Environment) -> int:
    values = [x.value(child, block, env) for child in written(node)]
    result = NOTHING
    for value in values[1:] if node.type == "ternary_expression" else values:
        result = x.union(result, value)
    return result


# ---- statements


def read_property(x: SwiftExtraction, node: "Node", block: Block, env: Environment) -> Environment:
    pattern = node.child_by_field_name("name")
    annotation = part_of(node, "type_annotation")
    kind = annotation.child_by_field_name("name") if annotation is not None else None
    declared = x.type_of(kind, block)
    value = node.child_by_field_name("value")
    register = x.value(value, block, env)
    name = pattern.child_by_field_name("bound_identifier") if pattern is not None else None
    if name is not None:
        local = declare_local(x, x.text(name), declared, register, block, env)
        known = x.type_text(kind, block) if kind is not None else static_type(x, value, block)
        local.type_name = known
    return env


def read_if(x: SwiftExtraction, node: "Node", block: Block, env: Environment) -> Environment | None:
    """Names that a condition binds are in sight of what follows it."""
    inner = block if node.type == "guard_statement" else block.inner()
    name: Node | None = None
    rest: list[Node] = []
    for at, child in enumerate(node.children):
        field = node.field_name_for_child(at)
        if field == "bound_identifier":
            name = child
            if name is not None and (
                at + 1 >= node.child_count or node.children[at + 1].type != "="
            ):
                known = block.find(x.text(name))  # `if let x`
                value = x.read_local(known, block, env) if known is not None else NOTHING
                declare_local(x, x.text(name), NOTHING, value, inner, env)
                name = None
        elif field == "condition" and child.is_named and child.type != "value_binding_pattern":
            value = x.value(child, inner, env)
            if name is not None:
                local = declare_local(x, x.text(name), NOTHING, value, inner, env)
                local.type_name = static_type(x, child, block)
                name = None
        elif child.is_named and field is None and not child.is_extra:
            rest.append(child)
    after = env
    for child in rest:
        x.run((child,), inner.inner(), dict(env))
    return after


def read_for(x: SwiftExtraction, node: "Node", block: Block, env: Environment) -> Environment:
    inner = block.inner()
    element = element_of(x, x.value(node.child_by_field_name("collection"), block, env), block)
    item = node.child_by_field_name("item")
    name = item.child_by_field_name("bound_identifier") if item is not None else None
    if name is not None:
        declare_local(x, x.text(name), NOTHING, element, inner, env)
    body = part_of(node, "statements")
    nodes = written(body) if body is not None else []
    return x.loop(node, inner, env, lambda start: x.run(nodes, inner, start))


def read_jump(
    x: SwiftExtraction, node: "Node", block: Block, env: Environment
) -> Environment | None:
    result = node.child_by_field_name("result")
    for child in written(node):
        value = x.value(child, block, env)
        if child == result:
            give_back(x, child, value, block.scope)
    return env


def read_declared(x: SwiftExtraction, node: "Node", block: Block, env: Environment) -> Environment:
    x.declare_inside(node, block)
    return env


def read_element(x: SwiftExtraction, node: "Node", block: Block, env: Environment) -> int:
    value = read_inner(x, node, block, env)
    if value < 0:
        return NOTHING
    register = x.register()
    x.emit(SUB, register, value, None)
    x.emit(COPY, register, value)
    return register


SwiftExtraction.expressions = {
    "simple_identifier": read_identifier,
    "self_expression": read_self,
    "super_expression": read_super,
    "navigation_expression": read_navigation,
    "call_expression": read_call,
    "constructor_expression": read_inner,
    "lambda_literal": read_lambda,
    "assignment": read_assignment,
    "as_expression": read_cast,
    "array_literal": read_array,
    "ternary_expression": read_choice,
    "nil_coalescing_expression": read_choice,
    "value_argument_label": lambda x, node, block, env: NOTHING,
    **dict.fromkeys(
        ("postfix_expression", "try_expression", "await_expression", "tuple_expression"), read_inner
    ),
}
_STATEMENTS: dict[str, Handler] = {
    "property_declaration": read_property,
    "if_statement": read_if,
    "guard_statement": read_if,
    "for_statement": read_for,
    "while_statement": read_loop,
    "repeat_while_statement": read_loop,
    "switch_statement": read_branches,
    "switch_entry": read_branches,
    "do_statement": read_parts,
    "catch_block": read_parts,
    "control_transfer_statement": read_jump,
    "statements": read_parts,
    "ERROR": read_parts,
    **dict.fromkeys(
        ("class_declaration", "protocol_declaration", "function_declaration"), read_declared
    ),
}
SwiftExtraction.statements = _STATEMENTS
