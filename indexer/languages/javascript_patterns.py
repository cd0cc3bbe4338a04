"""Declaration of and assignment to JavaScript names, properties and destructuring patterns."""

from typing import TYPE_CHECKING, Any, NamedTuple

from agrama.graph.model import Kind
from agrama.indexer.facts import (
    CONSTRUCTIBLE,
    NOTHING,
    SLICE,
    STORE,
    SUB,
    SUBSTORE,
    TO_IMPORT,
    TO_VARIABLE,
)
from agrama.indexer.languages.javascript_extraction import (
    MAX_PATH_LENGTH,
    Binding,
    Block,
    Environment,
    Extraction,
    Scope,
    set_path,
)
from agrama.indexer.languages.recording import Key

if TYPE_CHECKING:
    from tree_sitter import Node  # noqa: TID251 - a type only


class Declare(NamedTuple):
    """How a pattern declares its names: None in its place means that it assigns to them."""

    fixed: bool
    block: Block | None = None


def declare_names(x: Extraction, node: "Node", scope: Scope, how: Declare) -> None:
    """Declare every name of a pattern, before any of them has a value."""
    kind = node.type
    if kind in ("identifier", "shorthand_property_identifier_pattern"):
        x.declare(x.text(node), scope, fixed=how.fixed, block=how.block)
    elif kind == "pair_pattern":
        value = node.child_by_field_name("value")
        if value is not None:
            declare_names(x, value, scope, how)
    elif kind in ("assignment_pattern", "object_assignment_pattern"):
        left = node.child_by_field_name("left")
        if left is not None:
            declare_names(x, left, scope, how)
    elif kind in ("object_pattern", "array_pattern", "rest_pattern"):
        for child in node.named_children:
            declare_names(x, child, scope, how)


def bind(
    x: Extraction, node: "Node", value: int, scope: Scope, env: Environment, how: Declare | None
) -> None:
    """Give the names of a pattern their parts of a value."""
    kind = node.type
    if kind in ("identifier", "shorthand_property_identifier_pattern", "undefined"):
        _bind_name(x, node, value, scope, env, how)
    elif kind == "object_pattern":
        _bind_object(x, node, value, scope, env, how)
    elif kind == "array_pattern":
        _bind_array(x, node, value, scope, env, how)
    elif kind in ("assignment_pattern", "object_assignment_pattern"):
        left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
        default = x.value(right, scope, env) if right is not None else NOTHING
        if left is not None:
            bind(x, left, x.union(value, default), scope, env, how)
    elif kind == "member_expression":
        assign_member(x, node, value, scope, env)
    elif kind == "subscript_expression":
        assign_item(x, node, value, scope, env)
    elif kind in _WRAPPERS and node.named_child_count:
        bind(x, node.named_children[0], value, scope, env, how)


_WRAPPERS = frozenset(
    ("rest_pattern", "parenthesized_expression", "non_null_expression", "as_expression")
)


def _bind_name(
    x: Extraction, node: "Node", value: int, scope: Scope, env: Environment, how: Declare | None
) -> None:
    name = x.text(node)
    if how is None:
        binding = scope.block.find(name)
        if binding is None:
            if name in x.builtins:
                return
            binding = x.declare(name, x.module, fixed=False, block=x.module.top)
            if scope is x.module:
                add_symbol(x, binding, node, scope)
        else:
            x.refer(binding, scope, node)
        if binding.versions:
            binding.fixed = False
    else:
        binding = x.declare(name, scope, fixed=how.fixed, block=how.block)
        if scope.kind in (Kind.FILE, Kind.MODULE) and _is_top(scope, how):
            add_symbol(x, binding, node, scope)
    x.assign(binding, value, env)


def _is_top(scope: Scope, how: Declare) -> bool:
    return scope.block is scope.top or how.block is scope.top


def add_symbol(x: Extraction, binding: Binding, node: "Node", scope: Scope) -> None:
    """Make a variable symbol of a name declared in a file or namespace."""
    if any(target == TO_IMPORT for target, _ in binding.targets):
        return
    index = x.add_variable(binding.name, node, scope, prefix=scope.prefix)
    if index >= 0:
        binding.targets.append((TO_VARIABLE, index))


def _bind_object(
    x: Extraction, node: "Node", value: int, scope: Scope, env: Environment, how: Declare | None
) -> None:
    for child in node.named_children:
        kind = child.type
        if kind == "shorthand_property_identifier_pattern":
            bind(x, child, _part(x, child, value, scope), scope, env, how)
        elif kind == "pair_pattern":
            key, target = child.child_by_field_name("key"), child.child_by_field_name("value")
            if key is not None and target is not None:
                bind(x, target, _part(x, key, value, scope, env), scope, env, how)
        elif kind == "object_assignment_pattern":
            left, right = child.child_by_field_name("left"), child.child_by_field_name("right")
            default = x.value(right, scope, env) if right is not None else NOTHING
            if left is not None:
                part = _part(x, left, value, scope)
                bind(x, left, x.union(part, default), scope, env, how)
        elif kind == "rest_pattern":
            bind(x, child, value, scope, env, how)


def _part(
    x: Extraction, key: "Node", value: int, scope: Scope, env: Environment | None = None
) -> int:
    """The property that a key of an object pattern takes."""
    if key.type == "computed_property_name":
        if env is not None and key.named_child_count:
            x.value(key.named_children[0], scope, env)
        if value < 0:
            return NOTHING
        register = x.register()
        x.emit(SUB, register, value, None)
        return register
    if value < 0:
        return NOTHING
    name = property_name(x, key)
    x.refer_attribute(key, value, name, scope.index)
    return x.attribute(value, name)


def property_name(x: Extraction, key: "Node") -> str:
    """The name of a property as written in a literal, class or pattern."""
    text = x.text(key)
    if key.type == "string":
        return text[1:-1]
    if key.type == "computed_property_name":
        inner = key.named_children[0] if key.named_child_count else None
        if inner is not None and inner.type == "string":
            return x.text(inner)[1:-1]
    return text


def _bind_array(
    x: Extraction, node: "Node", value: int, scope: Scope, env: Environment, how: Declare | None
) -> None:
    position = 0
    for child in node.children:
        if child.type == ",":
            position += 1
        elif child.is_named and child.type != "comment":
            if child.type == "rest_pattern":
                bind(x, child, slice_from(x, value, position), scope, env, how)
            else:
                bind(x, child, element(x, value, ("i", position)), scope, env, how)


def element(x: Extraction, value: int, key: Key) -> int:
    if value < 0:
        return NOTHING
    register = x.register()
    x.emit(SUB, register, value, key)
    return register


def slice_from(x: Extraction, value: int, start: int) -> int:
    if value < 0:
        return NOTHING
    register = x.register()
    x.emit(SLICE, register, value, start, x.sites)
    x.sites += 1
    return register


# ---- properties


def path_of(x: Extraction, node: "Node", scope: Scope) -> tuple[Any, str] | None:
    """`(binding, ".b.c")` of `a.b.c`; the root of `this.b` is the text "this"."""
    parts: list[str] = []
    length = 0
    while node.type == "member_expression":
        name = node.child_by_field_name("property")
        inner = node.child_by_field_name("object")
        if name is None or inner is None:
            return None
        parts.append(x.text(name))
        length += len(parts[-1])
        node = inner
    if length > MAX_PATH_LENGTH or not parts:
        return None
    path = "." + ".".join(reversed(parts))
    if node.type == "identifier":
        binding = scope.block.find(x.text(node))
        return None if binding is None else (binding, path)
    return ("this", path) if node.type == "this" else None


def assign_member(x: Extraction, node: "Node", value: int, scope: Scope, env: Environment) -> None:
    """`base.name = value`."""
    base_node, name_node = node.child_by_field_name("object"), node.child_by_field_name("property")
    if base_node is None or name_node is None:
        return
    base = x.value(base_node, scope, env)
    if base < 0:
        return
    name = x.text(name_node)
    x.emit(STORE, base, name, value)
    owner = attribute_owner(x, base_node, scope)
    if owner is None or not _declare_attribute(x, name, name_node, owner):
        x.refer_attribute(name_node, base, name, scope.index)
    path = path_of(x, node, scope)
    if path is not None:
        set_path(path[0], path[1], value, env)


def attribute_owner(x: Extraction, base_node: "Node", scope: Scope) -> Scope | None:
    """The class whose instance attribute `this.x = …` declares."""
    if base_node.type != "this":
        return None
    holder = scope
    while holder.arrow and holder.parent is not None:
        holder = holder.parent
    if holder.flags & CONSTRUCTIBLE:
        return holder
    return x.scopes[holder.owner] if holder.owner >= 0 and holder.receiver < 0 else None


def _declare_attribute(x: Extraction, name: str, node: "Node", owner: Scope) -> bool:
    if name in owner.members or name in owner.attributes:
        return False
    owner.attributes.add(name)
    return x.add_variable(name, node, owner, prefix=owner.qualified, instance=True) >= 0


def assign_item(x: Extraction, node: "Node", value: int, scope: Scope, env: Environment) -> None:
    """`base[index] = value`."""
    base_node, index = node.child_by_field_name("object"), node.child_by_field_name("index")
    if base_node is None or index is None:
        return
    base = x.value(base_node, scope, env)
    key = read_key(x, index, scope, env)
    if base < 0 or value < 0:
        return
    if key is not None and key[0] == "s":
        x.emit(STORE, base, key[1], value)
        path = path_of(x, base_node, scope)
        if path is not None:
            set_path(path[0], f"{path[1]}.{key[1]}", value, env)
        return
    x.emit(SUBSTORE, base, key, value)
    symbol = symbol_name(x, index, scope)
    if symbol:
        x.emit(STORE, base, symbol, value)


def symbol_name(x: Extraction, index: "Node", scope: Scope) -> str:
    """`[kName]` when a constant of the file (most often a symbol) names the property."""
    binding = scope.block.find(x.text(index)) if index.type == "identifier" else None
    if binding is None or not binding.fixed or binding.scope.kind != Kind.FILE:
        return ""
    return f"[{binding.name}]"


def read_key(x: Extraction, node: "Node", scope: Scope, env: Environment) -> Key:
    """The key of a subscript: a literal, a register, or None."""
    if node.type == "string":
        return ("s", x.text(node)[1:-1])
    if node.type == "number":
        text = x.text(node)
        return ("i", int(text)) if text.isdigit() else None
    register = x.value(node, scope, env)
    return ("r", register) if register >= 0 and node.type == "identifier" else None
