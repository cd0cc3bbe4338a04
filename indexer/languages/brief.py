"""Front ends in brief for languages of classes: declarations whose grammar has names for its parts.

A language derives `BriefExtraction`, says what a type is, and calls these for what it declares.
"""

from collections.abc import Iterable
from functools import partial
from typing import TYPE_CHECKING

from agrama.graph.model import Kind
from agrama.indexer.facts import (
    ANONYMOUS,
    COPY,
    KEYS,
    MAPPING,
    NOTHING,
    OUTSIDE,
    STATIC,
    TO_DEFINITION,
)
from agrama.indexer.languages.classes import (
    CONSTRUCTOR,
    UNKNOWN,
    ClassExtraction,
    find_parameter,
    named_class,
)
from agrama.indexer.languages.classes_statements import give_back
from agrama.indexer.languages.classes_typing import note_result
from agrama.indexer.languages.typed import Block, Environment, Local, Scope, written

if TYPE_CHECKING:
    from tree_sitter import Node  # noqa: TID251 - a type only


class BriefExtraction(ClassExtraction):
    """A file of such a language."""

    sequences: frozenset[str] = frozenset()  # classes that hold values of their last type argument
    mappings: frozenset[str] = frozenset()
    type_names: dict[str, str] = {}  # noqa: RUF012 - names by which overloads are chosen
    block_types: frozenset[str] = frozenset(("block",))

    def type_of(self, node: "Node | None", block: Block) -> int:
        """The register of a value of a type."""
        raise NotImplementedError

    def type_text(self, node: "Node | None", block: Block) -> str:
        """A type as overloads are chosen by."""
        raise NotImplementedError

    def named_type(self, name: str, node: "Node", arguments: Iterable["Node"], block: Block) -> int:
        """A type by its simple name and the nodes of its arguments."""
        bound = find_parameter(block, name)
        if bound is not None:
            return bound
        inner = [self.type_of(each, block) for each in arguments]
        known = name in self.exports or name in self.imported or block.find_type(name) is not None
        if inner and not known and name in self.sequences:
            return self.container([(None, inner[-1])])
        if inner and not known and name in self.mappings:
            return self.container([(KEYS, inner[0]), (None, inner[-1])], MAPPING)
        register = named_class(self, name, node, block)
        return self.instance(register) if register >= 0 else OUTSIDE

    def simple_text(self, name: str, block: Block) -> str:
        if find_parameter(block, name) is not None:
            return UNKNOWN
        return self.type_names.get(name, name)


def part_of(node: "Node | None", *kinds: str) -> "Node | None":
    """The first child of some types."""
    if node is None:
        return None
    return next((child for child in node.named_children if child.type in kinds), None)


def declare_class(
    x: BriefExtraction, node: "Node", name: "Node", parent: Scope, outer: Block, flags: int = 0
) -> tuple[Scope, Block]:
    scope = x.define(Kind.CLASS, x.text(name), parent, node, name)
    scope.flags |= flags
    block = Block(scope, outer)
    outer.types.setdefault(scope.name, scope)
    x.classes.setdefault(scope.name, scope)
    if parent is x.file:
        x.export_definition(scope)
    elif parent.is_class:
        x.add_member(parent, scope.name, scope.register, TO_DEFINITION, scope.index)
    return scope, block


def declare_method(
    x: BriefExtraction,
    node: "Node",
    name: "Node",
    owner: Scope | None,
    parent: Scope,
    block: Block,
    *,
    key: str = "",
    flags: int = 0,
) -> tuple[Scope, Block]:
    """A function; `owner` lists it, a class or the functions of the package."""
    text = x.text(name)
    is_method = owner is not None and owner is not x.loose
    method = x.define(Kind.METHOD if is_method else Kind.FUNCTION, text, parent, node, name)
    method.flags |= flags
    if is_method and owner is not None:
        method.owner = owner
        method.self_register = x.register()
        method.flags |= owner.flags & ANONYMOUS if parent is owner else 0
    else:
        method.flags |= STATIC
    if owner is not None:
        x.add_member(owner, key or text, method.register, TO_DEFINITION, method.index)
        if owner is x.loose:
            row = (method.register, TO_DEFINITION, method.index)
            x.exports.setdefault(f"{text}()" if x.signed else text, row)
    else:
        local = Local(block.scope)
        local.versions.append(method.register)
        local.type_name = "->"
        block.names[text] = local
    return method, Block(method, block)


def sign(
    x: BriefExtraction,
    method: Scope,
    owner: Scope | None,
    types: list[str],
    result: "Node | None",
    block: Block,
    key: str = "",
) -> None:
    """The signature of a method, and what it returns."""
    name = key or method.name
    if name != CONSTRUCTOR:
        method.return_type = x.type_of(result, block)
    if owner is None:
        return
    if name != CONSTRUCTOR:
        note_result(owner.type_names, name, x.type_text(result, block))
    if x.signed:
        x.sign_method(owner, name, types, method)


def add_typed(
    x: BriefExtraction, method: Scope, block: Block, name: str, kind: "Node | None"
) -> str:
    """A parameter; its type as overloads are chosen by."""
    local = x.add_parameter(method, block, name, x.type_of(kind, block))
    local.type_name = x.type_text(kind, block)
    return local.type_name


def declare_field(
    x: BriefExtraction,
    node: "Node",
    name: "Node",
    owner: Scope,
    kind: "Node | None",
    value: "Node | None",
    block: Block,
) -> None:
    """A field; without a declared type it holds what it is initialized with."""
    x.add_field(owner, name, node)
    text = x.text(name)

    def read_types() -> None:
        declared = x.type_of(kind, block)
        row = owner.members.get(text, (NOTHING,))
        if row[0] < 0:
            register = declared if declared >= 0 else x.register()
            owner.members[text] = (register, *row[1:])
        owner.type_names[text] = x.type_text(kind, block)

    def read_value() -> None:
        register = x.value(value, block, {})
        row = owner.members.get(text, (NOTHING,))
        if register >= 0 and row[0] >= 0 and kind is None and register != row[0]:
            x.emit(COPY, row[0], register)

    x.headers.append(read_types)
    if value is not None:
        x.bodies.append(read_value)


def add_body(x: BriefExtraction, scope: Scope, body: "Node | None", block: Block) -> None:
    if body is not None:
        x.bodies.append(partial(read_body, x, scope, body, block))


def read_body(x: BriefExtraction, scope: Scope, body: "Node", block: Block) -> None:
    """Statements, the last of which may be what is returned, or a single expression."""
    nodes = written(body) if body.type in x.block_types else [body]
    read_last(x, scope, nodes, block, {})


def read_last(
    x: BriefExtraction, scope: Scope, nodes: list["Node"], block: Block, env: Environment
) -> None:
    env = x.run(nodes[:-1], block, env) or env
    if not nodes:
        return
    last = nodes[-1]
    if last.type in x.statements:
        x.statements[last.type](x, last, block, env)
    else:
        give_back(x, last, x.value(last, block, env), scope)
