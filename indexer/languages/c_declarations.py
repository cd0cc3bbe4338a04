"""C and C++ declarations: includes, macros, namespaces, types, functions, variables.

Names are requests, found when the program is linked, so one pass in the order of the text is
enough; only bodies and the values of variables wait until everything is declared.
"""

import re
from collections.abc import Callable, Iterator
from functools import partial
from typing import TYPE_CHECKING, Any

from agrama.graph.model import Kind
from agrama.indexer.facts import (
    CALL,
    FORM_IMPLICIT,
    NOTHING,
    TO_DEFINITION,
    TO_GLOBAL,
    TO_VARIABLE,
    FileFacts,
    Import,
)
from agrama.indexer.languages.c_functions import (
    declare_function,
    declare_variables,
    publish,
    read_body,
    read_value,
    with_templates,
)
from agrama.indexer.languages.c_source import is_c_test
from agrama.indexer.languages.c_statements import STATEMENTS
from agrama.indexer.languages.c_tests import declare_titled_test
from agrama.indexer.languages.c_types import (
    ALIAS,
    CExtraction,
    Declarator,
    class_of,
    last_part,
    name_node,
    plain_name,
    read_type,
)
from agrama.indexer.languages.typed import Block, Scope

if TYPE_CHECKING:
    from tree_sitter import Node  # noqa: TID251 - a type only

_CLASSES = frozenset(("struct_specifier", "union_specifier", "class_specifier"))
_TRANSPARENT = frozenset(
    (
        "preproc_if", "preproc_ifdef", "preproc_else", "preproc_elif", "preproc_elifdef",
        "linkage_specification", "declaration_list", "field_declaration_list",
        "export_declaration",
    )
)  # fmt: skip
_OPENING = frozenset(("namespace", "class", "struct"))
_WORDS = frozenset(
    (
        "namespace_identifier", "type_identifier", "identifier", "virtual_specifier",
        "base_class_clause", "nested_namespace_specifier",
    )
)  # fmt: skip
_MACRO_CALL = re.compile(rb"\b([A-Za-z_]\w*)\s*\(")
_KEYWORDS = frozenset(
    (b"if", b"for", b"while", b"switch", b"return", b"sizeof", b"do", b"defined", b"catch")
)


class CFile(CExtraction):
    """The extraction with types declared inside functions."""

    def declare_class(
        self, node: "Node", parent: Scope, block: Block, whole: "Node"
    ) -> Scope | None:
        return _declare_class(self, node, parent, block, whole)

    def declare_local(self, node: "Node", block: Block) -> bool:
        if node.type in _CLASSES or node.type == "enum_specifier":
            scope = _declare_class(self, node, block.scope, block, node)
            if scope is not None:
                block.types[scope.name] = scope
            bodies, self.bodies = self.bodies, []
            for own, body, inner in bodies:
                self.defer(partial(read_body, self, own, body, inner))
            return True
        if node.type.startswith("preproc"):
            _declare_macro(self, node, self.file, block, node)
            return True
        kind, name = node.child_by_field_name("type"), node.child_by_field_name("name")
        register = class_of(self, kind, block)
        if name is not None and register >= 0:
            alias = self.declare(self.text(name), block)
            alias.type_name = ALIAS
            alias.versions.append(register)
        return False


def extract_c(root: "Node", source: bytes, path: str, language: str = "c") -> FileFacts:
    """Facts of a file of C, C++ or CUDA."""
    x = CFile(source, path, root)
    x.language = language
    x.is_cpp = language != "c"
    x.is_test = is_c_test(path)
    x.guard(lambda: read_file(x, root))
    return x.facts()


def read_file(x: CFile, root: "Node") -> None:
    block = Block(x.file, None)
    _declare_all(x, root, x.file, block)
    for register, node, inner, declared, text in x.waiting:
        x.guard(partial(read_value, x, register, node, inner, declared, text))
    x.waiting.clear()
    for scope, node, inner in x.bodies:
        x.guard(partial(read_body, x, scope, node, inner))
    for node, inner in x.blocks_of_code:
        x.guard(partial(x.run, node.named_children, inner, {}))


def _flat(node: "Node") -> Iterator["Node"]:
    """Declarations, in whichever branch of conditional code; of syntax errors the words too."""
    waiting = [node]
    while waiting:
        current = waiting.pop()
        if current.type == "ERROR":
            waiting.extend(reversed(current.children))
        elif current is node or current.type in _TRANSPARENT:
            waiting.extend(reversed(current.named_children))
        else:
            yield current


def _declare_all(x: CFile, root: "Node", parent: Scope, block: Block) -> None:
    """A namespace or class whose end was not found is a syntax error: its words still open it.

    One that a syntax error ended early goes on until the last bracket that closes nothing.
    """
    opened: list[tuple[Scope, Block]] = []
    words: list[Node] = []
    nodes = list(_flat(root))
    last = max((at for at, node in enumerate(nodes) if node.type == "}"), default=-1)
    for at, node in enumerate(nodes):
        kind = node.type
        if kind == "namespace_definition" and opened and parent.name == _name_of(x, node):
            parent, block = opened.pop()
        if kind == "namespace_definition" and at < last and node.has_error:
            known = len(x.scopes)
            _declare_namespace(x, node, parent, block, node)
            if len(x.scopes) > known and x.scopes[known].kind == Kind.MODULE:
                opened.append((parent, block))
                parent, block = x.scopes[known], Block(x.scopes[known], block)
            continue
        if kind in _OPENING or (words and kind in _WORDS):
            words.append(node)
            continue
        if kind == "{" and words:
            opened.append((parent, block))
            parent, block = _open(x, words, parent, block, root)
        elif kind == "}" and opened and (len(opened) > 1 or parent.is_class):
            parent, block = opened.pop()
        words = []
        if kind == "compound_statement" and at and nodes[at - 1].type == "expression_statement":
            declare_titled_test(x, nodes[at - 1], node, parent, block)
        handler = DECLARATIONS.get(kind)
        if handler is not None:
            handler(x, node, parent, block, node)


def _name_of(x: CFile, node: "Node") -> str:
    name = node.child_by_field_name("name")
    return x.text(name) if name is not None else ""


def _open(
    x: CFile, words: list["Node"], parent: Scope, block: Block, root: "Node"
) -> tuple[Scope, Block]:
    """The scope that `namespace a {` or `class B : C {` opens."""
    names = [word for word in words if "identifier" in word.type]
    if not names:
        return parent, block
    is_space = words[0].type in ("namespace", "inline")
    name = names[-1] if is_space else names[0]
    kind = Kind.MODULE if is_space else Kind.CLASS
    scope = x.define(kind, x.text(name), parent, name, name)
    scope.signature = f"{words[0].type} {x.text(name)}"
    scope.end_line = root.end_point[0] + 1
    inner = Block(scope, block)
    if not is_space:
        publish(x, parent, scope.name, scope.register, TO_DEFINITION, scope.index)
        for word in words:
            if word.type == "base_class_clause":
                _read_bases(x, scope, word, inner)
    return scope, inner


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
    if node.start_byte in x.macros:  # code that is read twice
        return
    x.macros.add(node.start_byte)
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
        x.emit(CALL, x.register(), register, (), (), row + 1, column, scope.index, FORM_IMPLICIT)


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
        handler = DECLARATIONS.get(child.type)
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
    publish(x, parent, text, register, TO_VARIABLE, index)


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
        for name in names:
            if name is None or name == plain[0]:
                continue
            index = x.add_variable(x.text(name), parent, name, node)
            publish(x, parent, x.text(name), NOTHING, TO_VARIABLE, index)
        return
    scope = _declare_class(x, kind, parent, block, node) if body is not None else None
    for name in names:
        if name is None:
            continue
        index = x.add_variable(x.text(name), parent, name, node)
        register = scope.register if scope is not None else class_of(x, kind, block)
        if any("function" in each.type for each in node.children_by_field_name("declarator")):
            register = NOTHING
        publish(x, parent, x.text(name), register, TO_VARIABLE, index)


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
        publish(x, parent, text, scope.register, TO_DEFINITION, scope.index)
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
        publish(x, scope, x.text(name), value, TO_VARIABLE, index)
        if not own:
            publish(x, parent, x.text(name), value, TO_VARIABLE, index)
        x.value(child.child_by_field_name("value"), Block(scope, None), {})


DECLARATIONS: dict[str, Callable[[CFile, Any, Scope, Block, Any], None]] = {
    "preproc_include": _read_include,
    "preproc_def": _declare_macro,
    "preproc_function_def": _declare_macro,
    "namespace_definition": _declare_namespace,
    "template_declaration": _declare_template,
    "using_declaration": _declare_using,
    "alias_declaration": _declare_alias,
    "type_definition": _declare_typedef,
    "function_definition": declare_function,
    "declaration": declare_variables,
    "field_declaration": declare_variables,
    **dict.fromkeys((*_CLASSES, "enum_specifier"), _declare_type),
}
CFile.statements = STATEMENTS
