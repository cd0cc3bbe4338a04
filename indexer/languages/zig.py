"""Zig: files and structs are the same thing, imports are expressions."""

import posixpath
from typing import TYPE_CHECKING

from agrama.graph.model import Kind
from agrama.indexer.facts import (
    ANONYMOUS,
    DEF,
    NOTHING,
    OUTSIDE,
    STATIC,
    STORE,
    TEST,
    TO_DEFINITION,
    WHOLE_EXPORT,
    FileFacts,
)
from agrama.indexer.languages.language import Language, Sources
from agrama.indexer.languages.relative import RelativeModules
from agrama.indexer.languages.table_readers import (
    Function,
    assignment,
    call,
    choice,
    container_type,
    declare_variable,
    element,
    inner_type,
    member,
    name_reader,
    named_type,
    nothing,
    returning,
    sequence,
    through,
)
from agrama.indexer.languages.tabled import (
    Table,
    TabledExtraction,
    find,
    parts,
)
from agrama.indexer.languages.typed import Block, Scope

if TYPE_CHECKING:
    from tree_sitter import Node  # noqa: TID251 - a type only

_CONTAINERS = frozenset(
    ("struct_declaration", "enum_declaration", "union_declaration", "opaque_declaration")
)
_OPEN_TYPES = frozenset(("type", "anytype"))
_CASTS = frozenset(("@ptrCast", "@alignCast", "@constCast", "@volatileCast", "@errorCast"))
_LIBRARY = frozenset(("std", "builtin", "root"))
_OWN_TYPE = "@This()"


def _value_of(node: "Node") -> "Node | None":
    """The value of a declaration: what stands after its name and type."""
    value, kind = find(node, "#-1"), find(node, "type")
    if value is None or node.named_child_count < 2 or (kind is not None and kind.id == value.id):
        return None
    return value


# ---- declarations


def _declare_variable(x: TabledExtraction, node: "Node", block: Block) -> None:
    name, value = find(node, "#identifier"), _value_of(node)
    if name is None:
        return
    text = x.text(name)
    if value is not None and value.type in _CONTAINERS:
        _declare_container(x, node, name, value, block)
    elif value is not None and _imported_path(x, value):
        x.import_as(text, _imported_path(x, value), WHOLE_EXPORT, value, block)
    elif block.scope is not x.file and block.scope.kind != Kind.CLASS:
        declared = x.read_type(find(node, "type"), block)
        x.bind_local(text, block, x.read(value, block), max(declared, NOTHING))
    else:
        if value is not None and x.text(value) == _OWN_TYPE:
            block.scope.type_names[text] = _OWN_TYPE
        declare_variable(x, node, name, block, "type", "#-1")


def _declare_container(
    x: TabledExtraction, node: "Node", name: "Node", value: "Node", block: Block
) -> None:
    scope = x.define(Kind.CLASS, x.text(name), block.scope, node, name)
    scope.signature = f"const {scope.name}"
    scope.type_names[scope.name] = _OWN_TYPE
    x.bind_name(scope.name, block, scope.register, TO_DEFINITION, scope.index)
    x.declare_all(value.named_children, Block(scope, block))


def _read_container(x: TabledExtraction, node: "Node", block: Block) -> int:
    """A struct without a name: what it declares belongs to the function around it."""
    scope = Scope(len(x.scopes), Kind.CLASS, block.scope.name, block.scope)
    x.scopes.append(scope)
    scope.flags, scope.qualified = ANONYMOUS, block.scope.qualified
    scope.line = scope.body_line = scope.end_line = node.start_point[0] + 1
    scope.start_byte, scope.register = node.start_byte, x.register()
    x.emit(DEF, scope.register, scope.index)
    x.declare_all(node.named_children, Block(scope, block))
    x.settle()
    return scope.register


def _declare_field(x: TabledExtraction, node: "Node", block: Block) -> None:
    name = find(node, "name")
    if name is None or block.scope.kind not in (Kind.CLASS, Kind.FILE):
        return
    if block.scope is x.file:
        x.file.type_names[_OWN_TYPE] = _OWN_TYPE
    declare_variable(x, node, name, block, "type", "value")


def _declare_test(x: TabledExtraction, node: "Node", block: Block) -> None:
    title = find(node, "#string/#0") or find(node, "#identifier")
    name = x.text(title)[:60] if title is not None else "test"
    scope = x.define(Kind.TEST, name, block.scope, node, title or node)
    scope.flags |= TEST
    x.bodies.append(lambda: x.read(find(node, "#block"), Block(scope, block)))


class _ZigFunction(Function):
    """A function whose first parameter is of the type around it is a method."""

    def read_signature(self, x: TabledExtraction, scope: Scope, node: "Node", block: Block) -> None:
        listed = list(parts(node, "#parameters", ("parameter",)))
        if scope.owner is not None:
            if listed and _is_receiver(x, listed[0], scope.owner):
                name = find(listed.pop(0), "name")
                x.bind_local(x.text(name) if name else "", block, scope.self_register)
            else:
                scope.flags |= STATIC
        for part in listed:
            name = find(part, "name")
            declared = x.read_type(find(part, "type"), block)
            x.add_parameter(scope, block, x.text(name) if name else "", declared)
        scope.return_type = x.read_type(find(node, "type"), block)


def _is_receiver(x: TabledExtraction, node: "Node", owner: Scope) -> bool:
    kind = find(node, "type")
    while kind is not None and kind.type in ("pointer_type", "nullable_type"):
        kind = find(kind, "#-1")
    text = x.text(kind) if kind is not None else ""
    names = x.file.type_names if owner.qualified == "<file>" else owner.type_names
    return text == _OWN_TYPE or names.get(text) == _OWN_TYPE


def _use_namespace(x: TabledExtraction, node: "Node", block: Block) -> None:
    """`usingnamespace @import("x.zig");`."""
    value = find(node, "#0")
    path = _imported_path(x, value) if value is not None else ""
    if value is not None and path:
        x.add_import(path, "*", value, block)


# ---- expressions


def _imported_path(x: TabledExtraction, node: "Node") -> str:
    if node.type != "builtin_function" or x.text(node.named_children[0]) != "@import":
        return ""
    text = find(node, "#arguments/#string/#0")
    return x.text(text) if text is not None else ""


def _read_builtin(x: TabledExtraction, node: "Node", block: Block) -> int:
    path = _imported_path(x, node)
    if path:
        return x.add_import(path, WHOLE_EXPORT, node, block)[0]
    name = x.text(node.named_children[0])
    if name == "@This":
        return _own_type(x, block)
    arguments = list(parts(node, "#arguments"))
    if name == "@as" and len(arguments) > 1:
        declared, value = x.read_type(arguments[0], block), x.read(arguments[1], block)
        return declared if declared >= 0 else value
    values = [x.read(argument, block) for argument in arguments]
    return values[-1] if name in _CASTS and values else NOTHING


def _own_type(x: TabledExtraction, block: Block) -> int:
    scope: Scope | None = block.scope
    while scope is not None and scope.kind != Kind.CLASS:
        scope = scope.owner if scope.owner is not None else scope.parent
    return scope.register if scope is not None else x.file.register


def _read_captured(x: TabledExtraction, node: "Node", block: Block) -> int:
    """`if`, `while`, `for`, `switch` cases, `catch`: `|name|` is what the node before yielded."""
    inner, values, result = block.inner(), [], NOTHING
    loops = node.type.startswith("for")
    for child in node.named_children:
        if child.type != "payload":
            result = x.read(child, inner)
            values.append(result)
            continue
        for at, name in enumerate(child.named_children):
            value = values[at] if loops and at < len(values) else NOTHING
            if loops and value >= 0:
                value = element(x, value)
            elif not loops and node.type != "catch_expression" and values and at == 0:
                value = values[-1]
            x.bind_local(x.text(name), inner, value)
    return x.union(values[0], result) if node.type == "catch_expression" and values else result


def _read_index(x: TabledExtraction, node: "Node", block: Block) -> int:
    base, index = x.read(find(node, "object"), block), find(node, "index")
    x.read(index, block)
    if base < 0 or (index is not None and index.type == "range_expression"):
        return base
    return element(x, base)


def _read_initializer(x: TabledExtraction, node: "Node", block: Block) -> int:
    """`User{ .name = x }`."""
    kind = find(node, "#0")
    value = x.read_type(kind, block)
    for each in parts(node, "#initializer_list"):
        name, part = find(each, "left/member"), x.read(find(each, "right") or each, block)
        if name is not None and value >= 0 and each.type == "assignment_expression":
            x.refer_attribute(name, value, x.text(name), block.scope.index)
            if part >= 0:
                x.emit(STORE, value, x.text(name), part)
    return max(value, NOTHING)


def _read_field_access(x: TabledExtraction, node: "Node", block: Block) -> int:
    return _MEMBER(x, node, block) if find(node, "object") is not None else NOTHING


def _builtin_type(x: TabledExtraction, node: "Node", block: Block) -> int:
    return NOTHING if x.text(node) in _OPEN_TYPES else OUTSIDE


_MEMBER = member("object", "member")
_READERS = {
    "identifier": name_reader,
    "field_expression": _read_field_access,
    "call_expression": call("function"),
    "builtin_function": _read_builtin,
    "block": sequence,
    "block_expression": through("#0"),
    "labeled_statement": through("#-1"),
    "parenthesized_expression": through("#0"),
    "try_expression": through("#0"),
    "comptime_expression": through("#0"),
    "await_expression": through("#0"),
    "dereference_expression": through("#0"),
    "null_coercion_expression": through("#0"),
    "unary_expression": through("argument"),
    # the grammar reads `!a.b()` as a member of the type `!a`
    "error_union_type": through("ok"),
    "binary_expression": choice("left", "right"),
    "switch_expression": sequence,
    **dict.fromkeys(
        (
            "if_statement", "if_expression", "while_statement", "while_expression",
            "for_statement", "for_expression", "switch_case", "catch_expression", "else_clause",
        ),
        _read_captured,
    ),
    "return_expression": returning(),
    "assignment_expression": assignment("left", "right"),
    "index_expression": _read_index,
    "struct_initializer": _read_initializer,
    **dict.fromkeys(_CONTAINERS, _read_container),
    "builtin_type": nothing,
    "error_type": nothing,
    "error_set_declaration": nothing,
    "string": nothing,
}  # fmt: skip
TABLE = Table(
    language="zig",
    readers=_READERS,
    declarations={
        "variable_declaration": _declare_variable,
        "function_declaration": _ZigFunction(),
        "container_field": _declare_field,
        "test_declaration": _declare_test,
        "using_namespace_declaration": _use_namespace,
    },
    types={
        "identifier": named_type,
        "field_expression": named_type,
        "call_expression": named_type,
        "builtin_function": named_type,
        **dict.fromkeys(_CONTAINERS, named_type),
        "pointer_type": inner_type("#-1"),
        "nullable_type": inner_type("#-1"),
        "error_union_type": inner_type("ok"),
        "slice_type": container_type("#-1"),
        "array_type": container_type("#-1"),
        "builtin_type": _builtin_type,
    },
    tails={
        "field_expression": "member",
        "parenthesized_expression": "#0",
        "error_union_type": "ok",
    },
)


def extract_zig(root: "Node", source: bytes, path: str) -> FileFacts:
    """Facts of a Zig file. One with fields of its own is a struct as a whole."""
    x = TabledExtraction(source, path, root, TABLE)
    x.guard(lambda: x.declare_all(root.named_children, Block(x.file, None)))
    if _OWN_TYPE in x.file.type_names.values():
        _make_struct(x)
    x.guard(x.finish)
    return x.facts()


def _make_struct(x: TabledExtraction) -> None:
    scope = Scope(len(x.scopes), Kind.CLASS, "", x.file)
    x.scopes.append(scope)
    scope.flags, scope.qualified, scope.register = ANONYMOUS, "<file>", x.register()
    x.emit(DEF, scope.register, scope.index)
    x.file.register = scope.register
    scope.members.update(x.exports)
    x.exports[WHOLE_EXPORT] = (scope.register,)
    x.file.type_names.setdefault(posixpath.basename(x.path).removesuffix(".zig"), _OWN_TYPE)
    for each in x.scopes:
        if each.parent is x.file and each.kind == Kind.FUNCTION:
            each.kind, each.owner, each.self_register = Kind.METHOD, scope, x.register()


class ZigModules(RelativeModules):
    """Files by their path; a package by its name, which its root file most often has."""

    def __init__(self, sources: Sources) -> None:
        super().__init__(sources)
        self._roots: dict[str, str] = {}
        for path in sorted(sources.paths, key=lambda path: (path.count("/"), path)):
            name = path.rpartition("/")[2].removesuffix(".zig")
            self._roots.setdefault(name, path)

    def find(self, module: str, level: int, path: str) -> tuple[str, ...]:
        found = super().find(module, level, path)
        if found or module.endswith(".zig") or module in _LIBRARY:
            return found
        root = self._roots.get(module)
        return () if root is None or root == path else (root,)


LANGUAGES = (
    Language(
        name="zig",
        extensions=(".zig",),
        grammar="tree_sitter_zig:language",
        extract=extract_zig,
        index_modules=ZigModules,
    ),
)
