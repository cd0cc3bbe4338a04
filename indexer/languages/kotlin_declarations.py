"""Kotlin declarations: packages, imports, classes, objects, functions, properties.

Names may be used before they are declared: members are listed first, then types and signatures are
read, then bodies. Members of a companion object are static members of its class.
"""

from functools import partial
from typing import TYPE_CHECKING

from agrama.graph.model import Kind
from agrama.indexer.facts import (
    ABSTRACT,
    ANONYMOUS,
    COPY,
    INTERFACE,
    NOTHING,
    PROPERTY,
    STATIC,
    TEST,
    TO_DEFINITION,
    TO_IMPORT,
    FileFacts,
)
from agrama.indexer.languages.classes import (
    CONSTRUCTOR,
    UNKNOWN,
    emit_call,
    super_of,
)
from agrama.indexer.languages.kotlin_expressions import read_arguments, read_body
from agrama.indexer.languages.kotlin_signatures import (
    class_parameters,
    extend,
    part_of,
    read_bases,
    read_header,
    read_parameters,
    read_signature,
)
from agrama.indexer.languages.kotlin_statements import read_initial
from agrama.indexer.languages.kotlin_types import (
    TYPES,
    KotlinExtraction,
    class_of,
    read_type,
    static_type,
    type_node,
    type_text,
)
from agrama.indexer.languages.typed import Block, Local, Scope, written

if TYPE_CHECKING:
    from tree_sitter import Node  # noqa: TID251 - a type only

_CLASSES = frozenset(("class_declaration", "object_declaration"))
_BODIES = ("class_body", "enum_class_body")
_TESTS = frozenset(("Test", "ParameterizedTest", "RepeatedTest", "TestFactory"))


class KotlinFile(KotlinExtraction):
    """The extraction with declarations inside code."""

    def __init__(self, source: bytes, path: str, root: "Node") -> None:
        super().__init__(source, path, root)
        self.actual: set[str] = set()  # what one platform has for a class that all expect

    def declare_inside(self, node: "Node", block: Block) -> None:
        if node.type in _CLASSES:
            _declare_class(self, node, block.scope, block)
        else:
            scope = _declare_function(self, node, None, block.scope, block)
            if scope is not None:
                local = Local(block.scope)
                local.versions.append(scope.register)
                local.type_name = "->"
                block.names[scope.name] = local
        self.read_declarations(later=True)

    def read_object(self, node: "Node", block: Block) -> int:
        body = part_of(node, "class_body") or node
        scope = self.define_anonymous(node, body, (), block)
        inner = Block(scope, block)
        _declare_members(self, body, scope, inner, static=False)
        self.headers.append(partial(read_bases, self, scope, node, inner))
        self.read_declarations(later=True)
        return self.instance(scope.register)


def extract_kotlin(root: "Node", source: bytes, path: str) -> FileFacts:
    """Facts of a Kotlin file."""
    x = KotlinFile(source, path, root)
    x.package = ""
    x.guard(lambda: _read_file(x, root))
    facts = x.facts()
    if x.actual:  # others see what is expected, not what one platform has for it
        facts["listed"] = sorted(name for name in x.exports if name not in x.actual)
    return facts


def _read_file(x: KotlinFile, root: "Node") -> None:
    block = Block(x.file, None)
    x.open_package(root)
    for node in root.named_children:
        if node.type == "package_header" and len(written(node)):
            x.package = x.text(written(node)[-1])
        elif node.type == "import":
            _read_import(x, node)
    x.import_star("", level=1)  # last, for it comes before what wildcards import
    loose: list[Node] = []
    for node in root.named_children:
        _declare_top(x, node, block, loose)
    x.read_declarations()
    x.guard(partial(x.run, loose, block.inner(), {}))


def _read_import(x: KotlinFile, node: "Node") -> None:
    path = part_of(node, "qualified_identifier", "identifier")
    if path is None:
        return
    parts = x.text(path).split(".")
    names = [child for child in node.named_children if child.type == "identifier" and child != path]
    alias = x.text(names[-1]) if names else parts[-1]
    at = next((i for i, part in enumerate(parts) if part[:1].isupper()), len(parts) - 1)
    if any(child.type == "*" for child in node.children):
        if at < len(parts) - 1 or parts[-1][:1].isupper():
            x.static_stars.append(x.import_class(".".join(parts[:at]), parts[at], path))
        else:
            x.import_star(".".join(parts), path)
            x.see_package(".".join(parts))
        return
    module = ".".join(parts[:at])
    index = len(x.imports)
    register = x.import_class(module, parts[at], path)
    x.add_reference(written(path)[-1] if len(written(path)) else path, 0, TO_IMPORT, index)
    if at == len(parts) - 1:
        x.functions[alias] = (x.package_class(module), parts[at])
        x.see_extensions(module)
    for part in parts[at + 1 : -1]:
        register = x.attribute(register, part)
    if at < len(parts) - 1 and not parts[-1][:1].isupper():
        x.static_imported[alias] = register
    elif at < len(parts) - 1:
        x.imported[alias] = (x.attribute(register, parts[-1]), index)
    else:
        x.imported[alias] = (register, index)


# ---- what is declared


def _declare_top(x: KotlinFile, node: "Node", block: Block, loose: list["Node"]) -> None:
    kind = node.type
    assert x.loose is not None  # made when the file was opened
    if kind in _CLASSES:
        _declare_class(x, node, x.file, block)
    elif kind == "function_declaration":
        _declare_function(x, node, x.loose, x.file, block)
    elif kind == "property_declaration":
        _declare_property(x, node, x.loose, block, static=True)
    elif kind == "type_alias":
        _declare_alias(x, node, block)
    elif kind == "ERROR":
        for child in node.named_children:
            _declare_top(x, child, block, loose)
    elif kind not in ("package_header", "import", "file_annotation"):
        loose.append(node)


def _declare_alias(x: KotlinFile, node: "Node", block: Block) -> None:
    """`typealias A = B`: A stands for the class B."""
    name, kind = node.child_by_field_name("type"), type_node(node)
    if name is None:
        return
    if "actual" in _words(x, node):
        x.actual.add(x.text(name))
    register = x.register()
    x.exports.setdefault(x.text(name), (register,))

    def read() -> None:
        cls = class_of(x, kind, block)
        if cls >= 0 and cls != register:
            x.emit(COPY, register, cls)

    x.headers.append(read)


def _words(x: KotlinFile, node: "Node") -> set[str]:
    listed = part_of(node, "modifiers")
    return set(x.text(listed).split()) if listed is not None else set()


def _declare_class(x: KotlinFile, node: "Node", parent: Scope, outer: Block) -> None:
    name = node.child_by_field_name("name")
    if name is None:
        return
    scope = x.define(Kind.CLASS, x.text(name), parent, node, name)
    if any(child.type == "interface" for child in node.children):
        scope.flags |= INTERFACE
    block = Block(scope, outer)
    outer.types[scope.name] = scope
    x.classes.setdefault(scope.name, scope)
    if "actual" in _words(x, node):
        x.actual.add(scope.name)
    if parent is x.file:
        x.export_definition(scope)
    elif parent.is_class:
        x.add_member(parent, scope.name, scope.register, TO_DEFINITION, scope.index)
    for child in class_parameters(node):
        if any(each.type in ("val", "var") for each in child.children):
            x.add_field(scope, part_of(child, "identifier"), child)
    x.headers.append(partial(read_header, x, scope, node, block))
    body = part_of(node, *_BODIES)
    if body is not None:
        _declare_members(x, body, scope, block, static=node.type == "object_declaration")


def _declare_members(
    x: KotlinFile, body: "Node", scope: Scope, block: Block, *, static: bool
) -> None:
    for node in body.named_children:
        kind = node.type
        if kind == "function_declaration":
            method = _declare_function(x, node, scope, scope, block)
            if method is not None and static:
                method.flags |= STATIC
        elif kind == "property_declaration":
            _declare_property(x, node, scope, block, static=static)
        elif kind in _CLASSES:
            _declare_class(x, node, scope, block)
        elif kind == "companion_object":
            inner, name = part_of(node, "class_body"), node.child_by_field_name("name")
            named = x.text(name) if name is not None else "Companion"
            scope.members.setdefault(named, (scope.register,))  # its members are those of the class
            if inner is not None:
                _declare_members(x, inner, scope, block, static=True)
        elif kind == "secondary_constructor":
            _declare_constructor(x, node, scope, block)
        elif kind == "anonymous_initializer":
            x.bodies.append(partial(_run_initializer, x, node, block))
        elif kind == "enum_entry":
            _declare_entry(x, node, scope, block)
        elif kind == "ERROR":
            _declare_members(x, node, scope, block, static=static)


def _run_initializer(x: KotlinFile, node: "Node", block: Block) -> None:
    for child in node.named_children:
        x.run(child.named_children, block.inner(), {})


def _declare_entry(x: KotlinFile, node: "Node", scope: Scope, block: Block) -> None:
    name = part_of(node, "identifier")
    if name is None:
        return
    x.add_field(scope, name, node, scope.name)
    x.type_field(scope, x.text(name), x.instance(scope.register))
    body, listed = part_of(node, "class_body"), part_of(node, "value_arguments")
    if body is not None:
        inner = x.define_anonymous(node, body, (scope.register,), block)
        _declare_members(x, body, inner, Block(inner, block), static=False)
    if listed is not None:
        x.bodies.append(partial(read_arguments, x, [listed], block, {}))


def _declare_function(
    x: KotlinFile, node: "Node", owner: Scope | None, parent: Scope, block: Block
) -> Scope | None:
    """A function; `owner` lists it as a member."""
    name = node.child_by_field_name("name")
    if name is None:
        return None
    is_method = owner is not None and owner is not x.loose
    text = x.text(name)
    method = x.define(Kind.METHOD if is_method else Kind.FUNCTION, text, parent, node, name)
    words = _words(x, node)
    receiver = _receiver(node, name)
    inner = Block(method, block)
    if is_method and owner is not None:
        method.owner = owner
        method.flags |= owner.flags & ANONYMOUS
        if owner.flags & INTERFACE and part_of(node, "function_body") is None:
            method.flags |= ABSTRACT
    elif receiver is None:
        method.flags |= STATIC
    method.flags |= ABSTRACT if "abstract" in words else 0
    method.flags |= TEST if any(f"@{each}" in words for each in _TESTS) else 0
    method.self_register = x.register() if is_method or receiver is not None else NOTHING
    if _is_hidden(words):
        owner = None
    if is_method and receiver is not None:
        x.extending.add(text)
        x.extending_methods.add(method.index)
    if owner is not None and receiver is None:
        x.add_member(owner, text, method.register, TO_DEFINITION, method.index)
    if owner is not None and owner is x.loose:
        x.exports.setdefault(f"{text}()", (method.register, TO_DEFINITION, method.index))
    x.signatures.append(partial(read_signature, x, method, node, owner, receiver, inner))
    body = part_of(node, "function_body")
    if body is not None:
        x.bodies.append(partial(read_body, x, method, body, inner))
    return method


def _is_hidden(words: set[str]) -> bool:
    """Is a function kept for old binaries, or a decoy that says what to call instead?"""
    text = " ".join(words)
    return "DeprecationLevel.HIDDEN" in text or "LowPriorityInOverloadResolution" in text


def _receiver(node: "Node", name: "Node") -> "Node | None":
    """The type that a function extends stands before its name."""
    for child in node.named_children:
        if child == name:
            return None
        if child.type in TYPES:
            return child
    return None


def _declare_constructor(x: KotlinFile, node: "Node", owner: Scope, block: Block) -> None:
    method = x.define(Kind.METHOD, "constructor", owner, node, node)
    method.owner = owner
    method.self_register = x.register()
    inner = Block(method, block)
    x.add_member(owner, CONSTRUCTOR, method.register, TO_DEFINITION, method.index)

    def read_types() -> None:
        x.sign_method(owner, CONSTRUCTOR, read_parameters(x, method, node, inner), method)

    def read() -> None:
        call = part_of(node, "constructor_delegation_call")
        listed = part_of(call, "value_arguments") if call is not None else None
        if call is not None and listed is not None:
            given = read_arguments(x, [listed], inner, {})
            to_super = any(child.type == "super" for child in call.children)
            base = super_of(x, inner) if to_super else owner.register
            callee = x.attribute(base, x.signature(CONSTRUCTOR, given.types))
            emit_call(x, callee, given.values, call, inner)
        body = part_of(node, "block")
        if body is not None:
            x.run(body.named_children, inner, {})

    x.signatures.append(read_types)
    x.bodies.append(read)


def _declare_property(
    x: KotlinFile, node: "Node", owner: Scope, block: Block, *, static: bool
) -> None:
    target = part_of(node, "variable_declaration")
    name = part_of(target, "identifier") if target is not None else None
    if target is None or name is None:
        return
    receiver = part_of(node, "user_type")
    getter, setter = part_of(node, "getter"), part_of(node, "setter")
    value: Node | None = None
    for child in node.named_children:
        if (
            child.type not in ("modifiers", "type_parameters", "getter", "setter", *TYPES)
            and child != target
        ):
            value = child
    if receiver is not None and len(written(receiver)) > 1 and not x.text(name):
        name = written(receiver)[-1]
    if getter is None or not len(written(getter)):
        if receiver is None:
            _declare_field(x, node, owner, target, name, value, block)
        return
    parent = x.file if owner is x.loose else owner
    method = x.define(
        Kind.METHOD if parent is owner else Kind.FUNCTION, x.text(name), parent, node, name
    )
    method.flags |= (
        PROPERTY | (STATIC if static else 0) | (owner.flags & ANONYMOUS if parent is owner else 0)
    )
    method.owner = owner if parent is owner else None
    method.self_register = x.register()
    inner = Block(method, block)
    text = x.text(name)
    if receiver is None:
        x.add_member(owner, text, method.register, TO_DEFINITION, method.index)

    def read_types() -> None:
        method.return_type = read_type(x, type_node(target), inner)
        owner.type_names[text] = type_text(x, type_node(target), inner)
        if receiver is not None:
            extend(x, method, receiver, None, inner)

    x.headers.append(read_types)
    x.bodies.append(partial(_read_accessors, x, method, (getter, setter), value, inner))


def _read_accessors(
    x: KotlinFile,
    method: Scope,
    accessors: tuple["Node | None", ...],
    value: "Node | None",
    block: Block,
) -> None:
    for accessor in accessors:
        inner = block.inner()
        field = x.declare("field", inner, max(method.return_type, NOTHING))
        field.versions.append(max(method.return_type, NOTHING))
        for child in accessor.named_children if accessor is not None else ():
            if child.type == "identifier":
                local = x.declare(x.text(child), inner, max(method.return_type, NOTHING))
                local.versions.append(max(method.return_type, NOTHING))
            elif child.type == "function_body":
                read_body(x, method, child, inner)
    x.value(value, block, {})


def _declare_field(
    x: KotlinFile,
    node: "Node",
    owner: Scope,
    target: "Node",
    name: "Node",
    value: "Node | None",
    block: Block,
) -> None:
    x.add_field(owner, name, node)
    text = x.text(name)
    kind = type_node(target)

    def read_types() -> None:
        declared = read_type(x, kind, block)
        row = owner.members.get(text, (NOTHING,))
        if row[0] < 0:
            register = declared if declared >= 0 else x.register()
            owner.members[text] = (register, *row[1:])
        owner.type_names[text] = type_text(x, kind, block) if kind is not None else UNKNOWN
        if kind is None and value is not None:
            owner.type_names[text] = static_type(x, value, block)

    def read() -> None:
        register = read_initial(x, value, block, {})
        row = owner.members.get(text, (NOTHING,))
        if register >= 0 and row[0] >= 0 and kind is None:
            x.emit(COPY, row[0], register)

    x.headers.append(read_types)
    if value is not None:
        x.bodies.append(read)
