"""What front ends of statically typed languages share: scopes, locals, control flow, deferred bodies.

A local variable is an object of its own (`Local`), so that shadowing needs no renaming; an environment
maps locals to the registers they may hold. Declared types and flow are both kept: what a variable
is declared as decides its members, what is assigned matters where the declaration lies outside.
"""

import re
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any

from agrama.graph.model import Kind
from agrama.indexer.facts import (
    ANONYMOUS,
    COPY,
    DEF,
    GLOB,
    LAMBDA,
    NOTHING,
    POSITIONAL,
    TO_DEFINITION,
    TO_GLOBAL,
    TO_VARIABLE,
    Definition,
    FileFacts,
    Parameter,
    Variable,
)
from agrama.indexer.languages.recording import Recorder

if TYPE_CHECKING:
    from tree_sitter import Node  # noqa: TID251 - a type only

# More versions of one name than this do not make a better answer, only a slower one.
MAX_VERSIONS = 12
_MAX_DOC = 2_000
_MAX_SIGNATURE = 300
# A cheap superset of the names that a loop may assign.
_ASSIGNED = re.compile(rb"([A-Za-z_]\w*)\s*(?:,|:?=(?!=))")
_MARKS = re.compile(r"^\s*(?:/\*\*?|\*/|\*|//[/!]?)? ?|\s*\*/$", re.MULTILINE)


class Local:
    """A local variable or parameter. `function` is the scope whose flow its versions follow."""

    __slots__ = ("declared", "function", "type_name", "versions")

    def __init__(self, function: "Scope") -> None:
        self.function = function
        self.declared = NOTHING
        self.type_name = ""  # as written, for languages that choose overloads by it
        self.versions: list[int] = []


Environment = dict[Local, tuple[int, ...]]


class Scope:
    """A definition while it is being read."""

    __slots__ = (
        "bases", "body_line", "column", "counts", "doc", "end_line", "flags", "index", "kind", "line",
        "members", "name", "owner", "parameters", "parent", "qualified", "register", "return_type",
        "returns", "self_register", "signature", "start_byte", "type_names", "types", "variables",
    )  # fmt: skip

    def __init__(self, index: int, kind: Kind, name: str, parent: "Scope | None") -> None:
        self.index = index
        self.kind = kind
        self.name = name
        self.parent = parent
        self.qualified = self.signature = self.doc = ""
        self.line = self.body_line = self.end_line = 1
        self.column = self.start_byte = self.flags = 0
        self.parameters: list[tuple[Any, ...]] = []
        self.returns: list[int | str] = []
        self.return_type = self.self_register = self.register = NOTHING
        self.bases: list[int] = []
        self.owner: Scope | None = None
        self.members: dict[str, tuple[int, ...]] = {}
        self.counts: dict[str, int] = {}  # definitions per name, for `#2`
        self.variables: dict[str, int] = {}  # name -> index of its variable symbol
        self.types: dict[str, int] = {}  # type parameters: name -> register of its bound
        self.type_names: dict[str, str] = {}  # member -> type as written

    @property
    def is_class(self) -> bool:
        return self.kind == Kind.CLASS

    def row(self) -> tuple[Any, ...]:
        return tuple(
            Definition(
                int(self.kind), self.name, self.qualified, self.parent.index if self.parent else -1,
                self.line, self.column, self.body_line, self.end_line, self.start_byte, self.flags,
                self.signature, self.doc, tuple(self.parameters), tuple(dict.fromkeys(self.returns)),
                (), self.return_type, tuple(self.bases), self.self_register,
                self.owner.index if self.owner else -1, self.members,
            )
        )  # fmt: skip


class Block:
    """The names that a block of code declares. `scope` is the function (or class) around it."""

    __slots__ = ("names", "outer", "scope", "types")

    def __init__(self, scope: Scope, outer: "Block | None") -> None:
        self.scope = scope
        self.outer = outer
        self.names: dict[str, Local] = {}
        self.types: dict[str, Scope] = {}  # classes declared here

    def inner(self) -> "Block":
        return Block(self.scope, self)

    def find(self, name: str) -> Local | None:
        block: Block | None = self
        while block is not None:
            found = block.names.get(name)
            if found is not None:
                return found
            block = block.outer
        return None

    def find_type(self, name: str) -> Scope | None:
        block: Block | None = self
        while block is not None:
            found = block.types.get(name)
            if found is not None:
                return found
            block = block.outer
        return None


Handler = Callable[[Any, "Node", Block, Environment], Any]


class Extraction(Recorder):
    """Everything collected from one file. A language derives its own and fills in the tables."""

    language = ""
    statements: dict[str, Handler]  # node type -> environment afterwards, None: does not go on
    expressions: dict[str, Handler]  # node type -> register of the value

    def __init__(self, source: bytes, path: str, root: "Node") -> None:
        super().__init__(source, path)
        self.scopes: list[Scope] = []
        self.exports: dict[str, tuple[int, ...]] = {}
        self.free: dict[str, int] = {}
        self.package: str | None = None
        self.closures: list[Callable[[], object]] = []
        self.blocks: list[Block] = []
        self.file = Scope(0, Kind.FILE, "", None)
        self.file.end_line = source.count(b"\n") + 1
        self.scopes.append(self.file)

    # ---- definitions

    def define(
        self,
        kind: Kind,
        name: str,
        parent: Scope,
        node: "Node",
        name_node: "Node",
        qualified: str = "",
    ) -> Scope:
        """A new scope with its symbol; `qualified` where its place does not tell it."""
        scope = Scope(len(self.scopes), kind, name, parent)
        self.scopes.append(scope)
        full = qualified or (f"{parent.qualified}.{name}" if parent.qualified else name)
        count = self.file.counts[full] = self.file.counts.get(full, 0) + 1
        scope.qualified = full if count == 1 else f"{full}#{count}"
        row, scope.column = name_node.start_point
        scope.line = row + 1
        scope.body_line = node.start_point[0] + 1
        scope.end_line = node.end_point[0] + 1
        scope.start_byte = node.start_byte
        scope.signature = self.header(node)
        scope.doc = self.comment_before(node)
        scope.register = self.register()
        self.ops.append((DEF, scope.register, scope.index))
        return scope

    def define_closure(self, node: "Node", block: Block) -> Scope:
        """An anonymous function: its edges belong to the symbol around it."""
        scope = Scope(len(self.scopes), Kind.FUNCTION, "<lambda>", block.scope)
        self.scopes.append(scope)
        count = self.file.counts["<lambda>"] = self.file.counts.get("<lambda>", 0) + 1
        scope.qualified = f"<lambda{count}>"
        scope.flags = ANONYMOUS | LAMBDA
        row, scope.column = node.start_point
        scope.line = scope.body_line = row + 1
        scope.end_line = node.end_point[0] + 1
        scope.start_byte = node.start_byte
        scope.self_register = NOTHING
        scope.register = self.register()
        self.ops.append((DEF, scope.register, scope.index))
        return scope

    def header(self, node: "Node") -> str:
        """The text of a definition up to its body."""
        body = node.child_by_field_name("body")
        end = body.start_byte if body is not None else node.end_byte
        raw = self.source[node.start_byte : min(end, node.start_byte + 4 * _MAX_SIGNATURE)]
        return " ".join(raw.decode("utf-8", "replace").split())[:_MAX_SIGNATURE]

    def comment_before(self, node: "Node") -> str:
        """The comments that stand directly above a node."""
        lines: list[str] = []
        row = node.start_point[0]
        before = node.prev_sibling
        while before is not None and "comment" in before.type and before.end_point[0] >= row - 1:
            if before.end_point[0] == row and before.end_point[1] > 0:
                break
            lines.append(self.text(before))
            row = before.start_point[0]
            before = before.prev_sibling
        return _MARKS.sub("", "\n".join(reversed(lines))).strip()[:_MAX_DOC]

    def add_member(self, owner: Scope, name: str, register: int, target: int, index: int) -> None:
        """Bind a member; a second one of the same name is bound too."""
        before = owner.members.get(name)
        if before is None:
            owner.members[name] = (register, target, index)
        else:
            merged = self.union(before[0], register)
            owner.members[name] = (merged, *before[1:], target, index)

    def add_variable(self, name: str, owner: Scope, node: "Node", whole: "Node") -> int:
        """The index of the symbol of a file-level variable or a field."""
        row, column = node.start_point
        end = whole.end_point[0] + 1
        self.variables.append(tuple(Variable(name, owner.index, row + 1, column, end, 0)))
        owner.variables[name] = len(self.variables) - 1
        return len(self.variables) - 1

    def add_parameter(
        self, scope: Scope, block: Block, name: str, declared: int, kind: int = POSITIONAL
    ) -> Local:
        """A parameter and the local that holds it; `declared` is a register, NOTHING or OUTSIDE."""
        local = Local(scope)
        register = self.register()
        row = Parameter(name, register, kind, declared + 1 if declared >= NOTHING else -1)
        scope.parameters.append(tuple(row))
        if declared >= 0:
            self.ops.append((COPY, register, declared))
        local.declared = declared
        local.versions.append(register)
        if name and name != "_":
            block.names[name] = local
        return local

    # ---- names

    def declare(self, name: str, block: Block, declared: int = NOTHING) -> Local:
        local = Local(block.scope)
        local.declared = declared
        if name != "_":
            block.names[name] = local
        return local

    def assign(self, local: Local, register: int, block: Block, env: Environment) -> None:
        value = self.union(local.declared, register) if local.declared >= 0 else register
        if value not in local.versions:
            local.versions.append(value)
        if local.function is block.scope:
            env[local] = (value,)

    def read_local(self, local: Local, block: Block, env: Environment) -> int:
        """Of a variable captured from an outer function all versions count."""
        versions = env.get(local) if local.function is block.scope else None
        if versions is None:
            versions = tuple(local.versions[:MAX_VERSIONS])
        return self.merge_versions(versions) if versions else local.declared

    def read_free(self, name: str, node: "Node | None", scope: Scope) -> int:
        """A name of the file, of its package or of a star import."""
        binding = self.exports.get(name)
        if binding is not None:
            if node is not None:
                for at in range(1, len(binding), 2):
                    self.add_reference(node, scope.index, binding[at], binding[at + 1])
            return binding[0]
        if node is not None:
            self.add_reference(node, scope.index, TO_GLOBAL, self.name_index(name))
        register = self.free.get(name)
        if register is None:
            register = self.free[name] = self.register()
            self.ops.append((GLOB, register, name))
        return register

    def export_definition(self, scope: Scope) -> None:
        self.exports.setdefault(scope.name, (scope.register, TO_DEFINITION, scope.index))

    def export_variable(self, name: str, register: int, index: int) -> None:
        self.exports.setdefault(name, (register, TO_VARIABLE, index))

    # ---- reading code

    def value(self, node: "Node | None", block: Block, env: Environment) -> int:
        if node is None:
            return NOTHING
        handler = self.expressions.get(node.type)
        if handler is not None:
            register: int = handler(self, node, block, env)
            return register
        for child in node.named_children:
            self.value(child, block, env)
        return NOTHING

    def run(self, nodes: Iterable["Node"], block: Block, env: Environment) -> Environment | None:
        """Read statements in order; None when the end cannot be reached."""
        ended = False
        for node in nodes:
            handler = self.statements.get(node.type)
            if handler is None:
                self.value(node, block, env)
                continue
            after = handler(self, node, block, env)
            if after is None:  # what follows is dead, but its names are still worth reading
                ended = True
                env = dict(env)
            else:
                env = after
        return None if ended else env

    def body(self, node: "Node | None", block: Block, env: Environment) -> Environment | None:
        """Read a block, or a single statement, with names of its own."""
        if node is None:
            return env
        nodes = node.named_children if "block" in node.type else [node]
        return self.run(nodes, block.inner(), env)

    def loop(
        self, node: "Node", block: Block, env: Environment, read: Callable[[Environment], Any]
    ) -> Environment:
        """A loop: each variable it may assign holds what it had before and what the body gave it."""
        phis: dict[Local, int] = {}
        text = self.source[node.start_byte : node.end_byte]
        for raw in dict.fromkeys(_ASSIGNED.findall(text)):
            local = block.find(raw.decode())
            if local is not None and local.function is block.scope and local in env:
                phis[local] = self.register()
                self.ops.extend((COPY, phis[local], v) for v in env[local] if v >= 0)
                env[local] = (phis[local],)
        after = read(dict(env))
        for local, phi in phis.items():
            for version in (after or {}).get(local, ()):
                if version >= 0 and version != phi:
                    self.ops.append((COPY, phi, version))
        return merge(env, after) or env

    def defer(self, read: Callable[[], object]) -> None:
        """The body of a closure: read when the function around it is finished."""
        self.closures.append(read)

    def finish_closures(self) -> None:
        while self.closures:
            self.closures.pop(0)()

    def guard(self, read: Callable[[], object]) -> None:
        """Code nested deeper than any program is left out; the rest of the file is still read."""
        try:
            read()
            self.finish_closures()
        except RecursionError:
            self.closures.clear()

    def facts(self) -> FileFacts:
        facts = self.recorded(self.language)
        facts["definitions"] = [scope.row() for scope in self.scopes]
        facts["exports"] = self.exports
        facts["package"] = self.package
        return facts


def merge(left: Environment | None, right: Environment | None) -> Environment | None:
    """What holds after either of two ways; None is a way that does not arrive."""
    if left is None or left is right:
        return right
    if right is None:
        return left
    merged = dict(left)
    for local, versions in right.items():
        known = merged.get(local)
        if known is None:
            merged[local] = versions
        elif known != versions:
            new = tuple(version for version in versions if version not in known)
            merged[local] = (known + new)[:MAX_VERSIONS]
    return merged


def merge_all(ways: Sequence[Environment | None]) -> Environment | None:
    result: Environment | None = None
    for way in ways:
        result = merge(result, way)
    return result


def written(node: "Node") -> list["Node"]:
    """The named children of a node without comments."""
    return [child for child in node.named_children if not child.is_extra]
