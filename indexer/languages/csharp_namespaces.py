"""C# namespaces and usings: what a file declares itself to be part of, and what it sees."""

from typing import TYPE_CHECKING

from agrama.indexer.languages.csharp_types import CSharpExtraction

if TYPE_CHECKING:
    from tree_sitter import Node  # noqa: TID251 - a type only

NAMESPACES = frozenset(("namespace_declaration", "file_scoped_namespace_declaration"))
# Of preprocessor directives both sides are read.
GROUPS = frozenset(
    (
        "preproc_if",
        "preproc_else",
        "preproc_elif",
        "preproc_region",
        "ERROR",
        "preproc_if_in_top_level",
    )
)


_TYPES = frozenset(
    (
        "class_declaration",
        "struct_declaration",
        "interface_declaration",
        "record_declaration",
        "enum_declaration",
        "delegate_declaration",
    )
)


def declares_globally(root: "Node") -> bool:
    """Does a type stand beside namespaces, in none of them?"""
    kinds = {child.type for child in root.named_children}
    return "file_scoped_namespace_declaration" not in kinds and not kinds.isdisjoint(_TYPES)


def find_namespaces(x: CSharpExtraction, node: "Node", outer: str) -> None:
    for child in node.named_children:
        if child.type in NAMESPACES:
            name = child.child_by_field_name("name")
            text = x.text(name) if name is not None else ""
            full = f"{outer}.{text}" if outer else text
            if full not in x.namespaces:
                x.namespaces.append(full)
            body = child.child_by_field_name("body")
            if body is not None:
                find_namespaces(x, body, full)
        elif child.type in GROUPS:
            find_namespaces(x, child, outer)


# ---- usings


def read_usings(x: CSharpExtraction, node: "Node") -> None:
    for child in node.named_children:
        if child.type == "using_directive":
            _read_using(x, child)
        elif child.type in NAMESPACES:
            read_usings(x, child.child_by_field_name("body") or child)
        elif child.type in GROUPS:
            read_usings(x, child)


def _read_using(x: CSharpExtraction, node: "Node") -> None:
    alias = node.child_by_field_name("name")
    named = [child for child in node.named_children if child != alias]
    if not named:
        return
    target = named[-1]
    text = x.text(target).partition("<")[0].removeprefix("global::")
    words = {child.type for child in node.children}
    x.roots.add(text.partition(".")[0])
    module, _, name = text.rpartition(".")
    if alias is not None:
        index = len(x.imports)
        x.imported[x.text(alias)] = (x.import_class(module, name, target), index)
    elif "static" in words:
        x.static_stars.append(x.import_class(module, name, target))
    else:
        x.import_star(text, target)
        x.see_package(text)
        if "global" in words:
            x.globals.append(text)
