"""Python's rules: cyclomatic as radon counts, cognitive as complexipy does.

Worth knowing: a nested function counts for itself in the cyclomatic figure and in addition inside
its enclosing function in the cognitive one; a lambda counts in both; the body of a class counts in
neither. An expression has cognitive weight only where complexipy looks: not in keyword arguments,
subscripts, attributes, arithmetic, f-strings, nor below a boolean operator.
"""

from typing import TYPE_CHECKING

from agrama.indexer.metrics.sweep import Shape
from agrama.indexer.metrics.tally import Tally

if TYPE_CHECKING:
    from tree_sitter import Node  # noqa: TID251 - a type only

SHAPE = Shape(
    parameters=("parameters",),
    separators=frozenset({"positional_separator", "keyword_separator"}),
    counts_parameters=False,
)

_COMPREHENSIONS = frozenset(
    {"list_comprehension", "set_comprehension", "dictionary_comprehension", "generator_expression"}
)
_BOOLEANS = frozenset({"boolean_operator", "not_operator", "unary_operator"})

_CARRIERS = frozenset(
    {
        "parenthesized_expression",
        "argument_list",
        "comparison_operator",
        "tuple",
        "list",
        "set",
        "expression_list",
        "dictionary",
        "with_item",
        "with_clause",
        "as_pattern",
        "if_clause",
    }
)
"""Nodes through which an expression reaches its statement at the same nesting."""

_STATEMENTS = frozenset(
    {
        "expression_statement",
        "return_statement",
        "raise_statement",
        "assert_statement",
        "with_statement",
        "if_statement",
        "elif_clause",
        "while_statement",
    }
)
_VALUE_FIELDS = {
    "assignment": "right",
    "augmented_assignment": "right",
    "for_in_clause": "right",
    "for_statement": "right",
    "lambda": "body",
}
"""Nodes of which only one part carries weight."""

_UNREACHED = -1


class PythonRules:
    """See the module."""

    def weigh(self, node: "Node", nesting: int, tally: Tally) -> None:
        kind = node.type
        structural = kind == "conditional_expression" or kind == "for_in_clause"
        anchor = _boolean_root(node) if kind == "boolean_operator" else node
        if kind == "for_in_clause" or kind == "if_clause":
            anchor = node.parent
        if anchor is None:
            return
        crossings, reached = _locate(anchor)
        target: Tally | None = tally
        for extra in crossings:
            if target is not None:
                _add(target, extra if structural else _UNREACHED)
                target = target.outer
        if reached != _UNREACHED and target is not None and not target.muted:
            _add(target, nesting + reached if structural else _UNREACHED)

    def sequence(self, node: "Node") -> int:
        return 0

    def cases(self, node: "Node") -> int:
        body = node.child_by_field_name("body")
        if body is None:
            return 0
        cases = [child for child in body.named_children if child.type == "case_clause"]
        return len(cases) - any(map(_matches_anything, cases))

    def deepening(self, outer: Tally, inner: "Node") -> int:
        """A function defined directly in the body of another counts there one level deeper.

        One that does nothing but define and return a function, a decorator, is no level.
        """
        parent = inner.parent
        if parent is not None and parent.type == "decorated_definition":
            parent = parent.parent
        if parent is None or parent.start_byte != outer.body_start or parent.type != "block":
            return 0
        grandparent = parent.parent
        if grandparent is None or grandparent.id != outer.node.id:
            return 0
        statements = [child for child in parent.named_children if not child.is_extra]
        if len(statements) == 2 and statements[1].type == "return_statement":
            outer.muted = True
            return 0
        return 1

    def settle(self, tally: Tally) -> None:
        for inner, nesting in tally.inner:
            tally.absorb_cognitive(inner, nesting)
            tally.absorb_operations(inner)


def _add(tally: Tally, nesting: int) -> None:
    if nesting == _UNREACHED:
        tally.cognitive += 1
    else:
        tally.add_structure(nesting)


def _boolean_root(node: "Node") -> "Node | None":
    """The largest boolean expression around an operator; None when it continues a like operator."""
    parent = _unwrap_upwards(node)
    if parent is not None and parent.type == "boolean_operator":
        outer = parent.child_by_field_name("operator")
        own = node.child_by_field_name("operator")
        if outer is None or own is None or outer.type == own.type:
            return None
    root = node
    while parent is not None and parent.type in _BOOLEANS:
        root = parent
        parent = _unwrap_upwards(root)
    return root


def _unwrap_upwards(node: "Node") -> "Node | None":
    """The parent, parentheses left out."""
    parent = node.parent
    while parent is not None and parent.type == "parenthesized_expression":
        parent = parent.parent
    return parent


def _locate(node: "Node") -> tuple[list[int], int]:
    """How deep an expression stands in its statement.

    The first part holds its depth in each lambda around it, innermost first; the second its depth
    in the statement, _UNREACHED where an expression carries no weight for the statement.
    """
    crossings: list[int] = []
    extra = 0
    child = node
    parent = node.parent
    while parent is not None:
        kind = parent.type
        if kind in _STATEMENTS:
            return crossings, extra
        if kind in _VALUE_FIELDS:
            value = parent.child_by_field_name(_VALUE_FIELDS[kind])
            if value is None or value.id != child.id:
                break
            if kind == "for_statement":
                return crossings, extra
            if kind == "lambda":
                crossings.append(extra)
                extra += 1
        elif kind == "conditional_expression":
            extra += not _is_condition(parent, child)
        elif kind in _COMPREHENSIONS:
            extra += child.type != "for_in_clause"
        elif kind == "pair":
            if not _is_weighed_pair(parent, child):
                break
        elif kind == "dictionary_splat":
            holder = parent.parent
            if holder is None or holder.type != "dictionary":
                break
        elif kind == "call":
            arguments = parent.child_by_field_name("arguments")
            if arguments is None or arguments.id != child.id:
                break
        elif kind not in _CARRIERS:
            break
        child, parent = parent, parent.parent
    return crossings, _UNREACHED


def _is_condition(choice: "Node", child: "Node") -> bool:
    parts = [part for part in choice.named_children if not part.is_extra]
    return len(parts) > 1 and parts[1].id == child.id


def _is_weighed_pair(pair: "Node", child: "Node") -> bool:
    """The values of a dictionary are weighed, its keys are not; in a comprehension both are."""
    value = pair.child_by_field_name("value")
    if value is not None and value.id == child.id:
        return True
    parent = pair.parent
    return parent is not None and parent.type == "dictionary_comprehension"


def _matches_anything(case: "Node") -> bool:
    """`case _:` and `case name:`, also with a guard."""
    patterns = [part for part in case.named_children if part.type == "case_pattern"]
    if len(patterns) != 1:
        return False
    pattern = patterns[0]
    if pattern.named_child_count == 0:
        return pattern.child_count == 1 and pattern.end_byte - pattern.start_byte == 1
    name = pattern.named_child(0)
    return (
        pattern.named_child_count == 1
        and name is not None
        and name.type == "dotted_name"
        and name.named_child_count == 1
    )
