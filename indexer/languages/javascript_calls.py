"""JavaScript calls: `f()`, `a.b()`, `new C()`, `super()`, `f.call()`, `import()` and `require()`."""

from typing import TYPE_CHECKING

from agrama.indexer.facts import (
    BIND,
    CALL,
    COPY,
    FORM_CALL,
    FORM_CALLBACK,
    FORM_NAMED,
    FORM_NEW,
    NOTHING,
    SPREAD,
    WHOLE_EXPORT,
)
from agrama.indexer.languages.javascript_assignments import read_inherits
from agrama.indexer.languages.javascript_builtins import FUNCTIONS_OF, Arguments, make_builtin
from agrama.indexer.languages.javascript_expressions import read_property
from agrama.indexer.languages.javascript_extraction import (
    Environment,
    Extraction,
    Scope,
    expression,
)
from agrama.indexer.languages.javascript_frameworks import add_route, is_route, read_test
from agrama.indexer.languages.javascript_functions import FUNCTIONS, define_anonymous
from agrama.indexer.languages.javascript_modules import add_import
from agrama.indexer.languages.javascript_patterns import element
from agrama.indexer.languages.typescript_types import read_type

if TYPE_CHECKING:
    from tree_sitter import Node  # noqa: TID251 - a type only

# Methods of arrays and promises that call what they are given.
CALLERS = frozenset(
    (
        "forEach", "map", "filter", "some", "every", "find", "findIndex", "findLast", "flatMap",
        "reduce", "reduceRight", "sort", "then", "catch", "finally",
    )
)  # fmt: skip
# A spread argument stands for this many positions; more parameters are rare.
SPREAD_POSITIONS = 4


def callee_name(function: "Node") -> "Node":
    """The node whose position a call edge carries: the last name of the callee."""
    while function.type in ("parenthesized_expression", "non_null_expression"):
        if not function.named_child_count:
            break
        function = function.named_children[0]
    if function.type == "member_expression":
        return function.child_by_field_name("property") or function
    return function


def emit_call(
    x: Extraction,
    callee: int,
    arguments: list[int],
    place: "Node",
    scope: Scope,
    form: int = FORM_CALL,
) -> int:
    known = list(arguments)
    while known and known[-1] == NOTHING:
        known.pop()
    register = x.register()
    row, column = place.start_point
    x.emit(CALL, register, callee, tuple(known), (), row + 1, column, scope.index, form)
    return register


def read_arguments(
    x: Extraction, node: "Node | None", scope: Scope, env: Environment, *, symbols: bool = False
) -> Arguments:
    """Read the arguments of a call. Functions written there have no symbols unless asked for."""
    read = Arguments([], [])
    if node is None:
        return read
    for child in node.named_children:
        kind = child.type
        if kind == "comment":
            continue
        read.nodes.append(child)
        if kind in FUNCTIONS:
            read.registers.append(define_anonymous(x, child, scope, symbol=symbols).register)
        elif kind == "spread_element":
            _read_spread(x, child, scope, env, read)
        else:
            read.registers.append(x.value(child, scope, env))
    return read


def _read_spread(
    x: Extraction, node: "Node", scope: Scope, env: Environment, read: Arguments
) -> None:
    value = x.value(node.named_children[0], scope, env) if node.named_child_count else NOTHING
    if value >= 0:
        first = element(x, value, ("i", 0))
        rest = [element(x, value, ("i", i)) for i in range(1, SPREAD_POSITIONS)]
        read.registers.extend((first, *rest))
    read.registers.append(SPREAD)


def call_back(
    x: Extraction, read: Arguments, scope: Scope, *, start: int = 0, surely: bool = False
) -> None:
    """Functions passed by name are called by whoever receives them.

    A local name may hold a function too; that counts where the receiver is known to call it.
    """
    if len(read.nodes) != len(read.registers):
        return
    for node, register in list(zip(read.nodes, read.registers, strict=True))[start:]:
        if register < 0:
            continue
        if node.type == "identifier":
            binding = scope.block.find(x.text(node))
            if binding is not None and (surely or binding.targets):
                emit_call(x, register, [], node, scope, FORM_CALLBACK)
        elif node.type == "member_expression":
            base = node.child_by_field_name("object")
            if base is not None and base.type == "this":
                emit_call(x, register, [], callee_name(node), scope, FORM_CALLBACK)


@expression("call_expression")
def read_call(x: Extraction, node: "Node", scope: Scope, env: Environment) -> int:
    function = node.child_by_field_name("function")
    arguments = node.child_by_field_name("arguments")
    if function is None:
        return NOTHING
    kinds = node.child_by_field_name("type_arguments")
    if kinds is not None:
        read_type(x, kinds, scope, env)
    kind = function.type
    if kind == "import":
        return _read_dynamic_import(x, arguments, scope, env)
    if kind == "super":
        return _read_super_call(x, function, arguments, scope, env)
    if kind == "identifier" and x.text(function) == "require":
        register = _read_require(x, arguments, scope)
        if register >= 0:
            return register
    if read_test(x, function, arguments, scope, env):
        return NOTHING
    if kind == "member_expression":
        return _read_method_call(x, function, arguments, scope, env)
    callee = _read_callee(x, function, scope, env)
    read = read_arguments(x, arguments, scope, env)
    call_back(x, read, scope)
    if callee < 0:
        return NOTHING
    if kind == "identifier":
        if x.text(function) == "inherits":
            read_inherits(x, read.nodes, read.registers, scope)
        binding = scope.block.find(x.text(function))
        if binding is not None and binding.promise >= 0 and read.registers:
            if read.registers[0] >= 0:
                x.emit(COPY, binding.promise, read.registers[0])
            return NOTHING
    elif kind == "subscript_expression":
        _call_named(x, function, scope, env)
    return emit_call(x, callee, read.registers, callee_name(function), scope)


def _call_named(x: Extraction, function: "Node", scope: Scope, env: Environment) -> None:
    """`o["f"]()` names its function even where nothing is known of o."""
    base, index = function.child_by_field_name("object"), function.child_by_field_name("index")
    if base is None or index is None or index.type != "string":
        return
    register, name = x.value(base, scope, env), x.text(index)[1:-1]
    if register >= 0 and name.isidentifier():
        emit_call(x, x.attribute(register, name), [], function, scope, FORM_NAMED)


def _read_callee(x: Extraction, function: "Node", scope: Scope, env: Environment) -> int:
    """A function called on the spot needs no symbol of its own."""
    inner = function
    while inner.type == "parenthesized_expression" and inner.named_child_count == 1:
        inner = inner.named_children[0]
    if inner.type in FUNCTIONS:
        return define_anonymous(x, inner, scope, symbol=False).register
    return x.value(function, scope, env)


def _read_super_call(
    x: Extraction, function: "Node", arguments: "Node | None", scope: Scope, env: Environment
) -> int:
    register = x.value(function, scope, env)
    read = read_arguments(x, arguments, scope, env)
    call_back(x, read, scope)
    if register >= 0:
        emit_call(x, x.attribute(register, "constructor"), read.registers, function, scope)
    return NOTHING


def _source(arguments: "Node | None") -> "Node | None":
    first = arguments.named_children[0] if arguments and arguments.named_child_count else None
    return first if first is not None and first.type == "string" else None


def _read_require(x: Extraction, arguments: "Node | None", scope: Scope) -> int:
    source = _source(arguments)
    if source is None or scope.block.find("require") is not None:
        return NOTHING
    index, register = add_import(x, source, WHOLE_EXPORT, scope)
    if x.text(source)[1:2] == ".":  # what lies outside is better known by the local name
        x.required[register] = index
    return register


def _read_dynamic_import(
    x: Extraction, arguments: "Node | None", scope: Scope, env: Environment
) -> int:
    source = _source(arguments)
    if source is not None:
        return add_import(x, source, None, scope)[1]
    read_arguments(x, arguments, scope, env)
    return NOTHING


# ---- methods


def _read_method_call(
    x: Extraction, function: "Node", arguments: "Node | None", scope: Scope, env: Environment
) -> int:
    base_node = function.child_by_field_name("object")
    name_node = function.child_by_field_name("property")
    if base_node is None or name_node is None:
        return NOTHING
    name = x.text(name_node)
    if base_node.type == "identifier" and scope.block.find(x.text(base_node)) is None:
        builtin = FUNCTIONS_OF.get(f"{x.text(base_node)}.{name}")
        if builtin is not None:
            read = read_arguments(x, arguments, scope, env)
            call_back(x, read, scope)
            return builtin(x, read, scope, env)
    bound = name in ("call", "apply", "bind")
    if name == "exports":
        base, callee = NOTHING, x.value(function, scope, env)
    else:
        base = _read_callee(x, base_node, scope, env)
        callee = read_property(x, function, base, scope, env)
    is_handler = is_route(x, base_node, name, arguments)
    read = read_arguments(x, arguments, scope, env, symbols=is_handler)
    call_back(x, read, scope, start=1 if bound else 0, surely=name in CALLERS)
    if is_handler:
        add_route(x, name, read, scope)
    if name == "inherits":
        read_inherits(x, read.nodes, read.registers, scope)
    if callee < 0:
        return NOTHING
    result = emit_call(x, callee, read.registers, name_node, scope)
    if bound and base >= 0:
        return x.union(result, _call_bound(x, base, base_node, name, read, scope))
    if name in ("then", "catch", "finally") and base >= 0:
        return x.union(result, _call_then(x, base, name, read, scope))
    if name in ("map", "flatMap") and read.at(0) >= 0:
        returned = emit_call(x, read.at(0), [], callee_name(read.nodes[0]), scope, FORM_CALLBACK)
        return x.union(result, x.container([(None, returned)]))
    return result


def _call_bound(
    x: Extraction, base: int, base_node: "Node", name: str, read: Arguments, scope: Scope
) -> int:
    """`f.call(r, …)`, `f.apply(r, […])`, `f.bind(r)`: the edge stands at the name of `f`."""
    receiver = read.registers[0] if read.registers else NOTHING
    function = x.register()
    x.emit(BIND, function, base, NOTHING)  # the receiver may be unknown
    if receiver >= 0:
        bound = x.register()
        x.emit(BIND, bound, base, receiver)
        function = x.union(function, bound)
    if name == "bind":
        return function
    arguments = read.registers[1:]
    if name == "apply" and arguments:
        values = arguments[0]
        arguments = [element(x, values, ("i", i)) for i in range(SPREAD_POSITIONS)]
        arguments.append(SPREAD)
    return emit_call(x, function, arguments, callee_name(base_node), scope)


def _call_then(x: Extraction, base: int, name: str, read: Arguments, scope: Scope) -> int:
    """A promise is treated as its value: `then` calls with it and yields what comes back."""
    result = base if name != "then" else NOTHING
    for node, register in zip(read.nodes, read.registers, strict=False):
        if register >= 0:
            given = [base] if name == "then" else []
            returned = emit_call(x, register, given, callee_name(node), scope, FORM_CALLBACK)
            result = x.union(result, returned)
    return result


# ---- new


@expression("new_expression")
def read_new(x: Extraction, node: "Node", scope: Scope, env: Environment) -> int:
    constructor = node.child_by_field_name("constructor")
    arguments = node.child_by_field_name("arguments")
    kinds = node.child_by_field_name("type_arguments")
    if kinds is not None:
        read_type(x, kinds, scope, env)
    if constructor is None:
        return NOTHING
    callee = x.value(constructor, scope, env)
    read = read_arguments(x, arguments, scope, env)
    if callee < 0:
        if constructor.type != "identifier":
            return NOTHING
        return make_builtin(x, x.text(constructor), read, scope)
    call_back(x, read, scope)
    return emit_call(x, callee, read.registers, callee_name(constructor), scope, FORM_NEW)
