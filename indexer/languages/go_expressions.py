"""Go expressions: the register of each value, calls, literals, closures."""

from typing import TYPE_CHECKING

from agrama.indexer.facts import (
    CALL,
    FORM_CALL,
    NOTHING,
    OUTSIDE,
    SPREAD,
    STORE,
    SUB,
    SUBSTORE,
)
from agrama.indexer.languages.go_types import (
    BASIC_TYPES,
    GoExtraction,
    class_of,
    find_import,
    find_parameter,
    read_results,
    read_type,
    result_register,
)
from agrama.indexer.languages.typed import Block, Environment, Handler, Local, Scope

if TYPE_CHECKING:
    from tree_sitter import Node  # noqa: TID251 - a type only

_CONSTANTS = frozenset(("nil", "true", "false", "iota", "_"))
_BUILTINS = frozenset(
    (
        "cap", "clear", "close", "complex", "copy", "delete", "imag", "len", "max", "min", "panic",
        "print", "println", "real", "recover",
    )
)  # fmt: skip
_TYPES = frozenset(
    ("slice_type", "map_type", "channel_type", "array_type", "function_type", "interface_type",
     "struct_type", "pointer_type", "generic_type", "qualified_type")
)  # fmt: skip


def read_identifier(x: GoExtraction, node: "Node", block: Block, env: Environment) -> int:
    name = x.text(node)
    local = block.find(name)
    if local is not None:
        return x.read_local(local, block, env)
    if name in _CONSTANTS or name in BASIC_TYPES:
        return NOTHING
    kind = block.find_type(name)
    if kind is not None:
        return kind.register
    if name not in x.exports:
        found = x.imported.get(name)
        if found is not None:
            return found[0]
        if name in _BUILTINS or find_parameter(block.scope, name) is not None:
            return NOTHING
    return x.read_free(name, node, block.scope)


def read_selector(x: GoExtraction, node: "Node", block: Block, env: Environment) -> int:
    operand, field = node.child_by_field_name("operand"), node.child_by_field_name("field")
    if operand is None or field is None:
        return NOTHING
    base = _read_operand(x, operand, block, env)
    if base < 0:
        return NOTHING
    name = x.text(field)
    x.refer_attribute(field, base, name, block.scope.index)
    return x.attribute(base, name)


def _read_operand(x: GoExtraction, node: "Node", block: Block, env: Environment) -> int:
    """What stands before a dot: a package, whose name may differ from its path, or a value."""
    if node.type == "identifier":
        name = x.text(node)
        if block.find(name) is None and name not in x.exports and name not in x.imported:
            found = find_import(x, name)
            if found is not None:
                return found[0]
    return x.value(node, block, env)


# ---- calls


def read_call(x: GoExtraction, node: "Node", block: Block, env: Environment) -> int:
    function = node.child_by_field_name("function")
    arguments = node.child_by_field_name("arguments")
    listed = [n for n in arguments.named_children if n.type != "comment"] if arguments else []
    types = node.child_by_field_name("type_arguments")
    if function is None:
        return NOTHING
    if function.type == "identifier" and block.find(x.text(function)) is None:
        name = x.text(function)
        if name not in x.exports:
            if name in ("new", "make"):
                return _read_made(x, listed, block, env)
            if name == "append":
                return _read_append(x, listed, block, env)
            if name in _BUILTINS or name in BASIC_TYPES:
                values = [x.value(each, block, env) for each in listed]
                return values[0] if name in ("max", "min") and values else NOTHING
    callee = _read_callee(x, function, block, env)
    if types is not None:
        callee = _instantiate(x, callee, types, block)
    return call(x, node, function, callee, listed, block, env)


def _instantiate(x: GoExtraction, callee: int, types: "Node | None", block: Block) -> int:
    """`generic[T](x)` and `table[key](x)` look the same."""
    for child in types.named_children if types is not None else ():
        if block.find(x.text(child)) is None:
            read_type(x, child, block)
    if callee < 0:
        return NOTHING
    element = x.register()
    x.emit(SUB, element, callee, None)
    return x.union(element, callee)


def _read_callee(x: GoExtraction, node: "Node", block: Block, env: Environment) -> int:
    """`f[int](x)` may call an instantiated f or an element of f."""
    if node.type in ("index_expression", "type_instantiation_expression"):
        inner = node.child_by_field_name("operand") or node.named_children[0]
        base = _read_callee(x, inner, block, env)
        element = x.value(node, block, env) if node.type == "index_expression" else NOTHING
        return x.union(element, base)
    if node.type == "parenthesized_expression" and node.named_child_count == 1:
        inner = node.named_children[0]
        if inner.type == "unary_expression" and inner.named_child_count == 1:
            return _read_callee(x, inner.named_children[0], block, env)
        return _read_callee(x, inner, block, env)
    return x.value(node, block, env)


def call(
    x: GoExtraction,
    node: "Node",
    function: "Node",
    callee: int,
    listed: list["Node"],
    block: Block,
    env: Environment,
) -> int:
    arguments = [x.value(each, block, env) for each in listed]
    if len(listed) == 1 and listed[0].type == "call_expression" and arguments[0] >= 0:
        arguments = [x.union(_part(x, arguments[0], 0), arguments[0])]
    elif listed and listed[-1].type == "variadic_argument":
        arguments = [*arguments[:-1], SPREAD]
    if callee < 0:
        return NOTHING
    register = x.register()
    name = _name_of(function)
    row, column = name.start_point
    x.emit(
        CALL, register, callee, tuple(arguments), (), row + 1, column, block.scope.index, FORM_CALL
    )
    return register


def _name_of(node: "Node") -> "Node":
    while True:
        if node.type == "selector_expression":
            return node.child_by_field_name("field") or node
        if node.type in ("index_expression", "type_instantiation_expression"):
            node = node.named_children[0]
        elif node.type == "qualified_type":
            return node.child_by_field_name("name") or node
        elif node.type == "generic_type":
            node = node.named_children[0]
        else:
            return node


def _part(x: GoExtraction, register: int, at: int) -> int:
    part = x.register()
    x.emit(SUB, part, register, ("i", at))
    return part


def _read_made(x: GoExtraction, listed: list["Node"], block: Block, env: Environment) -> int:
    """`new(T)` and `make(T)`."""
    for other in listed[1:]:
        x.value(other, block, env)
    if not listed:
        return NOTHING
    return max(read_type(x, listed[0], block), NOTHING)


def _read_append(x: GoExtraction, listed: list["Node"], block: Block, env: Environment) -> int:
    values = [x.value(each, block, env) for each in listed]
    if not values:
        return NOTHING
    if values[0] < 0:
        return x.container([(None, value) for value in values[1:]])
    if listed[-1].type == "variadic_argument":
        return x.union(values[0], values[-1])
    for value in values[1:]:
        if value >= 0:
            x.emit(SUBSTORE, values[0], None, value)
    return values[0]


def read_variadic(x: GoExtraction, node: "Node", block: Block, env: Environment) -> int:
    return x.value(node.named_children[0], block, env) if node.named_child_count else NOTHING


def read_conversion(x: GoExtraction, node: "Node", block: Block, env: Environment) -> int:
    """`[]byte(x)`; `pkg.Do[int](x)` is read as one too, though Do may be a function."""
    kind, operand = node.child_by_field_name("type"), node.child_by_field_name("operand")
    if kind is not None and kind.type == "generic_type":
        inner, types = kind.child_by_field_name("type"), kind.child_by_field_name("type_arguments")
        is_name = inner is not None and inner.type == "type_identifier"
        own = is_name and inner is not None and block.find(x.text(inner)) is not None
        if inner is not None and own:
            callee = read_identifier(x, inner, block, env)
        else:
            callee = class_of(x, inner, block)
        callee = _instantiate(x, callee, types, block)
        return call(x, node, kind, callee, [operand] if operand else [], block, env)
    value = x.value(operand, block, env)
    declared = read_type(x, kind, block)
    return declared if declared >= 0 else value


# ---- values made of others


def read_composite(x: GoExtraction, node: "Node", block: Block, env: Environment) -> int:
    kind, body = node.child_by_field_name("type"), node.child_by_field_name("body")
    register = max(read_type(x, kind, block), NOTHING)
    _fill_literal(x, register, kind, body, block, env)
    return register


def _fill_literal(
    x: GoExtraction,
    register: int,
    kind: "Node | None",
    body: "Node | None",
    block: Block,
    env: Environment,
) -> None:
    """Fields and elements of a literal; the type of an element need not be written."""
    keyed_by_name = kind is not None and kind.type in (
        "type_identifier", "qualified_type", "generic_type", "struct_type",
    )  # fmt: skip
    for child in body.named_children if body is not None else ():
        if child.type == "keyed_element":
            key, value = child.child_by_field_name("key"), child.child_by_field_name("value")
            name = key.named_children[0] if key is not None and key.named_child_count else key
            named = keyed_by_name and name is not None and name.type == "identifier"
            part = _read_element(x, value, kind, block, env, use_value=True)
            if named and name is not None:
                _store_field(x, register, name, part, block)
            else:
                _read_element(x, key, kind, block, env, use_value=False)
                _store_element(x, register, part)
        elif child.type == "literal_element":
            part = _read_element(x, child, kind, block, env, use_value=True)
            if not keyed_by_name:
                _store_element(x, register, part)


def _store_field(x: GoExtraction, register: int, name: "Node", part: int, block: Block) -> None:
    if register >= 0:
        x.refer_attribute(name, register, x.text(name), block.scope.index)
        if part >= 0:
            x.emit(STORE, register, x.text(name), part)


def _store_element(x: GoExtraction, register: int, part: int) -> None:
    if register >= 0 and part >= 0:
        x.emit(SUBSTORE, register, None, part)


def _read_element(
    x: GoExtraction,
    node: "Node | None",
    kind: "Node | None",
    block: Block,
    env: Environment,
    *,
    use_value: bool,
) -> int:
    inner = node.named_children[0] if node is not None and node.named_child_count else None
    if inner is None:
        return NOTHING
    if inner.type != "literal_value":
        return x.value(inner, block, env)
    field = "value" if use_value and kind is not None and kind.type == "map_type" else "element"
    if not use_value:
        field = "key"
    element = kind.child_by_field_name(field) if kind is not None else None
    while element is not None and element.type == "pointer_type" and element.named_child_count:
        element = element.named_children[0]
    register = max(read_type(x, element, block), NOTHING)
    _fill_literal(x, register, element, inner, block, env)
    return register


def read_closure(x: GoExtraction, node: "Node", block: Block, env: Environment) -> int:
    if node.start_byte in x.literals:
        return x.literals[node.start_byte]
    scope = x.define_closure(node, block)
    inner = Block(scope, block)
    declare_parameters(x, scope, node, inner)
    x.defer(lambda: read_body(x, scope, node, inner))
    return scope.register


def declare_parameters(x: GoExtraction, scope: Scope, node: "Node", block: Block) -> None:
    """Parameters, named results and the declared result."""
    listed = node.child_by_field_name("parameters")
    for child in listed.named_children if listed is not None else ():
        if "parameter_declaration" not in child.type:
            continue
        declared = read_type(x, child.child_by_field_name("type"), block)
        kind = child.child_by_field_name("type")
        if child.type == "variadic_parameter_declaration":
            declared = x.container([(None, declared)])
        names = [x.text(name) for name in child.children_by_field_name("name")]
        for name in names or [""]:
            local = x.add_parameter(scope, block, name, declared)
            if kind is not None and kind.type == "function_type":
                _let_functions_in(scope, local)
    results = node.child_by_field_name("result")
    types = read_results(x, results, block)
    scope.return_type = result_register(x, types)
    scope.type_names = {str(at): str(part) for at, part in enumerate(types)}
    if results is not None and results.type == "parameter_list":
        at = 0
        for child in results.named_children:
            for result in child.children_by_field_name("name"):
                x.declare(x.text(result), block, types[at] if at < len(types) else NOTHING)
                at += 1


def _let_functions_in(scope: Scope, local: Local) -> None:
    """A parameter of a function type: what is passed matters more than its signature."""
    name, register, kind, _ = scope.parameters[-1]
    scope.parameters[-1] = (name, register, kind, 0)
    local.declared = NOTHING


def read_body(x: GoExtraction, scope: Scope, node: "Node", block: Block) -> None:
    body = node.child_by_field_name("body")
    if body is not None:
        x.run(body.named_children, block, {})


def read_index(x: GoExtraction, node: "Node", block: Block, env: Environment) -> int:
    operand, index = node.child_by_field_name("operand"), node.child_by_field_name("index")
    base = x.value(operand, block, env)
    if index is not None and index.type not in _TYPES:
        x.value(index, block, env)
    if base < 0:
        return NOTHING
    register = x.register()
    x.emit(SUB, register, base, None)
    return register


def read_slice(x: GoExtraction, node: "Node", block: Block, env: Environment) -> int:
    operand = node.child_by_field_name("operand")
    for child in node.named_children:
        if child != operand:
            x.value(child, block, env)
    return x.value(operand, block, env)


def read_unary(x: GoExtraction, node: "Node", block: Block, env: Environment) -> int:
    value = x.value(node.child_by_field_name("operand"), block, env)
    operator = node.children[0].type if node.child_count else ""
    if operator == "<-" and value >= 0:
        register = x.register()
        x.emit(SUB, register, value, None)
        return register
    return value if operator in ("&", "*") else NOTHING


def read_assertion(x: GoExtraction, node: "Node", block: Block, env: Environment) -> int:
    value = x.value(node.child_by_field_name("operand"), block, env)
    declared = read_type(x, node.child_by_field_name("type"), block)
    return value if declared == NOTHING else max(declared, NOTHING)


def read_inner(x: GoExtraction, node: "Node", block: Block, env: Environment) -> int:
    value = NOTHING
    for child in node.named_children:
        value = x.value(child, block, env)
    return value


def read_binary(x: GoExtraction, node: "Node", block: Block, env: Environment) -> int:
    """The left spine in a loop: generated code joins thousands of strings."""
    rest: Node | None = node
    while rest is not None and rest.type == "binary_expression":
        x.value(rest.child_by_field_name("right"), block, env)
        rest = rest.child_by_field_name("left")
    x.value(rest, block, env)
    return NOTHING


def read_type_value(x: GoExtraction, node: "Node", block: Block, env: Environment) -> int:
    """A type where a value is expected: an argument of `make`, a case, a conversion."""
    register = read_type(x, node, block)
    return NOTHING if register == OUTSIDE else register


EXPRESSIONS: dict[str, Handler] = {
    "identifier": read_identifier,
    "type_identifier": read_type_value,
    "selector_expression": read_selector,
    "call_expression": read_call,
    "variadic_argument": read_variadic,
    "type_conversion_expression": read_conversion,
    "composite_literal": read_composite,
    "func_literal": read_closure,
    "index_expression": read_index,
    "slice_expression": read_slice,
    "unary_expression": read_unary,
    "binary_expression": read_binary,
    "type_assertion_expression": read_assertion,
    "parenthesized_expression": read_inner,
    "expression_list": read_inner,
    **dict.fromkeys(_TYPES, read_type_value),
}
GoExtraction.expressions = EXPRESSIONS
