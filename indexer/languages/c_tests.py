"""Functions that a macro makes of its arguments: `TEST(Suite, name) { … }`, `TEST_CASE("title") { … }`.

Where the first word names a class (`TEST_F(Fixture, name)`), the body is that of a class derived from it.
"""

from typing import TYPE_CHECKING

from agrama.graph.model import Kind
from agrama.indexer.facts import ANONYMOUS, DEF, FORM_IMPLICIT, STATIC, TEST
from agrama.indexer.languages.c_expressions import argument_nodes, emit_call
from agrama.indexer.languages.c_types import CExtraction, plain_name
from agrama.indexer.languages.typed import Block, Scope

if TYPE_CHECKING:
    from tree_sitter import Node  # noqa: TID251 - a type only

_MAX_TITLE = 100


def declare_test(
    x: CExtraction, node: "Node", macro: str, listed: "Node | None", parent: Scope, block: Block
) -> None:
    """`TEST(Suite, name) { … }`: the grammar takes it for a function."""
    words = [plain_name(x, each) for each in argument_nodes(listed)]
    name = node.child_by_field_name("declarator")
    if not words or name is None:
        return
    scope = x.define(Kind.FUNCTION, "_".join(words), parent, node, name)
    name = node.child_by_field_name("type") or name
    _describe(x, scope, macro, name, Block(scope, block))
    first = words[0]
    if x.is_cpp and len(words) > 1 and first.isidentifier():
        scope.owner = _fixture(x, first, parent)
        scope.self_register = x.register()
    x.bodies.append((scope, node, Block(scope, block)))


def declare_titled_test(
    x: CExtraction, node: "Node", body: "Node", parent: Scope, block: Block
) -> None:
    """`TEST_CASE("title") { … }`: the grammar takes it for a call and a block behind it."""
    call = node.named_children[0] if node.named_child_count == 1 else None
    name = call.child_by_field_name("function") if call is not None else None
    if call is None or name is None or name.type != "identifier" or not x.text(name).isupper():
        return
    words = [
        x.text(each).strip('"')
        for each in argument_nodes(call.child_by_field_name("arguments"))
        if each.type in ("string_literal", "identifier")
    ]
    title = words[0].replace("\n", " ")[:_MAX_TITLE] if words else ""
    scope = x.define(Kind.FUNCTION, title or x.text(name), parent, node, name)
    scope.end_line = body.end_point[0] + 1
    inner = Block(scope, block)
    _describe(x, scope, x.text(name), name, inner)
    x.blocks_of_code.append((body, inner))


def _describe(x: CExtraction, scope: Scope, macro: str, name: "Node", inner: Block) -> None:
    scope.flags |= STATIC | (TEST if "TEST" in macro or "SCENARIO" in macro else 0)
    register = x.read_name(macro, name, scope.parent or x.file)
    emit_call(x, register, (), name, inner, FORM_IMPLICIT)


def _fixture(x: CExtraction, name: str, parent: Scope) -> Scope:
    """A class without a symbol that derives from the one of this name, if it is one."""
    key = f"<derives {x.key_of(parent)}::{name}>"
    scope = x.extensions.get(key)
    if scope is None:
        scope = Scope(len(x.scopes), Kind.CLASS, name, parent)
        x.scopes.append(scope)
        scope.qualified = key
        scope.flags = ANONYMOUS
        scope.register = x.register()
        x.ops.append((DEF, scope.register, scope.index))
        scope.bases.append(x.read_name(name, None, parent))
        x.keys[scope.index] = key
        x.extensions[key] = scope
    return scope
