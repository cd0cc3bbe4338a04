"""PHP statements and declarations: namespaces, imports, classes of all kinds, functions."""

import re
from functools import partial
from typing import TYPE_CHECKING

from agrama.graph.model import Kind
from agrama.indexer.facts import (
    ABSTRACT,
    ANONYMOUS,
    CLASS_METHOD,
    COPY,
    DEF,
    INTERFACE,
    ITER,
    NOTHING,
    STORE,
    SUB,
    TEST,
    TO_DEFINITION,
    TO_VARIABLE,
    FileFacts,
)
from agrama.indexer.languages.dynamic import Way, ended, read_last
from agrama.indexer.languages.php_expressions import (
    EXPRESSIONS,
    add_parameters,
    read_arguments,
)
from agrama.indexer.languages.php_types import PhpExtraction, documented_type
from agrama.indexer.languages.php_values import assign
from agrama.indexer.languages.typed import Block, Environment, Handler, Scope

if TYPE_CHECKING:
    from tree_sitter import Node  # noqa: TID251 - a type only

_TEST = re.compile(r"@test\b|#\[\s*Test\b")


class PhpFile(PhpExtraction):
    """The extraction with classes inside code."""

    def read_anonymous(self, node: "Node", block: Block, env: Environment) -> int:
        scope = Scope(len(self.scopes), Kind.CLASS, "<anonymous>", block.scope)
        self.scopes.append(scope)
        count = self.file.counts["<class>"] = self.file.counts.get("<class>", 0) + 1
        scope.qualified = f"<class{count}>"
        scope.flags = ANONYMOUS
        scope.line, scope.end_line = node.start_point[0] + 1, node.end_point[0] + 1
        scope.body_line, scope.start_byte = scope.line, node.start_byte
        scope.register = self.register()
        self.emit(DEF, scope.register, scope.index)
        for child in node.named_children:
            if child.type == "arguments":
                read_arguments(self, child, block, env)
        _fill_class(self, scope, node, block)
        return self.instance(scope.register)


def extract_php(root: "Node", source: bytes, path: str) -> FileFacts:
    """Facts of a PHP file."""
    x = PhpFile(source, path, root)
    block = Block(x.file, None)
    x.guard(lambda: read_last(x, root, block, {}))
    x.read_bodies()
    return x.facts()


# ---- namespaces


def read_namespace(x: PhpFile, node: "Node", block: Block, env: Environment) -> int:
    name, body = node.child_by_field_name("name"), node.child_by_field_name("body")
    x.namespace = x.text(name) if name is not None else ""
    x.uses = {"class": {}, "function": {}, "const": {}}
    return x.value(body, block, env)


def read_use(x: PhpFile, node: "Node", block: Block, env: Environment) -> int:
    """`use A\\B as C`, `use function A\\f`, `use A\\{B, C}`."""
    prefix = ""
    sort = next((c.type for c in node.children if c.type in ("function", "const")), "class")
    clauses: list[Node] = []
    for child in node.named_children:
        if child.type == "namespace_name":
            prefix = x.text(child) + "\\"
        elif child.type == "namespace_use_group":
            clauses += child.named_children
        elif child.type == "namespace_use_clause":
            clauses.append(child)
    for clause in clauses:
        _read_use_clause(x, clause, prefix, sort, block)
    return NOTHING


def _read_use_clause(x: PhpFile, node: "Node", prefix: str, sort: str, block: Block) -> None:
    alias, kind = node.child_by_field_name("alias"), node.child_by_field_name("type")
    sort = kind.type if kind is not None and kind.type in x.uses else sort
    parts = [c for c in node.named_children if c.type in ("name", "qualified_name")]
    if not parts:
        return
    full = (prefix + x.text(parts[0])).lstrip("\\")
    short = x.text(alias) if alias is not None else full.rpartition("\\")[2]
    x.uses[sort][short if sort == "const" else short.lower()] = full
    last = parts[0].named_children[-1] if parts[0].type == "qualified_name" else parts[0]
    x.import_name(f"{full}()" if sort == "function" else full, last, block.scope)


# ---- classes


def read_class(x: PhpFile, node: "Node", block: Block, env: Environment) -> int:
    name = node.child_by_field_name("name")
    if name is None:
        return NOTHING
    scope = x.define(Kind.CLASS, x.text(name), x.file, node, name)
    if node.type == "interface_declaration":
        scope.flags |= INTERFACE
    x.export_name(x.qualify(scope.name), scope.register, TO_DEFINITION, scope.index)
    _fill_class(x, scope, node, block)
    return NOTHING


def _fill_class(x: PhpFile, scope: Scope, node: "Node", block: Block) -> None:
    inner = Block(scope, None)
    for child in node.named_children:
        if child.type in ("base_clause", "class_interface_clause"):
            scope.bases += [x.class_of(each, inner) for each in child.named_children]
    body = node.child_by_field_name("body")
    nodes = body.named_children if body is not None else []
    for child in nodes:
        if child.type == "use_declaration":
            _read_traits(x, scope, child, inner)
    for child in nodes:
        read = _MEMBERS.get(child.type)
        if read is not None:
            read(x, scope, child, inner)


def _read_traits(x: PhpFile, scope: Scope, node: "Node", block: Block) -> None:
    traits = []
    for child in node.named_children:
        if child.type in ("name", "qualified_name"):
            traits.append(x.class_of(child, block))
        elif child.type == "use_list":
            for clause in child.named_children:
                _read_trait_clause(x, scope, clause, traits, block)
    scope.bases[:0] = [each for each in traits if each not in scope.bases]


def _read_trait_clause(
    x: PhpFile, scope: Scope, node: "Node", traits: list[int], block: Block
) -> None:
    """`T::a insteadof S` chooses, `T::a as b` names anew."""
    parts = [c for c in node.named_children if c.type != "visibility_modifier"]
    if len(parts) < 2:
        return
    source = parts[0].named_children
    if parts[0].type == "class_constant_access_expression" and len(source) == 2:
        trait, method = x.class_of(source[0], block), x.text(source[1])
    else:
        trait, method = (traits[0] if traits else NOTHING), x.text(parts[0])
    if trait < 0:
        return
    new = method if node.type == "use_instead_of_clause" else x.text(parts[1])
    scope.members.setdefault(new, (x.attribute(trait, method),))


def _read_property(x: PhpFile, scope: Scope, node: "Node", block: Block) -> None:
    declared = x.type_of(node.child_by_field_name("type"), block)
    if declared == NOTHING:
        declared = documented_type(x, x.comment_before(node), "var", "", block)
    for child in node.named_children:
        name = child.child_by_field_name("name")
        if child.type == "property_element" and name is not None:
            value = x.value(child.child_by_field_name("default_value"), block, {})
            _add_property(x, scope, x.text(name), name, child, x.union(max(declared, -1), value))


def _add_property(
    x: PhpFile, scope: Scope, name: str, at: "Node", whole: "Node", register: int
) -> None:
    if name not in scope.members:
        index = x.add_variable(name, scope, at, whole)
        scope.members[name] = (max(register, NOTHING), TO_VARIABLE, index)


def _read_constants(x: PhpFile, scope: Scope, node: "Node", block: Block) -> None:
    for child in node.named_children:
        if child.type == "const_element" and child.named_child_count:
            name = child.named_children[0]
            value = (
                x.value(child.named_children[-1], block, {}) if child.named_child_count > 1 else -1
            )
            _add_property(x, scope, x.text(name), name, child, value)


def _read_enum_case(x: PhpFile, scope: Scope, node: "Node", block: Block) -> None:
    name = node.child_by_field_name("name")
    if name is not None:
        _add_property(x, scope, x.text(name), name, node, x.instance(scope.register))


def _read_method(x: PhpFile, scope: Scope, node: "Node", block: Block) -> None:
    name, body = node.child_by_field_name("name"), node.child_by_field_name("body")
    if name is None:
        return
    method = x.define(Kind.METHOD, x.text(name), scope, node, name)
    method.owner = scope
    method.self_register = x.register()
    method.flags |= scope.flags & ANONYMOUS
    words = {child.type for child in node.named_children}
    method.flags |= CLASS_METHOD if "static_modifier" in words else 0
    method.flags |= ABSTRACT if body is None else 0
    if method.name.startswith("test") or _TEST.search(method.doc + method.signature):
        method.flags |= TEST
    x.add_member(scope, method.name, method.register, TO_DEFINITION, method.index)
    inner = Block(method, block if scope.flags & ANONYMOUS else None)
    _promote(x, scope, method, node.child_by_field_name("parameters"), inner)
    _queue_body(x, method, node, inner)


def _promote(
    x: PhpFile, scope: Scope, method: Scope, parameters: "Node | None", block: Block
) -> None:
    """`__construct(private Repo $repo)` declares a property."""
    for child in parameters.named_children if parameters is not None else ():
        name = child.child_by_field_name("name")
        if child.type == "property_promotion_parameter" and name is not None:
            declared = x.type_of(child.child_by_field_name("type"), block)
            _add_property(x, scope, x.text(name), name, child, declared)


def _queue_body(x: PhpFile, scope: Scope, node: "Node", block: Block) -> None:
    """Names are read with the namespace and imports of the place."""
    namespace, uses = x.namespace, x.uses

    def read() -> None:
        x.namespace, x.uses = namespace, uses
        parameters = node.child_by_field_name("parameters")
        add_parameters(x, parameters, scope, block)
        scope.return_type = x.type_of(node.child_by_field_name("return_type"), block)
        _read_comment(x, scope, block)
        _store_promoted(x, scope, parameters, block)
        x.value(node.child_by_field_name("body"), block, {})

    x.bodies.append(read)


def _read_comment(x: PhpFile, scope: Scope, block: Block) -> None:
    """Types that only the comment tells are let in beside flow."""
    if "@" not in scope.doc:
        return
    for at, row in enumerate(scope.parameters):
        found = documented_type(x, scope.doc, "param", row[0], block) if row[3] == 0 else NOTHING
        if found >= 0:
            x.emit(COPY, scope.parameters[at][1], found)
    if scope.return_type == NOTHING:
        found = documented_type(x, scope.doc, "return", "", block)
        if found >= 0:
            scope.returns.append(found)


def _store_promoted(x: PhpFile, scope: Scope, node: "Node | None", block: Block) -> None:
    for child in node.named_children if node is not None else ():
        name = child.child_by_field_name("name")
        if child.type == "property_promotion_parameter" and name is not None:
            local = block.find(x.text(name)[1:])
            if local is not None and local.versions:
                x.emit(STORE, scope.self_register, x.text(name), local.versions[0])


_MEMBERS = {
    "property_declaration": _read_property,
    "const_declaration": _read_constants,
    "enum_case": _read_enum_case,
    "method_declaration": _read_method,
}


def read_function(x: PhpFile, node: "Node", block: Block, env: Environment) -> int:
    name = node.child_by_field_name("name")
    if name is None:
        return NOTHING
    scope = x.define(Kind.FUNCTION, x.text(name), x.file, node, name)
    full = x.qualify(scope.name)
    x.export_name(f"{full}()", scope.register, TO_DEFINITION, scope.index)
    _queue_body(x, scope, node, Block(scope, None))
    return NOTHING


def read_file_constants(x: PhpFile, node: "Node", block: Block, env: Environment) -> int:
    for child in node.named_children:
        if child.type == "const_element" and child.named_child_count > 1:
            name = child.named_children[0]
            value = x.value(child.named_children[-1], block, env)
            index = x.add_constant(x.text(name), x.file, name, child)
            x.export_name(x.qualify(x.text(name)), value, TO_VARIABLE, index)
    return NOTHING


# ---- statements


def read_if(x: PhpFile, node: "Node", block: Block, env: Environment) -> int:
    x.value(node.child_by_field_name("condition"), block, env)
    ways: list[Way] = [partial(x.value, node.child_by_field_name("body"), block)]
    complete = False
    for child in node.children_by_field_name("alternative"):
        complete = complete or child.type == "else_clause"
        ways.append(partial(_read_alternative, x, child, block))
    if not complete:
        ways.append(lambda own: NOTHING)
    x.branch(env, ways)
    return NOTHING


def _read_alternative(x: PhpFile, node: "Node", block: Block, env: Environment) -> int:
    x.value(node.child_by_field_name("condition"), block, env)
    return x.value(node.child_by_field_name("body"), block, env)


def read_loop(x: PhpFile, node: "Node", block: Block, env: Environment) -> int:
    x.repeat(node, block, env, partial(read_last, x, node, block))
    return NOTHING


def read_foreach(x: PhpFile, node: "Node", block: Block, env: Environment) -> int:
    parts, body = node.named_children, node.child_by_field_name("body")
    if len(parts) < 2:
        return NOTHING
    base = x.value(parts[0], block, env)
    targets = parts[1].named_children if parts[1].type == "pair" else [parts[1]]
    targets = [
        t.named_children[-1] if t.type == "by_ref" and t.named_children else t for t in targets
    ]

    def read(start: Environment) -> None:
        element = key = NOTHING
        if base >= 0:
            element, key = x.register(), x.register()
            x.emit(SUB, element, base, None)
            x.emit(ITER, key, base, 0, 0, block.scope.index)
        if targets:
            assign(x, targets[-1], element, block, start)
        if len(targets) == 2:
            assign(x, targets[0], key, block, start)
        x.value(body, block, start)

    x.repeat(node, block, env, read)
    return NOTHING


def read_switch(x: PhpFile, node: "Node", block: Block, env: Environment) -> int:
    x.value(node.child_by_field_name("condition"), block, env)
    body = node.child_by_field_name("body")
    ways: list[Way] = [lambda own: NOTHING]
    for child in body.named_children if body is not None else ():
        ways.append(partial(_read_case, x, child, block))
    x.branch(env, ways)
    return NOTHING


def _read_case(x: PhpFile, node: "Node", block: Block, env: Environment) -> int:
    for child in node.named_children:
        if child.type == "break_statement":
            break
        x.value(child, block, env)
    return NOTHING


def read_try(x: PhpFile, node: "Node", block: Block, env: Environment) -> int:
    ways: list[Way] = [partial(x.value, node.child_by_field_name("body"), block)]
    for child in node.named_children:
        if child.type == "catch_clause":
            ways.append(partial(_read_catch, x, child, block))
    x.branch(env, ways)
    for child in node.named_children:
        if child.type == "finally_clause":
            x.value(child.child_by_field_name("body"), block, env)
    return NOTHING


def _read_catch(x: PhpFile, node: "Node", block: Block, env: Environment) -> int:
    caught = x.type_of(node.child_by_field_name("type"), block)
    name = node.child_by_field_name("name")
    if name is not None:
        assign(x, name, max(caught, NOTHING), block, env)
    return x.value(node.child_by_field_name("body"), block, env)


def read_jump(x: PhpFile, node: "Node", block: Block, env: Environment) -> int:
    read_last(x, node, block, env)
    ended(env)
    return NOTHING


DECLARATIONS: dict[str, Handler] = {
    "namespace_definition": read_namespace,
    "namespace_use_declaration": read_use,
    **dict.fromkeys(
        ("class_declaration", "interface_declaration", "trait_declaration", "enum_declaration"),
        read_class,
    ),
    "function_definition": read_function,
    "const_declaration": read_file_constants,
    "if_statement": read_if,
    **dict.fromkeys(("while_statement", "do_statement", "for_statement"), read_loop),
    "foreach_statement": read_foreach,
    "switch_statement": read_switch,
    "try_statement": read_try,
    **dict.fromkeys(("continue_statement", "break_statement", "exit_statement"), read_jump),
}
PhpFile.expressions = {**EXPRESSIONS, **DECLARATIONS}
PhpFile.statements = {}
