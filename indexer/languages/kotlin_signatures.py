"""Kotlin signatures: bases, type parameters, parameters, the types that functions extend."""

from functools import partial
from typing import TYPE_CHECKING

from agrama.indexer.facts import (
    COPY,
    EXTENSION,
    FORM_IMPLICIT,
    NOTHING,
    TO_DEFINITION,
)
from agrama.indexer.languages.classes import (
    CONSTRUCTOR,
    emit_call,
)
from agrama.indexer.languages.classes_typing import note_result
from agrama.indexer.languages.kotlin_expressions import read_arguments
from agrama.indexer.languages.kotlin_types import (
    TYPES,
    KotlinExtraction,
    class_of,
    read_type,
    type_node,
    type_text,
)
from agrama.indexer.languages.typed import Block, Scope, written

if TYPE_CHECKING:
    from tree_sitter import Node  # noqa: TID251 - a type only


def part_of(node: "Node", *kinds: str) -> "Node | None":
    return next((child for child in node.named_children if child.type in kinds), None)


def class_parameters(node: "Node") -> list["Node"]:
    listed = part_of(node, "primary_constructor")
    listed = part_of(listed, "class_parameters") if listed is not None else None
    return (
        [child for child in listed.named_children if child.type == "class_parameter"]
        if listed is not None
        else []
    )


# ---- types and signatures


def read_header(x: KotlinExtraction, scope: Scope, node: "Node", block: Block) -> None:
    """Type parameters, bases, the primary constructor."""
    _read_type_parameters(x, scope, node, block)
    read_bases(x, scope, node, block)
    types: list[str] = []
    inner = Block(scope, block)
    for child in class_parameters(node):
        name, kind = part_of(child, "identifier"), type_node(child)
        declared = read_type(x, kind, block)
        text = type_text(x, kind, block)
        default = any(each.type == "=" for each in child.children)
        types.append(text + "=" if default else text)
        if name is None:
            continue
        if x.text(name) in scope.members:
            x.type_field(scope, x.text(name), declared)
            scope.type_names[x.text(name)] = text
        else:  # seen by initializers only
            local = x.declare(x.text(name), block, max(declared, NOTHING))
            local.versions.append(max(declared, NOTHING))
            local.type_name = text
        if default:
            x.bodies.append(partial(x.value, written(child)[-1], inner, {}))
    if part_of(node, "primary_constructor") is not None or CONSTRUCTOR not in scope.members:
        made = x.define_closure(node, block)
        scope.members.setdefault(CONSTRUCTOR, (made.register,))
        scope.members.setdefault(f"{CONSTRUCTOR}({','.join(types)})", (made.register,))


def read_bases(x: KotlinExtraction, scope: Scope, node: "Node", block: Block) -> None:
    listed = part_of(node, "delegation_specifiers")
    for child in listed.named_children if listed is not None else ():
        inner = written(child)[0] if len(written(child)) else child
        kind = inner if inner.type in TYPES else type_node(inner)
        register = class_of(x, kind, block)
        if register < 0:
            continue
        if register != scope.register:
            scope.bases.append(register)
        arguments = part_of(inner, "value_arguments")
        if arguments is not None and kind is not None:
            x.bodies.append(partial(_call_base, x, register, kind, arguments, block))


def _call_base(x: KotlinExtraction, cls: int, kind: "Node", listed: "Node", block: Block) -> None:
    """`class A : B(x)` runs a constructor of B, if B wrote one."""
    given = read_arguments(x, [listed], block, {})
    constructor = x.attribute(cls, x.signature(CONSTRUCTOR, given.types))
    emit_call(x, constructor, given.values, kind, block, FORM_IMPLICIT)


def _read_type_parameters(x: KotlinExtraction, scope: Scope, node: "Node", block: Block) -> None:
    for part in node.named_children:
        if part.type not in ("type_parameters", "type_constraints"):
            continue
        for child in part.named_children:
            name = part_of(child, "identifier")
            if name is not None:
                bound = read_type(x, type_node(child), block)
                known = scope.types.get(x.text(name), NOTHING)
                scope.types[x.text(name)] = max(known, bound, NOTHING)


def read_signature(
    x: KotlinExtraction,
    method: Scope,
    node: "Node",
    owner: Scope | None,
    receiver: "Node | None",
    block: Block,
) -> None:
    _read_type_parameters(x, method, node, block)
    types = read_parameters(x, method, node, block)
    listed = part_of(node, "function_value_parameters")
    after = [
        child
        for child in node.named_children
        if child.type in TYPES and listed is not None and child.start_byte > listed.end_byte
    ]
    result = after[0] if after else None
    method.return_type = read_type(x, result, block)
    if owner is None:
        return
    if receiver is None:
        note_result(owner.type_names, method.name, type_text(x, result, block))
        x.sign_method(owner, method.name, types, method)
    else:
        extend(x, method, receiver, types, block)


def extend(
    x: KotlinExtraction, method: Scope, receiver: "Node", types: list[str] | None, block: Block
) -> None:
    """A function or property (`types` None) of a type: called on a value wherever it is in sight."""
    declared = read_type(x, receiver, block)
    if method.self_register >= 0 and declared >= 0:
        x.emit(COPY, method.self_register, declared)
    row = (method.register, TO_DEFINITION, method.index)
    holders = [x.loose] if method.owner is None else [method.owner]
    listed = ",".join((type_text(x, receiver, block), *(types or ())))
    for each in holders:
        if each is not None:
            each.members.setdefault(f".{method.name}", row)
            if types is not None:
                each.members.setdefault(f".{method.name}({listed})", row)
    cls = class_of(x, receiver, block)
    if cls < 0 or method.owner is not None:
        return
    part = x.extension_of(cls, x.root)
    method.owner = part
    part.members.setdefault(method.name, row)
    if types is not None:
        part.members.setdefault(f"{method.name}({','.join(types)})", row)
    assert part.flags & EXTENSION


def read_parameters(x: KotlinExtraction, method: Scope, node: "Node", block: Block) -> list[str]:
    listed = part_of(node, "function_value_parameters")
    types: list[str] = []
    rest = False
    for child in listed.named_children if listed is not None else ():
        if child.type == "parameter_modifiers":
            rest = "vararg" in x.text(child)
        elif child.type == "parameter":
            kind, name = type_node(child), part_of(child, "identifier")
            declared = read_type(x, kind, block)
            text = type_text(x, kind, block)
            if rest:
                declared = x.container([(None, declared)])
            local = x.add_parameter(method, block, x.text(name) if name else "", declared)
            local.type_name = f"{text}[]" if rest else text
            types.append(f"{text}..." if rest else text)
            rest = False
        elif "comment" not in child.type and types:
            types[-1] = f"{types[-1].rstrip('=')}="
            x.bodies.append(partial(x.value, child, block, {}))
    return types
