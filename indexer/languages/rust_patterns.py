"""Rust patterns: the names they bind and what these hold."""

from typing import TYPE_CHECKING

from agrama.indexer.facts import NOTHING, SUB
from agrama.indexer.languages.rust_types import RustExtraction, class_of, read_path, segments_of
from agrama.indexer.languages.typed import Block, Environment

if TYPE_CHECKING:
    from tree_sitter import Node  # noqa: TID251 - a type only

WRAPPING = frozenset(("Some", "Ok", "Err"))
_INNER = frozenset(
    ("ref_pattern", "mut_pattern", "reference_pattern", "or_pattern", "match_pattern",
     "parenthesized_pattern")
)  # fmt: skip


def part_of(x: RustExtraction, value: int, key: tuple[str, int] | None) -> int:
    if value < 0:
        return NOTHING
    register = x.register()
    x.emit(SUB, register, value, key)
    return register


def bind(
    x: RustExtraction, node: "Node | None", value: int, block: Block, env: Environment
) -> None:
    """Declare the names of a pattern that takes `value` apart."""
    if node is None:
        return
    kind = node.type
    if kind in ("identifier", "shorthand_field_identifier"):
        name = x.text(node)
        if name[:1].isupper():
            class_of(x, node, block)  # a constant or a variant, not a new name
        else:
            x.assign(x.declare(name, block), value, block, env)
    elif kind in _INNER:
        condition = node.child_by_field_name("condition")
        for child in node.named_children:
            if child != condition and child.type != "mutable_specifier":
                bind(x, child, value, block, env)
        x.value(condition, block, env)
    elif kind == "tuple_pattern":
        children = node.named_children
        for at, child in enumerate(children):
            part = part_of(x, value, ("i", at))
            if at == 1 and len(children) == 2:  # `(key, element)` of a map or of `enumerate`
                part = x.union(part, value)
            bind(x, child, part, block, env)
    elif kind == "slice_pattern":
        for child in node.named_children:
            bind(x, child, part_of(x, value, None), block, env)
    elif kind == "tuple_struct_pattern":
        _bind_tuple_struct(x, node, value, block, env)
    elif kind == "struct_pattern":
        _bind_struct(x, node, value, block, env)
    elif kind == "captured_pattern":
        for child in node.named_children:
            bind(x, child, value, block, env)
    elif kind in ("scoped_identifier", "scoped_type_identifier"):
        read_path(x, segments_of(x, node), block)


def _bind_tuple_struct(
    x: RustExtraction, node: "Node", value: int, block: Block, env: Environment
) -> None:
    """`Some(x)` holds an element, `Point(x, y)` has fields 0 and 1, `E::V(x)` what V declares."""
    kind = node.child_by_field_name("type")
    inner = [child for child in node.named_children if child != kind]
    if kind is None:
        return
    parts = segments_of(x, kind)
    name = x.text(parts[-1]) if parts else ""
    if name in WRAPPING:
        # what a container gives out (`map.get(k)`) is not wrapped again
        held = x.union(part_of(x, value, None), value) if name != "Err" else NOTHING
        for child in inner:
            bind(x, child, held, block, env)
        return
    holder = read_path(x, parts[:-1], block) if len(parts) > 1 else NOTHING
    if holder >= 0:
        x.refer_attribute(parts[-1], holder, name, block.scope.index)
    else:
        class_of(x, kind, block)
    for at, child in enumerate(inner):
        if holder >= 0:
            part = x.attribute(holder, f"{name}#{at}")
        else:
            part = x.attribute(value, str(at)) if value >= 0 else NOTHING
        bind(x, child, part, block, env)


def _bind_struct(
    x: RustExtraction, node: "Node", value: int, block: Block, env: Environment
) -> None:
    kind = node.child_by_field_name("type")
    parts = segments_of(x, kind) if kind is not None else []
    register = read_path(x, parts, block)
    variant = len(parts) > 1 and x.text(parts[-2])[:1].isupper()
    holder = read_path(x, parts[:-1], block) if variant else NOTHING
    base = x.instance(register) if register >= 0 and not variant else value
    for child in node.named_children:
        if child.type != "field_pattern":
            continue
        name, pattern = child.child_by_field_name("name"), child.child_by_field_name("pattern")
        if name is None:
            continue
        text = x.text(name)
        if variant and holder >= 0:
            part = x.attribute(holder, f"{x.text(parts[-1])}#{text}")
        else:
            part = x.attribute(base, text) if base >= 0 else NOTHING
        if pattern is not None:
            bind(x, pattern, part, block, env)
        else:
            x.assign(x.declare(text, block), part, block, env)
