"""C# expressions: names, members, calls, objects, lambdas, patterns."""

from typing import TYPE_CHECKING

from agrama.indexer.facts import COPY, FORM_CALLBACK, NOTHING, STORE, SUB, SUBSTORE, TO_DEFINITION
from agrama.indexer.languages.classes import (
    CONSTRUCTOR,
    Given,
    call_member,
    call_name,
    class_around,
    construct,
    emit_call,
    holder,
    member,
    read_name,
    super_of,
    this_of,
)
from agrama.indexer.languages.classes_statements import declare_local, give_back
from agrama.indexer.languages.csharp_types import (
    CSharpExtraction,
    argument_nodes,
    class_of,
    key_of,
    read_type,
    type_text,
)
from agrama.indexer.languages.csharp_typing import static_type
from agrama.indexer.languages.typed import Block, Environment, Handler, written

if TYPE_CHECKING:
    from tree_sitter import Node  # noqa: TID251 - a type only

_BOUND = frozenset(("conditional_access_expression", "member_access_expression"))


# ---- names


def read_identifier(x: CSharpExtraction, node: "Node", block: Block, env: Environment) -> int:
    return read_name(x, node, block, env)


def read_this(x: CSharpExtraction, node: "Node", block: Block, env: Environment) -> int:
    return this_of(x, block)


def read_base(x: CSharpExtraction, node: "Node", block: Block, env: Environment) -> int:
    return super_of(x, block)


def read_generic(x: CSharpExtraction, node: "Node", block: Block, env: Environment) -> int:
    return class_of(x, node, block)


def read_access(x: CSharpExtraction, node: "Node", block: Block, env: Environment) -> int:
    """`a.b`, `Namespace.Class`, and `a?.b`."""
    target, name = _parts(node)
    if target is None or name is None:
        return NOTHING
    found = NOTHING
    if target.type in ("identifier", "member_access_expression", "qualified_name"):
        text = x.text(target)
        first = text.partition(".")[0]
        if first in x.roots and holder(block, first)[0] in ("", "inherited"):
            found = x.import_class(text, key_of(x, name))
    base = x.value(target, block, env)
    place = written(name)[0] if name.type == "generic_name" else name
    return x.union(found, member(x, base, key_of(x, name), place, block))


def _parts(node: "Node") -> tuple["Node | None", "Node | None"]:
    """The receiver and the name of a member access."""
    if node.type == "conditional_access_expression":
        bound = written(node)[-1] if len(written(node)) > 1 else None
        name = bound.child_by_field_name("name") if bound is not None else None
        return node.child_by_field_name("condition"), name
    return node.child_by_field_name("expression"), node.child_by_field_name("name")


# ---- calls


def read_arguments(
    x: CSharpExtraction, listed: "Node | None", block: Block, env: Environment
) -> Given:
    values, types = [], []
    for child in listed.named_children if listed is not None else ():
        if child.type != "argument":
            continue
        label = child.child_by_field_name("name")
        inner = written(child)[-1] if len(written(child)) else child.children[-1]
        kind = static_type(x, inner, block)
        value = x.value(inner, block, env)
        _pass_method(x, inner, value, block)
        values.append(value)
        types.append(f"{x.text(label)}:{kind}" if label is not None else kind)
    return Given(tuple(values), tuple(types))


def _pass_method(x: CSharpExtraction, node: "Node", value: int, block: Block) -> None:
    """A method of a class around, handed on by its name, counts as called."""
    if value < 0 or node.type != "identifier":
        return
    how, owner = holder(block, x.text(node))
    row = owner.members[x.text(node)] if how == "member" and owner is not None else ()
    if TO_DEFINITION in row[1::2]:
        emit_call(x, value, (), node, block, FORM_CALLBACK)


def read_invocation(x: CSharpExtraction, node: "Node", block: Block, env: Environment) -> int:
    function = node.child_by_field_name("function")
    listed = node.child_by_field_name("arguments")
    if function is None:
        return NOTHING
    kind = function.type
    if kind in ("identifier", "generic_name"):
        for argument in argument_nodes(function):
            read_type(x, argument, block)
        name = function if kind == "identifier" else (function.named_children or [function])[0]
        if x.text(name) == "nameof":
            return NOTHING
        given = read_arguments(x, listed, block, env)
        return call_name(x, name, given, block, env, classes=False)
    if kind in _BOUND:
        return _call_bound(x, function, listed, block, env)
    value = x.value(function, block, env)
    given = read_arguments(x, listed, block, env)
    return emit_call(x, value, given.values, function, block) if value >= 0 else NOTHING


def _call_bound(
    x: CSharpExtraction, function: "Node", listed: "Node | None", block: Block, env: Environment
) -> int:
    target, name = _parts(function)
    if target is None or name is None:
        x.value(function, block, env)
        read_arguments(x, listed, block, env)
        return NOTHING
    for argument in argument_nodes(name):
        read_type(x, argument, block)
    base = x.value(target, block, env)
    owner = static_type(x, target, block)
    given = read_arguments(x, listed, block, env)
    place = written(name)[0] if name.type == "generic_name" and name.named_children else name
    return call_member(x, base, owner, place, given, block)


def read_creation(x: CSharpExtraction, node: "Node", block: Block, env: Environment) -> int:
    kind = node.child_by_field_name("type")
    given = read_arguments(x, node.child_by_field_name("arguments"), block, env)
    if kind is None:
        return NOTHING
    register = class_of(x, kind, block)
    made = read_type(x, kind, block) if register < 0 else NOTHING
    if register >= 0:
        made = create(x, register, given, last_name(kind), block)
    _read_initializer(x, node, made, block, env)
    return max(made, NOTHING)


def create(x: CSharpExtraction, cls: int, given: Given, name: "Node", block: Block) -> int:
    signature = x.signature(CONSTRUCTOR, given.types)
    return construct(x, cls, signature, given.values, name, block)


def read_implicit_creation(
    x: CSharpExtraction, node: "Node", block: Block, env: Environment
) -> int:
    """`new(…)`: the class is what the place wants; see `read_target`."""
    return read_target(x, node, NOTHING, block, env)


def read_target(
    x: CSharpExtraction, node: "Node | None", wanted: int, block: Block, env: Environment
) -> int:
    """A value where a type is wanted: `new()` makes one of the class in `wanted`."""
    if node is None or node.type != "implicit_object_creation_expression":
        return x.value(node, block, env)
    listed = next((c for c in node.named_children if c.type == "argument_list"), None)
    given = read_arguments(x, listed, block, env)
    cls = x.class_of_instance(wanted)
    made = create(x, cls, given, node, block) if cls >= 0 else wanted
    _read_initializer(x, node, made, block, env)
    return max(made, NOTHING)


def _read_initializer(
    x: CSharpExtraction, node: "Node", made: int, block: Block, env: Environment
) -> None:
    """`{ Name = value, … }` after `new`."""
    listed = next((c for c in node.named_children if c.type == "initializer_expression"), None)
    for child in listed.named_children if listed is not None else ():
        left = child.child_by_field_name("left")
        if child.type == "assignment_expression" and left is not None and left.type == "identifier":
            value = x.value(child.child_by_field_name("right"), block, env)
            if made >= 0 and x.text(left):
                x.refer_attribute(left, made, x.text(left), block.scope.index)
                if value >= 0:
                    x.emit(STORE, made, x.text(left), value)
        else:
            value = x.value(child, block, env)
            if made >= 0 and value >= 0:
                x.emit(SUBSTORE, made, None, value)


def last_name(kind: "Node") -> "Node":
    """The simple name in a type."""
    while len(written(kind)):
        if kind.type == "qualified_name":
            kind = kind.child_by_field_name("name") or written(kind)[-1]
        elif kind.type in ("generic_name", "nullable_type"):
            kind = written(kind)[0]
        else:
            break
    return kind


def read_base_call(x: CSharpExtraction, node: "Node", block: Block, env: Environment) -> int:
    """`: base(…)` and `: this(…)`."""
    word = next((c for c in node.children if c.type in ("base", "this")), None)
    listed = next((c for c in node.named_children if c.type == "argument_list"), None)
    given = read_arguments(x, listed, block, env)
    cls = class_around(block)
    if word is None or cls is None or (word.type == "base" and not cls.bases):
        return NOTHING
    base = cls.register if word.type == "this" else super_of(x, block)
    callee = x.attribute(base, x.signature(CONSTRUCTOR, given.types))
    return emit_call(x, callee, given.values, word, block)


# ---- functions as values


def read_lambda(x: CSharpExtraction, node: "Node", block: Block, env: Environment) -> int:
    scope = x.define_closure(node, block)
    inner = Block(scope, block)
    listed = node.child_by_field_name("parameters")
    nodes = written(listed) if listed is not None and len(written(listed)) else []
    if listed is not None and listed.type in ("implicit_parameter", "identifier"):
        nodes = [listed]
    for child in nodes:
        name, kind = child.child_by_field_name("name") or child, child.child_by_field_name("type")
        local = x.add_parameter(scope, inner, x.text(name), read_type(x, kind, inner))
        local.type_name = type_text(x, kind, inner)
    body = node.child_by_field_name("body") or next(iter(written(node)[-1:]), None)

    def read() -> None:
        if body is not None and body.type == "block":
            x.run(body.named_children, inner, {})
        elif body is not None:
            give_back(x, body, x.value(body, inner, {}), scope)

    x.defer(read)
    return scope.register


# ---- the rest


def read_assignment(x: CSharpExtraction, node: "Node", block: Block, env: Environment) -> int:
    left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
    if left is None:
        return x.value(right, block, env)
    value = NOTHING
    if right is not None and right.type == "implicit_object_creation_expression":
        value = read_target(x, right, x.value(left, block, env), block, env)
    else:
        value = x.value(right, block, env)
    if right is not None:
        _pass_method(x, right, value, block)
    assign(x, left, value, block, env)
    return value


def assign(x: CSharpExtraction, left: "Node", value: int, block: Block, env: Environment) -> None:
    if left.type == "identifier":
        _assign_name(x, left, value, block, env)
    elif left.type == "member_access_expression":
        target, field = _parts(left)
        base = x.value(target, block, env)
        if field is not None and base >= 0 and x.text(field):
            x.refer_attribute(field, base, x.text(field), block.scope.index)
            if value >= 0:
                x.emit(STORE, base, x.text(field), value)
    elif left.type == "element_access_expression":
        base = x.value(left.child_by_field_name("expression"), block, env)
        x.value(left.child_by_field_name("subscript"), block, env)
        if base >= 0 and value >= 0:
            x.emit(SUBSTORE, base, None, value)
    else:
        x.value(left, block, env)


def _assign_name(
    x: CSharpExtraction, node: "Node", value: int, block: Block, env: Environment
) -> None:
    name = x.text(node)
    local = block.find(name)
    if local is not None:
        x.assign(local, value, block, env)
        return
    base = this_of(x, block, holder(block, name)[1])
    if base >= 0:
        x.refer_attribute(node, base, name, block.scope.index)
        if value >= 0:
            x.emit(STORE, base, name, value)


def read_element(x: CSharpExtraction, node: "Node", block: Block, env: Environment) -> int:
    base = x.value(node.child_by_field_name("expression"), block, env)
    x.value(node.child_by_field_name("subscript"), block, env)
    if base < 0:
        return NOTHING
    register = x.register()
    x.emit(SUB, register, base, None)
    return register


def read_array(x: CSharpExtraction, node: "Node", block: Block, env: Environment) -> int:
    kind = node.child_by_field_name("type")
    element = read_type(x, kind.child_by_field_name("type"), block) if kind is not None else NOTHING
    items = [(None, element)]
    for child in node.named_children:
        if child.type == "initializer_expression":
            items += [(None, x.value(each, block, env)) for each in child.named_children]
    return x.container([*items])


def read_cast(x: CSharpExtraction, node: "Node", block: Block, env: Environment) -> int:
    """`(T)x` and `x as T`."""
    value = x.value(
        node.child_by_field_name("value") or node.child_by_field_name("left"), block, env
    )
    kind = node.child_by_field_name("type") or node.child_by_field_name("right")
    declared = read_type(x, kind, block)
    return declared if declared >= 0 else value


def read_conditional(x: CSharpExtraction, node: "Node", block: Block, env: Environment) -> int:
    x.value(node.child_by_field_name("condition"), block, env)
    left = x.value(node.child_by_field_name("consequence"), block, env)
    return x.union(left, x.value(node.child_by_field_name("alternative"), block, env))


def read_binary(x: CSharpExtraction, node: "Node", block: Block, env: Environment) -> int:
    """The left spine in a loop: generated code joins thousands of strings."""
    spine: list[tuple[str, Node | None]] = []
    rest: Node | None = node
    while rest is not None and rest.type == "binary_expression":
        token = rest.child_by_field_name("operator")
        spine.append((token.type if token is not None else "", rest.child_by_field_name("right")))
        rest = rest.child_by_field_name("left")
    value = x.value(rest, block, env)
    for operator, right in reversed(spine):
        other = x.value(right, block, env)
        value = x.union(value, other) if operator == "??" else NOTHING
    return value


def read_inner(x: CSharpExtraction, node: "Node", block: Block, env: Environment) -> int:
    value = NOTHING
    for child in node.named_children:
        value = x.value(child, block, env)
    return value


def read_await(x: CSharpExtraction, node: "Node", block: Block, env: Environment) -> int:
    """A task stands for its value: it is a container of it."""
    value = read_inner(x, node, block, env)
    if value < 0:
        return NOTHING
    register = x.register()
    x.emit(SUB, register, value, None)
    x.emit(COPY, register, value)
    return register


def read_type_value(x: CSharpExtraction, node: "Node", block: Block, env: Environment) -> int:
    read_type(x, node.child_by_field_name("type"), block)
    return NOTHING


# ---- patterns


def read_is(x: CSharpExtraction, node: "Node", block: Block, env: Environment) -> int:
    left = node.child_by_field_name("expression") or node.child_by_field_name("left")
    value = x.value(left, block, env)
    right = node.child_by_field_name("right")
    if right is not None:
        read_type(x, right, block)
    read_pattern(x, node.child_by_field_name("pattern"), value, block, env)
    return NOTHING


def read_pattern(
    x: CSharpExtraction, node: "Node | None", value: int, block: Block, env: Environment
) -> None:
    """Names that a pattern binds, with their types."""
    if node is None:
        return
    kind, name = node.child_by_field_name("type"), node.child_by_field_name("name")
    if node.type in ("declaration_pattern", "recursive_pattern", "var_pattern", "type_pattern"):
        declared = read_type(x, kind, block)
        if name is not None:
            local = declare_local(
                x, x.text(name), declared, value if declared == NOTHING else NOTHING, block, env
            )
            local.type_name = type_text(x, kind, block)
        for child in node.named_children:
            if child not in (kind, name):
                read_pattern(x, child, NOTHING, block, env)
    elif node.type == "constant_pattern":
        for child in node.named_children:
            x.value(child, block, env)
    elif node.type != "identifier":
        for child in node.named_children:
            read_pattern(x, child, value, block, env)


def read_switch_value(x: CSharpExtraction, node: "Node", block: Block, env: Environment) -> int:
    parts = written(node)
    value = x.value(parts[0], block, env) if parts else NOTHING
    result = NOTHING
    for arm in parts[1:]:
        inner = block.inner()
        inside = written(arm)
        for child in inside[:-1]:
            if child.type == "when_clause":
                x.value(child, inner, env)
            else:
                read_pattern(x, child, value, inner, env)
        if inside:
            result = x.union(result, x.value(inside[-1], inner, env))
    return result


def read_declaration(x: CSharpExtraction, node: "Node", block: Block, env: Environment) -> int:
    """`out var x`."""
    kind, name = node.child_by_field_name("type"), node.child_by_field_name("name")
    declared = read_type(x, kind, block)
    if name is None:
        return NOTHING
    local = declare_local(x, x.text(name), declared, NOTHING, block, env)
    local.type_name = type_text(x, kind, block)
    return max(declared, NOTHING)


EXPRESSIONS: dict[str, Handler] = {
    "identifier": read_identifier,
    "generic_name": read_generic,
    "this": read_this,
    "this_expression": read_this,
    "base": read_base,
    "base_expression": read_base,
    "member_access_expression": read_access,
    "conditional_access_expression": read_access,
    "qualified_name": read_generic,
    "invocation_expression": read_invocation,
    "object_creation_expression": read_creation,
    "implicit_object_creation_expression": read_implicit_creation,
    "constructor_initializer": read_base_call,
    "lambda_expression": read_lambda,
    "anonymous_method_expression": read_lambda,
    "assignment_expression": read_assignment,
    "element_access_expression": read_element,
    "array_creation_expression": read_array,
    "implicit_array_creation_expression": read_array,
    "cast_expression": read_cast,
    "as_expression": read_cast,
    "is_expression": read_is,
    "is_pattern_expression": read_is,
    "conditional_expression": read_conditional,
    "binary_expression": read_binary,
    "parenthesized_expression": read_inner,
    "checked_expression": read_inner,
    "ref_expression": read_inner,
    "await_expression": read_await,
    "switch_expression": read_switch_value,
    "declaration_expression": read_declaration,
    "typeof_expression": read_type_value,
    "default_expression": read_type_value,
    "sizeof_expression": read_type_value,
}
CSharpExtraction.expressions = EXPRESSIONS
