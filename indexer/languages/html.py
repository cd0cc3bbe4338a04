"""HTML: elements with an id, and the scripts, styles and pages that a page names."""

from functools import partial
from typing import TYPE_CHECKING

from agrama.graph.model import Kind
from agrama.indexer.languages.language import Language
from agrama.indexer.languages.linked import LinkedExtraction, LinkedModules, extract_linked
from agrama.indexer.languages.typed import Scope

if TYPE_CHECKING:
    from tree_sitter import Node  # noqa: TID251 - a type only

_PATHS = frozenset(("src", "href", "data-src", "action", "poster"))
_OUTSIDE = ("http:", "https:", "//", "mailto:", "data:", "javascript:", "tel:", "{", "#", "$", "<")


def _visit_element(x: LinkedExtraction, node: "Node", scope: Scope) -> Scope:
    tag = node.named_children[0] if node.named_child_count else None
    for attribute in tag.named_children if tag is not None else ():
        name, value = _read_attribute(x, attribute)
        if name == "id" and value is not None and tag is not None:
            text = x.text(value)
            if "{" not in text:
                scope = x.add(Kind.SECTION, text, node, value, scope, f"#{text}")
    return scope


def _visit_attribute(x: LinkedExtraction, node: "Node", scope: Scope) -> None:
    name, value = _read_attribute(x, node)
    if value is None:
        return
    text = x.text(value).strip()
    if name == "class":
        for each in text.split():
            x.use(f".{each}", value, scope)
    elif name in _PATHS and text.startswith("#"):
        x.use(text, value, scope)
    elif name in _PATHS and not text.startswith(_OUTSIDE):
        x.import_file(text, value, scope, names=text.split("?")[0].endswith((".css", ".scss")))


def _read_attribute(x: LinkedExtraction, node: "Node") -> tuple[str, "Node | None"]:
    if node.type != "attribute" or node.named_child_count < 2:
        return "", None
    name, value = node.named_children[:2]
    if value.type == "quoted_attribute_value":
        if not value.named_child_count:
            return "", None
        value = value.named_children[0]
    return x.text(name).lower(), value


VISITS = {
    "element": _visit_element,
    "script_element": _visit_element,
    "style_element": _visit_element,
    "attribute": _visit_attribute,
}

LANGUAGES = (
    Language(
        name="html",
        extensions=(".html", ".htm", ".xhtml"),
        grammar="tree_sitter_html:language",
        extract=partial(extract_linked, "html", VISITS),
        index_modules=LinkedModules,
    ),
)
