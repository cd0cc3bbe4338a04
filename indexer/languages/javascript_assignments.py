"""JavaScript assignments, and the old ways to make classes: prototypes and `inherits`."""

from typing import TYPE_CHECKING

from agrama.graph.model import Kind
from agrama.indexer.facts import NOTHING, PROTO, STORE
from agrama.indexer.languages.javascript_extraction import (
    Environment,
    Extraction,
    Scope,
    expression,
)
from agrama.indexer.languages.javascript_functions import FUNCTIONS, define_anonymous
from agrama.indexer.languages.javascript_modules import (
    assign_export,
    assign_whole_export,
    is_exports,
)
from agrama.indexer.languages.javascript_naming import Naming, definitions_in, read_named
from agrama.indexer.languages.javascript_patterns import attribute_owner, bind, property_name

if TYPE_CHECKING:
    from tree_sitter import Node  # noqa: TID251 - a type only


@expression("assignment_expression")
def read_assignment(x: Extraction, node: "Node", scope: Scope, env: Environment) -> int:
    left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
    if left is None or right is None:
        return NOTHING
    if left.type == "member_expression":
        return _assign_property(x, left, right, scope, env)
    if left.type == "subscript_expression" and right.type in FUNCTIONS:
        register = _assign_computed(x, left, right, scope, env)
    elif left.type != "identifier":
        register = x.value(right, scope, env)
    elif is_exports(x, left, scope):
        return assign_whole_export(x, left, right, scope, env)
    else:
        naming = Naming(x.text(left), left, scope.prefix, whole=node)
        register = read_named(x, right, scope, env, naming)
        _declare_function(x, left, register, scope)
    bind(x, left, register, scope, env, None)
    return register


def _assign_computed(
    x: Extraction, left: "Node", right: "Node", scope: Scope, env: Environment
) -> int:
    """`object[key] = function () {}`: the object is its `this`, or the class of a prototype."""
    inner = define_anonymous(x, right, scope, symbol=True)
    base_node = left.child_by_field_name("object")
    if base_node is not None:
        owner = _prototype_of(x, base_node, scope)
        if owner is not None:
            inner.owner = owner.index
        else:
            inner.literal = _quiet(x, base_node, scope, env)
    return inner.register


def _declare_function(x: Extraction, left: "Node", register: int, scope: Scope) -> None:
    """`let f; f = () => …`: from now on the name stands for the function too."""
    binding = scope.block.find(x.text(left))
    targets = definitions_in(x, register, x.text(left))
    if binding is not None and targets and not binding.targets:
        binding.targets.extend(targets)


def _assign_property(
    x: Extraction, left: "Node", right: "Node", scope: Scope, env: Environment
) -> int:
    base_node, name_node = left.child_by_field_name("object"), left.child_by_field_name("property")
    if base_node is None or name_node is None:
        return x.value(right, scope, env)
    if is_exports(x, left, scope):
        return assign_whole_export(x, left, right, scope, env)
    if is_exports(x, base_node, scope):
        return assign_export(x, name_node, right, scope, env)
    name = x.text(name_node)
    if name == "prototype":
        return _assign_prototype(x, base_node, right, scope, env)
    owner = _prototype_of(x, base_node, scope)
    if owner is not None:
        x.value(base_node, scope, env)
        return _define_member(x, name_node, right, owner, scope, env)
    register = read_named(x, right, scope, env, _naming(x, left, base_node, name_node, scope, env))
    bind(x, left, register, scope, env, None)
    return register


def _naming(
    x: Extraction,
    left: "Node",
    base_node: "Node",
    name_node: "Node",
    scope: Scope,
    env: Environment,
) -> Naming:
    """How a function assigned to a property is called: `app.handle`, `Class.method`."""
    name = x.text(name_node)
    owner = attribute_owner(x, base_node, scope)
    if owner is not None:
        return Naming(name, name_node, owner.qualified, Kind.METHOD, owner, whole=left.parent)
    prefix = scope.prefix
    literal = NOTHING
    if base_node.type in ("identifier", "member_expression"):
        path = x.text(base_node).replace(".prototype", "").removeprefix("this.")
        if path.replace(".", "").isidentifier():
            root = scope.block.find(path.partition(".")[0])
            outside = root is not None and root.scope.kind == Kind.FILE
            prefix = path if outside or not scope.prefix else f"{scope.prefix}.{path}"
        seen = len(x.references)
        literal = x.value(base_node, scope, env)
        del x.references[seen:]  # the left side is read again when it is assigned to
    return Naming(name, name_node, prefix, Kind.METHOD, literal=literal, whole=left.parent)


# ---- prototypes


def _class_of(x: Extraction, node: "Node", scope: Scope) -> Scope | None:
    """The function or class that an identifier was declared as."""
    binding = scope.block.find(x.text(node)) if node.type == "identifier" else None
    return binding.function if binding is not None else None


def _prototype_of(x: Extraction, node: "Node", scope: Scope) -> Scope | None:
    """The class F when `node` is `F.prototype`, or a name that was set to it."""
    if node.type == "member_expression":
        base, name = node.child_by_field_name("object"), node.child_by_field_name("property")
        if base is not None and name is not None and x.text(name) == "prototype":
            return _class_of(x, base, scope)
    if node.type == "identifier":
        binding = scope.block.find(x.text(node))
        return binding.prototype if binding is not None else None
    return None


def _define_member(
    x: Extraction,
    name_node: "Node",
    right: "Node",
    owner: Scope,
    scope: Scope,
    env: Environment,
) -> int:
    """`F.prototype.name = …`."""
    name = property_name(x, name_node)
    naming = Naming(name, name_node, owner.qualified, Kind.METHOD, owner, whole=right.parent)
    register = read_named(x, right, scope, env, naming)
    targets = definitions_in(x, register, name)
    if owner.kind != Kind.CLASS:
        x.emit(STORE, owner.register, name, register)
    known = owner.members.get(name, (NOTHING,))
    if targets or register >= 0:
        both = x.merge_versions((known[0], register))
        owner.members[name] = (*x.row(both, targets), *known[1:])
    return register


def _assign_prototype(
    x: Extraction, base_node: "Node", right: "Node", scope: Scope, env: Environment
) -> int:
    """`F.prototype = { … }`, `= Object.create(Base.prototype)`, `= new Base()`."""
    owner = _class_of(x, base_node, scope)
    if owner is None:
        register, base = x.value(right, scope, env), x.value(base_node, scope, env)
        if register >= 0 and base >= 0:
            x.emit(PROTO, base, register)
        return register
    x.value(base_node, scope, env)
    if right.type == "object":
        for child in right.named_children:
            _define_pair(x, child, owner, scope, env)
        return owner.register
    base_class = _inherited(x, right, scope, env)
    _inherit(x, owner, base_class)
    return owner.register


def _inherit(x: Extraction, owner: Scope, base: int) -> None:
    if base >= 0:
        owner.bases.append(base)
        if owner.kind != Kind.CLASS:
            x.emit(PROTO, owner.register, base)


def _define_pair(
    x: Extraction, child: "Node", owner: Scope, scope: Scope, env: Environment
) -> None:
    if child.type == "method_definition":
        name = child.child_by_field_name("name")
        if name is not None:
            _define_member(x, name, child, owner, scope, env)
    elif child.type == "pair":
        key, value = child.child_by_field_name("key"), child.child_by_field_name("value")
        if key is not None and value is not None and property_name(x, key) != "constructor":
            _define_member(x, key, value, owner, scope, env)
    else:
        x.value(child, scope, env)


def _inherited(x: Extraction, node: "Node", scope: Scope, env: Environment) -> int:
    """The class whose prototype an expression makes a copy of."""
    if node.type == "new_expression":
        constructor = node.child_by_field_name("constructor")
        x.value(node, scope, env)
        return _quiet(x, constructor, scope, env)
    arguments = node.child_by_field_name("arguments")
    x.value(node, scope, env)
    first = arguments.named_children[0] if arguments and arguments.named_child_count else None
    return _quiet(x, first, scope, env)


def _quiet(x: Extraction, node: "Node | None", scope: Scope, env: Environment) -> int:
    """The value of something that was read before: its references are recorded already."""
    if node is None or node.type not in ("identifier", "member_expression"):
        return NOTHING
    seen = len(x.references)
    register = x.value(node, scope, env)
    del x.references[seen:]
    return register


def read_inherits(x: Extraction, nodes: list["Node"], registers: list[int], scope: Scope) -> None:
    """`inherits(Sub, Base)`, whichever library it comes from."""
    if len(nodes) < 2 or len(registers) < 2:
        return
    owner = _class_of(x, nodes[0], scope)
    if owner is not None:
        _inherit(x, owner, registers[1])
