"""PowerShell: functions called as commands, classes, dot-sourced files. Names have no case."""

from functools import partial
from typing import TYPE_CHECKING

from agrama.graph.model import Kind
from agrama.indexer.facts import (
    COPY,
    NOTHING,
    STATIC,
    TO_DEFINITION,
    TO_VARIABLE,
    FileFacts,
    Import,
)
from agrama.indexer.languages.language import Language, Policy, Sources
from agrama.indexer.languages.relative import RelativeModules
from agrama.indexer.languages.table_readers import (
    Function,
    nothing,
    sequence,
    through,
)
from agrama.indexer.languages.tabled import (
    CaselessExtraction,
    Table,
    TabledExtraction,
    find,
    parts,
)
from agrama.indexer.languages.typed import Block, Scope

if TYPE_CHECKING:
    from tree_sitter import Node  # noqa: TID251 - a type only

_WRAPPERS = (
    "pipeline", "pipeline_chain", "logical_expression", "bitwise_expression",
    "comparison_expression", "additive_expression", "multiplicative_expression",
    "format_expression", "range_expression", "array_literal_expression", "unary_expression",
    "argument_expression", "logical_argument_expression", "bitwise_argument_expression",
    "comparison_argument_expression", "additive_argument_expression",
    "multiplicative_argument_expression", "format_argument_expression",
    "range_argument_expression", "parenthesized_expression", "left_assignment_expression",
    "argument_expression_list", "argument_list", "sub_expression", "expression_with_unary_operator",
)  # fmt: skip
_WRAPPED = frozenset(_WRAPPERS)
_LOADERS = frozenset(("import-module", "using"))
_CONSTRUCTOR = "<new>"
_SCRIPTS = (".ps1", ".psm1", ".psd1")
_MOST_TOGETHER = 300


def _unwrap(node: "Node") -> "Node":
    """The grammar writes a level for each precedence."""
    while node.type in _WRAPPED and node.named_child_count == 1:
        node = node.named_children[0]
    return node


def _read_wrapped(x: TabledExtraction, node: "Node", block: Block) -> int:
    inner = _unwrap(node)
    if inner.type not in _WRAPPED:
        return x.read(inner, block)
    for child in inner.named_children:
        x.read(child, block)
    return NOTHING


# ---- definitions


class _Script(Function):
    """Parameters stand in a list after the name or in a block inside the body."""

    def declare(
        self, x: TabledExtraction, node: "Node", name: "Node", text: str, block: Block
    ) -> Scope:
        scope = Function.declare(self, x, node, name, text, block)
        if scope.owner is not None and text == scope.owner.name.lower():
            scope.owner.members.pop(text, None)
            x.add_member(scope.owner, _CONSTRUCTOR, scope.register, TO_DEFINITION, scope.index)
        if find(node, "#class_attribute") is not None and scope.owner is not None:
            scope.flags |= STATIC
        return scope

    def read_signature(self, x: TabledExtraction, scope: Scope, node: "Node", block: Block) -> None:
        if scope.owner is not None:
            x.bind_local("$this", block, scope.self_register)
            scope.return_type = x.read_type(find(node, "#type_literal"), block)
        lists = ("#class_method_parameter_list", "#function_parameter_declaration/#parameter_list",
                 "#script_block/#param_block/#parameter_list")  # fmt: skip
        for part in (part for each in lists for part in parts(node, each)):
            name = find(part, "#variable")
            kind = find(part, "#type_literal") or find(part, "#attribute_list/#-1/#type_literal")
            if name is not None:
                x.add_parameter(scope, block, x.text(name), x.read_type(kind, block))


def _declare_class(x: TabledExtraction, node: "Node", block: Block) -> None:
    names = list(parts(node, "", ("simple_name",)))
    if not names:
        return
    scope = x.define(Kind.CLASS, x.text(names[0]), block.scope, node, names[0])
    scope.signature = f"class {scope.name}"
    x.bind_name(x.text(names[0]), block, scope.register, TO_DEFINITION, scope.index)
    for base in names[1:]:
        x.signatures.append(partial(_read_base, x, scope, base, block))
    x.declare_all((n for n in node.named_children if n.type != "simple_name"), Block(scope, block))


def _declare_property(x: TabledExtraction, node: "Node", block: Block) -> None:
    """A property is declared as `$Name` and read as `.Name`."""
    name = find(node, "#variable")
    if name is None:
        return
    text = x.text(name).lstrip("$")
    register, index = x.register(), x.add_variable(text, block.scope, name, node)
    x.bind_name(text, block, register, TO_VARIABLE, index)

    def read() -> None:
        declared = x.read_type(find(node, "#type_literal"), block)
        if declared >= 0:
            x.emit(COPY, register, declared)

    x.signatures.append(read)


def _read_base(x: TabledExtraction, scope: Scope, base: "Node", block: Block) -> None:
    register = x.read_name(base, block)
    if register >= 0:
        scope.bases.append(register)


def _declare_inside(x: TabledExtraction, node: "Node", block: Block) -> None:
    x.declare_all(node.named_children, block)


# ---- expressions


def _read_variable(x: TabledExtraction, node: "Node", block: Block) -> int:
    local = block.find(x.text(node))
    return NOTHING if local is None else x.read_local(local, block, {})


def _read_command(x: TabledExtraction, node: "Node", block: Block) -> int:
    name = find(node, "command_name")
    elements = [
        each for each in parts(node, "command_elements") if each.type != "command_argument_sep"
    ]
    if name is None:
        return NOTHING
    text = x.text(name).strip("\"'")
    sourced = text.endswith(_SCRIPTS)
    loads = text in _LOADERS and elements
    if sourced or loads:
        at = elements[-1] if loads else name
        x.add_import(_path(x, at), "*", at, block)
        return NOTHING
    values = [x.read(each, block) for each in elements]
    if text == "new-object" and elements:
        return x.emit_call(x.read_name(elements[0], block), elements[0], values[1:], block)
    if name.type != "command_name" or not text.replace("-", "").replace("_", "").isalnum():
        return NOTHING
    return x.emit_call(x.read_name(name, block), name, values, block)


def _path(x: TabledExtraction, node: "Node") -> str:
    """A path as written; `$PSScriptRoot` is the folder of the script."""
    raw = x.source[node.start_byte : node.end_byte].decode("utf-8", "replace").strip("\"'")
    first, slash, rest = raw.replace("\\", "/").partition("/")
    return f"./{rest}" if slash and first.startswith("$") else raw.replace("\\", "/")


def _read_invocation(x: TabledExtraction, node: "Node", block: Block) -> int:
    """`$x.Run(1)`, `[Type]::Make()`, `[Type]::new()`."""
    base, name = find(node, "#0"), find(node, "#member_name/#0")
    if base is None or name is None:
        return NOTHING
    values = x.read_arguments(parts(node, "#argument_list"), block)
    value = x.read(base, block)
    if x.text(name) == "new" and base.type == "type_literal":
        return x.emit_call(value, name, values, block)
    return x.emit_call(x.read_member(value, name, block), name, values, block)


def _read_member(x: TabledExtraction, node: "Node", block: Block) -> int:
    value, name = x.read(find(node, "#0"), block), find(node, "#member_name/#0")
    if name is None:
        return NOTHING
    return x.read_member(value, name, block)


def _read_type_literal(x: TabledExtraction, node: "Node", block: Block) -> int:
    name = find(node, "#type_spec/#type_name/#type_identifier")
    return NOTHING if name is None else x.read_name(name, block)


def _declared(x: TabledExtraction, node: "Node", block: Block) -> int:
    register = _read_type_literal(x, node, block)
    return x.instance(register) if register >= 0 else NOTHING


def _read_assignment(x: TabledExtraction, node: "Node", block: Block) -> int:
    value = x.read(find(node, "value"), block)
    left = find(node, "#left_assignment_expression")
    target = _unwrap(left) if left is not None else None
    if target is not None and target.type == "variable" and block.scope is not x.file:
        x.bind_local(x.text(target), block, value)
    elif target is not None:
        x.read(target, block)
    return NOTHING


def _read_flow(x: TabledExtraction, node: "Node", block: Block) -> int:
    value = x.read(find(node, "#0"), block)
    if value >= 0:
        block.scope.returns.append(value)
    return NOTHING


_FUNCTION = _Script(name="#function_name", body="#script_block")
TABLE = Table(
    language="powershell",
    readers={
        "variable": _read_variable,
        "command": _read_command,
        "invokation_expression": _read_invocation,
        "member_access": _read_member,
        "type_literal": _read_type_literal,
        "assignment_expression": _read_assignment,
        "flow_control_statement": _read_flow,
        "cast_expression": through("#-1"),
        **dict.fromkeys(_WRAPPERS, _read_wrapped),
        **dict.fromkeys(("statement_list", "script_block_body", "statement_block"), sequence),
        "param_block": nothing,
        "attribute": nothing,
        "comment": nothing,
    },
    declarations={
        "function_statement": _FUNCTION,
        "class_statement": _declare_class,
        "class_method_definition": _Script(name="#simple_name", body="#script_block"),
        "class_property_definition": _declare_property,
    },
    types={"type_literal": _declared},
    names=frozenset(("variable", "command_name", "simple_name")),
)


def extract_powershell(root: "Node", source: bytes, path: str) -> FileFacts:
    """Facts of a script or module. Functions are known to all scripts of a project."""
    x = CaselessExtraction(source, path, root, TABLE)
    x.imports.append(tuple(Import("", 1, "*", 0, 0, 0, 0, 0, 0, 0)))
    nodes = []
    for node in root.named_children:
        nodes += node.named_children if node.type == "statement_list" else [node]
    x.guard(lambda: x.declare_all(nodes, Block(x.file, None)))
    x.guard(x.finish)
    return x.facts()


class PowerShellModules(RelativeModules):
    """Files by path; without one, all scripts, in a large project those of the folder."""

    def __init__(self, sources: Sources) -> None:
        super().__init__(sources)
        self._sorted = sorted(sources.paths)

    def find(self, module: str, level: int, path: str) -> tuple[str, ...]:
        if not level:
            return super().find(module, level, path)
        folder = path.rpartition("/")[0]
        large = len(self._sorted) > _MOST_TOGETHER
        return tuple(
            each
            for each in self._sorted
            if each != path and not (large and each.rpartition("/")[0] != folder)
        )


LANGUAGES = (
    Language(
        name="powershell",
        extensions=(".ps1", ".psm1"),
        grammar="tree_sitter_powershell:language",
        extract=extract_powershell,
        index_modules=PowerShellModules,
        is_test=lambda path: path.endswith((".tests.ps1", ".Tests.ps1")),
        policy=Policy(constructors=(_CONSTRUCTOR,), star_reexports=False, dotted_modules=False),
    ),
)
