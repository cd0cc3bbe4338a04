"""HCL (Terraform): resources, variables, modules, and the expressions that refer to them."""

from functools import partial
from typing import TYPE_CHECKING

from agrama.graph.model import Kind
from agrama.indexer.languages.language import Language, Policy
from agrama.indexer.languages.linked import LinkedExtraction, LinkedModules, extract_linked
from agrama.indexer.languages.typed import Scope

if TYPE_CHECKING:
    from tree_sitter import Node  # noqa: TID251 - a type only

_PREFIXES = {"variable": "var", "module": "module", "data": "data", "output": "output",
             "provider": "provider", "resource": ""}  # fmt: skip
_LENGTHS = {"data": 3}


def _visit_block(x: LinkedExtraction, node: "Node", scope: Scope) -> Scope:
    """A block of the file; those inside another have no name of their own."""
    kind = x.text(node.named_children[0]) if node.named_child_count else ""
    if scope is not x.file or kind not in _PREFIXES:
        return scope
    labels = [child for child in node.named_children if child.type in ("string_lit", "identifier")]
    names = [x.text(label).strip('"') for label in labels[1:]]
    full = ".".join(part for part in (_PREFIXES[kind], *names) if part)
    return x.add(Kind.SECTION, full, node, labels[-1], scope) if names else scope


def _visit_attribute(x: LinkedExtraction, node: "Node", scope: Scope) -> Scope:
    name = node.named_children[0]
    block = node.parent.parent if node.parent is not None else None
    kind = x.text(block.named_children[0]) if block is not None and block.type == "block" else ""
    if kind == "locals":
        x.add_value(f"local.{x.text(name)}", node, name, x.file)
    elif kind == "module" and x.text(name) == "source":
        value = node.named_children[-1]
        path = x.text(value).strip(' "')
        if path.startswith("."):
            x.import_file(path, value, scope)
        else:
            x.import_file(path, value, scope, level=0)
    return scope


def _visit_expression(x: LinkedExtraction, node: "Node", scope: Scope) -> Scope:
    """`var.x`, `local.y`, `data.type.name`, `type.name`."""
    first = node.named_children[0] if node.named_child_count else None
    if first is None or first.type != "variable_expr":
        return scope
    names = [x.text(first)]
    for child in node.named_children[1:]:
        if child.type != "get_attr":
            break
        names.append(x.text(child).strip(". "))
    length = _LENGTHS.get(names[0], 2)
    if len(names) >= length:
        x.use(".".join(names[:length]), first, scope)
    return scope


VISITS = {
    "block": _visit_block,
    "attribute": _visit_attribute,
    "expression": _visit_expression,
}


class TerraformModules(LinkedModules):
    """A folder is a module: its files share their names, and stand for it."""

    def find(self, module: str, level: int, path: str) -> tuple[str, ...]:
        if not module:
            return self.together(path)
        if not module.startswith("."):
            return ()
        folder = self._normal(module, path)
        return tuple(self._folders.get(folder, ()))

    def _normal(self, module: str, path: str) -> str:
        parts = path.split("/")[:-1]
        for step in module.split("/"):
            if step == "..":
                parts = parts[:-1]
            elif step not in ("", "."):
                parts.append(step)
        return "/".join(parts)


LANGUAGES = (
    Language(
        name="hcl",
        extensions=(".tf", ".hcl", ".tfvars"),
        grammar="tree_sitter_hcl:language",
        extract=partial(extract_linked, "hcl", VISITS, together=True),
        index_modules=TerraformModules,
        policy=Policy(star_reexports=False, dotted_modules=False),
    ),
)
