"""Python annotations: which class do they name?

An annotation yields the register of an instance of its class, `NOTHING` when it says nothing (flow
decides), or `OUTSIDE` when it names a type that is not ours (flow is kept out). Trees and annotations
in strings are brought into one small form, `Type`, before they are read.
"""

import ast
from dataclasses import dataclass
from typing import TYPE_CHECKING

from agrama.indexer.facts import INST, KEYS, MAPPING, NOTHING, OUTSIDE, TO_ATTRIBUTE
from agrama.indexer.languages.python_extraction import Environment, Extraction, Scope

if TYPE_CHECKING:
    from tree_sitter import Node  # noqa: TID251 - a type only

UNIONS = frozenset(
    ("Optional", "Union", "Annotated", "ClassVar", "Final", "Required", "NotRequired")
)
SEQUENCES = frozenset(
    (
        "list", "List", "set", "Set", "frozenset", "FrozenSet", "Iterable", "Iterator", "Sequence",
        "Collection", "Generator", "AsyncGenerator", "AsyncIterator", "AsyncIterable", "tuple",
        "Tuple", "deque", "Deque", "MutableSequence", "MutableSet", "AbstractSet", "ContextVar",
        "AbstractContextManager", "ContextManager", "AsyncContextManager", "ValuesView",
    )
)  # fmt: skip
MAPPINGS = frozenset(
    ("dict", "Dict", "Mapping", "MutableMapping", "defaultdict", "DefaultDict", "OrderedDict")
)
AWAITABLES = frozenset(("Awaitable", "Coroutine", "TypeGuard", "Unpack"))
UNKNOWN = frozenset(("Any", "Callable", "object", "Self", "Literal", "T", "F"))


@dataclass(frozen=True, slots=True)
class Type:
    """`form` is name, attribute, subscript, union, none or other; `line` and `column` those of its name."""

    form: str
    name: str = ""
    parts: tuple["Type", ...] = ()
    line: int = 0
    column: int = 0


NONE = Type("none")
OTHER = Type("other")


def read_annotation(x: Extraction, node: "Node", scope: Scope, env: Environment) -> int:
    """The register of an instance of the annotated type, NOTHING or OUTSIDE."""
    return _evaluate(x, _from_node(x, node), scope, env)


def read_class(x: Extraction, node: "Node", scope: Scope, env: Environment) -> int:
    """The register of the class itself: for bases such as `Generic[T]` or `List["X"]`."""
    return _class_register(x, _from_node(x, node), scope, env)


def _from_node(x: Extraction, node: "Node") -> Type:
    kind = node.type
    point = node.start_point
    if kind in ("type", "parenthesized_expression"):
        return _from_node(x, node.named_children[0]) if node.named_child_count else OTHER
    if kind == "identifier":
        return Type("name", x.text(node), (), point[0] + 1, point[1])
    if kind == "attribute":
        name, base = node.child_by_field_name("attribute"), node.child_by_field_name("object")
        if name is None or base is None:
            return OTHER
        at = name.start_point
        return Type("attribute", x.text(name), (_from_node(x, base),), at[0] + 1, at[1])
    if kind == "none":
        return NONE
    if kind == "string":
        return _from_string(x, node)
    if kind in ("binary_operator", "union_type"):
        return Type("union", "", tuple(_from_node(x, child) for child in node.named_children))
    if kind in ("subscript", "generic_type"):
        base, *arguments = node.named_children
        if arguments and arguments[0].type == "type_parameter":
            arguments = arguments[0].named_children
        inner = tuple(_from_node(x, argument) for argument in arguments)
        return Type("subscript", "", (_from_node(x, base), *inner))
    if kind in ("list", "tuple"):
        return Type("list", "", tuple(_from_node(x, child) for child in node.named_children))
    return OTHER


def _from_string(x: Extraction, node: "Node") -> Type:
    """An annotation in quotes. Columns count from the text between them."""
    content = next((child for child in node.named_children if child.type == "string_content"), None)
    if content is None:
        return OTHER
    text = x.text(content)
    try:
        tree = ast.parse(text, mode="eval").body
    except (SyntaxError, ValueError, RecursionError):
        return OTHER
    point = content.start_point
    return _from_ast(tree, point[0] + 1, point[1])


def _from_ast(tree: ast.expr, line: int, column: int) -> Type:
    at = column + tree.col_offset
    if isinstance(tree, ast.Name):
        return Type("name", tree.id, (), line, at)
    if isinstance(tree, ast.Attribute):
        end = column + (tree.end_col_offset or 0) - len(tree.attr.encode())
        return Type("attribute", tree.attr, (_from_ast(tree.value, line, column),), line, end)
    if isinstance(tree, ast.Constant):
        if isinstance(tree.value, str) and tree.value.isidentifier():
            return Type("name", tree.value, (), line, at + 1)
        return NONE if tree.value is None else OTHER
    if isinstance(tree, ast.BinOp):
        sides = (_from_ast(tree.left, line, column), _from_ast(tree.right, line, column))
        return Type("union", "", sides)
    if isinstance(tree, ast.Subscript):
        inner = tree.slice.elts if isinstance(tree.slice, ast.Tuple) else [tree.slice]
        arguments = tuple(_from_ast(item, line, column) for item in inner)
        return Type("subscript", "", (_from_ast(tree.value, line, column), *arguments))
    if isinstance(tree, ast.List | ast.Tuple):
        return Type("list", "", tuple(_from_ast(item, line, column) for item in tree.elts))
    return OTHER


def _evaluate(x: Extraction, kind: Type, scope: Scope, env: Environment) -> int:
    if kind.form in ("name", "attribute"):
        register = _class_register(x, kind, scope, env)
        if kind.name in UNKNOWN or kind.name.startswith("T_"):
            return NOTHING
        return OUTSIDE if register < 0 else _instance(x, register)
    if kind.form == "none":
        return OUTSIDE
    if kind.form == "union":
        return _any_of(x, kind.parts, scope, env)
    if kind.form == "subscript":
        return _evaluate_generic(x, kind, scope, env)
    for part in kind.parts:
        _evaluate(x, part, scope, env)
    return NOTHING


def _class_register(x: Extraction, kind: Type, scope: Scope, env: Environment) -> int:
    """The register of the thing that a name or dotted name stands for; records the references."""
    at = _Position(kind.line, kind.column)
    if kind.form == "name":
        return x.read(kind.name, scope, env, at)  # type: ignore[arg-type]
    if kind.form == "attribute":
        base = _class_register(x, kind.parts[0], scope, env)
        if base < 0:
            return NOTHING
        x.add_reference(at, scope, TO_ATTRIBUTE, x.name_index(kind.name), base)  # type: ignore[arg-type]
        return x.attribute(base, kind.name, scope)
    if kind.form == "subscript":
        for part in kind.parts[1:]:
            _evaluate(x, part, scope, env)
        return _class_register(x, kind.parts[0], scope, env)
    return NOTHING


class _Position:
    """Stands for a node where only its place is wanted."""

    __slots__ = ("start_point",)

    def __init__(self, line: int, column: int) -> None:
        self.start_point = (line - 1, column)


def _instance(x: Extraction, register: int) -> int:
    instance = x.instances.get(register)
    if instance is None:
        instance = x.instances[register] = x.register()
        x.emit(INST, instance, register)
    return instance


def _any_of(x: Extraction, kinds: tuple[Type, ...], scope: Scope, env: Environment) -> int:
    registers = [_evaluate(x, kind, scope, env) for kind in kinds]
    known = tuple(dict.fromkeys(register for register in registers if register >= 0))
    if known:
        return x.merge_versions(known)
    return NOTHING if NOTHING in registers else OUTSIDE


def _evaluate_generic(x: Extraction, kind: Type, scope: Scope, env: Environment) -> int:
    base, *arguments = kind.parts
    name = base.name
    own = _class_register(x, base, scope, env)
    if name in UNIONS:
        chosen = arguments[:1] if name == "Annotated" else arguments
        return _any_of(x, tuple(chosen), scope, env)
    if name in ("type", "Type"):
        return _class_register(x, arguments[0], scope, env) if arguments else NOTHING
    inner = [_evaluate(x, argument, scope, env) for argument in arguments]
    if name in SEQUENCES and inner:
        return _holding(x, name, inner)
    if name in MAPPINGS and len(inner) > 1:
        held = inner[0] >= 0 or inner[1] >= 0
        return x.container([(KEYS, inner[0]), (None, inner[1])], MAPPING) if held else NOTHING
    if name in AWAITABLES and inner:
        return inner[-1]
    if name in UNKNOWN:
        return NOTHING
    return OUTSIDE if own < 0 else _instance(x, own)


def _holding(x: Extraction, name: str, inner: list[int]) -> int:
    if name in ("tuple", "Tuple") and len(inner) > 1:
        items = [(("i", position), register) for position, register in enumerate(inner)]
        return x.container(list(items)) if any(r >= 0 for r in inner) else NOTHING
    return x.container([(None, inner[0])]) if inner[0] >= 0 else NOTHING
