"""OCaml: a file is a module, modules hold modules, values are named by paths."""

from functools import partial
from typing import TYPE_CHECKING

from agrama.graph.model import Kind
from agrama.indexer.facts import COPY, FORM_CALLBACK, NOTHING, TO_DEFINITION, TO_VARIABLE
from agrama.indexer.languages.language import Language, Policy, Sources
from agrama.indexer.languages.table_readers import (
    Field,
    Function,
    Holder,
    call,
    choice,
    declare_variable,
    member,
    name_reader,
    nothing,
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
    """
    abs acos asin at_exit atan bool_of_string ceil char_of_int close_in close_out compare cos decr
    exit exp failwith float float_of_int float_of_string floor flush fst ignore incr input_line
    int_of_char int_of_float int_of_string invalid_arg log max max_int min min_int mod not open_in
    open_out output_string pred prerr_endline prerr_string print_char print_endline print_float
    print_int print_newline print_string raise raise_notrace read_int read_line ref sin snd sqrt
    stderr stdin stdout string_of_bool string_of_float string_of_int succ tan truncate
    """.split()
)
_FUNCTIONS = frozenset(("fun_expression", "function_expression"))
# A value of a file that is made by these holds code: their calls are its own.
_BLOCKS = frozenset(("let_expression", "sequence_expression", "match_expression"))
_PATTERNS = frozenset(("value_pattern", "value_name"))
_APPLIES_RIGHT = frozenset(("|>", "|>>"))
_APPLIES_LEFT = frozenset(("@@",))
_BINDS = frozenset((">>=", ">>|", ">|=", ">=>", "<*>", "<$>"))


# ---- names and modules


def _read_module(x: TabledExtraction, node: "Node", block: Block) -> int:
    """A module of this file, or the file that is named like it."""
    name = x.text(node)
    if x.is_bound(name, block):
        return x.read_name(node, block)
    opened = x.read_opened(node, name, block)
    register = x.free.get(f"module {name}")
    if register is None:
        register = x.free[f"module {name}"] = x.add_import(name, None, node, Block(x.file, None))[0]
    return x.union(opened, register)


def _read_path(x: TabledExtraction, node: "Node", block: Block) -> int:
    """`A.B.c`: the inner path first, the own name last."""
    inner, name = find(node, "#0"), find(node, "#-1")
    if inner is None or name is None:
        return NOTHING
    if inner.id == name.id:
        return x.read(name, block)
    return x.read_member(x.read(inner, block), name, block)


def _open(x: TabledExtraction, node: "Node", block: Block) -> None:
    module = find(node, "module")
    if module is not None:
        x.signatures.append(lambda: x.open_module(x.read(module, block), block))


def _read_local_open(x: TabledExtraction, node: "Node", block: Block) -> int:
    """`Store.(save y)`."""
    x.open_module(x.read(find(node, "#0"), block), block)
    return x.read(find(node, "expression") or find(node, "#-1"), block.inner())


# ---- definitions


def _declare_values(x: TabledExtraction, node: "Node", block: Block) -> None:
    for binding in parts(node, "", ("let_binding",)):
        pattern, body = find(binding, "pattern"), find(binding, "body")
        if pattern is None:
            continue
        takes = find(binding, "#parameter") is not None
        takes = takes or (body is not None and body.type in _FUNCTIONS)
        takes = takes or (body is not None and body.type in _BLOCKS and not _is_local(x, block))
        if pattern.type == "value_name" and takes:
            _FUNCTION.declare(x, binding, pattern, x.text(pattern), block)
        elif _is_local(x, block):
            value = x.read(body, block)
            _bind_pattern(x, pattern, block, value)
        elif pattern.type == "value_name":
            declare_variable(x, binding, pattern, block, "#99", "body")
        else:
            x.bodies.append(partial(x.read, body, block))


def _is_local(x: TabledExtraction, block: Block) -> bool:
    return block.scope is not x.file and block.scope.kind not in (Kind.MODULE, Kind.CLASS)


class _OcamlFunction(Function):
    """Parameters are patterns; the body is an expression."""

    def read_signature(self, x: TabledExtraction, scope: Scope, node: "Node", block: Block) -> None:
        for part in parts(node, "", ("parameter",)):
            pattern = find(part, "pattern")
            simple = pattern is not None and pattern.type in _PATTERNS
            name = x.text(pattern) if pattern is not None and simple else ""
            x.add_parameter(scope, block, name, NOTHING)
            if pattern is not None and not simple:
                _bind_pattern(x, pattern, block, NOTHING)

    def read_body(self, x: TabledExtraction, scope: Scope, node: "Node", block: Block) -> None:
        value = x.read(find(node, "body"), block)
        if value >= 0:
            scope.returns.append(value)


def _bind_pattern(x: TabledExtraction, node: "Node", block: Block, value: int) -> None:
    """Every name of a pattern; only one that is the whole pattern has the value."""
    if node.type in _PATTERNS:
        x.bind_local(x.text(node), block, value)
        return
    pending = list(node.named_children)
    while pending:
        each = pending.pop()
        if each.type in _PATTERNS:
            x.bind_local(x.text(each), block, NOTHING)
        else:
            pending.extend(each.named_children)


def _declare_module(x: TabledExtraction, node: "Node", block: Block) -> None:
    binding = find(node, "#module_binding")
    name, body = find(binding, "#module_name"), find(binding, "body")
    if binding is None or name is None:
        return
    if body is not None and body.type == "module_path":
        _declare_alias(x, node, name, body, block)
        return
    scope = x.define(Kind.MODULE, x.text(name), block.scope, node, name)
    scope.signature = f"module {scope.name}"
    x.bind_name(scope.name, block, scope.register, TO_DEFINITION, scope.index)
    inner = Block(scope, block)
    for part in parts(binding, "", ("module_parameter",)):
        parameter = find(part, "#module_name")
        if parameter is not None:
            inner.names[x.text(parameter)] = x.declare(x.text(parameter), inner)
    while body is not None and body.type != "structure":
        body = find(body, "body") or find(body, "#structure")
    if body is not None:
        x.declare_all(body.named_children, inner)


def _declare_alias(
    x: TabledExtraction, node: "Node", name: "Node", body: "Node", block: Block
) -> None:
    register, index = x.register(), x.add_variable(x.text(name), block.scope, name, node)
    x.bind_name(x.text(name), block, register, TO_VARIABLE, index)

    def read() -> None:
        value = x.read(body, block)
        if value >= 0:
            x.emit(COPY, register, value)

    x.signatures.append(read)


def _declare_types(x: TabledExtraction, node: "Node", block: Block) -> None:
    for binding in parts(node, "", ("type_binding",)):
        name = find(binding, "name")
        if name is None or name.type != "type_constructor":
            continue
        scope = x.define(Kind.CLASS, x.text(name), block.scope, binding, name)
        x.bind_name(f"type {scope.name}", block, scope.register, TO_DEFINITION, scope.index)
        inner = Block(scope, block)
        for part in parts(binding, "body", ("field_declaration", "constructor_declaration")):
            field = find(part, "#0")
            if field is not None:
                index = x.add_variable(x.text(field), scope, field, part)
                x.bind_name(x.text(field), inner, NOTHING, TO_VARIABLE, index)
                if part.type == "constructor_declaration":
                    x.bind_name(x.text(field), block, NOTHING, TO_VARIABLE, index)


def _declare_classes(x: TabledExtraction, node: "Node", block: Block) -> None:
    for binding in parts(node, "", ("class_binding",)):
        _CLASS(x, binding, block)


class _Method(_OcamlFunction):
    def read_body(self, x: TabledExtraction, scope: Scope, node: "Node", block: Block) -> None:
        own = node.parent.child_by_field_name("self") if node.parent is not None else None
        if own is not None:
            x.bind_local(x.text(own), block, scope.self_register)
        _OcamlFunction.read_body(self, x, scope, node, block)


# ---- expressions


def _read_infix(x: TabledExtraction, node: "Node", block: Block) -> int:
    """`x |> f` and `f @@ x` call f; `m >>= f` hands it on."""
    left, right, operator = find(node, "left"), find(node, "right"), find(node, "operator")
    sign = x.text(operator) if operator is not None else ""
    if left is None or right is None:
        return NOTHING
    if sign in _APPLIES_RIGHT:
        value = x.read(left, block)
        return _apply(x, right, value, block)
    if sign in _APPLIES_LEFT:
        value = x.read(right, block)
        return _apply(x, left, value, block)
    x.read(left, block)
    value = x.read(right, block)
    if sign in _BINDS and value >= 0 and right.type == "value_path":
        x.emit_call(value, x.name_node(right), [], block, FORM_CALLBACK)
    return NOTHING


def _apply(x: TabledExtraction, function: "Node", value: int, block: Block) -> int:
    callee = x.read(function, block)
    if function.type != "value_path":
        return callee  # `x |> f y`: what calls f is the application itself
    return x.emit_call(callee, x.name_node(function), [value], block)


def _read_application(x: TabledExtraction, node: "Node", block: Block) -> int:
    """Constructors are not called; a method was called where it was read."""
    function = find(node, "function")
    if function is None or function.type not in ("constructor_path", "method_invocation"):
        return _CALL(x, node, block)
    value = x.read(function, block)
    x.read_arguments((each for each in node.named_children if each.id != function.id), block)
    return value if function.type == "method_invocation" else NOTHING


def _read_sending(x: TabledExtraction, node: "Node", block: Block) -> int:
    name = find(node, "method")
    value = _MEMBER(x, node, block)
    return NOTHING if name is None else x.emit_call(value, name, [], block)


def _read_case(x: TabledExtraction, node: "Node", block: Block) -> int:
    inner, pattern = block.inner(), find(node, "pattern")
    if pattern is not None:
        _bind_pattern(x, pattern, inner, NOTHING)
    value = NOTHING
    for child in node.named_children:
        if pattern is None or child.id != pattern.id:
            value = x.read(child, inner)
    return value


def _read_closure(x: TabledExtraction, node: "Node", block: Block) -> int:
    inner = block.inner()
    for part in parts(node, "", ("parameter",)):
        _bind_pattern(x, part, inner, NOTHING)
    return x.run_block((n for n in node.named_children if n.type != "parameter"), inner)


_CALL = call("function")
_MEMBER = member("object", "method")
_FUNCTION = _OcamlFunction()
_CLASS = Holder(name="#class_name", body="body")
TABLE = Table(
    language="ocaml",
    readers={
        "value_name": name_reader,
        "module_name": _read_module,
        "class_name": name_reader,
        "constructor_name": name_reader,
        "value_path": _read_path,
        "module_path": _read_path,
        "extended_module_path": _read_path,
        "class_path": _read_path,
        "constructor_path": _read_path,
        "application_expression": _read_application,
        "new_expression": through("#0"),
        "method_invocation": _read_sending,
        "infix_expression": _read_infix,
        "parenthesized_expression": through("#0"),
        "labeled_argument": through("expression"),
        "let_expression": sequence,
        "sequence_expression": sequence,
        "if_expression": choice("#then_clause", "#else_clause"),
        "then_clause": through("#0"),
        "else_clause": through("#0"),
        "match_case": _read_case,
        "fun_expression": _read_closure,
        "function_expression": _read_closure,
        "local_open_expression": _read_local_open,
        "typed_expression": through("#0"),
        "field_get_expression": through("record"),
        "type_constructor_path": nothing,
        "string": nothing,
        "attribute": nothing,
    },
    declarations={
        "open_module": _open,
        "include_module": _open,
        "module_definition": _declare_module,
        "type_definition": _declare_types,
        "value_definition": _declare_values,
        "class_definition": _declare_classes,
        "method_definition": _Method(name="#method_name"),
        "instance_variable_definition": Field(name="#instance_variable_name", value="body"),
        "exception_definition": Field(name="#constructor_declaration/#constructor_name"),
        "external": Function(name="#value_name"),
        "value_specification": Function(name="#value_name"),
    },
    names=frozenset(("value_name",)),
    tails={
        "value_path": "#-1",
        "class_path": "#-1",
        "new_expression": "#0",
        "method_invocation": "method",
        "parenthesized_expression": "#0",
        "constructor_path": "#-1",
    },
    builtins=_BUILTINS,
    passes_functions=True,
)


class OcamlModules:
    """A module is the file of its name: the nearest one, and its text rather than its interface."""

    def __init__(self, sources: Sources) -> None:
        self._files: dict[str, list[str]] = {}
        for path in sorted(sources.paths, key=lambda path: (path.endswith(".mli"), path)):
            stem = path.rpartition("/")[2].rpartition(".")[0]
            self._files.setdefault(stem[:1].upper() + stem[1:], []).append(path)

    def find(self, module: str, level: int, path: str) -> tuple[str, ...]:
        files = [each for each in self._files.get(module, ()) if each != path]
        folder = path.rpartition("/")[0]
        near = [each for each in files if each.rpartition("/")[0] == folder]
        return tuple((near or files)[:1])

    def member(self, path: str, name: str) -> str | None:
        """A folder is a library, its files are modules of the one that is named like it."""
        folder, _, file = path.rpartition("/")
        if folder.rpartition("/")[2] != file.rpartition(".")[0]:
            return None
        inside = [each for each in self._files.get(name, ()) if each.startswith(f"{folder}/")]
        return inside[0] if inside and inside[0] != path else None


def _is_test(path: str) -> bool:
    return "test/" in path or "tests/" in path or path.rpartition("/")[2].startswith("test_")


_POLICY = Policy(dotted_modules=False)
LANGUAGES = (
    Language(
        name="ocaml",
        extensions=(".ml",),
        grammar="tree_sitter_ocaml:language_ocaml",
        extract=partial(extract_by, TABLE),
        index_modules=OcamlModules,
        is_test=_is_test,
        policy=_POLICY,
    ),
    Language(
        name="ocaml-interface",
        extensions=(".mli",),
        grammar="tree_sitter_ocaml:language_ocaml_interface",
        extract=partial(extract_by, TABLE),
        group="ocaml",
        index_modules=OcamlModules,
        policy=_POLICY,
    ),
)
