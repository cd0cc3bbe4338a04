"""Elixir definitions: modules, protocols, functions, tests, and what names modules."""

from functools import partial
from typing import TYPE_CHECKING

from agrama.graph.model import Kind
from agrama.indexer.facts import (
    FORM_CALLBACK,
    INTERFACE,
    NOTHING,
    STATIC,
    TEST,
    TO_DEFINITION,
    FileFacts,
)
from agrama.indexer.languages.dynamic import class_around
from agrama.indexer.languages.elixir_extraction import (
    ElixirExtraction,
    arguments_of,
    bind,
    call_local,
    read_all,
)
from agrama.indexer.languages.typed import Block, Environment, Handler, Scope

if TYPE_CHECKING:
    from tree_sitter import Node  # noqa: TID251 - a type only

_FUNCTIONS = frozenset(("def", "defp", "defmacro", "defmacrop", "defguard", "defguardp"))
_MODULES = frozenset(("defmodule", "defprotocol", "defimpl"))


def extract_elixir(root: "Node", source: bytes, path: str) -> FileFacts:
    """Facts of an Elixir file."""
    x = ElixirExtraction(source, path, root)
    block = Block(x.file, None)
    x.guard(lambda: read_all(x, root.named_children, block, {}))
    x.read_bodies()
    return x.facts()


def body_of(node: "Node") -> list["Node"]:
    """What stands in `do … end` or after `do:`."""
    found: list[Node] = []
    for child in node.named_children:
        if child.type == "do_block":
            found += child.named_children
    for argument in arguments_of(node):
        if argument.type == "keywords":
            found += [
                v for v in (p.child_by_field_name("value") for p in argument.named_children) if v
            ]
    return found


def option_of(x: ElixirExtraction, arguments: list["Node"], name: str) -> str | None:
    for argument in arguments:
        for pair in argument.named_children if argument.type == "keywords" else ():
            key, value = pair.child_by_field_name("key"), pair.child_by_field_name("value")
            if key is not None and value is not None and x.text(key).strip() == f"{name}:":
                return x.text(value)
    return None


# ---- modules


def _read_module(x: ElixirExtraction, node: "Node", block: Block, env: Environment) -> int:
    arguments = arguments_of(node)
    word = node.child_by_field_name("target")
    if not arguments or word is None:
        return NOTHING
    outer = class_around(block)
    text = x.text(arguments[0])
    around = x.modules.get(outer.index, "") if outer is not None else ""
    full = f"{around}.{text}" if around and x.text(word) != "defimpl" else x.expand(text, block)
    bases = []
    if x.text(word) == "defimpl":
        bases.append(x.module(arguments[0], block))
        full = f"{full}.{option_of(x, arguments, 'for') or around}"
    elif outer is not None:
        x.aliases.setdefault(outer.index, {}).setdefault(text.partition(".")[0], full)
    scope = x.define(Kind.MODULE, full, outer or x.file, node, arguments[0], full)
    scope.bases += bases
    scope.flags |= INTERFACE if x.text(word) == "defprotocol" else 0
    x.modules[scope.index] = full
    x.aliases[scope.index] = {}
    x.export_name(full, scope.register, TO_DEFINITION, scope.index)
    read_all(x, body_of(node), Block(scope, block), {})
    return NOTHING


def _read_directive(x: ElixirExtraction, node: "Node", block: Block, env: Environment) -> int:
    """`alias`, `import`, `require`, `use`."""
    word, arguments = node.child_by_field_name("target"), arguments_of(node)
    if word is None or not arguments:
        return NOTHING
    kind, scope = x.text(word), block.scope
    short = option_of(x, arguments, "as")
    for full, at in _named_modules(x, arguments[0], block):
        x.import_name(full, at, scope)
        if kind == "alias" or short:
            aliases = x.aliases.setdefault(scope.index, {})
            aliases[short or full.rpartition(".")[2]] = full
        if kind in ("import", "use"):
            register = x.full_name([full], None, scope)
            x.imported.setdefault(scope.index, []).append(register)
            if kind == "use":
                x.call(x.attribute(register, "__using__"), (), at, block, FORM_CALLBACK)
    return NOTHING


def _named_modules(x: ElixirExtraction, node: "Node", block: Block) -> list[tuple[str, "Node"]]:
    if node.type == "alias":
        return [(x.expand(x.text(node), block), node)]
    left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
    if node.type != "dot" or left is None or right is None:
        return []
    prefix = x.expand(x.text(left), block)
    if right.type == "tuple":
        return [(f"{prefix}.{x.text(c)}", c) for c in right.named_children if c.type == "alias"]
    return [(f"{prefix}.{x.text(right)}", right)]


# ---- functions


def _read_function(x: ElixirExtraction, node: "Node", block: Block, env: Environment) -> int:
    module, arguments = class_around(block), arguments_of(node)
    if module is None or not arguments:
        return NOTHING
    head = arguments[0]
    guard = None
    if head.type == "binary_operator":
        guard = head.child_by_field_name("right")
        head = head.child_by_field_name("left") or head
    name = head.child_by_field_name("target") if head.type == "call" else head
    if name is None or name.type not in ("identifier", "operator_identifier"):
        return NOTHING
    scope = _function(x, x.text(name), node, name, module)
    inner = Block(scope, block)
    first = not scope.parameters
    parameters = arguments_of(head) if head.type == "call" else []
    body = body_of(node)

    def read() -> None:
        start: Environment = {}
        for at, child in enumerate(parameters):
            register = x.register() if not first else NOTHING
            if first:
                register = x.add_parameter(scope, inner, "", NOTHING).versions[0]
            elif at < len(scope.parameters):
                register = scope.parameters[at][1]
            bind(x, child, register, inner, start)
        x.value(guard, inner, start)
        x.add_return(scope, read_all(x, body, inner, start))

    x.bodies.append(read)
    return NOTHING


def _function(x: ElixirExtraction, name: str, node: "Node", at: "Node", module: Scope) -> Scope:
    """One symbol for all clauses."""
    row = module.members.get(name)
    if row is not None:
        found = x.scopes[row[2]]
        found.end_line = max(found.end_line, node.end_point[0] + 1)
        return found
    scope = x.define(Kind.FUNCTION, name, module, node, at)
    scope.owner = module
    scope.flags |= STATIC
    module.members[name] = (scope.register, TO_DEFINITION, scope.index)
    return scope


def _read_delegate(x: ElixirExtraction, node: "Node", block: Block, env: Environment) -> int:
    module, arguments = class_around(block), arguments_of(node)
    name = arguments[0].child_by_field_name("target") if arguments else None
    target = option_of(x, arguments, "to")
    if module is None or name is None or target is None:
        return NOTHING
    scope = _function(x, x.text(name), node, name, module)
    register = x.full_name([x.expand(target, block)], None, scope)
    own = (option_of(x, arguments, "as") or x.text(name)).lstrip(":")
    x.add_return(scope, x.call(x.attribute(register, own), (), name, Block(scope, block)))
    return NOTHING


def _read_test(x: ElixirExtraction, node: "Node", block: Block, env: Environment) -> int:
    arguments = arguments_of(node)
    if not arguments or arguments[0].type != "string" or not body_of(node):
        return call_local(x, node, block, env)
    title = " ".join(x.text(arguments[0]).strip('"').split())[:80]
    scope = x.define(Kind.TEST, title, block.scope, node, arguments[0])
    scope.flags |= TEST
    inner = Block(scope, block)
    start: Environment = {}
    for child in arguments[1:]:
        if child.type != "keywords":
            bind(x, child, NOTHING, inner, start)
    x.bodies.append(partial(read_all, x, body_of(node), inner, start))
    return NOTHING


def _read_generator(x: ElixirExtraction, node: "Node", block: Block, env: Environment) -> int:
    """`for x <- xs`, `with {:ok, x} <- f()`: the left side is bound."""
    inner = block.inner()
    for child in arguments_of(node):
        left, operator = child.child_by_field_name("left"), child.child_by_field_name("operator")
        if child.type == "binary_operator" and operator is not None and operator.type == "<-":
            x.value(child.child_by_field_name("right"), inner, env)
            if left is not None:
                bind(x, left, NOTHING, inner, env)
        else:
            x.value(child, inner, env)
    for child in node.named_children:
        if child.type == "do_block":
            x.value(child, inner, env)
    return NOTHING


_WORDS: dict[str, Handler] = {
    **dict.fromkeys(_MODULES, _read_module),
    **dict.fromkeys(_FUNCTIONS, _read_function),
    **dict.fromkeys(("alias", "import", "require", "use"), _read_directive),
    **dict.fromkeys(("for", "with"), _read_generator),
    "defdelegate": _read_delegate,
    "test": _read_test,
}
ElixirExtraction.words = _WORDS
