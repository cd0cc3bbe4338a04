"""Bash: functions, `source`, commands that are functions of the program."""

import re
from functools import partial
from typing import TYPE_CHECKING

from agrama.graph.model import Kind
from agrama.indexer.facts import FORM_CALL, FORM_CALLBACK, NOTHING, TO_DEFINITION, FileFacts
from agrama.indexer.languages.dynamic import DynamicExtraction, NamedModules, join_path
from agrama.indexer.languages.language import Language, Policy
from agrama.indexer.languages.typed import Block, Environment, Handler

if TYPE_CHECKING:
    from tree_sitter import Node  # noqa: TID251 - a type only

_NAME = re.compile(r"[A-Za-z_][\w:.-]*$")
_SOURCES = frozenset(("source", ".", "load", "bats_load_library"))
# Commands whose first argument may be a function.
_CALLERS = frozenset(("trap", "run", "command", "exec", "eval", "time", "env", "xargs", "nohup"))


class BashExtraction(DynamicExtraction):
    """Everything collected from one script."""

    language = "bash"


def extract_bash(root: "Node", source: bytes, path: str) -> FileFacts:
    """Facts of a script. Functions are declared first: a body runs after all of them."""
    x = BashExtraction(source, path, root)
    block = Block(x.file, None)
    loose: list[Node] = []
    for child in root.named_children:
        if child.type == "function_definition":
            x.guard(partial(read_function, x, child, block, {}))
        else:
            loose.append(child)
    for child in loose:
        x.guard(partial(x.value, child, block, {}))
    x.read_bodies()
    return x.facts()


def read_function(x: BashExtraction, node: "Node", block: Block, env: Environment) -> int:
    name, body = node.child_by_field_name("name"), node.child_by_field_name("body")
    if name is None:
        return NOTHING
    scope = x.define(Kind.FUNCTION, x.text(name), block.scope, node, name)
    x.export_name(f"{scope.name}()", scope.register, TO_DEFINITION, scope.index)
    x.bodies.append(partial(x.value, body, Block(scope, block), {}))
    return NOTHING


def read_command(x: BashExtraction, node: "Node", block: Block, env: Environment) -> int:
    name = node.child_by_field_name("name")
    arguments = node.children_by_field_name("argument")
    for child in node.named_children:
        if child != name:
            x.value(child, block, env)
    if name is None:
        return NOTHING
    text = x.text(name)
    if text in _SOURCES and arguments:
        _read_source(x, arguments[0], block)
    elif text in _CALLERS and arguments:
        _call(x, arguments[0], block, FORM_CALLBACK)
    _call(x, name, block, FORM_CALL)
    x.value(name, block, env)
    return NOTHING


def _call(x: BashExtraction, node: "Node", block: Block, form: int) -> None:
    text = x.text(node).strip("'\"")
    if not _NAME.match(text):
        return
    wanted = f"{text}()"
    own = x.exports.get(wanted)
    if own is not None:
        x.add_reference(node, block.scope.index, own[1], own[2])
        x.call(own[0], (), node, block, form)
    elif form != FORM_CALLBACK:
        x.call(x.full_name([wanted], node, block.scope), (), node, block, form)


def _read_source(x: BashExtraction, node: "Node", block: Block) -> None:
    """The part of the path that is plain text: `"$(dirname "$0")/lib.sh"`."""
    text = x.text(node)
    if node.type in ("string", "concatenation"):
        parts = [c for c in node.named_children if c.type in ("string_content", "word")]
        last = parts[-1] if parts and parts[-1].end_byte >= node.end_byte - 1 else None
        text = x.text(last) if last is not None else ""
    text = text.strip("'\"").lstrip("/")
    if text and "$" not in text:
        x.import_path(text, 1, node, block.scope)


class BashModules(NamedModules):
    """Sourced files: beside the script, above it, or the only one with that ending."""

    def find_path(self, module: str, level: int, path: str) -> tuple[str, ...]:
        directory = path.rpartition("/")[0]
        while True:
            for name in (module, f"{module}.bash", f"{module}.sh"):
                joined = join_path(directory, name)
                if joined in self.paths and joined is not None:
                    return (joined,)
            if not directory:
                break
            directory = directory.rpartition("/")[0]
        tail = "/" + module.lstrip("./")
        found = [each for each in sorted(self.paths) if f"/{each}".endswith(tail)]
        return tuple(found) if len(found) == 1 else ()


def is_bash_test(path: str) -> bool:
    return path.endswith(".bats") or "/test/" in f"/{path}" or "/tests/" in f"/{path}"


_EXPRESSIONS: dict[str, Handler] = {
    "function_definition": read_function,
    "command": read_command,
}
BashExtraction.expressions = _EXPRESSIONS
BashExtraction.statements = {}

LANGUAGES = (
    Language(
        name="bash",
        extensions=(".sh", ".bash", ".bats", ".ksh", ".zsh"),
        filenames=(".bashrc", ".bash_profile", ".profile", ".zshrc"),
        shebangs=("bash", "sh", "dash", "ksh", "zsh", "bats"),
        grammar="tree_sitter_bash:language",
        extract=extract_bash,
        index_modules=BashModules,
        is_test=is_bash_test,
        policy=Policy(dotted_modules=False, alternatives=True),
    ),
)
