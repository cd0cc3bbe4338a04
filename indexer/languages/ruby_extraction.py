"""Ruby: what its modules share. Constants by lexical scope, `self`, blocks as functions.

Members of a class itself (`def self.x`, constants) are listed with the prefix `self.`, instance
variables keep their `@`. A call without a receiver is one on `self`, or of a top-level method.
"""

from typing import TYPE_CHECKING

from agrama.graph.model import Kind
from agrama.indexer.facts import (
    BLOCK,
    EXTENDED_WITH,
    KEYWORD_ONLY,
    KEYWORDS,
    NOTHING,
    POSITIONAL,
    REST,
    SUB,
    TO_DEFINITION,
    Parameter,
)
from agrama.indexer.languages.dynamic import DynamicExtraction, function_around
from agrama.indexer.languages.typed import Block, Environment, Local, Scope

if TYPE_CHECKING:
    from tree_sitter import Node  # noqa: TID251 - a type only

OWN = "self."
_NO_OWNER = frozenset((Kind.FILE, Kind.CLASS, Kind.MODULE))


class RubyExtraction(DynamicExtraction):
    """Everything collected from one Ruby file."""

    language = "ruby"

    def __init__(self, source: bytes, path: str, root: "Node") -> None:
        super().__init__(source, path, root)
        self.paths: dict[int, str] = {0: ""}  # definition of a class -> its full name
        self.opened: dict[str, Scope] = {}
        self.blocks_of: dict[int, int] = {}  # function -> register of the block it is given
        self.singleton: set[int] = set()  # bodies of `class << self`, by id of their node
        self.module_functions: set[int] = set()  # modules after a bare `module_function`
        self.block_methods: dict[str, Scope] = {}  # methods defined in blocks outside of classes
        self.made: set[int] = set()  # registers of `new` on the own class

    # ---- constants

    def nesting(self, block: Block) -> list[str]:
        """Full names of the classes around, the innermost first."""
        found = []
        scope: Scope | None = block.scope
        while scope is not None:
            path = self.paths.get(scope.index)
            if path:
                found.append(path)
            scope = scope.parent
        return found

    def constant_register(self, name: str, node: "Node | None", block: Block) -> int:
        """A constant: the classes around, then those they inherit from, then the top."""
        around = self.nesting(block)
        names = [f"{path}::{name}" for path in around]
        register = self.full_name([*names, name], node, block.scope)
        cls = self.opened.get(around[0]) if around else None
        if cls is None or "::" in name or not self.inherits(cls):
            return register
        if any(each in self.exports for each in names):
            return register
        return self.union(register, self.attribute(cls.register, name))

    def inherits(self, cls: Scope) -> bool:
        return bool(cls.bases) or EXTENDED_WITH in cls.members

    def open_class(self, kind: Kind, name: str, node: "Node", at: "Node", block: Block) -> Scope:
        """A class or module; opened again in the same file it is the same one."""
        around = self.nesting(block)
        full = name[2:] if name.startswith("::") else "::".join([*around[:1], name])
        found = self.opened.get(full)
        if found is not None:
            return found
        parent = block.scope
        while parent.parent is not None and parent.kind not in _NO_OWNER:
            parent = parent.parent
        scope = self.define(
            kind, name.rpartition("::")[2], parent, node, at, full.replace("::", ".")
        )
        scope.self_register = NOTHING
        self.opened[full] = scope
        self.paths[scope.index] = full
        self.export_name(full, scope.register, TO_DEFINITION, scope.index)
        self.full_name([full], None, scope)  # joins the files that open it
        if parent.kind != Kind.FILE:
            parent.members.setdefault(
                OWN + scope.name, (scope.register, TO_DEFINITION, scope.index)
            )
        return scope

    # ---- self and blocks

    def self_of(self, block: Block) -> int:
        function = function_around(block)
        if function is None:
            return NOTHING
        if function.kind not in _NO_OWNER:
            return function.self_register
        if block.scope is function:
            return function.register
        # Who is given a block in a class body may run it on the class or on an instance.
        return self.union(function.register, self.instance(function.register))

    def block_of(self, block: Block) -> int:
        """The register of the block that the method around was given."""
        function = function_around(block)
        if function is None or function.kind in _NO_OWNER:
            return NOTHING
        register = self.blocks_of.get(function.index)
        if register is None:
            register = self.blocks_of[function.index] = self.register()
            row = Parameter(BLOCK, register, KEYWORD_ONLY, 0)
            function.parameters.append(tuple(row))
        return register

    def add_parameters(self, node: "Node | None", scope: Scope, block: Block) -> None:
        env: Environment = {}
        for child in node.named_children if node is not None else ():
            self._add_parameter(child, scope, block, env)

    def _add_parameter(self, node: "Node", scope: Scope, block: Block, env: Environment) -> None:
        kind = node.type
        name = node if kind == "identifier" else node.child_by_field_name("name")
        text = self.text(name) if name is not None else ""
        if kind == "block_parameter":
            register = self.block_of(block)
            if register >= 0 and text:
                local = Local(scope)
                local.versions.append(register)
                block.names[text] = local
            elif text:
                self.add_parameter(scope, block, text, NOTHING, KEYWORD_ONLY)
            return
        if kind == "destructured_parameter":
            whole = self.add_parameter(scope, block, "", NOTHING).versions[0]
            self.destructure(node, whole, block)
            return
        sort = {
            "splat_parameter": REST, "hash_splat_parameter": KEYWORDS,
            "keyword_parameter": KEYWORD_ONLY,
        }.get(kind, POSITIONAL)  # fmt: skip
        if kind == "ERROR" or kind == "comment":
            return
        local = self.add_parameter(scope, block, text, NOTHING, sort)
        value = self.value(node.child_by_field_name("value"), block, env)
        if value >= 0:
            local.versions.append(value)

    def destructure(self, node: "Node", whole: int, block: Block) -> None:
        for at, child in enumerate(node.named_children):
            register = self.register()
            self.emit(SUB, register, whole, ("i", at))
            if child.type == "destructured_parameter":
                self.destructure(child, register, block)
            elif child.type == "identifier":
                self.declare(self.text(child), block).versions.append(register)
