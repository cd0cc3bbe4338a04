"""Test runners (jest, mocha, vitest, node:test) and HTTP routers (Express and its like)."""

from typing import TYPE_CHECKING

from agrama.graph.model import Kind
from agrama.indexer.facts import TEST, TO_IMPORT
from agrama.indexer.languages.javascript_builtins import Arguments
from agrama.indexer.languages.javascript_extraction import Environment, Extraction, Scope
from agrama.indexer.languages.javascript_functions import (
    FUNCTIONS,
    define_anonymous,
    define_function,
)

if TYPE_CHECKING:
    from tree_sitter import Node  # noqa: TID251 - a type only

TESTS = frozenset(("it", "test", "specify", "fit", "xit", "xtest"))
SUITES = frozenset(("describe", "suite", "context", "fdescribe", "xdescribe"))
VERBS = frozenset(("get", "post", "put", "patch", "delete", "head", "options", "all", "use"))
ROUTERS = (b"express", b"fastify", b"koa", b"hono", b"restify", b"polka", b"Router(")
MAX_TITLE_LENGTH = 100


def read_test(
    x: Extraction, function: "Node", arguments: "Node | None", scope: Scope, env: Environment
) -> bool:
    """`it("title", () => …)` defines a test, `describe` names what is inside; True if it was one."""
    if not x.is_test or arguments is None:
        return False
    name = _runner(x, function, scope)
    if name not in TESTS and name not in SUITES:
        return False
    parts = [child for child in arguments.named_children if child.type != "comment"]
    body = next((part for part in parts[1:] if part.type in FUNCTIONS), None)
    if body is None or parts[0].type not in ("string", "template_string", "identifier"):
        return False
    x.value(function, scope, env)
    for part in parts:
        if part is not body:
            x.value(part, scope, env)
    title = " ".join(x.text(parts[0]).strip("\"'`").split())[:MAX_TITLE_LENGTH]
    if name in TESTS:
        define_function(x, body, scope, title, parts[0], kind=Kind.TEST, flags=TEST)
    else:
        inner = define_anonymous(x, body, scope, symbol=False)
        inner.prefix = f"{scope.prefix}.{title}" if scope.prefix else title
    return True


def _runner(x: Extraction, function: "Node", scope: Scope) -> str:
    """`it` of `it`, `it.only`, `it.each(…)`: unbound or imported."""
    while function.type in ("member_expression", "call_expression"):
        field = "object" if function.type == "member_expression" else "function"
        inner = function.child_by_field_name(field)
        if inner is None:
            return ""
        function = inner
    if function.type != "identifier":
        return ""
    name = x.text(function)
    binding = scope.block.find(name)
    if binding is None or any(target == TO_IMPORT for target, _ in binding.targets):
        return name
    return ""


def is_route(x: Extraction, base: "Node", name: str, arguments: "Node | None") -> bool:
    """Is it `app.get("/path", …, handler)`?"""
    if name not in VERBS or arguments is None or base.type != "identifier":
        return False
    parts = [child for child in arguments.named_children if child.type != "comment"]
    if len(parts) < 2 or parts[0].type != "string" or not x.text(parts[0])[1:].startswith("/"):
        return False
    return parts[-1].type not in ("object", "string", "array") and _is_router(x, base)


def add_route(x: Extraction, name: str, read: Arguments, scope: Scope) -> None:
    """An endpoint whose handler is the last argument."""
    handler = read.registers[-1]
    if handler >= 0:
        method = "ANY" if name in ("all", "use") else name.upper()
        row, column = read.nodes[0].start_point
        pattern = x.text(read.nodes[0])[1:-1]
        x.routes.append((method, pattern, row + 1, column, scope.index, handler))


def _is_router(x: Extraction, base: "Node") -> bool:
    name = x.text(base).lower()
    if name in ("app", "router", "server") or name.endswith(("router", "routes", "app")):
        return True
    return any(word in x.source for word in ROUTERS)
