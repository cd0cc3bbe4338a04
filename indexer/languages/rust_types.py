"""Rust types and paths: which module, type or function does a path name?

A type yields the register of a value of it, `NOTHING` when flow must decide, `OUTSIDE` for
primitives. References and smart pointers stand for what they point to.
"""

from typing import TYPE_CHECKING

from agrama.graph.model import Kind
from agrama.indexer.facts import (
    EXTENSION,
    IMPORT,
    KEYS,
    MAPPING,
    NOTHING,
    OUTSIDE,
    TO_DEFINITION,
    TO_IMPORT,
    Import,
)
from agrama.indexer.languages.typed import Block, Extraction, Scope

if TYPE_CHECKING:
    from tree_sitter import Node  # noqa: TID251 - a type only

SEQUENCES = frozenset(
    (
        "Option", "Result", "Vec", "VecDeque", "HashSet", "BTreeSet", "BinaryHeap", "LinkedList",
        "Iter", "IntoIter", "Receiver", "Sender", "Iterator", "IntoIterator", "JoinHandle",
    )
)  # fmt: skip
MAPPINGS = frozenset(("HashMap", "BTreeMap", "IndexMap"))
# Types that stand for their last argument as far as members go.
THROUGH = frozenset(
    (
        "Arc", "Box", "Cell", "Cow", "Mutex", "MutexGuard", "NonNull", "OnceCell", "Pin", "Rc", "Ref",
        "RefCell", "RefMut", "RwLock", "Weak",
    )
)  # fmt: skip
# As a module: all files of the crate; a macro is in sight wherever it is defined.
WHOLE_CRATE = "crate!"
ROOTS = frozenset(("crate", "self", "super"))
_NO_CRATES = frozenset(("self", "super", "std", "core", "alloc"))
_PATHS = frozenset(("scoped_identifier", "scoped_type_identifier"))
_WRAPPERS = frozenset(
    ("reference_type", "pointer_type", "dynamic_type", "abstract_type", "trait_bounds")
)


class RustExtraction(Extraction):
    """A Rust file. `used` maps the names that `use` binds to registers and import rows."""

    language = "rust"

    def __init__(self, source: bytes, path: str, root: "Node") -> None:
        super().__init__(source, path, root)
        self.used: dict[str, tuple[int, int]] = {}
        self.extensions: dict[str, Scope] = {}
        self._paths: dict[tuple[str, str], tuple[int, int]] = {}
        self.items: frozenset[str] = frozenset()  # node types of declarations

    def declare_items(self, nodes: "list[Node]", block: Block) -> None:
        """Declarations inside a function; see rust_declarations."""
        raise NotImplementedError

    def import_name(self, module: str, name: str | None, place: "Node | None") -> tuple[int, int]:
        """An import row and its register; without a place the path was written in code."""
        known = self._paths.get((module, name or "")) if place is None else None
        if known is not None:
            return known
        row, column = place.start_point if place is not None else (-1, 0)
        index = len(self.imports)
        self.imports.append(
            tuple(Import(module, 0, name, 0, 0, row + 1, column, row + 1, column, 0))
        )
        register = self.register()
        self.emit(IMPORT, register, index)
        if place is None:
            self._paths[module, name or ""] = (register, index)
        return register, index


def import_path(
    x: RustExtraction, names: list[str], at: int, place: "Node | None"
) -> tuple[int, int]:
    """`crate::a::b::T` up to T: by the files of its modules, and by what the root re-exports."""
    register, index = x.import_name(".".join(names[:at]), names[at], place)
    if at > 1 and names[0] not in _NO_CRATES:
        other = x.import_name(names[0], names[1], None)[0]
        for name in names[2 : at + 1]:
            other = x.attribute(other, name)
        register = x.union(register, other)
    return register, index


def segments_of(x: RustExtraction, node: "Node") -> list["Node"]:
    """The names of a path, generic arguments left out."""
    parts: list[Node] = []
    current: Node | None = node
    while current is not None and current.type in _PATHS:
        name = current.child_by_field_name("name")
        if name is not None:
            parts.append(name)
        current = current.child_by_field_name("path")
        if current is not None and current.type in ("generic_type", "bracketed_type"):
            current = current.child_by_field_name("type") or current.named_children[0]
        if current is not None and current.type == "qualified_type":
            current = current.child_by_field_name("type")
    if current is not None:
        parts.append(current)
    return parts[::-1]


def read_path(x: RustExtraction, parts: list["Node"], block: Block) -> int:
    """The register of what a path names; its last names are references."""
    names = [x.text(part) for part in parts]
    if not parts:
        return NOTHING
    at = 1
    if names[0] in ROOTS:
        register, at = _read_rooted(x, parts, names, block)
    else:
        register = read_name(x, names[0], parts[0], block, is_prefix=len(parts) > 1)
        if register < 0 and len(parts) > 1 and names[0][:1].islower():
            upper = (i for i, name in enumerate(names) if name[:1].isupper())
            last = next(upper, len(names) - 1)
            register, index = import_path(x, names, last, None)
            x.add_reference(parts[last], block.scope.index, TO_IMPORT, index)
            at = last + 1
    for part, name in zip(parts[at:], names[at:], strict=True):
        if register < 0:
            return NOTHING
        x.refer_attribute(part, register, name, block.scope.index)
        register = x.attribute(register, name)
    return register


def _read_rooted(
    x: RustExtraction, parts: list["Node"], names: list[str], block: Block
) -> tuple[int, int]:
    """`crate::a::T::f`: modules up to the first type, then its members."""
    at = next((i for i, name in enumerate(names) if name[:1].isupper()), len(names) - 1)
    if names[0] == "self" and at == 1:
        own = x.exports.get(names[1])
        if own is not None:
            return x.read_free(names[1], parts[1], block.scope), 2
    register, index = import_path(x, names, at, None)
    x.add_reference(parts[at], block.scope.index, TO_IMPORT, index)
    return register, at + 1


def read_name(
    x: RustExtraction, name: str, node: "Node | None", block: Block, *, is_prefix: bool = False
) -> int:
    """A type, function, module or constant by its simple name."""
    if name == "Self":
        owner = owner_of(block.scope)
        return NOTHING if owner is None else class_register(owner)
    local = block.find_type(name)
    if local is not None:
        if node is not None:
            x.add_reference(node, block.scope.index, TO_DEFINITION, local.index)
        return local.register
    if name in x.exports:
        return x.read_free(name, node, block.scope)
    found = x.used.get(name)
    if found is not None:
        if node is not None and found[1] >= 0:
            x.add_reference(node, block.scope.index, TO_IMPORT, found[1])
        return found[0]
    if name in SEQUENCES or name in MAPPINGS or name in THROUGH or name == "String":
        return NOTHING
    if is_prefix and name[:1].islower():
        return NOTHING
    return x.read_free(name, node, block.scope)


def owner_of(scope: Scope | None) -> Scope | None:
    while scope is not None:
        if scope.owner is not None:
            return scope.owner
        if scope.kind == Kind.CLASS:
            return scope
        scope = scope.parent
    return None


def class_register(owner: Scope) -> int:
    """The class itself, also where another file declares it."""
    return owner.bases[0] if owner.flags & EXTENSION and owner.bases else owner.register


def find_parameter(scope: Scope | None, name: str) -> int | None:
    """The bound of a type parameter in sight."""
    while scope is not None:
        if name in scope.types:
            return scope.types[name]
        if scope.owner is not None and name in scope.owner.types:
            return scope.owner.types[name]
        scope = scope.parent
    return None


def class_of(x: RustExtraction, node: "Node | None", block: Block) -> int:
    """The register of the class that a type names, NOTHING for any other type."""
    if node is None:
        return NOTHING
    kind = node.type
    if kind in ("type_identifier", "identifier"):
        name = x.text(node)
        if find_parameter(block.scope, name) is not None:
            return NOTHING
        return read_name(x, name, node, block)
    if kind in _PATHS:
        return read_path(x, segments_of(x, node), block)
    if kind == "generic_type":
        arguments = node.child_by_field_name("type_arguments")
        for child in arguments.named_children if arguments is not None else ():
            read_type(x, child, block)
        return class_of(x, node.child_by_field_name("type"), block)
    if kind in ("reference_type", "pointer_type"):
        return class_of(x, node.child_by_field_name("type"), block)
    return NOTHING


def read_type(x: RustExtraction, node: "Node | None", block: Block) -> int:
    if node is None:
        return NOTHING
    kind = node.type
    if kind in ("primitive_type", "unit_type", "never_type"):
        return OUTSIDE
    if kind == "type_identifier":
        name = x.text(node)
        bound = find_parameter(block.scope, name)
        if bound is not None:
            return bound
        if name == "String":
            return OUTSIDE
    if kind in ("type_identifier", "scoped_type_identifier"):
        register = class_of(x, node, block)
        return NOTHING if register < 0 else x.instance(register)
    if kind == "generic_type":
        return _read_generic(x, node, block)
    if kind in ("array_type", "slice_type"):
        return x.container([(None, read_type(x, node.child_by_field_name("element"), block))])
    if kind == "tuple_type":
        parts = [read_type(x, child, block) for child in node.named_children]
        return x.container([(("i", at), part) for at, part in enumerate(parts)])
    if kind == "function_type":
        return _read_function(x, node, block)
    if kind in _WRAPPERS:
        return _read_wrapped(x, node, block)
    for child in node.named_children:
        read_type(x, child, block)
    return NOTHING


def _read_wrapped(x: RustExtraction, node: "Node", block: Block) -> int:
    parts = [
        read_type(x, child, block)
        for child in node.named_children
        if child.type not in ("lifetime", "mutable_specifier")
    ]
    known = tuple(part for part in parts if part >= 0)
    if known:
        return x.merge_versions(known)
    return OUTSIDE if OUTSIDE in parts else NOTHING


def _read_generic(x: RustExtraction, node: "Node", block: Block) -> int:
    arguments = node.child_by_field_name("type_arguments")
    listed = [
        child
        for child in (arguments.named_children if arguments is not None else [])
        if child.type != "lifetime"
    ]
    parts = [_read_argument(x, child, block) for child in listed]
    own = node.child_by_field_name("type")
    name = x.text(own).rpartition("::")[2] if own is not None else ""
    project = _is_own(x, name, block)
    if parts and not project:
        if name in THROUGH:
            return parts[-1]
        if name in SEQUENCES or name.endswith("Result"):
            return x.container([(None, parts[0])])
        if name in MAPPINGS:
            return x.container([(KEYS, parts[0]), (None, parts[-1])], MAPPING)
    register = class_of(x, own, block)
    return NOTHING if register < 0 else x.instance(register)


def _is_own(x: RustExtraction, name: str, block: Block) -> bool:
    """Does the project declare a type of this name, as far as the file tells?"""
    if block.find_type(name) is not None:
        return True
    found = x.used.get(name)
    if found is not None and found[1] >= 0:
        module: str = x.imports[found[1]][0]
        return module.partition(".")[0] in ROOTS
    return x.exports.get(name, ())[1:2] == (TO_DEFINITION,)


def _read_argument(x: RustExtraction, node: "Node", block: Block) -> int:
    """`Item = T` gives T."""
    kind = node.child_by_field_name("type") if node.type == "type_binding" else None
    return read_type(x, kind if kind is not None else node, block)


def _read_function(x: RustExtraction, node: "Node", block: Block) -> int:
    """`Fn(A) -> T` stands for a function of no name that returns a T."""
    parameters = node.child_by_field_name("parameters")
    for child in parameters.named_children if parameters is not None else ():
        read_type(x, child, block)
    register = read_type(x, node.child_by_field_name("return_type"), block)
    if register < 0:
        return NOTHING
    scope = x.define_closure(node, block)
    scope.return_type = register
    return scope.register
