"""Statements that languages of classes share: branches, loops, jumps, whatever their grammar."""

from typing import TYPE_CHECKING

from agrama.indexer.facts import ITER, NOTHING, RETURNS_SELF
from agrama.indexer.languages.classes import ClassExtraction
from agrama.indexer.languages.typed import Block, Environment, Local, Scope, merge, merge_all

if TYPE_CHECKING:
    from tree_sitter import Node  # noqa: TID251 - a type only

_THIS = frozenset(("this", "this_expression", "self", "self_expression"))


def read_block(
    x: ClassExtraction, node: "Node", block: Block, env: Environment
) -> Environment | None:
    return x.run(node.named_children, block.inner(), env)


def read_parts(x: ClassExtraction, node: "Node", block: Block, env: Environment) -> Environment:
    """Statements that stand in a node that is none itself, syntax errors too."""
    return x.run(node.named_children, block, env) or env


def read_branches(
    x: ClassExtraction, node: "Node", block: Block, env: Environment
) -> Environment | None:
    """What stands first is a condition; each further part is a way of its own."""
    inner = block.inner()
    parts = node.named_children
    ways: list[Environment | None] = [env]
    for at, part in enumerate(parts):
        if at == 0:
            env = x.run((part,), inner, env) or env
            ways = [env]
        else:
            ways.append(x.run((part,), inner, dict(env)))
    return merge_all(ways)


def read_loop(x: ClassExtraction, node: "Node", block: Block, env: Environment) -> Environment:
    inner = block.inner()
    return x.loop(node, inner, env, lambda start: x.run(node.named_children, inner, start))


def read_throw(x: ClassExtraction, node: "Node", block: Block, env: Environment) -> None:
    for child in node.named_children:
        x.value(child, block, env)


def read_jump(x: ClassExtraction, node: "Node", block: Block, env: Environment) -> None:
    return None


def read_return(x: ClassExtraction, node: "Node", block: Block, env: Environment) -> None:
    for child in node.named_children:
        give_back(x, child, x.value(child, block, env), block.scope)


def give_back(x: ClassExtraction, node: "Node", value: int, scope: Scope) -> None:
    """A function returns a value."""
    if node.type in _THIS:
        scope.flags |= RETURNS_SELF
    if value >= 0 and scope.return_type < 0:
        for position, parameter in enumerate(scope.parameters):
            if parameter[1] == value and parameter[3] == 0:
                value = -2 - position
        scope.returns.append(value)


def element_of(x: ClassExtraction, base: int, block: Block) -> int:
    """What iterating a value yields."""
    if base < 0:
        return NOTHING
    element = x.register()
    x.emit(ITER, element, base, 0, 0, block.scope.index)
    return element


def declare_local(
    x: ClassExtraction, name: str, declared: int, value: int, block: Block, env: Environment
) -> Local:
    local = x.declare(name, block, max(declared, NOTHING))
    x.assign(local, value, block, env)
    return local


def joined(left: Environment | None, right: Environment) -> Environment:
    return merge(left, right) or right
