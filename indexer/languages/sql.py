"""SQL: tables, views and functions, and the statements that use them."""

from functools import partial
from typing import TYPE_CHECKING

from agrama.graph.model import Kind
from agrama.indexer.languages.language import Language, Policy
from agrama.indexer.languages.linked import LinkedExtraction, LinkedModules, extract_linked
from agrama.indexer.languages.typed import Scope

if TYPE_CHECKING:
    from tree_sitter import Node  # noqa: TID251 - a type only

_KINDS = {
    "create_table": Kind.CLASS,
    "create_view": Kind.CLASS,
    "create_materialized_view": Kind.CLASS,
    "create_type": Kind.CLASS,
    "create_function": Kind.FUNCTION,
    "create_procedure": Kind.FUNCTION,
    "create_trigger": Kind.FUNCTION,
}
_MOST_TOGETHER = 200  # files of one project that see each other's tables


def table_key(name: str) -> str:
    """Names are compared without quotes, schema and case."""
    return name.strip('"`[]').lower()


def _name_of(x: LinkedExtraction, node: "Node") -> "Node | None":
    for child in node.named_children:
        if child.type == "object_reference":
            return child.child_by_field_name("name")
    return None


def _visit_create(x: LinkedExtraction, node: "Node", scope: Scope) -> Scope:
    name = _name_of(x, node)
    if name is None:
        return scope
    text = x.text(name).strip('"`[]')
    mark = "()" if _KINDS[node.type] == Kind.FUNCTION else ""
    return x.add(_KINDS[node.type], text, node, name, scope, table_key(text) + mark)


def _visit_column(x: LinkedExtraction, node: "Node", scope: Scope) -> Scope:
    name = node.child_by_field_name("name")
    if name is not None and scope.kind == Kind.CLASS:
        x.add_variable(x.text(name).strip('"`[]'), scope, name, node)
    return scope


def _visit_reference(x: LinkedExtraction, node: "Node", scope: Scope) -> None:
    name, parent = node.child_by_field_name("name"), node.parent
    if name is None or parent is None or parent.type == "field":
        return
    if parent.type in _KINDS and scope.line == name.start_point[0] + 1:
        return  # the name of the definition itself
    if parent.type == "invocation":
        x.use(f"{table_key(x.text(name))}()", name, scope, calls=True)
    else:
        x.use(table_key(x.text(name)), name, scope)


VISITS = {
    **dict.fromkeys(_KINDS, _visit_create),
    "column_definition": _visit_column,
    "object_reference": _visit_reference,
}


class SqlModules(LinkedModules):
    """Tables are known in all scripts of a project, in a very large one to those of a folder."""

    def together(self, path: str) -> tuple[str, ...]:
        if len(self._own) > _MOST_TOGETHER:
            return super().together(path)
        return tuple(each for each in sorted(self._own) if each != path)


LANGUAGES = (
    Language(
        name="sql",
        extensions=(".sql", ".ddl"),
        grammar="tree_sitter_sql:language",
        extract=partial(extract_linked, "sql", VISITS, together=True),
        index_modules=SqlModules,
        policy=Policy(star_reexports=False, dotted_modules=False),
    ),
)
