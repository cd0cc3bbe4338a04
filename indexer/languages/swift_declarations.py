"""Swift declarations: types, extensions, functions with labels, properties."""

from functools import partial
from typing import TYPE_CHECKING

from agrama.graph.model import Kind
from agrama.indexer.facts import (
    ABSTRACT,
    EXTENSION,
    INTERFACE,
    NOTHING,
    PROPERTY,
    STATIC,
    TEST,
    TO_DEFINITION,
    FileFacts,
)
from agrama.indexer.languages.brief import (
    add_typed,
    declare_class,
    declare_field,
    declare_method,
    part_of,
    sign,
)
from agrama.indexer.languages.classes import CONSTRUCTOR, named_class
from agrama.indexer.languages.swift_expressions import SwiftExtraction, read_statements
from agrama.indexer.languages.typed import Block, Scope, written

if TYPE_CHECKING:
    from tree_sitter import Node  # noqa: TID251 - a type only

_FUNCTIONS = frozenset(
    (
        "function_declaration",
        "protocol_function_declaration",
        "init_declaration",
        "deinit_declaration",
    )
)
_PROPERTIES = frozenset(("property_declaration", "protocol_property_declaration"))
_TYPES = frozenset(("class_declaration", "protocol_declaration"))


class SwiftFile(SwiftExtraction):
    """The extraction with declarations inside code."""

    def declare_inside(self, node: "Node", block: Block) -> None:
        if node.type in _TYPES:
            _declare_type(self, node, block.scope, block)
        else:
            _declare_function(self, node, None, block.scope, block)
        self.read_declarations(later=True)


def extract(root: "Node", source: bytes, path: str, target: str) -> FileFacts:
    x = SwiftFile(source, path, root)
    x.package = target
    x.guard(lambda: _read_file(x, root))
    return x.facts()


def _read_file(x: SwiftFile, root: "Node") -> None:
    block = Block(x.file, None)
    x.open_package(root)
    for node in root.named_children:
        if node.type == "import_declaration" and written(node):
            name = written(node)[-1]
            x.import_star(x.text(name).partition(".")[0], name)
            x.see_package(x.text(name).partition(".")[0])
    x.import_star("", level=1)
    loose: list[Node] = []
    _declare_all(x, root, block, loose)
    x.read_declarations()
    x.guard(partial(x.run, loose, block.inner(), {}))


def _declare_all(x: SwiftFile, root: "Node", block: Block, loose: list["Node"]) -> None:
    for node in root.named_children:
        if node.type in _TYPES:
            _declare_type(x, node, x.file, block)
        elif node.type in _FUNCTIONS:
            _declare_function(x, node, x.loose, x.file, block)
        elif node.type == "property_declaration" and x.loose is not None:
            _declare_property(x, node, x.loose, block)
        elif node.type == "ERROR":
            _declare_all(x, node, block, loose)
        elif node.type not in ("import_declaration", "typealias_declaration"):
            loose.append(node)


# ---- types


def _declare_type(x: SwiftFile, node: "Node", parent: Scope, outer: Block) -> None:
    name = node.child_by_field_name("name")
    if name is None:
        return
    body = node.child_by_field_name("body")
    kind = node.child_by_field_name("declaration_kind")
    if kind is not None and kind.type == "extension":
        _declare_extension(x, node, name, body, outer)
        return
    flags = INTERFACE if node.type == "protocol_declaration" else 0
    scope, block = declare_class(x, node, name, parent, outer, flags)
    x.headers.append(partial(_read_bases, x, scope, node, block))
    if body is not None:
        _declare_members(x, scope, scope, body, block)


def _declare_extension(
    x: SwiftFile, node: "Node", name: "Node", body: "Node | None", outer: Block
) -> None:
    """Members added to a type, wherever it is declared."""
    count = x.file.counts["<extension>"] = x.file.counts.get("<extension>", 0) + 1
    scope = x.hidden_class(f"<extension{count}>", node, x.file, EXTENSION)
    text = x.text(name).partition("<")[0]
    scope.name = text
    block = Block(scope, outer)
    words = text.split(".")
    register = named_class(x, words[0], None, outer)
    for word in words[1:]:
        register = x.attribute(register, word) if register >= 0 and word else NOTHING
    scope.bases.append(register)
    x.headers.append(partial(_read_bases, x, scope, node, block))
    if body is not None:
        _declare_members(x, scope, x.file, body, block)


def _read_bases(x: SwiftFile, scope: Scope, node: "Node", block: Block) -> None:
    _read_type_parameters(x, scope, node, block)
    for child in node.named_children:
        if child.type == "inheritance_specifier":
            kind = child.child_by_field_name("inherits_from")
            register = x.class_of(kind, block)
            if register >= 0 and register != scope.register:
                scope.bases.append(register)


def _read_type_parameters(x: SwiftFile, scope: Scope, node: "Node", block: Block) -> None:
    listed = part_of(node, "type_parameters")
    for child in listed.named_children if listed is not None else ():
        name = part_of(child, "type_identifier")
        if name is not None:
            scope.types[x.text(name)] = NOTHING
            bound = x.type_of(child.child_by_field_name("name"), block)
            scope.types[x.text(name)] = max(bound, NOTHING)


def _declare_members(x: SwiftFile, owner: Scope, parent: Scope, body: "Node", block: Block) -> None:
    for node in body.named_children:
        if node.type in _FUNCTIONS:
            _declare_function(x, node, owner, parent, block)
        elif node.type in _PROPERTIES:
            _declare_property(x, node, owner, block)
        elif node.type in _TYPES:
            _declare_type(x, node, owner if parent is owner else x.file, block)
        elif node.type == "enum_entry":
            for name in node.children_by_field_name("name"):
                if name.type == "simple_identifier":
                    x.add_field(owner, name, node, owner.name)
                    x.type_field(owner, x.text(name), x.instance(owner.register))
        elif node.type == "ERROR":
            _declare_members(x, owner, parent, node, block)


# ---- members


def _words(x: SwiftFile, node: "Node") -> set[str]:
    listed = part_of(node, "modifiers")
    return set(x.text(listed).split()) if listed is not None else set()


def _declare_function(
    x: SwiftFile, node: "Node", owner: Scope | None, parent: Scope, block: Block
) -> None:
    name = node.child_by_field_name("name")
    if name is None:
        return
    key = CONSTRUCTOR if node.type == "init_declaration" else ""
    static = STATIC if not _words(x, node).isdisjoint(("static", "class")) else 0
    if owner is not None and owner.flags & EXTENSION:
        method = x.define(
            Kind.METHOD, x.text(name), parent, node, name, f"{owner.name}.{x.text(name)}"
        )
        method.owner = owner
        method.self_register = x.register()
        method.flags |= static
        x.add_member(owner, key or method.name, method.register, TO_DEFINITION, method.index)
        inner = Block(method, block)
    else:
        method, inner = declare_method(x, node, name, owner, parent, block, key=key, flags=static)
    if node.type == "protocol_function_declaration":
        method.flags |= ABSTRACT
    if x.is_test_file and method.name.startswith("test"):
        method.flags |= TEST
    x.signatures.append(partial(_read_signature, x, method, owner, node, key, inner))
    body = node.child_by_field_name("body")
    if body is not None:
        x.bodies.append(partial(read_statements, x, method, body, inner))


def _read_signature(
    x: SwiftFile, method: Scope, owner: Scope | None, node: "Node", key: str, block: Block
) -> None:
    _read_type_parameters(x, method, node, block)
    types: list[str] = []
    for at, child in enumerate(node.children):
        if child.type == "parameter":
            names = child.children_by_field_name("name")
            outer = child.child_by_field_name("external_name")
            name = x.text(names[0]) if names else ""
            text = add_typed(x, method, block, name, names[-1] if len(names) > 1 else None)
            types.append(f"{x.text(outer) if outer is not None else name}:{text}")
        elif node.field_name_for_child(at) == "default_value" and types:
            types[-1] = f"{types[-1].rstrip('=')}="
            x.bodies.append(partial(x.value, child, block, {}))
    results = [child for child in node.children_by_field_name("name") if "type" in child.type]
    result = results[-1] if results else node.child_by_field_name("return_type")
    sign(x, method, owner, types, result, block, key)
    if owner is not None and owner.flags & EXTENSION and x.loose is not None and not key:
        row = (method.register, TO_DEFINITION, method.index)
        x.loose.members.setdefault(f".{method.name}", row)
        listed = ",".join((f"*:{x.type_names.get(owner.name, owner.name)}", *types))
        x.loose.members.setdefault(f".{method.name}({listed})", row)


def _declare_property(x: SwiftFile, node: "Node", owner: Scope, block: Block) -> None:
    pattern = node.child_by_field_name("name")
    name = pattern.child_by_field_name("bound_identifier") if pattern is not None else None
    if name is None:
        return
    annotation = part_of(node, "type_annotation")
    kind = annotation.child_by_field_name("name") if annotation is not None else None
    computed = node.child_by_field_name("computed_value")
    if computed is None:
        declare_field(x, node, name, owner, kind, node.child_by_field_name("value"), block)
        return
    parent = owner
    qualified = ""
    if owner.flags & EXTENSION or owner is x.loose:
        parent = x.file
        qualified = f"{owner.name}.{x.text(name)}" if owner is not x.loose else ""
    method = x.define(Kind.METHOD, x.text(name), parent, node, name, qualified)
    method.flags |= PROPERTY | (STATIC if "static" in _words(x, node) or owner is x.loose else 0)
    method.owner = owner if owner is not x.loose else None
    method.self_register = x.register() if owner is not x.loose else NOTHING
    x.add_member(owner, method.name, method.register, TO_DEFINITION, method.index)
    inner = Block(method, block)

    def read_types() -> None:
        method.return_type = x.type_of(kind, inner)
        owner.type_names[method.name] = x.type_text(kind, inner)

    x.headers.append(read_types)
    x.bodies.append(partial(read_statements, x, method, computed, inner))
