"""Elixir: modules are classes whose functions are their members; clauses of a function are one."""

from collections.abc import Iterable
from functools import partial
from typing import TYPE_CHECKING

from agrama.graph.model import Kind
from agrama.indexer.facts import (
    FORM_CALL,
    FORM_CALLBACK,
    FORM_IMPLICIT,
    INTERFACE,
    NOTHING,
    STATIC,
    SUB,
    TEST,
    TO_DEFINITION,
    FileFacts,
)
from agrama.indexer.languages.dynamic import DynamicExtraction, class_around
from agrama.indexer.languages.typed import Block, Environment, Handler, Scope

if TYPE_CHECKING:
    from tree_sitter import Node  # noqa: TID251 - a type only

_FUNCTIONS = frozenset(("def", "defp", "defmacro", "defmacrop", "defguard", "defguardp"))
# Attributes whose arguments are no code.
_TYPES = frozenset(
    ("doc", "moduledoc", "spec", "type", "typep", "opaque", "callback", "macrocallback", "typedoc")
)
_MODULES = frozenset(("defmodule", "defprotocol", "defimpl"))


class ElixirExtraction(DynamicExtraction):
    """Everything collected from one Elixir file."""

    language = "elixir"

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


def extract_elixir(root: "Node", source: bytes, path: str) -> FileFacts:
    """Facts of an Elixir file."""
    x = ElixirExtraction(source, path, root)
    block = Block(x.file, None)
    x.guard(lambda: _read_all(x, root.named_children, block, {}))
    x.read_bodies()
    return x.facts()


def _read_all(x: ElixirExtraction, nodes: Iterable["Node"], block: Block, env: Environment) -> int:
    value = NOTHING
    for node in nodes:
        value = x.value(node, block, env)
    return value


def _arguments(node: "Node") -> list["Node"]:
    listed = next((c for c in node.named_children if c.type == "arguments"), None)
    return listed.named_children if listed is not None else []


def _body(node: "Node") -> list["Node"]:
    """What stands in `do … end` or after `do:`."""
    found: list[Node] = []
    for child in node.named_children:
        if child.type == "do_block":
            found += child.named_children
    for argument in _arguments(node):
        if argument.type == "keywords":
            found += [
                v for v in (p.child_by_field_name("value") for p in argument.named_children) if v
            ]
    return found


# ---- modules


def _read_module(x: ElixirExtraction, node: "Node", block: Block, env: Environment) -> int:
    arguments = _arguments(node)
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
        full = f"{full}.{_option(x, arguments, 'for') or around}"
    elif outer is not None:
        x.aliases.setdefault(outer.index, {}).setdefault(text.partition(".")[0], full)
    scope = x.define(Kind.MODULE, full, outer or x.file, node, arguments[0], full)
    scope.bases += bases
    scope.flags |= INTERFACE if x.text(word) == "defprotocol" else 0
    x.modules[scope.index] = full
    x.aliases[scope.index] = {}
    x.export_name(full, scope.register, TO_DEFINITION, scope.index)
    _read_all(x, _body(node), Block(scope, block), {})
    return NOTHING


def _option(x: ElixirExtraction, arguments: list["Node"], name: str) -> str | None:
    for argument in arguments:
        for pair in argument.named_children if argument.type == "keywords" else ():
            key, value = pair.child_by_field_name("key"), pair.child_by_field_name("value")
            if key is not None and value is not None and x.text(key).strip() == f"{name}:":
                return x.text(value)
    return None


def _read_directive(x: ElixirExtraction, node: "Node", block: Block, env: Environment) -> int:
    """`alias`, `import`, `require`, `use`."""
    word, arguments = node.child_by_field_name("target"), _arguments(node)
    if word is None or not arguments:
        return NOTHING
    kind, scope = x.text(word), block.scope
    short = _option(x, arguments, "as")
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
    module, arguments = class_around(block), _arguments(node)
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
    parameters = _arguments(head) if head.type == "call" else []
    body = _body(node)

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
        x.add_return(scope, _read_all(x, body, inner, start))

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
    module, arguments = class_around(block), _arguments(node)
    name = arguments[0].child_by_field_name("target") if arguments else None
    target = _option(x, arguments, "to")
    if module is None or name is None or target is None:
        return NOTHING
    scope = _function(x, x.text(name), node, name, module)
    register = x.full_name([x.expand(target, block)], None, scope)
    own = (_option(x, arguments, "as") or x.text(name)).lstrip(":")
    x.add_return(scope, x.call(x.attribute(register, own), (), name, Block(scope, block)))
    return NOTHING


def _read_test(x: ElixirExtraction, node: "Node", block: Block, env: Environment) -> int:
    arguments = _arguments(node)
    if not arguments or arguments[0].type != "string" or not _body(node):
        return _call_local(x, node, block, env)
    title = " ".join(x.text(arguments[0]).strip('"').split())[:80]
    scope = x.define(Kind.TEST, title, block.scope, node, arguments[0])
    scope.flags |= TEST
    inner = Block(scope, block)
    start: Environment = {}
    for child in arguments[1:]:
        if child.type != "keywords":
            bind(x, child, NOTHING, inner, start)
    x.bodies.append(partial(_read_all, x, _body(node), inner, start))
    return NOTHING


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
        special = _WORDS.get(x.text(target))
        if special is not None:
            found: int = special(x, node, block, env)
            return found
    return _call(x, node, block, env, ())


def _call_local(x: ElixirExtraction, node: "Node", block: Block, env: Environment) -> int:
    return _call(x, node, block, env, ())


def _call(
    x: ElixirExtraction, node: "Node", block: Block, env: Environment, piped: tuple[int, ...]
) -> int:
    """A call; what is piped into it comes first."""
    target = node.child_by_field_name("target") if node.type == "call" else node
    arguments = list(piped) + [x.value(each, block, env) for each in _arguments(node)]
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
        values = [x.value(each, block, env) for each in _arguments(operand)]
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
    return _read_all(x, right.named_children, inner, own) if right is not None else NOTHING


def read_last(x: ElixirExtraction, node: "Node", block: Block, env: Environment) -> int:
    value = NOTHING
    for child in node.named_children:
        value = (
            x.union(value, x.value(child, block, env))
            if child.type == "stab_clause"
            else (x.value(child, block, env))
        )
    return value


def _read_generator(x: ElixirExtraction, node: "Node", block: Block, env: Environment) -> int:
    """`for x <- xs`, `with {:ok, x} <- f()`: the left side is bound."""
    inner = block.inner()
    for child in _arguments(node):
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
