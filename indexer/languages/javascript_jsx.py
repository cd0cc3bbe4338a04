"""JSX: an element calls its component."""

from typing import TYPE_CHECKING

from agrama.indexer.facts import CALL, FORM_JSX, NOTHING, RECORD
from agrama.indexer.languages.javascript_extraction import (
    Environment,
    Extraction,
    Scope,
    expression,
)
from agrama.indexer.languages.javascript_functions import FUNCTIONS, define_anonymous
from agrama.indexer.languages.recording import Key

if TYPE_CHECKING:
    from tree_sitter import Node  # noqa: TID251 - a type only


@expression("jsx_element", "jsx_fragment")
def read_element(x: Extraction, node: "Node", scope: Scope, env: Environment) -> int:
    for child in node.named_children:
        if child.type == "jsx_closing_element":
            name = child.child_by_field_name("name")
            if name is not None and _is_component(x, name):
                x.value(name, scope, env)
        elif child.type not in ("jsx_text", "comment"):
            x.value(child, scope, env)
    return NOTHING


@expression("jsx_opening_element", "jsx_self_closing_element")
def read_tag(x: Extraction, node: "Node", scope: Scope, env: Environment) -> int:
    name = node.child_by_field_name("name")
    component = NOTHING
    if name is not None and _is_component(x, name):
        component = x.value(name, scope, env)
    properties: list[tuple[Key, int]] = []
    for attribute in node.children_by_field_name("attribute"):
        children = attribute.named_children
        if attribute.type == "jsx_attribute" and children:
            value = x.value(children[1], scope, env) if len(children) > 1 else NOTHING
            properties.append((("s", x.text(children[0])), value))
        else:
            x.value(attribute, scope, env)
    if component >= 0 and name is not None:
        given = x.container(properties, RECORD) if properties else NOTHING
        place = name.child_by_field_name("property") or name
        row, column = place.start_point
        arguments = (given,) if given >= 0 else ()
        x.emit(CALL, x.register(), component, arguments, (), row + 1, column, scope.index, FORM_JSX)
    return NOTHING


def _is_component(x: Extraction, name: "Node") -> bool:
    """`<Name>` and `<a.b>` are components, `<div>` is not."""
    return name.type == "member_expression" or not x.text(name)[:1].islower()


@expression("jsx_expression")
def read_expression(x: Extraction, node: "Node", scope: Scope, env: Environment) -> int:
    for child in node.named_children:
        if child.type in FUNCTIONS:
            return define_anonymous(x, child, scope, symbol=False).register
        if child.type != "comment":
            return x.value(child, scope, env)
    return NOTHING


@expression("jsx_text", "jsx_namespace_name", "html_character_reference")
def read_text(x: Extraction, node: "Node", scope: Scope, env: Environment) -> int:
    return NOTHING
