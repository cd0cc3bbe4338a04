"""What front ends of dynamic languages share: names of the whole program, calls, branches as values.

In Ruby, PHP, Elixir and Perl a class or module has one full name in the whole program. A file lists
the names it declares in `package`; a use is an import of the first name that exists, `A::B|B`.
Environments are changed in place, for in Ruby every construct is an expression.
"""

from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any

from agrama.graph.model import Kind
from agrama.indexer.facts import (
    CALL,
    FORM_CALL,
    IMPORT,
    NOTHING,
    RETURNS_SELF,
    TO_IMPORT,
    FileFacts,
    Import,
    Variable,
)
from agrama.indexer.languages.language import Sources
from agrama.indexer.languages.typed import Block, Environment, Extraction, Local, Scope, merge_all

if TYPE_CHECKING:
    from tree_sitter import Node  # noqa: TID251 - a type only

NAMED = ":"
"""First letter of an import's module that is a list of full names, not a path."""
_SEPARATOR = "\n"
# More files than this share a namespace, not a thing: one of them links them all.
_MOST_FILES = 20

Way = Callable[[Environment], int]
# In an environment: this way does not arrive.
ENDED = Local(Scope(0, Kind.FILE, "", None))


class NamedModules:
    """Full names to the files that declare them. Languages add how they find paths."""

    def __init__(self, sources: Sources) -> None:
        self.paths = sources.paths
        self._files: dict[str, list[str]] = {}
        self._found: dict[tuple[str, str], tuple[str, ...]] = {}
        for path in sorted(sources.packages):
            for name in sources.packages[path].split(_SEPARATOR):
                self._files.setdefault(name, []).append(path)

    def find(self, module: str, level: int, path: str) -> tuple[str, ...]:
        if module[:1] != NAMED:
            return self.find_path(module, level, path)
        key = (module, path.rpartition("/")[0])
        found = self._found.get(key)
        if found is None:
            found = self._found[key] = self._find_named(module[1:], path)
        return found

    def _find_named(self, names: str, path: str) -> tuple[str, ...]:
        """The nearest file first."""
        for name in names.split("|"):
            files = self._files.get(name)
            if files is not None and len(files) > _MOST_FILES:
                return (files[0],)
            if files is not None:
                return tuple(sorted(files, key=lambda file: -_closeness(file, path)))
        return ()

    def find_path(self, module: str, level: int, path: str) -> tuple[str, ...]:
        return ()

    def member(self, path: str, name: str) -> str | None:
        return None


def _closeness(left: str, right: str) -> int:
    """How many directories two paths share."""
    count = 0
    for a, b in zip(left.split("/")[:-1], right.split("/")[:-1], strict=False):
        if a != b:
            break
        count += 1
    return count


def join_path(directory: str, relative: str) -> str | None:
    """A path below the root, None when it leads out of it."""
    parts = directory.split("/") if directory else []
    for part in relative.split("/"):
        if part == ".." and not parts:
            return None
        if part == "..":
            parts.pop()
        elif part not in ("", "."):
            parts.append(part)
    return "/".join(parts)


class DynamicExtraction(Extraction):
    """The extraction of a dynamic language."""

    def __init__(self, source: bytes, path: str, root: "Node") -> None:
        super().__init__(source, path, root)
        self.declared: dict[str, None] = {}  # full names that this file declares
        self.bodies: list[Callable[[], object]] = []
        self._named: dict[str, tuple[int, int]] = {}

    # ---- names

    def full_name(self, names: Sequence[str], node: "Node | None", scope: Scope) -> int:
        """The register of the first of some full names that the program declares."""
        joined = "|".join(names)
        found = self._named.get(joined)
        if found is None:
            index = len(self.imports)
            row = Import(NAMED + joined, 0, joined, 0, 0, 0, 0, 0, 0, 0)
            self.imports.append(tuple(row))
            found = self._named[joined] = (self.register(), index)
            self.emit(IMPORT, found[0], index)
        if node is not None:
            self.add_reference(node, scope.index, TO_IMPORT, found[1])
        return found[0]

    def import_name(self, name: str, node: "Node", scope: Scope) -> None:
        """A statement that names a class, function or module: it imports the file."""
        row, column = node.start_point
        self.add_reference(node, scope.index, TO_IMPORT, len(self.imports))
        self.imports.append(
            tuple(Import(NAMED + name, 0, name, 0, scope.index, row + 1, column, 0, 0, 0))
        )

    def export_name(self, name: str, register: int, target: int, index: int) -> None:
        self.declared[name] = None
        self.exports.setdefault(name, (register, target, index))

    def import_path(self, module: str, level: int, node: "Node", scope: Scope) -> int:
        """A file that a statement names; returns the index of its row."""
        row, column = node.start_point
        self.imports.append(
            tuple(Import(module, level, None, 0, scope.index, row + 1, column, 0, 0, 0))
        )
        return len(self.imports) - 1

    def add_attribute(self, name: str, owner: Scope, node: "Node") -> None:
        """The symbol of an attribute of instances, where it is first assigned."""
        if name not in owner.variables:
            row, column = node.start_point
            self.variables.append(tuple(Variable(name, owner.index, row + 1, column, row + 1, 1)))
            owner.variables[name] = len(self.variables) - 1

    def add_constant(self, name: str, owner: Scope, node: "Node", whole: "Node") -> int:
        found = owner.variables.get(name)
        return self.add_variable(name, owner, node, whole) if found is None else found

    # ---- calls

    def call(
        self,
        callee: int,
        arguments: Iterable[int],
        node: "Node",
        block: Block,
        form: int = FORM_CALL,
        keywords: Iterable[tuple[str, int]] = (),
    ) -> int:
        """Call what is in a register; `node` is the name that is called."""
        if callee < 0:
            return NOTHING
        register = self.register()
        row, column = node.start_point
        given = tuple(pair for pair in keywords if pair[1] >= 0)
        self.ops.append(
            (CALL, register, callee, tuple(arguments), given, row + 1, column,
             block.scope.index, form)
        )  # fmt: skip
        return register

    def call_method(
        self,
        base: int,
        name: str,
        arguments: Iterable[int],
        node: "Node",
        block: Block,
        form: int = FORM_CALL,
        keywords: Iterable[tuple[str, int]] = (),
    ) -> int:
        if base < 0:
            return NOTHING
        self.refer_attribute(node, base, name, block.scope.index)
        return self.call(self.attribute(base, name), arguments, node, block, form, keywords)

    # ---- ways through the code

    def branch(self, env: Environment, ways: Iterable[Way]) -> int:
        """Read several ways from here; what holds after any of them holds afterwards."""
        value = NOTHING
        ends: list[Environment] = []
        for read in ways:
            own = dict(env)
            result = read(own)
            if ENDED not in own:
                value = self.union(value, result)
            ends.append(own)
        arriving = [end for end in ends if ENDED not in end]
        after = merge_all(arriving or ends[:1])
        if after is not None:
            replace(env, after)
        return value

    def repeat(
        self, node: "Node", block: Block, env: Environment, read: Callable[[Environment], Any]
    ) -> None:
        """A loop; a way that ends in it does not end what follows."""

        def once(start: Environment) -> Environment:
            read(start)
            start.pop(ENDED, None)
            return start

        replace(env, self.loop(node, block, env, once))

    def add_return(self, scope: Scope, value: int) -> None:
        """What a function returns; its own receiver and parameters are told apart by call."""
        if value < 0:
            return
        if value == scope.self_register:
            scope.flags |= RETURNS_SELF
            return
        for position, parameter in enumerate(scope.parameters):
            if parameter[1] == value and parameter[3] == 0 and parameter[2] == 0:
                scope.returns.append(-2 - position)
                return
        scope.returns.append(value)

    def read_bodies(self) -> None:
        """Bodies of functions, each with the depth of the whole stack."""
        at = 0
        while at < len(self.bodies):
            self.guard(self.bodies[at])
            at += 1

    def facts(self) -> FileFacts:
        facts = super().facts()
        facts["package"] = _SEPARATOR.join(self.declared) if self.declared else None
        return facts


def replace(env: Environment, after: Environment) -> None:
    if after is not env:
        after = dict(after)
        env.clear()
        env.update(after)


def ended(env: Environment) -> None:
    env[ENDED] = (NOTHING,)


def class_around(block: Block) -> Scope | None:
    scope: Scope | None = block.scope
    while scope is not None and scope.kind not in (Kind.CLASS, Kind.MODULE):
        scope = scope.parent
    return scope


def function_around(block: Block) -> Scope | None:
    """The function with a symbol, around any closures."""
    scope: Scope | None = block.scope
    while scope is not None and scope.name == "<lambda>":
        scope = scope.parent
    return scope if scope is not None and scope.kind != Kind.FILE else None


def read_last(x: DynamicExtraction, node: "Node", block: Block, env: Environment) -> int:
    """Read all parts; the last one is the value."""
    value = NOTHING
    for child in node.named_children:
        value = x.value(child, block, env)
    return value


def left_spine(node: "Node", kind: str) -> tuple["Node | None", list["Node"]]:
    """`a + b + c` as its first operand and the operations from left to right.

    Not by recursion: generated code joins thousands of strings.
    """
    spine: list[Node] = []
    first: Node | None = node
    while first is not None and first.type == kind:
        spine.append(first)
        first = first.child_by_field_name("left")
    return first, spine[::-1]
