"""C and C++ expressions: names, members, calls, objects, lambdas, initialisers."""

from typing import TYPE_CHECKING

from agrama.indexer.facts import (
    CALL,
    FORM_CALL,
    FORM_IMPLICIT,
    FORM_NEW,
    NOTHING,
    STORE,
    SUB,
    SUBSTORE,
)
from agrama.indexer.languages.c_types import (
    CExtraction,
    Declarator,
    class_of,
    is_parameter,
    last_part,
    local_alias,
    name_node,
    parameter_text,
    plain_name,
    read_type,
    type_text,
)
from agrama.indexer.languages.c_typing import signature_of
from agrama.indexer.languages.typed import Block, Environment, Handler, Scope

if TYPE_CHECKING:
    from tree_sitter import Node  # noqa: TID251 - a type only

CONSTRUCTOR = "<init>"
_MAKERS = frozenset(("make_unique", "make_shared", "MakeUnique", "WrapUnique"))
_PASSING = frozenset(("move", "forward", "ref", "cref", "get", "as_const"))
_CASTS = frozenset(
    ("static_cast", "dynamic_cast", "reinterpret_cast", "const_cast", "down_cast", "bit_cast")
)


def argument_nodes(listed: "Node | None") -> list["Node"]:
    if listed is None:
        return []
    return [child for child in listed.named_children if child.type != "comment"]


# ---- names


def read_identifier(x: CExtraction, node: "Node", block: Block, env: Environment) -> int:
    name = x.text(node)
    local = block.find(name)
    if local is not None:
        return x.read_local(local, block, env)
    if is_parameter(block.scope, name):
        return NOTHING
    return x.read_name(name, node, block.scope)


def read_qualified(x: CExtraction, node: "Node", block: Block, env: Environment) -> int:
    return _qualified(x, node, block, "")


def _qualified(x: CExtraction, node: "Node", block: Block, signature: str) -> int:
    """`space::name` or `Class::name`: which one it is only the whole program tells."""
    text = plain_name(x, node)
    last = name_node(last_part(node))
    outer, _, inner = text.rpartition("::")
    if is_parameter(block.scope, outer):
        return NOTHING
    for part in _template_arguments(node):
        read_type(x, part, block)
    alias = local_alias(block, outer)
    if alias >= 0:
        x.refer_attribute(last, alias, inner, block.scope.index)
        return x.attribute(alias, inner + signature)
    found = x.read_name(text + signature, last, block.scope, text)
    if outer and not outer.startswith("std"):
        base = x.read_name(outer, None, block.scope)
        found = x.union(found, x.attribute(base, inner + signature))
    return found


def _template_arguments(node: "Node") -> list["Node"]:
    last = last_part(node)
    listed = last.child_by_field_name("arguments") if "template" in last.type else None
    return listed.named_children if listed is not None else []


def read_template(x: CExtraction, node: "Node", block: Block, env: Environment) -> int:
    """`f<T>` as a value."""
    for part in _template_arguments(node):
        read_type(x, part, block)
    name = name_node(node)
    return read_identifier(x, name, block, env) if name is not node else NOTHING


def class_around(scope: Scope | None) -> Scope | None:
    while scope is not None:
        if scope.owner is not None:
            return scope.owner
        if scope.is_class:
            return scope
        scope = scope.parent
    return None


def read_this(x: CExtraction, node: "Node", block: Block, env: Environment) -> int:
    scope: Scope | None = block.scope
    while scope is not None:
        if scope.self_register >= 0:
            return scope.self_register
        scope = scope.parent
    return NOTHING


def read_field(x: CExtraction, node: "Node", block: Block, env: Environment) -> int:
    base = x.value(node.child_by_field_name("argument"), block, env)
    return _member(x, node, base, block, "")


def _member(x: CExtraction, node: "Node", base: int, block: Block, signature: str) -> int:
    field = node.child_by_field_name("field")
    if base < 0 or field is None:
        return NOTHING
    last = name_node(last_part(field))
    name = plain_name(x, last)
    x.refer_attribute(last, base, name, block.scope.index)
    return x.attribute(base, name + signature)


# ---- calls


def emit_call(
    x: CExtraction, callee: int, arguments: tuple[int, ...], node: "Node", block: Block, form: int
) -> int:
    register = x.register()
    row, column = node.start_point
    x.emit(CALL, register, callee, arguments, (), row + 1, column, block.scope.index, form)
    return register


def read_call(x: CExtraction, node: "Node", block: Block, env: Environment) -> int:
    function = node.child_by_field_name("function")
    nodes = argument_nodes(node.child_by_field_name("arguments"))
    signature = signature_of(x, nodes, block)
    arguments = tuple(x.value(each, block, env) for each in nodes)
    while function is not None and function.type == "parenthesized_expression":
        function = next(iter(function.named_children), None)
    if function is None:
        return NOTHING
    kind = function.type
    if kind in ("identifier", "template_function", "qualified_identifier"):
        return _call_name(x, function, signature, arguments, block, env)
    if kind in ("field_expression", "dependent_field_expression"):
        base = x.value(function.child_by_field_name("argument"), block, env)
        callee = _member(x, function, base, block, signature)
        field = function.child_by_field_name("field")
        place = name_node(last_part(field)) if field is not None else function
        if x.text(place) == "get" and not nodes:  # of a smart pointer, which stands for its object
            made = emit_call(x, callee, arguments, place, block, FORM_IMPLICIT)
            return x.union(base, made) if base >= 0 and callee >= 0 else base
    elif kind == "primitive_type":
        return NOTHING
    else:
        callee, place = x.value(function, block, env), function
    return emit_call(x, callee, arguments, place, block, FORM_CALL) if callee >= 0 else NOTHING


def _call_name(
    x: CExtraction, node: "Node", signature: str, arguments: tuple[int, ...], block: Block,
    env: Environment,
) -> int:  # fmt: skip
    name = plain_name(x, node)
    place = name_node(last_part(node))
    if name in _CASTS:
        types = [read_type(x, part, block) for part in _template_arguments(node)]
        return types[0] if types and types[0] >= 0 else next(iter(arguments), NOTHING)
    if "::" in name:
        last = name.rpartition("::")[2]
        if last in _MAKERS:
            return _make(x, node, signature, arguments, block)
        if name.startswith("std::") and last in _PASSING and arguments:
            return arguments[0]
        callee = _qualified(x, node, block, signature)
    else:
        local = block.find(name)
        if local is not None:
            callee = x.read_local(local, block, env)
            return (
                emit_call(x, callee, arguments, place, block, FORM_CALL) if callee >= 0 else callee
            )
        if is_parameter(block.scope, name):
            return NOTHING
        for part in _template_arguments(node):
            read_type(x, part, block)
        callee = x.read_name(name + signature, place, block.scope, name)
    if callee < 0:
        return NOTHING
    if x.is_cpp and name.rpartition("::")[2][:1].isupper():
        emit_call(
            x, x.attribute(callee, CONSTRUCTOR + signature), arguments, place, block, FORM_IMPLICIT
        )
    return emit_call(x, callee, arguments, place, block, FORM_CALL)


def _make(
    x: CExtraction, node: "Node", signature: str, arguments: tuple[int, ...], block: Block
) -> int:
    """`std::make_unique<T>(…)` runs a constructor of T."""
    parts = _template_arguments(node)
    if not parts:
        return arguments[0] if arguments else NOTHING
    inner = parts[0].child_by_field_name("type") or parts[0]
    return construct(x, class_of(x, inner, block), signature, arguments, inner, block)


def construct(
    x: CExtraction, cls: int, signature: str, arguments: tuple[int, ...], node: "Node", block: Block
) -> int:
    """A class is called, and the constructor that fits."""
    if cls < 0:
        return NOTHING
    place = name_node(last_part(node))
    constructor = x.attribute(cls, CONSTRUCTOR + signature)
    emit_call(x, constructor, arguments, place, block, FORM_IMPLICIT)
    return emit_call(x, cls, arguments, place, block, FORM_NEW)


def construct_with(
    x: CExtraction, kind: "Node", listed: "Node | None", block: Block, env: Environment
) -> int:
    nodes = argument_nodes(listed)
    signature = signature_of(x, nodes, block)
    arguments = tuple(x.value(each, block, env) for each in nodes)
    if read_type(x, kind, block) == NOTHING or kind.type == "placeholder_type_specifier":
        return NOTHING
    return construct(x, class_of(x, kind, block), signature, arguments, kind, block)


def read_new(x: CExtraction, node: "Node", block: Block, env: Environment) -> int:
    kind = node.child_by_field_name("type")
    for child in node.children_by_field_name("placement"):
        x.value(child, block, env)
    if kind is None:
        return NOTHING
    return construct_with(x, kind, node.child_by_field_name("arguments"), block, env)


def read_compound(x: CExtraction, node: "Node", block: Block, env: Environment) -> int:
    """`T{…}` and `(struct T){…}`."""
    kind, listed = node.child_by_field_name("type"), node.child_by_field_name("value")
    if kind is None or listed is None:
        return NOTHING
    declared = read_type(x, kind, block)
    fill(x, listed, declared, type_text(x, kind, block.scope), block, env)
    if x.is_cpp and kind.type != "type_descriptor":
        return construct_with(x, kind, listed, block, env)
    return declared


# ---- initialisers


def fill(
    x: CExtraction, node: "Node", declared: int, kind: str, block: Block, env: Environment
) -> int:
    """`{.open = f, g}` for a struct: what its fields hold. Else a container of the values."""
    fields = x.fields.get(kind, [])
    items = []
    for at, child in enumerate(argument_nodes(node)):
        name, value = "", child
        if child.type == "initializer_pair":
            designator = child.child_by_field_name("designator")
            value = child.child_by_field_name("value") or child
            if designator is not None and designator.type == "field_designator":
                name = x.text(designator).lstrip(".").strip()
                if declared >= 0:
                    x.refer_attribute(
                        designator.named_children[-1], declared, name, block.scope.index
                    )
        elif at < len(fields):
            name = fields[at]
        if value.type == "initializer_list":
            register = fill(
                x, value, NOTHING if name else declared, "" if name else kind, block, env
            )
        else:
            register = x.value(value, block, env)
        if register >= 0 and name and declared >= 0:
            x.emit(STORE, declared, name, register)
        items.append((None, register))
    return declared if declared >= 0 else x.container([*items])


def read_initializer(x: CExtraction, node: "Node", block: Block, env: Environment) -> int:
    return fill(x, node, NOTHING, "", block, env)


# ---- functions as values


def read_lambda(x: CExtraction, node: "Node", block: Block, env: Environment) -> int:
    scope = x.define_closure(node, block)
    inner = Block(scope, block)
    captures = node.child_by_field_name("captures")
    for child in captures.named_children if captures is not None else ():
        x.value(child, block, env)
    declarator = node.child_by_field_name("declarator")
    if declarator is not None:
        read_parameters(x, scope, declarator.child_by_field_name("parameters"), inner)
    body = node.child_by_field_name("body")

    def read() -> None:
        if body is not None:
            x.run(body.named_children, inner, {})

    x.defer(read)
    return scope.register


def read_parameters(x: CExtraction, scope: Scope, listed: "Node | None", block: Block) -> list[str]:
    """Declare parameters; returns their types as written."""
    types: list[str] = []
    for node in listed.named_children if listed is not None else ():
        if node.type == "variadic_parameter":
            types.append("...")
        if not node.type.endswith("parameter_declaration"):
            continue
        kind, declarator = node.child_by_field_name("type"), node.child_by_field_name("declarator")
        found = Declarator(declarator) if declarator is not None else None
        text = parameter_text(x, node, scope)
        if text == "void" and found is None:
            continue
        declared = read_type(x, kind, block)
        if found is not None and (found.is_array or "function_declarator" in _types(declarator)):
            declared = NOTHING if not found.is_array else declared
        name = x.text(found.name) if found is not None and found.name is not None else ""
        local = x.add_parameter(scope, block, name, declared)
        local.type_name = text.rstrip("=.")
        types.append(text)
    return types


def _types(node: "Node | None") -> list[str]:
    """The types of a chain of declarators."""
    found = []
    while node is not None:
        found.append(node.type)
        node = node.child_by_field_name("declarator") or next(
            (child for child in node.named_children if "declarator" in child.type), None
        )
    return found


# ---- the rest


def read_assignment(x: CExtraction, node: "Node", block: Block, env: Environment) -> int:
    left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
    value = x.value(right, block, env)
    assign(x, left, value, block, env)
    return value


def assign(x: CExtraction, left: "Node | None", value: int, block: Block, env: Environment) -> None:
    if left is None:
        return
    if left.type == "identifier":
        local = block.find(x.text(left))
        if local is not None:
            x.assign(local, value, block, env)
            return
        x.read_name(x.text(left), left, block.scope)
        this = read_this(x, left, block, env)
        if this >= 0 and value >= 0:
            x.emit(STORE, this, x.text(left), value)
    elif left.type == "field_expression":
        base = x.value(left.child_by_field_name("argument"), block, env)
        field = left.child_by_field_name("field")
        if base >= 0 and field is not None:
            x.refer_attribute(field, base, x.text(field), block.scope.index)
            if value >= 0:
                x.emit(STORE, base, x.text(field), value)
    elif left.type == "subscript_expression":
        base = x.value(left.child_by_field_name("argument"), block, env)
        x.value(left.child_by_field_name("index"), block, env)
        if base >= 0 and value >= 0:
            x.emit(SUBSTORE, base, None, value)
    else:
        x.value(left, block, env)


def read_subscript(x: CExtraction, node: "Node", block: Block, env: Environment) -> int:
    target = node.child_by_field_name("argument")
    base = x.value(target, block, env)
    for child in node.named_children:
        if child != target:
            x.value(child, block, env)
    if base < 0:
        return NOTHING
    register = x.register()
    x.emit(SUB, register, base, None)
    return x.union(base, register) if not x.is_cpp else register


def read_cast(x: CExtraction, node: "Node", block: Block, env: Environment) -> int:
    value = x.value(node.child_by_field_name("value"), block, env)
    declared = read_type(x, node.child_by_field_name("type"), block)
    return declared if declared >= 0 else value


def read_conditional(x: CExtraction, node: "Node", block: Block, env: Environment) -> int:
    x.value(node.child_by_field_name("condition"), block, env)
    left = x.value(node.child_by_field_name("consequence"), block, env)
    return x.union(left, x.value(node.child_by_field_name("alternative"), block, env))


def read_binary(x: CExtraction, node: "Node", block: Block, env: Environment) -> int:
    """The left spine in a loop: generated code joins thousands of terms."""
    spine: list[Node | None] = []
    rest: Node | None = node
    while rest is not None and rest.type == "binary_expression":
        spine.append(rest.child_by_field_name("right"))
        rest = rest.child_by_field_name("left")
    value = x.value(rest, block, env)
    for right in reversed(spine):
        x.value(right, block, env)
    operator = node.child_by_field_name("operator")
    # `p + 1` is a pointer like p, `stream << x` the stream
    return value if operator is not None and operator.type in ("+", "-", "<<") else NOTHING


def read_inner(x: CExtraction, node: "Node", block: Block, env: Environment) -> int:
    value = NOTHING
    for child in node.named_children:
        value = x.value(child, block, env)
    return value


def read_type_argument(x: CExtraction, node: "Node", block: Block, env: Environment) -> int:
    """`sizeof(T)`, `offsetof(T, x)`."""
    for child in node.named_children:
        if child.type == "type_descriptor":
            read_type(x, child, block)
        elif child.type != "field_identifier":
            x.value(child, block, env)
    return NOTHING


def read_type_value(x: CExtraction, node: "Node", block: Block, env: Environment) -> int:
    return max(read_type(x, node, block), NOTHING)


EXPRESSIONS: dict[str, Handler] = {
    "identifier": read_identifier,
    "qualified_identifier": read_qualified,
    "template_function": read_template,
    "this": read_this,
    "field_expression": read_field,
    "call_expression": read_call,
    "new_expression": read_new,
    "compound_literal_expression": read_compound,
    "initializer_list": read_initializer,
    "lambda_expression": read_lambda,
    "assignment_expression": read_assignment,
    "subscript_expression": read_subscript,
    "cast_expression": read_cast,
    "conditional_expression": read_conditional,
    "binary_expression": read_binary,
    "type_descriptor": read_type_value,
    "sizeof_expression": read_type_argument,
    "offsetof_expression": read_type_argument,
    **dict.fromkeys(
        (
            "parenthesized_expression",
            "comma_expression",
            "pointer_expression",
            "co_await_expression",
        ),
        read_inner,
    ),
}
CExtraction.expressions = EXPRESSIONS
