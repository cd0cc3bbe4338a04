"""C# declarations: namespaces, usings, types of all kinds, their members.

Names may be used before they are declared: members are listed first, then types and signatures are
read, then bodies.
"""

from functools import partial
from typing import TYPE_CHECKING

from agrama.graph.model import Kind
from agrama.indexer.facts import (
    ABSTRACT,
    INTERFACE,
    NOTHING,
    PARTIAL,
    PROPERTY,
    STATIC,
    STORE,
    TEST,
    TO_DEFINITION,
    FileFacts,
)
from agrama.indexer.languages.classes import CONSTRUCTOR
from agrama.indexer.languages.classes_statements import give_back
from agrama.indexer.languages.classes_typing import note_result
from agrama.indexer.languages.csharp_expressions import read_arguments, read_target
from agrama.indexer.languages.csharp_library import LIBRARY
from agrama.indexer.languages.csharp_namespaces import (
    GROUPS,
    NAMESPACES,
    declares_globally,
    find_namespaces,
    read_usings,
)
from agrama.indexer.languages.csharp_types import CSharpExtraction, class_of, read_type, type_text
from agrama.indexer.languages.typed import Block, Local, Scope, written

if TYPE_CHECKING:
    from tree_sitter import Node  # noqa: TID251 - a type only

_CLASSES = frozenset(
    (
        "class_declaration", "interface_declaration", "struct_declaration", "record_declaration",
        "record_struct_declaration", "enum_declaration",
    )
)  # fmt: skip
_METHODS = frozenset(
    (
        "method_declaration", "constructor_declaration", "operator_declaration",
        "conversion_operator_declaration", "destructor_declaration", "indexer_declaration",
    )
)  # fmt: skip
_FIELDS = frozenset(("field_declaration", "event_field_declaration"))
_INTERFACES = frozenset(("IList", "ICollection", "IEnumerable", "IDictionary", "IConvertible"))
_TESTS = frozenset(("Test", "Fact", "Theory", "TestMethod", "TestCase", "DataTestMethod"))


class CSharpFile(CSharpExtraction):
    """The extraction with functions inside code."""

    def read_local_function(self, node: "Node", block: Block) -> None:
        name = node.child_by_field_name("name")
        if name is None:
            return
        scope = self.define(Kind.FUNCTION, self.text(name), block.scope, node, name)
        inner = Block(scope, block)
        _read_parameters(self, scope, node, inner)
        scope.return_type = read_type(self, node.child_by_field_name("type"), inner)
        local = Local(block.scope)
        local.versions.append(scope.register)
        local.type_name = "->"
        block.names[scope.name] = local
        self.defer(partial(_read_body, self, scope, node, inner))


def extract_csharp(root: "Node", source: bytes, path: str) -> FileFacts:
    """Facts of a C# file."""
    x = CSharpFile(source, path, root)
    x.package = ""
    x.guard(lambda: _read_file(x, root))
    facts = x.facts()
    namespaces = [*x.namespaces, ""] if declares_globally(root) else x.namespaces
    if len(namespaces) > 1 or x.globals:
        facts["config"] = {"namespaces": namespaces, "globals": x.globals}
    return facts


def _read_file(x: CSharpFile, root: "Node") -> None:
    block = Block(x.file, None)
    find_namespaces(x, root, "")
    x.package = x.namespaces[0] if x.namespaces else ""
    x.roots.update(name.partition(".")[0] for name in x.namespaces)
    x.open_package(root)
    read_usings(x, root)
    for namespace in x.namespaces:
        outer = namespace.rpartition(".")[0]
        while outer:
            x.see_package(outer)
            outer = outer.rpartition(".")[0]
    x.import_star("", level=1)  # last, for it comes before what is imported
    loose: list[Node] = []
    _declare_all(x, root, block, loose)
    x.read_declarations()
    x.guard(partial(x.run, loose, block.inner(), {}))


# ---- what is declared


def _declare_all(x: CSharpFile, node: "Node", block: Block, loose: list["Node"]) -> None:
    for child in node.named_children:
        kind = child.type
        if kind in _CLASSES:
            _declare_class(x, child, x.file, block)
        elif kind == "delegate_declaration":
            _declare_delegate(x, child, x.file, block)
        elif kind in NAMESPACES:
            _declare_all(x, child.child_by_field_name("body") or child, block, loose)
        elif kind in GROUPS:
            _declare_all(x, child, block, loose)
        elif kind == "global_statement":
            loose.extend(child.named_children)


def _key(x: CSharpFile, node: "Node") -> tuple["Node | None", str]:
    name = node.child_by_field_name("name")
    count = 0
    for child in node.named_children:
        if child.type == "type_parameter_list":
            count = sum(1 for each in child.named_children if each.type == "type_parameter")
    text = x.text(name) if name is not None else ""
    return name, f"{text}`{count}" if count else text


def _words(x: CSharpFile, node: "Node") -> set[str]:
    return {x.text(child) for child in node.named_children if child.type == "modifier"}


def _declare_class(x: CSharpFile, node: "Node", parent: Scope, outer: Block) -> None:
    name, key = _key(x, node)
    if name is None:
        return
    scope = x.define(Kind.CLASS, x.text(name), parent, node, name)
    words = _words(x, node)
    scope.flags |= INTERFACE if node.type == "interface_declaration" else 0
    scope.flags |= PARTIAL if "partial" in words else 0
    block = Block(scope, outer)
    outer.types.setdefault(key, scope)
    x.classes.setdefault(scope.name, scope)
    if parent is x.file:
        x.exports.setdefault(key, (scope.register, TO_DEFINITION, scope.index))
    else:
        x.add_member(parent, key, scope.register, TO_DEFINITION, scope.index)
    x.headers.append(partial(_read_header, x, scope, node, block))
    for child in _primary(node):
        x.add_field(scope, child.child_by_field_name("name"), child)
    if node.type == "enum_declaration":
        scope.types["<enum>"] = NOTHING
    body = node.child_by_field_name("body")
    if body is not None:
        _declare_members(x, scope, body, block)


def _primary(node: "Node") -> list["Node"]:
    """The parameters of a primary constructor."""
    listed = next((c for c in node.named_children if c.type == "parameter_list"), None)
    return [c for c in listed.named_children if c.type == "parameter"] if listed is not None else []


def _declare_members(x: CSharpFile, scope: Scope, body: "Node", block: Block) -> None:
    for node in body.named_children:
        kind = node.type
        if kind in _METHODS:
            _declare_method(x, node, scope, block)
        elif kind in _FIELDS:
            _declare_fields(x, node, scope, block)
        elif kind in ("property_declaration", "event_declaration"):
            _declare_property(x, node, scope, block)
        elif kind in _CLASSES:
            _declare_class(x, node, scope, block)
        elif kind == "delegate_declaration":
            _declare_delegate(x, node, scope, block)
        elif kind == "enum_member_declaration":
            name = node.child_by_field_name("name")
            x.add_field(scope, name, node, scope.name)
            if name is not None:
                x.type_field(scope, x.text(name), x.instance(scope.register))
        elif kind in GROUPS:
            _declare_members(x, scope, node, block)


def _declare_delegate(x: CSharpFile, node: "Node", parent: Scope, outer: Block) -> None:
    """The type of a function: an interface with one method that no one wrote."""
    name, key = _key(x, node)
    if name is None:
        return
    scope = x.define(Kind.CLASS, x.text(name), parent, node, name)
    scope.flags |= INTERFACE
    outer.types.setdefault(key, scope)
    if parent is x.file:
        x.exports.setdefault(key, (scope.register, TO_DEFINITION, scope.index))
    else:
        x.add_member(parent, key, scope.register, TO_DEFINITION, scope.index)
    block = Block(scope, outer)

    def read() -> None:
        _read_type_parameters(x, scope, node, block)
        for child in _parameter_nodes(node):
            read_type(x, child.child_by_field_name("type"), block)
        read_type(x, node.child_by_field_name("type"), block)

    x.headers.append(read)


def _declare_fields(x: CSharpFile, node: "Node", scope: Scope, block: Block) -> None:
    inner = next((c for c in node.named_children if c.type == "variable_declaration"), None)
    if inner is None:
        return
    nodes = [c for c in inner.named_children if c.type == "variable_declarator"]
    for child in nodes:
        x.add_field(scope, child.child_by_field_name("name"), node)

    def read() -> None:
        _read_attributes(x, node, block)
        kind = inner.child_by_field_name("type")
        register = read_type(x, kind, block)
        for child in nodes:
            name = child.child_by_field_name("name")
            if name is not None:
                x.type_field(scope, x.text(name), register)
                scope.type_names[x.text(name)] = type_text(x, kind, block)

    x.headers.append(read)
    x.bodies.append(partial(_read_initials, x, scope, inner, nodes, block))


def _read_initials(
    x: CSharpFile, scope: Scope, node: "Node", nodes: list["Node"], block: Block
) -> None:
    for child in nodes:
        name = child.child_by_field_name("name")
        value = written(child)[-1] if len(written(child)) > 1 else None
        if name is not None and value is not None:
            row = scope.members.get(x.text(name), (NOTHING,))
            register = read_target(x, value, row[0], block, {})
            if register >= 0:
                x.emit(STORE, x.instance(scope.register), x.text(name), register)


def _declare_property(x: CSharpFile, node: "Node", scope: Scope, block: Block) -> None:
    name = node.child_by_field_name("name")
    if name is None:
        return
    kind, value = node.child_by_field_name("type"), node.child_by_field_name("value")
    accessors = node.child_by_field_name("accessors")
    bodies = [
        body
        for child in (accessors.named_children if accessors is not None else ())
        if (body := child.child_by_field_name("body")) is not None
    ]
    if value is not None and value.type == "arrow_expression_clause":
        bodies, value = [value], None
    text = x.text(name)
    if not bodies:
        _declare_stored(x, node, scope, name, value, block)
        return
    method = x.define(Kind.METHOD, text, scope, node, name)
    method.owner = scope
    method.self_register = x.register()
    method.flags |= PROPERTY | (STATIC if "static" in _words(x, node) else 0)
    x.add_member(scope, text, method.register, TO_DEFINITION, method.index)
    inner = Block(method, block)

    def read() -> None:
        _read_attributes(x, node, block)
        method.return_type = read_type(x, kind, inner)
        scope.type_names[text] = type_text(x, kind, inner)

    x.headers.append(read)
    for body in bodies:
        x.bodies.append(partial(_read_accessor, x, method, body, inner, value))


def _read_accessor(
    x: CSharpFile, method: Scope, body: "Node", block: Block, value: "Node | None"
) -> None:
    inner = block.inner()
    local = x.declare("value", inner, max(method.return_type, NOTHING))
    local.versions.append(max(method.return_type, NOTHING))
    if value is not None:
        x.value(value, inner, {})
    _run_body(x, method, body, inner)


def _declare_stored(
    x: CSharpFile, node: "Node", scope: Scope, name: "Node", value: "Node | None", block: Block
) -> None:
    """A property without code is a field."""
    x.add_field(scope, name, node)
    kind, text = node.child_by_field_name("type"), x.text(name)

    def read() -> None:
        _read_attributes(x, node, block)
        x.type_field(scope, text, read_type(x, kind, block))
        scope.type_names[text] = type_text(x, kind, block)

    def read_value() -> None:
        register = read_target(x, value, scope.members.get(text, (NOTHING,))[0], block, {})
        if register >= 0:
            x.emit(STORE, x.instance(scope.register), text, register)

    x.headers.append(read)
    if value is not None:
        x.bodies.append(read_value)


def _declare_method(x: CSharpFile, node: "Node", owner: Scope, block: Block) -> None:
    name = node.child_by_field_name("name")
    place = name or node.child_by_field_name("operator") or node.child_by_field_name("type")
    if place is None:
        return
    text = x.text(name) if name is not None else f"operator {x.text(place)}"
    if node.type == "destructor_declaration":
        text = f"~{text}"
    elif node.type == "indexer_declaration":
        text = "this[]"
    method = x.define(Kind.METHOD, text, owner, node, place)
    method.owner = owner
    method.self_register = x.register()
    words = _words(x, node)
    method.flags |= STATIC if "static" in words else 0
    bodiless = owner.flags & INTERFACE and node.child_by_field_name("body") is None
    method.flags |= ABSTRACT if bodiless or "abstract" in words else 0
    key = CONSTRUCTOR if node.type == "constructor_declaration" else text
    if _is_explicit(x, node):
        key = f"explicit {text}"
    if key is not CONSTRUCTOR or not method.flags & STATIC:
        x.add_member(owner, key, method.register, TO_DEFINITION, method.index)
    inner = Block(method, block)
    x.signatures.append(partial(_read_signature, x, method, node, key, inner))
    x.bodies.append(partial(_read_body, x, method, node, inner))


def _is_explicit(x: CSharpFile, node: "Node") -> bool:
    """`void IList.Add(…)`: called through that interface only, which lies outside."""
    part = next((c for c in node.named_children if c.type == "explicit_interface_specifier"), None)
    name = x.text(part).rstrip(".").partition("<")[0] if part is not None else ""
    return name in LIBRARY or name in _INTERFACES


# ---- types and signatures


def _read_header(x: CSharpFile, scope: Scope, node: "Node", block: Block) -> None:
    """Type parameters, bases, a primary constructor."""
    _read_type_parameters(x, scope, node, block)
    _read_attributes(x, node, block.outer or block)
    for child in node.named_children:
        for base in child.named_children if child.type == "base_list" else ():
            register = class_of(x, base, block)
            if register >= 0 and register != scope.register:
                scope.bases.append(register)
            listed = next((c for c in base.named_children if c.type == "argument_list"), None)
            if listed is not None:
                x.bodies.append(partial(read_arguments, x, listed, block, {}))
    for child in _primary(node):
        name, kind = child.child_by_field_name("name"), child.child_by_field_name("type")
        if name is not None:
            x.type_field(scope, x.text(name), read_type(x, kind, block))
            scope.type_names[x.text(name)] = type_text(x, kind, block)


def _read_attributes(x: CSharpFile, node: "Node", block: Block) -> list[str]:
    names = []
    for child in node.named_children:
        for each in child.named_children if child.type == "attribute_list" else ():
            name = each.child_by_field_name("name")
            if name is not None:
                text = x.text(name)
                names.append(text.rpartition(".")[2].removesuffix("Attribute"))
                if name.type == "identifier":
                    x.read_free(text, name, block.scope)
                    x.read_free(f"{text}Attribute", name, block.scope)
    return names


def _read_type_parameters(x: CSharpFile, scope: Scope, node: "Node", block: Block) -> None:
    for child in node.named_children:
        if child.type == "type_parameter_list":
            for each in child.named_children:
                name = each.child_by_field_name("name")
                scope.types[x.text(name) if name is not None else x.text(each)] = NOTHING
        elif child.type == "type_parameter_constraints_clause" and len(written(child)):
            text = x.text(written(child)[0])
            for bound in written(child)[1:]:
                register = read_type(x, bound.child_by_field_name("type"), block)
                scope.types[text] = max(scope.types.get(text, NOTHING), register)


def _parameter_nodes(node: "Node") -> list["Node"]:
    listed = node.child_by_field_name("parameters")
    return [c for c in listed.named_children if c.type == "parameter"] if listed is not None else []


def _read_signature(x: CSharpFile, method: Scope, node: "Node", key: str, block: Block) -> None:
    owner = method.owner
    assert owner is not None  # every method of C# has a class
    _read_type_parameters(x, method, node, block)
    names = _read_attributes(x, node, block)
    method.flags |= TEST if not _TESTS.isdisjoint(names) else 0
    types = _read_parameters(x, method, node, block)
    if key is not CONSTRUCTOR:
        kind = node.child_by_field_name("returns") or node.child_by_field_name("type")
        method.return_type = read_type(x, kind, block)
        note_result(owner.type_names, key, type_text(x, kind, block))
    elif method.flags & STATIC:
        return
    x.sign_method(owner, key, types, method)


def _read_parameters(x: CSharpFile, method: Scope, node: "Node", block: Block) -> list[str]:
    types: list[str] = []
    for child in _parameter_nodes(node):
        kind, name = child.child_by_field_name("type"), child.child_by_field_name("name")
        declared = read_type(x, kind, block)
        text = type_text(x, kind, block)
        is_receiver = not types and "this" in _words(x, child)
        if is_receiver and name is not None:
            local = x.declare(x.text(name), block, max(declared, NOTHING))
            local.versions.append(max(declared, NOTHING))
        else:
            local = x.add_parameter(method, block, x.text(name) if name else "", declared)
        local.type_name = text
        if any(each.type == "=" for each in child.children):
            text += "="
            x.value(written(child)[-1], block, {})
        types.append(text)
        if is_receiver:
            x.bodies.append(partial(_extend, x, method, kind, types, block))
    listed = node.child_by_field_name("parameters")
    if listed is not None and any(child.type == "params" for child in listed.children):
        kind, name = listed.child_by_field_name("type"), listed.child_by_field_name("name")
        local = x.add_parameter(
            method, block, x.text(name) if name else "", read_type(x, kind, block)
        )
        local.type_name = type_text(x, kind, block)
        types.append(local.type_name.removesuffix("[]") + "...")
    return types


def _extend(
    x: CSharpFile, method: Scope, kind: "Node | None", types: list[str], block: Block
) -> None:
    """`static f(this T t, …)`: called on a T wherever the namespace is in sight."""
    if x.loose is None:
        return
    row = (method.register,)
    name = method.name
    x.loose.members.setdefault(f".{name}", row)
    x.loose.members.setdefault(f".{name}({','.join(types)})", row)
    register = class_of(x, kind, block)
    if register >= 0:
        part = x.extension_of(register, x.root)
        part.members.setdefault(name, row)
        part.members.setdefault(f"{name}({','.join(types[1:])})", row)


# ---- bodies


def _read_body(x: CSharpFile, method: Scope, node: "Node", block: Block) -> None:
    for child in node.named_children:
        if child.type == "constructor_initializer":
            x.value(child, block, {})
    body = node.child_by_field_name("body")
    if body is not None:
        _run_body(x, method, body, block)
    accessors = node.child_by_field_name("accessors")
    for child in accessors.named_children if accessors is not None else ():
        inner = child.child_by_field_name("body")
        if inner is not None:
            _run_body(x, method, inner, block.inner())


def _run_body(x: CSharpFile, method: Scope, body: "Node", block: Block) -> None:
    if body.type == "arrow_expression_clause":
        for child in body.named_children:
            value = read_target(x, child, method.return_type, block, {})
            give_back(x, child, value, method)
    else:
        x.run(body.named_children, block, {})
