"""Imports and exports: ES modules, CommonJS, and TypeScript's `import x = require()`."""

from typing import TYPE_CHECKING

from agrama.graph.model import Kind
from agrama.indexer.facts import (
    EXPORTED,
    IMPORT,
    NOTHING,
    STORE,
    TO_DEFINITION,
    TO_IMPORT,
    TO_VARIABLE,
    WHOLE_EXPORT,
)
from agrama.indexer.languages.javascript_classes import define_class, read_decorator
from agrama.indexer.languages.javascript_extraction import (
    HOISTED,
    STATEMENTS,
    Environment,
    Extraction,
    Scope,
    hoisted,
    statement,
)
from agrama.indexer.languages.javascript_naming import Naming, definitions_in, read_named
from agrama.indexer.languages.javascript_patterns import Declare
from agrama.indexer.languages.typescript_types import class_of

if TYPE_CHECKING:
    from tree_sitter import Node  # noqa: TID251 - a type only


def add_import(
    x: Extraction,
    source: "Node",
    name: str | None,
    scope: Scope,
    *,
    name_node: "Node | None" = None,
    type_only: bool = False,
) -> tuple[int, int]:
    """A row and an instruction for one imported name: (index, register)."""
    row, column = source.start_point
    at = (name_node.start_point[0] + 1, name_node.start_point[1]) if name_node else (0, 0)
    index = len(x.imports)
    x.imports.append(
        (x.text(source)[1:-1], 0, name, 0, scope.index, row + 1, column, *at, int(type_only))
    )
    if name == "*":
        return index, NOTHING
    register = x.register()
    x.emit(IMPORT, register, index)
    return index, register


def _bind_import(
    x: Extraction, local: str, index: int, register: int, scope: Scope, env: Environment
) -> None:
    binding = x.declare(local, scope, fixed=True)
    binding.targets = [(TO_IMPORT, index)]
    x.assign(binding, register, env)


@hoisted("import_statement")
def read_import(x: Extraction, node: "Node", scope: Scope, env: Environment) -> None:
    source = node.child_by_field_name("source")
    clause = next((c for c in node.named_children if c.type.endswith("_clause")), None)
    if clause is not None and clause.type == "import_require_clause":
        _read_import_require(x, clause, scope, env)
        return
    if source is None:
        return
    type_only = any(child.type == "type" for child in node.children)
    if clause is None:
        add_import(x, source, None, scope)
        return
    for child in clause.named_children:
        if child.type == "identifier":
            index, register = add_import(
                x, source, "default", scope, name_node=child, type_only=type_only
            )
            x.add_reference(child, scope.index, TO_IMPORT, index)
            _bind_import(x, x.text(child), index, register, scope, env)
        elif child.type == "namespace_import" and child.named_child_count:
            index, register = add_import(x, source, None, scope, type_only=type_only)
            _bind_import(x, x.text(child.named_children[0]), index, register, scope, env)
        elif child.type == "named_imports":
            for specifier in child.named_children:
                _read_specifier(x, specifier, source, scope, env, type_only=type_only)


def _read_specifier(
    x: Extraction,
    node: "Node",
    source: "Node",
    scope: Scope,
    env: Environment,
    *,
    type_only: bool,
) -> None:
    name = node.child_by_field_name("name")
    if name is None:
        return
    alias = node.child_by_field_name("alias") or name
    only = type_only or any(child.type == "type" for child in node.children)
    index, register = add_import(
        x, source, _exported_name(x, name), scope, name_node=name, type_only=only
    )
    x.add_reference(name, scope.index, TO_IMPORT, index)
    _bind_import(x, x.text(alias), index, register, scope, env)


def _exported_name(x: Extraction, node: "Node") -> str:
    text = x.text(node)
    return text[1:-1] if node.type == "string" else text


def _read_import_require(x: Extraction, clause: "Node", scope: Scope, env: Environment) -> None:
    source = clause.child_by_field_name("source")
    name = clause.named_children[0] if clause.named_child_count else None
    if source is not None and name is not None:
        index, register = add_import(x, source, WHOLE_EXPORT, scope)
        _bind_import(x, x.text(name), index, register, scope, env)


@statement("import_alias")
def read_import_alias(x: Extraction, node: "Node", scope: Scope, env: Environment) -> Environment:
    """`import A = B.C`."""
    children = node.named_children
    if len(children) == 2:
        register = class_of(x, children[1], scope, env)
        x.assign(x.declare(x.text(children[0]), scope, fixed=True), register, env)
    return env


# ---- exports


@hoisted("export_statement")
def declare_exported(x: Extraction, node: "Node", scope: Scope, env: Environment) -> None:
    inner = node.child_by_field_name("declaration")
    handler = HOISTED.get(inner.type) if inner is not None else None
    if inner is not None and handler is not None:
        handler(x, inner, scope, env)


@statement("export_statement")
def read_export(x: Extraction, node: "Node", scope: Scope, env: Environment) -> Environment:
    source = node.child_by_field_name("source")
    declaration, value = node.child_by_field_name("declaration"), node.child_by_field_name("value")
    words = {child.type for child in node.children if not child.is_named}
    if source is not None:
        _read_reexport(x, node, source, scope)
    elif declaration is not None:
        env = _export_declaration(x, node, declaration, scope, env, default="default" in words)
    elif value is not None:
        _export_default(x, node, value, scope, env)
    elif "=" in words or ("as" not in words and "namespace" not in words):
        _export_names(x, node, scope, env, whole="=" in words)
    return env


def _read_reexport(x: Extraction, node: "Node", source: "Node", scope: Scope) -> None:
    type_only = any(child.type == "type" for child in node.children)
    clause = next((c for c in node.named_children if c.type != "string"), None)
    if clause is None:
        add_import(x, source, "*", scope, type_only=type_only)
    elif clause.type == "namespace_export" and clause.named_child_count:
        index, register = add_import(x, source, None, scope, type_only=type_only)
        name = _exported_name(x, clause.named_children[0])
        x.exports[name] = (register, TO_IMPORT, index)
    elif clause.type == "export_clause":
        for specifier in clause.named_children:
            name_node = specifier.child_by_field_name("name")
            if name_node is None:
                continue
            alias = specifier.child_by_field_name("alias") or name_node
            index, register = add_import(
                x, source, _exported_name(x, name_node), scope, name_node=name_node,
                type_only=type_only,
            )  # fmt: skip
            x.add_reference(name_node, scope.index, TO_IMPORT, index)
            x.exports[_exported_name(x, alias)] = (register, TO_IMPORT, index)


def _export_declaration(
    x: Extraction,
    node: "Node",
    declaration: "Node",
    scope: Scope,
    env: Environment,
    *,
    default: bool,
) -> Environment:
    handler = STATEMENTS.get(declaration.type)
    if handler is not None:
        env = handler(x, declaration, scope, env) or env
    inner = declaration
    if declaration.type == "ambient_declaration" and declaration.named_child_count:
        inner = declaration.named_children[0]
    for name in _declared_names(x, inner):
        _export_name(x, name, "default" if default else name, scope)
        for decorator in node.children_by_field_name("decorator"):
            register = x.read(name, scope, env)
            read_decorator(x, decorator, scope, env, register)
    return env


def _declared_names(x: Extraction, node: "Node") -> list[str]:
    if node.type in ("lexical_declaration", "variable_declaration"):
        names: list[str] = []
        for child in node.named_children:
            pattern = child.child_by_field_name("name")
            if pattern is not None:
                names.extend(_pattern_names(x, pattern))
        return names
    name = node.child_by_field_name("name")
    return [x.text(name)] if name is not None else []


def _pattern_names(x: Extraction, node: "Node") -> list[str]:
    if node.type in ("identifier", "shorthand_property_identifier_pattern"):
        return [x.text(node)]
    if node.type == "pair_pattern":
        value = node.child_by_field_name("value")
        return _pattern_names(x, value) if value is not None else []
    if node.type in ("assignment_pattern", "object_assignment_pattern"):
        left = node.child_by_field_name("left")
        return _pattern_names(x, left) if left is not None else []
    return [name for child in node.named_children for name in _pattern_names(x, child)]


def _export_name(x: Extraction, local: str, name: str, scope: Scope) -> None:
    """Export the value and the type that are called `local`."""
    if scope.kind == Kind.MODULE:
        scope.attributes.add(local)
        return
    for found in dict.fromkeys((scope.block.find(local), scope.block.find_type(local))):
        if found is not None:
            x.export_list.append((name, found))
            for target, operand in found.targets:
                if target == TO_DEFINITION:
                    x.scopes[operand].flags |= EXPORTED


def _export_default(
    x: Extraction, node: "Node", value: "Node", scope: Scope, env: Environment
) -> None:
    own = value.child_by_field_name("name")
    if value.type == "class" and own is not None:
        define_class(x, value, scope, env, x.text(own), own, scope.prefix)
    naming = Naming("default", value, scope.prefix, whole=node)
    if value.type == "object":  # the members of a default object are as good as the file's own
        register = x.value(value, scope, env)
    elif value.type.endswith(("function", "function_expression")) and own is not None:
        register = read_named(x, value, scope, env, naming._replace(name=x.text(own), node=own))
    else:
        register = read_named(x, value, scope, env, naming)
    targets = _targets(x, value, register, scope)
    x.exports["default"] = x.row(register, targets)
    for decorator in node.children_by_field_name("decorator"):
        read_decorator(x, decorator, scope, env, register)


def _targets(x: Extraction, value: "Node", register: int, scope: Scope) -> list[tuple[int, int]]:
    """The symbols that an exported expression stands for."""
    if value.type == "identifier":
        binding = scope.block.find(x.text(value))
        return list(binding.targets) if binding is not None else []
    inner = x.definition_of.get(register)
    return [] if inner is None else [(TO_DEFINITION, inner.index)]


def _export_names(
    x: Extraction, node: "Node", scope: Scope, env: Environment, *, whole: bool
) -> None:
    for child in node.named_children:
        if child.type == "export_clause":
            for specifier in child.named_children:
                name = specifier.child_by_field_name("name")
                if name is None:
                    continue
                alias = specifier.child_by_field_name("alias") or name
                _refer(x, name, scope)
                _export_name(x, x.text(name), _exported_name(x, alias), scope)
        elif whole and child.type != "comment":
            register = x.value(child, scope, env)
            x.exports[WHOLE_EXPORT] = x.row(register, _targets(x, child, register, scope))


def _refer(x: Extraction, name: "Node", scope: Scope) -> None:
    for found in dict.fromkeys(
        (scope.block.find(x.text(name)), scope.block.find_type(x.text(name)))
    ):
        if found is not None:
            x.refer(found, scope, name)


def finish_exports(x: Extraction) -> None:
    """Fill in the exported names once every value of theirs is known."""
    for name, binding in x.export_list:
        register = x.cell(binding)
        known = x.exports.get(name)
        if known is None:
            x.exports[name] = x.row(register, binding.targets)
        elif binding.targets:  # a value and a type of one name
            targets = x.row(NOTHING, binding.targets)[1:]
            both = x.merge_versions((known[0], register))
            x.exports[name] = (both, *known[1:], *targets)
    if x.exported >= 0 and WHOLE_EXPORT not in x.exports:
        x.exports.setdefault("default", (x.exported,))


# ---- CommonJS


def declare_required(
    x: Extraction, pattern: "Node", index: int, scope: Scope, how: Declare
) -> None:
    """`const { a, b: c } = require("./x")`: each name stands for what the module exports."""
    for child in pattern.named_children:
        key, target = child.child_by_field_name("key"), child.child_by_field_name("value")
        if child.type == "shorthand_property_identifier_pattern":
            key = target = child
        if key is None or target is None or target.type not in _NAMES:
            continue
        binding = x.declare(x.text(target), scope, fixed=how.fixed, block=how.block)
        if not binding.targets:
            row, column = key.start_point
            binding.targets.append((TO_IMPORT, len(x.imports)))
            whole = x.imports[index]
            x.imports.append((*whole[:2], x.text(key), *whole[3:7], row + 1, column, 0))


_NAMES = frozenset(("identifier", "shorthand_property_identifier_pattern"))


def is_exports(x: Extraction, node: "Node | None", scope: Scope) -> bool:
    """`exports` or `module.exports`."""
    if node is None:
        return False
    if node.type == "identifier":
        return x.text(node) == "exports" and scope.block.find("exports") is None
    return (
        node.type == "member_expression"
        and x.text(node) == "module.exports"
        and scope.block.find("module") is None
    )


def assign_whole_export(
    x: Extraction, left: "Node", right: "Node", scope: Scope, env: Environment
) -> int:
    """`module.exports = …`, `exports = module.exports = …`."""
    own = right.child_by_field_name("name")
    naming = Naming("default", right, "", whole=left.parent)
    if own is not None and right.type != "class":
        naming = naming._replace(name=x.text(own), node=own)
    register = x.value(right, scope, env) if right.type == "object" else read_named(
        x, right, scope, env, naming
    )  # fmt: skip
    x.exported = register
    if left.type == "identifier" and WHOLE_EXPORT not in x.exports:
        return register
    x.exports[WHOLE_EXPORT] = x.row(register, _targets(x, right, register, scope))
    for name, value in x.elements.get(register, {}).items():
        x.exports[name] = x.row(value, _element_targets(x, right, name, value, scope))
    return register


def _element_targets(
    x: Extraction, node: "Node", name: str, value: int, scope: Scope
) -> list[tuple[int, int]]:
    found = definitions_in(x, value, name)
    binding = scope.block.find(name)
    if not found and binding is not None and value in binding.versions:
        return list(binding.targets)
    return found


def assign_export(
    x: Extraction, name_node: "Node", right: "Node", scope: Scope, env: Environment
) -> int:
    """`exports.name = …`."""
    name = x.text(name_node)
    base = x.exports_register()
    naming = Naming(name, name_node, "", literal=base, whole=right.parent)
    register = read_named(x, right, scope, env, naming)
    x.emit(STORE, base, name, register)
    targets = definitions_in(x, register, name) or _targets(x, right, register, scope)
    if not targets:
        index = x.add_variable(name, name_node, x.module)
        targets = [(TO_VARIABLE, index)] if index >= 0 else []
    known = x.exports.get(name)
    if known is None or known[0] < 0:
        x.exports[name] = x.row(register, targets)
    return register
