"""Perl: packages are classes, `bless` makes instances, `->` calls methods.

`$self` and `$class` are what a sub takes first from `@_`; `$self->{x}` is an attribute.
"""

import re
from functools import partial
from typing import TYPE_CHECKING

from agrama.graph.model import Kind
from agrama.indexer.facts import (
    CLASS_METHOD,
    FORM_CALL,
    NOTHING,
    RETURNS_CLASS,
    STORE,
    SUPER,
    TO_DEFINITION,
    FileFacts,
)
from agrama.indexer.languages.dynamic import (
    DynamicExtraction,
    class_around,
    function_around,
    read_last,
)
from agrama.indexer.languages.typed import Block, Environment, Handler, Scope

if TYPE_CHECKING:
    from tree_sitter import Node  # noqa: TID251 - a type only

_BASES = frozenset(("parent", "base"))
_WORDS = re.compile(r"[A-Za-z_]\w*(?:::\w+)*")
_PRAGMAS = re.compile(r"[a-z]\w*$")
_BUILTINS = frozenset(
    """
    abs bless chomp chop chr close defined delete die each eof eval exists exit grep int join keys
    lc lcfirst length local map oct open ord pop pos print printf push quotemeta rand read ref
    reverse rindex index say scalar shift sort splice split sprintf sqrt srand substr system tie
    time uc ucfirst undef unlink unshift values wantarray warn
    """.split()
)
_CALLS = ("function_call_expression", "ambiguous_function_call_expression")


class PerlExtraction(DynamicExtraction):
    """Everything collected from one Perl file."""

    language = "perl"

    def __init__(self, source: bytes, path: str, root: "Node") -> None:
        super().__init__(source, path, root)
        self.imported: dict[str, str] = {}  # function -> package
        self.blessed: set[int] = set()

    def class_named(self, name: str, node: "Node | None", scope: Scope) -> int:
        return self.full_name([name], node, scope)


def extract_perl(root: "Node", source: bytes, path: str) -> FileFacts:
    """Facts of a Perl file."""
    x = PerlExtraction(source, path, root)
    x.guard(lambda: _read_statements(x, root.named_children, Block(x.file, None), {}))
    x.read_bodies()
    return x.facts()


def _read_statements(x: PerlExtraction, nodes: list["Node"], block: Block, env: Environment) -> int:
    """A `package` statement holds until the next one."""
    value = NOTHING
    for node in nodes:
        if node.type == "package_statement":
            block = _open_package(x, node, block, env)
        else:
            value = x.value(node, block, env)
    return value


def _open_package(x: PerlExtraction, node: "Node", block: Block, env: Environment) -> Block:
    name = node.child_by_field_name("name")
    outer = Block(x.file, None)
    if name is None or x.text(name) == "main":
        scope = x.file
    else:
        text = x.text(name)
        scope = x.define(Kind.CLASS, text, x.file, node, name, text)
        x.export_name(text, scope.register, TO_DEFINITION, scope.index)
    inner = Block(scope, outer)
    body = next((c for c in node.named_children if c.type == "block"), None)
    if body is not None:
        _read_statements(x, body.named_children, inner, env)
        return block
    scope.end_line = x.file.end_line
    return inner


def read_use(x: PerlExtraction, node: "Node", block: Block, env: Environment) -> int:
    """`use parent 'A'` names bases, `use A qw(f)` imports functions."""
    module = node.child_by_field_name("module")
    if module is None:
        return NOTHING
    name, cls = x.text(module), class_around(block)
    rest = x.text(node)[len("use ") + len(name) :]
    listed = _WORDS.findall(rest.replace("qw", " ").replace("-norequire", " "))
    if name in _BASES:
        for base in listed if cls is not None else ():
            register = x.class_named(base, None, block.scope)
            if cls is not None and register not in cls.bases:
                cls.bases.append(register)
        return NOTHING
    if not _PRAGMAS.match(name):
        x.import_name(name, module, block.scope)
        x.imported.update(dict.fromkeys(listed, name))
    return NOTHING


def read_require(x: PerlExtraction, node: "Node", block: Block, env: Environment) -> int:
    inner = node.named_children[0] if node.named_child_count else None
    if inner is None:
        return NOTHING
    if "string" in inner.type:
        x.import_path(x.text(inner).strip("'\""), 1, inner, block.scope)
    else:
        x.import_name(x.text(inner), inner, block.scope)
    return NOTHING


def read_sub(x: PerlExtraction, node: "Node", block: Block, env: Environment) -> int:
    name, body = node.child_by_field_name("name"), node.child_by_field_name("body")
    if name is None:
        return NOTHING
    cls = class_around(block)
    text = x.text(name)
    kind = Kind.FUNCTION if cls is None else Kind.METHOD
    scope = x.define(kind, text.rpartition("::")[2], block.scope, node, name)
    package = cls.name if cls is not None else "main"
    x.export_name(f"{package}::{text}()", scope.register, TO_DEFINITION, scope.index)
    if cls is not None:
        scope.owner = cls
        scope.self_register = x.register()
        x.add_member(cls, scope.name, scope.register, TO_DEFINITION, scope.index)
        own = x.text(body) if body is not None else ""
        if text == "new" or re.search(r"\$class\b", own):
            scope.flags |= CLASS_METHOD
    inner = Block(scope, None)

    def read() -> None:
        start: Environment = {}
        last = x.value(body, inner, start)
        _give_back(x, scope, last)

    x.bodies.append(read)
    return NOTHING


def _give_back(x: PerlExtraction, scope: Scope, value: int) -> None:
    if value in x.blessed and scope.flags & CLASS_METHOD:
        scope.flags |= RETURNS_CLASS
    else:
        x.add_return(scope, value)


def read_closure(x: PerlExtraction, node: "Node", block: Block, env: Environment) -> int:
    scope = x.define_closure(node, block)
    inner = Block(scope, block)
    body = node.child_by_field_name("body")
    x.defer(lambda: x.add_return(scope, x.value(body, inner, {})))
    return scope.register


def read_block(x: PerlExtraction, node: "Node", block: Block, env: Environment) -> int:
    return _read_statements(x, node.named_children, block, env)


def read_return(x: PerlExtraction, node: "Node", block: Block, env: Environment) -> int:
    value = read_last(x, node, block, env)
    function = function_around(block)
    if function is not None:
        _give_back(x, function, value)
    return NOTHING


# ---- values


def read_scalar(x: PerlExtraction, node: "Node", block: Block, env: Environment) -> int:
    local = block.find(x.text(node).lstrip("$"))
    return x.read_local(local, block, env) if local is not None else NOTHING


def read_assignment(x: PerlExtraction, node: "Node", block: Block, env: Environment) -> int:
    left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
    if left is None or right is None:
        return NOTHING
    given = x.text(right).strip()
    function = function_around(block)
    own = NOTHING if function is None or function.is_class else function.self_register
    value = own if given in ("shift", "shift()", "shift @_", "$_[0]") else NOTHING
    if value < 0:
        value = x.value(right, block, env)
    names = [left]
    if left.type == "variable_declaration":
        names = left.named_children
        if x.text(left).startswith("our") and "@ISA" in x.text(left):
            _read_isa(x, right, block)
    for at, name in enumerate(names):
        if given == "@_":
            value = own if at == 0 else NOTHING
        assign(x, name, value if at == 0 or given != "@_" else NOTHING, block, env)
    return value


def _read_isa(x: PerlExtraction, node: "Node", block: Block) -> None:
    cls = class_around(block)
    for base in _WORDS.findall(x.text(node).replace("qw", " ")):
        if cls is not None:
            cls.bases.append(x.class_named(base, None, block.scope))


def assign(x: PerlExtraction, target: "Node", value: int, block: Block, env: Environment) -> None:
    if target.type == "scalar":
        name = x.text(target).lstrip("$")
        x.assign(block.find(name) or x.declare(name, block), value, block, env)
    elif target.type == "hash_element_expression":
        base, name = _element(x, target, block, env)
        if base >= 0 and name:
            cls = class_around(block)
            if cls is not None:
                x.add_attribute(name, cls, target)
            x.refer_attribute(target, base, name, block.scope.index)
            if value >= 0:
                x.emit(STORE, base, name, value)
    else:
        x.value(target, block, env)


def _element(x: PerlExtraction, node: "Node", block: Block, env: Environment) -> tuple[int, str]:
    parts, key = node.named_children, node.child_by_field_name("key")
    base = x.value(parts[0], block, env) if parts else NOTHING
    text = x.text(key).strip("'\"") if key is not None else ""
    return base, f"{{{text}}}" if text.replace("_", "a").isalnum() else ""


def read_element(x: PerlExtraction, node: "Node", block: Block, env: Environment) -> int:
    base, name = _element(x, node, block, env)
    if base < 0 or not name:
        return NOTHING
    x.refer_attribute(node, base, name, block.scope.index)
    return x.attribute(base, name)


# ---- calls


def _arguments(x: PerlExtraction, node: "Node", block: Block, env: Environment) -> list[int]:
    listed = node.child_by_field_name("arguments")
    if listed is None:
        return []
    nodes = listed.named_children if listed.type == "list_expression" else [listed]
    return [x.value(each, block, env) for each in nodes]


def read_method_call(x: PerlExtraction, node: "Node", block: Block, env: Environment) -> int:
    invocant, method = node.child_by_field_name("invocant"), node.child_by_field_name("method")
    if invocant is None or method is None:
        return NOTHING
    name = x.text(method)
    arguments = _arguments(x, node, block, env)
    cls = class_around(block)
    if name.startswith("SUPER::") and cls is not None:
        base = x.register()
        x.emit(SUPER, base, cls.index)
        return x.call_method(base, name[len("SUPER::") :], arguments, method, block)
    if invocant.type in ("bareword", "package"):
        text = x.text(invocant)
        own = cls is not None and text == "__PACKAGE__"
        base = cls.register if own and cls else x.class_named(text, invocant, block.scope)
    else:
        base = x.value(invocant, block, env)
    if method.type != "method":
        return NOTHING
    return x.call_method(base, name, arguments, method, block)


def read_call(x: PerlExtraction, node: "Node", block: Block, env: Environment) -> int:
    function = node.child_by_field_name("function")
    arguments = _arguments(x, node, block, env)
    if function is None:
        return NOTHING
    name, cls = x.text(function).lstrip("&"), class_around(block)
    if name == "bless" and cls is not None:
        return _bless(x, node, cls, block, env)
    if name in _BUILTINS and (cls is None or name not in cls.members):
        return NOTHING
    package = cls.name if cls is not None else "main"
    names = [name] if "::" in name else [f"{package}::{name}"]
    if name in x.imported:
        names.append(f"{x.imported[name]}::{name}")
    callee = x.full_name([f"{each}()" for each in names], function, block.scope)
    return x.call(callee, arguments, function, block, FORM_CALL)


def _bless(x: PerlExtraction, node: "Node", cls: Scope, block: Block, env: Environment) -> int:
    """An instance of the package; a variable that is blessed becomes one."""
    value = x.instance(cls.register)
    x.blessed.add(value)
    listed = node.child_by_field_name("arguments")
    first = listed.named_children[0] if listed is not None and listed.named_child_count else None
    if first is not None and first.type == "scalar":
        assign(x, first, value, block, env)
    return value


def read_reference(x: PerlExtraction, node: "Node", block: Block, env: Environment) -> int:
    """`\\&name` is the function itself."""
    text = x.text(node).replace(" ", "")
    if not text.startswith("\\&") or not _WORDS.fullmatch(text[2:]):
        return read_last(x, node, block, env)
    cls = class_around(block)
    package = cls.name if cls is not None else "main"
    name = text[2:] if "::" in text else f"{package}::{text[2:]}"
    return x.full_name([f"{name}()"], node, block.scope)


def read_reference_call(x: PerlExtraction, node: "Node", block: Block, env: Environment) -> int:
    """`$code->(…)`."""
    parts = node.named_children
    callee = x.value(parts[0], block, env) if parts else NOTHING
    return x.call(callee, _arguments(x, node, block, env), node, block)


def read_for(x: PerlExtraction, node: "Node", block: Block, env: Environment) -> int:
    variable, listed = node.child_by_field_name("variable"), node.child_by_field_name("list")
    nodes = [listed] if listed is not None else []
    while len(nodes) == 1 and nodes[0].type in ("list_expression", "parenthesized_expression"):
        nodes = nodes[0].named_children
    known = tuple(v for v in (x.value(each, block, env) for each in nodes) if v >= 0)
    if variable is not None:
        assign(x, variable, x.merge_versions(known) if known else NOTHING, block, env)
    return x.value(node.child_by_field_name("block"), block, env)


def read_condition(x: PerlExtraction, node: "Node", block: Block, env: Environment) -> int:
    """What is assigned on one way only is kept beside what was there before."""
    return x.branch(env, [partial(read_last, x, node, block), lambda own: NOTHING])


_EXPRESSIONS: dict[str, Handler] = {
    "use_statement": read_use,
    "require_expression": read_require,
    "subroutine_declaration_statement": read_sub,
    "method_declaration_statement": read_sub,
    "anonymous_subroutine_expression": read_closure,
    "block": read_block,
    "for_statement": read_for,
    "refgen_expression": read_reference,
    "coderef_call_expression": read_reference_call,
    "return_expression": read_return,
    "scalar": read_scalar,
    "assignment_expression": read_assignment,
    "hash_element_expression": read_element,
    "method_call_expression": read_method_call,
    **dict.fromkeys(_CALLS, read_call),
    **dict.fromkeys(("conditional_statement", "if_statement", "loop_statement",
                     "foreach_statement", "while_statement"), read_condition),
    **dict.fromkeys(("expression_statement", "variable_declaration", "parenthesized_expression"),
                    read_last),
}  # fmt: skip
PerlExtraction.expressions = _EXPRESSIONS
PerlExtraction.statements = {}
