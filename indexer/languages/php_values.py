"""PHP names, members, arrays, and what is assigned to them."""

from typing import TYPE_CHECKING

from agrama.indexer.facts import (
    CLASS_METHOD,
    MAPPING,
    NOTHING,
    STORE,
    SUB,
    SUBSTORE,
    SUPER,
)
from agrama.indexer.languages.dynamic import class_around, function_around
from agrama.indexer.languages.php_types import PhpExtraction, documented_type, literal
from agrama.indexer.languages.recording import MAX_CONSTANT_LENGTH, Key
from agrama.indexer.languages.typed import Block, Environment, Handler

if TYPE_CHECKING:
    from tree_sitter import Node  # noqa: TID251 - a type only


def read_variable(x: PhpExtraction, node: "Node", block: Block, env: Environment) -> int:
    name = x.text(node)[1:]
    if name == "this":
        return x.this_of(block)
    local = block.find(name)
    return x.read_local(local, block, env) if local is not None else NOTHING


def read_name(x: PhpExtraction, node: "Node", block: Block, env: Environment) -> int:
    """A constant, by itself."""
    return x.full_name(x.free_names(x.text(node), "const"), node, block.scope)


def read_property(x: PhpExtraction, node: "Node", block: Block, env: Environment) -> int:
    base, name = x.value(node.child_by_field_name("object"), block, env), name_of(node)
    if base < 0 or name is None or name.type != "name":
        return NOTHING
    x.refer_attribute(name, base, f"${x.text(name)}", block.scope.index)
    return x.attribute(base, f"${x.text(name)}")


def name_of(node: "Node") -> "Node | None":
    return node.child_by_field_name("name")


def read_scope(x: PhpExtraction, node: "Node | None", block: Block, env: Environment) -> int:
    """The class, or value, before `::`."""
    if node is None:
        return NOTHING
    word = x.text(node).lower()
    own = class_around(block)
    if word == "parent" and own is not None:
        register = x.register()
        x.emit(SUPER, register, own.index)
        return register
    if word == "static" and own is not None:
        function = function_around(block)
        if function is not None and function.flags & CLASS_METHOD:
            return function.self_register
        return own.register
    if node.type in ("name", "qualified_name", "relative_scope", "relative_name"):
        return x.class_of(node, block)
    return x.value(node, block, env)


def read_static_property(x: PhpExtraction, node: "Node", block: Block, env: Environment) -> int:
    base, name = read_scope(x, node.child_by_field_name("scope"), block, env), name_of(node)
    if base < 0 or name is None:
        return NOTHING
    x.refer_attribute(name, base, x.text(name), block.scope.index)
    return x.attribute(base, x.text(name))


def read_class_constant(x: PhpExtraction, node: "Node", block: Block, env: Environment) -> int:
    parts = node.named_children
    if len(parts) < 2:
        return NOTHING
    base = read_scope(x, parts[0], block, env)
    name = x.text(parts[-1])
    if base < 0 or name == "class":
        return base
    x.refer_attribute(parts[-1], base, name, block.scope.index)
    return x.attribute(base, name)


# ---- assignments


def read_assignment(x: PhpExtraction, node: "Node", block: Block, env: Environment) -> int:
    left = node.child_by_field_name("left")
    value = x.value(node.child_by_field_name("right"), block, env)
    if node.type == "augmented_assignment_expression":
        value = x.union(x.value(left, block, env), value)
    if x.has_documented and node.parent is not None:
        comment = node.parent.prev_sibling
        if comment is not None and comment.type == "comment":
            value = x.union(documented_type(x, x.text(comment), "var", "", block), value)
    if left is not None:
        assign(x, left, value, block, env)
    return value


def assign(x: PhpExtraction, target: "Node", value: int, block: Block, env: Environment) -> None:
    kind = target.type
    if kind == "variable_name":
        name = x.text(target)[1:]
        x.assign(block.find(name) or x.declare(name, block), value, block, env)
    elif kind in ("member_access_expression", "nullsafe_member_access_expression"):
        base, field = x.value(target.child_by_field_name("object"), block, env), name_of(target)
        if base >= 0 and field is not None and field.type == "name":
            _store(x, base, f"${x.text(field)}", value, field, block)
    elif kind == "scoped_property_access_expression":
        base, field = (
            read_scope(x, target.child_by_field_name("scope"), block, env),
            name_of(target),
        )
        if base >= 0 and field is not None:
            _store(x, base, x.text(field), value, field, block)
    elif kind == "subscript_expression":
        base, key = _element(x, target, block, env)
        if base < 0 and target.named_child_count and value >= 0:
            base = x.container([])
            assign(x, target.named_children[0], base, block, env)
        if base >= 0 and value >= 0:
            x.emit(SUBSTORE, base, key, value)
    elif kind in ("list_literal", "array_creation_expression"):
        _assign_list(x, target, value, block, env)
    else:
        x.value(target, block, env)


def _store(x: PhpExtraction, base: int, name: str, value: int, node: "Node", block: Block) -> None:
    own = class_around(block)
    if own is not None and base == x.this_of(block) and name not in own.members:
        x.add_attribute(name, own, node)
    x.refer_attribute(node, base, name, block.scope.index)
    if value >= 0:
        x.emit(STORE, base, name, value)


def _assign_list(
    x: PhpExtraction, node: "Node", whole: int, block: Block, env: Environment
) -> None:
    key: Key = None
    at = 0
    for child in node.named_children:
        if child.type == "array_element_initializer" and child.named_child_count:
            child = child.named_children[-1]
        text = literal(x, child)
        if text is not None:
            key = ("s", text)
            continue
        part = NOTHING
        if whole >= 0:
            part = x.register()
            x.emit(SUB, part, whole, key or ("i", at))
        assign(x, child, part, block, env)
        key = None
        at += 1


def _element(x: PhpExtraction, node: "Node", block: Block, env: Environment) -> tuple[int, Key]:
    parts = node.named_children
    base = x.value(parts[0], block, env) if parts else NOTHING
    key: Key = None
    for child in parts[1:]:
        x.value(child, block, env)
        key = _key(x, child)
    return base, key


def _key(x: PhpExtraction, node: "Node") -> Key:
    text = x.text(node)
    if node.type == "integer" and text.isdigit() and len(text) < 6:
        return ("i", int(text))
    inner = literal(x, node)
    return ("s", inner) if inner is not None and len(inner) <= MAX_CONSTANT_LENGTH else None


def read_subscript(x: PhpExtraction, node: "Node", block: Block, env: Environment) -> int:
    base, key = _element(x, node, block, env)
    if base < 0:
        return NOTHING
    register = x.register()
    x.emit(SUB, register, base, key)
    return register


def read_array(x: PhpExtraction, node: "Node", block: Block, env: Environment) -> int:
    items: list[tuple[Key, int]] = []
    elements = [c for c in node.named_children if c.type == "array_element_initializer"]
    for at, element in enumerate(elements):
        parts = element.named_children
        key: Key = ("i", at)
        if len(parts) == 2:
            x.value(parts[0], block, env)
            key = _key(x, parts[0])
        if parts:
            items.append((key, x.value(parts[-1], block, env)))
    made = x.container(items, MAPPING) if items else x.container([])
    method = elements[1].named_children[0] if len(elements) == 2 else None
    name = literal(x, method) if method is not None else None
    if name and method is not None and name.isidentifier() and items[0][1] >= 0:
        x.refer_attribute(method, items[0][1], name, block.scope.index)
        return x.union(made, x.attribute(items[0][1], name))  # `[$object, 'method']`
    return made


VALUES: dict[str, Handler] = {
    "variable_name": read_variable,
    "name": read_name,
    "qualified_name": read_name,
    **dict.fromkeys(
        ("member_access_expression", "nullsafe_member_access_expression"), read_property
    ),
    "scoped_property_access_expression": read_static_property,
    "class_constant_access_expression": read_class_constant,
    **dict.fromkeys(
        ("assignment_expression", "augmented_assignment_expression",
         "reference_assignment_expression"), read_assignment,
    ),
    "subscript_expression": read_subscript,
    "array_creation_expression": read_array,
}  # fmt: skip
