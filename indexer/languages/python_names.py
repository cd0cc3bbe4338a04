"""Assignment to Python targets, and what a condition tells of a name."""

from typing import TYPE_CHECKING

from agrama.indexer.facts import EXCLUDE, NARROW, NOTHING, STORE, SUB, SUBSTORE
from agrama.indexer.languages.python_extraction import (
    Environment,
    Extraction,
    Key,
    Scope,
    forget_paths,
    literal_key,
    set_path,
)

if TYPE_CHECKING:
    from tree_sitter import Node  # noqa: TID251 - a type only

_CONTAINERS = frozenset(("list", "tuple", "set", "frozenset", "dict"))
# Longer access paths are not followed: they are rarely read again under the same text.
MAX_PATH_LENGTH = 60


def root_name(x: Extraction, node: "Node") -> str | None:
    """`a` of `a.b["c"].d`; None when the path begins with something else."""
    while node.type in ("attribute", "subscript"):
        inner = node.named_children[0] if node.named_child_count else None
        if inner is None:
            return None
        node = inner
    return x.text(node) if node.type == "identifier" else None


def assign(x: Extraction, target: "Node", value: int, scope: Scope, env: Environment) -> None:
    """`target = value` for any kind of target."""
    kind = target.type
    if kind == "identifier":
        name = x.text(target)
        if not scope.is_function:
            x.declare_variable(name, target, scope)
        elif name in scope.globals:
            x.declare_variable(name, target, x.module)
        x.bind(name, value, scope, env)
    elif kind == "attribute":
        _assign_attribute(x, target, value, scope, env)
    elif kind == "subscript":
        _assign_item(x, target, value, scope, env)
    elif kind in ("pattern_list", "tuple_pattern", "list_pattern"):
        _unpack(x, target, value, scope, env)
    elif kind in ("parenthesized_expression", "as_pattern_target", "list_splat_pattern"):
        for child in target.named_children:
            assign(x, child, value, scope, env)


def assign_locally(
    x: Extraction, target: "Node", value: int, scope: Scope, env: Environment
) -> None:
    """Bind a comprehension's variable: seen by its body and by lambdas in it, but not outside."""
    if target.type == "identifier":
        name = x.text(target)
        forget_paths(name, env)
        env[name] = (value,)
        if scope.is_function:
            scope.versions.setdefault(name, []).append(value)
        return
    if target.type in ("pattern_list", "tuple_pattern", "list_pattern"):
        for position, child in enumerate(target.named_children):
            assign_locally(x, child, _element(x, value, position), scope, env)


def _assign_attribute(
    x: Extraction, target: "Node", value: int, scope: Scope, env: Environment
) -> None:
    base_node, name_node = (
        target.child_by_field_name("object"),
        target.child_by_field_name("attribute"),
    )
    if base_node is None or name_node is None:
        return
    base = x.value(base_node, scope, env)
    if base < 0:
        return
    name = x.text(name_node)
    x.emit(STORE, base, name, value)
    if base == scope.self_register and scope.owner >= 0:
        owner = x.scopes[scope.owner]
        known = name in owner.attributes or name in owner.members
        x.declare_variable(name, name_node, owner, instance=True)
        if known:
            x.refer_attribute(name_node, base, name, scope)
    else:
        x.refer_attribute(name_node, base, name, scope)
    _set_path(x, target, base_node, value, env)


def _assign_item(x: Extraction, target: "Node", value: int, scope: Scope, env: Environment) -> None:
    base_node, key_node = (
        target.child_by_field_name("value"),
        target.child_by_field_name("subscript"),
    )
    if base_node is None or key_node is None:
        return
    base = x.value(base_node, scope, env)
    key: Key = None
    if key_node.type in ("string", "integer"):
        key = literal_key(key_node.type, x.text(key_node))
    else:
        register = x.value(key_node, scope, env)
        if register >= 0 and key_node.type == "identifier":
            key = ("r", register)
    if base < 0:
        return
    if value >= 0:
        x.emit(SUBSTORE, base, key, value)
    if key is not None and key[0] != "r":
        _set_path(x, target, base_node, value, env)


def _set_path(
    x: Extraction, target: "Node", base_node: "Node", value: int, env: Environment
) -> None:
    root = root_name(x, base_node)
    if root is not None:
        path = x.text(target).replace("'", '"')
        if len(path) < MAX_PATH_LENGTH:
            set_path(root, path, value, env)


def _element(x: Extraction, value: int, position: int) -> int:
    if value < 0:
        return NOTHING
    register = x.register()
    x.emit(SUB, register, value, ("i", position))
    return register


def _unpack(x: Extraction, target: "Node", value: int, scope: Scope, env: Environment) -> None:
    for position, child in enumerate(target.named_children):
        if child.type == "list_splat_pattern":
            assign(x, child, NOTHING, scope, env)
        else:
            assign(x, child, _element(x, value, position), scope, env)


def narrow(
    x: Extraction, condition: "Node | None", scope: Scope, env: Environment, *, holds: bool = True
) -> Environment:
    """The environment where the condition holds (or does not)."""
    while condition is not None and condition.type == "parenthesized_expression":
        condition = condition.named_children[0] if condition.named_child_count else None
    if condition is None:
        return env
    if condition.type == "not_operator":
        argument = condition.child_by_field_name("argument")
        return narrow(x, argument, scope, env, holds=not holds)
    if condition.type == "boolean_operator":
        operator = condition.child_by_field_name("operator")
        if operator is not None and (operator.type == "and") == holds:
            left = narrow(x, condition.child_by_field_name("left"), scope, env, holds=holds)
            return narrow(x, condition.child_by_field_name("right"), scope, left, holds=holds)
        return env
    if condition.type == "call":
        return _narrow_isinstance(x, condition, scope, env, NARROW if holds else EXCLUDE)
    return env


def _narrow_isinstance(
    x: Extraction, call: "Node", scope: Scope, env: Environment, code: int
) -> Environment:
    function, arguments = (
        call.child_by_field_name("function"),
        call.child_by_field_name("arguments"),
    )
    if function is None or arguments is None or x.text(function) != "isinstance":
        return env
    parts = arguments.named_children
    if len(parts) != 2 or parts[0].type not in ("identifier", "attribute"):
        return env
    classes = parts[1].named_children if parts[1].type == "tuple" else [parts[1]]
    seen = len(x.references)
    registers = tuple(r for r in (x.value(c, scope, env) for c in classes) if r >= 0)
    source = x.value(parts[0], scope, env)
    del x.references[seen:]  # the condition itself has been read before
    register = NOTHING
    if registers or (source >= 0 and all(x.text(c) in _CONTAINERS for c in classes)):
        register = x.register()
        x.emit(code, register, source, registers)
    elif code == EXCLUDE:
        return env
    narrowed = dict(env)
    path = x.text(parts[0])
    if parts[0].type == "identifier":
        forget_paths(path, narrowed)
        narrowed[path] = (register,)
    else:
        root = root_name(x, parts[0])
        if root is not None:
            set_path(root, path, register, narrowed)
    return narrowed
