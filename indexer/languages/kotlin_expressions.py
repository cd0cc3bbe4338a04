"""Kotlin expressions and statements, which are expressions too."""

from typing import TYPE_CHECKING

from agrama.indexer.facts import FORM_CALLBACK, KEYS, MAPPING, NOTHING, STORE, SUB, SUBSTORE
from agrama.indexer.languages.classes import (
    UNKNOWN,
    Given,
    call_class,
    call_member,
    call_name,
    either,
    emit_call,
    holder,
    member,
    named_class,
    read_name,
    super_of,
    this_of,
)
from agrama.indexer.languages.classes_statements import (
    give_back,
)
from agrama.indexer.languages.kotlin_library import (
    GIVES_IT,
    GIVES_THIS,
    MAKERS,
    RETURNS_RECEIVER,
)
from agrama.indexer.languages.kotlin_types import (
    TYPES,
    KotlinExtraction,
    class_of,
    read_type,
    static_type,
    type_node,
    type_text,
)
from agrama.indexer.languages.typed import Block, Environment, Handler, Scope, written

if TYPE_CHECKING:
    from tree_sitter import Node  # noqa: TID251 - a type only

_LAMBDAS = frozenset(("lambda_literal", "annotated_lambda"))
_WORDS = frozenset(("true", "false", "null"))
VALUED = frozenset(("if_expression", "when_expression", "try_expression"))
"""Statements that are values too: as the last of a block they are what it yields."""


# ---- names


def read_identifier(x: KotlinExtraction, node: "Node", block: Block, env: Environment) -> int:
    return NOTHING if x.text(node) in _WORDS else read_name(x, node, block, env)


def read_this(x: KotlinExtraction, node: "Node", block: Block, env: Environment) -> int:
    label = written(node)[0] if len(written(node)) else None
    cls = block.find_type(x.text(label)) if label is not None else None
    return this_of(x, block, cls)


def read_super(x: KotlinExtraction, node: "Node", block: Block, env: Environment) -> int:
    return super_of(x, block)


def read_navigation(x: KotlinExtraction, node: "Node", block: Block, env: Environment) -> int:
    """`a.b`, `a?.b`, `Type::member`, `a.b.Class`."""
    parts = written(node)
    if len(parts) < 2:
        return x.value(parts[0], block, env) if parts else NOTHING
    name = parts[-1]
    reference = any(child.type == "::" for child in node.children)
    if reference and x.text(name) == "class":
        x.value(parts[0], block, env)
        return NOTHING
    base = _read_receiver(x, parts[0], block, env)
    value = member(x, base, x.text(name), name, block)
    if base >= 0 and not reference and x.visible() >= 0:
        value = either(x, value, x.attribute(x.visible(), f".{x.text(name)}"))
    package = _package_of(x, parts[0], block)
    if package and x.text(name)[:1].isupper():
        return x.import_class(package, x.text(name))
    if reference and value >= 0:
        emit_call(x, value, (), name, block, FORM_CALLBACK)
    return value


def _package_of(x: KotlinExtraction, node: "Node", block: Block) -> str:
    """The text of a receiver that can only be a package."""
    text = x.text(node)
    first, dot, _ = text.partition(".")
    if not text.replace(".", "").replace("_", "").isalnum():
        return ""
    if not all(part[:1].islower() for part in text.split(".")):
        return ""
    if holder(block, first)[0] in ("local", "member"):
        return ""
    return text if dot or not x.knows(first) else ""


def _read_receiver(x: KotlinExtraction, node: "Node", block: Block, env: Environment) -> int:
    """A name before a dot may be a class, whatever its case."""
    if node.type == "identifier" and x.text(node)[:1].isupper():
        how = holder(block, x.text(node))[0]
        if how not in ("local", "member"):
            cls = named_class(x, x.text(node), node, block)
            return x.union(cls, read_name(x, node, block, env)) if cls < 0 else cls
    return x.value(node, block, env)


def read_reference(x: KotlinExtraction, node: "Node", block: Block, env: Environment) -> int:
    """`::name`, `Type::name`: handed on by its name, it counts as called."""
    names = [child for child in node.named_children if child.type == "identifier"]
    if not names:
        return NOTHING
    if len(node.named_children) > 1:
        base = class_of(x, type_node(node), block)
        if base < 0:
            base = x.value(written(node)[0], block, env)
        value = member(x, base, x.text(names[-1]), names[-1], block)
    else:
        value = read_name(x, names[-1], block, env)
    if value >= 0:
        emit_call(x, value, (), names[-1], block, FORM_CALLBACK)
    return value


# ---- calls


def flatten(node: "Node") -> tuple["Node | None", list["Node"], list["Node"]]:
    """The callee, the lists of arguments, and the lambda after them."""
    parts = written(node)
    function = parts[0] if parts else None
    lists = [part for part in parts[1:] if part.type in ("value_arguments", "type_arguments")]
    lambdas = [part for part in parts[1:] if part.type in _LAMBDAS]
    if function is not None and function.type == "call_expression" and lambdas and not lists:
        inner, lists, more = flatten(function)
        if not more:
            return inner, lists, lambdas
        lists = []
    return function, lists, lambdas


def read_arguments(
    x: KotlinExtraction, lists: list["Node"], block: Block, env: Environment
) -> Given:
    values: list[int] = []
    types: list[str] = []
    for listed in lists:
        if listed.type == "type_arguments":
            read_type(x, listed, block)
            continue
        for child in listed.named_children:
            inner = written(child)
            if child.type != "value_argument" or not inner:
                continue
            kind = static_type(x, inner[-1], block)
            label = x.text(inner[0]) if any(each.type == "=" for each in child.children) else ""
            values.append(x.value(inner[-1], block, env))
            types.append(f"{label}:{kind}" if label else kind)
    return Given(tuple(values), tuple(types))


def read_call(x: KotlinExtraction, node: "Node", block: Block, env: Environment) -> int:
    function, lists, lambdas = flatten(node)
    if function is None:
        return NOTHING
    if function.type == "navigation_expression" and len(written(function)) > 1:
        return _call_member(x, function, lists, lambdas, block, env)
    if function.type != "identifier":
        value = x.value(function, block, env)
        given = _with_lambdas(x, read_arguments(x, lists, block, env), lambdas, block, env)
        return emit_call(x, value, given.values, function, block) if value >= 0 else NOTHING
    name = x.text(function)
    given = read_arguments(x, lists, block, env)
    if name in GIVES_THIS and lambdas and holder(block, name)[0] in ("", "inherited"):
        receiver = given.values[0] if given.values else this_of(x, block)
        return _give_receiver(x, name, receiver, UNKNOWN, lambdas[0], block, env)
    given = _with_lambdas(x, given, lambdas, block, env)
    if name in MAKERS and name not in x.functions:
        return _make_container(x, name, lists, given, block)
    return call_name(x, function, given, block, env)


def _with_lambdas(
    x: KotlinExtraction, given: Given, lambdas: list["Node"], block: Block, env: Environment
) -> Given:
    values = tuple(x.value(each, block, env) for each in lambdas)
    return Given((*given.values, *values), (*given.types, *["*:->"] * len(values)))


def _make_container(
    x: KotlinExtraction, name: str, lists: list["Node"], given: Given, block: Block
) -> int:
    kinds = [
        read_type(x, type_node(child), block)
        for listed in lists
        if listed.type == "type_arguments"
        for child in listed.named_children
    ]
    if name.lower().endswith("mapof") or name == "emptyMap":
        items = [(KEYS, kinds[0]), (None, kinds[-1])] if kinds else []
        return x.container([*items], MAPPING)
    return x.container([(None, value) for value in (*kinds[-1:], *given.values)])


def _call_member(
    x: KotlinExtraction,
    function: "Node",
    lists: list["Node"],
    lambdas: list["Node"],
    block: Block,
    env: Environment,
) -> int:
    target, name = written(function)[0], written(function)[-1]
    text = x.text(name)
    base = _read_receiver(x, target, block, env)
    owner = static_type(x, target, block)
    given = read_arguments(x, lists, block, env)
    if (text in GIVES_THIS or text in GIVES_IT) and lambdas and not given.values:
        return _give_receiver(x, text, base, owner, lambdas[0], block, env)
    given = _with_lambdas(x, given, lambdas, block, env)
    package = _package_of(x, target, block)
    if package and text[:1].isupper():
        cls = x.import_class(package, text)
        return call_class(x, cls, name, given, block)
    if package and "." in package:
        callee = x.attribute(x.package_class(package), x.signature(text, given.types))
        return emit_call(x, callee, given.values, name, block)
    found = x.functions.get(text)
    if found is not None and found[1] != text:
        base = either(x, base, found[0])
    return call_member(x, base, owner, name, given, block)


def _give_receiver(
    x: KotlinExtraction,
    name: str,
    base: int,
    owner: str,
    node: "Node",
    block: Block,
    env: Environment,
) -> int:
    """`x.let { it }`, `x.apply { this }`: the lambda runs with x."""
    scope = read_lambda_with(x, node, block, base, owner, as_this=name in GIVES_THIS)
    if scope is None:
        return NOTHING
    result = emit_call(x, scope.register, (base,), node, block, FORM_CALLBACK)
    return base if name in RETURNS_RECEIVER else result


# ---- functions as values


def read_lambda(x: KotlinExtraction, node: "Node", block: Block, env: Environment) -> int:
    scope = read_lambda_with(x, node, block, NOTHING, "", as_this=False)
    return scope.register if scope is not None else NOTHING


def read_lambda_with(
    x: KotlinExtraction, node: "Node", block: Block, given: int, owner: str, *, as_this: bool
) -> Scope | None:
    """A lambda; `given` is what it is known to be called with, or on."""
    if node.type == "annotated_lambda":
        inner_node = next((c for c in node.named_children if c.type == "lambda_literal"), None)
        if inner_node is None:
            return None
        node = inner_node
    scope = x.define_closure(node, block)
    inner = Block(scope, block)
    parts = written(node)
    if as_this and given >= 0:
        scope.self_register = given
    if parts and parts[0].type == "lambda_parameters":
        for child in parts.pop(0).named_children:
            _add_parameter(x, scope, inner, child)
    elif not as_this:
        local = x.add_parameter(scope, inner, "it", NOTHING)
        local.type_name = owner
    x.defer(lambda: _run_lambda(x, scope, parts, inner))
    return scope


def _add_parameter(x: KotlinExtraction, scope: Scope, block: Block, node: "Node") -> None:
    if node.type == "multi_variable_declaration":
        local = x.add_parameter(scope, block, "", NOTHING)
        for child in node.named_children:
            if len(written(child)):
                block.names[x.text(written(child)[0])] = x.declare("_", block)
        return
    kind = type_node(node)
    name = written(node)[0] if len(written(node)) else node
    local = x.add_parameter(scope, block, x.text(name), read_type(x, kind, block))
    local.type_name = type_text(x, kind, block)


def _run_lambda(x: KotlinExtraction, scope: Scope, parts: list["Node"], block: Block) -> None:
    """The last expression of a lambda is what it returns."""
    env = x.run(parts[:-1], block, {}) or {}
    if parts:
        last = parts[-1]
        handler = x.statements.get(last.type)
        if handler is not None and last.type not in VALUED:
            handler(x, last, block, env)
        else:
            give_back(x, last, x.value(last, block, env), scope)


def read_anonymous(x: KotlinExtraction, node: "Node", block: Block, env: Environment) -> int:
    """`fun(x: Int) { … }`."""
    scope = x.define_closure(node, block)
    inner = Block(scope, block)
    for child in node.named_children:
        if child.type == "function_value_parameters":
            for each in child.named_children:
                if each.type == "parameter":
                    _add_parameter(x, scope, inner, each)
        elif child.type in TYPES:
            scope.return_type = read_type(x, child, inner)
        elif child.type == "function_body":
            x.defer(lambda body=child: read_body(x, scope, body, inner))  # type: ignore[misc]
    return scope.register


def read_body(x: KotlinExtraction, scope: Scope, body: "Node", block: Block) -> None:
    """`{ … }` or `= value`."""
    for child in body.named_children:
        if child.type == "block":
            x.run(child.named_children, block, {})
        else:
            give_back(x, child, x.value(child, block, {}), scope)


# ---- the rest


def read_assignment(x: KotlinExtraction, node: "Node", block: Block, env: Environment) -> int:
    left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
    value = x.value(right, block, env)
    if left is None:
        return NOTHING
    if left.type == "identifier":
        name = x.text(left)
        local = block.find(name)
        if local is not None:
            x.assign(local, value, block, env)
        else:
            target = read_name(x, left, block, env)
            base = this_of(x, block, holder(block, name)[1])
            if base >= 0 and value >= 0 and target >= 0 and name:
                x.emit(STORE, base, name, value)
    elif left.type == "navigation_expression" and len(written(left)) > 1:
        base = x.value(written(left)[0], block, env)
        field = written(left)[-1]
        member(x, base, x.text(field), field, block)
        if base >= 0 and value >= 0 and x.text(field):
            x.emit(STORE, base, x.text(field), value)
    elif left.type == "index_expression" and len(written(left)):
        base = x.value(written(left)[0], block, env)
        for child in written(left)[1:]:
            x.value(child, block, env)
        if base >= 0 and value >= 0:
            x.emit(SUBSTORE, base, None, value)
    return NOTHING


def read_index(x: KotlinExtraction, node: "Node", block: Block, env: Environment) -> int:
    parts = written(node)
    base = x.value(parts[0], block, env) if parts else NOTHING
    for child in parts[1:]:
        x.value(child, block, env)
    if base < 0:
        return NOTHING
    register = x.register()
    x.emit(SUB, register, base, None)
    return register


def read_cast(x: KotlinExtraction, node: "Node", block: Block, env: Environment) -> int:
    value = x.value(node.child_by_field_name("left"), block, env)
    declared = read_type(x, node.child_by_field_name("right"), block)
    return declared if declared >= 0 else value


def read_is(x: KotlinExtraction, node: "Node", block: Block, env: Environment) -> int:
    """After `x is T`, x is a T as far as this way goes."""
    left, kind = node.child_by_field_name("left"), node.child_by_field_name("right")
    x.value(left, block, env)
    declared = read_type(x, kind, block)
    negated = any(child.type == "!is" for child in node.children)
    if left is not None and left.type == "identifier" and declared >= 0 and not negated:
        narrow(x, x.text(left), declared, block, env)
    return NOTHING


def narrow(x: KotlinExtraction, name: str, declared: int, block: Block, env: Environment) -> None:
    local = block.find(name)
    if local is not None and local.function is block.scope:
        env[local] = (declared,)


def read_binary(x: KotlinExtraction, node: "Node", block: Block, env: Environment) -> int:
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
        value = x.union(value, other) if operator == "?:" else NOTHING
    return value


def read_infix(x: KotlinExtraction, node: "Node", block: Block, env: Environment) -> int:
    """`a name b`."""
    parts = written(node)
    if len(parts) != 3:
        return read_inner(x, node, block, env)
    base = x.value(parts[0], block, env)
    given = Given((x.value(parts[2], block, env),), (static_type(x, parts[2], block),))
    return call_member(x, base, static_type(x, parts[0], block), parts[1], given, block)


def read_inner(x: KotlinExtraction, node: "Node", block: Block, env: Environment) -> int:
    value = NOTHING
    for child in node.named_children:
        value = x.value(child, block, env)
    return value


def read_object(x: KotlinExtraction, node: "Node", block: Block, env: Environment) -> int:
    return x.read_object(node, block)


EXPRESSIONS: dict[str, Handler] = {
    "identifier": read_identifier,
    "this_expression": read_this,
    "super_expression": read_super,
    "navigation_expression": read_navigation,
    "call_expression": read_call,
    "callable_reference": read_reference,
    "lambda_literal": read_lambda,
    "annotated_lambda": read_lambda,
    "anonymous_function": read_anonymous,
    "assignment": read_assignment,
    "index_expression": read_index,
    "as_expression": read_cast,
    "is_expression": read_is,
    "binary_expression": read_binary,
    "infix_expression": read_infix,
    "object_literal": read_object,
    "parenthesized_expression": read_inner,
    "unary_expression": read_inner,
    "spread_expression": read_inner,
    "labeled_expression": read_inner,
    "annotated_expression": read_inner,
    "type_arguments": lambda x, node, block, env: read_type(x, node, block),
    "user_type": lambda x, node, block, env: class_of(x, node, block),
}
KotlinExtraction.expressions = EXPRESSIONS
