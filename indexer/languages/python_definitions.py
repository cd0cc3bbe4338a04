"""Python functions, classes and decorators."""

from typing import TYPE_CHECKING

from agrama.graph.model import Kind
from agrama.indexer.facts import (
    ABSTRACT,
    CALL,
    CLASS_METHOD,
    CONTEXT_MANAGER,
    DECORATED,
    DEF,
    FORM_DECORATOR,
    NOTHING,
    OVERLOAD,
    PROPERTY,
    RETURNS_SELF,
    STATIC,
    TEST,
    TO_DEFINITION,
    TO_VARIABLE,
    WRAPS,
)
from agrama.indexer.languages.python_builtins import callee_name
from agrama.indexer.languages.python_extraction import Environment, Extraction, Scope, statement
from agrama.indexer.languages.python_parameters import read_parameters
from agrama.indexer.languages.python_routes import read_route_decorator
from agrama.indexer.languages.python_types import read_annotation, read_class

if TYPE_CHECKING:
    from tree_sitter import Node  # noqa: TID251 - a type only

# Decorators that only set a flag: calling them would lose the function.
FLAGS = {
    "staticmethod": STATIC,
    "classmethod": CLASS_METHOD,
    "overload": OVERLOAD,
    "contextmanager": CONTEXT_MANAGER,
    "asynccontextmanager": CONTEXT_MANAGER,
    "abstractmethod": ABSTRACT,
}
ACCESSORS = frozenset(("setter", "getter", "deleter"))
MAX_SIGNATURE_LENGTH = 300
MAX_DOC_LENGTH = 400


@statement("function_definition")
def read_function(x: Extraction, node: "Node", scope: Scope, env: Environment) -> Environment:
    _define_function(x, node, scope, env, [], node)
    return env


@statement("class_definition")
def read_class_definition(
    x: Extraction, node: "Node", scope: Scope, env: Environment
) -> Environment:
    _define_class(x, node, scope, env, [], node)
    return env


@statement("decorated_definition")
def read_decorated(x: Extraction, node: "Node", scope: Scope, env: Environment) -> Environment:
    decorators = [
        child.named_children[0]
        for child in node.named_children
        if child.type == "decorator" and child.named_child_count
    ]
    definition = node.child_by_field_name("definition")
    if definition is not None and definition.type == "function_definition":
        _define_function(x, definition, scope, env, decorators, node)
    elif definition is not None and definition.type == "class_definition":
        _define_class(x, definition, scope, env, decorators, node)
    return env


def _number(name: str, scope: Scope, *, stub: bool) -> str:
    """`f`, `f#2`…: the plain name goes to the first definition that is no mere signature."""
    count, stubs = scope.counts.get(name, 0), scope.stubs.get(name, 0)
    scope.counts[name] = count + 1
    taken = count > stubs
    if stub and not taken:
        scope.stubs[name] = stubs + 1
        return f"{name}#{count + 2}"
    return f"{name}#{count + 1}" if taken else name


def _open_scope(
    x: Extraction, node: "Node", name: "Node", kind: Kind, scope: Scope, *, stub: bool = False
) -> Scope:
    text = x.text(name)
    inner = Scope(len(x.scopes), kind, text, scope)
    x.scopes.append(inner)
    own = _number(text, scope, stub=stub)
    inner.qualified = f"{scope.qualified}.{own}" if scope.qualified else own
    inner.line, inner.column = name.start_point[0] + 1, name.start_point[1]
    inner.end_line = node.end_point[0] + 1
    inner.start_byte = node.start_byte
    inner.doc = _read_doc(x, node.child_by_field_name("body"))
    return inner


def _define_function(
    x: Extraction,
    node: "Node",
    scope: Scope,
    env: Environment,
    decorators: list["Node"],
    whole: "Node",
) -> None:
    name_node = node.child_by_field_name("name")
    if name_node is None:
        return
    kind = Kind.METHOD if scope.kind == Kind.CLASS else Kind.FUNCTION
    stub = any(x.text(callee_name(decorator)) == "overload" for decorator in decorators)
    inner = _open_scope(x, node, name_node, kind, scope, stub=stub)
    inner.body_line = whole.start_point[0] + 1
    inner.signature = _function_signature(x, node, inner.name)
    if scope.kind == Kind.CLASS:
        inner.owner = scope.index
    if x.is_test and inner.name.startswith("test"):
        inner.flags |= TEST
    plain = x.register()
    x.emit(DEF, plain, inner.index)
    register = _decorate(x, decorators, inner, plain, scope, env)
    read_parameters(x, node.child_by_field_name("parameters"), inner, scope, env)
    x.pending.append((inner, node))
    for decorator in decorators:
        read_route_decorator(x, decorator, plain, scope, name_node)
    x.declare(inner.name, register, (TO_DEFINITION, inner.index))
    if _is_accessor(x, decorators) and inner.name in env:
        return
    x.bind(inner.name, register, scope, env)


def _is_accessor(x: Extraction, decorators: list["Node"]) -> bool:
    """`@name.setter`: the property stays what the name stands for."""
    return any(d.type == "attribute" and x.text(callee_name(d)) in ACCESSORS for d in decorators)


def _decorate(
    x: Extraction,
    decorators: list["Node"],
    inner: Scope,
    register: int,
    scope: Scope,
    env: Environment,
) -> int:
    """The register of the decorated function; simple decorators only set flags."""
    for decorator in reversed(decorators):
        function = decorator
        if decorator.type == "call":
            function = decorator.child_by_field_name("function") or decorator
        name_node = callee_name(function)
        name = x.text(name_node)
        value = x.value(decorator, scope, env)
        if name in FLAGS:
            inner.flags |= FLAGS[name]
        elif name.endswith("property") or name in ACCESSORS:
            inner.flags |= PROPERTY
        elif name == "wraps":
            register = _wrapped(x, decorator, inner, register, scope, env)
        elif value >= 0:
            inner.flags |= DECORATED
            point = name_node.start_point
            result = x.register()
            x.emit(
                CALL, result, value, (register,), (), point[0] + 1, point[1], scope.index,
                FORM_DECORATOR,
            )  # fmt: skip
            register = result
    return register


def _wrapped(
    x: Extraction, decorator: "Node", inner: Scope, register: int, scope: Scope, env: Environment
) -> int:
    """`@wraps(f)` makes the wrapper stand for `f`."""
    arguments = decorator.child_by_field_name("arguments")
    if arguments is None or not arguments.named_child_count:
        return register
    seen = len(x.references)
    value = x.value(arguments.named_children[0], scope, env)
    del x.references[seen:]
    if value < 0:
        return register
    inner.flags |= WRAPS
    return value


def read_body(x: Extraction, inner: Scope, node: "Node") -> None:
    """Read a function's body, after everything around it is known."""
    env: Environment = {parameter[0]: (parameter[1],) for parameter in inner.parameters}
    body = node.child_by_field_name("body")
    if node.type == "lambda":
        if body is not None:
            add_return(x, x.value(body, inner, env), inner)
        inner.final = env
        return
    declared = node.child_by_field_name("return_type")
    if declared is not None and inner.parent is not None:
        around = inner.parent.final if inner.parent.final is not None else {}
        inner.return_type = read_annotation(x, declared, inner.parent, around)
        if x.text(declared).strip("\"'") == "Self":
            inner.flags |= RETURNS_SELF
    after = x.block(body, inner, env)
    inner.final = after if after is not None else env


def add_return(x: Extraction, register: int, scope: Scope) -> None:
    """Record a returned value; parameters, self and `self.x` are resolved per call."""
    if register < 0:
        return
    if register == scope.self_register:
        scope.flags |= RETURNS_SELF
    elif register in scope.parameter_of:
        scope.returns.append(-2 - scope.parameter_of[register])
    elif scope.self_register >= 0 and register in x.attribute_of and scope.owner >= 0:
        scope.returns.append(x.attribute_of[register])
    elif register in x.merged_from and _holds_parameter(x, register, scope):
        for part in x.merged_from[register]:
            if part in scope.parameter_of or part == scope.self_register:
                add_return(x, part, scope)
            else:
                scope.returns.append(part)
    else:
        scope.returns.append(register)


def _holds_parameter(x: Extraction, register: int, scope: Scope) -> bool:
    parts = x.merged_from[register]
    return any(part in scope.parameter_of or part == scope.self_register for part in parts)


def _define_class(
    x: Extraction,
    node: "Node",
    scope: Scope,
    env: Environment,
    decorators: list["Node"],
    whole: "Node",
) -> None:
    name_node = node.child_by_field_name("name")
    if name_node is None:
        return
    inner = _open_scope(x, node, name_node, Kind.CLASS, scope)
    inner.body_line = whole.start_point[0] + 1
    bases = node.child_by_field_name("superclasses")
    inner.signature = f"class {inner.name}{_squeeze(x, bases) if bases is not None else ''}"
    for base in bases.named_children if bases is not None else ():
        if base.type == "subscript":
            inner.bases.append(read_class(x, base, scope, env))
        elif base.type in ("keyword_argument", "list_splat", "dictionary_splat", "comment"):
            x.value(base, scope, env)
        else:
            inner.bases.append(x.value(base, scope, env))
    register = x.register()
    x.emit(DEF, register, inner.index)
    for decorator in decorators:
        x.value(decorator, scope, env)
    x.declare(inner.name, register, (TO_DEFINITION, inner.index))
    inner.final = x.block(node.child_by_field_name("body"), inner, {}) or {}
    inner.members = _members(x, inner)
    x.bind(inner.name, register, scope, env)


def _members(x: Extraction, scope: Scope) -> dict[str, tuple[int, ...]]:
    final = scope.final or {}
    members = {
        name: x.binding(name, final.get(name) or tuple(versions), scope)
        for name, versions in scope.versions.items()
    }
    for name, index in scope.variables.items():
        members.setdefault(name, (NOTHING, TO_VARIABLE, index))
    return members


def _squeeze(x: Extraction, node: "Node") -> str:
    text = x.source[node.start_byte : node.end_byte][: MAX_SIGNATURE_LENGTH * 2]
    return " ".join(text.decode("utf-8", "replace").split())[:MAX_SIGNATURE_LENGTH]


def _function_signature(x: Extraction, node: "Node", name: str) -> str:
    parameters = node.child_by_field_name("parameters")
    returns = node.child_by_field_name("return_type")
    text = f"def {name}{_squeeze(x, parameters) if parameters is not None else '()'}"
    return f"{text} -> {_squeeze(x, returns)}" if returns is not None else text


def _read_doc(x: Extraction, body: "Node | None") -> str:
    """The first paragraph of a docstring."""
    first = body.named_children[0] if body is not None and body.named_child_count else None
    if first is None or first.type != "expression_statement" or not first.named_child_count:
        return ""
    string = first.named_children[0]
    if string.type != "string":
        return ""
    content = next((c for c in string.named_children if c.type == "string_content"), None)
    if content is None:
        return ""
    raw = x.source[content.start_byte : content.end_byte][: MAX_DOC_LENGTH * 4]
    paragraph = raw.decode("utf-8", "replace").strip().split("\n\n")[0]
    return " ".join(paragraph.split())[:MAX_DOC_LENGTH]
