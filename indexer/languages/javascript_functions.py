"""JavaScript functions: definition, parameters, bodies, returned values."""

from typing import TYPE_CHECKING

from agrama.graph.model import Kind
from agrama.indexer.facts import (
    ABSTRACT,
    ANONYMOUS,
    ASYNC,
    CONSTRUCTIBLE,
    COPY,
    DEF,
    GENERATOR,
    LAMBDA,
    NOTHING,
    OUTSIDE,
    OVERLOAD,
    POSITIONAL,
    REST,
    RETURNS_SELF,
    STORE,
    TO_DEFINITION,
    TO_VARIABLE,
)
from agrama.indexer.languages.javascript_docs import (
    comment_start,
    read_comment,
    read_documented,
)
from agrama.indexer.languages.javascript_extraction import (
    Binding,
    Block,
    Environment,
    Extraction,
    Scope,
)
from agrama.indexer.languages.javascript_patterns import (
    Declare,
    bind,
    declare_names,
    property_name,
)
from agrama.indexer.languages.typescript_types import is_signature, read_type

if TYPE_CHECKING:
    from tree_sitter import Node  # noqa: TID251 - a type only

FUNCTIONS = frozenset(
    ("arrow_function", "function_expression", "function", "generator_function", "method_definition")
)
MAX_SIGNATURE_LENGTH = 200
MAX_DOC_LENGTH = 300
PARAMETER = Declare(fixed=True)


def define_function(
    x: Extraction,
    node: "Node",
    scope: Scope,
    name: str,
    name_node: "Node",
    *,
    kind: Kind = Kind.FUNCTION,
    prefix: str | None = None,
    owner: Scope | None = None,
    flags: int = 0,
    whole: "Node | None" = None,
) -> Scope:
    """Define a function that has a symbol; its body is read later."""
    inner = x.open_scope(kind, name, name_node, node, owner or scope)
    if owner is not None:
        inner.block = inner.top = Block(scope.block)
        inner.owner = owner.index
    inner.flags |= flags
    x.name_scope(inner, scope.prefix if prefix is None else prefix)
    inner.signature = function_signature(x, node, name)
    if whole is not None:
        inner.body_line = whole.start_point[0] + 1
    inner.doc = read_doc(x, whole or node)
    return _finish(x, inner, node)


def define_anonymous(x: Extraction, node: "Node", scope: Scope, *, symbol: bool) -> Scope:
    """Define a function without a name. Callbacks have no symbol: their edges belong around them."""
    if not symbol:
        inner = x.open_scope(Kind.FUNCTION, "", node, node, scope)
        inner.flags |= ANONYMOUS | LAMBDA
        inner.prefix = inner.qualified = scope.prefix
        return _finish(x, inner, node)
    holder = scope
    while holder.flags & ANONYMOUS and holder.parent is not None:
        holder = holder.parent
    holder.lambdas += 1
    inner = x.open_scope(Kind.FUNCTION, f"<lambda{holder.lambdas}>", node, node, scope)
    inner.flags |= LAMBDA
    x.name_scope(inner, holder.prefix)
    inner.signature = function_signature(x, node, inner.name)
    return _finish(x, inner, node)


def _finish(x: Extraction, inner: Scope, node: "Node") -> Scope:
    inner.arrow = node.type == "arrow_function"
    for child in node.children[:4]:
        if child.type == "async":
            inner.flags |= ASYNC
        elif child.type == "*":
            inner.flags |= GENERATOR
    if not inner.arrow and inner.name in x.constructed and inner.kind == Kind.FUNCTION:
        inner.flags |= CONSTRUCTIBLE
    inner.register = x.register()
    x.emit(DEF, inner.register, inner.index)
    x.definition_of[inner.register] = inner
    x.pending.append((inner, node))
    return inner


def read_bodies(x: Extraction) -> None:
    """Read the functions found so far, and those found in them."""
    while x.pending:
        inner, node = x.pending.pop()
        try:
            _read_body(x, inner, node)
        except RecursionError:  # an expression nested a thousand levels deep is skipped
            inner.final = inner.final or {}


def _read_body(x: Extraction, inner: Scope, node: "Node") -> None:
    """Read a function's parameters and body, after everything around it is known."""
    env: Environment = {}
    own = node.child_by_field_name("name")
    if own is not None and node.type in ("function_expression", "generator_function"):
        _bind_own_name(x, x.text(own), inner, env)
    declare_type_parameters(x, node, inner, env)
    _read_parameters(x, node, inner, env)
    declared = node.child_by_field_name("return_type")
    if declared is not None:
        inner.return_type = read_type(x, declared, inner, env)
        if declared.named_child_count and declared.named_children[0].type == "this_type":
            inner.flags |= RETURNS_SELF
    if x.documented and not inner.flags & ANONYMOUS:
        read_documented(x, inner, comment_start(node), env)
    body = node.child_by_field_name("body")
    after: Environment | None = env
    if body is not None:
        if body.type == "statement_block":
            after = x.statements(body.named_children, inner, env)
        else:
            add_return(x, x.value(body, inner, env), inner)
    inner.final = after if after is not None else env


def _bind_own_name(x: Extraction, name: str, inner: Scope, env: Environment) -> None:
    binding = x.declare(name, inner, fixed=True)
    binding.function = inner
    if not inner.flags & ANONYMOUS:
        binding.targets.append((TO_DEFINITION, inner.index))
    x.assign(binding, inner.register, env)


def declare_type_parameters(x: Extraction, node: "Node", scope: Scope, env: Environment) -> None:
    """`<T extends Shape>`: T stands for its constraint, or for anything."""
    parameters = node.child_by_field_name("type_parameters")
    for child in parameters.named_children if parameters is not None else ():
        name = child.child_by_field_name("name")
        if name is not None:
            binding = Binding(x.text(name), scope, fixed=True)
            binding.versions.append(NOTHING)
            scope.block.types[binding.name] = binding
            x.type_values[binding] = NOTHING
            constraint = child.child_by_field_name("constraint")
            if constraint is not None:
                x.type_values[binding] = max(read_type(x, constraint, scope, env), NOTHING)
            default = child.child_by_field_name("value")
            if default is not None:
                read_type(x, default, scope, env)


def define_overload(
    x: Extraction, node: "Node", scope: Scope, name_node: "Node", owner: Scope | None = None
) -> None:
    """A signature beside its implementation, which must be defined already: it keeps the name."""
    kind = Kind.FUNCTION if owner is None else Kind.METHOD
    prefix = scope.prefix if owner is None else owner.qualified
    name = property_name(x, name_node)
    flags = OVERLOAD | ABSTRACT
    define_function(
        x, node, scope, name, name_node, kind=kind, prefix=prefix, owner=owner, flags=flags
    )


def _read_parameters(x: Extraction, node: "Node", inner: Scope, env: Environment) -> None:
    single = node.child_by_field_name("parameter")
    if single is not None:
        _read_parameter(x, single, inner, env)
        return
    parameters = node.child_by_field_name("parameters")
    children = parameters.named_children if parameters is not None else []
    for child in children:
        pattern = child.child_by_field_name("pattern") or child
        declare_names(x, pattern, inner, PARAMETER)
    for child in children:
        _read_parameter(x, child, inner, env)


def _read_parameter(x: Extraction, node: "Node", inner: Scope, env: Environment) -> None:
    pattern = node.child_by_field_name("pattern") or node
    annotation, default = node.child_by_field_name("type"), node.child_by_field_name("value")
    if pattern.type in ("this", "comment", "decorator", "ERROR"):
        declared = read_type(x, annotation, inner, env) if annotation is not None else NOTHING
        if pattern.type == "this" and declared >= 0:
            x.emit(COPY, x.this(inner), declared)
        return
    if pattern.type == "assignment_pattern":
        default = pattern.child_by_field_name("right")
        pattern = pattern.child_by_field_name("left") or pattern
    kind = REST if pattern.type == "rest_pattern" else POSITIONAL
    register = x.register()
    declared = _declare_type(x, annotation, register, inner, env)
    if default is not None:
        value = x.value(default, inner, env)
        if value >= 0 and declared == 0:
            x.emit(COPY, register, value)
    if declared <= 0 and kind == POSITIONAL and default is None:
        inner.parameter_of[register] = len(inner.parameters)
    name = x.text(pattern) if pattern.type == "identifier" else ""
    inner.parameters.append((name, register, kind, declared if kind == POSITIONAL else 0))
    bind(x, pattern, register, inner, env, PARAMETER)
    promise = x.promise_of.pop(inner.index, NOTHING)
    if promise >= 0 and name:
        inner.top.names[name].promise = promise
    if node.type in ("required_parameter", "optional_parameter"):
        _read_modifiers(x, node, pattern, register, declared, inner, env)


def _declare_type(
    x: Extraction, annotation: "Node | None", register: int, inner: Scope, env: Environment
) -> int:
    if annotation is None:
        return 0
    declared = read_type(x, annotation, inner, env)
    if declared >= 0:
        x.emit(COPY, register, declared)
        return 0 if is_signature(x, declared) else declared + 1
    return -1 if declared == OUTSIDE else 0


def _read_modifiers(
    x: Extraction,
    node: "Node",
    pattern: "Node",
    register: int,
    declared: int,
    inner: Scope,
    env: Environment,
) -> None:
    """`constructor(private x: X)` declares and stores the field; decorators are read."""
    is_field = False
    for child in node.children:
        if child.type in ("accessibility_modifier", "readonly", "override_modifier"):
            is_field = True
        elif child.type == "decorator":
            x.value(child, inner, env)
    if not is_field or inner.owner < 0 or pattern.type != "identifier":
        return
    owner, name = x.scopes[inner.owner], x.text(pattern)
    x.emit(STORE, x.this(inner), name, register)
    index = x.add_variable(name, pattern, owner, prefix=owner.qualified)
    if index >= 0:
        owner.members.setdefault(name, (max(declared - 1, NOTHING), TO_VARIABLE, index))


def add_return(x: Extraction, register: int, scope: Scope) -> None:
    """Record a returned value; parameters, `this` and `this.x` are resolved per call."""
    if register < 0:
        return
    if register == scope.self_register:
        scope.flags |= RETURNS_SELF
    elif register in scope.parameter_of:
        scope.returns.append(-2 - scope.parameter_of[register])
    elif scope.owner >= 0 and not scope.arrow and register in x.attribute_of:
        scope.returns.append(x.attribute_of[register])
    elif any(
        part in scope.parameter_of or part == scope.self_register
        for part in x.merged_from.get(register, ())
    ):
        for part in x.merged_from[register]:
            if part in scope.parameter_of or part == scope.self_register:
                add_return(x, part, scope)
            else:
                scope.returns.append(part)
    else:
        scope.returns.append(register)


def squeeze(x: Extraction, start: int, end: int) -> str:
    text = x.source[start : min(end, start + MAX_SIGNATURE_LENGTH * 2)]
    return " ".join(text.decode("utf-8", "replace").split())[:MAX_SIGNATURE_LENGTH]


def function_signature(x: Extraction, node: "Node", name: str) -> str:
    parameters = node.child_by_field_name("parameters") or node.child_by_field_name("parameter")
    returns = node.child_by_field_name("return_type")
    if parameters is None:
        return f"{name}()"
    end = returns.end_byte if returns is not None else parameters.end_byte
    text = squeeze(x, parameters.start_byte, end)
    return f"{name}{text}" if text.startswith("(") else f"{name}({text})"


def read_doc(x: Extraction, node: "Node") -> str:
    """The first paragraph of the comment right before a definition."""
    lines: list[str] = []
    for line in read_comment(x, node.start_byte)[3:-2].split("\n"):
        bare = line.strip().lstrip("*").strip()
        if (not bare and lines) or bare.startswith("@"):
            break
        if bare:
            lines.append(bare)
    return " ".join(lines)[:MAX_DOC_LENGTH]
