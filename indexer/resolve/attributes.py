"""What `object.name` reads and where `object.name = value` goes."""

from typing import TYPE_CHECKING

from agrama.indexer.facts import (
    CLASS_METHOD,
    EXTENDED_WITH,
    IMPLICIT_SELF,
    PROPERTY,
    RETURNS_SELF,
    STATIC,
)
from agrama.indexer.resolve import codes
from agrama.indexer.resolve.flow import Item
from agrama.indexer.resolve.objects import (
    BOUND,
    CLASS,
    CONTAINER,
    FUNCTION,
    INSTANCE,
    MODULE,
    NAMESPACE,
    OPERATION,
    SUPER,
    Code,
)
from agrama.indexer.resolve.overloads import look_up_call
from agrama.indexer.resolve.static import namespace_member, submodule_object

if TYPE_CHECKING:
    from agrama.indexer.resolve.solver import Solver

# An attribute that a class lacks is looked up in its subclasses, if they are not too many.
DESCENDANTS = 30
_NO_ATTRIBUTES = frozenset((OPERATION,))


def read_attribute(s: "Solver", item: Item, target: int) -> None:
    op, unit, base = item
    variable = s.attribute(target, op[3], unit)
    if variable is not None:
        s.flow.link(variable, base + op[1])


def find_attribute(s: "Solver", target: int, name: str, unit: int) -> int | None:
    """The variable of `target.name`; one for each pair, filled at its first use."""
    kind = s.kinds[target]
    if kind == MODULE:
        register = s.program.export(s.data[target], name)
        if register is not None:
            return s.find(register) if register >= 0 else None
    elif kind > NAMESPACE or kind in _NO_ATTRIBUTES:
        return None
    known = s.attributes.get(target)
    if known is None:
        known = s.attributes[target] = {}
    variable = known.get(name)
    if variable is None:
        variable = known[name] = s.flow.variable()
        _FILL[kind](s, target, name, variable, unit)
    return variable


def _fill_module(s: "Solver", target: int, name: str, variable: int, unit: int) -> None:
    member = submodule_object(s.program, s.data[target], name)
    if member is not None:
        s.flow.add(variable, member)
        return
    whole = s.program.export(s.data[target], "=")
    if whole is not None and whole >= 0:
        s.subscribe(s.find(whole), (codes.PROTO_READ, variable, name, -1))
    s.flow.link(s.slot(target, name), variable)


def _fill_namespace(s: "Solver", target: int, name: str, variable: int, unit: int) -> None:
    member = namespace_member(s.program, s.data[target], name)
    if member is not None:
        s.flow.add(variable, member)


def _fill_instance(s: "Solver", target: int, name: str, variable: int, unit: int) -> None:
    cls = s.data[target]
    if s.kinds[cls] == FUNCTION:
        _fill_slots(s, target, cls, name, variable)
        return
    policy = s.units[s.data[cls].unit].policy
    if name in policy.class_names:
        s.flow.add(variable, cls)
        return
    for pack in s.packs:
        pack.instance_attribute(s, cls, name, variable)
    look_up_instance(s, cls, name, variable)


def look_up_instance(s: "Solver", cls: int, name: str, variable: int) -> None:
    found = look_up(s, variable, s.classes.order(cls), name, s.objects.instance(cls))
    policy = s.units[s.data[cls].unit].policy
    if (found and not policy.virtual) or (policy.structural and not s.is_interface(cls)):
        return
    for child in s.classes.descendants(cls, DESCENDANTS):
        order = s.classes.order(child)
        if found:  # what the class itself inherits is no override
            known = s.classes.order(cls)
            order = tuple(each for each in order if each not in known)
        if s.in_tests(cls) or not s.in_tests(child):
            look_up(s, variable, order, name, s.objects.instance(child))


def _fill_class(s: "Solver", target: int, name: str, variable: int, unit: int) -> None:
    policy = s.units[s.data[target].unit].policy
    if name in policy.same_names:
        s.flow.add(variable, target)
        return
    if name == policy.construct and not _has_own(s, target, name):
        s.flow.add(variable, target)
    for pack in s.packs:
        pack.class_attribute(s, target, name, variable)
    look_up_class(s, target, name, variable)


def look_up_class(s: "Solver", cls: int, name: str, variable: int) -> None:
    own = class_name(s, cls, name)
    found = look_up(s, variable, s.classes.order(cls), own, cls)
    if own != name and not found:
        found = _look_up_extended(s, cls, name, variable)
    if not found and name[:1] != "<" and name != s.units[s.data[cls].unit].policy.construct:
        for child in s.classes.descendants(cls, DESCENDANTS):
            look_up(s, variable, s.classes.order(child), own, child)


def _has_own(s: "Solver", cls: int, name: str) -> bool:
    own = class_name(s, cls, name)
    return any(own in s.data[each].members for each in s.classes.order(cls))


def class_name(s: "Solver", cls: int, name: str) -> str:
    """Under which name a class lists a member of its own, as opposed to its instances'."""
    prefix = s.units[s.data[cls].unit].policy.class_prefix
    return prefix + name if prefix and not name.startswith(("@", "<")) else name


def _look_up_extended(s: "Solver", cls: int, name: str, variable: int) -> bool:
    """Methods of the modules that a class, not its instances, was extended with."""
    for each in s.classes.order(cls):
        code: Code = s.data[each]
        row = code.members.get(EXTENDED_WITH)
        for module in s.static.classes(code.base + row[0]) if row is not None else ():
            if look_up(s, variable, s.classes.order(module), name, cls):
                return True
    return False


def _fill_super(s: "Solver", target: int, name: str, variable: int, unit: int) -> None:
    look_up_super(s, s.data[target], name, variable)


def look_up_super(s: "Solver", cls: int, name: str, variable: int) -> None:
    """Attributes of the bases; those of a mixin may come from its siblings in a subclass."""
    found = look_up(s, variable, s.classes.order(cls)[1:], name, s.objects.instance(cls))
    if found or name[:1] == "<":
        return
    for child in s.classes.descendants(cls, DESCENDANTS):
        order = s.classes.order(child)
        if cls in order:
            after = order[order.index(cls) + 1 :]
            look_up(s, variable, after, name, s.objects.instance(child))


def _fill_container(s: "Solver", target: int, name: str, variable: int, unit: int) -> None:
    if target in s.records:
        s.subscribe(s.containers.key(target, ("s", name)), (codes.BIND_SLOT, variable, target))
        s.subscribe(s.prototype(target), (codes.PROTO_READ, variable, name, target))
        return
    plain = name.partition("(")[0]
    if plain in s.units[unit].policy.container_methods:
        s.flow.add(variable, s.objects.operation(target, plain))


def _fill_function(s: "Solver", target: int, name: str, variable: int, unit: int) -> None:
    policy = s.units[s.data[target].unit].policy
    if name in policy.same_names or name == policy.call:
        s.flow.add(variable, target)
        return
    _fill_slots(s, target, target, name, variable)


def _fill_slots(s: "Solver", receiver: int, holder: int, name: str, variable: int) -> None:
    s.subscribe(s.slot(holder, name), (codes.BIND_SLOT, variable, receiver))
    s.subscribe(s.prototype(holder), (codes.PROTO_READ, variable, name, receiver))


def _fill_bound(s: "Solver", target: int, name: str, variable: int, unit: int) -> None:
    function = s.data[target][0]
    if name == s.units[s.data[function].unit].policy.call:
        s.flow.add(variable, target)
    elif name == "__func__":
        s.flow.add(variable, function)
    else:
        inner = s.attribute(function, name, unit)
        if inner is not None:
            s.flow.link(inner, variable)


def _fill_nothing(s: "Solver", target: int, name: str, variable: int, unit: int) -> None:
    return


_FILL = {
    MODULE: _fill_module,
    NAMESPACE: _fill_namespace,
    INSTANCE: _fill_instance,
    CLASS: _fill_class,
    SUPER: _fill_super,
    CONTAINER: _fill_container,
    FUNCTION: _fill_function,
    BOUND: _fill_bound,
}
_FILL.update({kind: _fill_nothing for kind in range(11) if kind not in _FILL})


def look_up(s: "Solver", variable: int, order: tuple[int, ...], name: str, receiver: int) -> bool:
    """Find a name along an order of classes; the first member hides the later ones."""
    if name[-1:] == ")":
        return look_up_call(s, variable, order, name, receiver)
    found = False
    for cls in order:
        code: Code = s.data[cls]
        row = code.members.get(name)
        if row is not None:
            found = True
            if row[0] >= 0:
                s.subscribe(s.find(code.base + row[0]), (codes.BIND_MEMBER, variable, receiver))
            break
    anywhere = name in s.foreign
    for cls in order:
        stored = (cls, name) in s.stored
        if stored or anywhere or cls in s.synthetic:
            found = found or stored
            s.flow.link(s.slot(cls, name), variable)
    return found


def bind_member(s: "Solver", item: Item, target: int) -> None:
    """A member of a class is read through a receiver: bind methods, call properties."""
    _, variable, receiver = item[0]
    if s.kinds[target] != FUNCTION:
        s.flow.add(variable, target)
        return
    code: Code = s.data[target]
    flags = code.flags
    through_class = s.kinds[receiver] == CLASS
    if flags & PROPERTY and (flags & STATIC or not through_class):
        _read_property(s, target, code, receiver, variable)
    elif flags & STATIC and not flags & IMPLICIT_SELF:
        s.flow.add(variable, target)
    elif flags & CLASS_METHOD:
        cls = receiver if through_class else s.data[receiver]
        s.flow.add(variable, s.objects.bound(target, cls))
    elif (through_class and not flags & IMPLICIT_SELF) or not s.binds_methods(code):
        s.flow.add(variable, target)
    else:
        s.flow.add(variable, s.objects.bound(target, receiver))


def _read_property(s: "Solver", target: int, code: Code, receiver: int, variable: int) -> None:
    s.flow.link(s.returned(target), variable)
    if code.return_type < 0:
        for value in code.returns:
            if type(value) is str and value != code.name:
                inner = s.attribute(receiver, value, code.unit)
                if inner is not None:
                    s.flow.link(inner, variable)
    if code.flags & RETURNS_SELF:
        s.flow.add(variable, receiver)


def bind_slot(s: "Solver", item: Item, target: int) -> None:
    """A function stored on an object knows it as its receiver only if that is implicit."""
    _, variable, receiver = item[0]
    if s.kinds[target] == FUNCTION and s.data[target].flags & IMPLICIT_SELF:
        s.flow.add(variable, s.objects.bound(target, receiver))
    else:
        s.flow.add(variable, target)


def read_prototype(s: "Solver", item: Item, target: int) -> None:
    _, variable, name, receiver = item[0]
    if target == receiver:
        return
    inner = s.attribute(target, name, 0)
    if inner is None:
        return
    if receiver < 0:
        s.flow.link(inner, variable)
    else:
        s.subscribe(inner, (codes.BIND_SLOT, variable, receiver))


def store_attribute(s: "Solver", item: Item, target: int) -> None:
    op, unit, base = item
    if op[3] < 0:
        return
    kind, data = s.kinds[target], s.data[target]
    holder = data if kind == INSTANCE else target
    if s.units[unit].is_test and not s.in_tests(holder):
        return  # tests patch code; what they put there is not how the code works
    value = s.find(base + op[3])
    if kind in (INSTANCE, CLASS, FUNCTION):
        s.flow.link(value, s.slot(holder, op[2]))
    elif kind == CONTAINER and target in s.records:
        s.flow.link(value, s.containers.key(target, ("s", op[2])))
    elif kind == MODULE:
        register = s.program.export(data, op[2])
        if register is None or register < 0:
            s.flow.link(value, s.slot(target, op[2]))
        elif not s.is_definition(s.find(register)):
            s.flow.link(value, s.find(register))
