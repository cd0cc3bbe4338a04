"""The readers of which tables are made: names, calls, branches, types, functions, classes, variables."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from agrama.graph.model import Kind
from agrama.indexer.facts import (
    COPY,
    FORM_CALL,
    NOTHING,
    SUB,
    TO_DEFINITION,
    TO_VARIABLE,
)
from agrama.indexer.languages.tabled import HOLDERS, Reader, TabledExtraction, find, parts
from agrama.indexer.languages.typed import Block, Scope

if TYPE_CHECKING:
    from tree_sitter import Node  # noqa: TID251 - a type only

# ---- readers


def name_reader(x: TabledExtraction, node: "Node", block: Block) -> int:
    return x.read_name(node, block)


def dotted(x: TabledExtraction, node: "Node", block: Block) -> int:
    """`a.b.c` written as a list of names."""
    value = NOTHING
    for at, child in enumerate(child for child in node.named_children if not child.is_extra):
        value = x.read_member(value, child, block) if at else x.read(child, block)
    return value


def nothing(x: TabledExtraction, node: "Node", block: Block) -> int:
    """Text that holds no names of the program."""
    return NOTHING


def through(path: str) -> Reader:
    """A node that stands for one of its parts; the others are read too."""

    def read(x: TabledExtraction, node: "Node", block: Block) -> int:
        inner = find(node, path)
        for child in node.named_children:
            if inner is None or child.id != inner.id:
                x.read(child, block)
        return x.read(inner, block)

    return read


def member(base: str, name: str) -> Reader:
    """`base.name`."""

    def read(x: TabledExtraction, node: "Node", block: Block) -> int:
        value, part = x.read(find(node, base), block), find(node, name)
        return NOTHING if part is None else x.read_member(value, part, block)

    return read


def call(callee: str = "#0", form: int = FORM_CALL) -> Reader:
    """A call: its callee, and all other children as arguments."""

    def read(x: TabledExtraction, node: "Node", block: Block) -> int:
        function = find(node, callee)
        if function is None:
            return NOTHING
        value = x.read(function, block)
        others = [child for child in node.named_children if child.id != function.id]
        return x.emit_call(
            value, x.name_node(function), x.read_arguments(others, block), block, form
        )

    return read


def sequence(x: TabledExtraction, node: "Node", block: Block) -> int:
    """Statements with names of their own; stands for the last one."""
    return x.run_block(node.named_children, block.inner())


def choice(*paths: str) -> Reader:
    """A branch that stands for what any of these parts yields; all parts are read."""

    def read(x: TabledExtraction, node: "Node", block: Block) -> int:
        inner = block.inner()
        found = {part.id for path in paths if (part := find(node, path)) is not None}
        value = NOTHING
        for child in node.named_children:
            got = x.read(child, inner)
            if child.id in found:
                value = x.union(value, got)
        return value

    return read


def returning(path: str = "#0") -> Reader:
    def read(x: TabledExtraction, node: "Node", block: Block) -> int:
        value = x.read(find(node, path), block)
        if value >= 0:
            block.scope.returns.append(value)
        return NOTHING

    return read


def assignment(left: str, right: str, kind: str = "") -> Reader:
    """`left = right`: a new local unless the name is bound around it."""

    def read(x: TabledExtraction, node: "Node", block: Block) -> int:
        target, value = find(node, left), x.read(find(node, right), block)
        if target is None:
            return value
        if target.type in x.table.names:
            declared = x.read_type(find(node, kind), block) if kind else NOTHING
            assign_name(x, target, value, declared, block)
        else:
            x.read(target, block)
        return value

    return read


def assign_name(
    x: TabledExtraction, target: "Node", value: int, declared: int, block: Block
) -> None:
    name = x.text(target)
    if x.is_bound(name, block):
        register = x.read_name(target, block)
        local = block.find(name)
        if local is not None:
            if value >= 0 and value not in local.versions:
                local.versions.append(value)
        elif register >= 0 and value >= 0:
            x.emit(COPY, register, value)
    elif block.scope is not x.file and block.scope.kind not in HOLDERS:
        x.bind_local(name, block, value, declared)


def element(x: TabledExtraction, base: int) -> int:
    """One of the elements of a value."""
    if base < 0:
        return NOTHING
    register = x.register()
    x.emit(SUB, register, base, None)
    return register


# ---- types


def named_type(x: TabledExtraction, node: "Node", block: Block) -> int:
    """A class by its name or path."""
    register = x.read(node, block)
    return x.instance(register) if register >= 0 else NOTHING


def inner_type(path: str) -> Reader:
    def read(x: TabledExtraction, node: "Node", block: Block) -> int:
        return x.read_type(find(node, path), block)

    return read


def container_type(path: str) -> Reader:
    def read(x: TabledExtraction, node: "Node", block: Block) -> int:
        element = x.read_type(find(node, path), block)
        return x.container([(None, element)]) if element >= 0 else NOTHING

    return read


# ---- declarations


@dataclass(frozen=True, slots=True)
class Function:
    """How a grammar writes a function."""

    name: str = "name"
    parameters: str = ""  # path to the node that holds them
    parameter: tuple[str, ...] = ()  # their node types
    parameter_name: str = "name"  # "": the node itself
    parameter_type: str = "type"
    result: str = ""
    body: str = "body"
    method: str = ""  # the name of the receiver in methods, where the language has one
    implicit_return: bool = False
    flags: int = 0

    def __call__(self, x: TabledExtraction, node: "Node", block: Block) -> None:
        name = find(node, self.name)
        if name is not None:
            self.declare(x, node, name, x.text(name), block)

    def declare(
        self, x: TabledExtraction, node: "Node", name: "Node", text: str, block: Block
    ) -> Scope:
        in_class = block.scope.kind == Kind.CLASS
        kind = Kind.METHOD if in_class else Kind.FUNCTION
        scope = x.define(kind, text, block.scope, node, name)
        scope.flags |= self.flags
        if in_class:
            scope.owner = block.scope
            scope.self_register = x.register()
        x.bind_name(text, block, scope.register, TO_DEFINITION, scope.index)
        inner = Block(scope, block)
        x.signatures.append(lambda: self.read_signature(x, scope, node, inner))
        x.bodies.append(lambda: self.read_body(x, scope, node, inner))
        return scope

    def read_signature(self, x: TabledExtraction, scope: Scope, node: "Node", block: Block) -> None:
        if self.method and scope.owner is not None:
            x.bind_local(self.method, block, scope.self_register)
        for part in parts(node, self.parameters, self.parameter):
            name = find(part, self.parameter_name)
            declared = x.read_type(find(part, self.parameter_type), block)
            x.add_parameter(scope, block, x.text(name) if name is not None else "", declared)
        if self.result:
            scope.return_type = x.read_type(find(node, self.result), block)

    def read_body(self, x: TabledExtraction, scope: Scope, node: "Node", block: Block) -> None:
        body = find(node, self.body)
        if body is None:
            return
        if body.type in x.table.readers and x.table.readers[body.type] is not sequence:
            value = x.read(body, block)
        else:
            value = x.run_block(body.named_children, block)
        if self.implicit_return and value >= 0:
            scope.returns.append(value)


@dataclass(frozen=True, slots=True)
class Holder:
    """A class, struct, interface or module: names with a body of their own."""

    kind: Kind = Kind.CLASS
    name: str = "name"
    body: str = "body"
    bases: str = ""  # path to a node, or the type of children, that name bases
    flags: int = 0

    def __call__(self, x: TabledExtraction, node: "Node", block: Block) -> None:
        name = find(node, self.name)
        if name is not None:
            self.declare(x, node, name, block)

    def declare(self, x: TabledExtraction, node: "Node", name: "Node", block: Block) -> Scope:
        scope = x.define(self.kind, x.text(name), block.scope, node, name)
        scope.flags |= self.flags
        x.bind_name(x.text(name), block, scope.register, TO_DEFINITION, scope.index)
        inner = Block(scope, block)
        if self.bases:
            x.signatures.append(lambda: self.read_bases(x, scope, node, block))
        body = find(node, self.body)
        if body is not None:
            x.declare_all(body.named_children, inner)
        return scope

    def read_bases(self, x: TabledExtraction, scope: Scope, node: "Node", block: Block) -> None:
        for part in parts(node, "", (self.bases,)):
            register = x.read(find(part, "#0"), block)
            if register >= 0:
                scope.bases.append(register)


@dataclass(frozen=True, slots=True)
class Field:
    """A variable of a file or class, or a local when it stands in a function."""

    name: str = "name"
    kind: str = "type"
    value: str = "value"

    def __call__(self, x: TabledExtraction, node: "Node", block: Block) -> None:
        name = find(node, self.name)
        if name is None:
            return
        if block.scope is not x.file and block.scope.kind not in HOLDERS:
            value = x.read(find(node, self.value), block)
            declared = x.read_type(find(node, self.kind), block)
            x.bind_local(x.text(name), block, value, declared)
            return
        declare_variable(x, node, name, block, self.kind, self.value)


def declare_variable(
    x: TabledExtraction, node: "Node", name: "Node", block: Block, kind: str, value: str
) -> int:
    """The symbol of a variable of a file or class; its type and value are read later."""
    register = x.register()
    index = x.add_variable(x.text(name), block.scope, name, node)
    x.bind_name(x.text(name), block, register, TO_VARIABLE, index)

    def read() -> None:
        for source in (x.read_type(find(node, kind), block), x.read(find(node, value), block)):
            if source >= 0:
                x.emit(COPY, register, source)

    x.bodies.append(read)
    return register
