"""Python's rules: cyclomatic as radon counts, cognitive as complexipy does.

Worth knowing: a nested function counts for itself in the cyclomatic figure and in addition inside
its enclosing function in the cognitive one; a lambda counts in both; the body of a class counts in
neither. An expression has cognitive weight only where complexipy looks: not in keyword arguments,
subscripts, attributes, arithmetic, f-strings, nor below a boolean operator.
"""

from typing import TYPE_CHECKING, NamedTuple

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
_ARRIVED = -2


_MOST_LAMBDAS = 20  # lambdas around an expression that get its weight
_MOST_STATEMENTS = 20  # a decorator has two, and some comments


class _Place(NamedTuple):
    """Where an expression stands.

    `lambdas` holds its depth in each lambda around it, innermost first; `depth` that in its
    statement, _UNREACHED where it carries no weight for the statement.
    """

    lambdas: tuple[int, ...]
    depth: int

    def deepen(self, inside: tuple[int, ...], extra: int) -> "_Place":
        """The place of an expression that stands `extra` deeper in the expression here."""
        lambdas = (*inside, *(depth + extra for depth in self.lambdas))[:_MOST_LAMBDAS]
        return _Place(lambdas, self.depth if self.depth == _UNREACHED else self.depth + extra)


_NOWHERE = _Place((), _UNREACHED)


class PythonRules:
    """See the module. The places found in one file are kept: finding a parent starts at the root."""

    def __init__(self) -> None:
        self._places: dict[tuple[int, int], _Place] = {}
        self._booleans: dict[tuple[int, int], _Place] = {}

    def weigh(self, node: "Node", nesting: int, tally: Tally) -> None:
        kind = node.type
        place = self._find_place(node, kind)
        structural = kind == "conditional_expression" or kind == "for_in_clause"
        target: Tally | None = tally
        for depth in place.lambdas:
            if target is not None:
                _add(target, depth if structural else _UNREACHED)
                target = target.outer
        if place.depth != _UNREACHED and target is not None and not target.muted:
            _add(target, nesting + place.depth if structural else _UNREACHED)

    def _find_place(self, node: "Node", kind: str) -> _Place:
        if kind == "boolean_operator":
            return self._place_boolean(node)
        anchor = node if kind == "conditional_expression" else node.parent
        return _NOWHERE if anchor is None else self._locate(anchor)

    def _place_boolean(self, node: "Node") -> _Place:
        """The place of the largest boolean expression around; none for an operator that goes on."""
        key = (node.start_byte, node.end_byte)
        if key not in self._booleans:  # the largest one comes first
            root = node
            parent = _unwrap_upwards(root)
            while parent is not None and parent.type in _BOOLEANS:
                root = parent
                parent = _unwrap_upwards(root)
            self._booleans[key] = self._locate(root)
            self._place_operands(node, self._booleans[key])
        return self._booleans[key]

    def _place_operands(self, node: "Node", place: _Place) -> None:
        """Every operator inside a boolean expression has its place, if it does not go on."""
        pending = [(node, _read_operator(node))]
        while pending:
            outer, operator = pending.pop()
            for child in outer.named_children:
                inner = _unwrap(child)
                if inner is None or inner.type not in _BOOLEANS:
                    continue
                own = _read_operator(inner)
                if own:
                    key = (inner.start_byte, inner.end_byte)
                    self._booleans[key] = _NOWHERE if own == operator else place
                pending.append((inner, own))

    def _locate(self, node: "Node") -> _Place:
        """How deep an expression stands in its statement and in the lambdas on the way."""
        key = (node.start_byte, node.end_byte)
        place = self._places.get(key)
        if place is None:
            place = self._places[key] = self._climb(node)
        return place

    def _climb(self, node: "Node") -> _Place:
        lambdas: list[int] = []
        extra = 0
        child = node
        parent = node.parent
        while parent is not None:
            kind = parent.type
            step = _step_out(parent, kind, child)
            if step == _ARRIVED:
                return _Place(tuple(lambdas[:_MOST_LAMBDAS]), extra)
            if step == _UNREACHED:
                break
            if kind == "lambda":
                lambdas.append(extra)
            extra += step
            known = self._places.get((parent.start_byte, parent.end_byte))
            if known is not None:
                return known.deepen(tuple(lambdas), extra)
            child, parent = parent, parent.parent
        return _Place(tuple(lambdas[:_MOST_LAMBDAS]), _UNREACHED)

    def count_runs(self, node: "Node") -> int:
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
        if parent.named_child_count > _MOST_STATEMENTS:
            return 1
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


def _read_operator(node: "Node") -> str:
    """`and` or `or`; "" for a negation or a sign."""
    if node.type != "boolean_operator":
        return ""
    token = node.child_by_field_name("operator")
    return token.type if token is not None else "?"


def _unwrap(node: "Node") -> "Node | None":
    """What stands in parentheses."""
    inner: Node | None = node
    while inner is not None and inner.type == "parenthesized_expression":
        inner = next((child for child in inner.named_children if not child.is_extra), None)
    return inner


def _unwrap_upwards(node: "Node") -> "Node | None":
    """The parent, parentheses left out."""
    parent = node.parent
    while parent is not None and parent.type == "parenthesized_expression":
        parent = parent.parent
    return parent


def _step_out(parent: "Node", kind: str, child: "Node") -> int:
    """How much shallower the parent stands; _ARRIVED at a statement, _UNREACHED without weight."""
    if kind in _STATEMENTS:
        return _ARRIVED
    if kind in _VALUE_FIELDS:
        value = parent.child_by_field_name(_VALUE_FIELDS[kind])
        if value is None or value.id != child.id:
            return _UNREACHED
        if kind == "for_statement":
            return _ARRIVED
        return int(kind == "lambda")
    if kind == "conditional_expression":
        return int(not _is_condition(parent, child))
    if kind in _COMPREHENSIONS:
        return int(child.type != "for_in_clause")
    if kind in _CARRIERS:
        return 0
    return 0 if _carries(parent, kind, child) else _UNREACHED


def _carries(parent: "Node", kind: str, child: "Node") -> bool:
    """Nodes that carry weight for some of their parts only."""
    if kind == "pair":
        return _is_weighed_pair(parent, child)
    if kind == "dictionary_splat":
        holder = parent.parent
        return holder is not None and holder.type == "dictionary"
    if kind == "call":
        arguments = parent.child_by_field_name("arguments")
        return arguments is not None and arguments.id == child.id
    return False


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
