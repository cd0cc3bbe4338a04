"""State of one extraction from JavaScript or TypeScript: blocks, bindings, scopes, versions.

Names are resolved lexically: a `Block` maps names to `Binding`s, an environment maps bindings to the
registers they may hold at this point. An environment also knows access paths: `(binding, ".x")`
holds what was last stored in `binding.x`; `(binding, "!")` lists the paths of a binding, so that a
new value of it can forget them. Function bodies are read after the code around them, so a
captured binding is read through its *cell*, a register that collects every value it gets.
"""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from agrama.graph.model import Kind
from agrama.indexer.facts import (
    COPY,
    IMPLICIT_SELF,
    NOTHING,
    RECORD,
    Definition,
    FileFacts,
)
from agrama.indexer.languages.recording import Recorder

if TYPE_CHECKING:
    from tree_sitter import Node  # noqa: TID251 - a type only

Environment = dict[Any, tuple[Any, ...]]

# More versions of one name than this do not make a better answer, only a slower one.
MAX_VERSIONS = 12
# Longer access paths are not followed: they are rarely read again under the same text.
MAX_PATH_LENGTH = 60


class Binding:
    """One declared name."""

    __slots__ = (
        "cell", "fixed", "function", "name", "promise", "prototype", "scope", "targets", "versions",
    )  # fmt: skip

    def __init__(self, name: str, scope: "Scope", *, fixed: bool) -> None:
        self.name = name
        self.scope = scope
        self.fixed = fixed  # it gets its value once: const, function, class, import
        self.versions: list[int] = []
        self.cell = NOTHING
        self.targets: list[tuple[int, int]] = []  # the symbols it stands for; none for a local
        self.function: Scope | None = None  # the function or class it was declared as
        self.prototype: Scope | None = None  # the class whose prototype it was declared as
        self.promise = NOTHING  # `resolve` of a promise: what it is called with goes there


class Block:
    """Names declared between two braces."""

    __slots__ = ("names", "parent", "types")

    def __init__(self, parent: "Block | None") -> None:
        self.parent = parent
        self.names: dict[str, Binding] = {}
        self.types: dict[str, Binding] = {}  # interfaces, aliases, type parameters

    def find(self, name: str) -> Binding | None:
        block: Block | None = self
        while block is not None:
            found = block.names.get(name)
            if found is not None:
                return found
            block = block.parent
        return None

    def find_type(self, name: str) -> Binding | None:
        block: Block | None = self
        while block is not None:
            found = block.types.get(name) or block.names.get(name)
            if found is not None:
                return found
            block = block.parent
        return None


class Scope:
    """A file, class, namespace or function while it is being read."""

    __slots__ = (
        "arrow", "attributes", "bases", "block", "body_line", "column", "doc", "end_line", "final",
        "flags", "index", "kind", "lambdas", "line", "literal", "members", "name", "owner",
        "parameter_of", "parameters", "parent", "prefix", "qualified", "receiver", "register",
        "return_type", "returns", "self_register", "signature", "start_byte", "top", "yields",
    )  # fmt: skip

    def __init__(self, index: int, kind: Kind, name: str, parent: "Scope | None") -> None:
        self.index = index
        self.kind = kind
        self.name = name
        self.parent = parent
        self.qualified = self.prefix = ""  # `prefix` is what names declared inside begin with
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
        self.block: Block = Block(parent.block if parent is not None else None)
        self.top: Block = self.block
        self.final: Environment | None = None  # the environment at the end, once it is known
        self.arrow = False  # `this` is that of the code around it
        self.receiver = NOTHING  # `this`, where it is one known value
        self.literal = NOTHING  # the object whose method this is
        self.register = NOTHING  # holds the function or class itself
        self.attributes: set[str] = set()
        self.lambdas = 0

    def row(self) -> tuple[Any, ...]:
        return tuple(
            Definition(
                int(self.kind), self.name, self.qualified, self.parent.index if self.parent else -1,
                self.line, self.column, self.body_line, self.end_line, self.start_byte, self.flags,
                self.signature, self.doc, tuple(self.parameters), tuple(dict.fromkeys(self.returns)),
                tuple(self.yields), self.return_type, tuple(self.bases), self.self_register,
                self.owner, self.members,
            )
        )  # fmt: skip


Statement = Callable[["Extraction", "Node", Scope, Environment], Environment | None]
Expression = Callable[["Extraction", "Node", Scope, Environment], int]
STATEMENTS: dict[str, Statement] = {}
EXPRESSIONS: dict[str, Expression] = {}
# Handlers that declare what a block contains before its first statement runs.
HOISTED: dict[str, Callable[["Extraction", "Node", Scope, Environment], None]] = {}


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


def hoisted(*types: str) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Register a handler that runs when the block around the statement is entered."""

    def register(handler: Callable[..., None]) -> Callable[..., None]:
        HOISTED.update(dict.fromkeys(types, handler))
        return handler

    return register


class Extraction(Recorder):
    """Everything collected from one file."""

    def __init__(self, source: bytes, path: str, builtins: frozenset[str], *, test: bool) -> None:
        super().__init__(source, path)
        self.builtins = builtins
        self.is_test = test
        self.documented = False  # do comments declare types?
        self.scopes: list[Scope] = []
        self.pending: list[tuple[Scope, Node]] = []  # functions whose bodies are still to be read
        self.exports: dict[str, tuple[int, ...]] = {}
        self.definition_of: dict[int, Scope] = {}  # register of a function or class -> its scope
        self.export_list: list[tuple[str, Binding]] = []  # read when the file is finished
        self.elements: dict[int, dict[str, int]] = {}  # register of an object -> its named values
        self.required: dict[int, int] = {}  # register of `require(…)` -> index of its import
        self.promise_of: dict[int, int] = {}  # index of an executor -> register of its promise
        self.attribute_of: dict[int, str] = {}  # register of `this.x` -> "x"
        self.exported = NOTHING  # what `exports` and `module.exports` hold
        self.module = Scope(0, Kind.FILE, "", None)
        self.scopes.append(self.module)
        self.constructed: frozenset[str] = frozenset()  # names used as constructors of old style
        self._taken: dict[str, int] = {}
        self._early: list[tuple[Binding, Node, int]] = []
        self.signatures: set[int] = set()  # registers of function types
        self.type_values: dict[Binding, int] = {}  # aliases and type parameters -> instance

    # ---- names

    def declare(
        self, name: str, scope: Scope, *, fixed: bool, block: Block | None = None
    ) -> Binding:
        """Declare a value's name in a block; a second declaration is the same binding."""
        names = (block or scope.block).names
        binding = names.get(name)
        if binding is None:
            binding = names[name] = Binding(name, scope, fixed=fixed)
        elif not fixed:
            binding.fixed = False
        return binding

    def read(self, name: str, scope: Scope, env: Environment, node: "Node | None" = None) -> int:
        """The register of a name's value here; `node` is recorded as a reference."""
        binding = scope.block.find(name)
        if binding is None:  # files share no globals
            return NOTHING
        if node is not None:
            self.refer(binding, scope, node)
        return self.read_binding(binding, env)

    def read_binding(self, binding: Binding, env: Environment) -> int:
        versions = env.get(binding)
        if versions:
            return versions[0] if len(versions) == 1 else self.merge_versions(versions)
        return self.cell(binding)

    def cell(self, binding: Binding) -> int:
        """The register that collects all values of a binding."""
        if binding.cell >= 0:
            return binding.cell
        versions = tuple(binding.versions)
        final = binding.scope.final
        if final is not None and binding.scope.kind == Kind.FILE:
            versions = final.get(binding) or versions
        if binding.fixed and versions:
            return self.merge_versions(versions)
        cell = binding.cell = self.register()
        self.ops.extend((COPY, cell, version) for version in versions if version >= 0)
        return cell

    def assign(self, binding: Binding, register: int, env: Environment) -> None:
        """Give a binding a new value."""
        forget_paths(binding, env)
        env[binding] = (register,)
        if register not in binding.versions:
            binding.versions.append(register)
            final = binding.scope.final
            if final is not None and binding.cell < 0 and not binding.fixed:
                self.cell(binding)
            if register >= 0 and binding.cell not in (NOTHING, register):
                self.ops.append((COPY, binding.cell, register))

    def exports_register(self) -> int:
        """The object that `exports` and `module.exports` stand for at this point."""
        if self.exported < 0:
            self.exported = self.container([], RECORD)
        return self.exported

    def this(self, scope: Scope) -> int:
        """The register of `this`."""
        holder = scope
        while holder.arrow and holder.parent is not None:
            holder = holder.parent
        if holder.receiver >= 0:
            return holder.receiver
        if holder.kind == Kind.FILE:
            return NOTHING
        if holder.kind == Kind.CLASS:
            holder.self_register = self.instance(holder.register)
            return holder.self_register
        if holder.self_register < 0:
            holder.self_register = self.register()
            holder.flags |= IMPLICIT_SELF
            if holder.literal >= 0:
                self.ops.append((COPY, holder.self_register, holder.literal))
        return holder.self_register

    # ---- symbols

    def take(self, qualified: str) -> str:
        """A name inside the file that no other symbol has: `f`, then `f#2`."""
        count = self._taken[qualified] = self._taken.get(qualified, 0) + 1
        return qualified if count == 1 else f"{qualified}#{count}"

    def open_scope(
        self, kind: Kind, name: str, name_node: "Node", node: "Node", scope: Scope
    ) -> Scope:
        """A new definition inside `scope`."""
        inner = Scope(len(self.scopes), kind, name, scope)
        self.scopes.append(inner)
        inner.line, inner.column = name_node.start_point[0] + 1, name_node.start_point[1]
        inner.body_line = node.start_point[0] + 1
        inner.end_line = node.end_point[0] + 1
        inner.start_byte = node.start_byte
        return inner

    def name_scope(self, inner: Scope, prefix: str) -> None:
        inner.qualified = self.take(f"{prefix}.{inner.name}" if prefix else inner.name)
        inner.prefix = inner.qualified

    def add_variable(
        self, name: str, node: "Node", scope: Scope, *, prefix: str = "", instance: bool = False
    ) -> int:
        """The index of a new variable symbol, NOTHING when the name is a symbol already."""
        qualified = f"{prefix}.{name}" if prefix else name
        if qualified in self._taken:
            return NOTHING
        self._taken[qualified] = 1
        row, column = node.start_point
        end_line = (node.parent or node).end_point[0] + 1
        self.variables.append((name, scope.index, row + 1, column, end_line, int(instance)))
        return len(self.variables) - 1

    def refer(self, binding: Binding, scope: Scope, node: "Node") -> None:
        """Record a use of a name; what it stands for may be declared further down."""
        if not binding.targets:
            if not binding.versions:
                self._early.append((binding, node, scope.index))
            return
        for target, operand in binding.targets:
            self.add_reference(node, scope.index, target, operand)

    def refer_early(self) -> None:
        """Record the uses of names that came before their declarations."""
        for binding, node, scope in self._early:
            for target, operand in binding.targets:
                self.add_reference(node, scope, target, operand)

    def row(self, register: int, targets: list[tuple[int, int]]) -> tuple[int, ...]:
        """A binding row of exports or members."""
        flat = [register]
        for target in targets:
            flat.extend(target)
        return tuple(flat)

    # ---- reading code

    def value(self, node: "Node", scope: Scope, env: Environment) -> int:
        """The register of an expression's value."""
        handler = EXPRESSIONS.get(node.type)
        if handler is not None:
            return handler(self, node, scope, env)
        for child in node.named_children:
            self.value(child, scope, env)
        return NOTHING

    def hoist(self, children: list["Node"], scope: Scope, env: Environment) -> None:
        for child in children:
            handler = HOISTED.get(child.type)
            if handler is not None:
                handler(self, child, scope, env)

    def statements(
        self, children: list["Node"], scope: Scope, env: Environment
    ) -> Environment | None:
        """Read statements in order; None when the end cannot be reached."""
        self.hoist(children, scope, env)
        ended = False
        for child in children:
            handler = STATEMENTS.get(child.type)
            if handler is None:
                continue
            try:
                after = handler(self, child, scope, env)
            except RecursionError:  # a statement nested a thousand levels deep is skipped
                continue
            if after is None:  # what follows is dead, but its names are still worth reading
                ended = True
                env = dict(env)
            else:
                env = after
        return None if ended else env

    def inner_block(
        self, children: list["Node"], scope: Scope, env: Environment
    ) -> Environment | None:
        """Read statements between braces; what they declare ends there."""
        outer = scope.block
        scope.block = Block(outer)
        try:
            return self.statements(children, scope, env)
        finally:
            scope.block = outer

    def declared_value(self, declared: int, value: int) -> int:
        """A function type says what comes back, not which function it is."""
        if declared in self.signatures:
            return self.union(declared, value)
        return super().declared_value(declared, value)

    def _return_functions(self) -> None:
        """What is declared to return a function type returns the functions it returns, too."""
        for scope in self.scopes:
            if scope.return_type in self.signatures:
                returned = [each for each in scope.returns if type(each) is int and each >= 0]
                scope.return_type = self.merge_versions((scope.return_type, *returned))

    def facts(self, language: str) -> FileFacts:
        self.refer_early()
        self._return_functions()
        facts = self.recorded(language)
        facts["definitions"] = [scope.row() for scope in self.scopes]
        facts["exports"] = self.exports
        return facts


def forget_paths(root: Any, env: Environment) -> None:
    """A new value of `root` makes what was known of `root.x` void."""
    for path in env.pop((root, "!"), ()):
        env.pop((root, path), None)


def set_path(root: Any, path: str, register: int, env: Environment) -> None:
    """`path` below `root` now holds `register`; what was known below it is void."""
    listed = env.get((root, "!"), ())
    for other in listed:
        if other.startswith(path) and other != path:
            env.pop((root, other), None)
    env[root, path] = (register,)
    if path not in listed:
        env[root, "!"] = (*listed, path)


def merge(left: Environment | None, right: Environment | None) -> Environment | None:
    """What holds after either of two ways; None is a way that does not arrive."""
    if left is None or left is right:
        return right
    if right is None:
        return left
    merged: Environment = {}
    for key, versions in left.items():
        others = right.get(key)
        if others == versions:
            merged[key] = versions
        elif others is None:
            if type(key) is not tuple or key[1] == "!":
                merged[key] = versions
        else:
            both = versions + tuple(other for other in others if other not in versions)
            listed = type(key) is tuple and key[1] == "!"
            merged[key] = both if listed else both[:MAX_VERSIONS]
    for key, versions in right.items():
        if key not in left and (type(key) is not tuple or key[1] == "!"):
            merged[key] = versions
    return merged
