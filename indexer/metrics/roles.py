"""What a capture of a metrics query means: each part of its dotted name is one role.

`(if_statement) @decision.structure` counts one decision and one structural increment. The numbers
order the events of one node: what opens a region comes before what is counted inside it.
"""

from functools import cache

CHAINED = 1 << 0  # an `else if`: neither deeper nor a structure of its own
NEST = 1 << 1  # a region one level deeper
FLAT = 1 << 2  # a cognitive increment that nesting does not raise: `else`, a jump to a label
OUTSIDE = 1 << 3  # a region that belongs to no function: decorators
CLASS = 1 << 4  # a class body: outside, but the methods count where the class stands
FUNCTION = 1 << 5
LAMBDA = 1 << 6  # an anonymous function that also counts in the one around it
DECISION = 1 << 7  # one more path: the cyclomatic figure
STRUCTURE = 1 << 8  # a cognitive increment, raised by nesting
BINARY = (
    1 << 9
)  # if its operator is boolean: a decision, and an increment for each run of like ones
OPERATION = 1 << 10  # an operator with its operands: the Halstead figures
WEIGHED = 1 << 11  # an expression whose cognitive weight depends on where it stands (Python)
MATCH = 1 << 12  # cases are decisions, a catch-all is not (Python)
ASSERT = 1 << 13  # decisions inside do not count (Python)
NAME = 1 << 14  # the name of the function around, where no field of it holds it
PARAMETER = 1 << 15  # one parameter of the function around, where no field of it lists them

REGION = NEST | OUTSIDE | CLASS | FUNCTION | LAMBDA
HEADER = NAME | PARAMETER

ROLES = {
    "chained": CHAINED,
    "nest": NEST,
    "flat": FLAT,
    "outside": OUTSIDE,
    "class": CLASS,
    "function": FUNCTION,
    "lambda": LAMBDA,
    "decision": DECISION,
    "structure": STRUCTURE,
    "binary": BINARY,
    "operation": OPERATION,
    "weighed": WEIGHED,
    "match": MATCH,
    "assert": ASSERT,
    "name": NAME,
    "parameter": PARAMETER,
}


@cache
def capture_roles(name: str) -> int:
    """The roles of a capture as bits; parts that are no role are only helpers of the query."""
    bits = 0
    for part in name.split("."):
        bits |= ROLES.get(part, 0)
    return bits
