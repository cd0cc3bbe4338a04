"""Solidity: contracts, libraries attached to types, interfaces, modifiers."""

from collections.abc import Iterator
from functools import partial
from typing import TYPE_CHECKING

from agrama.graph.model import Kind
from agrama.indexer.facts import (
    FORM_NEW,
    INTERFACE,
    NOTHING,
    OUTSIDE,
    SUPER,
)
from agrama.indexer.languages.language import ADD, GET, Language, Policy
from agrama.indexer.languages.relative import RelativeModules
from agrama.indexer.languages.table_readers import (
    Field,
    Function,
    Holder,
    assignment,
    call,
    choice,
    dotted,
    element,
    named_type,
    nothing,
    returning,
    sequence,
    through,
)
from agrama.indexer.languages.tabled import (
    Table,
    TabledExtraction,
    extract_by,
    find,
    parts,
)
from agrama.indexer.languages.typed import Block, Scope

if TYPE_CHECKING:
    from tree_sitter import Node  # noqa: TID251 - a type only

_BUILTINS = frozenset(
    (
        "require", "assert", "revert", "keccak256", "sha256", "ripemd160", "ecrecover", "addmod",
        "mulmod", "selfdestruct", "blockhash", "gasleft", "abi", "msg", "block", "tx", "type",
        "payable", "now", "_",
    )
)  # fmt: skip
_CONSTRUCTOR = "constructor"


# ---- declarations


def _read_import(x: TabledExtraction, node: "Node", block: Block) -> None:
    source = find(node, "source")
    if source is None:
        return
    module = x.text(source).strip("\"'")
    names = node.children_by_field_name("import_name")
    alias = find(node, "alias")
    if not names:
        if alias is None:
            x.add_import(module, "*", source, block)
        else:
            x.import_as(x.text(alias), module, None, source, block)
        return
    aliases = _aliases(x, node)
    for name in names:
        x.import_as(aliases.get(name.id, x.text(name)), module, x.text(name), name, block)


def _aliases(x: TabledExtraction, node: "Node") -> dict[int, str]:
    """`{Store as S}`: an alias stands after its name."""
    found: dict[int, str] = {}
    last = None
    for at, child in enumerate(node.children):
        kind = node.field_name_for_child(at)
        if kind == "import_name":
            last = child
        elif kind == "alias" and last is not None:
            found[last.id] = x.text(child)
    return found


class _SolidityFunction(Function):
    """A function or modifier; those that it names before its body are called too."""

    def __call__(self, x: TabledExtraction, node: "Node", block: Block) -> None:
        name = find(node, self.name) or node
        text = x.text(name) if name is not node else node.type.removesuffix("_definition")
        self.declare(x, node, name, text.partition("(")[0].strip(), block)

    def read_signature(self, x: TabledExtraction, scope: Scope, node: "Node", block: Block) -> None:
        Function.read_signature(self, x, scope, node, block)
        results = list(parts(node, "return_type", ("parameter",)))
        for result in results:
            name, declared = find(result, "name"), x.read_type(find(result, "type"), block)
            if name is not None:
                x.bind_local(x.text(name), block, NOTHING, max(declared, NOTHING))
        if len(results) == 1:
            scope.return_type = x.read_type(find(results[0], "type"), block)

    def read_body(self, x: TabledExtraction, scope: Scope, node: "Node", block: Block) -> None:
        for each in parts(node, "", ("modifier_invocation",)):
            invoke = _CONSTRUCT if scope.name == _CONSTRUCTOR else _INVOKE
            invoke(x, each, block)
        Function.read_body(self, x, scope, node, block)


def _use_library(x: TabledExtraction, node: "Node", block: Block) -> None:
    """`using Lib for T;`, `using {f} for T;`: functions that can be called on values."""
    for part in parts(node, "", ("type_alias", "using_alias")):
        x.signatures.append(partial(_note_library, x, part, block))


def _note_library(x: TabledExtraction, part: "Node", block: Block) -> None:
    noted, name = block.scope.types, x.text(part).rpartition(".")[2]
    if part.type == "type_alias":
        noted[f"using {name}"] = dotted(x, part, block)
    else:
        noted[f"calling {name}"] = x.read(find(part, "#0"), block)


def _attached(x: TabledExtraction, name: str, scope: Scope | None) -> Iterator[int]:
    """What `value.name` may be besides a member of the value."""
    while scope is not None:
        for key, register in scope.types.items():
            if register < 0:
                continue
            if key == f"calling {name}":
                yield register
            elif key.startswith("using "):
                yield x.attribute(register, name)
        scope = scope.parent


# ---- expressions


def _contract(block: Block) -> Scope | None:
    scope: Scope | None = block.scope
    while scope is not None and scope.kind != Kind.CLASS:
        scope = scope.parent
    return scope


def _read_identifier(x: TabledExtraction, node: "Node", block: Block) -> int:
    """A name that the contract does not declare may be inherited."""
    name = x.text(node)
    own = block.scope.self_register
    if name == "this":
        return own
    contract = _contract(block)
    if name == "super":
        return _super(x, contract)
    value = x.read_name(node, block)
    if own < 0 or contract is None or name in _BUILTINS or _is_bound(x, name, contract, block):
        return value
    return x.union(x.read_member(own, node, block), value)


def _super(x: TabledExtraction, contract: Scope | None) -> int:
    if contract is None:
        return NOTHING
    register = x.register()
    x.emit(SUPER, register, contract.index)
    return register


def _is_bound(x: TabledExtraction, name: str, contract: Scope, block: Block) -> bool:
    return x.is_local(name, block) or name in contract.members or name in x.exports


def _read_member(x: TabledExtraction, node: "Node", block: Block) -> int:
    base, name = x.read(find(node, "object"), block), find(node, "property")
    if name is None:
        return NOTHING
    value = x.read_member(base, name, block)
    for other in _attached(x, x.text(name), block.scope):
        value = x.union(value, other)
    return value


def _read_new(x: TabledExtraction, node: "Node", block: Block) -> int:
    return x.read(find(node, "name/#0"), block)


def _read_call(x: TabledExtraction, node: "Node", block: Block) -> int:
    inner = find(node, "function/#0")
    if inner is not None and inner.type == "new_expression":
        return _NEW(x, node, block)
    return _CALL(x, node, block)


def _read_element(x: TabledExtraction, node: "Node", block: Block) -> int:
    x.read(find(node, "index"), block)
    return element(x, x.read(find(node, "base"), block))


def _read_variables(x: TabledExtraction, node: "Node", block: Block) -> int:
    """`T a = f();` and `(T a, U b) = g();`."""
    value = x.read(find(node, "value"), block)
    single = find(node, "#variable_declaration")
    listed = [single] if single is not None else list(parts(node, "#variable_declaration_tuple"))
    for each in listed:
        name, declared = find(each, "name"), x.read_type(find(each, "type"), block)
        if name is not None:
            got = value if single is not None else NOTHING
            x.bind_local(x.text(name), block, got, max(declared, NOTHING))
    return NOTHING


def _read_parameter(x: TabledExtraction, node: "Node", block: Block) -> int:
    """What `try … returns (T v)` binds."""
    name, declared = find(node, "name"), x.read_type(find(node, "type"), block)
    if name is not None:
        x.bind_local(x.text(name), block, NOTHING, max(declared, NOTHING))
    return NOTHING


def _read_type_name(x: TabledExtraction, node: "Node", block: Block) -> int:
    """A name, a mapping, or an array of something."""
    element = find(node, "value_type")
    array = find(node, "#type_name")
    if element is None and array is None:
        return x.read_type(find(node, "#0"), block)
    inner = x.read_type(element or array, block)
    return x.container([(None, inner)]) if inner >= 0 else NOTHING


def _primitive(x: TabledExtraction, node: "Node", block: Block) -> int:
    return OUTSIDE


_CALL = call("function")
_NEW = call("function", FORM_NEW)
_INVOKE = call("#0")
_CONSTRUCT = call("#0", FORM_NEW)
_FUNCTION = _SolidityFunction(parameter=("parameter",))
_CLASS = Holder(bases="inheritance_specifier")
TABLE = Table(
    language="solidity",
    readers={
        "identifier": _read_identifier,
        "user_defined_type": dotted,
        "expression": through("#0"),
        "statement": through("#0"),
        "member_expression": _read_member,
        "call_expression": _read_call,
        "new_expression": _read_new,
        "struct_expression": through("type"),
        "call_argument": through("#-1"),
        "array_access": _read_element,
        "parenthesized_expression": through("#0"),
        "ternary_expression": choice("#1", "#2"),
        "assignment_expression": assignment("left/#0", "right"),
        "variable_declaration_statement": _read_variables,
        "parameter": _read_parameter,
        "return_statement": returning(),
        "block_statement": sequence,
        "function_body": sequence,
        "try_statement": sequence,
        "catch_clause": sequence,
        "for_statement": sequence,
        "struct_field_assignment": through("value"),
        "primitive_type": nothing,
        "string_literal": nothing,
        "assembly_statement": nothing,
        "pragma_directive": nothing,
    },
    declarations={
        "import_directive": _read_import,
        "contract_declaration": _CLASS,
        "library_declaration": _CLASS,
        "interface_declaration": Holder(bases="inheritance_specifier", flags=INTERFACE),
        "struct_declaration": Holder(),
        "enum_declaration": Holder(),
        "function_definition": _FUNCTION,
        "modifier_definition": _FUNCTION,
        "constructor_definition": _FUNCTION,
        "fallback_receive_definition": _FUNCTION,
        "using_directive": _use_library,
        "state_variable_declaration": Field(),
        "constant_variable_declaration": Field(),
        "struct_member": Field(),
        "enum_value": Field(name=""),
        "event_definition": Field(),
        "error_declaration": Field(),
    },
    types={
        "type_name": _read_type_name,
        "user_defined_type": named_type,
        "primitive_type": _primitive,
    },
    tails={
        "expression": "#0",
        "member_expression": "property",
        "new_expression": "name/#0/#-1",
        "struct_expression": "type",
        "parenthesized_expression": "#0",
    },
    builtins=_BUILTINS,
)

LANGUAGES = (
    Language(
        name="solidity",
        extensions=(".sol",),
        grammar="tree_sitter_solidity:language",
        extract=partial(extract_by, TABLE),
        index_modules=RelativeModules,
        is_test=lambda path: path.endswith(".t.sol"),
        policy=Policy(
            constructors=(_CONSTRUCTOR,),
            container_methods={"push": ADD, "pop": GET},
            virtual=True,
            converts=True,
            dotted_modules=False,
        ),
    ),
)
