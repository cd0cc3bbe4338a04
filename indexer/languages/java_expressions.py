"""Java expressions: names, members, calls, objects, lambdas."""

from typing import TYPE_CHECKING

from agrama.indexer.facts import (
    COPY,
    FORM_CALL,
    FORM_CALLBACK,
    NOTHING,
    STORE,
    SUB,
    SUBSTORE,
)
from agrama.indexer.languages.classes import (
    CONSTRUCTOR,
    REFLECTION,
    call_named,
    class_around,
    construct,
    emit_call,
    holder,
    implicit_target,
    member,
    super_of,
    this_of,
)
from agrama.indexer.languages.java_patterns import read_instanceof
from agrama.indexer.languages.java_types import (
    JavaExtraction,
    class_of,
    is_library,
    named_class,
    read_type,
    type_text,
)
from agrama.indexer.languages.java_typing import static_type
from agrama.indexer.languages.typed import Block, Environment, Handler

if TYPE_CHECKING:
    from tree_sitter import Node  # noqa: TID251 - a type only


# ---- names


def read_identifier(x: JavaExtraction, node: "Node", block: Block, env: Environment) -> int:
    name = x.text(node)
    how, owner = holder(block, name)
    if how == "local":
        local = block.find(name)
        return NOTHING if local is None else x.read_local(local, block, env)
    if how == "member" and owner is not None:
        return member(x, this_of(x, block, owner), name, node, block)
    if name in x.static_imported:
        return member(x, x.static_imported[name], name, node, block)
    if name[:1].isupper() and (not name.isupper() or len(name) == 1 or block.find_type(name)):
        return named_class(x, name, node, block)
    found = NOTHING
    if owner is not None:
        found = member(x, this_of(x, block, owner), name, node, block)
    for register in x.static_stars:
        found = x.union(found, member(x, register, name, node, block))
    if name.isupper():
        found = x.union(found, named_class(x, name, node, block))
    return found


def read_this(x: JavaExtraction, node: "Node", block: Block, env: Environment) -> int:
    return this_of(x, block)


def read_super(x: JavaExtraction, node: "Node", block: Block, env: Environment) -> int:
    return super_of(x, block)


def read_field(x: JavaExtraction, node: "Node", block: Block, env: Environment) -> int:
    target, field = node.child_by_field_name("object"), node.child_by_field_name("field")
    if target is None or field is None:
        return NOTHING
    if field.type == "this":
        outer = block.find_type(x.text(target))
        class_of(x, target, block)
        return this_of(x, block, outer) if outer is not None else NOTHING
    text = x.text(target)
    if text.replace(".", "").replace("_", "").isalnum() and text[:1].islower():
        name = x.text(field)
        if name[:1].isupper() and holder(block, text.partition(".")[0])[0] in ("", "inherited"):
            return x.import_class(text, name)
    base = x.value(target, block, env)
    return member(x, base, x.text(field), field, block)


# ---- calls


def _arguments(x: JavaExtraction, node: "Node", block: Block, env: Environment) -> tuple[int, ...]:
    return _values(x, argument_nodes(node.child_by_field_name("arguments")), block, env)


def _values(
    x: JavaExtraction, nodes: list["Node"], block: Block, env: Environment
) -> tuple[int, ...]:
    values: list[int] = []
    for child in nodes:
        values.append(x.value(child, block, env))
        if child.type == "method_reference" and values[-1] >= 0:
            emit_call(x, values[-1], (), child.named_children[-1], block, FORM_CALLBACK)
    return tuple(values)


def argument_nodes(listed: "Node | None") -> list["Node"]:
    if listed is None:
        return []
    return [child for child in listed.named_children if "comment" not in child.type]


def _signature(x: JavaExtraction, name: str, node: "Node", block: Block, env: Environment) -> str:
    """The name of a member with the types of the arguments: `put(String,?)`."""
    listed = argument_nodes(node.child_by_field_name("arguments"))
    return f"{name}({','.join(static_type(x, each, block) for each in listed)})"


def read_invocation(x: JavaExtraction, node: "Node", block: Block, env: Environment) -> int:
    target, name = node.child_by_field_name("object"), node.child_by_field_name("name")
    types = node.child_by_field_name("type_arguments")
    if types is not None:
        read_type(x, types, block)
    if name is None:
        return NOTHING
    listed = argument_nodes(node.child_by_field_name("arguments"))
    called = call_method(x, target, name, listed, block, env)
    if x.text(name) in REFLECTION:
        _read_reflection(x, node, name, block)
    return called


def call_method(
    x: JavaExtraction,
    target: "Node | None",
    name: "Node",
    listed: list["Node"],
    block: Block,
    env: Environment,
) -> int:
    """`target.name(…)`, or `name(…)` of a class around."""
    text = x.text(name)
    base = implicit_target(x, text, block) if target is None else x.value(target, block, env)
    types = ",".join(static_type(x, each, block) for each in listed)
    arguments = _values(x, listed, block, env)
    if base < 0:
        return NOTHING
    return emit_call(x, x.attribute(base, f"{text}({types})"), arguments, name, block)


def _read_reflection(x: JavaExtraction, node: "Node", name: "Node", block: Block) -> None:
    """`T.class.getMethod("f")`: f of T."""
    wanted = literal_argument(x, node)
    target = node.child_by_field_name("object")
    if not wanted or target is None:
        return
    register = NOTHING
    if target.type == "class_literal" and target.named_child_count:
        register = class_of(x, target.named_children[0], block)
        if register < 0:
            return  # a class of a library
    elif target.type == "method_invocation":
        register = _loaded_class(x, target)
    call_named(x, register, wanted, name, block)


def _loaded_class(x: JavaExtraction, node: "Node") -> int:
    """`Class.forName("shop.Cart")`."""
    target, name = node.child_by_field_name("object"), node.child_by_field_name("name")
    wanted = literal_argument(x, node)
    if target is None or name is None or not wanted:
        return NOTHING
    if (x.text(target), x.text(name)) != ("Class", "forName"):
        return NOTHING
    package, _, last = wanted.rpartition(".")
    return x.import_class(package, last)


def literal_argument(x: JavaExtraction, node: "Node") -> str:
    """The first argument of a call, where it is a string."""
    listed = argument_nodes(node.child_by_field_name("arguments"))
    if not listed or listed[0].type != "string_literal":
        return ""
    return x.text(listed[0]).strip("\"'")


def read_creation(x: JavaExtraction, node: "Node", block: Block, env: Environment) -> int:
    """`new T(…)`: two calls at one place, of the class and of the constructor it has."""
    kind = node.child_by_field_name("type")
    body = next((child for child in node.named_children if child.type == "class_body"), None)
    for child in node.named_children:  # `outer.new Inner()`
        if child != kind and child.type not in ("argument_list", "class_body"):
            x.value(child, block, env)
    signature = _signature(x, CONSTRUCTOR, node, block, env)
    arguments = _arguments(x, node, block, env)
    if kind is None:
        return NOTHING
    name = _type_name(kind)
    if is_library(x, x.text(name), block):
        made = max(read_type(x, kind, block), NOTHING)
        register = NOTHING
    else:
        register = class_of(x, kind, block)
        made = construct(x, register, signature, arguments, name, block)
    if body is not None:
        return x.read_anonymous(node, body, register, block)
    return made


def _type_name(kind: "Node") -> "Node":
    while kind.named_child_count:
        if kind.type == "generic_type":
            kind = kind.named_children[0]
        elif kind.type in ("scoped_type_identifier", "annotated_type"):
            kind = kind.named_children[-1]
        else:
            break
    return kind


def read_constructor_call(x: JavaExtraction, node: "Node", block: Block, env: Environment) -> int:
    """`super(…)` and `this(…)`."""
    word = node.child_by_field_name("constructor")
    signature = _signature(x, CONSTRUCTOR, node, block, env)
    arguments = _arguments(x, node, block, env)
    cls = class_around(block)
    if word is None or cls is None:
        return NOTHING
    base = cls.register if word.type == "this" else read_super(x, word, block, env)
    if word.type == "super" and not cls.bases:
        return NOTHING
    return emit_call(x, x.attribute(base, signature), arguments, word, block, FORM_CALL)


# ---- functions as values


def read_reference(x: JavaExtraction, node: "Node", block: Block, env: Environment) -> int:
    """`Type::method`, `value::method`, `Type::new`."""
    parts = node.named_children
    if not parts:
        return NOTHING
    base = x.value(parts[0], block, env)
    if base < 0 and parts[0].type != "identifier":
        base = class_of(x, parts[0], block)
    if len(parts) < 2 or base < 0:
        return base
    return member(x, base, x.text(parts[-1]), parts[-1], block)


def read_lambda(x: JavaExtraction, node: "Node", block: Block, env: Environment) -> int:
    scope = x.define_closure(node, block)
    inner = Block(scope, block)
    parameters = node.child_by_field_name("parameters")
    if parameters is not None and parameters.type == "identifier":
        x.add_parameter(scope, inner, x.text(parameters), NOTHING)
    elif parameters is not None:
        for child in parameters.named_children:
            name = child.child_by_field_name("name") or child
            kind = child.child_by_field_name("type")
            local = x.add_parameter(scope, inner, x.text(name), read_type(x, kind, inner))
            local.type_name = type_text(x, kind, inner)
    body = node.child_by_field_name("body")

    def read() -> None:
        if body is None:
            return
        if body.type == "block":
            x.run(body.named_children, inner, {})
        else:
            value = x.value(body, inner, {})
            if value >= 0:
                scope.returns.append(value)

    x.defer(read)
    return scope.register


# ---- the rest


def read_assignment(x: JavaExtraction, node: "Node", block: Block, env: Environment) -> int:
    left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
    value = x.value(right, block, env)
    if left is None:
        return value
    if left.type == "identifier":
        _assign_name(x, left, value, block, env)
    elif left.type == "field_access":
        target, field = left.child_by_field_name("object"), left.child_by_field_name("field")
        base = x.value(target, block, env)
        if field is not None and base >= 0:
            x.refer_attribute(field, base, x.text(field), block.scope.index)
            if value >= 0:
                x.emit(STORE, base, x.text(field), value)
    elif left.type == "array_access":
        base = x.value(left.child_by_field_name("array"), block, env)
        x.value(left.child_by_field_name("index"), block, env)
        if base >= 0 and value >= 0:
            x.emit(SUBSTORE, base, None, value)
    return value


def _assign_name(
    x: JavaExtraction, node: "Node", value: int, block: Block, env: Environment
) -> None:
    name = x.text(node)
    how, owner = holder(block, name)
    if how == "local":
        local = block.find(name)
        if local is not None:
            x.assign(local, value, block, env)
    elif owner is not None:
        base = this_of(x, block, owner)
        if base >= 0:
            x.refer_attribute(node, base, name, block.scope.index)
            if value >= 0:
                x.emit(STORE, base, name, value)


def read_access(x: JavaExtraction, node: "Node", block: Block, env: Environment) -> int:
    base = x.value(node.child_by_field_name("array"), block, env)
    x.value(node.child_by_field_name("index"), block, env)
    if base < 0:
        return NOTHING
    register = x.register()
    x.emit(SUB, register, base, None)
    return register


def read_array(x: JavaExtraction, node: "Node", block: Block, env: Environment) -> int:
    element = read_type(x, node.child_by_field_name("type"), block)
    items = [(None, element)]
    for child in node.named_children:
        if child.type == "array_initializer":
            items += [(None, x.value(each, block, env)) for each in child.named_children]
        elif child.type == "dimensions_expr":
            x.value(child, block, env)
    return x.container([*items])


def read_initializer(x: JavaExtraction, node: "Node", block: Block, env: Environment) -> int:
    return x.container([(None, x.value(each, block, env)) for each in node.named_children])


def read_cast(x: JavaExtraction, node: "Node", block: Block, env: Environment) -> int:
    value = x.value(node.child_by_field_name("value"), block, env)
    declared = read_type(x, node.child_by_field_name("type"), block)
    return declared if declared >= 0 else value


def read_ternary(x: JavaExtraction, node: "Node", block: Block, env: Environment) -> int:
    x.value(node.child_by_field_name("condition"), block, env)
    left = x.value(node.child_by_field_name("consequence"), block, env)
    return x.union(left, x.value(node.child_by_field_name("alternative"), block, env))


def read_class_literal(x: JavaExtraction, node: "Node", block: Block, env: Environment) -> int:
    for child in node.named_children:
        read_type(x, child, block)
    return NOTHING


def read_binary(x: JavaExtraction, node: "Node", block: Block, env: Environment) -> int:
    """The left spine in a loop: generated code joins thousands of strings.

    From left to right all the same: `o instanceof T t && t.f()` binds t first.
    """
    spine: list[Node | None] = []
    rest: Node | None = node
    while rest is not None and rest.type == "binary_expression":
        spine.append(rest.child_by_field_name("right"))
        rest = rest.child_by_field_name("left")
    x.value(rest, block, env)
    for right in reversed(spine):
        x.value(right, block, env)
    return NOTHING


def read_inner(x: JavaExtraction, node: "Node", block: Block, env: Environment) -> int:
    value = NOTHING
    for child in node.named_children:
        value = x.value(child, block, env)
    return value


def read_switch_value(x: JavaExtraction, node: "Node", block: Block, env: Environment) -> int:
    x.statements["switch_expression"](x, node, block, env)
    register = x.register()
    for value in x.yielded.pop(node.id, ()):
        if value >= 0:
            x.emit(COPY, register, value)
    return register


def read_type_value(x: JavaExtraction, node: "Node", block: Block, env: Environment) -> int:
    return class_of(x, node, block)


EXPRESSIONS: dict[str, Handler] = {
    "identifier": read_identifier,
    "this": read_this,
    "super": read_super,
    "field_access": read_field,
    "method_invocation": read_invocation,
    "object_creation_expression": read_creation,
    "explicit_constructor_invocation": read_constructor_call,
    "method_reference": read_reference,
    "lambda_expression": read_lambda,
    "assignment_expression": read_assignment,
    "array_access": read_access,
    "array_creation_expression": read_array,
    "array_initializer": read_initializer,
    "cast_expression": read_cast,
    "instanceof_expression": read_instanceof,
    "ternary_expression": read_ternary,
    "class_literal": read_class_literal,
    "binary_expression": read_binary,
    "parenthesized_expression": read_inner,
    "switch_expression": read_switch_value,
    **dict.fromkeys(("type_identifier", "generic_type", "scoped_type_identifier"), read_type_value),
}
JavaExtraction.expressions = EXPRESSIONS
