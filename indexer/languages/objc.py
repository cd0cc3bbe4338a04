"""Objective-C: C with classes whose methods are named by selectors."""

from functools import partial
from typing import TYPE_CHECKING

from agrama.graph.model import Kind
from agrama.indexer.facts import (
    ABSTRACT,
    DECLARED,
    EXTENSION,
    FORM_CALL,
    FORM_IMPLICIT,
    INTERFACE,
    NOTHING,
    RETURNS_SELF,
    STATIC,
    TO_DEFINITION,
    TO_VARIABLE,
    FileFacts,
)
from agrama.indexer.languages.c import CModules
from agrama.indexer.languages.c_declarations import DECLARATIONS, CFile, read_file
from agrama.indexer.languages.c_expressions import (
    EXPRESSIONS,
    emit_call,
    read_identifier,
    read_this,
)
from agrama.indexer.languages.c_functions import publish
from agrama.indexer.languages.c_source import is_c_test, prepare_source
from agrama.indexer.languages.c_types import CExtraction, Declarator, class_of, read_type
from agrama.indexer.languages.language import Language, Policy
from agrama.indexer.languages.typed import Block, Environment, Scope

if TYPE_CHECKING:
    from tree_sitter import Node  # noqa: TID251 - a type only

_MAKING = frozenset(("alloc", "new"))


class ObjcFile(CFile):
    """The extraction with messages and blocks."""


def extract_objc(root: "Node", source: bytes, path: str) -> FileFacts:
    """Facts of a file of Objective-C."""
    x = ObjcFile(source, path, root)
    x.language = "objc"
    x.is_test = is_c_test(path)
    x.guard(lambda: read_file(x, root))
    return x.facts()


# ---- declarations


def _first_name(node: "Node") -> "Node | None":
    return next((child for child in node.named_children if child.type == "identifier"), None)


def _declare_interface(x: CFile, node: "Node", parent: Scope, block: Block, whole: "Node") -> None:
    """`@interface`, `@protocol`, or what a category adds."""
    name = _first_name(node)
    if name is None:
        return
    if node.child_by_field_name("category") is not None:
        scope = x.extension(x.text(name), parent, node)
    else:
        scope = x.define(Kind.CLASS, x.text(name), parent, node, name)
        scope.flags |= INTERFACE if node.type == "protocol_declaration" else 0
        scope.signature = scope.signature.partition("- (")[0].partition("+ (")[0].strip()
        publish(x, parent, scope.name, scope.register, TO_DEFINITION, scope.index)
    inner = Block(scope, block)
    superclass = node.child_by_field_name("superclass")
    bases = [superclass] if superclass is not None else []
    for child in node.named_children:
        if child.type == "protocol_reference_list":
            bases += child.named_children
        elif child.type == "parameterized_arguments":
            bases += [each for part in child.named_children for each in part.named_children]
    for base in bases:
        register = class_of(x, base, block)
        if register >= 0:
            scope.bases.append(register)
    _declare_members(x, node, scope, inner)


def _declare_implementation(
    x: CFile, node: "Node", parent: Scope, block: Block, whole: "Node"
) -> None:
    name = _first_name(node)
    if name is not None:
        scope = x.extension(x.text(name), parent, node)
        _declare_members(x, node, scope, Block(scope, block))


def _declare_members(x: CFile, node: "Node", scope: Scope, block: Block) -> None:
    for child in node.named_children:
        if child.type in ("method_declaration", "method_definition"):
            _declare_method(x, child, scope, block)
        elif child.type in ("property_declaration", "instance_variable"):
            _declare_fields(x, child, scope, block)
        elif child.type in ("implementation_definition", "instance_variables", "ERROR"):
            _declare_members(x, child, scope, block)
        elif child.type in DECLARATIONS and child.type.startswith(("function", "declaration")):
            DECLARATIONS[child.type](x, child, x.file, block, child)


def _declare_fields(x: CFile, node: "Node", scope: Scope, block: Block) -> None:
    for part in node.named_children:
        if part.type != "struct_declaration" or not part.named_children:
            continue
        register = max(read_type(x, part.named_children[0], block), NOTHING)
        for child in part.named_children[1:]:
            inner = next(iter(child.named_children), None)
            name = Declarator(inner).name if inner is not None else None
            if name is None:
                continue
            holder = x.file if scope.flags & EXTENSION else scope
            index = x.add_variable(x.text(name), holder, name, node)
            for text in (x.text(name), f"_{x.text(name)}"):
                scope.members.setdefault(text, (register, TO_VARIABLE, index))


def _declare_method(x: CFile, node: "Node", owner: Scope, block: Block) -> None:
    words = [child for child in node.named_children if child.type == "identifier"]
    parameters = [child for child in node.named_children if child.type == "method_parameter"]
    if not words:
        return
    selector = "".join(f"{x.text(word)}:" for word in words) if parameters else x.text(words[0])
    qualified = f"{owner.name}.{selector}"
    scope = x.define(Kind.METHOD, selector, x.file if owner.flags & EXTENSION else owner, node,
                     words[0], qualified)  # fmt: skip
    scope.owner = owner
    scope.self_register = x.register()
    scope.flags |= STATIC if x.source[node.start_byte : node.start_byte + 1] == b"+" else 0
    body = next(
        (child for child in node.named_children if child.type == "compound_statement"), None
    )
    if body is None:
        scope.flags |= ABSTRACT if owner.flags & INTERFACE else DECLARED
    else:
        scope.signature = scope.signature.partition("{")[0].strip()
    inner = Block(scope, block)
    kind = next((child for child in node.named_children if child.type == "method_type"), None)
    if kind is not None and "instancetype" in x.text(kind):
        scope.flags |= RETURNS_SELF
    elif kind is not None:
        scope.return_type = _typed(x, kind, inner)
    for parameter in parameters:
        named = _first_name(parameter)
        declared = _typed(x, next(iter(parameter.named_children), None), inner)
        x.add_parameter(scope, inner, x.text(named) if named is not None else "", declared)
    publish(x, owner, selector, scope.register, TO_DEFINITION, scope.index)
    if body is not None:
        x.blocks_of_code.append((body, inner))


def _typed(x: CFile, node: "Node | None", block: Block) -> int:
    """The type inside `(T *)`."""
    while node is not None and node.type in ("method_type", "type_name"):
        node = next(iter(node.named_children), None)
    return read_type(x, node, block)


# ---- expressions


def _read_name(x: CExtraction, node: "Node", block: Block, env: Environment) -> int:
    text = x.text(node)
    if text == "self":
        return read_this(x, node, block, env)
    return NOTHING if text == "super" else read_identifier(x, node, block, env)


def _read_message(x: CExtraction, node: "Node", block: Block, env: Environment) -> int:
    receiver = node.child_by_field_name("receiver")
    words = node.children_by_field_name("method")
    base = x.value(receiver, block, env)
    known = [receiver, *words]
    rest = [child for child in node.named_children if child not in known]
    arguments = tuple(x.value(child, block, env) for child in rest)
    if base < 0 or not words:
        return NOTHING
    name = "".join(f"{x.text(word)}:" for word in words) if rest else x.text(words[0])
    x.refer_attribute(words[0], base, name, block.scope.index)
    making = name in _MAKING
    form = FORM_IMPLICIT if making or name == "init" else FORM_CALL
    made = emit_call(x, x.attribute(base, name), arguments, words[0], block, form)
    if making:
        return x.union(x.instance(base), made)
    return x.union(base, made) if name.startswith("init") else made


def _read_block(x: CExtraction, node: "Node", block: Block, env: Environment) -> int:
    scope = x.define_closure(node, block)
    inner = Block(scope, block)
    for child in node.named_children:
        if child.type == "compound_statement":
            x.defer(partial(_run_block, x, child, inner))
    return scope.register


def _run_block(x: CExtraction, body: "Node", block: Block) -> None:
    x.run(body.named_children, block, {})


ObjcFile.expressions = {
    **EXPRESSIONS,
    "identifier": _read_name,
    "message_expression": _read_message,
    "block_literal": _read_block,
}
DECLARATIONS.update(
    {
        "class_interface": _declare_interface,
        "protocol_declaration": _declare_interface,
        "class_implementation": _declare_implementation,
    }
)

LANGUAGES = (
    Language(
        name="objc",
        extensions=(".m", ".mm"),
        grammar="tree_sitter_objc:language",
        extract=extract_objc,
        group="c",
        index_modules=CModules,
        is_test=is_c_test,
        policy=Policy(linkage=True, lenient=True, virtual=True, dotted_modules=False),
        prepare=prepare_source,
    ),
)
