"""Metrics of Python functions: cyclomatic and Halstead as radon, cognitive as complexipy counts them.

Statements are visited by recursion over blocks, because nesting matters there. Expressions are
scanned by a stack, because in them only the occurrence of a node matters; the few that hold a
boolean operator, a condition or a comprehension are then weighed for the cognitive figure.
Rules worth knowing: a nested function counts for itself in the cyclomatic figure and in addition
inside its enclosing function in the cognitive one; a lambda counts in both; the body of a class
counts in neither; `assert` is one decision whatever its condition.
"""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from agrama.indexer.metrics.cognitive import weigh_expression
from agrama.indexer.metrics.operands import operand_key
from agrama.indexer.metrics.tally import Figures, Tally

if TYPE_CHECKING:
    from tree_sitter import Node  # noqa: TID251

(
    _LEAF,
    _PLAIN,
    _STRING,
    _BOOLEAN,
    _CHOICE,
    _FILTER,
    _BINARY,
    _UNARY,
    _COMPARE,
    _AUGMENTED,
    _LAMBDA,
) = range(11)

_EXPRESSION_ROLES = {
    "identifier": _LEAF,
    "integer": _LEAF,
    "float": _LEAF,
    "true": _LEAF,
    "false": _LEAF,
    "none": _LEAF,
    "ellipsis": _LEAF,
    "comment": _LEAF,
    "string_start": _LEAF,
    "string_content": _LEAF,
    "string_end": _LEAF,
    "string": _STRING,
    "boolean_operator": _BOOLEAN,
    "conditional_expression": _CHOICE,
    "for_in_clause": _CHOICE,
    "if_clause": _FILTER,
    "binary_operator": _BINARY,
    "unary_operator": _UNARY,
    "not_operator": _UNARY,
    "comparison_operator": _COMPARE,
    "augmented_assignment": _AUGMENTED,
    "lambda": _LAMBDA,
}
_roles: dict[int, int] = {}
"""Role of an expression node by its kind id, filled as kinds are met (one grammar per process)."""

_QUOTES = b"\"'"
_SEPARATORS = frozenset({"comment", "positional_separator", "keyword_separator"})
_DEFINITIONS = frozenset({"function_definition", "decorated_definition"})


def measure_python(root: "Node", source: bytes) -> dict[int, Figures]:
    """Figures of every function and lambda of a file by the start byte of its node."""
    walk = _Walk(source)
    walk.visit_suite(root.named_children, 0, 0, None)
    return walk.figures


class _Walk:
    """One pass over one file. A tally of None means code outside functions: nothing to count."""

    __slots__ = ("_has_lambda", "_source", "_visitors", "figures")

    def __init__(self, source: bytes) -> None:
        self.figures: dict[int, Figures] = {}
        self._source = source
        self._has_lambda = b"lambda" in source
        self._visitors: dict[str, Callable[[Node, int, int, Tally | None], None]] = {
            "function_definition": self._visit_function,
            "decorated_definition": self._visit_decorated,
            "class_definition": self._visit_class,
            "if_statement": self._visit_if,
            "for_statement": self._visit_loop,
            "while_statement": self._visit_loop,
            "try_statement": self._visit_try,
            "with_statement": self._visit_with,
            "match_statement": self._visit_match,
            "assert_statement": self._visit_assert,
            "block": self._visit_block,
            "ERROR": self._visit_block,
        }

    def visit_suite(
        self, statements: Sequence["Node"], nesting: int, depth: int, tally: Tally | None
    ) -> None:
        visitors = self._visitors
        for statement in statements:
            visit = visitors.get(statement.type)
            if visit is not None:
                visit(statement, nesting, depth, tally)
            else:
                self._visit_simple(statement, nesting, tally)

    def _visit_block(self, node: "Node", nesting: int, depth: int, tally: Tally | None) -> None:
        self.visit_suite(node.named_children, nesting, depth, tally)

    def _visit_simple(self, node: "Node", nesting: int, tally: Tally | None) -> None:
        if self._scan(node, tally):
            weigh_expression(node, nesting, tally or Tally())

    def _visit_assert(self, node: "Node", nesting: int, depth: int, tally: Tally | None) -> None:
        before = tally.cyclomatic if tally else 0
        self._visit_simple(node, nesting, tally)
        if tally:
            tally.cyclomatic = before + 1

    # Definitions

    def _visit_decorated(self, node: "Node", nesting: int, depth: int, tally: Tally | None) -> None:
        for child in node.named_children:
            if child.type == "decorator":
                self._find_lambdas(child)
            else:
                self.visit_suite((child,), nesting, depth, tally)

    def _visit_class(self, node: "Node", nesting: int, depth: int, tally: Tally | None) -> None:
        bases = node.child_by_field_name("superclasses")
        if bases:
            self._find_lambdas(bases)
        body = node.child_by_field_name("body")
        for member in body.named_children if body else ():
            counted = tally if member.type in _DEFINITIONS else None
            self.visit_suite((member,), nesting, 0, counted)

    def _visit_function(self, node: "Node", nesting: int, depth: int, outer: Tally | None) -> None:
        name = node.child_by_field_name("name")
        body = node.child_by_field_name("body")
        parameters = node.child_by_field_name("parameters")
        if name is None or body is None or parameters is None:
            self.visit_suite(node.named_children, nesting, depth, outer)
            return
        self._find_lambdas(parameters)
        tally = Tally(self._source[name.start_byte : name.end_byte])
        self._visit_function_body(body, tally)
        if not node.has_error:
            self.figures[node.start_byte] = tally.figures(
                lines=node.end_point[0] - node.start_point[0] + 1,
                parameters=_count_parameters(parameters),
                recursive=self._calls_itself(body, tally.name),
            )
        if outer:
            outer.absorb_cognitive(tally, nesting)
            outer.absorb_operations(tally)

    def _visit_function_body(self, body: "Node", tally: Tally) -> None:
        """A function defined directly in the body of another counts there one level deeper.

        One that does nothing but define and return a function, a decorator, is no level.
        """
        statements = [child for child in body.named_children if child.type != "comment"]
        decorator = (
            len(statements) == 2
            and _is_function(statements[0])
            and statements[1].type == "return_statement"
        )
        if decorator:
            self.visit_suite(statements[:1], 0, 0, tally)
            self._scan(statements[1], tally)
            return
        for statement in statements:
            self.visit_suite((statement,), 1 if _is_function(statement) else 0, 0, tally)

    # Compound statements

    def _visit_if(self, node: "Node", nesting: int, depth: int, tally: Tally | None) -> None:
        if tally:
            tally.cyclomatic += 1
            tally.add_structure(nesting)
            tally.depth = max(tally.depth, depth + 1)
        self._visit_clause(node, nesting, depth, tally)

    def _visit_clause(self, node: "Node", nesting: int, depth: int, tally: Tally | None) -> None:
        """The condition and the block of `if`, `elif` or `else`, and the clauses that follow."""
        for child in node.named_children:
            kind = child.type
            if kind == "block":
                self.visit_suite(child.named_children, nesting + 1, depth + 1, tally)
            elif kind == "elif_clause" or kind == "else_clause":
                if tally:
                    tally.cognitive += 1
                    tally.cyclomatic += kind == "elif_clause"
                self._visit_clause(child, nesting, depth, tally)
            else:
                self._visit_header(child, nesting, tally)

    def _visit_loop(self, node: "Node", nesting: int, depth: int, tally: Tally | None) -> None:
        if tally:
            tally.cyclomatic += 1
            tally.add_structure(nesting)
            tally.depth = max(tally.depth, depth + 1)
        for child in node.named_children:
            kind = child.type
            if kind == "block":
                self.visit_suite(child.named_children, nesting + 1, depth + 1, tally)
            elif kind == "else_clause":
                if tally:
                    tally.cyclomatic += 1
                self.visit_suite(child.named_children, nesting, depth, tally)
            else:
                self._visit_header(child, nesting, tally)

    def _visit_try(self, node: "Node", nesting: int, depth: int, tally: Tally | None) -> None:
        if tally:
            tally.depth = max(tally.depth, depth + 1)
        for child in node.named_children:
            kind = child.type
            if kind == "except_clause":
                if tally:
                    tally.cyclomatic += 1
                    tally.add_structure(nesting)
                for part in child.named_children:
                    if part.type == "block":
                        self.visit_suite(part.named_children, nesting + 1, depth + 1, tally)
                    else:
                        self._scan(part, tally)
            elif kind == "else_clause":
                if tally:
                    tally.cyclomatic += 1
                self.visit_suite(child.named_children, nesting, depth + 1, tally)
            else:
                self.visit_suite((child,), nesting, depth + 1, tally)

    def _visit_with(self, node: "Node", nesting: int, depth: int, tally: Tally | None) -> None:
        for child in node.named_children:
            if child.type == "block":
                self.visit_suite(child.named_children, nesting, depth, tally)
            else:
                self._visit_header(child, nesting, tally)

    def _visit_match(self, node: "Node", nesting: int, depth: int, tally: Tally | None) -> None:
        if tally:
            tally.add_structure(nesting)
            tally.depth = max(tally.depth, depth + 1)
        cases = 0
        default = False
        for child in node.named_children:
            if child.type != "block":
                self._scan(child, tally)
                continue
            for case in child.named_children:
                if case.type == "case_clause":
                    cases += 1
                    default = default or _matches_anything(case)
                    self._visit_case(case, nesting, depth, tally)
        if tally:
            tally.cyclomatic += cases - default

    def _visit_case(self, case: "Node", nesting: int, depth: int, tally: Tally | None) -> None:
        for part in case.named_children:
            if part.type == "block":
                self.visit_suite(part.named_children, nesting + 1, depth + 1, tally)
            elif part.type == "if_clause":
                for condition in part.named_children:
                    self._scan(condition, tally)

    def _visit_header(self, node: "Node", nesting: int, tally: Tally | None) -> None:
        if self._scan(node, tally):
            weigh_expression(node, nesting, tally or Tally())
