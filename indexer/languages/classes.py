"""What languages whose code lives in classes share: who holds a name, what a call names.

Functions outside of classes belong to a class without a symbol, one for each package (`PACKAGE`): its
parts in all files are one, so overloads are chosen among them like among methods. A function that
extends a type is listed there under `.name`, its receiver's type as the first of its types, and
added to the class it extends where that is part of the project.
"""

from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING

from agrama.graph.model import Kind
from agrama.indexer.facts import (
    ANONYMOUS,
    CALL,
    COPY,
    DEF,
    ELSE,
    EXTENSION,
    FORM_CALL,
    FORM_IMPLICIT,
    FORM_NAMED,
    FORM_NEW,
    IMPORT,
    NOTHING,
    PARTIAL,
    SUPER,
    TO_DEFINITION,
    TO_IMPORT,
    TO_VARIABLE,
    Import,
)
from agrama.indexer.languages.typed import Block, Environment, Extraction, Scope

if TYPE_CHECKING:
    from tree_sitter import Node  # noqa: TID251 - a type only

# Methods of a Java class that find a method by its name.
REFLECTION = frozenset(("getMethod", "getDeclaredMethod"))
CONSTRUCTOR = "<init>"
PACKAGE = "<package>"
UNKNOWN = "?"


class ClassExtraction(Extraction):
    """A file of such a language. `imported` maps a simple name to its register and import row."""

    library: frozenset[str] = frozenset()  # classes that every file sees and the project lacks
    signed = True  # are members listed by signature too?
    invoke = ""  # the method of a function value that calls it
    common: frozenset[str] = frozenset()  # methods of the library that any value may have
    extends_implicitly = False  # does `f()` call an extension on `this`?
    nested_calls = False  # may `Outer.Inner()` construct?

    def __init__(self, source: bytes, path: str, root: "Node") -> None:
        super().__init__(source, path, root)
        self.root = root
        self.imported: dict[str, tuple[int, int]] = {}
        self.static_imported: dict[str, int] = {}  # method or field -> register of its class
        self.static_stars: list[int] = []  # classes all of whose static members are imported
        self.functions: dict[str, tuple[int, str]] = {}  # imported function -> package, its name
        self.classes: dict[str, Scope] = {}  # simple name -> class of this file
        self.headers: list[Callable[[], None]] = []  # first types, then signatures, then bodies
        self.signatures: list[Callable[[], None]] = []
        self.bodies: list[Callable[[], object]] = []
        self.extending: set[str] = set()  # functions of classes that extend a type
        self.extending_methods: set[int] = set()  # their scopes
        self.loose: Scope | None = None  # holds the functions outside of classes
        self._packages: dict[str, int] = {}
        self._stars: list[int] = []
        self._visible: int | None = None
        self._extensions: dict[int, Scope] = {}

    # ---- declarations

    def read_declarations(self, *, later: bool = False) -> None:
        """Types and signatures of what was declared; bodies too, or when the code around is read."""
        while self.headers or self.signatures:
            for queue in (self.headers, self.signatures):
                waiting, queue[:] = queue[:], []
                for read in waiting:
                    read()
        bodies, self.bodies = self.bodies, []

        def read_bodies() -> None:
            for body in bodies:
                self.guard(body)

        if later:
            self.defer(read_bodies)
        else:
            read_bodies()

    def hidden_class(self, name: str, node: "Node", parent: Scope, flags: int) -> Scope:
        """A class without a symbol."""
        scope = Scope(len(self.scopes), Kind.CLASS, name, parent)
        self.scopes.append(scope)
        scope.flags = ANONYMOUS | flags
        scope.qualified = name
        scope.line, scope.end_line = node.start_point[0] + 1, node.end_point[0] + 1
        scope.start_byte = node.start_byte
        scope.register = self.register()
        self.emit(DEF, scope.register, scope.index)
        return scope

    def define_anonymous(
        self, node: "Node", body: "Node", bases: Iterable[int], block: Block
    ) -> Scope:
        """The class of an expression: its members belong to the symbol around it."""
        count = self.file.counts["<class>"] = self.file.counts.get("<class>", 0) + 1
        scope = self.hidden_class("<anonymous>", node, block.scope, 0)
        scope.qualified = f"<class{count}>"
        scope.start_byte = body.start_byte
        scope.bases.extend(base for base in bases if base >= 0)
        return scope

    def open_package(self, root: "Node") -> Scope:
        """The class that holds the functions of this file's package."""
        if self.loose is None:
            self.loose = self.hidden_class(PACKAGE, root, self.file, PARTIAL)
            self.exports[PACKAGE] = (self.loose.register,)
        return self.loose

    def extension_of(self, cls: int, node: "Node") -> Scope:
        """The class without a symbol that adds members to the class in a register."""
        found = self._extensions.get(cls)
        if found is None:
            found = self.hidden_class(
                f"<extension{len(self._extensions)}>", node, self.file, EXTENSION
            )
            found.bases.append(cls)
            self._extensions[cls] = found
        return found

    def sign_method(self, owner: Scope, name: str, types: Iterable[str], method: Scope) -> None:
        row = (method.register, TO_DEFINITION, method.index)
        owner.members.setdefault(f"{name}({','.join(types)})", row)

    def add_field(
        self, scope: Scope, name: "Node | None", node: "Node", type_name: str = ""
    ) -> None:
        if name is None:
            return
        text = self.text(name)
        if type_name:
            scope.type_names[text] = type_name
        if text in scope.members:
            return
        if scope.flags & ANONYMOUS and not scope.flags & PARTIAL:
            scope.members[text] = (NOTHING,)
        else:
            symbol = self.file if scope is self.loose else scope
            index = self.add_variable(text, symbol, name, node)
            scope.members[text] = (NOTHING, TO_VARIABLE, index)

    def type_field(self, scope: Scope, name: str, register: int) -> None:
        """What a field holds; a method of its name is called by its signature only."""
        row = scope.members.get(name)
        if row is None or register < 0:
            return
        if row[0] < 0 or (self.signed and TO_VARIABLE in row[1::2] and TO_DEFINITION in row[1::2]):
            scope.members[name] = (register, *row[1:])

    def class_of_instance(self, register: int) -> int:
        """The class whose declared instance a register is."""
        return self._classes.get(register, NOTHING)

    # ---- imports

    def import_class(self, module: str, name: str, place: "Node | None" = None) -> int:
        """A class by its package; without a place it was not imported but named in full."""
        row, column = place.start_point if place is not None else (-1, 0)
        index = len(self.imports)
        self.imports.append(
            tuple(Import(module, 0, name, 0, 0, row + 1, column, row + 1, column, 0))
        )
        register = self.register()
        self.emit(IMPORT, register, index)
        return register

    def import_star(self, module: str, place: "Node | None" = None, *, level: int = 0) -> None:
        row, column = place.start_point if place is not None else (-1, 0)
        self.imports.append(tuple(Import(module, level, "*", 0, 0, row + 1, column, 0, 0, 0)))

    def package_class(self, module: str) -> int:
        """The class that holds the functions of a package."""
        found = self._packages.get(module)
        if found is None:
            found = self._packages[module] = self.import_class(module, PACKAGE)
        return found

    def see_package(self, module: str) -> None:
        """Functions of a package are in sight without their package's name."""
        self._stars.append(self.package_class(module))

    def see_extensions(self, module: str) -> None:
        """A name imported from a package: others of the package do no harm."""
        register = self.package_class(module)
        if register not in self._stars:
            self._stars.append(register)

    def visible(self) -> int:
        """The functions of all packages in sight."""
        if self._visible is None:
            own = (self.loose.register,) if self.loose is not None else ()
            self._visible = (
                self.merge_versions((*own, *self._stars)) if own or self._stars else NOTHING
            )
        return self._visible

    def signature(self, name: str, types: Iterable[str]) -> str:
        return f"{name}({','.join(types)})" if self.signed else name


# ---- who holds a name


def class_around(block: Block) -> Scope | None:
    """The innermost class."""
    scope: Scope | None = block.scope
    while scope is not None and not scope.is_class:
        scope = scope.parent
    return scope


def this_of(x: ClassExtraction, block: Block, cls: Scope | None = None) -> int:
    """`this`: that of the method around, or an instance of an outer class."""
    scope: Scope | None = block.scope
    while scope is not None and not scope.is_class:
        if scope.self_register >= 0 and (cls is None or scope.owner is cls):
            return scope.self_register
        scope = scope.parent
    cls = cls or scope
    return NOTHING if cls is None else x.instance(cls.register)


def super_of(x: ClassExtraction, block: Block) -> int:
    cls = class_around(block)
    if cls is None:
        return NOTHING
    register = x.register()
    x.emit(SUPER, register, cls.index)
    return register


def holder(block: Block, name: str) -> tuple[str, Scope | None]:
    """Where a simple name is bound: "local", or the class that declares or may inherit it."""
    inherits: Scope | None = None
    current: Block | None = block
    seen: Scope | None = None
    while current is not None:
        if name in current.names:
            return "local", None
        scope = current.scope
        if scope.is_class and scope is not seen:
            seen = scope
            if name in scope.members:
                return "member", scope
            if scope.bases and inherits is None:
                inherits = scope
        current = current.outer
    return ("inherited", inherits) if inherits is not None else ("", None)


def member(x: ClassExtraction, base: int, name: str, node: "Node", block: Block) -> int:
    if base < 0 or not name:
        return NOTHING
    x.refer_attribute(node, base, name, block.scope.index)
    return x.attribute(base, name)


def implicit_target(x: ClassExtraction, name: str, block: Block) -> int:
    """Whose method a simple name calls: the class that has it, else one that may inherit it."""
    current: Block | None = block
    inherits = NOTHING
    seen: Scope | None = None
    while current is not None:
        scope = current.scope
        if scope is not seen:
            seen = scope
            if scope.is_class:
                if name in scope.members:
                    return x.union(inherits, this_of(x, block, scope))
                if scope.bases or scope.flags & PARTIAL:
                    inherits = x.union(inherits, this_of(x, block, scope))
            elif scope.self_register >= 0 and (
                scope.owner is None
                or scope.owner.flags & EXTENSION
                or scope.index in x.extending_methods
            ):
                inherits = x.union(inherits, scope.self_register)
        current = current.outer
    if name in x.static_imported:
        return x.static_imported[name]
    for register in x.static_stars:
        inherits = x.union(inherits, register)
    return inherits


def find_parameter(block: Block, name: str) -> int | None:
    """The bound of a type parameter in sight."""
    scope: Scope | None = block.scope
    while scope is not None:
        if name in scope.types:
            return scope.types[name]
        scope = scope.parent
    return None


def inherited_class(x: ClassExtraction, name: str, node: "Node | None", block: Block) -> int:
    """A class nested in an ancestor of a class around."""
    found = NOTHING
    scope: Scope | None = block.scope
    while scope is not None:
        if scope.is_class and scope.bases:
            if node is not None:
                x.refer_attribute(node, scope.register, name, block.scope.index)
            found = x.union(found, x.attribute(scope.register, name))
        scope = scope.parent
    return found


def named_class(x: ClassExtraction, name: str, node: "Node | None", block: Block) -> int:
    """The register of the class that a simple name stands for."""
    if find_parameter(block, name) is not None:
        return NOTHING
    local = block.find_type(name)
    if local is not None:
        if node is not None:
            x.add_reference(node, block.scope.index, TO_DEFINITION, local.index)
        return local.register
    if name not in x.exports:
        found = x.imported.get(name)
        if found is not None:
            if node is not None:
                x.add_reference(node, block.scope.index, TO_IMPORT, found[1])
            return found[0]
        if name in x.library:
            return NOTHING
        return x.union(inherited_class(x, name, node, block), x.read_free(name, node, block.scope))
    return x.read_free(name, node, block.scope)


# ---- calls


def emit_call(
    x: ClassExtraction,
    callee: int,
    arguments: tuple[int, ...],
    node: "Node",
    block: Block,
    form: int = FORM_CALL,
) -> int:
    register = x.register()
    row, column = node.start_point
    x.emit(CALL, register, callee, arguments, (), row + 1, column, block.scope.index, form)
    return register


def construct(
    x: ClassExtraction,
    register: int,
    signature: str,
    arguments: tuple[int, ...],
    name: "Node",
    block: Block,
) -> int:
    """Two calls at one place, of the class and of the constructor it has."""
    if register < 0:
        return NOTHING
    constructor = x.attribute(register, signature)
    emit_call(x, constructor, arguments, name, block, FORM_IMPLICIT)
    return emit_call(x, register, arguments, name, block, FORM_NEW)


class Given:
    """The arguments of a call: registers, and types as written."""

    __slots__ = ("types", "values")

    def __init__(self, values: tuple[int, ...] = (), types: tuple[str, ...] = ()) -> None:
        self.values = values
        self.types = types


def call_member(
    x: ClassExtraction, base: int, owner: str, name: "Node", given: Given, block: Block
) -> int:
    """`base.name(…)`: a method, else a function in sight that extends the type `owner`."""
    text = x.text(name)
    if not text:  # a parser puts a name where one is missing
        return NOTHING
    callee = x.attribute(base, x.signature(text, given.types)) if base >= 0 else NOTHING
    if text == x.invoke:
        callee = x.union(callee, base)
    elif not (owner.endswith(UNKNOWN) and text in x.common):
        wanted = x.signature(f".{text}", (owner, *given.types))
        for extending in _extending(x, text, block):
            callee = either(x, callee, x.attribute(extending, wanted))
    if x.nested_calls and base >= 0 and text[:1].isupper():
        callee = either(x, callee, _call_nested(x, base, name, given, block))
    if callee < 0:
        return NOTHING
    return emit_call(x, callee, given.values, name, block)


def _extending(x: ClassExtraction, name: str, block: Block) -> Iterator[int]:
    """Who may have a function of this name that extends a type, the nearest first."""
    if name in x.extending:
        target = implicit_target(x, f".{name}", block)
        if target >= 0:
            yield target
    if name in x.static_imported:
        yield x.static_imported[name]
    if x.visible() >= 0:
        yield x.visible()


def _call_nested(x: ClassExtraction, base: int, name: "Node", given: Given, block: Block) -> int:
    """`Outer.Inner(…)`: the class, whose constructor runs too."""
    cls = x.attribute(base, x.text(name))
    x.refer_attribute(name, base, x.text(name), block.scope.index)
    _run_constructor(x, cls, name, given, block)
    return cls


def _run_constructor(
    x: ClassExtraction, cls: int, name: "Node", given: Given, block: Block
) -> None:
    constructor = x.attribute(cls, x.signature(CONSTRUCTOR, given.types))
    emit_call(x, constructor, given.values, name, block, FORM_IMPLICIT)


def call_class(x: ClassExtraction, cls: int, name: "Node", given: Given, block: Block) -> int:
    """The class in a register is called by its name, and so is the constructor that fits."""
    _run_constructor(x, cls, name, given, block)
    return emit_call(x, cls, given.values, name, block)


def call_named(x: ClassExtraction, base: int, wanted: str, place: "Node", block: Block) -> None:
    """A method that a literal names; a base of which nothing is known is told by NOTHING."""
    if wanted.isidentifier():
        known = base if base >= 0 else x.register()
        emit_call(x, x.attribute(known, wanted), (), place, block, FORM_NAMED)


def either(x: ClassExtraction, first: int, second: int) -> int:
    """The second where the first yields nothing."""
    if first < 0 or second < 0:
        return max(first, second)
    register = x.register()
    x.emit(COPY, register, first)
    x.emit(ELSE, register, second, first)
    return register


def call_name(
    x: ClassExtraction,
    name: "Node",
    given: Given,
    block: Block,
    env: Environment,
    *,
    classes: bool = True,
) -> int:
    """`name(…)`: a local, a method of a class around, a function in sight, or a class."""
    text = x.text(name)
    if not text:
        return NOTHING
    local = block.find(text)
    if local is not None:
        value = x.read_local(local, block, env)
        return emit_call(x, value, given.values, name, block) if value >= 0 else NOTHING
    signature = x.signature(text, given.types)
    target = implicit_target(x, text, block)
    callee = x.attribute(target, signature) if target >= 0 else NOTHING
    how, owner = holder(block, text)
    own = how == "member" and not (owner is not None and _is_class(x, owner, text))
    if own and owner is not None and TO_DEFINITION not in owner.members[text][1::2]:
        callee = member(x, target, text, name, block)  # a field that holds a function
    if not own:
        callee = either(x, callee, call_free(x, text, signature, given))
    if classes and not own and text not in x.static_imported and text[:1].isupper():
        cls = named_class(x, text, name, block)
        if cls >= 0:
            _run_constructor(x, cls, name, given, block)
        callee = x.union(callee, cls)
    return emit_call(x, callee, given.values, name, block) if callee >= 0 else NOTHING


def _is_class(x: ClassExtraction, owner: Scope, name: str) -> bool:
    """Is a member a nested class? It may have functions of its name beside it."""
    row = owner.members[name]
    return len(row) == 3 and row[1] == TO_DEFINITION and x.scopes[row[2]].is_class


def call_free(x: ClassExtraction, name: str, signature: str, given: Given) -> int:
    """The function outside of classes that a name stands for."""
    found = x.functions.get(name)
    if found is not None:
        callee = x.attribute(found[0], x.signature(found[1], given.types))
        if not x.extends_implicitly:
            return callee
        wanted = x.signature(f".{found[1]}", (UNKNOWN, *given.types))
        return either(x, callee, x.attribute(found[0], wanted))
    visible = x.visible()
    if visible < 0:
        return NOTHING
    callee = x.attribute(visible, signature)
    if x.extends_implicitly:
        wanted = x.signature(f".{name}", (UNKNOWN, *given.types))
        callee = either(x, callee, x.attribute(visible, wanted))
    return callee


def read_name(x: ClassExtraction, node: "Node", block: Block, env: Environment) -> int:
    """A simple name as a value."""
    name = x.text(node)
    how, owner = holder(block, name)
    if how == "local":
        local = block.find(name)
        return NOTHING if local is None else x.read_local(local, block, env)
    if how == "member" and owner is not None:
        return member(x, this_of(x, block, owner), name, node, block)
    if name in x.static_imported:
        return member(x, x.static_imported[name], name, node, block)
    if name in x.functions and not name[:1].isupper():
        return member(x, x.functions[name][0], x.functions[name][1], node, block)
    target = implicit_target(x, name, block)
    found = member(x, target, name, node, block) if target >= 0 else NOTHING
    if x.visible() >= 0:
        found = either(x, found, member(x, x.visible(), name, node, block))
    if name[:1].isupper():
        found = x.union(found, named_class(x, name, node, block))
    return found
