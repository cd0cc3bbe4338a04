"""Front ends that are tables: for each node type of a grammar, how it is declared or read.

A language of this kind is data plus its rule for imports. Names are hoisted: first everything that a
file or class body declares, then signatures, then bodies. Locals hold all that is ever assigned to
them, so branches and loops need no care. Parts of a node are found by short paths: `body` is a
field, `#block` the first child of that type, `#0` and `#-1` children by number, `a/b` one in another.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import TYPE_CHECKING

from agrama.graph.model import Kind
from agrama.indexer.facts import (
    CALL,
    COPY,
    FORM_CALL,
    FORM_CALLBACK,
    IMPORT,
    NOTHING,
    SUB,
    TO_DEFINITION,
    TO_IMPORT,
    TO_VARIABLE,
    FileFacts,
    Import,
)
from agrama.indexer.languages.typed import Block, Extraction, Local, Scope

if TYPE_CHECKING:
    from tree_sitter import Node  # noqa: TID251 - a type only

Reader = Callable[["TabledExtraction", "Node", Block], int]
Declare = Callable[["TabledExtraction", "Node", Block], None]
_HOLDERS = frozenset((Kind.CLASS, Kind.MODULE))
_DEFINED = "definition"
# Names that stand for nothing wherever they are bound.
_BLANKS = frozenset(("", "_"))


@dataclass(frozen=True, slots=True)
class Table:
    """One grammar. A type's reader yields the register of a value of that type."""

    language: str
    readers: Mapping[str, Reader]
    declarations: Mapping[str, Declare]
    types: Mapping[str, Reader] = field(default_factory=dict)
    names: frozenset[str] = frozenset(("identifier",))
    tails: Mapping[str, str] = field(default_factory=dict)  # node type -> path to its last name
    lists: frozenset[str] = frozenset()  # nodes that only hold arguments
    builtins: frozenset[str] = frozenset()
    passes_functions: bool = False  # does a function named as an argument count as called?


class TabledExtraction(Extraction):
    """Everything collected from one file, and what waits to be read."""

    def __init__(self, source: bytes, path: str, root: "Node", table: Table) -> None:
        super().__init__(source, path, root)
        self.language = table.language
        self.table = table
        self.signatures: list[Callable[[], object]] = []
        self.bodies: list[Callable[[], object]] = []

    def read(self, node: "Node | None", block: Block) -> int:
        """The register of an expression; a node that the table does not know is looked into."""
        if node is None:
            return NOTHING
        reader = self.table.readers.get(node.type)
        if reader is not None:
            return reader(self, node, block)
        for child in node.named_children:
            self.read(child, block)
        return NOTHING

    def read_type(self, node: "Node | None", block: Block) -> int:
        reader = self.table.types.get(node.type) if node is not None else None
        return NOTHING if reader is None or node is None else reader(self, node, block)

    def declare_all(self, nodes: Iterable["Node"], block: Block) -> None:
        """Declare the names of a file or class body; other statements are read with the bodies."""
        declarations = self.table.declarations
        for node in nodes:
            if node.type == "ERROR":
                self.declare_all(node.named_children, block)
                continue
            declare = declarations.get(node.type)
            if declare is not None:
                declare(self, node, block)
            else:
                self.bodies.append(lambda node=node: self.read(node, block))  # type: ignore[misc]

    def run_block(self, nodes: Iterable["Node"], block: Block) -> int:
        """Read the statements of a function; the value of the last one."""
        declarations, value = self.table.declarations, NOTHING
        for node in nodes:
            declare = declarations.get(node.type)
            if declare is None:
                value = self.read(node, block)
            else:
                declare(self, node, block)
                self.settle()
        return value

    def settle(self) -> None:
        """Signatures of what a function declares; its bodies are read after the function."""
        while self.signatures:
            self.signatures.pop(0)()
        while self.bodies:
            body = self.bodies.pop(0)
            self.defer(lambda body=body: body() and None)  # type: ignore[misc]

    def finish(self) -> None:
        for signature in self.signatures:
            signature()
        self.signatures.clear()
        bodies, self.bodies = self.bodies, []
        for body in bodies:
            self.guard(body)

    # ---- names

    def bind_name(self, name: str, block: Block, register: int, target: int, index: int) -> None:
        """Let a name of a block stand for a symbol, beside what it stands for already."""
        scope = block.scope
        if name in _BLANKS:
            return
        if scope is self.file:
            before = self.exports.get(name)
            if before is None:
                self.exports[name] = (register, target, index)
            else:
                merged = self.union(before[0], register)
                self.exports[name] = (merged, *before[1:], target, index)
        elif scope.kind in _HOLDERS:
            self.add_member(scope, name, register, target, index)
        else:
            local = block.names.setdefault(name, Local(scope))
            local.versions.append(register)
            local.type_name = _DEFINED if target == TO_DEFINITION else local.type_name

    def bind_local(self, name: str, block: Block, register: int, declared: int = NOTHING) -> None:
        if name in _BLANKS:
            return
        local = block.names.get(name)
        if local is None:
            local = self.declare(name, block, declared)
        value = self.union(declared, register)
        if value >= 0 and value not in local.versions:
            local.versions.append(value)

    def read_name(self, node: "Node", block: Block) -> int:
        """What a name stands for: a local, a member of a class around, a name of the file."""
        name = self.text(node)
        inner: Block | None = block
        while inner is not None:
            local = inner.names.get(name)
            if local is not None:
                return self.read_local(local, block, {})
            if inner.scope.kind in _HOLDERS:
                row = inner.scope.members.get(name)
                if row is not None:
                    for at in range(1, len(row), 2):
                        self.add_reference(node, block.scope.index, row[at], row[at + 1])
                    return row[0]
            inner = inner.outer
        if name in self.exports:
            return self.read_free(name, node, block.scope)
        opened = self.read_opened(node, name, block)
        if name in self.table.builtins:
            return opened
        return self.union(opened, self.read_free(name, node, block.scope))

    def open_module(self, register: int, block: Block) -> None:
        """Let the members of a module be read by their names alone."""
        if register >= 0:
            opened = block.scope.types
            opened[f"open {len(opened)}"] = register

    def read_opened(self, node: "Node", name: str, block: Block) -> int:
        value, scope = NOTHING, block.scope
        while True:
            for key, register in scope.types.items():
                if key.startswith("open "):
                    self.refer_attribute(node, register, name, block.scope.index)
                    value = self.union(value, self.attribute(register, name))
            if scope.parent is None:
                return value
            scope = scope.parent

    def is_bound(self, name: str, block: Block) -> bool:
        """Does the file bind a name that can be read in a block?"""
        inner: Block | None = block
        while inner is not None:
            if name in inner.names:
                return True
            if inner.scope.kind in _HOLDERS and name in inner.scope.members:
                return True
            inner = inner.outer
        return name in self.exports

    def is_local(self, name: str, block: Block) -> bool:
        """Is a name a parameter or variable of a function? A definition inside one is not."""
        local = block.find(name)
        return local is not None and local.type_name != _DEFINED

    def read_member(self, base: int, node: "Node", block: Block) -> int:
        """`base.name`."""
        if base < 0:
            return NOTHING
        name = self.text(node)
        self.refer_attribute(node, base, name, block.scope.index)
        return self.attribute(base, name)

    def add_import(
        self, module: str, name: str | None, node: "Node", block: Block, level: int = 0
    ) -> tuple[int, int]:
        """The register and row of an import; the line 0 of a star import says nothing."""
        row, column = node.start_point
        index = len(self.imports)
        place = (row + 1, column, row + 1 if name else 0, column if name else 0)
        self.imports.append(tuple(Import(module, level, name, 0, _symbol_scope(block), *place, 0)))
        if name == "*":
            return NOTHING, index
        register = self.register()
        self.emit(IMPORT, register, index)
        return register, index

    def import_as(
        self, local: str, module: str, name: str | None, node: "Node", block: Block, level: int = 0
    ) -> int:
        """An import that binds a name of the block."""
        register, index = self.add_import(module, name, node, block, level)
        self.bind_name(local, block, register, TO_IMPORT, index)
        return register

    # ---- calls

    def name_node(self, node: "Node") -> "Node":
        """Where the name of a callee is written."""
        tails = self.table.tails
        while node.type in tails:
            inner = find(node, tails[node.type])
            if inner is None:
                break
            node = inner
        return node

    def read_arguments(self, nodes: Iterable["Node"], block: Block) -> list[int]:
        values: list[int] = []
        for node in nodes:
            if node.type in self.table.lists:
                values += self.read_arguments(node.named_children, block)
            elif not node.is_extra:
                values.append(self.read_argument(node, block))
        return values

    def read_argument(self, node: "Node", block: Block) -> int:
        value = self.read(node, block)
        if value >= 0 and self.table.passes_functions:
            name = self.name_node(node)
            if name.type in self.table.names and not self.is_local(self.text(name), block):
                self.emit_call(value, name, [], block, FORM_CALLBACK)
        return value

    def emit_call(
        self, callee: int, at: "Node", arguments: list[int], block: Block, form: int = FORM_CALL
    ) -> int:
        if callee < 0:
            return NOTHING
        register = self.register()
        row, column = at.start_point
        self.emit(
            CALL, register, callee, tuple(arguments), (), row + 1, column, block.scope.index, form
        )
        return register


class CaselessExtraction(TabledExtraction):
    """Names are compared in lower case; symbols keep the case in which they are defined."""

    def text(self, node: "Node") -> str:
        return super().text(node).lower()

    def define(
        self,
        kind: Kind,
        name: str,
        parent: Scope,
        node: "Node",
        name_node: "Node",
        qualified: str = "",
    ) -> Scope:
        return super().define(kind, self._written(name, name_node), parent, node, name_node)

    def add_variable(self, name: str, owner: Scope, node: "Node", whole: "Node") -> int:
        return super().add_variable(self._written(name, node), owner, node, whole)

    def _written(self, name: str, node: "Node") -> str:
        text = super().text(node).lstrip("$")
        return text if text.lower() == name else name


def extract_by(table: Table, root: "Node", source: bytes, path: str) -> FileFacts:
    """Facts of a file by a table."""
    x = TabledExtraction(source, path, root, table)
    x.guard(lambda: x.declare_all(root.named_children, Block(x.file, None)))
    x.guard(x.finish)
    return x.facts()


def _symbol_scope(block: Block) -> int:
    return block.scope.index


@cache
def _steps(path: str) -> tuple[tuple[str, int, str], ...]:
    steps: list[tuple[str, int, str]] = []
    for step in path.split("/"):
        if not step.startswith("#"):
            steps.append(("field", 0, step))
        elif step[1:].lstrip("-").isdigit():
            steps.append(("number", int(step[1:]), ""))
        else:
            steps.append(("type", 0, step[1:]))
    return tuple(steps)


def find(node: "Node | None", path: str) -> "Node | None":
    """The part of a node that a path names; "" is the node itself."""
    if not path:
        return node
    for kind, number, text in _steps(path):
        if node is None:
            return None
        if kind == "field":
            node = node.child_by_field_name(text)
        elif kind == "number":
            children = [child for child in node.named_children if not child.is_extra]
            node = children[number] if -len(children) <= number < len(children) else None
        else:
            node = next((child for child in node.named_children if child.type == text), None)
    return node


def parts(node: "Node | None", path: str, types: Iterable[str] = ()) -> Iterator["Node"]:
    """Children of the part that a path names, those of some types only if any are given."""
    inner = find(node, path)
    wanted = frozenset(types)
    for child in inner.named_children if inner is not None else ():
        if not child.is_extra and (not wanted or child.type in wanted):
            yield child


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
    elif block.scope is not x.file and block.scope.kind not in _HOLDERS:
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
        if block.scope is not x.file and block.scope.kind not in _HOLDERS:
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
