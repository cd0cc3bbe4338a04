"""HTTP endpoints declared by decorators (Flask, FastAPI, Starlette…) and by Django's `path()`."""

from typing import TYPE_CHECKING

from agrama.indexer.languages.python_extraction import Extraction, Scope

if TYPE_CHECKING:
    from tree_sitter import Node  # noqa: TID251 - a type only

VERBS = frozenset(("get", "post", "put", "patch", "delete", "head", "options", "websocket"))
ROUTES = frozenset(("route", "api_route", "websocket_route"))
DJANGO = frozenset(("path", "re_path", "url"))


def read_route_decorator(
    x: Extraction, decorator: "Node", handler: int, scope: Scope, name: "Node"
) -> None:
    """`@app.route("/x", methods=[…])`, `@router.get("/x")`."""
    function = decorator.child_by_field_name("function")
    arguments = decorator.child_by_field_name("arguments")
    if function is None or arguments is None or function.type != "attribute":
        return
    verb_node = function.child_by_field_name("attribute")
    verb = x.text(verb_node) if verb_node is not None else ""
    if verb not in VERBS and verb not in ROUTES:
        return
    pattern = _pattern(x, arguments.named_children)
    if pattern is None or not pattern.startswith("/"):
        return
    methods = [verb.upper()] if verb in VERBS else _methods(x, arguments.named_children)
    point = name.start_point
    for method in methods:
        x.routes.append((method, pattern, point[0] + 1, point[1], scope.index, handler))


def read_route_call(
    x: Extraction, function: "Node", nodes: list["Node"], positional: list[int], scope: Scope
) -> None:
    """Django's `path("x/", view)` in a module of URL patterns."""
    if function.type != "identifier" or len(positional) < 2 or positional[1] < 0:
        return
    if x.text(function) not in DJANGO or b"urlpatterns" not in x.source:
        return
    pattern = _pattern(x, nodes)
    if pattern is None:
        return
    point = function.start_point
    x.routes.append(
        ("ANY", "/" + pattern.lstrip("^/"), point[0] + 1, point[1], scope.index, positional[1])
    )


def _pattern(x: Extraction, nodes: list["Node"]) -> str | None:
    first = next((node for node in nodes if node.type != "comment"), None)
    if first is None or first.type != "string":
        return None
    content = [child for child in first.named_children if child.type == "string_content"]
    return x.text(content[0]) if content else ""


def _methods(x: Extraction, nodes: list["Node"]) -> list[str]:
    for node in nodes:
        name, value = node.child_by_field_name("name"), node.child_by_field_name("value")
        if name is None or value is None or x.text(name) != "methods":
            continue
        found = [
            x.text(item).strip("\"'") for item in value.named_children if item.type == "string"
        ]
        return found or ["ANY"]
    return ["GET"]
