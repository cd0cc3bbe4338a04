"""What a call does: targets, arguments into parameters, results back."""

from typing import TYPE_CHECKING

from agrama.indexer.facts import (
    ABSTRACT,
    ANONYMOUS,
    FORM_CALLBACK,
    FORM_NEW,
    GENERATOR,
    IMPLICIT_SELF,
    INTERFACE,
    KEYWORDS,
    LAMBDA,
    NOTHING,
    OUTSIDE,
    POSITIONAL,
    REST,
    RETURNS_CLASS,
    RETURNS_SELF,
    SPREAD,
)
from agrama.indexer.resolve import codes, containers, hierarchy
from agrama.indexer.resolve.flow import Item
from agrama.indexer.resolve.objects import (
    BOUND,
    CLASS,
    CONTAINER,
    FUNCTION,
    INSTANCE,
    OPERATION,
    SUPER,
    Code,
)

if TYPE_CHECKING:
    from agrama.indexer.resolve.solver import Solver

# Parameters take their values from call sites only when a function has at most this many: what
# a helper with a hundred callers receives says nothing about one of them, and costs the most.
FAN_IN = 16
# The type of a function: a definition without a body and without a symbol.
_SIGNATURE = ABSTRACT | ANONYMOUS


def call(s: "Solver", item: Item, target: int) -> None:
    op, unit, base = item
    kind = s.kinds[target]
    if kind == FUNCTION:
        _call_function(s, item, target)
    elif kind == BOUND:
        function, receiver = s.data[target]
        s.record(base + op[1], function)
        if not any(pack.settles(s, receiver) for pack in s.packs):
            apply(s, function, item, receiver, base + op[1])
    elif kind == CLASS:
        if s.units[unit].policy.converts and op[8] != FORM_NEW:
            _convert(s, item, target)
            return
        if op[8] == FORM_CALLBACK or s.data[target].flags & INTERFACE:
            return
        s.record(base + op[1], target)
        s.flow.add(base + op[1], s.objects.instance(target))
        _construct(s, item, target, s.classes.order(target))
    elif kind == INSTANCE:
        name = s.units[unit].policy.call
        method = s.attribute(target, name, unit) if name else None
        if method is not None:
            s.subscribe_op(method, item)
    elif kind == OPERATION:
        holder, name = s.data[target]
        if s.kinds[holder] == CONTAINER:
            s.container_calls.add(base + op[1])
            containers.operate(s, item, target)
        for pack in s.packs:
            if pack.settles(s, holder):
                pack.operate(s, holder, name, base + op[1])
    elif kind == SUPER:
        cls = s.data[target]
        _construct(s, item, cls, s.classes.order(cls)[1:])


def _call_function(s: "Solver", item: Item, function: int) -> None:
    op, _, base = item
    destination = base + op[1]
    if op[8] == FORM_CALLBACK and s.is_constructible(function):
        return  # passing a class is no call
    s.record(destination, function)
    if op[8] == FORM_NEW:
        made = s.objects.instance(function)
        s.flow.add(destination, made)
        apply(s, function, item, made, None)
    else:
        apply(s, function, item, -1, destination)


def _convert(s: "Solver", item: Item, cls: int) -> None:
    """`T(x)`: a T, and x itself where T is the type of a function."""
    op, _, base = item
    s.flow.add(base + op[1], s.objects.instance(cls))
    if op[3] and op[3][0] >= 0:
        s.flow.link(s.find(base + op[3][0]), base + op[1])


def _construct(s: "Solver", item: Item, cls: int, order: tuple[int, ...]) -> None:
    """Run the constructor that the class has or inherits."""
    names = s.units[s.data[cls].unit].policy.constructors
    for each in order:
        code: Code = s.data[each]
        for name in names:
            row = code.members.get(name)
            if row is not None:
                if row[0] >= 0:
                    s.subscribe(s.find(code.base + row[0]), (codes.CONSTRUCT, item, cls))
                return


def construct(s: "Solver", item: Item, target: int) -> None:
    _, inner, cls = item[0]
    if s.kinds[target] == FUNCTION:
        s.record(inner[2] + inner[0][1], target)
        apply(s, target, inner, s.objects.instance(cls), None)


def offset_of(code: Code, receiver: int) -> int:
    """How many parameters the receiver takes up."""
    if receiver < 0 or not code.parameters:
        return 0
    return 1 if code.parameters[0][1] == code.self_register else 0


def apply(s: "Solver", function: int, item: Item, receiver: int, destination: int | None) -> None:
    """Results to the call, arguments to the parameters."""
    code: Code = s.data[function]
    offset = offset_of(code, receiver)
    if destination is not None:
        s.flow.link(s.returned(function), destination)
        _return_own(s, code, item, receiver, destination)
        _return_given(s, code, item, receiver, offset, destination)
    _give_context(s, code, item, offset)
    takes_self = receiver >= 0 and code.flags & IMPLICIT_SELF and code.owner < 0
    if not (code.parameters or takes_self):
        return
    if s.units[item[1]].is_test and not s.units[code.unit].is_test:
        return
    if not takes_self:
        receiver = -1
    waiting = s.pending.get(function)
    if s.binding:
        if waiting is None or len(waiting) <= FAN_IN:
            bind_arguments(s, function, item, offset, receiver)
        return
    if waiting is None:
        waiting = s.pending[function] = {}
    if len(waiting) <= FAN_IN:
        waiting[item[2] + item[0][1], offset, receiver] = (item, offset, receiver)


def _give_context(s: "Solver", code: Code, item: Item, offset: int) -> None:
    """A function written as an argument is typed by the parameter that it is for."""
    op, _, base = item
    for at, argument in enumerate(op[3], offset):
        if argument < 0 or at >= len(code.parameters):
            continue
        variable = s.find(base + argument)
        if not s.is_definition(variable):
            continue
        given = s.flow.points[variable]
        if type(given) is int and s.kinds[given] == FUNCTION and s.data[given].flags & LAMBDA:
            s.subscribe(code.base + code.parameters[at][1], (codes.CONTEXT, given))


def context(s: "Solver", item: Item, target: int) -> None:
    """The type of a parameter arrived: what it is called with goes to the function's own."""
    signature = hierarchy.only_method(s, target) if s.kinds[target] == INSTANCE else target
    if s.kinds[signature] != FUNCTION:
        return
    code: Code = s.data[signature]
    if signature == target and code.flags & _SIGNATURE != _SIGNATURE:
        return
    given: Code = s.data[item[0][1]]
    for declared, own in zip(code.parameters, given.parameters, strict=False):
        if declared[3] > 0 and own[3] == 0 and own[2] == POSITIONAL:
            s.flow.link(code.base + declared[1], given.base + own[1])


def _return_own(s: "Solver", code: Code, item: Item, receiver: int, destination: int) -> None:
    """`return self`, `return cls()`: the receiver of this very call."""
    flags = code.flags
    op, _, base = item
    if receiver >= 0:
        if flags & RETURNS_SELF:
            s.flow.add(destination, receiver)
        if flags & RETURNS_CLASS and s.kinds[receiver] == CLASS:
            s.flow.add(destination, s.objects.instance(receiver))
    elif flags & RETURNS_SELF and not flags & IMPLICIT_SELF and op[3] and op[3][0] >= 0:
        s.flow.link(s.find(base + op[3][0]), destination)


def _return_given(
    s: "Solver", code: Code, item: Item, receiver: int, offset: int, destination: int
) -> None:
    """`return self.x` and `return parameter`: what this very call has there."""
    if code.return_type != NOTHING and code.return_type != OUTSIDE:
        return
    for value in code.returns:
        if type(value) is str:
            holder = receiver if receiver >= 0 else s.own_instance(code)
            if holder >= 0:
                inner = s.attribute(holder, value, code.unit)
                if inner is not None:
                    s.flow.link(inner, destination)
        elif type(value) is int and value < -1:
            _return_argument(s, code, item, -2 - value, offset, destination)


def _return_argument(
    s: "Solver", code: Code, item: Item, position: int, offset: int, destination: int
) -> None:
    op, _, base = item
    parameter = code.parameters[position]
    at = position - offset
    argument = NOTHING
    if 0 <= at < len(op[3]):
        argument = op[3][at]
    else:
        for name, register in op[4]:
            if name == parameter[0]:
                argument = register
        if argument == NOTHING:
            s.flow.link(code.base + parameter[1], destination)
    if argument >= 0:
        s.flow.link(s.find(base + argument), destination)


def bind_arguments(s: "Solver", function: int, item: Item, offset: int, receiver: int) -> None:
    op, _, base = item
    code: Code = s.data[function]
    if receiver >= 0 and code.self_register >= 0:
        s.flow.add(code.base + code.self_register, receiver)
    parameters = code.parameters
    for position, argument in enumerate(op[3]):
        if argument == SPREAD:
            break
        if argument < 0:
            continue
        at = position + offset
        if at < len(parameters) and parameters[at][2] == POSITIONAL:
            _bind_parameter(s, code, parameters[at], s.find(base + argument))
        else:
            _bind_rest(s, function, parameters, at, s.find(base + argument))
    for name, argument in op[4]:
        for parameter in parameters:
            if parameter[0] == name:
                _bind_parameter(s, code, parameter, s.find(base + argument))
                break
        else:
            if parameters and parameters[-1][2] == KEYWORDS:
                rest = s.objects.container(("keywords", function))
                s.flow.link(s.find(base + argument), s.containers.key(rest, ("s", name)))


def _bind_rest(
    s: "Solver",
    function: int,
    parameters: tuple[tuple[object, ...], ...],
    at: int,
    value: int,
) -> None:
    for index, parameter in enumerate(parameters):
        if parameter[2] == REST:
            rest = s.objects.container(("rest", function))
            s.flow.link(value, s.containers.key(rest, ("i", at - index)))
            return


def _bind_parameter(s: "Solver", code: Code, parameter: tuple[object, ...], value: int) -> None:
    """Declared types beat flow; flow is let in later if a declared type yields nothing."""
    register, declared = parameter[1], parameter[3]
    assert isinstance(register, int) and isinstance(declared, int)
    if declared == 0:
        if register != code.self_register:
            s.flow.link(value, code.base + register)
    elif declared > 0:
        s.declared.setdefault(code.base + register, []).append(value)


def returned(s: "Solver", function: int) -> int:
    """The variable of what a function returns to every caller."""
    variable = s.results.get(function)
    if variable is None:
        variable = s.results[function] = s.flow.variable()
        code: Code = s.data[function]
        if code.return_type >= 0:
            s.flow.link(s.find(code.base + code.return_type), variable)
        elif code.return_type != OUTSIDE:
            let_results_in(s, function, variable)
    return variable


def let_results_in(s: "Solver", function: int, variable: int) -> None:
    """Flow of the return statements and of what a generator yields."""
    code: Code = s.data[function]
    if code.flags & GENERATOR:
        made = s.objects.container(("generator", function))
        for register in code.yields:
            s.flow.link(s.find(code.base + register), s.containers.key(made, None))
        s.flow.add(variable, made)
    for value in code.returns:
        if type(value) is int and value >= 0:
            s.flow.link(s.find(code.base + value), variable)


# ---- classes made by calls


def new_type(s: "Solver", item: Item, target: int) -> None:
    """`type(name, bases, space)`: the container of bases arrived."""
    if s.kinds[target] == CONTAINER:
        s.subscribe(s.containers.whole(target), (codes.TYPE_BASE, item))


def type_base(s: "Solver", item: Item, target: int) -> None:
    inner = item[0][1]
    op, unit, base = inner
    if s.kinds[target] != CLASS or target in s.synthetic:
        return
    made = s.synthetic_class(unit, op[1], target)
    if op[3] >= 0:
        s.subscribe(s.find(base + op[3]), (codes.TYPE_SPACE, made))
    s.flow.add(base + op[1], made)


def type_space(s: "Solver", item: Item, target: int) -> None:
    if s.kinds[target] == CONTAINER:
        s.containers.use_as_namespace(target, item[0][1])


def class_base(s: "Solver", item: Item, target: int) -> None:
    if s.kinds[target] == CLASS and target != item[0][1]:
        s.found_bases.add((item[0][1], target))


def instantiate(s: "Solver", item: Item, target: int) -> None:
    """A declared type: an instance of the class that arrived."""
    op, _, base = item
    kind = s.kinds[target]
    if kind == CLASS or (kind == FUNCTION and s.is_constructible(target)):
        s.flow.add(base + op[1], s.objects.instance(target))
    elif kind == CONTAINER and target not in s.records:
        opened = (base + op[1], target)
        if opened not in s.opened:  # a container may hold itself
            s.opened.add(opened)
            s.subscribe_op(s.containers.whole(target), item)
