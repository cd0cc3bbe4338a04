"""Ruby calls: with and without a receiver, blocks, `super`, `yield`, words that are methods."""

from typing import TYPE_CHECKING

from agrama.graph.model import Kind
from agrama.indexer.facts import (
    BLOCK,
    CLASS_METHOD,
    FORM_CALL,
    FORM_CALLBACK,
    FORM_IMPLICIT,
    FORM_RAISE,
    NOTHING,
    SPREAD,
    SUPER,
    TEST,
    TO_DEFINITION,
)
from agrama.indexer.languages.dynamic import class_around, ended, function_around
from agrama.indexer.languages.ruby_core import CORE
from agrama.indexer.languages.ruby_definitions import (
    arguments_of,
    extend_class,
    literal,
    read_accessors,
    read_alias,
    read_block_body,
    read_define_method,
    read_delegation,
    read_mixins,
    read_module_function,
)
from agrama.indexer.languages.ruby_extraction import OWN, RubyExtraction
from agrama.indexer.languages.typed import Block, Environment, Handler, Scope

if TYPE_CHECKING:
    from tree_sitter import Node  # noqa: TID251 - a type only

_DECLARING = {
    **dict.fromkeys(("attr_reader", "attr_writer", "attr_accessor"), read_accessors),
    **dict.fromkeys(("include", "prepend", "extend"), read_mixins),
    "module_function": read_module_function,
    "alias_method": read_alias,
    **dict.fromkeys(("def_delegators", "def_delegator", "delegate"), read_delegation),
    **dict.fromkeys(("define_method", "define_singleton_method"), read_define_method),
}
_RUN_ON_RECEIVER = frozenset(("tap", "then", "yield_self"))
_TESTS = frozenset(("it", "specify", "test", "should", "scenario"))
_SENDS = frozenset(("send", "public_send", "__send__", "method", "respond_to"))
# Methods of every object: without a definition of ours they lead nowhere.
KERNEL = frozenset(
    (
        "puts", "print", "p", "pp", "format", "sprintf", "printf", "warn", "loop", "catch", "throw",
        "rand", "sleep", "exit", "abort", "at_exit", "block_given?", "binding", "caller", "gets",
        "Integer", "Float", "String", "Array", "Hash", "private", "public", "protected", "freeze",
        "private_constant", "private_class_method", "public_class_method", "instance_variable_get",
        "instance_variable_set", "instance_eval", "class_eval", "module_eval", "instance_exec",
        "require", "require_relative", "load", "autoload", "raise", "lambda", "proc", "is_a?",
        "respond_to?", "nil?", "dup", "clone", "object_id", "hash", "class", "inspect", "tap",
        "then", "eval", "const_get", "const_set", "define_method", "method_missing", "refine",
        "using", "super_method", "undef_method", "remove_method", "instance_methods", "open",
        "system", "fork", "exec", "trap", "srand", "test", "gem", "fail", "set_trace_func",
    )
)  # fmt: skip


def read_call(x: RubyExtraction, node: "Node", block: Block, env: Environment) -> int:
    receiver, method = node.child_by_field_name("receiver"), node.child_by_field_name("method")
    if receiver is not None:
        return _call_on(x, node, receiver, method, block, env)
    if method is None:
        return NOTHING
    if method.type == "super":
        return read_super(x, node, block, env)
    name = x.text(method)
    declare = _DECLARING.get(name)
    if declare is not None and block.scope.kind in (Kind.CLASS, Kind.MODULE):
        declare(x, node, block, env)
        return NOTHING
    special = _WORDS.get(name)
    if special is not None:
        found: int = special(x, node, block, env)
        return found
    if name in _TESTS and node.child_by_field_name("block") is not None:
        return _read_test(x, node, block, env)
    return call_self(x, node, method, name, block, env)


def call_self(
    x: RubyExtraction, node: "Node", method: "Node", name: str, block: Block, env: Environment
) -> int:
    """A call without a receiver."""
    arguments, keywords = read_arguments(x, node, block, env)
    return _call_own(x, method, name, block, arguments, keywords)


def _call_own(
    x: RubyExtraction,
    method: "Node",
    name: str,
    block: Block,
    arguments: list[int],
    keywords: list[tuple[str, int]],
) -> int:
    own = x.self_of(block)
    cls = class_around(block)
    known = cls is not None and (name in cls.members or OWN + name in cls.members)
    callee = NOTHING
    if own >= 0:
        x.refer_attribute(method, own, name, block.scope.index)
        callee = x.attribute(own, name)
    kernel = name in KERNEL
    near = x.block_methods.get(name) if cls is None else None
    if near is not None:
        x.add_reference(method, block.scope.index, TO_DEFINITION, near.index)
        return x.call(near.register, arguments, method, block, FORM_CALL, keywords)
    if not known and not kernel and method.type != "constant":
        callee = x.union(callee, x.full_name([f"{name}()"], method, block.scope))
    form = FORM_IMPLICIT if kernel else FORM_CALL
    register = x.call(callee, arguments, method, block, form, keywords)
    if name == "new" and own >= 0:
        x.made.add(register)
    return register


def _call_on(
    x: RubyExtraction,
    node: "Node",
    receiver: "Node",
    method: "Node | None",
    block: Block,
    env: Environment,
) -> int:
    base = x.value(receiver, block, env)
    name = x.text(method) if method is not None else "call"
    if method is not None and name in _SENDS:
        sent = _sent_name(x, node)
        if sent is not None:
            arguments, keywords = read_arguments(x, node, block, env)
            if name == "method":
                return x.attribute(base, sent) if base >= 0 else NOTHING
            return x.call_method(base, sent, arguments[1:], method, block, FORM_CALL, keywords)
    if method is not None and method.type == "constant" and not arguments_of(node):
        return x.attribute(base, name) if base >= 0 else NOTHING
    arguments, keywords = read_arguments(x, node, block, env)
    if name == "extend" and base >= 0:
        _extend_included(x, base, arguments, block)
    if name in ("class", "singleton_class"):
        return x.attribute(base, name) if base >= 0 else NOTHING
    if name in _RUN_ON_RECEIVER and keywords and keywords[-1][0] == BLOCK:
        made = x.call(keywords[-1][1], (base,), method or receiver, block, FORM_CALLBACK)
        return base if name == "tap" else made
    if name in ("itself", "freeze", "dup", "clone", "tap", "lazy"):
        return base
    form = FORM_IMPLICIT if name in CORE else FORM_CALL
    register = x.call_method(base, name, arguments, method or receiver, block, form, keywords)
    if name == "new" and receiver.type == "self":
        x.made.add(register)
    return register


def _sent_name(x: RubyExtraction, node: "Node") -> str | None:
    arguments = arguments_of(node)
    return literal(x, arguments[0]) if arguments else None


def _extend_included(x: RubyExtraction, base: int, arguments: list[int], block: Block) -> None:
    """`def self.included(base) base.extend(M) end`: who includes the module is extended too."""
    function, cls = function_around(block), class_around(block)
    if function is None or cls is None or function.name not in ("included", "inherited"):
        return
    if any(parameter[1] == base for parameter in function.parameters):
        for register in arguments:
            if register >= 0:
                extend_class(x, cls, register)


def read_arguments(
    x: RubyExtraction, node: "Node", block: Block, env: Environment
) -> tuple[list[int], list[tuple[str, int]]]:
    """Positional arguments, keywords and the block."""
    arguments: list[int] = []
    keywords: list[tuple[str, int]] = []
    for child in arguments_of(node):
        kind = child.type
        if kind == "pair":
            key, value = child.child_by_field_name("key"), child.child_by_field_name("value")
            register = x.value(value, block, env)
            if value is None and key is not None:  # `f(name:)`
                register = x.value(key, block, env)
            name = literal(x, key) if key is not None else None
            keywords.append((name or "", register))
        elif kind == "block_argument":
            keywords.append((BLOCK, _block_argument(x, child, block, env)))
        elif kind in ("splat_argument", "hash_splat_argument"):
            x.value(child, block, env)
            if kind == "splat_argument":
                arguments.append(SPREAD)
        else:
            arguments.append(x.value(child, block, env))
    given = node.child_by_field_name("block")
    if given is not None:
        keywords.append((BLOCK, read_block(x, given, block, env)))
    return arguments, keywords


def _block_argument(x: RubyExtraction, node: "Node", block: Block, env: Environment) -> int:
    """`&block`, `&:name`, `&method(:name)`."""
    inner = node.named_children[0] if node.named_child_count else None
    if inner is None:
        return x.block_of(block)
    name = literal(x, inner)
    if name is None:
        return x.value(inner, block, env)
    scope = x.define_closure(inner, block)
    own = Block(scope, block)
    element = x.add_parameter(scope, own, "it", NOTHING)
    scope.returns.append(x.call_method(element.versions[0], name, (), inner, own))
    return scope.register


def read_block(x: RubyExtraction, node: "Node", block: Block, env: Environment) -> int:
    scope = x.define_closure(node, block)
    read_block_body(x, node, scope, Block(scope, block))
    return scope.register


def read_yield(x: RubyExtraction, node: "Node", block: Block, env: Environment) -> int:
    values = [
        x.value(each, block, env) for child in node.named_children for each in child.named_children
    ]
    return x.call(x.block_of(block), values, node, block, FORM_IMPLICIT)


def read_super(x: RubyExtraction, node: "Node", block: Block, env: Environment) -> int:
    """`super` passes on the parameters, `super(…)` what it lists."""
    function = function_around(block)
    word = node.child_by_field_name("method") if node.type == "call" else node
    arguments, keywords = read_arguments(x, node, block, env)
    if function is None or function.owner is None or word is None:
        return NOTHING
    if node.type != "call":
        arguments = [row[1] for row in function.parameters if row[2] == 0]
    base = x.register()
    x.emit(SUPER, base, function.owner.index)
    own = function.flags & CLASS_METHOD
    callee = x.attribute(base, OWN + function.name if own else function.name)
    return x.call(callee, arguments, word, block, FORM_CALL, keywords)


# ---- words that are methods


def _read_require(x: RubyExtraction, node: "Node", block: Block, env: Environment) -> int:
    method, arguments = node.child_by_field_name("method"), arguments_of(node)
    name = x.text(method) if method is not None else ""
    if name == "autoload":
        arguments = arguments[1:]
    path = literal(x, arguments[0]) if arguments else None
    if path:
        x.import_path(path, 1 if name == "require_relative" else 0, arguments[0], block.scope)
    else:
        read_arguments(x, node, block, env)
    return NOTHING


def _read_raise(x: RubyExtraction, node: "Node", block: Block, env: Environment) -> int:
    nodes = arguments_of(node)
    arguments, _ = read_arguments(x, node, block, env)
    if nodes and nodes[0].type in ("constant", "scope_resolution"):
        last = nodes[0].child_by_field_name("name") or nodes[0]
        x.call(arguments[0], arguments[1:], last, block, FORM_RAISE)
    ended(env)
    return NOTHING


def _read_lambda(x: RubyExtraction, node: "Node", block: Block, env: Environment) -> int:
    given = node.child_by_field_name("block")
    if given is not None:
        return read_block(x, given, block, env)
    _, keywords = read_arguments(x, node, block, env)
    return next((register for name, register in keywords if name == BLOCK), NOTHING)


def _read_send(x: RubyExtraction, node: "Node", block: Block, env: Environment) -> int:
    method, name = node.child_by_field_name("method"), _sent_name(x, node)
    arguments, keywords = read_arguments(x, node, block, env)
    if name is None or method is None:
        return NOTHING
    if x.text(method) == "method":
        own = x.self_of(block)
        free = x.full_name([f"{name}()"], None, block.scope)
        return x.union(x.attribute(own, name) if own >= 0 else NOTHING, free)
    return _call_own(x, method, name, block, arguments[1:], keywords)


def _read_test(x: RubyExtraction, node: "Node", block: Block, env: Environment) -> int:
    """`it "does" do … end`: a test with a symbol of its own."""
    arguments, body = arguments_of(node), node.child_by_field_name("block")
    title = literal(x, arguments[0]) if arguments else None
    method = node.child_by_field_name("method")
    if title is None or body is None or method is None or not is_ruby_test(x.path):
        return call_self(x, node, method or node, x.text(method or node), block, env)
    parent = _symbol_around(block)
    scope = x.define(Kind.TEST, " ".join(title.split())[:80], parent, node, arguments[0])
    scope.flags |= TEST
    cls = class_around(block)
    scope.self_register = x.instance(cls.register) if cls is not None else NOTHING
    read_block_body(x, body, scope, Block(scope, block))
    return NOTHING


def _symbol_around(block: Block) -> Scope:
    scope = block.scope
    while scope.name == "<lambda>" and scope.parent is not None:
        scope = scope.parent
    return scope


def is_ruby_test(path: str) -> bool:
    name = path.rpartition("/")[2]
    folder = f"/{path}".rpartition("/")[0]
    return (
        name.startswith(("test_", "spec_"))
        or name.endswith(("_test.rb", "_spec.rb"))
        or any(f"{each}/" in f"{folder}/" for each in ("/test", "/spec", "/features"))
    )


_WORDS: dict[str, Handler] = {
    **dict.fromkeys(("require", "require_relative", "load", "autoload"), _read_require),
    **dict.fromkeys(("raise", "fail"), _read_raise),
    **dict.fromkeys(("lambda", "proc"), _read_lambda),
    **dict.fromkeys(("send", "public_send", "__send__", "method"), _read_send),
}

CALLS: dict[str, Handler] = {
    "call": read_call,
    "super": read_super,
    "yield": read_yield,
    "lambda": read_block,
}
