"""The text of a Rust file as the grammar should see it: items that wait inside a macro laid open.

`macro_rules! crate_root { () => { pub use core::de; } }` with `crate_root!();` in the same file declares
those items where the macro stands, but its body is only tokens to the grammar. Such a macro is
emptied and its one body left in place; every byte keeps its line and column.
"""

import re

_ITEMS = re.compile(rb"macro_rules!\s*(\w+)\s*\{(\s*\(\s*\)\s*=>\s*\{)")
_END = re.compile(rb"\s*;?\s*\}")
# What may hold a brace that is none: comments, strings (raw ones too), characters.
_TOKEN = re.compile(
    rb"""//[^\n]*|/\*.*?\*/|\bb?r(#*)".*?"\1|"(?:[^"\\]|\\.)*"|'(?:[^'\\\n]|\\[^\n]+?)'|[{}]""",
    re.DOTALL,
)
_VISIBLE = re.compile(rb"[^\n]")


def prepare_rust(content: bytes) -> bytes:
    """The content, as long as before."""
    for found in reversed(list(_ITEMS.finditer(content))):
        called = re.compile(rb"^" + found.group(1) + rb"!\s*(?:\(\s*\)\s*;|\{\s*\})", re.MULTILINE)
        body_end = _closing(content, found.end())
        end = _END.match(content, body_end + 1) if body_end >= 0 else None
        if end is not None and called.search(content):
            head = _VISIBLE.sub(b" ", found.group(2)[:-1]) + b"}"
            tail = _VISIBLE.sub(b" ", content[body_end : end.end()])
            body = content[found.end() : body_end]
            content = content[: found.start(2)] + head + body + tail + content[end.end() :]
    return content


def _closing(content: bytes, at: int) -> int:
    """Where the brace before `at` is closed; -1 if nowhere."""
    depth = 1
    for token in _TOKEN.finditer(content, at):
        if token.group() == b"{":
            depth += 1
        elif token.group() == b"}":
            depth -= 1
            if not depth:
                return token.start()
    return -1
