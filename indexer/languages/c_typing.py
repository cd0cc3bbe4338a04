"""The type of an argument as far as the text near it tells: overloads are chosen by it."""

from typing import TYPE_CHECKING

from agrama.indexer.languages.c_types import CExtraction, plain_name, type_text
from agrama.indexer.languages.typed import Block

if TYPE_CHECKING:
    from tree_sitter import Node  # noqa: TID251 - a type only

_LITERALS = {
    "string_literal": "char*", "raw_string_literal": "char*", "concatenated_string": "char*",
    "char_literal": "char", "true": "bool", "false": "bool", "null": "null",
}  # fmt: skip


def static_type(x: CExtraction, node: "Node", block: Block) -> str:
    """The type of an argument as far as the text near it tells."""
    kind = node.type
    if kind in _LITERALS:
        return _LITERALS[kind]
    if kind == "number_literal":
        return "double" if "." in x.text(node) and "x" not in x.text(node) else "int"
    if kind == "identifier":
        local = block.find(x.text(node))
        return local.type_name or "?" if local is not None else "?"
    if kind in ("cast_expression", "compound_literal_expression", "new_expression"):
        return type_text(x, node.child_by_field_name("type"), block.scope)
    if kind in ("pointer_expression", "parenthesized_expression") and node.named_child_count == 1:
        return static_type(x, node.named_children[0], block)
    if kind == "call_expression":
        function = node.child_by_field_name("function")
        text = plain_name(x, function) if function is not None else ""
        last = text.rpartition("::")[2]
        return last if last[:1].isupper() and "(" not in last else "?"
    return "?"


def signature_of(x: CExtraction, nodes: list["Node"], block: Block) -> str:
    return f"({','.join(static_type(x, each, block) for each in nodes)})" if x.is_cpp else ""
