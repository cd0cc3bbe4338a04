"""Rust declarations: modules, `use`, types, traits, `impl` blocks, functions, macros."""

from functools import partial
from typing import TYPE_CHECKING

from agrama.graph.model import Kind
from agrama.indexer.facts import (
    ANONYMOUS,
    COPY,
    DEF,
    EXTENSION,
    INTERFACE,
    NOTHING,
    STATIC,
    TEST,
    TO_DEFINITION,
    TO_IMPORT,
    TO_VARIABLE,
    FileFacts,
    Import,
)
from agrama.indexer.languages.rust_expressions import EXPRESSIONS, add_return, read_statements
from agrama.indexer.languages.rust_macros import read_macro
from agrama.indexer.languages.rust_patterns import bind
from agrama.indexer.languages.rust_types import (
    ROOTS,
    RustExtraction,
    class_of,
    import_path,
    read_type,
    segments_of,
)
from agrama.indexer.languages.typed import Block, Environment, Local, Scope

if TYPE_CHECKING:
    from tree_sitter import Node  # noqa: TID251 - a type only

EXPRESSIONS["macro_invocation"] = read_macro
_TYPES = frozenset(("struct_item", "enum_item", "union_item", "trait_item"))
_FUNCTIONS = frozenset(("function_item", "function_signature_item"))
_CONSTANTS = frozenset(("const_item", "static_item"))
_ITEMS = frozenset(
    (
        *_TYPES, *_FUNCTIONS, *_CONSTANTS, "type_item", "associated_type", "impl_item", "mod_item",
        "use_declaration", "macro_definition", "attribute_item", "inner_attribute_item",
        "extern_crate_declaration", "foreign_mod_item", "empty_statement",
    )
)  # fmt: skip

Found = tuple[Scope, "Node", Block]


class RustFile(RustExtraction):
    """The extraction with what waits to be read: types first, then signatures, then bodies."""

    def __init__(self, source: bytes, path: str, root: "Node") -> None:
        super().__init__(source, path, root)
        self.items = _ITEMS
        self.types: list[Found] = []
        self.impls: list[tuple[Node, Block]] = []
        self.functions: list[Found] = []
        self.constants: list[tuple[int, Node, Block]] = []

    def declare_items(self, nodes: "list[Node]", block: Block) -> None:
        items = [node for node in nodes if node.type in _ITEMS]
        if items:
            _declare(self, items, block, block.scope)
            for scope, node, inner in _finish_signatures(self):
                self.defer(partial(_read_body, self, scope, node, inner))


def extract_rust(root: "Node", source: bytes, path: str) -> FileFacts:
    """Facts of a Rust file."""
    x = RustFile(source, path, root)
    x.guard(lambda: _read_file(x, root))
    return x.facts()


def _read_file(x: RustFile, root: "Node") -> None:
    block = Block(x.file, None)
    nodes = []
    for node in root.named_children:
        nodes += node.named_children if node.type == "ERROR" else [node]
    _declare(x, nodes, block, x.file)
    for scope, node, inner in _finish_signatures(x):
        x.guard(partial(_read_body, x, scope, node, inner))


def _finish_signatures(x: RustFile) -> list[Found]:
    """Types, `impl` blocks and signatures of what was declared; returns functions to read."""
    types, impls, constants = x.types[:], x.impls[:], x.constants[:]
    x.types.clear()
    x.impls.clear()
    x.constants.clear()
    for scope, node, block in types:
        _read_type_body(x, scope, node, block)
    for node, block in impls:
        _read_impl(x, node, block)
    functions = x.functions[:]
    x.functions.clear()
    for scope, node, block in functions:
        _read_signature(x, scope, node, block)
    for register, node, block in constants:
        _read_constant(x, register, node, block)
    return functions


# ---- items


def _declare(x: RustFile, nodes: list["Node"], block: Block, parent: Scope) -> None:
    attributes: list[str] = []
    for node in nodes:
        kind = node.type
        if kind == "attribute_item":
            attributes.append(x.text(node))
            continue
        name = node.child_by_field_name("name")
        if kind == "use_declaration":
            _read_use(x, node.child_by_field_name("argument"), [], block)
        elif kind == "extern_crate_declaration" and name is not None and x.text(name) != "self":
            _bind_use(x, [name], node.child_by_field_name("alias"), block)
        elif kind == "impl_item":
            x.impls.append((node, block))
        elif name is not None and kind in _TYPES:
            scope = x.define(Kind.CLASS, x.text(name), parent, node, name)
            scope.flags |= INTERFACE if kind == "trait_item" else 0
            _publish(x, scope, scope.name, block, parent)
            x.types.append((scope, node, Block(scope, block)))
        elif name is not None and kind in _FUNCTIONS:
            scope = x.define(Kind.FUNCTION, x.text(name), parent, node, name)
            scope.flags |= TEST if any("test]" in text for text in attributes) else 0
            _publish(x, scope, scope.name, block, parent)
            x.functions.append((scope, node, Block(scope, block)))
        elif name is not None and kind == "mod_item":
            _declare_module(x, node, name, block, parent)
        elif name is not None and kind == "macro_definition":
            scope = x.define(Kind.FUNCTION, x.text(name), parent, node, name)
            x.exports[f"{scope.name}!"] = (scope.register, TO_DEFINITION, scope.index)
            x.export_definition(scope)
        elif name is not None and (kind in _CONSTANTS or kind == "type_item"):
            _declare_variable(x, node, name, block, parent)
        elif kind == "foreign_mod_item":
            body = node.child_by_field_name("body")
            _declare(x, body.named_children if body is not None else [], block, parent)
        if "comment" not in kind:
            attributes = []


def _publish(x: RustFile, scope: Scope, name: str, block: Block, parent: Scope) -> None:
    """Make a definition known where it stands."""
    if parent is x.file:
        x.export_definition(scope)
    else:
        block.types[name] = scope
    if parent.kind == Kind.MODULE:
        x.add_member(parent, name, scope.register, TO_DEFINITION, scope.index)


def _declare_module(x: RustFile, node: "Node", name: "Node", block: Block, parent: Scope) -> None:
    body = node.child_by_field_name("body")
    text = x.text(name)
    if body is None:
        register, index = x.import_name(f"self.{text}", None, name)
        if parent is x.file:
            x.exports.setdefault(text, (register, TO_IMPORT, index))
        return
    scope = x.define(Kind.MODULE, text, parent, node, name)
    _publish(x, scope, text, block, parent)
    _declare(x, body.named_children, Block(scope, block), scope)


def _declare_variable(x: RustFile, node: "Node", name: "Node", block: Block, parent: Scope) -> None:
    if parent is not x.file and parent.kind not in (Kind.CLASS, Kind.MODULE):
        return
    text = x.text(name)
    index = x.add_variable(text, parent, name, node)
    register = x.register()
    if parent is x.file:
        x.export_variable(text, register, index)
    else:
        x.add_member(parent, text, register, TO_VARIABLE, index)
    x.constants.append((register, node, block))


def _read_constant(x: RustFile, register: int, node: "Node", block: Block) -> None:
    kind = node.child_by_field_name("type")
    if node.type == "type_item":  # an alias is the class it names
        source = class_of(x, kind, block)
    else:
        source = read_type(x, kind, block)
        value = x.value(node.child_by_field_name("value"), block, {})
        source = source if source >= 0 else value
    if source >= 0:
        x.emit(COPY, register, source)


# ---- use


def _read_use(x: RustFile, node: "Node | None", prefix: list["Node"], block: Block) -> None:
    if node is None:
        return
    kind = node.type
    if kind in ("identifier", "scoped_identifier", "self", "crate", "super"):
        _bind_use(x, [*prefix, *segments_of(x, node)], None, block)
    elif kind == "use_as_clause":
        path, alias = node.child_by_field_name("path"), node.child_by_field_name("alias")
        if path is not None:
            _bind_use(x, [*prefix, *segments_of(x, path)], alias, block)
    elif kind == "use_wildcard" and node.named_child_count:
        parts = [*prefix, *segments_of(x, node.named_children[0])]
        _bind_star(x, parts, block)
    elif kind in ("scoped_use_list", "use_list"):
        path = node.child_by_field_name("path")
        inner = [*prefix, *segments_of(x, path)] if path is not None else prefix
        listed = node.child_by_field_name("list") if kind == "scoped_use_list" else node
        for child in listed.named_children if listed is not None else ():
            _read_use(x, child, inner, block)


def _bind_star(x: RustFile, parts: list["Node"], block: Block) -> None:
    names = [x.text(part) for part in parts]
    in_module = block.scope.kind == Kind.MODULE
    if in_module and names == ["super"]:
        return  # the names around are in sight anyway
    row, column = parts[0].start_point
    module = _module(names, in_module=in_module)
    x.imports.append(tuple(Import(module, 0, "*", 0, 0, row + 1, column, 0, 0, 0)))


def _module(names: list[str], *, in_module: bool) -> str:
    """Inside an in-file module `super` is the file itself."""
    if in_module and names and names[0] == "super":
        names = ["self", *names[1:]]
    return ".".join(names)


def _bind_use(x: RustFile, parts: list["Node"], alias: "Node | None", block: Block) -> None:
    names = [x.text(part) for part in parts]
    last = parts[-1] if parts else None
    if last is None:
        return
    if len(parts) > 1 and names[-1] == "self":
        names, last = names[:-1], parts[-2]
    bound = x.text(alias) if alias is not None else names[-1]
    in_module = block.scope.kind == Kind.MODULE
    at = next((i for i, name in enumerate(names) if name[:1].isupper()), len(names) - 1)
    if at == 0 and (names[0] in ROOTS or len(names) == 1):
        register, index = x.import_name(names[0], None, last)
    else:
        if in_module and names[0] == "super":
            names[0] = "self"
        register, index = import_path(x, names, at, parts[at])
        x.add_reference(parts[at], block.scope.index, TO_IMPORT, index)
    for part in parts[at + 1 : len(names)]:
        x.refer_attribute(part, register, x.text(part), block.scope.index)
        register = x.attribute(register, x.text(part))
    pair = (TO_IMPORT, index) if at == len(names) - 1 else ()
    if bound != "_":
        x.used.setdefault(bound, (register, index if pair else -1))
        if not in_module:
            x.exports.setdefault(bound, (register, *pair))


# ---- types


def _read_type_parameters(x: RustFile, scope: Scope, node: "Node", block: Block) -> None:
    listed = node.child_by_field_name("type_parameters")
    for child in listed.named_children if listed is not None else ():
        name = child.child_by_field_name("name")
        if name is not None and child.type == "type_parameter":
            scope.types[x.text(name)] = NOTHING
            bound = read_type(x, child.child_by_field_name("bounds"), block)
            scope.types[x.text(name)] = max(bound, NOTHING)
    for clause in node.named_children:
        if clause.type == "where_clause":
            for child in clause.named_children:
                left = child.child_by_field_name("left")
                bound = read_type(x, child.child_by_field_name("bounds"), block)
                if left is not None and x.text(left) in scope.types and bound >= 0:
                    scope.types[x.text(left)] = bound


def _read_type_body(x: RustFile, scope: Scope, node: "Node", block: Block) -> None:
    _read_type_parameters(x, scope, node, block)
    body = node.child_by_field_name("body")
    if node.type == "trait_item":
        bounds = node.child_by_field_name("bounds")
        for child in bounds.named_children if bounds is not None else ():
            register = class_of(x, child, block)
            if register >= 0:
                scope.bases.append(register)
        _declare_methods(x, scope, body, block, scope)
    elif body is not None and body.type == "enum_variant_list":
        for variant in body.named_children:
            _read_variant(x, scope, variant, block)
    elif body is not None:
        _read_fields(x, scope, body, block, "")


def _read_fields(x: RustFile, scope: Scope, body: "Node", block: Block, prefix: str) -> None:
    """Fields by name, those of a tuple by number; of a variant under its name."""
    for at, kind in enumerate(body.children_by_field_name("type")):
        register = max(read_type(x, kind, block), NOTHING)
        scope.members[f"{prefix}{at}"] = (register,)
    for field in body.named_children:
        name = field.child_by_field_name("name")
        if field.type != "field_declaration" or name is None:
            continue
        register = max(read_type(x, field.child_by_field_name("type"), block), NOTHING)
        if prefix:
            scope.members[f"{prefix}{x.text(name)}"] = (register,)
        else:
            index = x.add_variable(x.text(name), scope, name, field)
            scope.members[x.text(name)] = (register, TO_VARIABLE, index)


def _read_variant(x: RustFile, scope: Scope, node: "Node", block: Block) -> None:
    name = node.child_by_field_name("name")
    if name is None:
        return
    index = x.add_variable(x.text(name), scope, name, node)
    scope.members[x.text(name)] = (x.instance(scope.register), TO_VARIABLE, index)
    body = node.child_by_field_name("body")
    if body is not None:
        _read_fields(x, scope, body, block, f"{x.text(name)}#")


# ---- impl


def _read_impl(x: RustFile, node: "Node", block: Block) -> None:
    kind, trait = node.child_by_field_name("type"), node.child_by_field_name("trait")
    if kind is None:
        return
    owner = _implementing(x, kind, block)
    _read_type_parameters(x, owner, node, block)
    inner = Block(owner, block)
    class_of(x, kind, inner)
    if trait is not None:
        base = class_of(x, trait, inner)
        if base >= 0 and base != owner.register and base not in owner.bases:
            owner.bases.append(base)
    parent = owner if not owner.flags & EXTENSION else block.scope
    _declare_methods(x, owner, node.child_by_field_name("body"), inner, parent)


def _implementing(x: RustFile, kind: "Node", block: Block) -> Scope:
    """The type of an `impl`; if another file declares it, what this file adds to it."""
    named = kind
    while named.type in ("generic_type", "reference_type", "pointer_type", "dynamic_type"):
        inner = named.child_by_field_name("type") or named.child_by_field_name("trait")
        if inner is None:
            break
        named = inner
    name = x.text(named).rpartition("::")[2]
    local = block.find_type(name)
    if local is not None and local.is_class:
        return local
    binding = x.exports.get(name)
    if binding is not None and binding[1:2] == (TO_DEFINITION,):
        found = x.scopes[binding[2]]
        if found.is_class:
            return found
    scope = x.extensions.get(name)
    if scope is None:
        scope = x.extensions[name] = Scope(len(x.scopes), Kind.CLASS, name, x.file)
        x.scopes.append(scope)
        scope.qualified = f"<{name}>"
        scope.flags = ANONYMOUS | EXTENSION
        scope.register = x.register()
        x.emit(DEF, scope.register, scope.index)
        scope.bases.append(class_of(x, named, block))
    return scope


def _declare_methods(
    x: RustFile, owner: Scope, body: "Node | None", block: Block, parent: Scope
) -> None:
    for node in body.named_children if body is not None else ():
        name = node.child_by_field_name("name")
        if name is None:
            continue
        text = x.text(name)
        if node.type in _FUNCTIONS:
            base = owner.qualified if not owner.flags & EXTENSION else owner.name
            scope = x.define(Kind.METHOD, text, parent, node, name, f"{base}.{text}")
            scope.owner = owner
            scope.self_register = x.register()
            x.add_member(owner, text, scope.register, TO_DEFINITION, scope.index)
            x.functions.append((scope, node, Block(scope, block)))
        elif node.type in _CONSTANTS and not owner.flags & EXTENSION:
            _declare_variable(x, node, name, block, owner)


# ---- functions


def _read_signature(x: RustFile, scope: Scope, node: "Node", block: Block) -> None:
    _read_type_parameters(x, scope, node, block)
    listed = node.child_by_field_name("parameters")
    is_method = False
    for child in listed.named_children if listed is not None else ():
        if child.type == "self_parameter":
            is_method = True
        elif child.type == "parameter":
            declared = read_type(x, child.child_by_field_name("type"), block)
            pattern = child.child_by_field_name("pattern")
            name = x.text(pattern) if pattern is not None and pattern.type == "identifier" else ""
            local = x.add_parameter(scope, block, name, declared)
            if not name and pattern is not None:
                bind(x, pattern, local.versions[0], block, {})
    if is_method:
        local = Local(scope)
        local.versions.append(scope.self_register)
        block.names["self"] = local
    elif scope.owner is not None:
        scope.flags |= STATIC
    scope.return_type = read_type(x, node.child_by_field_name("return_type"), block)


def _read_body(x: RustFile, scope: Scope, node: "Node", block: Block) -> None:
    body = node.child_by_field_name("body")
    if body is not None:
        x.declare_items(body.named_children, block)
        env: Environment = {}
        add_return(scope, read_statements(x, body, block, env))
