"""Nix: bindings by their names, imported paths. Names are looked up in the file, not by scope."""

from functools import partial
from typing import TYPE_CHECKING

from agrama.graph.model import Kind
from agrama.indexer.languages.language import Language, Policy
from agrama.indexer.languages.linked import LinkedExtraction, LinkedModules, extract_linked
from agrama.indexer.languages.typed import Scope

if TYPE_CHECKING:
    from tree_sitter import Node  # noqa: TID251 - a type only


def _visit_binding(x: LinkedExtraction, node: "Node", scope: Scope) -> Scope:
    path, value = node.child_by_field_name("attrpath"), node.child_by_field_name("expression")
    if path is None or value is None:
        return scope
    name = x.text(path)
    if value.type == "function_expression":
        return x.add(Kind.FUNCTION, name, node, path, scope)
    x.add_value(name, node, path, scope)
    return scope


def _visit_variable(x: LinkedExtraction, node: "Node", scope: Scope) -> None:
    if not _is_parameter(x, node):
        x.use(x.text(node), node, scope)


def _visit_function(x: LinkedExtraction, node: "Node", scope: Scope) -> Scope:
    names = [node.child_by_field_name("universal")]
    formals = node.child_by_field_name("formals")
    for formal in formals.named_children if formals is not None else ():
        names.append(formal.child_by_field_name("name"))
    for name in names:
        if name is not None:
            x.bind_until(x.text(name), node.end_byte)
    return scope


def _is_parameter(x: LinkedExtraction, node: "Node") -> bool:
    """Is the name bound by a function around it?"""
    return node.start_byte < x.bound_until.get(x.text(node), 0)


def _visit_apply(x: LinkedExtraction, node: "Node", scope: Scope) -> Scope:
    function = node.child_by_field_name("function")
    named = function is not None and function.type == "variable_expression"
    if function is not None and named and not _is_parameter(x, function):
        x.use(x.text(function), function, scope, calls=True)
    return scope


def _visit_path(x: LinkedExtraction, node: "Node", scope: Scope) -> None:
    x.import_file(x.text(node), node, scope)


VISITS = {
    "binding": _visit_binding,
    "function_expression": _visit_function,
    "variable_expression": _visit_variable,
    "apply_expression": _visit_apply,
    "path_expression": _visit_path,
}


class NixModules(LinkedModules):
    """A folder stands for its `default.nix`."""

    extensions = ("", "/default.nix")


LANGUAGES = (
    Language(
        name="nix",
        extensions=(".nix",),
        grammar="tree_sitter_nix:language",
        extract=partial(extract_linked, "nix", VISITS),
        index_modules=NixModules,
        policy=Policy(dotted_modules=False),
    ),
)
