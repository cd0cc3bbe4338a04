"""C and C++ types, and the state of a file: requests for names, declarators.

A name that is no local becomes a request (see resolve/linkage.py): which file declares it is known only
when the program is linked. A type yields the register of a value of it, `NOTHING` when flow must
decide, `OUTSIDE` when it is built in. Pointers and references stand for what they point to.
"""

import re
from typing import TYPE_CHECKING

from agrama.graph.model import Kind
from agrama.indexer.facts import (
    ANONYMOUS,
    DEF,
    EXTENSION,
    GLOB,
    KEYS,
    MAPPING,
    NOTHING,
    OUTSIDE,
    TO_GLOBAL,
)
from agrama.indexer.languages.typed import Block, Extraction, Scope

if TYPE_CHECKING:
    from tree_sitter import Node  # noqa: TID251 - a type only

_USED = re.compile(rb"\busing\s+namespace\s+(?:::)?([\w:]+)\s*;")
_RENAMED = re.compile(rb"\bnamespace\s+(\w+)\s*=\s*(?:::)?([\w:]+)\s*;")
_TEMPLATE_ARGUMENTS = re.compile(r"<[^<>]*>")
_SPECIFIERS = frozenset(
    ("struct_specifier", "union_specifier", "class_specifier", "enum_specifier")
)
_HANDLES = frozenset(
    ("unique_ptr", "shared_ptr", "weak_ptr", "optional", "reference_wrapper", "atomic", "Ptr")
)
_SEQUENCES = frozenset(
    (
        "vector", "list", "deque", "array", "set", "unordered_set", "multiset", "forward_list",
        "queue", "stack", "priority_queue", "span", "initializer_list", "pair", "tuple",
    )
)  # fmt: skip
_MAPPINGS = frozenset(("map", "unordered_map", "multimap", "unordered_multimap"))
_NAMED = frozenset(("type_identifier", "identifier", "namespace_identifier", "field_identifier"))
_WRAPPERS = frozenset(
    (
        "pointer_declarator", "array_declarator", "parenthesized_declarator", "init_declarator",
        "reference_declarator", "attributed_declarator", "function_declarator",
        "pointer_type_declarator", "variadic_declarator",
    )
)  # fmt: skip


ALIAS = "<alias>"
"""As the type of a local: a name for a class, made inside a function."""


class CExtraction(Extraction):
    """A file of C or C++."""

    def __init__(self, source: bytes, path: str, root: "Node") -> None:
        super().__init__(source, path, root)
        self.is_cpp = False
        self.used = ",".join(dict.fromkeys(name.decode() for name in sorted(_USED.findall(source))))
        self.renamed = {name.decode(): full.decode() for name, full in _RENAMED.findall(source)}
        self.keys: dict[int, str] = {0: ""}  # scope -> key of what it holds
        self.contexts: dict[int, str] = {}
        self.extensions: dict[str, Scope] = {}
        self.fields: dict[str, list[str]] = {}  # struct -> its fields, for initialisers
        self.bodies: list[tuple[Scope, Node, Block]] = []
        self.blocks_of_code: list[tuple[Node, Block]] = []  # bodies of methods
        self.waiting: list[tuple[int, Node, Block, int, str]] = []  # variables with a value
        self.template: tuple[str, ...] = ()  # parameters of the template being declared
        self.macros: set[int] = set()  # where macros were declared
        self.local_space = False  # inside a namespace without a name
        self.extern_c = False
        self.is_test = False

    def declare_class(
        self, node: "Node", parent: Scope, block: Block, whole: "Node"
    ) -> Scope | None:
        """A class with a body; see c_declarations."""
        raise NotImplementedError

    def declare_local(self, node: "Node", block: Block) -> bool:
        """A class, alias or using inside a function; see c_declarations."""
        raise NotImplementedError

    def attribute(self, base: int, name: str) -> int:
        """Of text that did not parse a member may have no name."""
        return super().attribute(base, name) if name else NOTHING

    def key_of(self, scope: Scope) -> str:
        key = self.keys.get(scope.index)
        if key is None:
            outer = self.key_of(scope.parent) if scope.parent is not None else ""
            named = scope.is_class or scope.kind == Kind.MODULE
            key = _join(outer, scope.name) if named else outer
            self.keys[scope.index] = key
        return key

    def context(self, scope: Scope) -> str:
        """What a request needs to know of the place of a name."""
        known = self.contexts.get(scope.index)
        if known is None:
            cls, space = "", None
            current: Scope | None = scope
            while current is not None:
                if not cls and (current.is_class or current.owner is not None):
                    cls = str((current.owner or current).index)
                if space is None and current.kind == Kind.MODULE:
                    space = self.key_of(current)
                current = current.parent
            parts = ",".join(part for part in (space or "", self.used) if part or self.used)
            known = f"{cls}@{parts}|" if cls or parts else ""
            self.contexts[scope.index] = known
        return known

    def request(self, name: str, scope: Scope) -> str:
        first, colons, rest = name.partition("::")
        if colons and first in self.renamed:
            name = f"{self.renamed[first]}::{rest}"
        if name.startswith("::"):
            return name[2:]
        return self.context(scope) + name

    def read_name(self, name: str, node: "Node | None", scope: Scope, plain: str = "") -> int:
        """The register of a name that is no local; `plain` is it without the types of a call."""
        request = self.request(name, scope)
        if node is not None:
            named = self.request(plain, scope) if plain else request
            self.add_reference(node, scope.index, TO_GLOBAL, self.name_index(named))
        register = self.free.get(request)
        if register is None:
            register = self.free[request] = self.register()
            self.ops.append((GLOB, register, request))
        return register

    def add_export(self, key: str, register: int, target: int, index: int) -> None:
        before = self.exports.get(key)
        if before is None:
            self.exports[key] = (register, target, index)
        elif (target, index) != before[-2:]:
            self.exports[key] = (*before, target, index)

    def extension(self, name: str, parent: Scope, node: "Node") -> Scope:
        """The class whose member is defined outside of it, maybe in another file."""
        key = _join(self.key_of(parent), name)
        scope = self.extensions.get(key)
        if scope is None:
            scope = Scope(len(self.scopes), Kind.CLASS, name.rpartition("::")[2], parent)
            self.scopes.append(scope)
            scope.qualified = f"<extends {key}>"
            scope.flags = ANONYMOUS | EXTENSION
            scope.register = self.register()
            self.ops.append((DEF, scope.register, scope.index))
            scope.bases.append(self.read_name(name, None, parent))
            self.keys[scope.index] = key
            self.extensions[key] = scope
        return scope


def _join(outer: str, name: str) -> str:
    return f"{outer}::{name}" if outer else name


def plain_name(x: CExtraction, node: "Node") -> str:
    """`a::B<T>::c` without template arguments and blanks."""
    text = x.text(node)
    if "<" in text and "operator" not in text:
        for _ in range(8):
            shorter = _TEMPLATE_ARGUMENTS.sub("", text)
            if shorter == text:
                break
            text = shorter
    return "".join(text.split()).removeprefix("typename")


class Declarator:
    """What a declarator says: a name, and whether it is a function or an array."""

    __slots__ = ("function", "is_array", "name", "value")

    def __init__(self, node: "Node") -> None:
        self.function: Node | None = None
        self.value: Node | None = None
        self.is_array = False
        pointer = False
        current: Node | None = node
        while current is not None and current.type in _WRAPPERS:
            kind = current.type
            if kind == "init_declarator":
                self.value = current.child_by_field_name("value")
            elif kind == "function_declarator":
                self.function = current
                pointer = False
            elif kind == "array_declarator":
                self.is_array = True
            elif kind == "pointer_declarator":
                pointer = True
            inner = current.child_by_field_name("declarator")
            if inner is None:
                inner = next(
                    (c for c in current.named_children if c.type in _WRAPPERS or c.type in NAMES),
                    None,
                )
            if kind == "parenthesized_declarator" and self.function is not None:
                pointer = inner is not None and inner.type == "pointer_declarator"
            current = inner
        self.name = current if current is not None and current.type in NAMES else None
        if pointer:  # a pointer to a function is a variable
            self.function = None


NAMES = frozenset(
    (
        "identifier", "field_identifier", "type_identifier", "qualified_identifier",
        "destructor_name", "operator_name", "operator_cast", "template_function", "primitive_type",
    )
)  # fmt: skip


def is_parameter(scope: Scope | None, name: str) -> bool:
    """Is this a parameter of a template in sight?"""
    while scope is not None:
        if name in scope.types or (scope.owner is not None and name in scope.owner.types):
            return True
        scope = scope.parent
    return False


def class_of(x: CExtraction, node: "Node | None", block: Block) -> int:
    """The register of the class that a type names, NOTHING for any other type."""
    if node is None:
        return NOTHING
    kind = node.type
    if kind in ("type_descriptor", "dependent_type"):
        inner = node.child_by_field_name("type") or next(iter(node.named_children), None)
        return class_of(x, inner, block)
    if kind in _SPECIFIERS:
        name = node.child_by_field_name("name")
        if name is None or node.child_by_field_name("body") is not None:
            return NOTHING
        text = plain_name(x, name)
        tag = text if x.is_cpp else f"struct {text}"
        return x.read_name(tag, name, block.scope)
    if kind == "template_type":
        _read_arguments(x, node, block)
        return class_of(x, node.child_by_field_name("name"), block)
    if kind in ("qualified_identifier", "scoped_type_identifier"):
        return _qualified_class(x, node, block)
    if kind not in _NAMED:
        return NOTHING
    word = x.text(node)
    local = block.find_type(word)
    if local is not None:
        return local.register
    alias = local_alias(block, word)
    if alias >= 0 or is_parameter(block.scope, word):
        return alias
    return x.read_name(word, node, block.scope)


def local_alias(block: Block, name: str) -> int:
    """The class that `using T = U;` inside a function names."""
    local = block.find(name)
    return local.versions[0] if local is not None and local.type_name == ALIAS else NOTHING


def _qualified_class(x: CExtraction, node: "Node", block: Block) -> int:
    text = plain_name(x, node)
    if text.startswith("std::"):
        _read_arguments(x, last_part(node), block)
        return NOTHING
    last = last_part(node)
    _read_arguments(x, last, block)
    outer, _, inner = text.rpartition("::")
    alias = local_alias(block, outer)
    if alias >= 0:
        return x.attribute(alias, inner)
    found = x.read_name(text, name_node(last), block.scope)
    if outer and "::" not in outer and not is_parameter(block.scope, outer):
        base = x.read_name(outer, None, block.scope)
        found = x.union(found, x.attribute(base, inner))
    return found


def last_part(node: "Node") -> "Node":
    while node.type in ("qualified_identifier", "scoped_type_identifier"):
        inner = node.child_by_field_name("name")
        if inner is None:
            break
        node = inner
    return node


def name_node(node: "Node") -> "Node":
    """The name itself of `f<T>`."""
    if node.type in ("template_type", "template_function", "template_method", "dependent_name"):
        return node.child_by_field_name("name") or node
    return node


def _read_arguments(x: CExtraction, node: "Node", block: Block) -> list[int]:
    listed = node.child_by_field_name("arguments") if "template" in node.type else None
    if listed is None:
        return []
    return [read_type(x, child, block) for child in listed.named_children]


def read_type(x: CExtraction, node: "Node | None", block: Block) -> int:
    """The register of a value of a type; records the names it uses."""
    if node is None:
        return NOTHING
    kind = node.type
    if kind == "primitive_type":
        return NOTHING if x.text(node) == "void" else OUTSIDE
    if kind == "sized_type_specifier":
        return OUTSIDE
    if kind in ("type_descriptor", "dependent_type"):
        inner = node.child_by_field_name("type") or next(iter(node.named_children), None)
        return read_type(x, inner, block)
    special = _read_library(x, node, block) if x.is_cpp else None
    if special is not None:
        return special
    register = class_of(x, node, block)
    return NOTHING if register < 0 else x.instance(register)


def _read_library(x: CExtraction, node: "Node", block: Block) -> int | None:
    """What types of the standard library hold; None for any other type."""
    if node.type not in ("qualified_identifier", "template_type"):
        return None
    text = plain_name(x, node)
    name = text.rpartition("::")[2]
    if not text.startswith("std::") and not (text == name and name in _HANDLES):
        return None
    parts = _read_arguments(x, last_part(node), block)
    if name in _HANDLES and parts:
        return parts[0]
    if name in _SEQUENCES and parts:
        return x.container([(None, parts[0])])
    if name in _MAPPINGS and len(parts) > 1:
        return x.container([(KEYS, parts[0]), (None, parts[1])], MAPPING)
    return NOTHING if name in ("function", "any") else OUTSIDE


def type_text(x: CExtraction, node: "Node | None", scope: Scope) -> str:
    """A type as overloads are chosen by: its last name, `?` if it may be any."""
    if node is None or node.type in ("placeholder_type_specifier", "decltype", "dependent_type"):
        return "?"
    if node.type == "type_descriptor":
        return type_text(x, node.child_by_field_name("type"), scope)
    if node.type == "sized_type_specifier":
        words = x.text(node).split()
        return "long" if "long" in words else "int"
    if node.type in _SPECIFIERS:
        name = node.child_by_field_name("name")
        return plain_name(x, name) if name is not None else "?"
    last = plain_name(x, node).rpartition("::")[2]
    if not last.replace("_", "").isalnum() or is_parameter(scope, last):
        return "?"
    return last


def parameter_text(x: CExtraction, node: "Node", scope: Scope) -> str:
    """One parameter in a signature; `=` marks a default."""
    text = type_text(x, node.child_by_field_name("type"), scope)
    declarator = node.child_by_field_name("declarator")
    if text == "char" and declarator is not None and "*" in x.text(declarator):
        text = "char*"
    if node.type == "variadic_parameter_declaration":
        return f"{text}..."
    return f"{text}=" if node.type == "optional_parameter_declaration" else text
