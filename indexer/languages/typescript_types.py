"""TypeScript types: which class do they name?

A type yields the register of an instance of its class, `NOTHING` when it says nothing (flow decides),
or `OUTSIDE` when it names a type that is not ours (flow is kept out).
"""

from collections.abc import Callable
from typing import TYPE_CHECKING

from agrama.graph.model import Kind
from agrama.indexer.facts import (
    ABSTRACT,
    ANONYMOUS,
    COPY,
    DEF,
    NOTHING,
    OUTSIDE,
    POSITIONAL,
    RECORD,
)
from agrama.indexer.languages.javascript_extraction import Binding, Environment, Extraction, Scope
from agrama.indexer.languages.javascript_patterns import property_name
from agrama.indexer.languages.recording import Key

if TYPE_CHECKING:
    from tree_sitter import Node  # noqa: TID251 - a type only

SEQUENCES = frozenset(
    (
        "Array", "ReadonlyArray", "Set", "ReadonlySet", "WeakSet", "Iterable", "Iterator",
        "IterableIterator", "AsyncIterable", "AsyncIterator", "AsyncIterableIterator", "Generator",
        "AsyncGenerator", "ArrayLike", "NodeListOf",
    )
)  # fmt: skip
MAPPINGS = frozenset(("Map", "ReadonlyMap", "WeakMap", "Record"))
# Types that stand for their first argument as far as members go.
THROUGH = frozenset(
    (
        "Promise", "PromiseLike", "Awaited", "Partial", "Required", "Readonly", "NonNullable", "Pick",
        "Omit", "Extract", "Exclude", "DeepPartial", "NoInfer", "WeakRef",
    )
)  # fmt: skip
UNKNOWN = frozenset(("any", "unknown", "object", "never", "symbol"))
UNKNOWN_NAMES = frozenset(
    ("Function", "Object", "Parameters", "ReturnType", "ThisType", "InstanceType", "Exclude")
)

TypeReader = Callable[[Extraction, "Node", Scope, Environment], int]


def read_type(x: Extraction, node: "Node", scope: Scope, env: Environment) -> int:
    """The register of an instance of a type, NOTHING or OUTSIDE; records the names it uses."""
    reader = _READERS.get(node.type)
    if reader is not None:
        return reader(x, node, scope, env)
    for child in node.named_children:
        read_type(x, child, scope, env)
    return NOTHING


def class_of(x: Extraction, node: "Node", scope: Scope, env: Environment) -> int:
    """The register of the class that a named type stands for, NOTHING for any other type."""
    kind = node.type
    if kind in ("type_identifier", "identifier", "property_identifier"):
        return _named_class(x, node, scope, env)
    if kind in ("nested_type_identifier", "nested_identifier", "member_expression"):
        return _nested_class(x, node, scope, env)
    if kind == "generic_type":
        return _generic_class(x, node, scope, env)
    if kind in ("union_type", "intersection_type", "parenthesized_type", "readonly_type"):
        parts = [class_of(x, child, scope, env) for child in node.named_children]
        return x.merge_versions(tuple(part for part in parts if part >= 0) or (NOTHING,))
    read_type(x, node, scope, env)
    return NOTHING


def _named_class(x: Extraction, node: "Node", scope: Scope, env: Environment) -> int:
    binding = scope.block.find_type(x.text(node))
    if binding is None:
        return NOTHING
    x.refer(binding, scope, node)
    return x.read_binding(binding, env)


def _nested_class(x: Extraction, node: "Node", scope: Scope, env: Environment) -> int:
    children = node.named_children
    if len(children) < 2:
        return NOTHING
    base = class_of(x, children[0], scope, env)
    if base < 0:
        return NOTHING
    name = x.text(children[-1])
    x.refer_attribute(children[-1], base, name, scope.index)
    return x.attribute(base, name)


def _generic_class(x: Extraction, node: "Node", scope: Scope, env: Environment) -> int:
    name, arguments = node.child_by_field_name("name"), node.child_by_field_name("type_arguments")
    if name is None:
        return NOTHING
    own = class_of(x, name, scope, env)
    inner = arguments.named_children if arguments is not None else []
    if own < 0 and inner and x.text(name) in THROUGH:
        for other in inner[1:]:
            read_type(x, other, scope, env)
        return class_of(x, inner[0], scope, env)
    for argument in inner:
        read_type(x, argument, scope, env)
    return own


def _read_named(x: Extraction, node: "Node", scope: Scope, env: Environment) -> int:
    name = x.text(node)
    binding = scope.block.find_type(name)
    if binding is None:
        return NOTHING if name in UNKNOWN_NAMES else OUTSIDE
    x.refer(binding, scope, node)
    return _instance_of(x, binding, env)


def _instance_of(x: Extraction, binding: Binding, env: Environment) -> int:
    known = x.type_values.get(binding)
    if known is not None:
        return known
    register = x.read_binding(binding, env)
    return NOTHING if register < 0 else x.instance(register)


def _read_nested(x: Extraction, node: "Node", scope: Scope, env: Environment) -> int:
    register = _nested_class(x, node, scope, env)
    return OUTSIDE if register < 0 else x.instance(register)


def _read_generic(x: Extraction, node: "Node", scope: Scope, env: Environment) -> int:
    name, arguments = node.child_by_field_name("name"), node.child_by_field_name("type_arguments")
    if name is None:
        return NOTHING
    own = read_type(x, name, scope, env)
    inner = [read_type(x, a, scope, env) for a in arguments.named_children] if arguments else []
    text = x.text(name)
    if own != OUTSIDE or not inner:
        return own
    if text in SEQUENCES:
        return _holding(x, inner[0])
    if text in MAPPINGS:
        return _holding(x, inner[-1])
    if text in THROUGH:
        return inner[0]
    return NOTHING if text in UNKNOWN_NAMES else OUTSIDE


def _holding(x: Extraction, part: int) -> int:
    """A container of `part`; one of strings or numbers is as good as nothing."""
    return x.container([(None, part)]) if part >= 0 else NOTHING


def _read_array(x: Extraction, node: "Node", scope: Scope, env: Environment) -> int:
    return _holding(x, _read_inner(x, node, scope, env))


def _read_tuple(x: Extraction, node: "Node", scope: Scope, env: Environment) -> int:
    parts = [read_type(x, child, scope, env) for child in node.named_children]
    items: list[tuple[Key, int]] = [(("i", i), part) for i, part in enumerate(parts)]
    return x.container(items) if any(part >= 0 for part in parts) else NOTHING


def _read_union(x: Extraction, node: "Node", scope: Scope, env: Environment) -> int:
    """Of `A | null` only A matters; the left spine is read in a loop, unions can be long."""
    parts: list[int] = []
    rest: Node | None = node
    kind = node.type
    while rest is not None and rest.type == kind:
        children = rest.named_children
        rest = None
        for child in children:
            if child.type == kind and rest is None:
                rest = child
            else:
                parts.append(read_type(x, child, scope, env))
    if rest is not None:
        parts.append(read_type(x, rest, scope, env))
    known = tuple(part for part in reversed(parts) if part >= 0)
    if known:
        return x.merge_versions(known)
    return NOTHING if NOTHING in parts else OUTSIDE


def _read_inner(x: Extraction, node: "Node", scope: Scope, env: Environment) -> int:
    for child in node.named_children:
        if child.type != "comment":
            return read_type(x, child, scope, env)
    return NOTHING


def _read_object(x: Extraction, node: "Node", scope: Scope, env: Environment) -> int:
    items: list[tuple[Key, int]] = []
    for child in node.named_children:
        name, kind = child.child_by_field_name("name"), child.child_by_field_name("type")
        if child.type == "property_signature" and name is not None and kind is not None:
            items.append((("s", property_name(x, name)), read_type(x, kind, scope, env)))
        else:
            read_type(x, child, scope, env)
    return x.container(items, RECORD) if any(part >= 0 for _, part in items) else NOTHING


def _read_function(x: Extraction, node: "Node", scope: Scope, env: Environment) -> int:
    """A function type: a definition without a body, which types the functions put in its place."""
    inner = x.open_scope(Kind.FUNCTION, "", node, node, scope)
    inner.flags |= ANONYMOUS | ABSTRACT
    inner.prefix = inner.qualified = scope.prefix
    parameters, returns = node.child_by_field_name("parameters"), _returned(node)
    _declare_parameters(x, node, inner)
    for parameter in parameters.named_children if parameters is not None else ():
        kind = parameter.child_by_field_name("type")
        pattern = parameter.child_by_field_name("pattern")
        declared = read_type(x, kind, inner, env) if kind is not None else NOTHING
        if pattern is None or pattern.type in ("this", "rest_pattern"):
            continue
        register = x.register()
        if declared >= 0:
            x.emit(COPY, register, declared)
        inner.parameters.append((x.text(pattern), register, POSITIONAL, max(declared + 1, 0)))
    if returns is not None:
        inner.return_type = read_type(x, returns, inner, env)
    if inner.return_type < 0 and all(row[3] <= 0 for row in inner.parameters):
        return NOTHING
    inner.register = x.register()
    x.emit(DEF, inner.register, inner.index)
    x.signatures.add(inner.register)
    return inner.register


def _read_parts(x: Extraction, node: "Node", scope: Scope, env: Environment) -> int:
    """Constructor types and signatures inside object types: only the names they use matter."""
    for child in node.named_children:
        if child.type == "formal_parameters":
            for parameter in child.named_children:
                kind = parameter.child_by_field_name("type")
                if kind is not None:
                    read_type(x, kind, scope, env)
        elif child.type != "type_parameters":
            read_type(x, child, scope, env)
    return NOTHING


def _returned(node: "Node") -> "Node | None":
    return node.child_by_field_name("return_type") or node.child_by_field_name("type")


def _declare_parameters(x: Extraction, node: "Node", inner: Scope) -> None:
    """The type parameters of a function type stand for anything."""
    parameters = node.child_by_field_name("type_parameters")
    for child in parameters.named_children if parameters is not None else ():
        name = child.child_by_field_name("name")
        if name is not None:
            binding = Binding(x.text(name), inner, fixed=True)
            binding.versions.append(NOTHING)
            inner.block.types[binding.name] = binding
            x.type_values[binding] = NOTHING


def is_signature(x: Extraction, register: int) -> bool:
    """Does a type stand for functions? Then whatever function is given may flow in."""
    return register in x.signatures


def _read_predefined(x: Extraction, node: "Node", scope: Scope, env: Environment) -> int:
    return NOTHING if x.text(node) in UNKNOWN else OUTSIDE


def _read_outside(x: Extraction, node: "Node", scope: Scope, env: Environment) -> int:
    for child in node.named_children:
        read_type(x, child, scope, env)
    return OUTSIDE


def _read_query(x: Extraction, node: "Node", scope: Scope, env: Environment) -> int:
    """`typeof value`."""
    return x.value(node.named_children[0], scope, env) if node.named_child_count else NOTHING


def _read_nothing(x: Extraction, node: "Node", scope: Scope, env: Environment) -> int:
    return NOTHING


_READERS: dict[str, TypeReader] = {
    **dict.fromkeys(("type_identifier", "identifier"), _read_named),
    "nested_type_identifier": _read_nested,
    "generic_type": _read_generic,
    "predefined_type": _read_predefined,
    "array_type": _read_array,
    "tuple_type": _read_tuple,
    **dict.fromkeys(("union_type", "intersection_type"), _read_union),
    **dict.fromkeys(
        (
            "type_annotation", "parenthesized_type", "readonly_type", "optional_type", "constraint", "default_type", "rest_type",
            "omitting_type_annotation", "opting_type_annotation",
        ),
        _read_inner,
    ),
    **dict.fromkeys(("object_type", "interface_body"), _read_object),
    "function_type": _read_function,
    **dict.fromkeys(("constructor_type", "method_signature"), _read_parts),
    **dict.fromkeys(
        ("literal_type", "template_literal_type", "asserts", "asserts_annotation",
         "type_predicate_annotation", "type_predicate", "index_type_query"),
        _read_outside,
    ),
    "type_query": _read_query,
    **dict.fromkeys(
        ("property_identifier", "this_type", "string", "number", "comment", "predefined"),
        _read_nothing,
    ),
}  # fmt: skip
