"""What one source file says, in a form that every language front end emits and one solver reads.

A front end turns a syntax tree into *register code*: each expression is an integer register, an
assignment makes a new version of a name instead of an instruction, literals vanish (`NOTHING`).
The instructions below say how values flow between registers; `Definition`, `Variable`, `Import`
and the packed references say what the file declares and where it uses names.

Everything in `FileFacts` is plain data (int, str, bytes, tuple, list, dict, None) so that `marshal`
moves and stores it. The NamedTuples here give the layout of rows: facts hold `tuple(row)`, readers
call `Definition._make(row)`. Lines are 1-based, columns 0-based UTF-8 bytes.
"""

import marshal
import struct
from array import array
from typing import Any, NamedTuple, TypedDict, cast

NOTHING = -1
"""The register of a value that cannot matter (a literal, a builtin)."""
OUTSIDE = -2
"""A declared type that lies outside the project: known, so no flow is let in."""
SPREAD = -3
"""In the arguments of CALL: from here on positions are unknown (`*args`, `...args`)."""

# Instructions: (code, operands...). `dst`, `src`, `base`… are registers, `name` a string,
# `key` is None (unknown), ("s", text), ("i", number) or ("r", register).
COPY = 0  # dst, src
ATTR = 1  # dst, base, name
CALL = 2  # dst, callee, (argument…), ((keyword, register)…), line, column, scope, form
STORE = 3  # base, name, src — `base.name = src`; src may be NOTHING
SUB = 4  # dst, base, key — `base[key]`
SUBSTORE = 5  # base, key, src — `base[key] = src`
ITER = 6  # dst, base, line, column, scope — one element of iterating base (line 0: no call edge)
NEW = 7  # dst, site, flavour — a fresh container; site counts from 0 to FileFacts.sites
ELEM = 8  # site, key, src — the container made at site holds src under key
INST = 9  # dst, cls — an instance of the class in cls (declared types, caught exceptions)
IMPORT = 10  # dst, index into FileFacts.imports
GLOB = 11  # dst, name — a global this file does not bind (star import, package sibling, builtin)
DEF = 12  # dst, index into FileFacts.definitions
SUPER = 13  # dst, index of the class definition whose bases are searched
CONST = 14  # dst, key — a constant worth knowing (a short string or integer used as a key)
ENTER = 15  # dst, base — what `with base as dst` binds
GSTORE = 16  # name, src — a function assigns the file-level name
SLICE = 17  # dst, base, start or None, site — `base[start:]`
NARROW = 18  # dst, src, (class register…) — src where it is an instance of one; (): a container
NEWTYPE = 19  # dst, bases container, namespace container, scope — a class made by a call
BIND = 20  # dst, function, receiver — the function with its self/this fixed
EXCLUDE = 22  # dst, src, (class register…) — src where it is no instance of any; (): no container
PROTO = 21  # base, prototype — attributes missing on base are looked up on prototype
ELSE = 23  # dst, src, probe — src where nothing arrives in probe

# Forms of CALL.
FORM_CALL = 0
FORM_RAISE = 1  # raising a class runs its constructor
FORM_DECORATOR = 2  # the one argument is the decorated thing; nothing returned means that thing
FORM_NEW = 3  # `new X()`: a function acts as a class too
FORM_CALLBACK = 4  # a builtin calls it (`map(f, xs)`): functions only, a class is not called
FORM_IMPLICIT = 5  # syntax calls it (an iteration, an operator)
FORM_JSX = 6  # an element: props are the one keyword-like argument
FORM_NAMED = 7  # a literal names the callee (`o["f"]()`): the file's only f, where o is unknown

# Flavours of container (NEW).
SEQUENCE = 0  # attributes are the language's container methods
RECORD = 1  # attributes are keys first (`{a() {}}` in JavaScript), container methods after
MAPPING = 2  # iterating it yields its keys

KEYS = ("k", 0)
"""As the key of ELEM: the value is one of the container's keys."""

# Flags of Definition.
STATIC = 1 << 0
CLASS_METHOD = 1 << 1  # the first parameter is the class
PROPERTY = 1 << 2  # reading the attribute calls it
GENERATOR = 1 << 3
RETURNS_SELF = 1 << 4
RETURNS_CLASS = 1 << 5  # returns cls(...)
WRAPS = 1 << 6  # stands for the function it wraps
OVERLOAD = 1 << 7  # a signature only: folded into its implementation
ABSTRACT = 1 << 8
CONTEXT_MANAGER = 1 << 9  # a generator used by `with`
TEST = 1 << 10  # a test runner calls it
INTERFACE = 1 << 11  # classes only: bases that are interfaces give `implements` edges
ASYNC = 1 << 12
EXPORTED = 1 << 13
CONSTRUCTIBLE = 1 << 14  # a function that is also a class (JavaScript before ES6)
LAMBDA = 1 << 15
DECORATED = 1 << 16
ANONYMOUS = 1 << 17  # no symbol of its own: its edges belong to the nearest enclosing symbol
IMPLICIT_SELF = 1 << 18  # self_register is no parameter; receivers of bound calls flow into it
EXTENSION = 1 << 19  # classes only, ANONYMOUS: adds its members to the class in bases[0]
DECLARED = 1 << 21  # a declaration only: stands for the definitions of its key (Policy.linkage)
PARTIAL = 1 << 20  # classes only: one with its namesakes of the package, in whichever files


class Definition(NamedTuple):
    """A scope: the file itself (row 0), a class, function, method, in-file module or test.

    `returns` holds registers, `-2 - i` for the function's own parameter i, and strings for
    `return self.<string>`: those three are resolved per call, which makes them context-sensitive.
    """

    kind: int  # graph.model.Kind
    name: str
    qualified: str  # inside the file: `Outer.inner`, `#2` for a second one; "" for the file
    parent: int  # index of the enclosing definition, -1 for the file
    line: int  # of the name
    column: int
    body_line: int  # first line of its text, decorators included
    end_line: int
    start_byte: int  # of the function or class node: the key of its metrics
    flags: int
    signature: str
    doc: str
    parameters: tuple[tuple[Any, ...], ...]  # Parameter rows
    returns: tuple[int | str, ...]
    yields: tuple[int, ...]
    return_type: int  # register of the declared type, NOTHING if undeclared, OUTSIDE
    bases: tuple[int, ...]  # classes: registers of the bases, NOTHING for a base outside
    self_register: int  # methods: register of self/this (or cls), else NOTHING
    owner: int  # methods: index of the class definition, else -1
    members: dict[str, tuple[int, ...]]  # classes: name -> Binding row, as in FileFacts.exports


class Parameter(NamedTuple):
    """One parameter. `declared`: 0 undeclared, -1 declared outside, else 1 + register of its type."""

    name: str
    register: int
    kind: int  # POSITIONAL, REST, KEYWORDS, KEYWORD_ONLY
    declared: int


POSITIONAL = 0
REST = 1
KEYWORDS = 2
KEYWORD_ONLY = 3


class Variable(NamedTuple):
    """A module- or class-level name, or an instance attribute (`instance` = 1) first assigned here."""

    name: str
    parent: int  # index of the definition it belongs to
    line: int
    column: int
    end_line: int
    instance: int


class Import(NamedTuple):
    """One bound name of an import statement, or one whole module.

    `module` is the specifier as written, `level` counts leading dots (Python). `name` is the
    imported name, None for the module itself, "*" for everything (a star import or re-export: such
    a row needs no IMPORT instruction). `top` = 1 tells that `import a.b` binds `a` only.
    """

    module: str
    level: int
    name: str | None
    top: int
    scope: int  # definition that contains the statement
    line: int  # of the module's name
    column: int
    name_line: int  # of the imported name (0: none)
    name_column: int
    type_only: int


# A binding says which symbols a name stands for: (register, target, operand, target, operand, …).
# The same pairs (target, operand) end a packed reference.
TO_DEFINITION = 0  # operand: index into definitions
TO_VARIABLE = 1  # operand: index into variables
TO_IMPORT = 2  # operand: index into imports
TO_GLOBAL = 3  # operand: index into names; a name not bound in this file
TO_ATTRIBUTE = 4  # operand: index into names; `extra` is the register of the base

REFERENCE_WIDTH = 6


class Reference(NamedTuple):
    """One use of a name. FileFacts.references packs them as 32-bit integers in source order."""

    line: int
    column: int
    scope: int  # definition that contains the use
    target: int
    operand: int
    extra: int  # register of the base of an attribute, else NOTHING


class Route(NamedTuple):
    """An HTTP endpoint declared in this file."""

    method: str  # "GET", "ANY", …
    pattern: str
    line: int
    column: int
    scope: int
    handler: int  # register


class FileFacts(TypedDict):
    """All of one file. `metrics` and `errors` are filled in by the parser, not the front end."""

    language: str
    registers: int  # how many registers the code uses
    sites: int  # how many container sites
    ops: list[tuple[Any, ...]]
    definitions: list[tuple[Any, ...]]
    variables: list[tuple[Any, ...]]
    imports: list[tuple[Any, ...]]
    exports: dict[str, tuple[int, ...]]  # name -> binding: what other files can import
    listed: list[str] | None  # names a star import takes (`__all__`), None: all public ones
    names: list[str]
    references: bytes
    routes: list[tuple[Any, ...]]
    package: str | None  # languages with packages: the one this file declares
    config: Any  # parsed content of a file that steers resolution (package.json, tsconfig.json)
    metrics: dict[int, dict[str, float | int | None]]
    errors: list[tuple[int, int]]  # (line, column) of syntax errors


WHOLE_EXPORT = "="
"""Export name of a value that stands for the whole module (`module.exports = x`, `export =`)."""


BLOCK = "&"
"""As the keyword of an argument: the block that a call is given (Ruby)."""
EXTENDED_WITH = "<extend>"
"""Member of a class: the modules whose methods the class itself has (Ruby's `extend`)."""


def empty_facts(language: str) -> FileFacts:
    """Facts of a file that declares nothing."""
    return FileFacts(
        language=language,
        registers=0,
        sites=0,
        ops=[],
        definitions=[],
        variables=[],
        imports=[],
        exports={},
        listed=None,
        names=[],
        references=b"",
        routes=[],
        package=None,
        config=None,
        metrics={},
        errors=[],
    )


class Head(NamedTuple):
    """The part of a file's facts that decides which files belong together."""

    language: str
    imports: tuple[tuple[str, int, str | None], ...]  # module, level and name, each once
    package: str | None
    config: Any
    registers: int


def head_of(facts: FileFacts) -> Head:
    imports = dict.fromkeys((row[0], row[1], row[2]) for row in facts["imports"])
    return Head(
        facts["language"], tuple(imports), facts["package"], facts["config"], facts["registers"]
    )


_HEAD_LENGTH = struct.Struct("<I")


def pack_facts(facts: FileFacts) -> bytes:
    """Facts as bytes, the head apart: every head is read before the first file is resolved."""
    head = marshal.dumps(tuple(head_of(facts)))
    return _HEAD_LENGTH.pack(len(head)) + head + marshal.dumps(dict(facts))


def read_head(packed: bytes) -> Head:
    return Head._make(marshal.loads(memoryview(packed)[_HEAD_LENGTH.size :]))  # noqa: S302 - ours


def read_facts(packed: bytes) -> FileFacts:
    start = _HEAD_LENGTH.size + _HEAD_LENGTH.unpack_from(packed)[0]
    return cast("FileFacts", marshal.loads(memoryview(packed)[start:]))  # noqa: S302 - ours


def pack_references(references: list[tuple[int, ...]]) -> bytes:
    """Pack rows of `Reference`; a list of 28-byte integers each would dominate memory."""
    packed = array("i")
    for row in references:
        packed.extend(row)
    return packed.tobytes()


def unpack_references(packed: bytes) -> "array[int]":
    """The rows as one flat array: read it in steps of REFERENCE_WIDTH."""
    flat = array("i")
    flat.frombytes(packed)
    return flat
