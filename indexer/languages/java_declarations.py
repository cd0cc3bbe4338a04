"""Java declarations: packages, imports, classes of all kinds, their members.

A class is read in three steps, so that names may be used before they are declared: its members
are listed, then types and signatures are read, then bodies.
"""

from functools import partial
from typing import TYPE_CHECKING

from agrama.graph.model import Kind
from agrama.indexer.facts import (
    ABSTRACT,
    ANONYMOUS,
    INTERFACE,
    NOTHING,
    STATIC,
    STORE,
    TEST,
    TO_DEFINITION,
    TO_IMPORT,
    TO_VARIABLE,
    FileFacts,
    Import,
)
from agrama.indexer.languages.classes import CONSTRUCTOR, construct
from agrama.indexer.languages.java_expressions import EXPRESSIONS
from agrama.indexer.languages.java_statements import STATEMENTS
from agrama.indexer.languages.java_types import JavaExtraction, class_of, read_type, type_text
from agrama.indexer.languages.java_typing import static_type
from agrama.indexer.languages.typed import Block, Environment, Scope

if TYPE_CHECKING:
    from tree_sitter import Node  # noqa: TID251 - a type only

_CLASSES = frozenset(
    (
        "class_declaration", "interface_declaration", "enum_declaration", "record_declaration",
        "annotation_type_declaration",
    )
)  # fmt: skip
_INTERFACES = frozenset(("interface_declaration", "annotation_type_declaration"))
_METHODS = frozenset(
    (
        "method_declaration", "constructor_declaration", "compact_constructor_declaration",
        "annotation_type_element_declaration",
    )
)  # fmt: skip
_FIELDS = frozenset(("field_declaration", "constant_declaration"))
_TESTS = frozenset(("Test", "ParameterizedTest", "RepeatedTest", "TestFactory", "TestTemplate"))


class JavaFile(JavaExtraction):
    """The extraction with classes inside code."""

    expressions = EXPRESSIONS
    statements = STATEMENTS

    def read_anonymous(self, node: "Node", body: "Node", base: int, block: Block) -> int:
        scope = self.define_anonymous(node, body, (base,), block)
        self._read_now(scope, body, Block(scope, block))
        return self.instance(scope.register)

    def read_local_class(self, node: "Node", block: Block) -> None:
        _declare_class(self, node, block.scope, block)
        self._finish(len(self.class_nodes) - 1)

    def _read_now(self, scope: Scope, body: "Node", block: Block) -> None:
        first = len(self.class_nodes)
        self.class_nodes.append((scope, body, block))
        _declare_members(self, scope, body, block)
        self._finish(first)

    def _finish(self, first: int) -> None:
        """Types now, bodies when the function around is finished."""
        classes, methods = self.class_nodes[first:], self.method_nodes[:]
        self.method_nodes.clear()
        for scope, node, block in classes:
            _read_header(self, scope, node, block)
        for scope, node, block in methods:
            _read_signature(self, scope, node, block)
        self.defer(lambda: _read_bodies(self, classes, methods))


def extract_java(root: "Node", source: bytes, path: str) -> FileFacts:
    """Facts of a Java file."""
    x = JavaFile(source, path, root)
    x.package = ""
    x.guard(lambda: read_file(x, root))
    return x.facts()


def read_file(x: JavaFile, root: "Node") -> None:
    block = Block(x.file, None)
    for node in root.named_children:
        if node.type == "package_declaration" and node.named_child_count:
            x.package = x.text(node.named_children[-1])
        elif node.type == "import_declaration":
            _read_import(x, node)
    # last, for it comes before what wildcards import
    x.imports.append(tuple(Import("", 1, "*", 0, 0, 0, 0, 0, 0, 0)))
    loose = []
    for node in root.named_children:
        if node.type in _CLASSES:
            _declare_class(x, node, x.file, block)
        elif node.type in STATEMENTS:
            loose.append(node)
    classes, methods = x.class_nodes[:], x.method_nodes[:]
    x.method_nodes.clear()
    for scope, node, inner in classes:
        _read_header(x, scope, node, inner)
    for scope, node, inner in methods:
        _read_signature(x, scope, node, inner)
    _read_bodies(x, classes, methods)
    x.run(loose, block.inner(), {})


# ---- imports


def _read_import(x: JavaFile, node: "Node") -> None:
    name = next((c for c in node.named_children if "identifier" in c.type), None)
    if name is None:
        return
    parts = x.text(name).split(".")
    is_static = any(child.type == "static" for child in node.children)
    is_star = any(child.type == "asterisk" for child in node.named_children)
    at = next((i for i, part in enumerate(parts) if part[:1].isupper()), -1)
    if is_star and not is_static and at < 0:
        row, column = name.start_point
        module = ".".join(parts)
        x.imports.append(tuple(Import(module, 0, "*", 0, 0, row + 1, column, 0, 0, 0)))
        x.has_utilities = x.has_utilities or module == "java.util"
        return
    at = at if at >= 0 else len(parts) - 1
    index = len(x.imports)
    register = x.import_class(".".join(parts[:at]), parts[at], name)
    nested = parts[at + 1 :]
    member = nested.pop() if is_static and not is_star and nested else ""
    last = name.child_by_field_name("name") or name
    if not nested and not member:
        x.add_reference(last, 0, TO_IMPORT, index)
    for step, part in enumerate(nested):
        if step == len(nested) - 1 and not member:
            x.refer_attribute(last, register, part, 0)
        register = x.attribute(register, part)
    if member:
        x.refer_attribute(last, register, member, 0)
        x.static_imported[member] = register
    elif is_star:
        x.static_stars.append(register)
    else:
        x.imported[parts[-1]] = (register, index)


# ---- classes: what they declare


def _declare_class(x: JavaFile, node: "Node", parent: Scope, outer: Block) -> None:
    name = node.child_by_field_name("name")
    body = node.child_by_field_name("body")
    if name is None:
        return
    scope = x.define(Kind.CLASS, x.text(name), parent, node, name)
    if node.type in _INTERFACES:
        scope.flags |= INTERFACE
    block = Block(scope, outer)
    outer.types[scope.name] = scope
    if parent is x.file:
        x.export_definition(scope)
    elif parent.is_class:
        x.add_member(parent, scope.name, scope.register, TO_DEFINITION, scope.index)
    x.class_nodes.append((scope, node, block))
    parameters = node.child_by_field_name("parameters")
    for child in parameters.named_children if parameters is not None else ():
        _declare_field(x, scope, child.child_by_field_name("name"), child)
    if body is not None:
        _declare_members(x, scope, body, block)


def _declare_members(x: JavaFile, scope: Scope, body: "Node", block: Block) -> None:
    for node in body.named_children:
        kind = node.type
        if kind in _CLASSES:
            _declare_class(x, node, scope, block)
        elif kind in _METHODS:
            _declare_method(x, node, scope, block)
        elif kind in _FIELDS:
            for child in node.children_by_field_name("declarator"):
                _declare_field(x, scope, child.child_by_field_name("name"), node)
        elif kind == "enum_constant":
            _declare_field(x, scope, node.child_by_field_name("name"), node)
        elif kind in ("enum_body_declarations", "ERROR"):
            _declare_members(x, scope, node, block)


def _declare_field(x: JavaFile, scope: Scope, name: "Node | None", node: "Node") -> None:
    if name is not None and not (scope.flags & ANONYMOUS):
        index = x.add_variable(x.text(name), scope, name, node)
        scope.members.setdefault(x.text(name), (NOTHING, TO_VARIABLE, index))
    elif name is not None:
        scope.members.setdefault(x.text(name), (NOTHING,))


def _declare_method(x: JavaFile, node: "Node", owner: Scope, block: Block) -> None:
    name = node.child_by_field_name("name")
    if name is None:
        return
    text = x.text(name)
    method = x.define(Kind.METHOD, text, owner, node, name)
    method.flags |= owner.flags & ANONYMOUS
    method.owner = owner
    method.self_register = x.register()
    modifiers = next((c for c in node.named_children if c.type == "modifiers"), None)
    words = {child.type for child in modifiers.children} if modifiers is not None else set()
    method.flags |= STATIC if "static" in words else 0
    bodiless = owner.flags & INTERFACE and node.child_by_field_name("body") is None
    method.flags |= ABSTRACT if bodiless or "abstract" in words else 0
    if "constructor" in node.type:
        text = CONSTRUCTOR
    x.add_member(owner, text, method.register, TO_DEFINITION, method.index)
    x.method_nodes.append((method, node, Block(method, block)))


# ---- types and signatures


def _read_header(x: JavaFile, scope: Scope, node: "Node", block: Block) -> None:
    """Type parameters, bases and the types of fields."""
    _read_type_parameters(x, scope, node, block)
    outer = block.outer or block
    for child in node.named_children:
        if child.type == "modifiers":
            x.read_annotations(child, outer)
        elif child.type == "superclass":
            _add_bases(x, scope, child.named_children, block)
        elif child.type in ("super_interfaces", "extends_interfaces"):
            for each in child.named_children:
                _add_bases(x, scope, each.named_children, block)
    for child in _parameter_nodes(node):
        _type_field(x, scope, child.child_by_field_name("name"), child, block)
        _add_accessor(x, scope, child, block)
    body = node.child_by_field_name("body")
    _read_field_types(x, scope, body if body is not None else node, block)


def _add_accessor(x: JavaFile, scope: Scope, node: "Node", block: Block) -> None:
    """`point.x()` of a record: a method that no one wrote, so it has no symbol."""
    name = node.child_by_field_name("name")
    if name is not None and len(scope.members.get(x.text(name), ())) == 3:
        accessor = x.define_closure(node, block)
        accessor.return_type = scope.members[x.text(name)][0]
        scope.members[f"{x.text(name)}()"] = (accessor.register,)
        scope.type_names[f"{x.text(name)}()"] = scope.type_names.get(x.text(name), "?")


def _add_bases(x: JavaFile, scope: Scope, nodes: list["Node"], block: Block) -> None:
    for node in nodes:
        register = class_of(x, node, block)
        if register >= 0 and register != scope.register:
            scope.bases.append(register)


def _read_type_parameters(x: JavaFile, scope: Scope, node: "Node", block: Block) -> None:
    listed = node.child_by_field_name("type_parameters")
    for child in listed.named_children if listed is not None else ():
        parts = [part for part in child.named_children if "annotation" not in part.type]
        if not parts:
            continue
        scope.types[x.text(parts[0])] = NOTHING
        for bound in parts[1:]:
            scope.types[x.text(parts[0])] = max(read_type(x, bound, block), NOTHING)


def _read_field_types(x: JavaFile, scope: Scope, body: "Node", block: Block) -> None:
    for node in body.named_children:
        if node.type in _FIELDS:
            for child in node.children_by_field_name("declarator"):
                _type_field(x, scope, child.child_by_field_name("name"), node, block)
        elif node.type == "enum_constant":
            name = node.child_by_field_name("name")
            row = scope.members.get(x.text(name)) if name is not None else None
            if name is not None and row is not None:
                scope.members[x.text(name)] = (x.instance(scope.register), *row[1:])
                scope.type_names[x.text(name)] = scope.name
        elif node.type in ("enum_body_declarations", "ERROR"):
            _read_field_types(x, scope, node, block)


def _type_field(x: JavaFile, scope: Scope, name: "Node | None", node: "Node", block: Block) -> None:
    if name is None:
        return
    for child in node.named_children:
        if child.type == "modifiers":
            x.read_annotations(child, block)
    kind = node.child_by_field_name("type")
    register = read_type(x, kind, block)
    text = x.text(name)
    row = scope.members.get(text)
    if row is not None and row[0] < 0:
        scope.members[text] = (max(register, NOTHING), *row[1:])
    scope.type_names[text] = type_text(x, kind, block)


def _parameter_nodes(node: "Node") -> list["Node"]:
    listed = node.child_by_field_name("parameters")
    wanted = ("formal_parameter", "spread_parameter")
    return [c for c in listed.named_children if c.type in wanted] if listed is not None else []


def _read_signature(x: JavaFile, method: Scope, node: "Node", block: Block) -> None:
    owner = method.owner
    assert owner is not None  # every method of Java has a class
    _read_type_parameters(x, method, node, block)
    for child in node.named_children:
        if child.type == "modifiers":
            names = x.read_annotations(child, block)
            method.flags |= TEST if not _TESTS.isdisjoint(names) else 0
        elif child.type == "throws":
            read_type(x, child, block)
    types = [_read_parameter(x, method, child, block) for child in _parameter_nodes(node)]
    name = method.name
    if "constructor" in node.type:
        name = CONSTRUCTOR
    else:
        kind = node.child_by_field_name("type")
        method.return_type = read_type(x, kind, block)
        key, text = f"{name}()", type_text(x, kind, block)
        known = owner.type_names.get(key, text)
        owner.type_names[key] = text if text == known else "?"
    if node.type == "compact_constructor_declaration":
        types = [part for field, part in owner.type_names.items() if field in owner.variables]
    signature = f"{name}({','.join(types)})"
    owner.members[signature] = (method.register, TO_DEFINITION, method.index)


def _read_parameter(x: JavaFile, method: Scope, node: "Node", block: Block) -> str:
    for child in node.named_children:
        if child.type == "modifiers":
            x.read_annotations(child, block)
    if node.type == "spread_parameter":
        parts = [part for part in node.named_children if part.type != "modifiers"]
        declarator = parts[-1] if parts else node
        name = declarator.child_by_field_name("name") or declarator
        kind = parts[0] if len(parts) > 1 else None
        declared = x.container([(None, read_type(x, kind, block))])
        local = x.add_parameter(method, block, x.text(name), declared)
        local.type_name = f"{type_text(x, kind, block)}[]"
        return f"{type_text(x, kind, block)}..."
    kind, named = node.child_by_field_name("type"), node.child_by_field_name("name")
    declared = read_type(x, kind, block)
    text = type_text(x, kind, block)
    if node.child_by_field_name("dimensions") is not None:
        declared, text = x.container([(None, declared)]), f"{text}[]"
    local = x.add_parameter(method, block, x.text(named) if named else "", declared)
    local.type_name = text
    return text


# ---- bodies


def _read_bodies(
    x: JavaFile,
    classes: list[tuple[Scope, "Node", Block]],
    methods: list[tuple[Scope, "Node", Block]],
) -> None:
    for scope, node, block in classes:
        body = node.child_by_field_name("body")
        x.guard(partial(_read_initializers, x, scope, body or node, block))
    for _, node, block in methods:
        body = node.child_by_field_name("body")
        if body is not None:
            x.guard(partial(x.run, body.named_children, block, {}))


def _read_initializers(x: JavaFile, scope: Scope, body: "Node", block: Block) -> None:
    env: Environment = {}
    for node in body.named_children:
        if node.type in _FIELDS:
            for child in node.children_by_field_name("declarator"):
                name, value = child.child_by_field_name("name"), child.child_by_field_name("value")
                register = x.value(value, block, env)
                if register >= 0 and name is not None:
                    x.emit(STORE, x.instance(scope.register), x.text(name), register)
        elif node.type == "enum_constant":
            _read_constant(x, scope, node, block)
        elif node.type == "static_initializer":
            for child in node.named_children:
                x.run(child.named_children, block.inner(), env)
        elif node.type == "block":
            x.run(node.named_children, block.inner(), env)
        elif node.type in ("enum_body_declarations", "ERROR"):
            _read_initializers(x, scope, node, block)


def _read_constant(x: JavaFile, scope: Scope, node: "Node", block: Block) -> None:
    """`LOW(1) { … }`: a constructor runs, and the body is a class of its own."""
    listed = node.child_by_field_name("arguments")
    nodes = listed.named_children if listed is not None else []
    values = tuple(x.value(each, block, {}) for each in nodes)
    name, body = node.child_by_field_name("name"), node.child_by_field_name("body")
    if CONSTRUCTOR in scope.members and name is not None:
        types = ",".join(static_type(x, each, block) for each in nodes)
        construct(x, scope.register, f"{CONSTRUCTOR}({types})", values, name, block)
    if body is not None:
        x.read_anonymous(node, body, scope.register, block)
