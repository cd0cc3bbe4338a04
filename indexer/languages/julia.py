"""Julia: modules in files that include one another, functions with many methods."""

from functools import partial
from typing import TYPE_CHECKING

from agrama.graph.model import Kind
from agrama.indexer.facts import NOTHING, REST, TO_DEFINITION, TO_IMPORT, FileFacts, Import
from agrama.indexer.languages.julia_library import BUILTINS
from agrama.indexer.languages.language import ADD, GET, Language, Policy, Sources
from agrama.indexer.languages.relative import RelativeModules
from agrama.indexer.languages.table_readers import (
    assign_name,
    call,
    choice,
    declare_variable,
    element,
    member,
    name_reader,
    named_type,
    nothing,
    returning,
    sequence,
    through,
)
from agrama.indexer.languages.tabled import (
    Table,
    TabledExtraction,
    find,
    parts,
)
from agrama.indexer.languages.typed import Block, Scope

if TYPE_CHECKING:
    from tree_sitter import Node  # noqa: TID251 - a type only

_HEADS = frozenset(("where_expression", "typed_expression", "signature"))
_NAMES = frozenset(("identifier", "operator"))
_PARAMETERS = frozenset(("typed_expression", "named_argument", "splat_expression"))
_INCLUDE = "include"
_CONSTRUCTOR = "<init>"


# ---- definitions


def _head_of(node: "Node | None") -> tuple["Node | None", "Node | None"]:
    """The call `f(x, y)` in a signature, and the declared type of the result."""
    result = None
    while node is not None and node.type in _HEADS:
        if node.type == "typed_expression":
            result = find(node, "#1")
        node = find(node, "#0")
    if node is not None and node.type != "call_expression":
        return None, None
    return node, result


def _declare_function(x: TabledExtraction, node: "Node", block: Block) -> None:
    head, result = _head_of(find(node, "#signature"))
    if head is not None:
        _declare(x, node, head, result, node.named_children[1:], block)


def _declare_assignment(x: TabledExtraction, node: "Node", block: Block) -> None:
    """`f(x) = …` defines a function, anything else assigns."""
    left, right = find(node, "#0"), find(node, "#-1")
    head, result = _head_of(left)
    if head is not None and right is not None:
        _declare(x, node, head, result, [right], block)
        return
    name = left if left is None or left.type != "typed_expression" else find(left, "#0")
    outer = block.scope is x.file or block.scope.kind in (Kind.MODULE, Kind.CLASS)
    if name is not None and name.type == "identifier" and outer:
        if not x.is_bound(x.text(name), block):
            declare_variable(x, node, name, block, "#0/#1", "#-1")
        return
    _assign(x, node, block)


def _assign(x: TabledExtraction, node: "Node", block: Block) -> None:
    left = find(node, "#0")
    value = x.read(find(node, "#-1"), block)
    declared = NOTHING
    if left is not None and left.type == "typed_expression":
        declared, left = x.read_type(find(left, "#1"), block), find(left, "#0")
    for each in left.named_children if left is not None and "tuple" in left.type else [left]:
        if each is None:
            continue
        if each.type == "identifier":
            assign_name(x, each, value if each is left else NOTHING, declared, block)
        else:
            x.read(each, block)


def _declare(
    x: TabledExtraction,
    node: "Node",
    head: "Node",
    result: "Node | None",
    body: list["Node"],
    block: Block,
) -> None:
    name = find(head, "#0")
    qualified = name is not None and name.type == "field_expression"
    while name is not None and name.type in ("parametrized_type_expression", "field_expression"):
        name = find(name, "#-1" if name.type == "field_expression" else "#0")
    if name is None or name.type not in _NAMES:
        return
    text = x.text(name)
    scope = x.define(Kind.FUNCTION, text, block.scope, node, name)
    if block.scope.kind == Kind.CLASS:  # an inner constructor
        scope.owner = block.scope
        x.add_member(block.scope, _CONSTRUCTOR, scope.register, TO_DEFINITION, scope.index)
    elif not qualified:  # `Base.show` adds to a function of another module
        x.bind_name(text, block, scope.register, TO_DEFINITION, scope.index)
    inner = Block(scope, block)
    x.signatures.append(partial(_read_signature, x, scope, head, result, inner))
    x.bodies.append(partial(_read_body, x, scope, body, inner))


def _read_signature(
    x: TabledExtraction, scope: Scope, head: "Node", result: "Node | None", block: Block
) -> None:
    for part in parts(head, "#argument_list"):
        _read_parameter(x, scope, part, block)
    if result is not None:
        scope.return_type = x.read_type(result, block)


def _read_parameter(x: TabledExtraction, scope: Scope, part: "Node", block: Block) -> None:
    declared, kind = NOTHING, 0
    while part.type in _PARAMETERS and part.named_child_count:
        if part.type == "typed_expression":
            declared = x.read_type(find(part, "#-1"), block)
            if part.named_child_count == 1:
                x.add_parameter(scope, block, "", declared)
                return
        elif part.type == "splat_expression":
            kind = REST
        elif part.named_child_count > 1:
            default = part.named_children[-1]
            x.bodies.append(partial(x.read, default, block))
        part = part.named_children[0]
    if part.type == "identifier":
        x.add_parameter(scope, block, x.text(part), declared, kind)


def _read_body(x: TabledExtraction, scope: Scope, body: list["Node"], block: Block) -> None:
    value = x.run_block(body, block)
    if value >= 0:
        scope.returns.append(value)


def _declare_struct(x: TabledExtraction, node: "Node", block: Block) -> None:
    head = find(node, "#type_head/#0")
    base = None
    if head is not None and head.type == "binary_expression":
        head, base = find(head, "#0"), find(head, "#-1")
    name = find(head, "#0") if head is not None and head.named_child_count else head
    if name is None:
        return
    scope = x.define(Kind.CLASS, x.text(name), block.scope, node, name)
    scope.signature = scope.signature.partition("\n")[0][:120]
    x.bind_name(scope.name, block, scope.register, TO_DEFINITION, scope.index)
    inner = Block(scope, block)
    if base is not None:
        x.signatures.append(partial(_read_base, x, scope, base, block))
    for child in node.named_children[1:]:
        if child.type in ("function_definition", "assignment"):
            typed = find(child, "#0") if child.type == "assignment" else None
            if typed is not None and typed.type in ("typed_expression", "identifier"):
                child = typed
            else:
                x.declare_all([child], inner)
                continue
        field = find(child, "#0") if child.type == "typed_expression" else child
        if field is not None and field.type == "identifier":
            declare_variable(x, child, field, inner, "#1", "#9")


def _read_base(x: TabledExtraction, scope: Scope, node: "Node", block: Block) -> None:
    name = find(node, "#0") if node.type == "parametrized_type_expression" else node
    register = x.read(name, block)
    if register >= 0:
        scope.bases.append(register)


def _declare_module(x: TabledExtraction, node: "Node", block: Block) -> None:
    name = find(node, "name")
    if name is None:
        return
    scope = x.define(Kind.MODULE, x.text(name), block.scope, node, name)
    scope.signature = f"module {scope.name}"
    x.bind_name(scope.name, block, scope.register, TO_DEFINITION, scope.index)
    x.declare_all(node.named_children[1:], Block(scope, block))


def _declare_inside(x: TabledExtraction, node: "Node", block: Block) -> None:
    """`const x = 1`, `@kwdef struct S`: what stands in it is declared where it stands."""
    x.declare_all(node.named_children, block)


def _declare_call(x: TabledExtraction, node: "Node", block: Block) -> None:
    """`include("x.jl")` takes in the names of a file; any other call is read with the bodies."""
    name, text = find(node, "#0"), find(node, "#argument_list/#string_literal/#content")
    if name is not None and text is not None and x.text(name) == _INCLUDE:
        x.add_import(x.text(text), "*", text, block)
    elif block.scope is x.file or block.scope.kind == Kind.MODULE:
        x.bodies.append(partial(_CALL, x, node, block))
    else:
        _CALL(x, node, block)


def _declare_macro_call(x: TabledExtraction, node: "Node", block: Block) -> None:
    listed = list(parts(node, "#macro_argument_list"))
    if listed and listed[-1].type in ("struct_definition", "function_definition", "assignment"):
        x.declare_all(listed, block)
    else:
        x.bodies.append(partial(x.read, find(node, "#macro_argument_list"), block))


# ---- imports


def _read_import(x: TabledExtraction, node: "Node", block: Block) -> None:
    opens = node.type == "using_statement"
    for each in node.named_children:
        if each.type == "selected_import":
            names = each.named_children
            x.signatures.append(partial(_select, x, names[0], names[1:], block))
            _note_outside(x, names[0], block)
        else:
            inner = find(each, "#0") if each.type == "import_alias" else each
            if inner is not None:
                _note_outside(x, inner, block)
                x.signatures.append(partial(_bind_module, x, each, inner, block, opens=opens))


def _path_of(node: "Node") -> list["Node"]:
    if node.type in ("import_path", "scoped_identifier"):
        return [leaf for child in node.named_children for leaf in _path_of(child)]
    return [node]


def _note_outside(x: TabledExtraction, node: "Node", block: Block) -> None:
    """A package by its name: one that a file of the project defines, or one outside."""
    if node.type == "import_path":
        return
    first = _path_of(node)[0]
    name = x.text(first)
    if name not in x.exports and name not in block.scope.members:
        register, index = x.add_import(name, name, first, block)
        x.exports.setdefault(name, (register, TO_IMPORT, index))


def _read_path(x: TabledExtraction, node: "Node", block: Block) -> int:
    value = NOTHING
    for at, each in enumerate(_path_of(node)):
        value = x.read_member(value, each, block) if at else x.read_name(each, block)
    return value


def _bind_module(
    x: TabledExtraction, node: "Node", inner: "Node", block: Block, *, opens: bool
) -> None:
    register = _read_path(x, inner, block)
    name = x.text(node.named_children[-1] if node.named_child_count else node)
    if register < 0:
        return
    if opens:
        x.open_module(register, block)
    if not x.is_bound(name, block):
        block.names.setdefault(name, x.declare(name, block)).versions.append(register)


def _select(x: TabledExtraction, module: "Node", names: list["Node"], block: Block) -> None:
    base = _read_path(x, module, block)
    for each in names:
        name, local = each, each
        if each.type == "import_alias":
            name, local = each.named_children[0], each.named_children[-1]
        register = x.read_member(base, name, block)
        if register >= 0 and not x.is_bound(x.text(local), block):
            block.names.setdefault(x.text(local), x.declare(x.text(local), block))
            block.names[x.text(local)].versions.append(register)


# ---- expressions


def _read_operation(x: TabledExtraction, node: "Node", block: Block) -> int:
    """`x |> f` calls f."""
    operator = find(node, "#operator")
    if operator is None or x.text(operator) != "|>" or node.named_child_count < 3:
        return _OPERATION(x, node, block)
    value = x.read(node.named_children[0], block)
    function = node.named_children[-1]
    return x.emit_call(x.read(function, block), x.name_node(function), [value], block)


def _read_closure(x: TabledExtraction, node: "Node", block: Block) -> int:
    """The body counts where the closure stands; nothing is known of its parameters."""
    inner = block.inner()
    names = node.named_children[:1]
    for name in names[0].named_children or names if names else ():
        x.bind_local(x.text(name), inner, NOTHING)
    return x.run_block(node.named_children[1:], inner)


def _read_loop(x: TabledExtraction, node: "Node", block: Block) -> int:
    """Bindings come first, also where they are written last."""
    inner = block.inner()
    late = [child for child in node.named_children if child.type == "for_clause"]
    for child in late:
        x.read(child, inner)
    x.run_block((child for child in node.named_children if child not in late), inner)
    return NOTHING


def _read_binding(x: TabledExtraction, node: "Node", block: Block) -> int:
    """`x in xs`, and `let x = y`."""
    value = x.read(find(node, "#-1"), block)
    name = find(node, "#0")
    if node.type == "for_binding":
        value = element(x, value)
    for each in name.named_children if name is not None and name.named_child_count else [name]:
        if each is not None:
            x.bind_local(x.text(each), block, value if each is name else NOTHING)
    return NOTHING


def _read_typed(x: TabledExtraction, node: "Node", block: Block) -> int:
    value, declared = x.read(find(node, "#0"), block), x.read_type(find(node, "#1"), block)
    return declared if declared >= 0 else value


def _parametrized(x: TabledExtraction, node: "Node", block: Block) -> int:
    """`Vector{User}` holds users; `Box{Int}` is a Box."""
    inner = [x.read_type(part, block) for part in parts(node, "#curly_expression")]
    name = find(node, "#0")
    if name is not None and x.text(name) not in BUILTINS:
        return named_type(x, name, block)
    if name is not None and x.text(name) == "Union":
        return max(inner, default=NOTHING)
    return x.container([(None, inner[-1])]) if inner and inner[-1] >= 0 else NOTHING


_CALL = call("#0")
_OPERATION = choice("#0", "#-1")
_BRANCHES = ("if_statement", "elseif_clause", "else_clause", "try_statement", "finally_clause")
TABLE = Table(
    language="julia",
    readers={
        "identifier": name_reader,
        "field_expression": member("value", "#-1"),
        "call_expression": _CALL,
        "broadcast_call_expression": _CALL,
        "parametrized_type_expression": through("#0"),
        "binary_expression": _read_operation,
        "ternary_expression": choice("#1", "#2"),
        "parenthesized_expression": through("#0"),
        "return_statement": returning(),
        "arrow_function_expression": _read_closure,
        "do_clause": _read_closure,
        "for_statement": _read_loop,
        "comprehension_expression": _read_loop,
        "generator": _read_loop,
        "for_binding": _read_binding,
        "let_binding": _read_binding,
        "index_expression": lambda x, node, block: element(x, x.read(find(node, "#0"), block)),
        "typed_expression": _read_typed,
        "named_argument": through("#-1"),
        **dict.fromkeys(_BRANCHES, sequence),
        "while_statement": sequence,
        "compound_statement": sequence,
        "let_statement": sequence,
        "catch_clause": _read_closure,
        "macro_identifier": nothing,
        "quote_expression": nothing,
        "operator": nothing,
        "export_statement": nothing,
        "public_statement": nothing,
    },
    declarations={
        "module_definition": _declare_module,
        "function_definition": _declare_function,
        "macro_definition": _declare_function,
        "assignment": _declare_assignment,
        "const_statement": _declare_inside,
        "local_statement": _declare_inside,
        "global_statement": _declare_inside,
        "struct_definition": _declare_struct,
        "abstract_definition": _declare_struct,
        "primitive_definition": _declare_struct,
        "using_statement": _read_import,
        "import_statement": _read_import,
        "call_expression": _declare_call,
        "macrocall_expression": _declare_macro_call,
    },
    types={
        "identifier": named_type,
        "field_expression": named_type,
        "parametrized_type_expression": _parametrized,
    },
    tails={"field_expression": "#-1", "parametrized_type_expression": "#0"},
    lists=frozenset(("argument_list",)),
    builtins=BUILTINS,
    passes_functions=True,
)


def extract_julia(root: "Node", source: bytes, path: str) -> FileFacts:
    """Facts of a Julia file. Files of one source folder see the names of each other."""
    x = TabledExtraction(source, path, root, TABLE)
    x.imports.append(tuple(Import("", 1, "*", 0, 0, 0, 0, 0, 0, 0)))
    x.guard(lambda: x.declare_all(root.named_children, Block(x.file, None)))
    x.guard(x.finish)
    return x.facts()


class JuliaModules(RelativeModules):
    """A package by its name; without one, the files that are included together."""

    def __init__(self, sources: Sources) -> None:
        super().__init__(sources, ".jl")
        self._together: dict[str, list[str]] = {}
        self._packages: dict[str, str] = {}
        for path in sorted(sources.paths):
            self._together.setdefault(_folder(path), []).append(path)
            name = path.rpartition("/")[2].removesuffix(".jl")
            if path.rpartition("/")[0].rpartition("/")[2] in ("src", ""):
                self._packages.setdefault(name, path)

    def find(self, module: str, level: int, path: str) -> tuple[str, ...]:
        if level:
            return tuple(each for each in self._together[_folder(path)] if each != path)
        if module.endswith(".jl"):
            return super().find(module, level, path)
        found = self._packages.get(module)
        return () if found is None else (found,)


def _folder(path: str) -> str:
    """The folder whose files make up one package: `src`, or the file's own."""
    before, found, _ = f"/{path}".rpartition("/src/")
    return f"{before}/src/" if found else path.rpartition("/")[0]


LANGUAGES = (
    Language(
        name="julia",
        extensions=(".jl",),
        grammar="tree_sitter_julia:language",
        extract=extract_julia,
        index_modules=JuliaModules,
        is_test=lambda path: "test/" in path or path.endswith("runtests.jl"),
        policy=Policy(
            constructors=(_CONSTRUCTOR,),
            container_methods={"push!": ADD, "pop!": GET},
            dotted_modules=False,
        ),
    ),
)
