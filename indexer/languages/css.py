"""CSS and SCSS: rules by their selectors, custom properties, mixins, imports."""

import posixpath
from functools import partial
from typing import TYPE_CHECKING

from agrama.graph.model import Kind
from agrama.indexer.facts import TO_DEFINITION
from agrama.indexer.languages.language import Language
from agrama.indexer.languages.linked import LinkedExtraction, LinkedModules, extract_linked
from agrama.indexer.languages.typed import Scope

if TYPE_CHECKING:
    from tree_sitter import Node  # noqa: TID251 - a type only

_NAMES = {"class_selector": ("class_name", "."), "id_selector": ("id_name", "#")}
_OUTSIDE = ("http:", "https:", "//", "data:", "sass:")


def _visit_rule(x: LinkedExtraction, node: "Node", scope: Scope) -> Scope:
    """A rule is found by every class and id that its selectors name."""
    selectors = node.named_children[0] if node.named_child_count else None
    if selectors is None or selectors.type != "selectors":
        return scope
    rule = x.add(Kind.SECTION, x.text(selectors), node, selectors, scope)
    pending = [selectors]
    while pending:
        each = pending.pop()
        child, mark = _NAMES.get(each.type, ("", ""))
        for part in each.named_children:
            if part.type == child:
                name = f"{mark}{x.text(part)}"
                x.exports.setdefault(name, (rule.register, TO_DEFINITION, rule.index))
        pending.extend(each.named_children)
    return rule


def _visit_import(x: LinkedExtraction, node: "Node", scope: Scope) -> None:
    for value in _strings(node):
        path = x.text(value).strip("\"'")
        if not path.startswith(_OUTSIDE):
            x.import_file(path, value, scope, names=True)


def _strings(node: "Node") -> list["Node"]:
    found, pending = [], [node]
    while pending:
        each = pending.pop()
        if each.type in ("string_value", "plain_value"):
            found.append(each)
        else:
            pending.extend(reversed(each.named_children))
    return found


def _visit_declaration(x: LinkedExtraction, node: "Node", scope: Scope) -> Scope:
    name = node.named_children[0] if node.named_child_count else None
    if name is not None and x.text(name).startswith(("--", "$")):
        x.add_value(x.text(name), node, name, scope)
    return scope


def _visit_call(x: LinkedExtraction, node: "Node", scope: Scope) -> Scope:
    """`var(--x)`, `url(x.png)`, and functions of SCSS."""
    name = node.named_children[0] if node.named_child_count else None
    if name is None:
        return scope
    for value in _strings(node) if x.text(name) in ("var", "url") else ():
        text = x.text(value).strip("\"'")
        if x.text(name) == "var":
            x.use(text, value, scope)
        elif not text.startswith(_OUTSIDE):
            x.import_file(text, value, scope)
    if x.text(name) not in ("var", "url"):
        x.use(f"{x.text(name)}()", name, scope, calls=True)
    return scope


def _visit_named(x: LinkedExtraction, node: "Node", scope: Scope) -> Scope:
    """A mixin or function."""
    name = node.child_by_field_name("name")
    if name is None:
        return scope
    key = f"{x.text(name)}()" if node.type == "function_statement" else f"@{x.text(name)}"
    return x.add(Kind.FUNCTION, x.text(name), node, name, scope, key)


def _visit_include(x: LinkedExtraction, node: "Node", scope: Scope) -> Scope:
    name = node.named_children[0] if node.named_child_count else None
    if name is not None:
        x.use(f"@{x.text(name)}", name, scope, calls=True)
    return scope


def _visit_extend(x: LinkedExtraction, node: "Node", scope: Scope) -> Scope:
    for each in node.named_children:
        x.use(x.text(each), each, scope)
    return scope


def _visit_keyframes(x: LinkedExtraction, node: "Node", scope: Scope) -> Scope:
    name = node.named_children[0] if node.named_child_count else None
    return scope if name is None else x.add(Kind.SECTION, x.text(name), node, name, scope)


def _visit_variable(x: LinkedExtraction, node: "Node", scope: Scope) -> None:
    x.use(x.text(node), node, scope)


VISITS = {
    "rule_set": _visit_rule,
    "import_statement": _visit_import,
    "use_statement": _visit_import,
    "forward_statement": _visit_import,
    "declaration": _visit_declaration,
    "call_expression": _visit_call,
    "mixin_statement": _visit_named,
    "function_statement": _visit_named,
    "include_statement": _visit_include,
    "extend_statement": _visit_extend,
    "keyframes_statement": _visit_keyframes,
    "variable": _visit_variable,
}


class StyleModules(LinkedModules):
    """`@use "mixins"` names `mixins.scss` or `_mixins.scss`."""

    def candidates(self, target: str) -> list[str]:
        folder, name = posixpath.split(target)
        partials = [f"{name}.scss", f"_{name}.scss", f"{name}.css", f"{name}/_index.scss"]
        return [target, *(posixpath.join(folder, each) for each in partials)]


LANGUAGES = (
    Language(
        name="css",
        extensions=(".css",),
        grammar="tree_sitter_css:language",
        extract=partial(extract_linked, "css", VISITS),
        group="css",
        index_modules=StyleModules,
    ),
    Language(
        name="scss",
        extensions=(".scss",),
        grammar="tree_sitter_scss:language",
        extract=partial(extract_linked, "scss", VISITS),
        group="css",
        index_modules=StyleModules,
    ),
)
