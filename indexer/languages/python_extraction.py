"""State of one extraction: scopes, versions of names, instructions and references.

Handlers for statements and expressions live in the sibling modules and register themselves in
`STATEMENTS` and `EXPRESSIONS` by node type. An environment maps a name to a tuple of registers, its
possible values at this point. It also holds access paths (`self.x`, `d["k"]`); those that begin
with `name` are listed under `name!`, so that a new value of `name` can forget them.
"""

from collections.abc import Callable
from sys import intern
from typing import TYPE_CHECKING, Any

from agrama.graph.model import Kind
from agrama.indexer.facts import (
    ATTR,
    CONST,
    COPY,
    ELEM,
    GLOB,
    GSTORE,
    NEW,
    NOTHING,
    SEQUENCE,
    TO_ATTRIBUTE,
    TO_GLOBAL,
    TO_VARIABLE,
    Definition,
    FileFacts,
    empty_facts,
    pack_references,
)

if TYPE_CHECKING:
    from tree_sitter import Node  # noqa: TID251 - a type only

Environment = dict[str, tuple[Any, ...]]
Key = tuple[str, Any] | None

# More versions of one name than this do not make a better answer, only a slower one.
MAX_VERSIONS = 12
MAX_CONSTANT_LENGTH = 24


class Scope:
    """A file, class, function or lambda while it is being read."""

    __slots__ = (
        "attributes",
        "bases",
        "body_line",
        "column",
        "counts",
        "doc",
        "end_line",
        "final",
        "flags",
        "globals",
        "index",
        "is_function",
        "kind",
        "lambdas",
        "line",
        "members",
        "name",
        "owner",
        "parameter_of",
        "parameters",
        "parent",
        "qualified",
        "reads",
        "return_type",
        "returns",
        "self_register",
        "signature",
        "start_byte",
        "stubs",
        "variables",
        "versions",
        "yields",
    )

    def __init__(self, index: int, kind: Kind, name: str, parent: "Scope | None") -> None:
        self.index = index
        self.kind = kind
        self.is_function = kind in _FUNCTIONS
        self.name = name
        self.parent = parent
        self.qualified = ""
        self.line = self.body_line = self.end_line = 1
        self.column = self.start_byte = self.flags = 0
        self.signature = self.doc = ""
        self.parameters: list[tuple[Any, ...]] = []
        self.parameter_of: dict[int, int] = {}  # register -> position, undeclared parameters only
        self.returns: list[int | str] = []
        self.yields: list[int] = []
        self.return_type = NOTHING
        self.bases: list[int] = []
        self.self_register = NOTHING
        self.owner = -1
        self.members: dict[str, tuple[int, ...]] = {}
        self.versions: dict[str, list[int]] = {}  # every register a name ever had here
        self.final: Environment | None = None  # the environment at the end, once it is known
        self.reads: dict[str, int] = {}  # name -> register, for reads from inner functions
        self.globals: set[str] = set()
        self.counts: dict[str, int] = {}  # definitions per name, for `#2`
        self.stubs: dict[str, int] = {}  # overload signatures before their implementation
        self.variables: dict[str, int] = {}  # name -> index of its variable symbol
        self.attributes: dict[str, int] = {}  # the same for instance attributes
        self.lambdas = 0

    def row(self) -> tuple[Any, ...]:
        return tuple(
            Definition(
                int(self.kind), self.name, self.qualified, self.parent.index if self.parent else -1,
                self.line, self.column, self.body_line, self.end_line, self.start_byte, self.flags,
                self.signature, self.doc, tuple(self.parameters), tuple(self.returns),
                tuple(self.yields), self.return_type, tuple(self.bases), self.self_register,
                self.owner, self.members,
            )
        )  # fmt: skip


_FUNCTIONS = frozenset((Kind.FUNCTION, Kind.METHOD))

Statement = Callable[["Extraction", "Node", Scope, Environment], Environment | None]
Expression = Callable[["Extraction", "Node", Scope, Environment], int]
STATEMENTS: dict[str, Statement] = {}
EXPRESSIONS: dict[str, Expression] = {}


def statement(*types: str) -> Callable[[Statement], Statement]:
    """Register a handler: it returns the environment afterwards, None if control does not go on."""

    def register(handler: Statement) -> Statement:
        STATEMENTS.update(dict.fromkeys(types, handler))
        return handler

    return register


def expression(*types: str) -> Callable[[Expression], Expression]:
    """Register a handler: it returns the register of the value."""

    def register(handler: Expression) -> Expression:
        EXPRESSIONS.update(dict.fromkeys(types, handler))
        return handler

    return register


class Extraction:
    """Everything collected from one file."""

    def __init__(
        self, source: bytes, path: str, builtins: frozenset[str], *, is_test: bool
    ) -> None:
        self.source = source
        self.path = path
        self.builtins = builtins
        self.is_test = is_test
        self.has_star = b"import *" in source
        self.registers = 0
        self.sites = 0
        self.ops: list[tuple[Any, ...]] = []
        self.scopes: list[Scope] = []
        self.pending: list[tuple[Scope, Node]] = []  # functions whose bodies are still to be read
        self.imports: list[tuple[Any, ...]] = []
        self.variables: list[tuple[Any, ...]] = []
        self.routes: list[tuple[Any, ...]] = []
        self.references: list[tuple[int, ...]] = []
        self.names: dict[str, int] = {}
        self.listed: list[str] | None = None
        self.errors: list[tuple[int, int]] = []
        self.symbol_of: dict[str, dict[int, tuple[int, int]]] = {}  # name -> register -> target
        self.attribute_of: dict[int, str] = {}  # register of `self.x` -> "x"
        self.class_calls: set[int] = set()  # registers of `cls()`
        self.merged_from: dict[int, tuple[int, ...]] = {}
        self.module = Scope(0, Kind.FILE, "", None)
        self.scopes.append(self.module)
        self._texts: dict[bytes, str] = {}
        self._merged: dict[tuple[int, ...], int] = {}
        self._attributes: dict[tuple[int, str], int] = {}
        self._constants: dict[tuple[str, Any], int] = {}
        self.instances: dict[int, int] = {}  # register of a class -> of its instance

    # ---- instructions

    def register(self) -> int:
        self.registers += 1
        return self.registers - 1

    def emit(self, *op: Any) -> None:
        self.ops.append(op)

    def text(self, node: "Node") -> str:
        raw = self.source[node.start_byte : node.end_byte]
        found = self._texts.get(raw)
        if found is None:
            found = self._texts[raw] = intern(raw.decode("utf-8", "replace"))
        return found

    def merge_versions(self, versions: tuple[int, ...]) -> int:
        """One register that stands for all versions."""
        if len(versions) == 1:
            return versions[0]
        register = self._merged.get(versions)
        if register is None:
            known = [version for version in versions if version >= 0]
            if not known:
                register = NOTHING
            elif len(known) == 1:
                register = known[0]
            else:
                register = self.register()
                self.ops.extend((COPY, register, version) for version in known)
                self.merged_from[register] = tuple(known)
            self._merged[versions] = register
        return register

    def union(self, left: int, right: int) -> int:
        if left < 0 or left == right:
            return right
        return left if right < 0 else self.merge_versions((left, right))

    def attribute(self, base: int, name: str, scope: Scope) -> int:
        """The register of `base.name`; one per (base, name)."""
        register = self._attributes.get((base, name))
        if register is None:
            register = self._attributes[base, name] = self.register()
            self.ops.append((ATTR, register, base, name))
            if base == scope.self_register:
                self.attribute_of[register] = name
        return register

    def container(self, items: list[tuple[Key, int]], flavour: int = SEQUENCE) -> int:
        """A fresh container with these (key, register) items."""
        register, site = self.register(), self.sites
        self.sites += 1
        self.ops.append((NEW, register, site, flavour))
        self.ops.extend((ELEM, site, key, value) for key, value in items if value >= 0)
        return register

    def constant(self, node: "Node") -> int:
        """A short string or an integer, worth following because it may become a key."""
        text = self.text(node)
        if len(text) > MAX_CONSTANT_LENGTH:
            return NOTHING
        key = literal_key(node.type, text)
        if key is None:
            return NOTHING
        register = self._constants.get(key)
        if register is None:
            register = self._constants[key] = self.register()
            self.ops.append((CONST, register, key))
        return register

    # ---- names

    def bind(self, name: str, register: int, scope: Scope, env: Environment) -> None:
        """Give a name a new value."""
        if name in scope.globals:
            if register >= 0:
                self.ops.append((GSTORE, name, register))
            versions = self.module.versions.setdefault(name, [])
            if register >= 0:
                versions.append(register)
            env[name] = (register,)
            return
        forget_paths(name, env)
        env[name] = (register,)
        versions = scope.versions.setdefault(name, [])
        if register not in versions:
            versions.append(register)

    def declare(self, name: str, register: int, target: tuple[int, int]) -> None:
        """Remember which symbol a version of a name stands for."""
        self.symbol_of.setdefault(name, {})[register] = target

    def declare_variable(
        self, name: str, node: "Node", scope: Scope, *, instance: bool = False
    ) -> None:
        """Make a symbol of a module- or class-level name or of an instance attribute."""
        if name in scope.counts or name in scope.attributes:
            return
        point = node.start_point
        end_line = (node.parent or node).end_point[0] + 1
        index = len(self.variables)
        self.variables.append((name, scope.index, point[0] + 1, point[1], end_line, int(instance)))
        if instance:
            scope.attributes[name] = index
        else:
            scope.counts[name] = 1
            scope.variables[name] = index

    def read(self, name: str, scope: Scope, env: Environment, node: "Node | None" = None) -> int:
        """The register of a name's value here; `node` is recorded as a reference."""
        versions = env.get(name)
        if versions is not None:
            if node is not None and (name in self.symbol_of or not scope.is_function):
                self.refer(name, versions, scope, scope, node)
            return versions[0] if len(versions) == 1 else self.merge_versions(versions)
        holder = scope.parent
        while holder is not None and holder.parent is not None:
            if holder.is_function and name in holder.versions and name not in holder.globals:
                return self._read_outer(name, holder, scope, node)
            holder = holder.parent
        return self._read_global(name, scope, node)

    def _read_outer(self, name: str, holder: Scope, scope: Scope, node: "Node | None") -> int:
        versions = tuple(holder.versions[name])
        if node is not None and name in self.symbol_of:
            self.refer(name, versions, holder, scope, node)
        register = holder.reads.get(name)
        if register is None:
            register = holder.reads[name] = self.merge_versions(versions)
        return register

    def _read_global(self, name: str, scope: Scope, node: "Node | None") -> int:
        module = self.module
        if module.final is not None:
            versions = module.final.get(name) or tuple(module.versions.get(name, ()))
            if versions:
                if node is not None:
                    self.refer(name, versions, module, scope, node)
                register = module.reads.get(name)
                if register is None:
                    register = module.reads[name] = self.merge_versions(versions)
                return register
        if name in self.builtins and not self.has_star and not self._may_bind(name):
            return NOTHING
        if node is not None:
            self.add_reference(node, scope, TO_GLOBAL, self.name_index(name), NOTHING)
        register = module.reads.get(name, NOTHING)
        if register < 0:
            register = self.register()
            self.ops.append((GLOB, register, name))
            if module.final is not None:
                module.reads[name] = register
        return register

    def _may_bind(self, name: str) -> bool:
        """Does the file rebind a builtin's name later than here?"""
        return self.module.final is None and name in self.module.versions

    # ---- references

    def name_index(self, name: str) -> int:
        return self.names.setdefault(name, len(self.names))

    def add_reference(
        self, node: "Node", scope: Scope, target: int, operand: int, extra: int
    ) -> None:
        point = node.start_point
        self.references.append((point[0] + 1, point[1], scope.index, target, operand, extra))

    def refer(
        self, name: str, versions: tuple[Any, ...], holder: Scope, scope: Scope, node: "Node"
    ) -> None:
        """Record a use of a name that `holder` binds."""
        for target, operand in self.targets(name, versions, holder):
            self.add_reference(node, scope, target, operand, NOTHING)

    def targets(self, name: str, versions: tuple[Any, ...], holder: Scope) -> list[tuple[int, int]]:
        """The symbols that versions of a name stand for; none for a local variable."""
        known = self.symbol_of.get(name)
        found: dict[tuple[int, int], None] = {}
        for version in versions:
            target = known.get(version) if known else None
            if target is None and not holder.is_function:
                index = holder.variables.get(name)
                target = None if index is None else (TO_VARIABLE, index)
            if target is not None:
                found[target] = None
        if not found and known and not holder.is_function:
            found[next(iter(known.values()))] = None
        return list(found)

    def refer_attribute(self, node: "Node", base: int, name: str, scope: Scope) -> None:
        self.add_reference(node, scope, TO_ATTRIBUTE, self.name_index(name), base)

    # ---- reading code

    def value(self, node: "Node", scope: Scope, env: Environment, *, constant: bool = False) -> int:
        """The register of an expression's value."""
        kind = node.type
        handler = EXPRESSIONS.get(kind)
        if constant and kind in _CONSTANTS and node.child_count <= _PLAIN_STRING:
            return self.constant(node)
        if handler is not None:
            return handler(self, node, scope, env)
        for child in node.named_children:
            self.value(child, scope, env)
        return NOTHING

    def block(self, node: "Node | None", scope: Scope, env: Environment) -> Environment | None:
        """Read statements in order; None when the end cannot be reached."""
        ended = False
        for child in node.named_children if node is not None else ():
            handler = STATEMENTS.get(child.type)
            if handler is None:
                continue
            try:
                after = handler(self, child, scope, env)
            except RecursionError:  # nested too deep: the statements around it still count
                self.errors.append((child.start_point[0] + 1, child.start_point[1]))
                after = env
            if after is None:  # what follows is dead, but its names are still worth reading
                ended = True
                env = dict(env)
            else:
                env = after
        return None if ended else env

    def binding(self, name: str, versions: tuple[Any, ...], holder: Scope) -> tuple[int, ...]:
        """A Binding row: the register of a member or export and its symbols."""
        flat = [self.merge_versions(versions)]
        for target in self.targets(name, versions, holder):
            flat.extend(target)
        return tuple(flat)

    def facts(self) -> FileFacts:
        module = self.module
        final = module.final or {}
        exports: dict[str, tuple[int, ...]] = {}
        for name, versions in module.versions.items():
            exports[name] = self.binding(name, final.get(name) or tuple(versions), module)
        for name, index in module.variables.items():
            exports.setdefault(name, (NOTHING, TO_VARIABLE, index))
        facts = empty_facts("python")
        facts["registers"] = self.registers
        facts["sites"] = self.sites
        facts["ops"] = self.ops
        facts["definitions"] = [scope.row() for scope in self.scopes]
        facts["variables"] = self.variables
        facts["imports"] = self.imports
        facts["exports"] = exports
        facts["listed"] = self.listed
        facts["names"] = list(self.names)
        facts["references"] = pack_references(self.references)
        facts["routes"] = self.routes
        facts["errors"] = self.errors
        return facts


_CONSTANTS = frozenset(("string", "integer"))
_PLAIN_STRING = 3  # children of a string without interpolations: quote, text, quote


def literal_key(kind: str, text: str) -> tuple[str, Any] | None:
    """The key that a literal stands for in a subscript."""
    if kind == "string":
        return ("s", text.strip("\"'"))
    if kind == "integer":
        try:
            return ("i", int(text))
        except ValueError:
            return None
    return None


def forget_paths(name: str, env: Environment) -> None:
    """A new value of `name` makes what was known of `name.x` and `name["k"]` void."""
    for path in env.pop(name + "!", ()):
        env.pop(path, None)


def set_path(root: str, path: str, register: int, env: Environment) -> None:
    """`path` (an attribute or item below `root`) now holds `register`."""
    env[path] = (register,)
    listed = env.get(root + "!", ())
    if path not in listed:
        env[root + "!"] = (*listed, path)


def merge(left: Environment | None, right: Environment | None) -> Environment | None:
    """What holds after either of two ways; None is a way that does not arrive."""
    if left is None or left is right:
        return right
    if right is None:
        return left
    merged: Environment = {}
    for name, versions in left.items():
        others = right.get(name)
        if others is None:
            if name.isidentifier() or name.endswith("!"):
                merged[name] = versions
        elif others == versions:
            merged[name] = versions
        else:
            both = versions + tuple(other for other in others if other not in versions)
            merged[name] = both if name.endswith("!") else both[:MAX_VERSIONS]
    for name, versions in right.items():
        if name not in left and (name.isidentifier() or name.endswith("!")):
            merged[name] = versions
    return merged
