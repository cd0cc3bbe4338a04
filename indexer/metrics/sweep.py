"""One pass over the captured nodes of a file, in source order, that fills a tally per function.

A query has found every node that matters; sorted by position they nest like brackets, so a stack of
open regions tells for each node its function and its nesting without walking the tree.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from operator import itemgetter
from typing import TYPE_CHECKING, NamedTuple, Protocol

from agrama.indexer.metrics import roles
from agrama.indexer.metrics.halstead import count_operation, read_boolean
from agrama.indexer.metrics.roles import capture_roles
from agrama.indexer.metrics.tally import Figures, Tally

if TYPE_CHECKING:
    from tree_sitter import Node  # noqa: TID251 - a type only

Captures = Mapping[str, Sequence["Node"]]
_NEVER = 1 << 62
_MOST_CANDIDATES = 200  # a one-letter function in minified code must not be searched for ever


class Rules(Protocol):
    """What differs between the definitions of cognitive complexity."""

    def weigh(self, node: "Node", nesting: int, tally: Tally) -> None:
        """Add the cognitive weight of an expression."""

    def count_runs(self, node: "Node") -> int:
        """How many runs of like operators a boolean expression has, 0 for a part of a larger one."""

    def cases(self, node: "Node") -> int:
        """How many decisions a match statement holds."""

    def deepening(self, outer: Tally, inner: "Node") -> int:
        """By how much a function is nested deeper than the code around it."""

    def settle(self, tally: Tally) -> None:
        """Add what the nested functions weigh, when the function ends."""


@dataclass(frozen=True, slots=True)
class Shape:
    """How a language's grammar names the parts of a function."""

    name: str = "name"
    parameters: tuple[str, ...] = ("parameters", "parameter")
    body: str = "body"
    separators: frozenset[str] = frozenset()  # named nodes among the parameters that are none
    plain_operators: frozenset[str] = frozenset()  # of boolean ones those that decide nothing
    counts_parameters: bool = True  # do decisions in the defaults of parameters count?


class _Frame(NamedTuple):
    """What held before a region was entered."""

    end: int
    tally: Tally | None
    nesting: int
    host: Tally | None
    opened: Tally | None  # the function that ends with the region


def sweep(captures: Captures, source: bytes, rules: Rules, shape: Shape) -> dict[int, Figures]:
    """Figures of every function by the start byte of its node."""
    walk = _Walk(source, rules, shape)
    for start, negative_end, bits, node in _order(captures):
        walk.visit(start, -negative_end, bits, node)
    walk.leave(_NEVER)
    return walk.figures


def _order(captures: Captures) -> list[tuple[int, int, int, "Node"]]:
    events = []
    for name, nodes in captures.items():
        bits = capture_roles(name)
        if bits:
            events += [(node.start_byte, -node.end_byte, bits, node) for node in nodes]
    events.sort(key=itemgetter(0, 1, 2))
    return events


class _Walk:
    """The open regions. `tally` is None where code belongs to no function."""

    __slots__ = (
        "_assert_end",
        "_chained",
        "_frames",
        "_host",
        "_limit",
        "_nesting",
        "_rules",
        "_shape",
        "_source",
        "_tally",
        "figures",
    )

    def __init__(self, source: bytes, rules: Rules, shape: Shape) -> None:
        self.figures: dict[int, Figures] = {}
        self._source = source
        self._rules = rules
        self._shape = shape
        self._frames: list[_Frame] = []
        self._limit = _NEVER  # where the innermost region ends
        self._tally: Tally | None = None
        self._host: Tally | None = None  # the function whose class body this is
        self._nesting = 0
        self._assert_end = 0
        self._chained = (-1, -1)

    def visit(self, start: int, end: int, bits: int, node: "Node") -> None:
        if start >= self._limit:
            self.leave(start)
        tally = self._tally
        if bits & roles.HEADER:
            if tally is not None:
                _read_header(tally, bits, self._source[start:end], end)
            return
        if tally is not None and start < tally.counted_from:
            tally = None
        if bits & roles.CHAINED:
            self._chained = (start, end)
            return
        if bits & roles.REGION:
            self._enter(end, bits, node, tally)
            if not bits & ~roles.REGION:
                return
        if tally is not None:
            self._count(start, end, bits, node, tally)

    def _count(self, start: int, end: int, bits: int, node: "Node", tally: Tally) -> None:
        if bits & roles.DECISION and start >= self._assert_end:
            tally.cyclomatic += 1
        if bits & roles.STRUCTURE and (start, end) != self._chained:
            tally.add_structure(self._nesting)
        if bits & roles.FLAT:
            tally.cognitive += 1
        operator = read_boolean(node) if bits & roles.BINARY else ""
        if operator and operator not in self._shape.plain_operators:
            tally.cyclomatic += 1
            tally.cognitive += self._rules.count_runs(node)
        if bits & roles.WEIGHED:
            self._rules.weigh(node, self._nesting, tally)
        if bits & roles.OPERATION:
            count_operation(node, self._source, tally)
        if bits & roles.MATCH:
            tally.cyclomatic += self._rules.cases(node)
        if bits & roles.ASSERT:
            self._assert_end = end

    def leave(self, position: int) -> None:
        """Close the regions that end at or before a position."""
        frames = self._frames
        while frames and frames[-1].end <= position:
            frame = frames.pop()
            self._tally, self._nesting, self._host = frame.tally, frame.nesting, frame.host
            if frame.opened is not None:
                self._finish(frame.opened)
        self._limit = frames[-1].end if frames else _NEVER

    def _enter(self, end: int, bits: int, node: "Node", tally: Tally | None) -> None:
        opened = None
        before = (self._tally, self._nesting, self._host)
        if tally is not None and not bits & roles.NEST:
            tally.regions.append((node.start_byte, end))
        if bits & (roles.FUNCTION | roles.LAMBDA):
            opened = self._open_function(node, bits, tally)
            self._tally, self._host = opened, None
            if bits & roles.FUNCTION:
                self._nesting = 0
        elif bits & roles.NEST:
            if (node.start_byte, end) == self._chained:
                return
            self._nesting += 1
            self._host = None  # only what stands directly in the class body is its method
            if tally is not None and self._nesting > tally.depth:
                tally.depth = self._nesting
        else:
            self._host = tally if bits & roles.CLASS else None
            self._tally = None
        self._frames.append(_Frame(end, *before, opened))
        self._limit = end

    def _open_function(self, node: "Node", bits: int, outer: Tally | None) -> Tally:
        body = node.child_by_field_name(self._shape.body)
        name = node.child_by_field_name(self._shape.name)
        text = self._source[name.start_byte : name.end_byte] if name is not None else b""
        if bits & roles.LAMBDA and outer is not None:
            text = outer.name
        start = node.start_byte if name is None else name.end_byte
        if body is not None:
            start = body.start_byte
        opened = Tally(node, text, start, outer)
        if self._shape.counts_parameters:
            opened.counted_from = node.start_byte
        if bits & roles.FUNCTION:
            host = outer or self._host
            opened.outer = None
            if host is not None:
                deeper = self._rules.deepening(host, node) if outer is not None else 0
                host.inner.append((opened, self._nesting + deeper))
        return opened

    def _finish(self, tally: Tally) -> None:
        self._rules.settle(tally)
        node = tally.node
        if tally.outer is not None:
            tally.outer.cyclomatic += tally.cyclomatic - 1
            tally.outer.absorb_operations(tally)
        if not node.has_error:
            self.figures[node.start_byte] = tally.figures(
                lines=node.end_point[0] - node.start_point[0] + 1,
                parameters=self._count_parameters(tally),
                recursive=tally.outer is None and self._calls_itself(tally),
            )

    def _count_parameters(self, tally: Tally) -> int:
        if tally.parameters is not None:
            return tally.parameters
        for field in self._shape.parameters:
            parameters = tally.node.child_by_field_name(field)
            if parameters is not None:
                if field == "parameter":
                    return 1
                separators = self._shape.separators
                return sum(
                    not child.is_extra and child.type not in separators
                    for child in parameters.named_children
                )
        return 0

    def _calls_itself(self, tally: Tally) -> bool:
        """Does the body call the function by its name, outside of nested functions?"""
        if not tally.name:
            return False
        source = self._source
        node = tally.node
        needle = tally.name + b"("
        at = tally.body_start - 1
        for _ in range(_MOST_CANDIDATES):
            at = source.find(needle, at + 1, node.end_byte)
            if at < 0:
                break
            if any(start <= at < end for start, end in tally.regions):
                continue
            end = at + len(tally.name)
            found = node.descendant_for_byte_range(at, end)
            # Inside a string or a comment no node has just these bounds.
            exact = found is not None and (found.start_byte, found.end_byte) == (at, end)
            if exact and source[at - 1 : at] != b".":
                return True
        return False


def _read_header(tally: Tally, bits: int, text: bytes, end: int) -> None:
    """What a query captured of a function because its fields do not tell."""
    if bits & roles.PARAMETER:
        tally.parameters = (tally.parameters or 0) + 1
    else:
        tally.name = text
        tally.body_start = max(tally.body_start, end)
