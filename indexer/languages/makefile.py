"""Make: targets, what they depend on, variables, included makefiles."""

from functools import partial
from typing import TYPE_CHECKING

from agrama.graph.model import Kind
from agrama.indexer.languages.language import Language, Policy
from agrama.indexer.languages.linked import LinkedExtraction, LinkedModules, extract_linked
from agrama.indexer.languages.typed import Scope

if TYPE_CHECKING:
    from tree_sitter import Node  # noqa: TID251 - a type only


def _visit_rule(x: LinkedExtraction, node: "Node", scope: Scope) -> Scope:
    """A rule with several targets is found by each of them."""
    targets = next((child for child in node.named_children if child.type == "targets"), None)
    words = [word for word in targets.named_children if word.type == "word"] if targets else []
    names = [word for word in words if not x.text(word).startswith(".")]
    if not names:
        return scope
    rule = x.add(Kind.SECTION, x.text(names[0]), node, names[0], scope)
    for other in names[1:]:
        x.exports.setdefault(x.text(other), x.exports.get(rule.name, (rule.register,)))
    needed = node.child_by_field_name("normal")
    for word in needed.named_children if needed is not None else ():
        if word.type == "word":
            x.use(x.text(word), word, rule)
            x.import_file(x.text(word), word, rule)
    return rule


def _visit_assignment(x: LinkedExtraction, node: "Node", scope: Scope) -> Scope:
    name = node.child_by_field_name("name")
    if name is not None:
        x.add_value(f"$({x.text(name)})", node, name, x.file)
    return scope


def _visit_reference(x: LinkedExtraction, node: "Node", scope: Scope) -> Scope:
    name = node.named_children[0] if node.named_child_count else None
    if name is not None and name.type == "word":
        x.use(f"$({x.text(name)})", name, scope)
    return scope


def _visit_include(x: LinkedExtraction, node: "Node", scope: Scope) -> None:
    files = node.child_by_field_name("filenames")
    for word in files.named_children if files is not None else ():
        if word.type == "word":
            x.import_file(x.text(word), word, scope, names=True)


VISITS = {
    "rule": _visit_rule,
    "variable_assignment": _visit_assignment,
    "variable_reference": _visit_reference,
    "include_directive": _visit_include,
}

LANGUAGES = (
    Language(
        name="makefile",
        extensions=(".mk", ".mak"),
        filenames=("Makefile", "makefile", "GNUmakefile"),
        grammar="tree_sitter_make:language",
        extract=partial(extract_linked, "makefile", VISITS),
        index_modules=LinkedModules,
        policy=Policy(dotted_modules=False),
    ),
)
