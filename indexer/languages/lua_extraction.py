"""Lua: tables are records, functions are stored in them, metatables are prototypes."""

from functools import partial
from typing import TYPE_CHECKING

from agrama.graph.model import Kind
from agrama.indexer.facts import (
    COPY,
    FORM_CALL,
    FORM_CALLBACK,
    GLOB,
    IMPLICIT_SELF,
    IMPORT,
    ITER,
    NOTHING,
    PROTO,
    RECORD,
    REST,
    STORE,
    SUB,
    SUBSTORE,
    TO_DEFINITION,
    WHOLE_EXPORT,
    FileFacts,
    Import,
)
from agrama.indexer.languages.dynamic import DynamicExtraction, Way, ended, left_spine, read_last
from agrama.indexer.languages.recording import MAX_CONSTANT_LENGTH, Key
from agrama.indexer.languages.typed import Block, Environment, Handler, Scope

if TYPE_CHECKING:
    from tree_sitter import Node  # noqa: TID251 - a type only

_CALLERS = frozenset(("pcall", "xpcall"))
# Of the language itself: without a definition of ours they lead nowhere.
_GLOBALS = frozenset(
    (
        "print", "pairs", "ipairs", "type", "tostring", "tonumber", "error", "assert", "select",
        "next", "rawget", "rawset", "unpack", "setmetatable", "getmetatable", "string", "table",
        "math", "os", "io", "debug", "coroutine", "vim", "require", "pcall", "xpcall", "load",
        "loadstring", "dofile", "loadfile", "_G", "package", "bit", "jit", "utf8", "rawequal",
    )
)  # fmt: skip


class LuaExtraction(DynamicExtraction):
    """Everything collected from one Lua file."""

    language = "lua"

    def __init__(self, source: bytes, path: str, root: "Node") -> None:
        super().__init__(source, path, root)
        self.methods: dict[int, list[int]] = {}  # table -> registers of self in its methods
        self.made: list[tuple[int, int]] = []  # (metatable, table) of every setmetatable
        self.functions: dict[int, int] = {}  # register -> definition of a named function

    def define_named(self, kind: Kind, text: str, node: "Node", at: "Node", block: Block) -> Scope:
        outer = block.scope
        while outer.name == "<lambda>" and outer.parent is not None:
            outer = outer.parent
        name = text.replace(":", ".")
        full = f"{outer.qualified}.{name}" if outer.qualified else name
        scope = self.define(kind, self.text(at), outer, node, at, full)
        self.functions[scope.register] = scope.index
        return scope

    def required(self, module: str, node: "Node", block: Block) -> int:
        row, column = node.start_point
        self.imports.append(
            tuple(Import(module, 0, WHOLE_EXPORT, 0, block.scope.index, row + 1, column, 0, 0, 0))
        )
        register = self.register()
        self.emit(IMPORT, register, len(self.imports) - 1)
        return register

    def facts(self) -> FileFacts:
        facts = super().facts()
        facts["package"] = None
        return facts


def extract_lua(root: "Node", source: bytes, path: str) -> FileFacts:
    """Facts of a Lua file."""
    x = LuaExtraction(source, path, root)
    block = Block(x.file, None)
    x.guard(lambda: read_block(x, root, block, {}))
    x.read_bodies()
    _join_instances(x)
    return x.facts()


def _join_instances(x: LuaExtraction) -> None:
    """`setmetatable({}, Class)`: the methods of Class run on such a table too."""
    tables = {own: table for table, selves in x.methods.items() for own in selves}
    for metatable, made in dict.fromkeys(x.made):
        for own in x.methods.get(tables.get(metatable, metatable), ()):
            if own != made:
                x.emit(COPY, own, made)


def read_block(x: LuaExtraction, node: "Node", block: Block, env: Environment) -> int:
    inner = block.inner() if node.type == "block" else block
    for child in node.named_children:
        x.value(child, inner, env)
    return NOTHING


# ---- functions


def read_function(x: LuaExtraction, node: "Node", block: Block, env: Environment) -> int:
    """`function M.f()`, `function M:f()`, `local function f()`."""
    name = node.child_by_field_name("name")
    if name is None:
        return read_lambda(x, node, block, env)
    text = x.text(name)
    base = NOTHING
    last = name
    if name.type != "identifier":
        base = x.value(name.child_by_field_name("table"), block, env)
        last = name.child_by_field_name("field") or name.child_by_field_name("method") or name
    is_method = name.type == "method_index_expression"
    kind = Kind.METHOD if is_method else Kind.FUNCTION
    scope = x.define_named(kind, text, node, last, block)
    if base >= 0:
        x.emit(STORE, base, x.text(last), scope.register)
    elif name.type == "identifier":
        _bind(x, node, name, scope, block, env)
    _read_later(x, node, scope, block, base if is_method else NOTHING, implicit=is_method)
    return scope.register


def _bind(
    x: LuaExtraction, node: "Node", name: "Node", scope: Scope, block: Block, env: Environment
) -> None:
    text = x.text(name)
    local = block.find(text)
    if local is None and node.children[0].type != "local":
        x.exports.setdefault(text, (scope.register, TO_DEFINITION, scope.index))
        return
    if local is None or node.children[0].type == "local":
        local = x.declare(text, block)
    x.assign(local, scope.register, block, env)


def _read_later(
    x: LuaExtraction, node: "Node", scope: Scope, block: Block, base: int, *, implicit: bool
) -> None:
    inner = Block(scope, block)
    if implicit:
        scope.self_register = x.register()
        scope.flags |= IMPLICIT_SELF
        own = x.declare("self", inner)
        own.versions.append(scope.self_register)
        if base >= 0:
            x.emit(COPY, scope.self_register, base)
            x.methods.setdefault(base, []).append(scope.self_register)
    listed = node.child_by_field_name("parameters")
    for at, child in enumerate(listed.named_children if listed is not None else ()):
        if child.type == "vararg_expression":
            x.add_parameter(scope, inner, "...", NOTHING, REST)
        elif child.type == "identifier":
            local = x.add_parameter(scope, inner, x.text(child), NOTHING)
            if at == 0 and not implicit and x.text(child) == "self":
                scope.self_register = local.versions[0]
                scope.flags |= IMPLICIT_SELF
    body = node.child_by_field_name("body")
    if body is not None:
        x.defer(partial(read_block, x, body, inner, {}))


def read_lambda(
    x: LuaExtraction, node: "Node", block: Block, env: Environment, base: int = NOTHING
) -> int:
    scope = x.define_closure(node, block)
    _read_later(x, node, scope, block, base, implicit=False)
    return scope.register


def _read_named(
    x: LuaExtraction, name: "Node", node: "Node", block: Block, env: Environment
) -> int:
    """A function that is assigned takes the name."""
    if node.type != "function_definition":
        return x.value(node, block, env)
    last = name.child_by_field_name("field") or name
    text = x.text(name)
    if not all(part.isidentifier() for part in text.split(".")):
        return read_lambda(x, node, block, env)
    scope = x.define_named(Kind.FUNCTION, text, node, last, block)
    _read_later(x, node, scope, block, NOTHING, implicit=False)
    return scope.register


# ---- statements


def read_declaration(x: LuaExtraction, node: "Node", block: Block, env: Environment) -> int:
    for child in node.named_children:
        if child.type == "assignment_statement":
            _read_assignment(x, child, block, env, local=True)
        elif child.type == "variable_list":
            for name in child.children_by_field_name("name"):
                x.declare(x.text(name), block)
    return NOTHING


def read_assignment(x: LuaExtraction, node: "Node", block: Block, env: Environment) -> int:
    _read_assignment(x, node, block, env, local=False)
    return NOTHING


def _read_assignment(
    x: LuaExtraction, node: "Node", block: Block, env: Environment, *, local: bool
) -> None:
    parts = node.named_children
    targets = [t for t in parts[0].named_children if t.type != "attribute"] if parts else []
    nodes = parts[-1].named_children if len(parts) > 1 else []
    values = [
        _read_named(x, target, each, block, env)
        for target, each in zip(targets, nodes, strict=False)
    ]
    if len(nodes) == 1 and len(targets) > 1 and values[0] >= 0:
        values = [_part(x, values[0], at) for at in range(len(targets))]
    values += [NOTHING] * (len(targets) - len(values))
    for target, value in zip(targets, values, strict=False):
        if local:
            x.assign(x.declare(x.text(target), block), value, block, env)
        else:
            assign(x, target, value, block, env)


def _part(x: LuaExtraction, whole: int, at: int) -> int:
    """One of several results; a single one is passed on as it is."""
    register = x.register()
    x.emit(SUB, register, whole, ("i", at))
    return x.union(whole, register) if at == 0 else register


def assign(x: LuaExtraction, target: "Node", value: int, block: Block, env: Environment) -> None:
    if target.type == "identifier":
        local = block.find(x.text(target))
        if local is not None:
            x.assign(local, value, block, env)
        elif value >= 0:
            x.exports.setdefault(x.text(target), (value,))
    elif target.type == "dot_index_expression":
        base = x.value(target.child_by_field_name("table"), block, env)
        field = target.child_by_field_name("field")
        if base >= 0 and field is not None:
            x.refer_attribute(field, base, x.text(field), block.scope.index)
            if value >= 0:
                x.emit(STORE, base, x.text(field), value)
    elif target.type == "bracket_index_expression":
        base = x.value(target.child_by_field_name("table"), block, env)
        key = _key(x, target.child_by_field_name("field"), block, env)
        if base >= 0 and value >= 0:
            x.emit(SUBSTORE, base, key, value)


def read_if(x: LuaExtraction, node: "Node", block: Block, env: Environment) -> int:
    x.value(node.child_by_field_name("condition"), block, env)
    ways: list[Way] = [partial(x.value, node.child_by_field_name("consequence"), block)]
    complete = False
    for child in node.children_by_field_name("alternative"):
        complete = complete or child.type == "else_statement"
        ways.append(partial(_read_alternative, x, child, block))
    if not complete:
        ways.append(lambda own: NOTHING)
    x.branch(env, ways)
    return NOTHING


def _read_alternative(x: LuaExtraction, node: "Node", block: Block, env: Environment) -> int:
    for child in node.named_children:
        x.value(child, block, env)
    return NOTHING


def read_for(x: LuaExtraction, node: "Node", block: Block, env: Environment) -> int:
    clause, body = node.child_by_field_name("clause"), node.child_by_field_name("body")
    inner = block.inner()
    parts = clause.named_children if clause is not None else []

    def read(start: Environment) -> None:
        names = [x.text(n) for n in parts[0].named_children] if parts else []
        if clause is not None and clause.type == "for_generic_clause":
            values = [x.value(each, inner, start) for each in parts[-1].named_children]
            _bind_loop(x, names, values[0] if values else NOTHING, inner, start)
        else:
            for each in parts[1:]:
                x.value(each, inner, start)
            for name in [x.text(parts[0])] if parts else []:
                x.declare(name, inner)
        x.value(body, inner, start)

    x.repeat(node, inner, env, read)
    return NOTHING


def _bind_loop(
    x: LuaExtraction, names: list[str], base: int, block: Block, env: Environment
) -> None:
    for at, name in enumerate(names):
        value = NOTHING
        if base >= 0 and at == 1:
            value = x.register()
            x.emit(SUB, value, base, None)
        elif base >= 0 and at == 0:
            value = x.register()
            x.emit(ITER, value, base, 0, 0, block.scope.index)
        x.assign(x.declare(name, block), value, block, env)


def read_loop(x: LuaExtraction, node: "Node", block: Block, env: Environment) -> int:
    x.repeat(node, block, env, lambda start: _read_alternative(x, node, block, start))
    return NOTHING


def read_return(x: LuaExtraction, node: "Node", block: Block, env: Environment) -> int:
    nodes = [each for child in node.named_children for each in child.named_children]
    values = [x.value(each, block, env) for each in nodes]
    if block.scope is x.file:
        if values and values[0] >= 0:
            x.exports.setdefault(WHOLE_EXPORT, (values[0],))
        return NOTHING
    if len(values) > 1:
        x.add_return(block.scope, x.container([(("i", a), v) for a, v in enumerate(values)]))
    elif values:
        x.add_return(block.scope, values[0])
    ended(env)
    return NOTHING


# ---- expressions


def read_identifier(x: LuaExtraction, node: "Node", block: Block, env: Environment) -> int:
    name = x.text(node)
    local = block.find(name)
    if local is not None:
        value = x.read_local(local, block, env)
        named = x.functions.get(value)
        if named is not None:
            x.add_reference(node, block.scope.index, TO_DEFINITION, named)
        return value
    if name in _GLOBALS and name not in x.exports:
        return NOTHING
    register = x.free.get(name)
    if register is None:
        register = x.free[name] = x.register()
        x.emit(GLOB, register, name)
    return register


def read_dot(x: LuaExtraction, node: "Node", block: Block, env: Environment) -> int:
    base = x.value(node.child_by_field_name("table"), block, env)
    field = node.child_by_field_name("field") or node.child_by_field_name("method")
    if base < 0 or field is None:
        return NOTHING
    x.refer_attribute(field, base, x.text(field), block.scope.index)
    return x.attribute(base, x.text(field))


def read_bracket(x: LuaExtraction, node: "Node", block: Block, env: Environment) -> int:
    base = x.value(node.child_by_field_name("table"), block, env)
    key = _key(x, node.child_by_field_name("field"), block, env)
    if base < 0:
        return NOTHING
    register = x.register()
    x.emit(SUB, register, base, key)
    return register


def _key(x: LuaExtraction, node: "Node | None", block: Block, env: Environment) -> Key:
    if node is None:
        return None
    text = literal(x, node)
    if text is None:
        x.value(node, block, env)
        return None
    return ("s", text) if len(text) <= MAX_CONSTANT_LENGTH else None


def literal(x: LuaExtraction, node: "Node") -> str | None:
    content = node.child_by_field_name("content") if node.type == "string" else None
    return x.text(content) if content is not None else None


def read_call(x: LuaExtraction, node: "Node", block: Block, env: Environment) -> int:
    name, listed = node.child_by_field_name("name"), node.child_by_field_name("arguments")
    nodes = listed.named_children if listed is not None else []
    if name is None:
        return NOTHING
    text = x.text(name) if name.type == "identifier" else ""
    if text == "require" and nodes:
        module = literal(x, nodes[0])
        if module is not None:
            return x.required(module, nodes[0], block)
    arguments = [x.value(each, block, env) for each in nodes]
    if text == "setmetatable" and len(arguments) > 1:
        if arguments[0] >= 0 and arguments[1] >= 0:
            x.emit(PROTO, arguments[0], x.attribute(arguments[1], "__index"))
            x.made.append((arguments[1], arguments[0]))
        return arguments[0]
    if text in ("pairs", "ipairs", "assert") and arguments:
        return arguments[0]
    if text in _CALLERS and arguments:
        x.call(arguments[0], arguments[1:], nodes[0], block, FORM_CALLBACK)
        return NOTHING
    callee = x.value(name, block, env)
    last = name.child_by_field_name("field") or name.child_by_field_name("method") or name
    return x.call(callee, arguments, last, block, FORM_CALL)


def read_table(x: LuaExtraction, node: "Node", block: Block, env: Environment) -> int:
    items: list[tuple[Key, int]] = []
    at = 0
    for child in node.named_children:
        name, value = child.child_by_field_name("name"), child.child_by_field_name("value")
        if value is None:
            continue
        if name is None:
            at += 1
            items.append((("i", at), x.value(value, block, env)))
        elif name.type == "identifier":
            items.append((("s", x.text(name)), _read_named(x, name, value, block, env)))
        else:
            items.append((_key(x, name, block, env), x.value(value, block, env)))
    return x.container(items, RECORD)


def read_binary(x: LuaExtraction, node: "Node", block: Block, env: Environment) -> int:
    """The left spine in a loop; `a or b` is either."""
    rest, spine = left_spine(node, "binary_expression")
    value = x.value(rest, block, env)
    for each in spine:
        words = [child.type for child in each.children]
        right = x.value(each.child_by_field_name("right"), block, env)
        value = x.union(value, right) if "or" in words else right if "and" in words else NOTHING
    return value


LuaExtraction.statements = {}
_EXPRESSIONS: dict[str, Handler] = {
    "block": read_block,
    "function_declaration": read_function,
    "function_definition": read_lambda,
    "variable_declaration": read_declaration,
    "assignment_statement": read_assignment,
    "if_statement": read_if,
    "for_statement": read_for,
    **dict.fromkeys(("while_statement", "repeat_statement"), read_loop),
    "do_statement": read_last,
    "return_statement": read_return,
    "identifier": read_identifier,
    **dict.fromkeys(("dot_index_expression", "method_index_expression"), read_dot),
    "bracket_index_expression": read_bracket,
    "function_call": read_call,
    "table_constructor": read_table,
    "binary_expression": read_binary,
    "parenthesized_expression": read_last,
}
LuaExtraction.expressions = _EXPRESSIONS
