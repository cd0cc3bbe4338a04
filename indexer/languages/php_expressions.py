"""PHP expressions: variables, members, calls, callables, closures, arrays."""

from functools import partial
from typing import TYPE_CHECKING

from agrama.indexer.facts import (
    CLASS_METHOD,
    FORM_CALL,
    FORM_CALLBACK,
    NARROW,
    NOTHING,
    POSITIONAL,
    REST,
    RETURNS_CLASS,
    SPREAD,
    SUB,
)
from agrama.indexer.languages.dynamic import (
    Way,
    ended,
    left_spine,
    read_last,
)
from agrama.indexer.languages.php_types import PhpExtraction, literal
from agrama.indexer.languages.php_values import VALUES, name_of, read_scope
from agrama.indexer.languages.typed import Block, Environment, Handler, Scope

if TYPE_CHECKING:
    from tree_sitter import Node  # noqa: TID251 - a type only

# Functions of the library that return an element of their first argument, or its elements.
_ELEMENTS = frozenset(("end", "reset", "current", "next", "prev", "array_pop", "array_shift"))
_ARRAYS = _ELEMENTS | frozenset(
    (
        "array_values", "array_filter", "array_reverse", "array_merge", "array_slice", "array_unique",
        "iterator_to_array",
    )
)  # fmt: skip
_NAMES = frozenset(("name", "qualified_name", "relative_name"))
# Functions of the library that call an argument: position of the callable, of the array or -1.
_CALLERS = {
    "array_map": (0, 1), "array_filter": (1, 0), "array_walk": (1, 0), "array_reduce": (1, -1),
    "usort": (1, 0), "uasort": (1, 0), "uksort": (1, -1), "call_user_func": (0, -1),
    "call_user_func_array": (0, -1), "register_shutdown_function": (0, -1),
    "set_error_handler": (0, -1), "set_exception_handler": (0, -1), "preg_replace_callback": (1, -1),
    "spl_autoload_register": (0, -1), "iterator_apply": (1, -1), "array_walk_recursive": (1, 0),
    "is_callable": (-1, -1),
}  # fmt: skip


# ---- calls


def read_arguments(
    x: PhpExtraction, node: "Node | None", block: Block, env: Environment
) -> tuple[list[int], list[tuple[str, int]]]:
    arguments: list[int] = []
    keywords: list[tuple[str, int]] = []
    for child in node.named_children if node is not None else ():
        if child.type != "argument" or not child.named_child_count:
            x.value(child, block, env)
            continue
        inner = child.named_children[-1]
        value = x.value(inner, block, env)
        name = child.child_by_field_name("name")
        if name is not None:
            keywords.append((x.text(name), value))
        elif inner.type == "variadic_unpacking":
            arguments.append(SPREAD)
        else:
            arguments.append(value)
    return arguments, keywords


def _is_callable(node: "Node | None") -> bool:
    """`f(...)`: the function itself."""
    return (
        node is not None
        and node.named_child_count == 1
        and node.named_children[0].type == "variadic_placeholder"
    )


def read_function_call(x: PhpExtraction, node: "Node", block: Block, env: Environment) -> int:
    function, listed = node.child_by_field_name("function"), node.child_by_field_name("arguments")
    if function is None:
        return NOTHING
    if function.type not in _NAMES:
        callee = x.value(function, block, env)
        if _is_callable(listed):
            return callee
        arguments, keywords = read_arguments(x, listed, block, env)
        return x.call(callee, arguments, function, block, FORM_CALL, keywords)
    text = x.text(function)
    last = function if function.type == "name" else function.named_children[-1]
    names = [f"{name}()" for name in x.free_names(text, "function")]
    callee = x.full_name(names, last, block.scope)
    if _is_callable(listed):
        return callee
    arguments, keywords = read_arguments(x, listed, block, env)
    made = x.call(callee, arguments, last, block, FORM_CALL, keywords)
    if arguments and arguments[0] >= 0 and text.lstrip("\\") in _ARRAYS:
        made = x.union(made, _of_array(x, text.lstrip("\\"), arguments[0]))
    how = _CALLERS.get(text.lstrip("\\").lower())
    if how is not None and how[0] >= 0:
        return x.union(made, _call_back(x, how, listed, arguments, block))
    return made


def _of_array(x: PhpExtraction, name: str, array: int) -> int:
    """An element of an array, or one with the same elements."""
    if name not in _ELEMENTS:
        return array
    register = x.register()
    x.emit(SUB, register, array, None)
    return register


def _call_back(
    x: PhpExtraction, how: tuple[int, int], listed: "Node | None", given: list[int], block: Block
) -> int:
    """A function of the library calls what it was given."""
    if listed is None or how[0] >= len(given):
        return NOTHING
    nodes = [child for child in listed.named_children if child.type == "argument"]
    at = nodes[how[0]].named_children[-1]
    callee = given[how[0]]
    name = literal(x, at)
    if name and "::" not in name:
        callee = x.full_name([f"{name.lstrip(chr(92))}()"], None, block.scope)
    elif name:
        cls, _, method = name.partition("::")
        callee = x.attribute(x.full_name([cls.lstrip("\\")], None, block.scope), method)
    arguments = []
    if 0 <= how[1] < len(given) and given[how[1]] >= 0:
        arguments = [x.register()]
        x.emit(SUB, arguments[0], given[how[1]], None)
    elif how[1] < 0 and how[0] == 0:
        arguments = given[1:]
    result = x.call(callee, arguments, at, block, FORM_CALLBACK)
    if result < 0 or how != (0, 1):
        return result
    return x.container([(None, result)])


def read_method_call(x: PhpExtraction, node: "Node", block: Block, env: Environment) -> int:
    base = x.value(node.child_by_field_name("object"), block, env)
    return _call_member(x, node, base, block, env)


def read_static_call(x: PhpExtraction, node: "Node", block: Block, env: Environment) -> int:
    base = read_scope(x, node.child_by_field_name("scope"), block, env)
    return _call_member(x, node, base, block, env)


def _call_member(x: PhpExtraction, node: "Node", base: int, block: Block, env: Environment) -> int:
    name, listed = name_of(node), node.child_by_field_name("arguments")
    if name is None or name.type != "name":
        x.value(name, block, env)
        read_arguments(x, listed, block, env)
        return NOTHING
    if _is_callable(listed):
        return x.attribute(base, x.text(name)) if base >= 0 else NOTHING
    arguments, keywords = read_arguments(x, listed, block, env)
    return x.call_method(base, x.text(name), arguments, name, block, FORM_CALL, keywords)


def read_creation(x: PhpExtraction, node: "Node", block: Block, env: Environment) -> int:
    parts = node.named_children
    listed = next((child for child in parts if child.type == "arguments"), None)
    if not parts:
        return NOTHING
    first = parts[0]
    if first.type == "anonymous_class":
        return x.read_anonymous(first, block, env)  # type: ignore[attr-defined,no-any-return]
    cls = (
        read_scope(x, first, block, env) if x.text(first) != "parent" else x.class_of(first, block)
    )
    arguments, keywords = read_arguments(x, listed, block, env)
    last = first.named_children[-1] if first.type == "qualified_name" else first
    return x.call(cls, arguments, last, block, FORM_CALL, keywords)


# ---- closures


def add_parameters(x: PhpExtraction, node: "Node | None", scope: Scope, block: Block) -> None:
    for child in node.named_children if node is not None else ():
        name = name_of(child)
        if name is None:
            continue
        variable = name.named_children[-1] if name.named_child_count else name
        declared = x.type_of(child.child_by_field_name("type"), block)
        rest = child.type == "variadic_parameter"
        kind = REST if rest else POSITIONAL
        local = x.add_parameter(
            scope, block, x.text(variable).lstrip("$"), NOTHING if rest else declared, kind
        )
        if rest and declared >= 0:
            local.versions[:] = [x.container([(None, declared)])]
        value = x.value(child.child_by_field_name("default_value"), block, {})
        if value >= 0 and declared == NOTHING:
            local.versions.append(value)


def read_closure(x: PhpExtraction, node: "Node", block: Block, env: Environment) -> int:
    scope = x.define_closure(node, block)
    inner = Block(scope, block)
    add_parameters(x, node.child_by_field_name("parameters"), scope, inner)
    scope.return_type = x.type_of(node.child_by_field_name("return_type"), inner)
    body = node.child_by_field_name("body")

    def read() -> None:
        value = x.value(body, inner, {})
        if node.type == "arrow_function":
            x.add_return(scope, value)

    x.defer(read)
    return scope.register


def read_return(x: PhpExtraction, node: "Node", block: Block, env: Environment) -> int:
    value = NOTHING
    for child in node.named_children:
        value = x.value(child, block, env)
    scope, parts = block.scope, node.named_children
    inner = parts[0] if parts else None
    if inner is not None and inner.type == "object_creation_expression":
        word = x.text(inner.named_children[0]) if inner.named_child_count else ""
        if word == "static" and scope.flags & CLASS_METHOD:
            scope.flags |= RETURNS_CLASS
    prefix = "$this->"
    if inner is not None and inner.type == "member_access_expression":
        text = x.text(inner)
        if text.startswith(prefix) and text[len(prefix) :].isidentifier():
            scope.returns.append("$" + text[len(prefix) :])
            value = NOTHING
    x.add_return(scope, value)
    ended(env)
    return NOTHING


# ---- operators


def read_binary(x: PhpExtraction, node: "Node", block: Block, env: Environment) -> int:
    """The left spine in a loop: generated code joins thousands of strings."""
    rest, spine = left_spine(node, "binary_expression")
    value = x.value(rest, block, env)
    for each in spine:
        operator, right = each.child_by_field_name("operator"), each.child_by_field_name("right")
        text = operator.type if operator is not None else ""
        if text == "instanceof":
            narrow(x, each, block, env)
            value = NOTHING
            continue
        other = x.value(right, block, env)
        value = x.union(value, other) if text in ("??", "?:", "+") else NOTHING
    return value


def narrow(x: PhpExtraction, node: "Node", block: Block, env: Environment) -> None:
    """`$x instanceof C`: what follows may take $x for one."""
    left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
    if left is None or right is None:
        return
    cls = read_scope(x, right, block, env)
    local = block.find(x.text(left)[1:]) if left.type == "variable_name" else None
    if local is not None and cls >= 0 and right.type != "variable_name":
        narrowed = x.register()
        value = x.read_local(local, block, env)
        x.emit(NARROW, narrowed, NOTHING, (cls,))
        env[local] = (narrowed,) if value < 0 else (x.union(value, narrowed),)


def read_ternary(x: PhpExtraction, node: "Node", block: Block, env: Environment) -> int:
    condition = x.value(node.child_by_field_name("condition"), block, env)
    body = node.child_by_field_name("body")
    ways: list[Way] = [partial(x.value, body, block) if body is not None else lambda own: condition]
    ways.append(partial(x.value, node.child_by_field_name("alternative"), block))
    return x.branch(env, ways)


def read_match(x: PhpExtraction, node: "Node", block: Block, env: Environment) -> int:
    x.value(node.child_by_field_name("condition"), block, env)
    body = node.child_by_field_name("body")
    ways = []
    for child in body.named_children if body is not None else ():
        x.value(child.child_by_field_name("conditional_expressions"), block, env)
        ways.append(partial(x.value, child.child_by_field_name("return_expression"), block))
    return x.branch(env, ways)


def read_throw(x: PhpExtraction, node: "Node", block: Block, env: Environment) -> int:
    read_last(x, node, block, env)
    ended(env)
    return NOTHING


def read_yield(x: PhpExtraction, node: "Node", block: Block, env: Environment) -> int:
    """A generator is iterated: what it yields is an element of what it returns."""
    value = read_last(x, node, block, env)
    inner = node.named_children[-1] if node.named_child_count else None
    if inner is not None and inner.type == "array_element_initializer":
        value = read_last(x, inner, block, env)
    if value >= 0:
        x.add_return(block.scope, x.container([(None, value)]))
    return NOTHING


def read_global(x: PhpExtraction, node: "Node", block: Block, env: Environment) -> int:
    for child in node.named_children:
        if child.type == "variable_name":
            name = x.text(child)
            register = x.exports[name][0] if name in x.exports else x.register()
            x.exports.setdefault(name, (register,))
            local = x.declare(name[1:], block)
            local.versions.append(register)
            env[local] = (register,)
    return NOTHING


def read_include(x: PhpExtraction, node: "Node", block: Block, env: Environment) -> int:
    """`require __DIR__ . '/x.php'` and `include 'x.php'`."""
    inner = node.named_children[0] if node.named_child_count else None
    while inner is not None and inner.type == "parenthesized_expression":
        inner = inner.named_children[0] if inner.named_child_count else None
    if inner is None:
        return NOTHING
    at, text = inner, literal(x, inner)
    right = inner.child_by_field_name("right") if inner.type == "binary_expression" else None
    if right is not None:
        left = inner.child_by_field_name("left")
        at, text = right, literal(x, right)
        if left is None or x.text(left) not in ("__DIR__", "dirname(__FILE__)"):
            text = None
    if text:
        x.import_path(text, 1, at, block.scope)
    else:
        x.value(inner, block, env)
    return NOTHING


EXPRESSIONS: dict[str, Handler] = {
    **VALUES,
    "function_call_expression": read_function_call,
    **dict.fromkeys(("member_call_expression", "nullsafe_member_call_expression"), read_method_call),
    "scoped_call_expression": read_static_call,
    "object_creation_expression": read_creation,
    **dict.fromkeys(("anonymous_function", "arrow_function"), read_closure),
    "return_statement": read_return,
    "binary_expression": read_binary,
    "conditional_expression": read_ternary,
    "match_expression": read_match,
    "throw_expression": read_throw,
    "yield_expression": read_yield,
    "global_declaration": read_global,
    **dict.fromkeys(
        ("require_expression", "require_once_expression", "include_expression",
         "include_once_expression"), read_include,
    ),
    **dict.fromkeys(
        ("parenthesized_expression", "clone_expression", "argument", "variadic_unpacking",
         "error_suppression_expression", "by_ref", "print_intrinsic"), read_last,
    ),
}  # fmt: skip
