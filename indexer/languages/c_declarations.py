"""C and C++ declarations: includes, macros, namespaces, types, functions, variables.

Names are requests, found when the program is linked, so one pass in the order of the text is
enough; only bodies and the values of variables wait until everything is declared.
"""

import re
from collections.abc import Iterator
from functools import partial
from typing import TYPE_CHECKING

from agrama.graph.model import Kind
from agrama.indexer.facts import (
    ABSTRACT,
    COPY,
    DECLARED,
    FORM_CALL,
    FORM_IMPLICIT,
    NOTHING,
    STATIC,
    STORE,
    TEST,
    TO_DEFINITION,
    TO_GLOBAL,
    TO_VARIABLE,
    FileFacts,
    Import,
)
from agrama.indexer.languages.c_expressions import (
    CONSTRUCTOR,
    argument_nodes,
    emit_call,
    fill,
    read_parameters,
    static_type,
)
from agrama.indexer.languages.c_statements import STATEMENTS
from agrama.indexer.languages.c_types import (
    CExtraction,
    Declarator,
    class_of,
    last_part,
    name_node,
    plain_name,
    read_type,
    type_text,
)
from agrama.indexer.languages.typed import Block, Scope

if TYPE_CHECKING:
    from tree_sitter import Node  # noqa: TID251 - a type only

_CLASSES = frozenset(("struct_specifier", "union_specifier", "class_specifier"))
_TRANSPARENT = frozenset(
    (
        "preproc_if", "preproc_ifdef", "preproc_else", "preproc_elif", "preproc_elifdef",
        "linkage_specification", "declaration_list", "ERROR", "field_declaration_list",
        "export_declaration",
    )
)  # fmt: skip
_MACRO_CALL = re.compile(rb"\b([A-Za-z_]\w*)\s*\(")
_KEYWORDS = frozenset(
    (b"if", b"for", b"while", b"switch", b"return", b"sizeof", b"do", b"defined", b"catch")
)


class CFile(CExtraction):
    """The extraction with types declared inside functions."""

    def declare_local(self, node: "Node", block: Block) -> bool:
        if node.type in _CLASSES or node.type == "enum_specifier":
            scope = _declare_class(self, node, block.scope, block, node)
            if scope is not None:
                block.types[scope.name] = scope
            bodies, self.bodies = self.bodies, []
            for own, body, inner in bodies:
                self.defer(partial(_read_body, self, own, body, inner))
            return True
        kind = node.child_by_field_name("type")
        if kind is not None:
            read_type(self, kind, block)
        return False


def extract_c(root: "Node", source: bytes, path: str, language: str = "c") -> FileFacts:
    """Facts of a file of C, C++ or CUDA."""
    x = CFile(source, path, root)
    x.language = language
    x.is_cpp = language != "c"
    x.guard(lambda: _read_file(x, root))
    return x.facts()


def _read_file(x: CFile, root: "Node") -> None:
    block = Block(x.file, None)
    _declare_all(x, root, x.file, block)
    for register, node, inner, declared, text in x.waiting:
        x.guard(partial(_read_value, x, register, node, inner, declared, text))
    x.waiting.clear()
    for scope, node, inner in x.bodies:
        x.guard(partial(_read_body, x, scope, node, inner))


def _flat(node: "Node") -> Iterator["Node"]:
    """Declarations, in whichever branch of conditional code and in syntax errors too."""
    waiting = [node]
    while waiting:
        current = waiting.pop()
        if current is node or current.type in _TRANSPARENT:
            waiting.extend(reversed(current.named_children))
        else:
            yield current


def _declare_all(x: CFile, root: "Node", parent: Scope, block: Block) -> None:
    for node in _flat(root):
        handler = _DECLARATIONS.get(node.type)
        if handler is not None:
            handler(x, node, parent, block, node)


# ---- the preprocessor


def _read_include(x: CFile, node: "Node", parent: Scope, block: Block, whole: "Node") -> None:
    path = node.child_by_field_name("path")
    if path is None or path.type not in ("string_literal", "system_lib_string"):
        return
    level = 1 if path.type == "string_literal" else 0
    module = x.text(path).strip('"<> ')
    row, column = path.start_point
    x.imports.append(tuple(Import(module, level, "*", 0, 0, row + 1, column, 0, 0, 0)))


def _declare_macro(x: CFile, node: "Node", parent: Scope, block: Block, whole: "Node") -> None:
    name = node.child_by_field_name("name")
    if name is None:
        return
    text = x.text(name)
    if node.type == "preproc_def":
        if node.child_by_field_name("value") is not None or not text.endswith("_H"):
            index = x.add_variable(text, x.file, name, node)
            x.add_export(text, NOTHING, TO_VARIABLE, index)
        return
    scope = x.define(Kind.FUNCTION, text, x.file, node, name)
    scope.signature = f"#define {text}{x.text(node.child_by_field_name('parameters') or name)}"
    scope.end_line = max(scope.line, node.end_point[0] + (node.end_point[1] > 0))
    x.add_export(text, scope.register, TO_DEFINITION, scope.index)
    value = node.child_by_field_name("value")
    if value is not None:
        _read_macro_calls(x, scope, value, Block(scope, block))


def _read_macro_calls(x: CFile, scope: Scope, node: "Node", block: Block) -> None:
    """A macro is text: whatever looks like a call in it is one."""
    text = x.source[node.start_byte : node.end_byte]
    for found in _MACRO_CALL.finditer(text):
        name = found.group(1)
        if name in _KEYWORDS or name.decode() == scope.name:
            continue
        before = text[: found.start(1)]
        row = node.start_point[0] + before.count(b"\n")
        column = found.start(1) - before.rfind(b"\n") - 1
        column += node.start_point[1] if row == node.start_point[0] else 0
        register = x.read_name(name.decode(), None, x.file)
        x.emit(2, x.register(), register, (), (), row + 1, column, scope.index, FORM_IMPLICIT)


# ---- namespaces, templates, using


def _declare_namespace(x: CFile, node: "Node", parent: Scope, block: Block, whole: "Node") -> None:
    name, body = node.child_by_field_name("name"), node.child_by_field_name("body")
    if body is None:
        return
    if name is None:  # what it holds is visible in this file only
        before = x.local_space
        x.local_space = True
        _declare_all(x, body, parent, block)
        x.local_space = before
        return
    inline = node.children and node.children[0].type == "inline"
    text = plain_name(x, name)
    scope = x.define(Kind.MODULE, text.replace("::", "."), parent, node, name)
    scope.signature = f"namespace {text}"
    key = x.key_of(parent)
    x.keys[scope.index] = key if inline else f"{key}::{text}" if key else text
    _declare_all(x, body, scope, Block(scope, block))


def _declare_template(x: CFile, node: "Node", parent: Scope, block: Block, whole: "Node") -> None:
    listed = node.child_by_field_name("parameters")
    names = []
    for child in listed.named_children if listed is not None else ():
        if child.type.endswith("type_parameter_declaration") or "template" in child.type:
            named = [each for each in child.named_children if each.type == "type_identifier"]
            names += [x.text(each) for each in named[:1]]
        else:
            read_type(x, child.child_by_field_name("type"), block)
    before = x.template
    x.template = (*before, *names)
    for child in node.named_children:
        handler = _DECLARATIONS.get(child.type)
        if handler is not None and child != listed:
            handler(x, child, parent, block, whole)
    x.template = before


def _declare_using(x: CFile, node: "Node", parent: Scope, block: Block, whole: "Node") -> None:
    """`using a::b;` makes b a name of this place."""
    named = next((c for c in node.named_children if c.type == "qualified_identifier"), None)
    if named is None or any(child.type == "namespace" for child in node.children):
        return
    text = plain_name(x, named)
    register = x.read_name(text, name_node(last_part(named)), parent)
    if not text.startswith("std::"):
        key = x.key_of(parent)
        last = text.rpartition("::")[2]
        request = x.name_index(x.request(text, parent))
        if parent.is_class:
            parent.members.setdefault(last, (register,))
        else:
            x.add_export(f"{key}::{last}" if key else last, register, TO_GLOBAL, request)


def _declare_alias(x: CFile, node: "Node", parent: Scope, block: Block, whole: "Node") -> None:
    """`using T = U;`"""
    name, kind = node.child_by_field_name("name"), node.child_by_field_name("type")
    if name is not None and kind is not None:
        with_templates(x, parent, lambda: _add_alias(x, name, kind, parent, block, node))


def with_templates(x: CFile, scope: Scope, read: "partial[None] | object") -> None:
    """Parameters of the template around count while a declaration is read."""
    added = [name for name in x.template if name not in scope.types]
    scope.types.update(dict.fromkeys(added, NOTHING))
    read()  # type: ignore[operator]
    for name in added:
        del scope.types[name]


def _add_alias(
    x: CFile, name: "Node", kind: "Node", parent: Scope, block: Block, node: "Node"
) -> None:
    text = x.text(name)
    index = x.add_variable(text, parent, name, node)
    register = class_of(x, kind, block)
    if register < 0:
        value = read_type(x, kind, block)
        if value >= 0:  # an alias of a container: what is declared with it holds the same
            register = value
    _publish(x, parent, text, register, TO_VARIABLE, index)


def _publish(
    x: CFile, parent: Scope, name: str, register: int, target: int, index: int, suffix: str = ""
) -> None:
    """Make a definition known to the program, and as a member of its class."""
    key = x.key_of(parent)
    full = f"{key}::{name}" if key else name
    x.add_export(full, register, target, index)
    if suffix:
        x.add_export(full + suffix, register, target, index)
    if parent.is_class:
        x.add_member(parent, name, register, target, index)
        if suffix:
            parent.members[name + suffix] = (register, target, index)


# ---- types


def _declare_typedef(x: CFile, node: "Node", parent: Scope, block: Block, whole: "Node") -> None:
    kind = node.child_by_field_name("type")
    names = [Declarator(each).name for each in node.children_by_field_name("declarator")]
    plain = [
        each for each in node.children_by_field_name("declarator") if each.type == "type_identifier"
    ]
    if kind is None:
        return
    body = kind.child_by_field_name("body")
    if body is not None and kind.child_by_field_name("name") is None and plain:
        _declare_class(x, kind, parent, block, node, plain[0])
        names = [name for name in names if name is not None and name != plain[0]]
        for name in names:
            index = x.add_variable(x.text(name), parent, name, node)
            _publish(x, parent, x.text(name), NOTHING, TO_VARIABLE, index)
        return
    scope = _declare_class(x, kind, parent, block, node) if body is not None else None
    for name in names:
        if name is None:
            continue
        index = x.add_variable(x.text(name), parent, name, node)
        register = scope.register if scope is not None else class_of(x, kind, block)
        if any("function" in each.type for each in node.children_by_field_name("declarator")):
            register = NOTHING
        _publish(x, parent, x.text(name), register, TO_VARIABLE, index)


def _declare_type(x: CFile, node: "Node", parent: Scope, block: Block, whole: "Node") -> None:
    _declare_class(x, node, parent, block, whole)


def _declare_class(
    x: CFile, node: "Node", parent: Scope, block: Block, whole: "Node", name: "Node | None" = None
) -> Scope | None:
    name = name or node.child_by_field_name("name")
    body = node.child_by_field_name("body")
    if name is None or body is None:
        return None
    text = plain_name(x, name).rpartition("::")[2]
    scope = x.define(Kind.CLASS, text, parent, node, name)
    scope.doc = scope.doc or x.comment_before(whole)
    scope.types.update(dict.fromkeys(x.template, NOTHING))
    templates, x.template = x.template, ()
    inner = Block(scope, block)
    if parent.kind not in (Kind.FUNCTION, Kind.METHOD):
        _publish(x, parent, text, scope.register, TO_DEFINITION, scope.index)
        if not x.is_cpp:
            x.add_export(f"struct {text}", scope.register, TO_DEFINITION, scope.index)
    for child in node.named_children:
        if child.type == "base_class_clause":
            _read_bases(x, scope, child, inner)
    if node.type == "enum_specifier":
        _declare_constants(x, scope, node, body, parent)
    else:
        x.fields[text] = []
        _declare_all(x, body, scope, inner)
    x.template = templates
    return scope


def _read_bases(x: CFile, scope: Scope, node: "Node", block: Block) -> None:
    for child in node.named_children:
        if child.type in ("type_identifier", "qualified_identifier", "template_type"):
            register = class_of(x, child, block)
            if register >= 0:
                scope.bases.append(register)


def _declare_constants(x: CFile, scope: Scope, node: "Node", body: "Node", parent: Scope) -> None:
    own = any(child.type in ("class", "struct") for child in node.children)
    value = x.instance(scope.register)
    for child in _flat(body):
        name = child.child_by_field_name("name")
        if child.type != "enumerator" or name is None:
            continue
        index = x.add_variable(x.text(name), scope, name, child)
        _publish(x, scope, x.text(name), value, TO_VARIABLE, index)
        if not own:
            _publish(x, parent, x.text(name), value, TO_VARIABLE, index)
        x.value(child.child_by_field_name("value"), Block(scope, None), {})


# ---- functions


def _declare_function(x: CFile, node: "Node", parent: Scope, block: Block, whole: "Node") -> None:
    declarator = node.child_by_field_name("declarator")
    found = Declarator(declarator) if declarator is not None else None
    if found is None or found.name is None or found.function is None:
        body = node.child_by_field_name("body")
        if body is not None and declarator is not None:
            x.bodies.append((parent, node, block.inner()))
        return
    _add_function(x, node, found, parent, block, whole)


def _add_function(
    x: CFile, node: "Node", found: Declarator, parent: Scope, block: Block, whole: "Node"
) -> None:
    assert found.name is not None and found.function is not None
    text = plain_name(x, found.name)
    body = node.child_by_field_name("body")
    listed = found.function.child_by_field_name("parameters")
    macro = body is not None and node.child_by_field_name("type") is None and text.isupper()
    if macro and not parent.is_class:
        _add_test(x, node, text, listed, parent, block)
        return
    outer, _, last = text.rpartition("::")
    owner = parent if parent.is_class else None
    if outer and body is not None:
        owner = x.extension(outer, parent, node)
    elif outer:
        return
    kind = Kind.METHOD if owner is not None else Kind.FUNCTION
    qualified = ".".join(p for p in (parent.qualified, outer.replace("::", "."), last) if p)
    scope = x.define(kind, last, parent, node, found.name, qualified if outer else "")
    _, scope.column = last_part(found.name).start_point
    scope.doc = scope.doc or x.comment_before(whole)
    scope.types.update(dict.fromkeys(x.template, NOTHING))
    _set_flags(x, scope, node, owner)
    inner = Block(scope, block)
    if owner is not None:
        scope.owner = owner
        scope.self_register = x.register()
    scope.return_type = read_type(x, node.child_by_field_name("type"), inner)
    trailing = next((c for c in found.function.named_children if "trailing" in c.type), None)
    if trailing is not None:
        scope.return_type = read_type(x, next(iter(trailing.named_children), None), inner)
    types = read_parameters(x, scope, listed, inner)
    _publish_function(x, scope, types, owner or parent)
    if body is not None:
        x.bodies.append((scope, node, inner))


def _set_flags(x: CFile, scope: Scope, node: "Node", owner: Scope | None) -> None:
    words = {x.text(c) for c in node.children if c.type in ("storage_class_specifier", "virtual")}
    if "static" in words or (x.local_space and owner is None):
        scope.flags |= STATIC
    special = {child.type for child in node.named_children}
    if node.child_by_field_name("body") is None and not special & {
        "default_method_clause", "delete_method_clause", "pure_virtual_clause",
    }:  # fmt: skip
        pure = x.text(node).rstrip("; \n").endswith("= 0")
        scope.flags |= ABSTRACT if pure else DECLARED
    if "pure_virtual_clause" in special:
        scope.flags |= ABSTRACT


def _publish_function(x: CFile, scope: Scope, types: list[str], parent: Scope) -> None:
    name = scope.name
    if scope.owner is not None and name == scope.owner.name:
        name = CONSTRUCTOR
    suffix = f"({','.join(types)})" if x.is_cpp and not x.extern_c else ""
    _publish(x, parent, name, scope.register, TO_DEFINITION, scope.index, suffix)
    if x.is_test and scope.name.lower().startswith("test"):
        scope.flags |= TEST


def _add_test(
    x: CFile, node: "Node", macro: str, listed: "Node | None", parent: Scope, block: Block
) -> None:
    """`TEST(Suite, name) { … }`: a macro makes a function of its arguments."""
    words = [plain_name(x, each) for each in argument_nodes(listed)]
    name = node.child_by_field_name("declarator")
    if not words or name is None:
        return
    scope = x.define(Kind.FUNCTION, "_".join(words), parent, node, name)
    scope.flags |= STATIC | (TEST if "TEST" in macro else 0)
    inner = Block(scope, block)
    register = x.read_name(macro, name, parent)
    emit_call(x, register, (), name, inner, FORM_IMPLICIT)
    x.bodies.append((scope, node, inner))


# ---- variables, fields and declarations of functions


def _declare_variables(x: CFile, node: "Node", parent: Scope, block: Block, whole: "Node") -> None:
    kind = node.child_by_field_name("type")
    scope = None
    if kind is not None and kind.child_by_field_name("body") is not None:
        scope = _declare_class(x, kind, parent, block, whole)
    external = any(x.text(c) == "extern" for c in node.children if "storage" in c.type)
    declared = NOTHING
    typed = False
    for child in node.children_by_field_name("declarator"):
        found = Declarator(child)
        if found.name is None:
            continue
        if found.function is not None:
            with_templates(x, parent, partial(_add_function, x, node, found, parent, block, whole))
            continue
        if not typed:
            declared, typed = _declared_type(x, kind, scope, block), True
        if external and found.value is None:
            continue
        value = found.value or node.child_by_field_name("default_value")
        _add_variable(x, node, found, declared, value, parent, block)


def _declared_type(x: CFile, kind: "Node | None", scope: Scope | None, block: Block) -> int:
    return x.instance(scope.register) if scope is not None else read_type(x, kind, block)


def _add_variable(
    x: CFile, node: "Node", found: Declarator, declared: int, value: "Node | None", parent: Scope,
    block: Block,
) -> None:  # fmt: skip
    assert found.name is not None
    name = plain_name(x, found.name)
    kind = node.child_by_field_name("type")
    text = type_text(x, kind, parent)
    if "::" in name:  # a static member has its symbol in the class
        if value is not None:
            x.waiting.append((NOTHING, value, block, declared, text))
        return
    index = x.add_variable(name, parent, found.name, node)
    held = max(declared, NOTHING)
    if found.is_array and held >= 0:
        held = x.container([(None, held)])
    register = x.register()
    if held >= 0:
        x.emit(COPY, register, held)
    _publish(x, parent, name, register, TO_VARIABLE, index)
    if parent.is_class:
        x.fields.setdefault(parent.name, []).append(name)
    if value is not None:
        x.waiting.append((register, value, block, declared, text))


def _read_value(
    x: CFile, register: int, node: "Node", block: Block, declared: int, text: str
) -> None:
    if node.type == "initializer_list":
        value = fill(x, node, max(declared, NOTHING), text, block, {})
    elif node.type == "argument_list":
        for child in node.named_children:
            x.value(child, block, {})
        return
    else:
        value = x.value(node, block, {})
    if value >= 0 and register >= 0:
        x.emit(COPY, register, value)


def _read_body(x: CFile, scope: Scope, node: "Node", block: Block) -> None:
    for child in node.named_children:
        if child.type == "field_initializer_list":
            for each in child.named_children:
                _read_field_initializer(x, scope, each, block)
    body = node.child_by_field_name("body")
    if body is not None:
        x.run(body.named_children, block, {})


def _read_field_initializer(x: CFile, scope: Scope, node: "Node", block: Block) -> None:
    """`: Base(a), field_(b)`"""
    parts = node.named_children
    if not parts:
        return
    nodes = [each for part in parts[1:] for each in argument_nodes(part)]
    values = [x.value(each, block, {}) for each in nodes]
    name = plain_name(x, parts[0])
    if parts[0].type != "field_identifier" or name[:1].isupper():
        cls = x.read_name(name, parts[0], scope)
        types = ",".join(static_type(x, each, block) for each in nodes)
        constructor = x.attribute(cls, f"{CONSTRUCTOR}({types})")
        emit_call(x, constructor, tuple(values), parts[0], block, FORM_CALL)
        return
    x.read_name(name, parts[0], scope)
    if len(values) == 1 and values[0] >= 0 and scope.self_register >= 0:
        x.emit(STORE, scope.self_register, name, values[0])


def _read_linkage(x: CFile, node: "Node", parent: Scope, block: Block, whole: "Node") -> None:
    return


_DECLARATIONS = {
    "preproc_include": _read_include,
    "preproc_def": _declare_macro,
    "preproc_function_def": _declare_macro,
    "namespace_definition": _declare_namespace,
    "template_declaration": _declare_template,
    "using_declaration": _declare_using,
    "alias_declaration": _declare_alias,
    "type_definition": _declare_typedef,
    "function_definition": _declare_function,
    "declaration": _declare_variables,
    "field_declaration": _declare_variables,
    **dict.fromkeys((*_CLASSES, "enum_specifier"), _declare_type),
}
assert STATEMENTS
