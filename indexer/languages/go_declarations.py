"""Go declarations: packages, imports, types, functions and methods, variables."""

import re
from collections.abc import Iterator
from functools import partial
from typing import TYPE_CHECKING

from agrama.graph.model import Kind
from agrama.indexer.facts import (
    ANONYMOUS,
    COPY,
    DEF,
    EXTENSION,
    IMPORT,
    INTERFACE,
    NOTHING,
    TEST,
    TO_DEFINITION,
    TO_VARIABLE,
    FileFacts,
    Import,
)
from agrama.indexer.languages.go_expressions import declare_parameters, read_body
from agrama.indexer.languages.go_statements import STATEMENTS, read_values
from agrama.indexer.languages.go_types import (
    GoExtraction,
    class_of,
    read_type,
    shape_of,
    struct_fields,
)
from agrama.indexer.languages.typed import Block, Environment, Local, Scope

if TYPE_CHECKING:
    from tree_sitter import Node  # noqa: TID251 - a type only

_TESTS = re.compile(r"(?:Test|Benchmark|Fuzz|Example)(?![a-z])")
_VERSION = re.compile(r"^v\d+$|\.v\d+$")


def extract_go(root: "Node", source: bytes, path: str) -> FileFacts:
    """Facts of a Go file."""
    x = GoExtraction(source, path, root)
    x.guard(lambda: _read_file(x, root))
    return x.facts()


def _read_file(x: GoExtraction, root: "Node") -> None:
    block = Block(x.file, None)
    top = [child for child in _top_level(root) if child.type != "comment"]
    _read_package(x, top)
    for node in top:
        if node.type == "import_declaration":
            _read_imports(x, node)
    types = _declare_types(x, top, block, x.file)
    functions = [_declare_function(x, node, block) for node in top if _is_function(node)]
    variables = [node for node in top if node.type in ("var_declaration", "const_declaration")]
    for node in variables:
        functions += _declare_variables(x, node)
    for scope, node in types:
        _read_type_body(x, scope, node, block)
    for scope, node in functions:
        _read_signature(x, scope, node, block)
    env: Environment = {}
    for node in variables:
        _read_variables(x, node, block, env)
    x.finish_closures()
    for scope, node in functions:
        x.guard(partial(_read_function, x, scope, node))


def _top_level(root: "Node") -> Iterator["Node"]:
    """Declarations, those that survived inside a syntax error too."""
    for child in root.named_children:
        if child.type == "ERROR":
            yield from child.named_children
        else:
            yield child


def _is_function(node: "Node") -> bool:
    return node.type in ("function_declaration", "method_declaration") and (
        node.child_by_field_name("name") is not None
    )


def _read_package(x: GoExtraction, top: list["Node"]) -> None:
    """The other files of the package are visible without an import."""
    for node in top:
        if node.type == "package_clause" and node.named_child_count:
            x.package = x.text(node.named_children[0])
    x.imports.append(tuple(Import("", 1, "*", 0, 0, 0, 0, 0, 0, 0)))


def _read_imports(x: GoExtraction, node: "Node") -> None:
    specs = [child for child in node.named_children if child.type == "import_spec"]
    for child in node.named_children:
        if child.type == "import_spec_list":
            specs += [spec for spec in child.named_children if spec.type == "import_spec"]
    for spec in specs:
        where = spec.child_by_field_name("path")
        if where is None:
            continue
        module = x.text(where).strip('"`')
        name = spec.child_by_field_name("name")
        dot = name is not None and name.type == "dot"
        row, column = where.start_point
        index = len(x.imports)
        x.imports.append(
            tuple(Import(module, 0, "*" if dot else None, 0, 0, row + 1, column, 0, 0, 0))
        )
        if dot or (name is not None and name.type == "blank_identifier"):
            continue
        register = x.register()
        x.emit(IMPORT, register, index)
        x.imported[x.text(name) if name is not None else _package_name(module)] = (register, index)


def _package_name(module: str) -> str:
    """The name that a package most likely has: `gopkg.in/yaml.v3` and `x/yaml/v3` are `yaml`."""
    parts = [part for part in module.split("/") if not re.fullmatch(r"v\d+", part)]
    last = _VERSION.sub("", parts[-1]) if parts else module
    return last.removeprefix("go-").replace("-", "_")


# ---- types


def _declare_types(
    x: GoExtraction, nodes: list["Node"], block: Block, parent: Scope
) -> list[tuple[Scope, "Node"]]:
    found: list[tuple[Scope, Node]] = []
    for node in nodes:
        if node.type != "type_declaration":
            continue
        specs = [
            child for child in node.named_children if child.type in ("type_spec", "type_alias")
        ]
        for spec in specs:
            name = spec.child_by_field_name("name")
            if name is None:
                continue
            if spec.type == "type_alias":
                _declare_alias(x, spec, name, block, parent)
                continue
            scope = x.define(Kind.CLASS, x.text(name), parent, spec, name)
            scope.doc = scope.doc or x.comment_before(node)
            scope.signature = f"type {x.text(name)}"
            if parent is x.file:
                x.export_definition(scope)
            else:
                block.types[scope.name] = scope
            found.append((scope, spec))
    return found


def _read_local_types(x: GoExtraction, node: "Node", block: Block, env: Environment) -> Environment:
    for scope, spec in _declare_types(x, [node], block, block.scope):
        _read_type_body(x, scope, spec, block)
    return env


STATEMENTS["type_declaration"] = _read_local_types


def _declare_alias(
    x: GoExtraction, node: "Node", name: "Node", block: Block, parent: Scope
) -> None:
    if parent is not x.file:
        return
    index = x.add_variable(x.text(name), parent, name, node)
    register = class_of(x, node.child_by_field_name("type"), block)
    x.export_variable(x.text(name), register, index)


def _read_type_parameters(x: GoExtraction, scope: Scope, node: "Node", block: Block) -> None:
    listed = node.child_by_field_name("type_parameters")
    for child in listed.named_children if listed is not None else ():
        names = [x.text(name) for name in child.children_by_field_name("name")]
        scope.types.update(dict.fromkeys(names, NOTHING))
        bound = read_type(x, child.child_by_field_name("type"), Block(scope, block))
        scope.types.update(dict.fromkeys(names, max(bound, NOTHING)))


def _read_type_body(x: GoExtraction, scope: Scope, node: "Node", block: Block) -> None:
    _read_type_parameters(x, scope, node, block)
    kind = node.child_by_field_name("type")
    inner = Block(scope, block)
    if kind is None:
        return
    if kind.type == "struct_type":
        for field in struct_fields(kind):
            _read_field(x, scope, field, inner)
    elif kind.type == "interface_type":
        scope.flags |= INTERFACE
        for child in kind.named_children:
            _read_element(x, scope, child, inner)
    elif kind.type in ("type_identifier", "qualified_type", "generic_type"):
        class_of(x, kind, inner)  # `type B A` has the fields of A, but none of its methods
    else:
        register = read_type(x, kind, inner)
        if register >= 0:
            scope.members["[]"] = (register,)


def _read_field(x: GoExtraction, scope: Scope, node: "Node", block: Block) -> None:
    kind = node.child_by_field_name("type")
    names = node.children_by_field_name("name")
    if not names and kind is not None:
        register = class_of(x, kind, block)
        if register >= 0:
            scope.bases.append(register)
            index = x.add_variable(_last_name(x, kind), scope, kind, kind)
            x.add_member(scope, _last_name(x, kind), x.instance(register), TO_VARIABLE, index)
        return
    register = read_type(x, kind, block)
    for name in names:
        index = x.add_variable(x.text(name), scope, name, node)
        scope.members[x.text(name)] = (max(register, NOTHING), TO_VARIABLE, index)


def _last_name(x: GoExtraction, node: "Node") -> str:
    text = x.text(node).split("[")[0]
    return text.rpartition(".")[2].lstrip("*")


def _read_element(x: GoExtraction, scope: Scope, node: "Node", block: Block) -> None:
    """A method of an interface, or an embedded interface."""
    if node.type == "method_elem":
        name = node.child_by_field_name("name")
        if name is None:
            return
        method = x.define(Kind.METHOD, x.text(name), scope, node, name)
        method.owner = scope
        method.self_register = x.register()
        declare_parameters(x, method, node, Block(method, block))
        _add_method(x, scope, method, node)
    elif node.type == "type_elem" and node.named_child_count == 1:
        register = class_of(x, node, block)
        if register >= 0:
            scope.bases.append(register)
    else:
        read_type(x, node, block)


def _add_method(x: GoExtraction, owner: Scope, method: Scope, node: "Node") -> None:
    """By its name, and by its shape: what satisfies an interface is decided by both."""
    x.add_member(owner, method.name, method.register, TO_DEFINITION, method.index)
    shape = f"{method.name}{shape_of(x, node)}"
    owner.members[shape] = (method.register, TO_DEFINITION, method.index)


# ---- functions


def _declare_function(x: GoExtraction, node: "Node", block: Block) -> tuple[Scope, "Node"]:
    name = node.child_by_field_name("name")
    assert name is not None  # _is_function
    text = x.text(name)
    if node.type == "function_declaration":
        scope = x.define(Kind.FUNCTION, text, x.file, node, name)
        if x.path.endswith("_test.go") and _TESTS.match(text):
            scope.flags |= TEST
        if text not in ("init", "_"):
            x.export_definition(scope)
        return scope, node
    owner = _receiver_class(x, node, block)
    qualified = f"{owner.name}.{text}"
    parent = x.file if owner.flags & EXTENSION else owner
    scope = x.define(Kind.METHOD, text, parent, node, name, qualified)
    scope.owner = owner
    scope.self_register = x.register()
    _add_method(x, owner, scope, node)
    return scope, node


def _receiver_class(x: GoExtraction, node: "Node", block: Block) -> Scope:
    """The type of a method; if another file declares it, what this file adds to it."""
    receiver = _receiver(node)
    kind = receiver.child_by_field_name("type") if receiver is not None else None
    name = _last_name(x, kind).strip("()* ") if kind is not None else ""
    binding = x.exports.get(name)
    if binding is not None and binding[1] == TO_DEFINITION:
        return x.scopes[binding[2]]
    scope = x.extensions.get(name)
    if scope is None:
        scope = x.extensions[name] = Scope(len(x.scopes), Kind.CLASS, name, x.file)
        x.scopes.append(scope)
        scope.qualified = f"<{name}>"
        scope.flags = ANONYMOUS | EXTENSION
        scope.register = x.register()
        x.emit(DEF, scope.register, scope.index)
        scope.bases.append(x.read_free(name, None, x.file))
    return scope


def _receiver(node: "Node") -> "Node | None":
    listed = node.child_by_field_name("receiver")
    inner = listed.named_children if listed is not None else []
    return next((child for child in inner if child.type == "parameter_declaration"), None)


def _read_signature(x: GoExtraction, scope: Scope, node: "Node", block: Block) -> None:
    _read_type_parameters(x, scope, node, block)
    inner = Block(scope, block)
    receiver = _receiver(node)
    kind = receiver.child_by_field_name("type") if receiver is not None else None
    if kind is not None:
        _read_receiver_parameters(x, scope, kind)
        class_of(x, kind, inner)
    declare_parameters(x, scope, node, inner)
    scope.counts["block"] = len(x.blocks)
    x.blocks.append(inner)


def _read_receiver_parameters(x: GoExtraction, scope: Scope, kind: "Node") -> None:
    """`func (l *List[T])` names the parameters of the type anew."""
    while kind.type in ("pointer_type", "parenthesized_type") and kind.named_child_count:
        kind = kind.named_children[0]
    arguments = kind.child_by_field_name("type_arguments")
    for argument in arguments.named_children if arguments is not None else ():
        scope.types[x.text(argument)] = NOTHING


def _read_function(x: GoExtraction, scope: Scope, node: "Node") -> None:
    inner = x.blocks[scope.counts["block"]]
    receiver = _receiver(node)
    name = receiver.child_by_field_name("name") if receiver is not None else None
    if name is not None:
        local = Local(scope)
        local.versions.append(scope.self_register)
        inner.names[x.text(name)] = local
    read_body(x, scope, node, inner)


# ---- variables


def _variable_specs(node: "Node") -> list["Node"]:
    specs: list[Node] = []
    for child in node.named_children:
        specs += child.named_children if child.type.endswith("_spec_list") else [child]
    return [spec for spec in specs if spec.type in ("var_spec", "const_spec")]


def _values_of(spec: "Node") -> list["Node"]:
    value = spec.child_by_field_name("value")
    return [n for n in value.named_children if n.type != "comment"] if value is not None else []


def _declare_variables(x: GoExtraction, node: "Node") -> list[tuple[Scope, "Node"]]:
    """Variables; one that is made with a function is that function. Returns these."""
    functions: list[tuple[Scope, Node]] = []
    for spec in _variable_specs(node):
        names = [n for n in spec.children_by_field_name("name") if n.type == "identifier"]
        values = _values_of(spec)
        for at, name in enumerate(names):
            text = x.text(name)
            if text in ("_", *x.exports):
                continue
            if len(values) == len(names) and values[at].type == "func_literal":
                scope = x.define(Kind.FUNCTION, text, x.file, values[at], name)
                x.export_definition(scope)
                x.literals[values[at].start_byte] = scope.register
                functions.append((scope, values[at]))
            else:
                index = x.add_variable(text, x.file, name, spec)
                x.export_variable(text, x.register(), index)
    return functions


def _read_variables(x: GoExtraction, node: "Node", block: Block, env: Environment) -> None:
    for spec in _variable_specs(node):
        names = [n for n in spec.children_by_field_name("name") if n.type == "identifier"]
        declared = read_type(x, spec.child_by_field_name("type"), block)
        values = read_values(x, _values_of(spec), len(names), block, env)
        for name, register in zip(names, values, strict=False):
            binding = x.exports.get(x.text(name))
            if binding is None or binding[1] != TO_VARIABLE:
                continue
            for source in (declared, register):
                if source >= 0:
                    x.emit(COPY, binding[0], source)
