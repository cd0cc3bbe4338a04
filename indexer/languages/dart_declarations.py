"""Dart declarations: imports, classes, mixins, enums, extensions, functions and their bodies."""

from functools import partial
from typing import TYPE_CHECKING

from agrama.graph.model import Kind
from agrama.indexer.facts import (
    ABSTRACT,
    IMPORT,
    NOTHING,
    PROPERTY,
    STATIC,
    TO_DEFINITION,
    FileFacts,
    Import,
)
from agrama.indexer.languages.brief import (
    add_typed,
    declare_class,
    declare_method,
    part_of,
    sign,
)
from agrama.indexer.languages.classes import CONSTRUCTOR
from agrama.indexer.languages.dart_expressions import DartExtraction, read_parts_value
from agrama.indexer.languages.typed import Block, Scope, written

if TYPE_CHECKING:
    from tree_sitter import Node  # noqa: TID251 - a type only

_CLASSES = frozenset(
    ("class_definition", "mixin_declaration", "enum_declaration", "extension_declaration")
)
_CONSTRUCTORS = frozenset(
    ("constructor_signature", "factory_constructor_signature", "constant_constructor_signature")
)
_SIGNATURES = (
    frozenset(("function_signature", "getter_signature", "setter_signature", "operator_signature"))
    | _CONSTRUCTORS
)


def extract_dart(root: "Node", source: bytes, path: str) -> FileFacts:
    """Facts of a Dart file."""
    x = DartExtraction(source, path, root)
    x.guard(lambda: _read_file(x, root))
    return x.facts()


def _read_file(x: DartExtraction, root: "Node") -> None:
    block = Block(x.file, None)
    x.open_package(root)
    for node in root.named_children:
        if node.type == "import_or_export":
            _read_import(x, node)
    _declare_all(x, root, x.file, x.loose, block)
    x.read_declarations()


def _read_import(x: DartExtraction, node: "Node") -> None:
    inner = node
    while inner.type != "string_literal" and written(inner):
        inner = written(inner)[0]
    name = x.text(inner).strip("'\"")
    alias: Node | None = None
    for child in written(written(node)[0]) if written(node) else ():
        alias = part_of(child, "identifier") or alias
    row, column = inner.start_point
    if alias is None:
        x.import_star(name, inner)
        return
    index = len(x.imports)
    x.imports.append(tuple(Import(name, 0, None, 0, 0, row + 1, column, 0, 0, 0)))
    register = x.register()
    x.emit(IMPORT, register, index)
    x.imported[x.text(alias)] = (register, index)


def _declare_all(
    x: DartExtraction, root: "Node", parent: Scope, owner: Scope | None, block: Block
) -> None:
    """Signatures are followed by their bodies."""
    nodes = written(root)
    for at, node in enumerate(nodes):
        body = (
            nodes[at + 1] if at + 1 < len(nodes) and nodes[at + 1].type == "function_body" else None
        )
        if node.type in _CLASSES:
            _declare_class(x, node, parent, block)
        elif node.type in _SIGNATURES:
            _declare_function(x, node, node, body, owner, parent, block)
        elif node.type in ("method_signature", "declaration"):
            inner = part_of(node, *_SIGNATURES)
            if inner is not None:
                _declare_function(x, inner, node, body, owner, parent, block)
            elif owner is not None:
                _declare_fields(x, node, owner, block)
        elif node.type == "enum_constant" and owner is not None:
            x.add_field(owner, node.child_by_field_name("name"), node, owner.name)
        elif node.type == "ERROR":
            _declare_all(x, node, parent, owner, block)


def _declare_class(x: DartExtraction, node: "Node", parent: Scope, outer: Block) -> None:
    name = node.child_by_field_name("name") or part_of(node, "identifier")
    body = node.child_by_field_name("body") or part_of(node, "class_body")
    if name is None:
        return
    scope, block = declare_class(x, node, name, parent, outer)
    x.headers.append(partial(_read_header, x, scope, node, block))
    if body is not None:
        _declare_all(x, body, scope, scope, block)


def _read_header(x: DartExtraction, scope: Scope, node: "Node", block: Block) -> None:
    listed = part_of(node, "type_parameters")
    for child in written(listed) if listed is not None else ():
        name = part_of(child, "type_identifier")
        if name is not None:
            scope.types[x.text(name)] = NOTHING
    pending = [c for c in written(node) if c.type in ("superclass", "interfaces", "mixins")]
    while pending:
        part = pending.pop(0)
        for child in written(part):
            if child.type == "type_identifier":
                register = x.class_of(child, block)
                if register >= 0 and register != scope.register:
                    scope.bases.append(register)
            elif child.type == "mixins":
                pending.append(child)


def _declare_function(
    x: DartExtraction,
    node: "Node",
    whole: "Node",
    body: "Node | None",
    owner: Scope | None,
    parent: Scope,
    block: Block,
) -> None:
    names = [child for child in node.children_by_field_name("name") if child.is_named]
    if node.type == "factory_constructor_signature":
        names = [child for child in written(node) if child.type == "identifier"]
    name = names[-1] if names else part_of(node, "identifier")
    if name is None:
        return
    key = CONSTRUCTOR if node.type in _CONSTRUCTORS and len(names) < 2 else ""
    words = {child.type for child in whole.children}
    flags = STATIC if "static" in words or (node.type in _CONSTRUCTORS and not key) else 0
    flags |= PROPERTY if node.type == "getter_signature" else 0
    if owner is x.loose:
        method, inner = declare_method(x, node, name, owner, parent, block, flags=flags)
    else:
        method = x.define(Kind.METHOD, x.text(name), parent, node, name)
        method.owner = owner
        method.self_register = x.register()
        method.flags |= flags | (ABSTRACT if body is None and not key else 0)
        inner = Block(method, block)
        if owner is not None and node.type != "setter_signature":
            x.add_member(owner, key or method.name, method.register, TO_DEFINITION, method.index)
    method.end_line = (body or whole).end_point[0] + 1
    x.signatures.append(partial(_read_signature, x, method, owner, node, key, inner))
    if body is not None:
        x.bodies.append(partial(_read_function_body, x, method, body, inner))
    initializers = part_of(whole, "initializers")
    if initializers is not None:
        x.bodies.append(partial(x.value, initializers, inner, {}))


def _read_function_body(x: DartExtraction, method: Scope, body: "Node", block: Block) -> None:
    inner = part_of(body, "block")
    if inner is not None:
        x.run(written(inner), block, {})
    else:
        value = read_parts_value(x, written(body), block, {})
        if value >= 0 and method.return_type < 0:
            method.returns.append(value)


def _read_signature(
    x: DartExtraction, method: Scope, owner: Scope | None, node: "Node", key: str, block: Block
) -> None:
    listed = node.child_by_field_name("parameters") or part_of(node, "formal_parameter_list")
    pending = written(listed) if listed is not None else []
    while pending:
        child = pending.pop(0)
        if child.type == "optional_formal_parameters":
            pending = [*written(child), *pending]
            continue
        name = child.child_by_field_name("name")
        kind = part_of(child, "type_identifier")
        if child.type == "formal_parameter":
            add_typed(x, method, block, x.text(name) if name is not None else "", kind)
    if node.type in _CONSTRUCTORS:
        if owner is not None and not key:
            method.return_type = x.instance(owner.register)
        return
    sign(x, method, owner, [], part_of(node, "type_identifier"), block, key)


def _declare_fields(x: DartExtraction, node: "Node", owner: Scope, block: Block) -> None:
    listed = part_of(node, "initialized_identifier_list", "static_final_declaration_list")
    kind = part_of(node, "type_identifier")
    arguments = part_of(node, "type_arguments")
    for child in written(listed) if listed is not None else ():
        name = part_of(child, "identifier")
        if name is None:
            continue
        x.add_field(owner, name, node)
        values = [part for part in written(child) if part != name]
        x.headers.append(partial(_type_field, x, owner, x.text(name), kind, arguments, block))
        if values:
            x.bodies.append(partial(read_parts_value, x, values, block, {}))


def _type_field(
    x: DartExtraction,
    owner: Scope,
    name: str,
    kind: "Node | None",
    arguments: "Node | None",
    block: Block,
) -> None:
    if kind is not None:
        nodes = written(arguments) if arguments is not None else []
        x.type_field(owner, name, x.named_type(x.text(kind), kind, nodes, block))
        owner.type_names[name] = x.type_text(kind, block)
