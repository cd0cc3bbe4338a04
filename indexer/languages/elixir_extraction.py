"""Elixir: modules are classes whose functions are their members; clauses of a function are one."""

from collections.abc import Iterable
from functools import partial
from typing import TYPE_CHECKING

from agrama.indexer.facts import (
    FORM_CALL,
    FORM_CALLBACK,
    FORM_IMPLICIT,
    NOTHING,
    SUB,
    TO_DEFINITION,
)
from agrama.indexer.languages.dynamic import DynamicExtraction, class_around
from agrama.indexer.languages.typed import Block, Environment, Handler, Scope

if TYPE_CHECKING:
    from tree_sitter import Node  # noqa: TID251 - a type only

# Attributes whose arguments are no code.
_TYPES = frozenset(
    ("doc", "moduledoc", "spec", "type", "typep", "opaque", "callback", "macrocallback", "typedoc")
)


class ElixirExtraction(DynamicExtraction):
    """Everything collected from one Elixir file."""

    language = "elixir"
    words: dict[str, Handler]  # what is written like a call and is none

    def __init__(self, source: bytes, path: str, root: "Node") -> None:
        super().__init__(source, path, root)
        self.modules: dict[int, str] = {}  # definition -> full name
        self.aliases: dict[int, dict[str, str]] = {0: {}}  # definition -> short name -> full
        self.imported: dict[int, list[int]] = {}

    def expand(self, text: str, block: Block) -> str:
        """The full name of a module as written."""
        first, dot, rest = text.partition(".")
        scope: Scope | None = block.scope
        while scope is not None:
            if first == "__MODULE__" and scope.index in self.modules:
                return self.modules[scope.index] + dot + rest
            found = self.aliases.get(scope.index, {}).get(first)
            if found is not None:
                return found + dot + rest
            scope = scope.parent
        return text.removeprefix("Elixir.")

    def module(self, node: "Node", block: Block) -> int:
        return self.full_name([self.expand(self.text(node), block)], node, block.scope)


def read_all(x: ElixirExtraction, nodes: Iterable["Node"], block: Block, env: Environment) -> int:
    value = NOTHING
    for node in nodes:
        value = x.value(node, block, env)
    return value


def arguments_of(node: "Node") -> list["Node"]:
    listed = next((c for c in node.named_children if c.type == "arguments"), None)
    return listed.named_children if listed is not None else []


# ---- names and calls


def bind(x: ElixirExtraction, node: "Node", value: int, block: Block, env: Environment) -> None:
    """A pattern: its names hold (parts of) the value."""
    kind = node.type
    if kind == "identifier":
        x.assign(x.declare(x.text(node), block), value, block, env)
    elif kind == "binary_operator":
        left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
        operator = node.child_by_field_name("operator")
        if operator is not None and operator.type == "\\\\":
            x.value(right, block, env)
            right = None
        for each in (left, right):
            if each is not None:
                bind(x, each, value, block, env)
    elif kind in ("tuple", "list"):
        for at, child in enumerate(node.named_children):
            part = NOTHING
            if value >= 0:
                part = x.register()
                x.emit(SUB, part, value, ("i", at))
            bind(x, child, part, block, env)
    elif kind == "alias":
        x.module(node, block)
    else:
        for child in node.named_children:
            bind(x, child, NOTHING, block, env)


def read_call(x: ElixirExtraction, node: "Node", block: Block, env: Environment) -> int:
    target = node.child_by_field_name("target")
    if target is None:
        return NOTHING
    if target.type == "identifier":
        special = x.words.get(x.text(target))
        if special is not None:
            found: int = special(x, node, block, env)
            return found
    return _call(x, node, block, env, ())


def call_local(x: ElixirExtraction, node: "Node", block: Block, env: Environment) -> int:
    return _call(x, node, block, env, ())


def _call(
    x: ElixirExtraction, node: "Node", block: Block, env: Environment, piped: tuple[int, ...]
) -> int:
    """A call; what is piped into it comes first."""
    target = node.child_by_field_name("target") if node.type == "call" else node
    arguments = list(piped) + [x.value(each, block, env) for each in arguments_of(node)]
    for child in node.named_children:
        if child.type == "do_block":
            x.value(child, block, env)
    if target is None:
        return NOTHING
    callee, name = _callee(x, target, block, env)
    return x.call(callee, arguments, name, block, _form(x, node, target, block))


def _form(x: ElixirExtraction, node: "Node", target: "Node", block: Block) -> int:
    """`a.b` may be a field, and what no module of ours defines is the language's own."""
    if target.type == "dot":
        listed = any(child.type == "arguments" for child in node.named_children)
        left = target.child_by_field_name("left")
        is_field = not listed and left is not None and left.type != "alias"
        return FORM_IMPLICIT if is_field else FORM_CALL
    module = class_around(block)
    own = module is not None and x.text(target) in module.members
    return FORM_CALL if own else FORM_IMPLICIT


def _callee(
    x: ElixirExtraction, target: "Node", block: Block, env: Environment
) -> tuple[int, "Node"]:
    if target.type == "dot":
        left, right = target.child_by_field_name("left"), target.child_by_field_name("right")
        base = x.value(left, block, env)
        if right is None:
            return base, target
        if base < 0:
            return NOTHING, right
        x.refer_attribute(right, base, x.text(right), block.scope.index)
        return x.attribute(base, x.text(right)), right
    if target.type != "identifier":
        return x.value(target, block, env), target
    return _local_function(x, target, block), target


def _local_function(x: ElixirExtraction, node: "Node", block: Block) -> int:
    """A function of the module, of those around it, or of an imported one."""
    name = x.text(node)
    scope: Scope | None = block.scope
    found = NOTHING
    while scope is not None:
        row = scope.members.get(name)
        if row is not None:
            x.add_reference(node, block.scope.index, TO_DEFINITION, row[2])
            return row[0]
        for register in x.imported.get(scope.index, ()):
            x.refer_attribute(node, register, name, block.scope.index)
            found = x.union(found, x.attribute(register, name))
        scope = scope.parent
    return found


def read_identifier(x: ElixirExtraction, node: "Node", block: Block, env: Environment) -> int:
    local = block.find(x.text(node))
    if local is not None:
        return x.read_local(local, block, env)
    if x.text(node) == "__MODULE__":
        module = class_around(block)
        return module.register if module is not None else NOTHING
    module = class_around(block)
    if module is not None and x.text(node) in module.members:
        return x.call(_local_function(x, node, block), (), node, block)
    return NOTHING


def read_alias(x: ElixirExtraction, node: "Node", block: Block, env: Environment) -> int:
    return x.module(node, block)


def read_dot(x: ElixirExtraction, node: "Node", block: Block, env: Environment) -> int:
    return _callee(x, node, block, env)[0]


def read_binary(x: ElixirExtraction, node: "Node", block: Block, env: Environment) -> int:
    """Pipes, matches and operators, the left spine in a loop."""
    spine: list[Node] = []
    rest: Node | None = node
    while rest is not None and rest.type == "binary_operator":
        operator = rest.child_by_field_name("operator")
        if operator is not None and operator.type == "=":
            break
        spine.append(rest)
        rest = rest.child_by_field_name("left")
    if rest is not None and rest.type == "binary_operator":
        value = _read_match(x, rest, block, env)
    else:
        value = x.value(rest, block, env)
    for each in reversed(spine):
        operator, right = each.child_by_field_name("operator"), each.child_by_field_name("right")
        text = operator.type if operator is not None else ""
        if text == "|>" and right is not None and right.type in ("call", "identifier"):
            value = _call(x, right, block, env, (value,))
            continue
        other = x.value(right, block, env)
        value = x.union(value, other) if text in ("||", "or") else NOTHING
    return value


def _read_match(x: ElixirExtraction, node: "Node", block: Block, env: Environment) -> int:
    value = x.value(node.child_by_field_name("right"), block, env)
    left = node.child_by_field_name("left")
    if left is not None:
        bind(x, left, value, block, env)
    return value


def read_unary(x: ElixirExtraction, node: "Node", block: Block, env: Environment) -> int:
    """`&f/1` is a function, `@behaviour M` a base."""
    operand, operator = node.child_by_field_name("operand"), node.child_by_field_name("operator")
    text = operator.type if operator is not None else ""
    if operand is None:
        return NOTHING
    if text == "&" and operand.type == "binary_operator":
        left = operand.child_by_field_name("left")
        target = (
            left.child_by_field_name("target") if left is not None and left.type == "call" else left
        )
        if target is not None and target.type in ("dot", "identifier"):
            callee, name = _callee(x, target, block, env)
            x.call(callee, (), name, block, FORM_CALLBACK)
            return callee
    if text == "@" and operand.type == "call":
        word, module = operand.child_by_field_name("target"), class_around(block)
        if word is not None and x.text(word) in _TYPES:
            return NOTHING
        values = [x.value(each, block, env) for each in arguments_of(operand)]
        if word is not None and x.text(word) == "behaviour" and module is not None:
            module.bases += [value for value in values if value >= 0]
        return NOTHING
    return x.value(operand, block, env) if text != "@" else NOTHING


def read_function_value(x: ElixirExtraction, node: "Node", block: Block, env: Environment) -> int:
    scope = x.define_closure(node, block)
    inner = Block(scope, block)
    x.defer(partial(_read_clauses, x, node, scope, inner))
    return scope.register


def _read_clauses(x: ElixirExtraction, node: "Node", scope: Scope, block: Block) -> None:
    for child in node.named_children:
        x.add_return(scope, x.value(child, block, {}))


def read_clause(x: ElixirExtraction, node: "Node", block: Block, env: Environment) -> int:
    """`pattern -> body`, with names of its own."""
    inner, own = block.inner(), dict(env)
    left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
    for child in left.named_children if left is not None else ():
        bind(x, child, NOTHING, inner, own)
    return read_all(x, right.named_children, inner, own) if right is not None else NOTHING


def read_last(x: ElixirExtraction, node: "Node", block: Block, env: Environment) -> int:
    value = NOTHING
    for child in node.named_children:
        value = (
            x.union(value, x.value(child, block, env))
            if child.type == "stab_clause"
            else (x.value(child, block, env))
        )
    return value


_EXPRESSIONS: dict[str, Handler] = {
    "call": read_call,
    "identifier": read_identifier,
    "alias": read_alias,
    "dot": read_dot,
    "binary_operator": read_binary,
    "unary_operator": read_unary,
    "anonymous_function": read_function_value,
    "stab_clause": read_clause,
    **dict.fromkeys(("do_block", "body", "block", "else_block", "rescue_block"), read_last),
}
ElixirExtraction.expressions = _EXPRESSIONS
ElixirExtraction.statements = {}
