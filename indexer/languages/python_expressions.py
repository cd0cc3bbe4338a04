"""Python expressions except calls and annotations."""

from typing import TYPE_CHECKING

from agrama.graph.model import Kind
from agrama.indexer.facts import (
    DEF,
    GENERATOR,
    ITER,
    KEYS,
    LAMBDA,
    MAPPING,
    NOTHING,
    SLICE,
    SUB,
)
from agrama.indexer.languages.python_extraction import (
    Environment,
    Extraction,
    Key,
    Scope,
    expression,
    literal_key,
)
from agrama.indexer.languages.python_names import assign, assign_locally, narrow, root_name
from agrama.indexer.languages.python_parameters import read_parameters

if TYPE_CHECKING:
    from tree_sitter import Node  # noqa: TID251 - a type only


@expression("identifier")
def read_identifier(x: Extraction, node: "Node", scope: Scope, env: Environment) -> int:
    return x.read(x.text(node), scope, env, node)


@expression("attribute")
def read_attribute(x: Extraction, node: "Node", scope: Scope, env: Environment) -> int:
    base_node = node.child_by_field_name("object")
    name_node = node.child_by_field_name("attribute")
    if base_node is None or name_node is None:
        return NOTHING
    base = x.value(base_node, scope, env)
    if base < 0:
        return NOTHING
    name = x.text(name_node)
    x.refer_attribute(name_node, base, name, scope)
    kind = base_node.type
    if kind == "attribute" or (kind == "identifier" and x.text(base_node) + "!" in env):
        versions = env.get(x.text(node))
        if versions:
            return x.merge_versions(versions)
    return x.attribute(base, name, scope)


@expression("subscript")
def read_subscript(x: Extraction, node: "Node", scope: Scope, env: Environment) -> int:
    base_node = node.child_by_field_name("value")
    if base_node is None:
        return NOTHING
    base = x.value(base_node, scope, env)
    keys = node.children_by_field_name("subscript")
    if base < 0:
        for key in keys:
            x.value(key, scope, env)
        return NOTHING
    root = root_name(x, base_node)
    if root is not None and root + "!" in env:
        versions = env.get(x.text(node).replace("'", '"'))
        if versions:
            return x.merge_versions(versions)
    if keys and keys[0].type == "slice":
        return _read_slice(x, keys, base, scope, env)
    register = x.register()
    x.emit(SUB, register, base, read_key(x, keys[0], scope, env) if len(keys) == 1 else None)
    return register


def _read_slice(
    x: Extraction, keys: list["Node"], base: int, scope: Scope, env: Environment
) -> int:
    for key in keys:
        x.value(key, scope, env)
    first = x.text(keys[0]).partition(":")[0]
    start = int(first) if first.isdigit() else None if first else 0
    register = x.register()
    x.emit(SLICE, register, base, start, x.sites)
    x.sites += 1
    return register


def read_key(x: Extraction, node: "Node | None", scope: Scope, env: Environment) -> Key:
    """The key of a subscript: a literal, a register, or None."""
    if node is None:
        return None
    if node.type in ("string", "integer"):
        return literal_key(node.type, x.text(node))
    register = x.value(node, scope, env)
    return ("r", register) if register >= 0 and node.type == "identifier" else None


@expression("list", "tuple", "set", "expression_list")
def read_sequence(x: Extraction, node: "Node", scope: Scope, env: Environment) -> int:
    items: list[tuple[Key, int]] = []
    position: int | None = 0
    for child in node.named_children:
        if child.type == "comment":
            continue
        if child.type == "list_splat":
            x.value(child, scope, env)
            position = None
            continue
        items.append((None if position is None else ("i", position), x.value(child, scope, env)))
        position = None if position is None else position + 1
    return x.container(items)


@expression("dictionary")
def read_dictionary(x: Extraction, node: "Node", scope: Scope, env: Environment) -> int:
    items: list[tuple[Key, int]] = []
    for child in node.named_children:
        value = child.child_by_field_name("value")
        if child.type != "pair" or value is None:
            x.value(child, scope, env)
            continue
        key, register = _read_dictionary_key(x, child.child_by_field_name("key"), scope, env)
        items.append((KEYS, register))
        items.append((key, x.value(value, scope, env)))
    return x.container(items, MAPPING)


def _read_dictionary_key(
    x: Extraction, node: "Node | None", scope: Scope, env: Environment
) -> tuple[Key, int]:
    """The key if it is a literal, and the register of its value."""
    if node is None:
        return None, NOTHING
    if node.type in ("string", "integer"):
        return literal_key(node.type, x.text(node)), NOTHING
    return None, x.value(node, scope, env)


@expression("lambda")
def read_lambda(x: Extraction, node: "Node", scope: Scope, env: Environment) -> int:
    scope.lambdas += 1
    name = f"<lambda{scope.lambdas}>"
    inner = Scope(len(x.scopes), Kind.FUNCTION, name, scope)
    inner.qualified = f"{scope.qualified}.{name}" if scope.qualified else name
    inner.line = inner.body_line = node.start_point[0] + 1
    inner.column = node.start_point[1]
    inner.end_line = node.end_point[0] + 1
    inner.start_byte = node.start_byte
    inner.flags = LAMBDA
    x.scopes.append(inner)
    register = x.register()
    x.emit(DEF, register, inner.index)
    read_parameters(x, node.child_by_field_name("parameters"), inner, scope, env)
    x.pending.append((inner, node))
    return register


@expression(
    "list_comprehension", "generator_expression", "set_comprehension", "dictionary_comprehension"
)
def read_comprehension(x: Extraction, node: "Node", scope: Scope, env: Environment) -> int:
    inner = dict(env)
    children = node.named_children
    for clause in children[1:]:
        if clause.type == "for_in_clause":
            left, right = clause.child_by_field_name("left"), clause.child_by_field_name("right")
            if left is not None and right is not None:
                assign_locally(
                    x, left, read_iteration(x, right, scope, inner, clause), scope, inner
                )
        elif clause.type == "if_clause":
            for condition in clause.named_children:
                x.value(condition, scope, inner)
                inner = dict(narrow(x, condition, scope, inner))
    body = children[0] if children else None
    if body is None:
        return NOTHING
    if body.type == "pair":
        key, item = body.child_by_field_name("key"), body.child_by_field_name("value")
        held = x.value(key, scope, inner) if key is not None else NOTHING
        value = x.value(item, scope, inner) if item is not None else NOTHING
        return x.container([(KEYS, held), (None, value)], MAPPING)
    return x.container([(None, x.value(body, scope, inner))])


def read_iteration(x: Extraction, node: "Node", scope: Scope, env: Environment, at: "Node") -> int:
    """One element of what `node` yields; the implicit calls stand at `at`."""
    return iterate(x, x.value(node, scope, env), scope, at.start_point)


def iterate(x: Extraction, base: int, scope: Scope, point: tuple[int, int]) -> int:
    """One element of a value; what runs to get it stands at the point."""
    if base < 0:
        return NOTHING
    register = x.register()
    x.emit(ITER, register, base, point[0] + 1, point[1], scope.index)
    return register


@expression("parenthesized_expression")
def read_parenthesized(x: Extraction, node: "Node", scope: Scope, env: Environment) -> int:
    register = NOTHING
    for child in node.named_children:
        if child.type != "comment":
            register = x.value(child, scope, env)
    return register


@expression("conditional_expression")
def read_conditional(x: Extraction, node: "Node", scope: Scope, env: Environment) -> int:
    parts = [child for child in node.named_children if child.type != "comment"]
    if len(parts) < 3:
        return NOTHING
    chosen, condition, other = parts[:3]
    x.value(condition, scope, env)
    return x.union(
        x.value(chosen, scope, narrow(x, condition, scope, env)),
        x.value(other, scope, narrow(x, condition, scope, env, holds=False)),
    )


@expression("boolean_operator")
def read_boolean(x: Extraction, node: "Node", scope: Scope, env: Environment) -> int:
    left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
    operator = node.child_by_field_name("operator")
    if left is None or right is None or operator is None:
        return NOTHING
    first = x.value(left, scope, env)
    second = x.value(right, scope, narrow(x, left, scope, env, holds=operator.type == "and"))
    return x.union(first, second)


@expression("binary_operator")
def read_binary(x: Extraction, node: "Node", scope: Scope, env: Environment) -> int:
    """Read the left spine in a loop: a sum of a thousand strings is a thousand levels deep."""
    rights: list[Node] = []
    current: Node | None = node
    while current is not None and current.type == "binary_operator":
        right = current.child_by_field_name("right")
        if right is not None:
            rights.append(right)
        current = current.child_by_field_name("left")
    if current is not None:
        x.value(current, scope, env)
    for right in reversed(rights):
        x.value(right, scope, env)
    return NOTHING


@expression("await")
def read_await(x: Extraction, node: "Node", scope: Scope, env: Environment) -> int:
    return x.value(node.named_children[0], scope, env) if node.named_child_count else NOTHING


@expression("named_expression")
def read_walrus(x: Extraction, node: "Node", scope: Scope, env: Environment) -> int:
    value, name = node.child_by_field_name("value"), node.child_by_field_name("name")
    register = x.value(value, scope, env) if value is not None else NOTHING
    if name is not None:
        assign(x, name, register, scope, env)
    return register


@expression("yield")
def read_yield(x: Extraction, node: "Node", scope: Scope, env: Environment) -> int:
    scope.flags |= GENERATOR
    if node.named_child_count:
        register = x.value(node.named_children[0], scope, env)
        if register >= 0:
            if node.child_count > 1 and node.children[1].type == "from":
                element = x.register()
                x.emit(ITER, element, register, 0, 0, scope.index)
                register = element
            scope.yields.append(register)
    return NOTHING


@expression("string", "concatenated_string")
def read_string(x: Extraction, node: "Node", scope: Scope, env: Environment) -> int:
    if node.child_count > 3 or node.type == "concatenated_string":
        for child in node.named_children:
            if child.type == "interpolation":
                for part in child.named_children:
                    x.value(part, scope, env)
            elif child.type == "string":
                read_string(x, child, scope, env)
    return NOTHING


@expression("keyword_argument")
def read_keyword(x: Extraction, node: "Node", scope: Scope, env: Environment) -> int:
    value = node.child_by_field_name("value")
    return x.value(value, scope, env) if value is not None else NOTHING


@expression("integer", "float", "true", "false", "none", "ellipsis", "comment", "ERROR")
def read_nothing(x: Extraction, node: "Node", scope: Scope, env: Environment) -> int:
    if node.type == "ERROR":
        for child in node.named_children:
            x.value(child, scope, env)
    return NOTHING
