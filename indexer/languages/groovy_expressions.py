"""What Groovy has beyond Java's expressions: closures, calls without parentheses."""

from typing import TYPE_CHECKING

from agrama.indexer.facts import FORM_CALL, NOTHING
from agrama.indexer.languages.classes import call_named, emit_call
from agrama.indexer.languages.java_expressions import (
    EXPRESSIONS as JAVA,
)
from agrama.indexer.languages.java_expressions import (
    argument_nodes,
    call_method,
    literal_argument,
    read_invocation,
)
from agrama.indexer.languages.java_statements import STATEMENTS as JAVA_STATEMENTS
from agrama.indexer.languages.java_types import JavaExtraction
from agrama.indexer.languages.typed import Block, Environment, Handler, written

if TYPE_CHECKING:
    from tree_sitter import Node  # noqa: TID251 - a type only


def read_closure(x: JavaExtraction, node: "Node", block: Block, env: Environment) -> int:
    """`{ a, b -> … }`, or `{ … it … }`."""
    scope = x.define_closure(node, block)
    inner = Block(scope, block)
    parts = written(node)
    lambdas = [part for part in parts if part.type == "lambda_expression"]
    if lambdas and parts[0].type == "local_variable_declaration":
        for child in parts[0].children_by_field_name("declarator"):
            name = child.child_by_field_name("name")
            x.add_parameter(scope, inner, x.text(name) if name is not None else "", NOTHING)
        body = lambdas[0].child_by_field_name("body")
        parts = [body] if body is not None else []
    else:
        x.add_parameter(scope, inner, "it", NOTHING)
    x.defer(lambda: x.run(parts, inner, {}) and None)
    return scope.register


def read_call(x: JavaExtraction, node: "Node", block: Block, env: Environment) -> int:
    """A call, and the closure that stands after its arguments."""
    body = node.child_by_field_name("body")
    if body is not None:
        closure = x.value(body, block, env)
        target = x.value(node.child_by_field_name("object"), block, env)
        name = node.child_by_field_name("name")
        if name is not None and target >= 0 and x.text(name):
            listed = argument_nodes(node.child_by_field_name("arguments"))
            values = tuple(x.value(each, block, env) for each in listed)
            wanted = f"{x.text(name)}({','.join(['?'] * len(listed) + ['->'])})"
            return emit_call(
                x, x.attribute(target, wanted), (*values, closure), name, block, FORM_CALL
            )
    called = read_invocation(x, node, block, env)
    called_name, receiver = node.child_by_field_name("name"), node.child_by_field_name("object")
    if called_name is not None and receiver is not None and x.text(called_name) == "invokeMethod":
        call_named(x, x.value(receiver, block, env), literal_argument(x, node), called_name, block)
    return called


def read_bare_call(x: JavaExtraction, node: "Node", block: Block, env: Environment) -> int:
    """`name argument, …` and `value.name argument, …`."""
    name = node.child_by_field_name("name")
    listed = node.child_by_field_name("args")
    if name is None:
        return NOTHING
    target = name.child_by_field_name("object") if name.type == "field_access" else None
    last = name.child_by_field_name("field") if target is not None else name
    if last is None or last.type != "identifier":
        return NOTHING
    return call_method(x, target, last, argument_nodes(listed), block, env)


EXPRESSIONS: dict[str, Handler] = {
    **JAVA,
    "closure": read_closure,
    "method_invocation": read_call,
    "juxt_function_call": read_bare_call,
}
STATEMENTS: dict[str, Handler] = {**JAVA_STATEMENTS}
