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
    FORM_CALL,
    FORM_CALLBACK,
    IMPORT,
    NOTHING,
    TO_DEFINITION,
    TO_IMPORT,
    FileFacts,
    Import,
)
from agrama.indexer.languages.typed import Block, Extraction, Local, Scope

if TYPE_CHECKING:
    from tree_sitter import Node  # noqa: TID251 - a type only

Reader = Callable[["TabledExtraction", "Node", Block], int]
Declare = Callable[["TabledExtraction", "Node", Block], None]
HOLDERS = frozenset((Kind.CLASS, Kind.MODULE))
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
        elif scope.kind in HOLDERS:
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
            if inner.scope.kind in HOLDERS:
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
            if inner.scope.kind in HOLDERS and name in inner.scope.members:
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
