"""JavaScript statements except classes, imports and exports."""

import re
from typing import TYPE_CHECKING

from agrama.indexer.facts import COPY, NOTHING, TO_DEFINITION, TO_IMPORT
from agrama.indexer.languages.javascript_extraction import (
    Block,
    Environment,
    Extraction,
    Scope,
    hoisted,
    merge,
    set_path,
    statement,
)
from agrama.indexer.languages.javascript_functions import add_return, define_function
from agrama.indexer.languages.javascript_modules import declare_required
from agrama.indexer.languages.javascript_naming import Naming, definitions_in, read_named
from agrama.indexer.languages.javascript_narrowing import narrow
from agrama.indexer.languages.javascript_objects import iterate
from agrama.indexer.languages.javascript_patterns import Declare, bind, declare_names
from agrama.indexer.languages.typescript_types import read_type

if TYPE_CHECKING:
    from tree_sitter import Node  # noqa: TID251 - a type only

# A cheap superset of the names that a loop may assign.
_ASSIGNED = re.compile(rb"([A-Za-z_$][\w$]*)\s*(?:[|&?]{0,2}=(?![=>])|,|\]|\})")


# ---- declarations


@hoisted("function_declaration", "generator_function_declaration")
def hoist_function(x: Extraction, node: "Node", scope: Scope, env: Environment) -> None:
    name = node.child_by_field_name("name")
    if name is None:
        return
    text = x.text(name)
    binding = x.declare(text, scope, fixed=True)
    parent = node.parent
    whole = parent if parent is not None and parent.type == "export_statement" else node
    inner = define_function(x, node, scope, text, name, whole=whole)
    binding.targets = [t for t in binding.targets if t[0] != TO_DEFINITION]
    binding.targets.append((TO_DEFINITION, inner.index))
    binding.function = inner
    binding.versions.clear()  # of two functions with one name the last wins
    x.assign(binding, inner.register, env)


@hoisted("lexical_declaration")
def hoist_names(x: Extraction, node: "Node", scope: Scope, env: Environment) -> None:
    fixed = node.child_count > 0 and node.children[0].type == "const"
    for child in node.named_children:
        name = child.child_by_field_name("name")
        if name is not None:
            declare_names(x, name, scope, Declare(fixed))


@hoisted("variable_declaration")
def hoist_variables(x: Extraction, node: "Node", scope: Scope, env: Environment) -> None:
    for child in node.named_children:
        name = child.child_by_field_name("name")
        if name is not None:
            declare_names(x, name, scope, Declare(fixed=False, block=scope.top))


@statement("lexical_declaration", "variable_declaration")
def read_declaration(x: Extraction, node: "Node", scope: Scope, env: Environment) -> Environment:
    word = node.children[0].type if node.child_count else "var"
    how = Declare(word == "const", scope.top if word == "var" else None)
    for child in node.named_children:
        if child.type == "variable_declarator":
            _read_declarator(x, child, node, scope, env, how)
    return env


def _read_declarator(
    x: Extraction, node: "Node", whole: "Node", scope: Scope, env: Environment, how: Declare
) -> None:
    name, value = node.child_by_field_name("name"), node.child_by_field_name("value")
    annotation = node.child_by_field_name("type")
    if name is None:
        return
    declared = read_type(x, annotation, scope, env) if annotation is not None else NOTHING
    if name.type != "identifier":
        register = x.value(value, scope, env) if value is not None else NOTHING
        if name.type == "object_pattern" and register in x.required:
            declare_required(x, name, x.required[register], scope, how)
        bind(x, name, x.declared_value(declared, register), scope, env, how)
        return
    text = x.text(name)
    register = NOTHING
    if value is not None:
        parent = whole.parent
        outer = parent if parent is not None and parent.type == "export_statement" else whole
        naming = Naming(text, name, scope.prefix, whole=outer)
        register = read_named(x, value, scope, env, naming)
    targets = definitions_in(x, register, text)
    if not targets:
        register = x.declared_value(declared, register)
    if targets:
        binding = x.declare(text, scope, fixed=how.fixed, block=how.block)
        binding.targets.extend(target for target in targets if target not in binding.targets)
        binding.function = x.scopes[targets[0][1]]
        x.assign(binding, register, env)
        return
    binding = x.declare(text, scope, fixed=how.fixed, block=how.block)
    if register in x.required and not binding.targets:
        binding.targets.append((TO_IMPORT, x.required[register]))
        x.assign(binding, register, env)
        return
    if value is None and how.block is not None and binding in env:
        return  # `var x;` again leaves its value
    if register < 0 and not how.fixed and binding.cell < 0:
        register = binding.cell = x.register()  # functions may assign to it later
    binding.prototype = _prototype_in(x, value, scope)
    bind(x, name, register, scope, env, how)
    for key, part in x.elements.get(register, {}).items():
        if part >= 0:
            set_path(binding, "." + key, part, env)


def _prototype_in(x: Extraction, value: "Node | None", scope: Scope) -> Scope | None:
    """The class F of `const p = F.prototype`."""
    if value is None or value.type != "member_expression":
        return None
    base, name = value.child_by_field_name("object"), value.child_by_field_name("property")
    if base is None or name is None or base.type != "identifier" or x.text(name) != "prototype":
        return None
    binding = scope.block.find(x.text(base))
    return binding.function if binding is not None else None


@statement("expression_statement")
def read_expression(x: Extraction, node: "Node", scope: Scope, env: Environment) -> Environment:
    for child in node.named_children:
        if child.type != "string":
            x.value(child, scope, env)
    return env


@statement("statement_block")
def read_block(x: Extraction, node: "Node", scope: Scope, env: Environment) -> Environment | None:
    return x.inner_block(node.named_children, scope, env)


# ---- jumps


@statement("return_statement")
def read_return(x: Extraction, node: "Node", scope: Scope, env: Environment) -> None:
    for child in node.named_children:
        if child.type != "comment":
            add_return(x, x.value(child, scope, env), scope)


@statement("throw_statement")
def read_throw(x: Extraction, node: "Node", scope: Scope, env: Environment) -> None:
    for child in node.named_children:
        x.value(child, scope, env)


@statement("break_statement", "continue_statement")
def read_jump(x: Extraction, node: "Node", scope: Scope, env: Environment) -> None:
    return None


@statement("labeled_statement")
def read_labeled(x: Extraction, node: "Node", scope: Scope, env: Environment) -> Environment | None:
    body = node.child_by_field_name("body")
    after = x.statements([body], scope, env) if body is not None else env
    return after if after is not None else env


@statement("ERROR")
def read_broken(x: Extraction, node: "Node", scope: Scope, env: Environment) -> Environment:
    """Inside a syntax error whole statements may have survived."""
    return x.statements(node.named_children, scope, env) or env


# ---- branches


def _branch(
    x: Extraction, node: "Node | None", scope: Scope, env: Environment
) -> Environment | None:
    """A body: a block or a single statement."""
    if node is None:
        return env
    if node.type == "statement_block":
        return x.inner_block(node.named_children, scope, env)
    if node.type == "else_clause":
        return _branch(x, node.named_children[-1] if node.named_child_count else None, scope, env)
    return x.inner_block([node], scope, env)


@statement("if_statement")
def read_if(x: Extraction, node: "Node", scope: Scope, env: Environment) -> Environment | None:
    """A chain of `else if` is read in a loop: generated code has long ones."""
    ways: list[Environment | None] = []
    rest: Environment | None = env
    current: Node | None = node
    while current is not None and rest is not None:
        condition = current.child_by_field_name("condition")
        if condition is not None:
            x.value(condition, scope, rest)
        chosen = dict(narrow(x, condition, scope, rest, holds=True))
        ways.append(_branch(x, current.child_by_field_name("consequence"), scope, chosen))
        rest = dict(narrow(x, condition, scope, rest, holds=False))
        alternative = current.child_by_field_name("alternative")
        inner = (
            alternative.named_children[-1]
            if alternative and alternative.named_child_count
            else None
        )
        if inner is not None and inner.type == "if_statement":
            current = inner
        else:
            rest = _branch(x, inner, scope, rest)
            current = None
    for way in ways:
        rest = merge(way, rest)
    return rest


@statement("switch_statement")
def read_switch(x: Extraction, node: "Node", scope: Scope, env: Environment) -> Environment | None:
    value, body = node.child_by_field_name("value"), node.child_by_field_name("body")
    if value is not None:
        x.value(value, scope, env)
    outer = scope.block
    scope.block = Block(outer)
    cases = (
        [c for c in body.named_children if c.type in ("switch_case", "switch_default")]
        if body
        else []
    )
    out: Environment | None = None if any(c.type == "switch_default" for c in cases) else env
    falling: Environment | None = None
    for case in cases:
        condition = case.child_by_field_name("value")
        if condition is not None:
            x.value(condition, scope, env)
        statements = case.children_by_field_name("body")
        inside = merge(dict(env), falling) or dict(env)
        falling = x.statements(statements, scope, inside)
        if falling is None:
            out = merge(out, inside)  # a `break` leaves with what was assigned so far
    scope.block = outer
    return merge(out, falling) or env


@statement("try_statement")
def read_try(x: Extraction, node: "Node", scope: Scope, env: Environment) -> Environment | None:
    out = _branch(x, node.child_by_field_name("body"), scope, dict(env))
    middle = merge(dict(env), out) or dict(env)
    handler = node.child_by_field_name("handler")
    if handler is not None:
        outer = scope.block
        scope.block = Block(outer)
        inside = dict(middle)
        parameter = handler.child_by_field_name("parameter")
        if parameter is not None:
            bind(x, parameter, NOTHING, scope, inside, Declare(fixed=False))
        out = merge(out, _branch(x, handler.child_by_field_name("body"), scope, inside))
        scope.block = outer
    finalizer = node.child_by_field_name("finalizer")
    if finalizer is not None:
        start = dict(out if out is not None else middle)
        last = _branch(x, finalizer.child_by_field_name("body"), scope, start)
        out = last if out is not None else None
    return out


# ---- loops


def _open_loop(
    x: Extraction, node: "Node", env: Environment
) -> tuple[Environment, dict[object, int]]:
    """The environment inside a loop: names assigned in it may hold what an earlier round left."""
    inside = dict(env)
    merged: dict[object, int] = {}
    assigned: set[bytes] | None = None
    for key, versions in env.items():
        path = type(key) is tuple
        if (path and key[1] == "!") or (not path and key.fixed):
            continue
        if assigned is None:
            assigned = set(_ASSIGNED.findall(x.source, node.start_byte, node.end_byte))
        name = key[1].rpartition(".")[2] if path else key.name
        if name.encode() not in assigned:
            continue
        if path:
            del inside[key]
        else:
            register = merged[key] = x.register()
            inside[key] = (register,)
            x.ops.extend((COPY, register, version) for version in versions if version >= 0)
    return inside, merged


def _close_loop(x: Extraction, merged: dict[object, int], after: Environment | None) -> None:
    for key, register in merged.items() if after else ():
        for version in (after or {}).get(key, ()):
            if version >= 0 and version != register:
                x.emit(COPY, register, version)


@statement("for_statement")
def read_for(x: Extraction, node: "Node", scope: Scope, env: Environment) -> Environment | None:
    outer = scope.block
    scope.block = Block(outer)
    initializer = node.child_by_field_name("initializer")
    if initializer is not None:
        x.statements([initializer], scope, env)
        if not initializer.type.endswith("declaration"):
            x.value(initializer, scope, env)
    inside, merged = _open_loop(x, node, env)
    for field in ("condition", "increment"):
        part = node.child_by_field_name(field)
        if part is not None:
            x.value(part, scope, inside)
    started = dict(inside)
    after = _branch(x, node.child_by_field_name("body"), scope, inside)
    _close_loop(x, merged, after)
    scope.block = outer
    return merge(dict(env), merge(after, started))


@statement("for_in_statement")
def read_for_in(x: Extraction, node: "Node", scope: Scope, env: Environment) -> Environment | None:
    left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
    value = x.value(right, scope, env) if right is not None else NOTHING
    outer = scope.block
    scope.block = Block(outer)
    inside, merged = _open_loop(x, node, env)
    operator = node.child_by_field_name("operator")
    element = NOTHING
    if operator is not None and operator.type == "of":
        element = iterate(x, value, scope)
    word = node.child_by_field_name("kind")
    if left is not None:
        how = None
        if word is not None:
            how = Declare(word.type == "const", scope.top if word.type == "var" else None)
        bind(x, left, element, scope, inside, how)
    started = dict(inside)
    after = _branch(x, node.child_by_field_name("body"), scope, inside)
    _close_loop(x, merged, after)
    scope.block = outer
    return merge(dict(env), merge(after, started))


@statement("while_statement", "do_statement")
def read_while(x: Extraction, node: "Node", scope: Scope, env: Environment) -> Environment | None:
    inside, merged = _open_loop(x, node, env)
    condition = node.child_by_field_name("condition")
    if condition is not None:
        x.value(condition, scope, inside)
    started = dict(narrow(x, condition, scope, inside, holds=True))
    after = _branch(x, node.child_by_field_name("body"), scope, started)
    _close_loop(x, merged, after)
    return merge(merge(after, inside), dict(env))


@statement("with_statement")
def read_with(x: Extraction, node: "Node", scope: Scope, env: Environment) -> Environment | None:
    subject = node.child_by_field_name("object")
    if subject is not None:
        x.value(subject, scope, env)
    return _branch(x, node.child_by_field_name("body"), scope, env)
