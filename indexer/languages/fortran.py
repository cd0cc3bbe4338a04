"""Fortran: modules, derived types with bound procedures. Names have no case."""

from functools import partial
from typing import TYPE_CHECKING

from agrama.graph.model import Kind
from agrama.indexer.facts import NOTHING, TO_DEFINITION, TO_IMPORT, FileFacts
from agrama.indexer.languages.language import Language, Policy, Sources
from agrama.indexer.languages.table_readers import (
    Function,
    Holder,
    assignment,
    call,
    declare_variable,
    dotted,
    name_reader,
    named_type,
    nothing,
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

_BUILTINS = frozenset(
    """
    abs achar acos adjustl adjustr aimag all allocated any asin associated atan atan2 ceiling char
    cmplx conjg cos cosh count dble dim dot_product exp floor iachar ichar index int kind lbound len
    len_trim log log10 matmul max maxloc maxval merge min minloc minval mod modulo move_alloc nint
    norm2 not null pack present product random_number real repeat reshape scan shape sign sin sinh
    size spread sqrt sum tan tanh tiny transpose trim ubound unpack verify get_command_argument
    command_argument_count date_and_time system_clock cpu_time execute_command_line
    """.split()
)


class _Procedure(Function):
    """The types of parameters are declared in the body."""

    def read_signature(self, x: TabledExtraction, scope: Scope, node: "Node", block: Block) -> None:
        for part in parts(node, self.parameters, ("identifier",)):
            x.add_parameter(scope, block, x.text(part), NOTHING)
        for part in parts(node, "", ("use_statement",)):
            _use(x, part, block)

    def read_body(self, x: TabledExtraction, scope: Scope, node: "Node", block: Block) -> None:
        inner = find(node, "#internal_procedures")
        if inner is not None:
            x.declare_all(inner.named_children, block)
            x.settle()
        x.run_block((each for each in node.named_children if each.type not in _PARTS), block)


_PARTS = frozenset(("internal_procedures", "use_statement", "end_program_statement"))


def _declare_variables(x: TabledExtraction, node: "Node", block: Block) -> None:
    declared_node = find(node, "type")
    holder = block.scope.kind in (Kind.MODULE, Kind.CLASS)
    for each in node.children_by_field_name("declarator"):
        name = each if each.type == "identifier" else find(each, "#identifier")
        if name is None:
            continue
        if holder:
            declare_variable(x, node, name, block, "type", "#99")
        else:
            declared = x.read_type(declared_node, block)
            x.bind_local(x.text(name), block, NOTHING, max(declared, NOTHING))


def _declare_bound(x: TabledExtraction, node: "Node", block: Block) -> None:
    """`procedure :: greet => user_greet`."""
    for each in node.children_by_field_name("declarator"):
        target = find(each, "#method_name") if each.type == "binding" else each
        name = find(each, "#binding_name") if each.type == "binding" else each
        if name is not None and target is not None and block.outer is not None:
            x.signatures.append(partial(_bind_procedure, x, name, target, block))


def _bind_procedure(x: TabledExtraction, name: "Node", target: "Node", block: Block) -> None:
    module = block.outer
    row = module.scope.members.get(x.text(target)) if module is not None else None
    row = row or x.exports.get(x.text(target))
    if row is not None and len(row) > 2 and row[1] == TO_DEFINITION:
        x.add_member(block.scope, x.text(name), row[0], TO_DEFINITION, row[2])


class _DerivedType(Holder):
    """A type with its bases and bound procedures."""

    def declare(self, x: TabledExtraction, node: "Node", name: "Node", block: Block) -> Scope:
        scope = Holder.declare(self, x, node, name, block)
        base = find(node, "#derived_type_statement/base/#identifier")
        if base is not None:
            x.signatures.append(partial(_read_base, x, scope, base, block))
        return scope


def _read_base(x: TabledExtraction, scope: Scope, base: "Node", block: Block) -> None:
    register = x.read_name(base, block)
    if register >= 0:
        scope.bases.append(register)


def _declare_inside(x: TabledExtraction, node: "Node", block: Block) -> None:
    x.declare_all(node.named_children, block)


def _declare_use(x: TabledExtraction, node: "Node", block: Block) -> None:
    x.signatures.append(partial(_use, x, node, block))


def _use(x: TabledExtraction, node: "Node", block: Block) -> None:
    """`use m` opens a module, `use m, only: a, b => c` takes some of its names."""
    name = find(node, "#module_name")
    if name is None:
        return
    text = x.text(name)
    if not x.is_bound(text, block):
        register, index = x.add_import(text, text, name, block)
        x.exports.setdefault(text, (register, TO_IMPORT, index))
    module, items = x.read_name(name, block), find(node, "#included_items")
    if items is None:
        x.open_module(module, block)
        return
    for item in items.named_children:
        source = find(item, "#identifier") if item.type == "use_alias" else item
        local = find(item, "#local_name") if item.type == "use_alias" else item
        if source is not None and local is not None:
            x.bind_local(x.text(local), block, x.read_member(module, source, block))


TABLE = Table(
    language="fortran",
    readers={
        "identifier": name_reader,
        "type_name": name_reader,
        "derived_type_member_expression": dotted,
        "subroutine_call": call("subroutine"),
        "call_expression": call("#0"),
        "parenthesized_expression": through("#0"),
        "assignment_statement": assignment("left", "right"),
        "keyword_argument": through("value"),
        "string_literal": nothing,
        **dict.fromkeys(
            ("implicit_statement", "contains_statement", "end_subroutine_statement", "name",
             "subroutine_statement", "function_statement", "program_statement",
             "end_function_statement", "module_statement", "end_module_statement",
             "derived_type_statement", "end_type_statement"),
            nothing,
        ),
    },
    declarations={
        "module": Holder(kind=Kind.MODULE, name="#module_statement/#name", body=""),
        "submodule": Holder(kind=Kind.MODULE, name="#submodule_statement/#name", body=""),
        "internal_procedures": _declare_inside,
        "derived_type_procedures": _declare_inside,
        "program": _Procedure(name="#program_statement/#name"),
        "subroutine": _Procedure(
            name="#subroutine_statement/name", parameters="#subroutine_statement/parameters"
        ),
        "function": _Procedure(
            name="#function_statement/name", parameters="#function_statement/parameters"
        ),
        "derived_type_definition": _DerivedType(name="#derived_type_statement/#type_name", body=""),
        "procedure_statement": _declare_bound,
        "variable_declaration": _declare_variables,
        "use_statement": _declare_use,
    },
    types={"derived_type": lambda x, node, block: named_type(x, find(node, "name") or node, block)},
    tails={"derived_type_member_expression": "#-1"},
    lists=frozenset(("argument_list",)),
    builtins=_BUILTINS,
)  # fmt: skip


def extract_fortran(root: "Node", source: bytes, path: str) -> FileFacts:
    """Facts of a Fortran file; its package is the modules that it defines."""
    x = CaselessExtraction(source, path, root, TABLE)
    x.guard(lambda: x.declare_all(root.named_children, Block(x.file, None)))
    modules = [each.name.lower() for each in x.scopes if each.kind == Kind.MODULE]
    x.package = " ".join(modules) or None
    x.guard(x.finish)
    return x.facts()


class FortranModules:
    """Modules by their names."""

    def __init__(self, sources: Sources) -> None:
        self._files: dict[str, str] = {}
        for path in sorted(sources.packages):
            for name in sources.packages[path].split():
                self._files.setdefault(name, path)

    def find(self, module: str, level: int, path: str) -> tuple[str, ...]:
        found = self._files.get(module)
        return () if found is None else (found,)

    def member(self, path: str, name: str) -> str | None:
        return None


LANGUAGES = (
    Language(
        name="fortran",
        extensions=(".f90", ".f95", ".f03", ".f08"),
        grammar="tree_sitter_fortran:language",
        extract=extract_fortran,
        index_modules=FortranModules,
        policy=Policy(dotted_modules=False),
    ),
)
