"""Rust macros: their arguments are tokens, in which calls and members are found all the same."""

from typing import TYPE_CHECKING

from agrama.indexer.facts import NOTHING
from agrama.indexer.languages.rust_expressions import SAME_VALUE, emit_call
from agrama.indexer.languages.rust_patterns import WRAPPING, part_of
from agrama.indexer.languages.rust_types import (
    WHOLE_CRATE,
    RustExtraction,
    read_name,
    read_path,
)
from agrama.indexer.languages.typed import Block, Environment

if TYPE_CHECKING:
    from tree_sitter import Node  # noqa: TID251 - a type only

_NAMES = frozenset(("identifier", "self", "crate", "super"))
_STANDARD = frozenset(
    (
        "assert", "assert_eq", "assert_ne", "cfg", "column", "compile_error", "concat", "dbg",
        "debug_assert", "debug_assert_eq", "debug_assert_ne", "env", "eprint", "eprintln", "file",
        "format", "format_args", "include", "include_bytes", "include_str", "line", "matches",
        "module_path", "option_env", "panic", "print", "println", "stringify", "thread_local", "todo",
        "unimplemented", "unreachable", "vec", "write", "writeln",
    )
)  # fmt: skip


def read_macro(x: RustExtraction, node: "Node", block: Block, env: Environment) -> int:
    name = node.child_by_field_name("macro")
    trees = [child for child in node.named_children if child.type == "token_tree"]
    values = [value for tree in trees for value in _read_tokens(x, tree, block, env)]
    if name is None:
        return NOTHING
    text = x.text(name).rpartition("::")[2]
    last = name.child_by_field_name("name") or name
    if text == "vec":
        return x.container([(None, value) for value in values])
    if text in _STANDARD and f"{text}!" not in x.exports:
        return values[0] if text == "dbg" and values else NOTHING
    if f"{text}!" in x.exports:
        callee = x.read_free(f"{text}!", last, block.scope)
    elif text in x.used:
        callee = read_name(x, text, last, block)
    else:
        callee = x.import_name(WHOLE_CRATE, f"{text}!", None)[0]
    emit_call(x, callee, (), last, block)
    return NOTHING


def _read_tokens(x: RustExtraction, tree: "Node", block: Block, env: Environment) -> list[int]:
    """The values of the parts between commas."""
    tokens = tree.children[1:-1]
    values: list[int] = []
    last = NOTHING
    at = 0
    while at < len(tokens):
        token = tokens[at]
        if token.type in _NAMES:
            last, at = _read_chain(x, tokens, at, block, env)
            continue
        if token.type == "token_tree":
            inner = _read_tokens(x, token, block, env)
            last = inner[0] if len(inner) == 1 else NOTHING
        elif token.type == ",":
            values.append(last)
            last = NOTHING
        at += 1
    if tokens and tokens[-1].type != ",":
        values.append(last)
    return values


def _read_chain(
    x: RustExtraction, tokens: list["Node"], at: int, block: Block, env: Environment
) -> tuple[int, int]:
    """A path and what follows it: members, calls, `?`."""
    parts = [tokens[at]]
    at += 1
    while at + 1 < len(tokens) and tokens[at].type == "::":
        if tokens[at + 1].type == "<":  # `T::<A>::new()`
            at = _skip_arguments(tokens, at + 1)
        elif tokens[at + 1].type in _NAMES:
            parts.append(tokens[at + 1])
            at += 2
        else:
            break
    is_call = _is_call(tokens, at)
    name = x.text(parts[0])
    local = block.find(name) if len(parts) == 1 else None
    if local is not None:
        value = x.read_local(local, block, env)
    elif x.text(parts[-1]) in WRAPPING or (len(parts) == 1 and not is_call and name[:1].islower()):
        value = NOTHING  # the name of a format argument, or of something in the macro
    else:
        value = read_path(x, parts, block)
    if is_call:
        arguments = tuple(_read_tokens(x, tokens[at], block, env))
        if x.text(parts[-1]) in WRAPPING:
            value = x.container([(None, argument) for argument in arguments])
        else:
            value = emit_call(x, value, arguments, parts[-1], block)
        at += 1
    while at < len(tokens):
        if tokens[at].type == "?":
            value = part_of(x, value, None)
            at += 1
        elif tokens[at].type == "." and at + 1 < len(tokens):
            value, at = _read_member(x, tokens, at + 1, value, block, env)
        else:
            break
    return value, at


def _skip_arguments(tokens: list["Node"], at: int) -> int:
    """The place after the `>` that ends generic arguments."""
    depth = 0
    while at < len(tokens):
        kind = tokens[at].type
        depth += (kind == "<") - (kind == ">") - 2 * (kind == ">>")
        at += 1
        if depth <= 0:
            break
    return at


def _is_call(tokens: list["Node"], at: int) -> bool:
    if at >= len(tokens) or tokens[at].type != "token_tree":
        return False
    children = tokens[at].children
    return bool(children) and children[0].type == "("


def _read_member(
    x: RustExtraction, tokens: list["Node"], at: int, base: int, block: Block, env: Environment
) -> tuple[int, int]:
    name = tokens[at]
    if name.type not in ("identifier", "integer_literal"):
        return NOTHING, at
    text = x.text(name)
    at += 1
    if not _is_call(tokens, at):
        if base < 0:
            return NOTHING, at
        x.refer_attribute(name, base, text, block.scope.index)
        return x.attribute(base, text), at
    arguments = tuple(_read_tokens(x, tokens[at], block, env))
    at += 1
    if base < 0:
        return NOTHING, at
    result = emit_call(x, x.attribute(base, text), arguments, name, block)
    return x.union(result, base) if text in SAME_VALUE else result, at
