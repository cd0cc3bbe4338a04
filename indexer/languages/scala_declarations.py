"""Scala declarations: packages, imports, classes, objects, traits, functions."""

from functools import partial
from typing import TYPE_CHECKING

from agrama.indexer.facts import (
    ABSTRACT,
    INTERFACE,
    NOTHING,
    TO_DEFINITION,
    FileFacts,
)
from agrama.indexer.languages.brief import (
    add_body,
    add_typed,
    declare_class,
    declare_field,
    declare_method,
    sign,
)
from agrama.indexer.languages.classes import CONSTRUCTOR
from agrama.indexer.languages.scala_expressions import ScalaExtraction, read_arguments
from agrama.indexer.languages.typed import Block, Scope, written

if TYPE_CHECKING:
    from tree_sitter import Node  # noqa: TID251 - a type only

_CLASSES = frozenset(
    (
        "class_definition",
        "object_definition",
        "trait_definition",
        "enum_definition",
        "package_object",
    )
)
_FUNCTIONS = frozenset(("function_definition", "function_declaration"))
_VALUES = frozenset(("val_definition", "var_definition", "val_declaration", "var_declaration"))


class ScalaFile(ScalaExtraction):
    """The extraction with declarations inside code."""

    def declare_inside(self, node: "Node", block: Block) -> None:
        if node.type in _CLASSES:
            _declare_class(self, node, block.scope, block)
        else:
            _declare_function(self, node, None, block.scope, block)
        self.read_declarations(later=True)

    def read_new(self, node: "Node", body: "Node", base: int, block: Block) -> int:
        scope = self.define_anonymous(node, body, (base,), block)
        inner = Block(scope, block)
        loose: list[Node] = []
        _declare_members(self, body, scope, inner, loose)
        self.bodies.append(partial(self.run, loose, inner.inner(), {}))
        self.read_declarations(later=True)
        return self.instance(scope.register)


def extract_scala(root: "Node", source: bytes, path: str) -> FileFacts:
    """Facts of a Scala file."""
    x = ScalaFile(source, path, root)
    x.package = ""
    x.guard(lambda: _read_file(x, root))
    return x.facts()


def _read_file(x: ScalaFile, root: "Node") -> None:
    block = Block(x.file, None)
    x.open_package(root)
    _read_packages(x, root)
    package = x.package or ""
    while "." in package:
        package = package.rpartition(".")[0]
        x.import_star(package)
        x.see_package(package)
    x.import_star("", level=1)  # last, for it comes before what wildcards import
    loose: list[Node] = []
    _declare_top(x, root, block, loose)
    _join_companions(x)
    x.read_declarations()
    x.guard(partial(x.run, loose, block.inner(), {}))


def _read_packages(x: ScalaFile, root: "Node") -> None:
    for node in root.named_children:
        if node.type == "package_clause":
            name = node.child_by_field_name("name")
            if name is not None:
                x.package = f"{x.package}.{x.text(name)}" if x.package else x.text(name)
            body = node.child_by_field_name("body")
            if body is not None:
                _read_packages(x, body)
        elif node.type == "import_declaration":
            _read_import(x, node)


def _read_import(x: ScalaFile, node: "Node") -> None:
    path = [child for child in node.children_by_field_name("path") if child.is_named]
    parts = [x.text(child) for child in path]
    if not parts:
        return
    rest = [child for child in written(node) if child not in path]
    if not rest:
        _import_name(x, ".".join(parts[:-1]), parts[-1], parts[-1], path[-1])
    for child in rest:
        if "wildcard" in child.type:
            _import_all(x, parts, child)
        for each in written(child):
            name, alias = each.child_by_field_name("name"), each.child_by_field_name("alias")
            if "wildcard" in each.type:
                _import_all(x, parts, each)
            elif name is not None and alias is not None:
                _import_name(x, ".".join(parts), x.text(name), x.text(alias), name)
            else:
                _import_name(x, ".".join(parts), x.text(each), x.text(each), each)


def _import_all(x: ScalaFile, parts: list[str], node: "Node") -> None:
    if parts[-1][:1].isupper():
        x.static_stars.append(x.import_class(".".join(parts[:-1]), parts[-1], node))
    else:
        x.import_star(".".join(parts), node)
        x.see_package(".".join(parts))


def _import_name(x: ScalaFile, module: str, name: str, alias: str, node: "Node") -> None:
    outer = module.rpartition(".")
    if outer[2][:1].isupper():  # a member of an object
        register = x.import_class(outer[0], outer[2], node)
        if name[:1].isupper():
            x.imported[alias] = (x.attribute(register, name), len(x.imports) - 1)
        elif name:
            x.static_imported[alias] = register
        return
    x.imported[alias] = (x.import_class(module, name, node), len(x.imports) - 1)
    if not name[:1].isupper():
        x.functions[alias] = (x.package_class(module), name)


# ---- what is declared


def _declare_top(x: ScalaFile, root: "Node", block: Block, loose: list["Node"]) -> None:
    assert x.loose is not None  # made when the file was opened
    for node in root.named_children:
        if node.type == "package_clause":
            body = node.child_by_field_name("body")
            if body is not None:
                _declare_top(x, body, block, loose)
        elif node.type in _CLASSES:
            _declare_class(x, node, x.file, block)
        elif node.type in _FUNCTIONS:
            _declare_function(x, node, x.loose, x.file, block)
        elif node.type == "extension_definition":
            _declare_extension(x, node, block)
        elif node.type in _VALUES:
            _declare_value(x, node, x.loose, block)
        elif node.type == "ERROR":
            _declare_top(x, node, block, loose)
        elif node.type != "import_declaration":
            loose.append(node)


def _declare_class(x: ScalaFile, node: "Node", parent: Scope, outer: Block) -> None:
    name = node.child_by_field_name("name")
    if name is None:
        return
    flags = INTERFACE if node.type == "trait_definition" else 0
    before = outer.types.get(x.text(name))
    scope, block = declare_class(x, node, name, parent, outer, flags)
    if before is not None:
        x.companions.append((before, scope))
    x.headers.append(partial(_read_header, x, scope, node, block))
    listed = node.child_by_field_name("class_parameters")
    for child in written(listed) if listed is not None else ():
        x.add_field(scope, child.child_by_field_name("name"), child)
    body = node.child_by_field_name("body")
    loose: list[Node] = []
    if body is not None:
        _declare_members(x, body, scope, block, loose)
    if loose:
        x.bodies.append(partial(x.run, loose, block.inner(), {}))


def _join_companions(x: ScalaFile) -> None:
    """A class and the object of its name answer for one another."""

    def join() -> None:
        for first, second in x.companions:
            for name, row in list(second.members.items()):
                first.members.setdefault(name, row)

    x.signatures.append(lambda: x.bodies.insert(0, join))


def _declare_members(
    x: ScalaFile, body: "Node", owner: Scope, block: Block, loose: list["Node"]
) -> None:
    for node in body.named_children:
        kind = node.type
        if kind in _FUNCTIONS:
            _declare_function(x, node, owner, owner, block)
        elif kind in _VALUES:
            _declare_value(x, node, owner, block)
        elif kind in _CLASSES:
            _declare_class(x, node, owner, block)
        elif kind == "enum_case_definitions":
            for child in written(node):
                name = child.child_by_field_name("name")
                x.add_field(owner, name, child, owner.name)
                if name is not None:
                    x.type_field(owner, x.text(name), x.instance(owner.register))
        elif kind == "extension_definition":
            _declare_extension(x, node, block)
        elif kind == "ERROR":
            _declare_members(x, node, owner, block, loose)
        elif kind not in ("import_declaration", "type_definition", "self_type"):
            loose.append(node)


def _declare_value(x: ScalaFile, node: "Node", owner: Scope, block: Block) -> None:
    pattern = node.child_by_field_name("pattern") or node.child_by_field_name("name")
    kind, value = node.child_by_field_name("type"), node.child_by_field_name("value")
    if pattern is not None and pattern.type == "identifier":
        declare_field(x, node, pattern, owner, kind, value, block)
    elif value is not None:
        x.bodies.append(partial(x.value, value, block, {}))


def _declare_function(
    x: ScalaFile, node: "Node", owner: Scope | None, parent: Scope, block: Block
) -> tuple[Scope, Block] | None:
    name = node.child_by_field_name("name")
    if name is None:
        return None
    key = CONSTRUCTOR if x.text(name) == "this" else ""
    method, inner = declare_method(x, node, name, owner, parent, block, key=key)
    method.flags |= ABSTRACT if node.type == "function_declaration" else 0
    x.signatures.append(partial(_read_signature, x, method, owner, node, key, inner))
    add_body(x, method, node.child_by_field_name("body"), inner)
    return method, inner


def _declare_extension(x: ScalaFile, node: "Node", block: Block) -> None:
    """`extension (s: T) def f(…)`: f is called on a T."""
    listed = node.child_by_field_name("parameters")
    receiver = written(listed)[0] if listed is not None and written(listed) else None
    body = node.child_by_field_name("body")
    functions = [body] if body is not None and body.type in _FUNCTIONS else []
    if body is not None and not functions:
        functions = [child for child in written(body) if child.type in _FUNCTIONS]
    for child in functions:
        made = _declare_function(x, child, None, x.file, block)
        if made is not None and receiver is not None:
            x.signatures.append(partial(_extend, x, *made, child, receiver))


def _extend(x: ScalaFile, method: Scope, block: Block, node: "Node", receiver: "Node") -> None:
    kind, name = receiver.child_by_field_name("type"), receiver.child_by_field_name("name")
    declared = max(x.type_of(kind, block), NOTHING)
    if name is not None:
        local = x.declare(x.text(name), block, declared)
        local.versions.append(declared)
    types = [x.type_text(kind, block), *_types(x, node, block)]
    row = (method.register, TO_DEFINITION, method.index)
    if x.loose is not None:
        x.loose.members.setdefault(f".{method.name}", row)
        x.loose.members.setdefault(f".{method.name}({','.join(types)})", row)
    cls = x.class_of(kind, block)
    if cls >= 0:
        part = x.extension_of(cls, x.root)
        part.members.setdefault(method.name, row)
        part.members.setdefault(f"{method.name}({','.join(types[1:])})", row)


# ---- types and signatures


def _types(x: ScalaFile, node: "Node", block: Block) -> list[str]:
    listed = node.child_by_field_name("parameters")
    nodes = written(listed) if listed is not None else []
    return [x.type_text(child.child_by_field_name("type"), block) for child in nodes]


def _read_type_parameters(x: ScalaFile, scope: Scope, node: "Node", block: Block) -> None:
    listed = node.child_by_field_name("type_parameters")
    for name in listed.children_by_field_name("name") if listed is not None else ():
        scope.types[x.text(name)] = NOTHING


def _read_header(x: ScalaFile, scope: Scope, node: "Node", block: Block) -> None:
    _read_type_parameters(x, scope, node, block)
    listed = node.child_by_field_name("class_parameters")
    types: list[str] = []
    for child in written(listed) if listed is not None else ():
        name, kind = child.child_by_field_name("name"), child.child_by_field_name("type")
        default = child.child_by_field_name("default_value")
        types.append(x.type_text(kind, block) + ("=" if default is not None else ""))
        if name is not None:
            x.type_field(scope, x.text(name), x.type_of(kind, block))
            scope.type_names[x.text(name)] = x.type_text(kind, block)
    made = x.define_closure(node, block)  # the constructor that the class itself is
    scope.members.setdefault(CONSTRUCTOR, (made.register,))
    scope.members[f"{CONSTRUCTOR}({','.join(types)})"] = (made.register,)
    extend = node.child_by_field_name("extend")
    for child in written(extend) if extend is not None else ():
        if child.type == "arguments":
            x.bodies.append(partial(read_arguments, x, child, block, {}))
            continue
        register = x.class_of(child, block)
        if register >= 0 and register != scope.register:
            scope.bases.append(register)


def _read_signature(
    x: ScalaFile, method: Scope, owner: Scope | None, node: "Node", key: str, block: Block
) -> None:
    _read_type_parameters(x, method, node, block)
    types: list[str] = []
    for at, listed in enumerate(node.children_by_field_name("parameters")):
        for child in written(listed):
            name, kind = child.child_by_field_name("name"), child.child_by_field_name("type")
            if name is None:
                continue
            text = add_typed(x, method, block, x.text(name), kind)
            default = child.child_by_field_name("default_value")
            if default is not None:
                x.bodies.append(partial(x.value, default, block, {}))
            if not at:  # further lists belong to the result of the first
                types.append(text if default is None else f"{text}=")
    sign(x, method, owner, types, node.child_by_field_name("return_type"), block, key)
