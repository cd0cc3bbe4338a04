"""Python calls, and the builtins that pass values through."""

from typing import TYPE_CHECKING

from agrama.indexer.facts import (
    CALL,
    FORM_CALL,
    NEWTYPE,
    NOTHING,
    SPREAD,
    SUPER,
    TO_IMPORT,
    Import,
)
from agrama.indexer.languages.named_files import NAMED_FILE, RENDERERS, looks_like_path
from agrama.indexer.languages.python_builtins import (
    BUILTINS,
    NAMED,
    Arguments,
    callee_name,
    read_reduce,
)
from agrama.indexer.languages.python_extraction import (
    Environment,
    Extraction,
    Scope,
    expression,
    set_path,
)
from agrama.indexer.languages.python_routes import read_route_call
from agrama.indexer.languages.python_types import read_annotation

if TYPE_CHECKING:
    from tree_sitter import Node  # noqa: TID251 - a type only


# Names of callees that are more than calls; all others are spared the questions.
_PASSING = frozenset(
    ("update_wrapper", "copy", "deepcopy", "partial", "partialmethod", "reduce", "update")
)


@expression("call")
def read_call(x: Extraction, node: "Node", scope: Scope, env: Environment) -> int:
    function = node.child_by_field_name("function")
    listed = node.child_by_field_name("arguments")
    if function is None:
        return NOTHING
    kind = function.type
    last = callee_name(function)
    name = x.text(last) if kind in NAMED else ""
    if name == "super" and kind == "identifier" and "super" not in env:
        register = _read_super(x, scope)
        if register >= 0:
            return register
    if name == "cast" and (kind == "identifier" or _is_typing_cast(x, function)):
        return _read_cast(x, node, function, scope, env)
    callee = x.value(function, scope, env)
    arguments = read_arguments(x, listed, scope, env, callee)
    if name in RENDERERS:
        _refer_to_files(x, listed, scope)
    if len(arguments.positional) == 3 and _makes_class(x, function, arguments):
        register = x.register()
        space = arguments.positional[2]
        x.emit(NEWTYPE, register, arguments.positional[1], space, scope.index)
        return register
    if callee < 0:
        builtin = BUILTINS.get(name) if kind == "identifier" else None
        return builtin(x, arguments, function, scope) if builtin is not None else NOTHING
    if name in _PASSING:
        through = _pass_through(x, name, function, arguments, env, scope)
        if through is not None:
            return through
    return _emit_call(x, callee, function, last, arguments, scope)


def _refer_to_files(x: Extraction, listed: "Node | None", scope: Scope) -> None:
    """`render(request, "cart.html")` refers to the template."""
    for each in listed.named_children if listed is not None else ():
        path = x.text(each).strip("\"'") if each.type == "string" else ""
        if looks_like_path(path):
            row = Import(NAMED_FILE + path, 1, None, 0, scope.index, 0, 0, 0, 0, 0)
            x.add_reference(each, scope, TO_IMPORT, len(x.imports), NOTHING)
            x.imports.append(tuple(row))


def _emit_call(
    x: Extraction, callee: int, function: "Node", last: "Node", arguments: Arguments, scope: Scope
) -> int:
    """The call stands at `last`, the last name of the callee."""
    register = x.register()
    positional = arguments.positional
    while positional and positional[-1] == NOTHING:
        positional.pop()
    kind = function.type
    if kind in NAMED:
        point = last.start_point
    elif kind == "subscript":  # `Box[int]()` stands at `Box`
        point = callee_name(function.named_children[0]).start_point
    else:  # `f()()` stands where its arguments begin
        point = function.end_point
    x.ops.append(
        (CALL, register, callee, tuple(positional), tuple(arguments.keywords),
         point[0] + 1, point[1], scope.index, FORM_CALL)
    )  # fmt: skip
    if callee == scope.self_register:
        x.class_calls.add(register)
    if kind == "identifier":
        read_route_call(x, function, arguments.nodes, positional, scope)
    return register


def read_arguments(
    x: Extraction, node: "Node | None", scope: Scope, env: Environment, callee: int
) -> Arguments:
    read = Arguments([], [], [])
    if node is None:
        return read
    if node.type == "generator_expression":
        read.positional.append(x.value(node, scope, env))
        return read
    for child in node.named_children:
        kind = child.type
        if kind == "comment":
            continue
        read.nodes.append(child)
        if kind == "keyword_argument":
            name, value = child.child_by_field_name("name"), child.child_by_field_name("value")
            register = x.value(value, scope, env, constant=callee >= 0) if value else NOTHING
            if register >= 0 and name is not None:
                read.keywords.append((x.text(name), register))
        elif kind == "list_splat":
            x.value(child, scope, env)
            read.positional.append(SPREAD)
        elif kind == "dictionary_splat":
            x.value(child, scope, env)
        else:
            read.positional.append(x.value(child, scope, env, constant=callee >= 0))
    return read


def _read_super(x: Extraction, scope: Scope) -> int:
    inside: Scope | None = scope
    while inside is not None and inside.owner < 0:
        inside = inside.parent
    if inside is None:
        return NOTHING
    register = x.register()
    x.emit(SUPER, register, inside.owner)
    return register


def _is_typing_cast(x: Extraction, function: "Node") -> bool:
    """`typing.cast`, whatever the module was imported as."""
    base = function.child_by_field_name("object")
    known = x.symbol_of.get(x.text(base), {}) if base is not None else {}
    return any(
        target == TO_IMPORT and x.imports[index][0] in ("typing", "typing_extensions")
        for target, index in known.values()
    )


def _read_cast(
    x: Extraction, node: "Node", function: "Node", scope: Scope, env: Environment
) -> int:
    arguments = node.child_by_field_name("arguments")
    parts = (
        [part for part in arguments.named_children if part.type != "comment"] if arguments else []
    )
    x.value(function, scope, env)
    if len(parts) != 2:
        for part in parts:
            x.value(part, scope, env)
        return NOTHING
    declared = read_annotation(x, parts[0], scope, env)
    value = x.value(parts[1], scope, env)
    return declared if declared >= 0 else value


def _makes_class(x: Extraction, function: "Node", arguments: Arguments) -> bool:
    """`type(name, bases, space)`, also spelt `type(x)(name, bases, space)`."""
    return arguments.positional[1] >= 0 and x.source[
        function.start_byte : function.start_byte + 5
    ] in (b"type(", b"type")


def _pass_through(
    x: Extraction,
    name: str,
    function: "Node",
    arguments: Arguments,
    env: Environment,
    scope: Scope,
) -> int | None:
    """Calls that hand on an argument: `update_wrapper(w, f)`, `copy.copy(x)`, `partial(f)`."""
    positional = arguments.positional
    if name == "update_wrapper" and len(positional) > 1:
        return positional[1]
    if name in ("copy", "deepcopy") and len(positional) == 1:
        return (
            positional[0] if _is_name(x, function, "copy") or function.type != "attribute" else None
        )
    if name in ("partial", "partialmethod") and positional and positional[0] >= 0:
        return positional[0]
    if name == "reduce" and len(positional) > 1 and positional[0] >= 0:
        return read_reduce(x, arguments, function, scope)
    if name == "update" and function.type == "attribute":
        _update_paths(x, function, arguments, env, scope)
    return None


def _is_name(x: Extraction, function: "Node", name: str) -> bool:
    base = function.child_by_field_name("object")
    return base is not None and base.type == "identifier" and x.text(base) == name


def _update_paths(
    x: Extraction, function: "Node", arguments: Arguments, env: Environment, scope: Scope
) -> None:
    """`d.update({"k": v})` is known to set `d["k"]`."""
    base = function.child_by_field_name("object")
    if base is None or base.type != "identifier" or len(arguments.nodes) != 1:
        return
    seen = len(x.references)
    for pair in (
        arguments.nodes[0].named_children if arguments.nodes[0].type == "dictionary" else ()
    ):
        key, value = pair.child_by_field_name("key"), pair.child_by_field_name("value")
        if key is not None and value is not None and key.type == "string":
            root = x.text(base)
            path = f"{root}[{x.text(key)}]".replace("'", '"')
            set_path(root, path, x.value(value, scope, env), env)
    del x.references[seen:]
