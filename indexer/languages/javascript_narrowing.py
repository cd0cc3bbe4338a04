"""What a condition tells of a name: `x instanceof Y`."""

from typing import TYPE_CHECKING

from agrama.indexer.facts import NARROW
from agrama.indexer.languages.javascript_extraction import (
    Environment,
    Extraction,
    Scope,
    forget_paths,
    set_path,
)
from agrama.indexer.languages.javascript_patterns import path_of

if TYPE_CHECKING:
    from tree_sitter import Node  # noqa: TID251 - a type only


def narrow(
    x: Extraction, condition: "Node | None", scope: Scope, env: Environment, *, holds: bool
) -> Environment:
    """The environment where the condition holds (or does not)."""
    while condition is not None and condition.type == "parenthesized_expression":
        condition = condition.named_children[0] if condition.named_child_count else None
    if condition is None:
        return env
    if x.source.find(b"instanceof", condition.start_byte, condition.end_byte) < 0:
        return env
    if condition.type == "unary_expression":
        operator = condition.child_by_field_name("operator")
        if operator is not None and operator.type == "!":
            argument = condition.child_by_field_name("argument")
            return narrow(x, argument, scope, env, holds=not holds)
        return env
    if condition.type != "binary_expression":
        return env
    left, right = condition.child_by_field_name("left"), condition.child_by_field_name("right")
    operator = condition.child_by_field_name("operator")
    if operator is None or left is None or right is None:
        return env
    if operator.type == "instanceof":
        return _narrow_instance(x, left, right, scope, env) if holds else env
    if operator.type == ("&&" if holds else "||"):
        env = narrow(x, left, scope, env, holds=holds)
        return narrow(x, right, scope, env, holds=holds)
    return env


def _narrow_instance(
    x: Extraction, left: "Node", right: "Node", scope: Scope, env: Environment
) -> Environment:
    if left.type not in ("identifier", "member_expression"):
        return env
    seen = len(x.references)
    source, kind = x.value(left, scope, env), x.value(right, scope, env)
    del x.references[seen:]  # the condition itself has been read before
    if kind < 0:
        return env
    register = x.register()
    x.emit(NARROW, register, source, (kind,))
    narrowed = dict(env)
    if left.type == "identifier":
        binding = scope.block.find(x.text(left))
        if binding is not None:
            forget_paths(binding, narrowed)
            narrowed[binding] = (register,)
        return narrowed
    path = path_of(x, left, scope)
    if path is not None:
        set_path(path[0], path[1], register, narrowed)
    return narrowed
