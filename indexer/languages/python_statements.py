"""Python statements except definitions and imports."""

import re
from typing import TYPE_CHECKING

from agrama.graph.model import Kind
from agrama.indexer.facts import CALL, COPY, ENTER, FORM_RAISE, INST, NOTHING, RETURNS_CLASS
from agrama.indexer.languages.python_builtins import callee_name
from agrama.indexer.languages.python_definitions import add_return
from agrama.indexer.languages.python_expressions import read_iteration
from agrama.indexer.languages.python_extraction import (
    Environment,
    Extraction,
    Key,
    Scope,
    merge,
    statement,
)
from agrama.indexer.languages.python_names import assign, narrow
from agrama.indexer.languages.python_types import read_annotation

if TYPE_CHECKING:
    from tree_sitter import Node  # noqa: TID251 - a type only

# A cheap superset of the names that a loop may assign: whatever stands before `=`, `,`, `:` or `in`.
_ASSIGNED = re.compile(rb"([A-Za-z_]\w*)[ \)\]]*(?:=(?!=)|,|:=|in\b|:)")


@statement("expression_statement")
def read_expression(x: Extraction, node: "Node", scope: Scope, env: Environment) -> Environment:
    for child in node.named_children:
        if child.type == "assignment":
            read_assignment(x, child, scope, env)
        elif child.type == "augmented_assignment":
            _read_augmented(x, child, scope, env)
        elif child.type != "string":
            x.value(child, scope, env)
    return env


def _read_augmented(x: Extraction, node: "Node", scope: Scope, env: Environment) -> None:
    left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
    if left is not None:
        x.value(left, scope, env)
    if right is not None:
        x.value(right, scope, env)
        if left is not None and x.text(left) == "__all__":
            _read_listed(x, right, scope)


def read_assignment(x: Extraction, node: "Node", scope: Scope, env: Environment) -> int:
    """Read `left: type = right`; returns the value, for chained assignments."""
    left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
    declared = node.child_by_field_name("type")
    if left is None:
        return NOTHING
    value = NOTHING
    if right is not None:
        if right.type == "assignment":
            value = read_assignment(x, right, scope, env)
        elif declared is None and left.type in _PATTERNS and right.type in _TUPLES:
            return _assign_tuple(x, left, right, scope, env)
        else:
            named = scope.kind == Kind.FILE and left.type == "identifier"
            value = x.value(right, scope, env, constant=named)
            if named and x.text(left) == "__all__":
                _read_listed(x, right, scope)
    if declared is not None:
        annotated = read_annotation(x, declared, scope, env)
        if annotated >= 0:
            value = annotated
        if right is None and annotated < 0:
            if left.type == "identifier" and not scope.is_function:
                x.declare_variable(x.text(left), left, scope)
            return NOTHING
    assign(x, left, value, scope, env)
    return value


_PATTERNS = frozenset(("pattern_list", "tuple_pattern", "list_pattern"))
_TUPLES = frozenset(("expression_list", "tuple", "list"))


def _read_listed(x: Extraction, node: "Node", scope: Scope) -> None:
    """The names of `__all__`, when it is a plain list."""
    if scope.kind == Kind.FILE and node.type in ("list", "tuple"):
        listed = [
            x.text(item).strip("\"'") for item in node.named_children if item.type == "string"
        ]
        x.listed = (x.listed or []) + listed


def _assign_tuple(
    x: Extraction, left: "Node", right: "Node", scope: Scope, env: Environment
) -> int:
    """`a, b = c, d` pairs targets and values without a container in between."""
    targets = [child for child in left.named_children if child.type != "comment"]
    values = [child for child in right.named_children if child.type != "comment"]
    star = next((i for i, t in enumerate(targets) if t.type == "list_splat_pattern"), -1)
    spread = any(child.type == "list_splat" for child in values)
    if spread or (star < 0 and len(targets) != len(values)) or len(values) < len(targets) - 1:
        value = x.value(right, scope, env)
        assign(x, left, value, scope, env)
        return value
    registers = [_paired_value(x, value, scope, env) for value in values]
    items: list[tuple[Key, int]] = [(("i", i), r) for i, r in enumerate(registers)]
    if star >= 0:
        taken = len(values) - (len(targets) - 1)
        middle = [(("i", i), r) for i, r in enumerate(registers[star : star + taken])]
        registers[star : star + taken] = [x.container(list(middle))]
    for target, register in zip(targets, registers, strict=True):
        assign(x, target, register, scope, env)
    parent = left.parent
    chained = (
        parent is not None and parent.parent is not None and parent.parent.type == "assignment"
    )
    return x.container(items) if chained else NOTHING


def _paired_value(x: Extraction, node: "Node", scope: Scope, env: Environment) -> int:
    return x.value(node, scope, env, constant=scope.kind == Kind.FILE)


@statement("return_statement")
def read_return(x: Extraction, node: "Node", scope: Scope, env: Environment) -> None:
    if node.named_child_count:
        register = x.value(node.named_children[0], scope, env)
        if register in x.class_calls:
            scope.flags |= RETURNS_CLASS
        add_return(x, register, scope)


@statement("raise_statement")
def read_raise(x: Extraction, node: "Node", scope: Scope, env: Environment) -> None:
    for position, child in enumerate(node.named_children):
        register = x.value(child, scope, env)
        if position == 0 and register >= 0 and child.type in ("identifier", "attribute"):
            point = callee_name(child).start_point
            x.emit(
                CALL, x.register(), register, (), (), point[0] + 1, point[1], scope.index,
                FORM_RAISE,
            )  # fmt: skip


@statement("continue_statement", "break_statement")
def read_jump(x: Extraction, node: "Node", scope: Scope, env: Environment) -> None:
    return None


@statement("assert_statement")
def read_assert(x: Extraction, node: "Node", scope: Scope, env: Environment) -> Environment:
    """What is asserted holds from here on."""
    for child in node.named_children:
        x.value(child, scope, env)
    condition = node.named_children[0] if node.named_child_count else None
    return dict(narrow(x, condition, scope, env))


@statement("delete_statement", "print_statement", "exec_statement", "ERROR")
def read_values(x: Extraction, node: "Node", scope: Scope, env: Environment) -> Environment:
    for child in node.named_children:
        x.value(child, scope, env)
    return env


@statement("block")
def read_block(x: Extraction, node: "Node", scope: Scope, env: Environment) -> Environment | None:
    return x.block(node, scope, env)


@statement("type_alias_statement")
def read_alias(x: Extraction, node: "Node", scope: Scope, env: Environment) -> Environment:
    parts = node.named_children
    if len(parts) == 2 and parts[0].named_child_count:
        name = parts[0].named_children[0]
        value = read_annotation(x, parts[1], scope, env)
        if name.type == "identifier":
            assign(x, name, max(value, NOTHING), scope, env)
    return env


@statement("if_statement")
def read_if(x: Extraction, node: "Node", scope: Scope, env: Environment) -> Environment | None:
    condition = node.child_by_field_name("condition")
    if condition is not None:
        x.value(condition, scope, env)
    chosen = dict(narrow(x, condition, scope, env))
    ways = [x.block(node.child_by_field_name("consequence"), scope, chosen)]
    rest: Environment | None = dict(narrow(x, condition, scope, env, holds=False))
    for clause in node.children_by_field_name("alternative"):
        if rest is None:
            break
        if clause.type == "elif_clause":
            condition = clause.child_by_field_name("condition")
            if condition is not None:
                x.value(condition, scope, rest)
            chosen = dict(narrow(x, condition, scope, rest))
            ways.append(x.block(clause.child_by_field_name("consequence"), scope, chosen))
            rest = dict(narrow(x, condition, scope, rest, holds=False))
        elif clause.type == "else_clause":
            rest = x.block(clause.child_by_field_name("body"), scope, rest)
    for way in ways:
        rest = merge(way, rest)
    return rest


def _open_loop(x: Extraction, node: "Node", env: Environment) -> tuple[Environment, dict[str, int]]:
    """The environment inside a loop: names assigned in it may hold what an earlier round left."""
    assigned = set(_ASSIGNED.findall(x.source, node.start_byte, node.end_byte))
    inside = dict(env)
    merged: dict[str, int] = {}
    for name, versions in env.items():
        if versions and not name.endswith("!") and name.encode() in assigned:
            register = merged[name] = x.register()
            inside[name] = (register,)
            x.ops.extend((COPY, register, version) for version in versions if version >= 0)
    return inside, merged


def _close_loop(x: Extraction, merged: dict[str, int], after: Environment | None) -> None:
    for name, register in merged.items() if after else ():
        for version in (after or {}).get(name, ()):
            if version >= 0 and version != register:
                x.emit(COPY, register, version)


@statement("for_statement")
def read_for(x: Extraction, node: "Node", scope: Scope, env: Environment) -> Environment | None:
    left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
    inside, merged = _open_loop(x, node, env)
    element = read_iteration(x, right, scope, env, node) if right is not None else NOTHING
    if left is not None:
        assign(x, left, element, scope, inside)
    started = dict(inside)
    after = x.block(node.child_by_field_name("body"), scope, inside)
    _close_loop(x, merged, after)
    out = merge(dict(env), merge(after, started))
    return _read_else(x, node, scope, out)


def _read_else(
    x: Extraction, node: "Node", scope: Scope, env: Environment | None
) -> Environment | None:
    clause = node.child_by_field_name("alternative")
    if clause is None or env is None:
        return env
    return merge(env, x.block(clause.child_by_field_name("body"), scope, dict(env)))


@statement("while_statement")
def read_while(x: Extraction, node: "Node", scope: Scope, env: Environment) -> Environment | None:
    inside, merged = _open_loop(x, node, env)
    condition = node.child_by_field_name("condition")
    if condition is not None:
        x.value(condition, scope, inside)
    started = dict(narrow(x, condition, scope, inside))
    after = x.block(node.child_by_field_name("body"), scope, started)
    _close_loop(x, merged, after)
    return _read_else(x, node, scope, merge(merge(after, inside), dict(env)))


@statement("try_statement")
def read_try(x: Extraction, node: "Node", scope: Scope, env: Environment) -> Environment | None:
    body = x.block(node.child_by_field_name("body"), scope, dict(env))
    middle = merge(dict(env), body) or dict(env)
    ways = [body]
    for clause in node.named_children:
        if clause.type in ("except_clause", "except_group_clause"):
            ways.append(_read_except(x, clause, scope, dict(middle)))
        elif clause.type == "else_clause" and ways[0] is not None:
            ways[0] = x.block(clause.child_by_field_name("body"), scope, dict(ways[0]))
    out: Environment | None = None
    for way in ways:
        out = merge(out, way)
    for clause in node.named_children:
        if clause.type == "finally_clause":
            block = next((child for child in clause.named_children if child.type == "block"), None)
            last = x.block(block, scope, dict(out if out is not None else middle))
            out = last if out is not None else None
    return out


def _read_except(
    x: Extraction, clause: "Node", scope: Scope, env: Environment
) -> Environment | None:
    block = None
    for child in clause.named_children:
        if child.type == "block":
            block = child
        elif child.type == "as_pattern":
            caught = x.value(child.named_children[0], scope, env)
            register = NOTHING
            if caught >= 0:
                register = x.register()
                x.emit(INST, register, caught)
            alias = child.child_by_field_name("alias")
            if alias is not None:
                _assign_alias(x, alias, register, scope, env)
        else:
            x.value(child, scope, env)
    return x.block(block, scope, env)


def _assign_alias(
    x: Extraction, alias: "Node", register: int, scope: Scope, env: Environment
) -> None:
    """`as name`: the name of an exception is gone after its block, so it is no module variable."""
    name = alias.named_children[0] if alias.named_child_count else alias
    if name.type == "identifier" and not scope.is_function:
        env[x.text(name)] = (register,)
    else:
        assign(x, alias, register, scope, env)


@statement("with_statement")
def read_with(x: Extraction, node: "Node", scope: Scope, env: Environment) -> Environment | None:
    for clause in node.named_children:
        if clause.type == "with_clause":
            for item in clause.named_children:
                value = item.child_by_field_name("value")
                if value is not None:
                    _read_with_item(x, value, scope, env)
    return x.block(node.child_by_field_name("body"), scope, env)


def _read_with_item(x: Extraction, value: "Node", scope: Scope, env: Environment) -> None:
    if value.type != "as_pattern":
        x.value(value, scope, env)
        return
    manager = x.value(value.named_children[0], scope, env)
    register = NOTHING
    if manager >= 0:
        register = x.register()
        x.emit(ENTER, register, manager)
    alias = value.child_by_field_name("alias")
    if alias is not None:
        assign(x, alias, register, scope, env)


@statement("global_statement", "nonlocal_statement")
def read_global(x: Extraction, node: "Node", scope: Scope, env: Environment) -> Environment:
    names = [x.text(child) for child in node.named_children]
    if not scope.is_function:
        return env
    if node.type == "global_statement":
        scope.globals.update(names)
        return env
    for name in names:
        holder = scope.parent
        while holder is not None and holder.is_function and name not in holder.versions:
            holder = holder.parent
        if holder is not None and name in holder.versions:
            scope.versions[name] = holder.versions[name]
    return env


@statement("match_statement")
def read_match(x: Extraction, node: "Node", scope: Scope, env: Environment) -> Environment | None:
    subject = node.child_by_field_name("subject")
    value = x.value(subject, scope, env) if subject is not None else NOTHING
    body = node.child_by_field_name("body")
    out: Environment | None = dict(env)
    for clause in body.named_children if body is not None else ():
        if clause.type != "case_clause":
            continue
        inside = dict(env)
        for child in clause.named_children:
            if child.type == "case_pattern":
                _read_pattern(x, child, value, scope, inside)
            elif child.type == "if_clause":
                x.value(child, scope, inside)
        out = merge(out, x.block(clause.child_by_field_name("consequence"), scope, inside))
    return out


def _read_pattern(x: Extraction, node: "Node", value: int, scope: Scope, env: Environment) -> None:
    """Bind the captures of a pattern; its class names are references."""
    for child in node.named_children:
        if child.type == "dotted_name":
            names = child.named_children
            if len(names) == 1 and node.type != "class_pattern":
                x.bind(x.text(names[0]), value, scope, env)
                continue
            base = x.read(x.text(names[0]), scope, env, names[0])
            for name in names[1:]:
                if base < 0:
                    break
                x.refer_attribute(name, base, x.text(name), scope)
                base = x.attribute(base, x.text(name), scope)
            value = NOTHING
            if base >= 0:
                value = x.register()
                x.emit(INST, value, base)
        elif child.type == "identifier":
            x.bind(x.text(child), value, scope, env)
        else:
            nested = value if child.type in ("class_pattern", "as_pattern") else NOTHING
            _read_pattern(x, child, nested, scope, env)
