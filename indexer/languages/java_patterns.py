"""Java patterns: the names that `instanceof` and `case` bind, with their types."""

from typing import TYPE_CHECKING

from agrama.indexer.facts import NOTHING
from agrama.indexer.languages.java_types import (
    JavaExtraction,
    named_class,
    read_type,
    type_text,
)
from agrama.indexer.languages.typed import Block, Environment

if TYPE_CHECKING:
    from tree_sitter import Node  # noqa: TID251 - a type only


def read_instanceof(x: JavaExtraction, node: "Node", block: Block, env: Environment) -> int:
    value = x.value(node.child_by_field_name("left"), block, env)
    kind, name = node.child_by_field_name("right"), node.child_by_field_name("name")
    declared = read_type(x, kind, block)
    if name is not None:
        local = x.declare(x.text(name), block)
        local.type_name = type_text(x, kind, block)
        x.assign(local, declared if declared >= 0 else value, block, env)
    pattern = node.child_by_field_name("pattern")
    if pattern is not None:
        read_pattern(x, pattern, block, env)
    return NOTHING


def read_pattern(x: JavaExtraction, node: "Node", block: Block, env: Environment) -> None:
    """Names that a pattern binds, with their types."""
    if node.type in ("type_pattern", "record_pattern_component"):
        parts = node.named_children
        if len(parts) > 1 and parts[-1].type == "identifier":
            local = x.declare(x.text(parts[-1]), block)
            local.type_name = type_text(x, parts[-2], block)
            x.assign(local, max(read_type(x, parts[-2], block), NOTHING), block, env)
            return
    for child in node.named_children:
        if child.type == "identifier" and node.type == "record_pattern":
            named_class(x, x.text(child), child, block)
        elif "type" in child.type and "pattern" not in child.type:
            read_type(x, child, block)
        else:
            read_pattern(x, child, block, env)
