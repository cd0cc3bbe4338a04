"""Values that take their name from where they are put: `const f = () => …`, `key: function () {}`."""

from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple

from agrama.graph.model import Kind
from agrama.indexer.facts import NOTHING, TO_DEFINITION
from agrama.indexer.languages.javascript_extraction import Environment, Extraction, Scope
from agrama.indexer.languages.javascript_functions import FUNCTIONS, define_function

if TYPE_CHECKING:
    from tree_sitter import Node  # noqa: TID251 - a type only


class Naming(NamedTuple):
    """The name that a value gets."""

    name: str
    node: "Node"
    prefix: str  # what its qualified name begins with
    kind: Kind = Kind.FUNCTION
    owner: Scope | None = None  # the class that it is a member of
    literal: int = NOTHING  # the object that it is a method of
    whole: "Node | None" = None  # the statement, when its text begins before the value
    flags: int = 0


NamedReader = Callable[[Extraction, "Node", Scope, Environment, Naming], int]
NAMED: dict[str, NamedReader] = {}


def named(*types: str) -> Callable[[NamedReader], NamedReader]:
    """Register a handler for values that may be named."""

    def register(handler: NamedReader) -> NamedReader:
        NAMED.update(dict.fromkeys(types, handler))
        return handler

    return register


def read_named(x: Extraction, node: "Node", scope: Scope, env: Environment, naming: Naming) -> int:
    """The value of an expression that is put under a name."""
    handler = NAMED.get(node.type)
    return handler(x, node, scope, env, naming) if handler else x.value(node, scope, env)


def definitions_in(x: Extraction, register: int, name: str) -> list[tuple[int, int]]:
    """The definitions called `name` that a register holds, as targets of a binding."""
    found: list[tuple[int, int]] = []
    for part in x.merged_from.get(register, (register,)):
        inner = x.definition_of.get(part)
        if inner is not None and inner.name == name:
            found.append((TO_DEFINITION, inner.index))
    return found


@named(*sorted(FUNCTIONS))
def name_function(
    x: Extraction, node: "Node", scope: Scope, env: Environment, naming: Naming
) -> int:
    inner = define_function(
        x, node, scope, naming.name, naming.node, kind=naming.kind, prefix=naming.prefix,
        owner=naming.owner, flags=naming.flags, whole=naming.whole,
    )  # fmt: skip
    inner.literal = naming.literal
    return inner.register


@named("parenthesized_expression", "as_expression", "satisfies_expression", "non_null_expression")
def name_inner(x: Extraction, node: "Node", scope: Scope, env: Environment, naming: Naming) -> int:
    children = [child for child in node.named_children if child.type != "comment"]
    if len(children) == 1 and children[0].type in NAMED:
        return read_named(x, children[0], scope, env, naming)
    return x.value(node, scope, env)


@named("binary_expression")
def name_operand(
    x: Extraction, node: "Node", scope: Scope, env: Environment, naming: Naming
) -> int:
    """`a && (() => …)`, `a || function () {}`."""
    left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
    operator = node.child_by_field_name("operator")
    if left is None or right is None or operator is None or right.type not in NAMED:
        return x.value(node, scope, env)
    if operator.type not in ("&&", "||", "??"):
        return x.value(node, scope, env)
    first = x.value(left, scope, env)
    second = read_named(x, right, scope, env, naming)
    return second if operator.type == "&&" else x.union(first, second)


@named("ternary_expression")
def name_branches(
    x: Extraction, node: "Node", scope: Scope, env: Environment, naming: Naming
) -> int:
    condition = node.child_by_field_name("condition")
    chosen, other = node.child_by_field_name("consequence"), node.child_by_field_name("alternative")
    if condition is not None:
        x.value(condition, scope, env)
    first = read_named(x, chosen, scope, env, naming) if chosen is not None else NOTHING
    second = read_named(x, other, scope, env, naming) if other is not None else NOTHING
    return x.union(first, second)
