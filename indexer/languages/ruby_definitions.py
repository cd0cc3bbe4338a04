"""Ruby definitions: classes, modules, methods in all their forms, mixins, accessors."""

from functools import partial
from typing import TYPE_CHECKING

from agrama.graph.model import Kind
from agrama.indexer.facts import (
    CLASS_METHOD,
    COPY,
    EXTENDED_WITH,
    FORM_IMPLICIT,
    NOTHING,
    RETURNS_CLASS,
    STORE,
    TEST,
    TO_DEFINITION,
)
from agrama.indexer.languages.dynamic import class_around, ended, function_around
from agrama.indexer.languages.ruby_extraction import OWN, RubyExtraction
from agrama.indexer.languages.typed import Block, Environment, Handler, Scope

if TYPE_CHECKING:
    from tree_sitter import Node  # noqa: TID251 - a type only

_STRUCTS = frozenset(("Struct", "Data", "OpenStruct"))


def read_class(x: RubyExtraction, node: "Node", block: Block, env: Environment) -> int:
    name = node.child_by_field_name("name")
    if name is None:
        return NOTHING
    kind = Kind.MODULE if node.type == "module" else Kind.CLASS
    last = name.child_by_field_name("name") if name.type == "scope_resolution" else name
    scope = x.open_class(kind, x.text(name).replace(" ", ""), node, last or name, block)
    superclass = node.child_by_field_name("superclass")
    if superclass is not None and superclass.named_child_count:
        add_superclass(x, scope, superclass.named_children[0], block, env)
    read_class_body(x, scope, node.child_by_field_name("body"), block)
    return NOTHING


def add_superclass(
    x: RubyExtraction, scope: Scope, node: "Node", block: Block, env: Environment
) -> None:
    members = struct_members(x, node)
    if members is not None:
        add_accessors(x, scope, members, "attr_accessor")
    base = x.value(node, block, env)
    if base >= 0 and members is None and base not in scope.bases:
        scope.bases.append(base)  # mixins of earlier openings come before it


def read_class_body(x: RubyExtraction, scope: Scope, body: "Node | None", block: Block) -> None:
    inner = Block(scope, block)
    env: Environment = {}
    for child in body.named_children if body is not None else ():
        x.value(child, inner, env)


def read_singleton_class(x: RubyExtraction, node: "Node", block: Block, env: Environment) -> int:
    """`class << self`: its methods are those of the class."""
    body = node.child_by_field_name("body")
    cls = class_around(block)
    if body is None or cls is None:
        return NOTHING
    x.singleton.add(body.id)
    inner = Block(cls, block)
    for child in body.named_children:
        if child.type == "method":
            define_method(x, child, inner, own=True)
        else:
            x.value(child, inner, env)
    return NOTHING


def is_singleton(x: RubyExtraction, node: "Node") -> bool:
    """Does a statement stand in `class << self`?"""
    parent = node.parent
    while parent is not None and parent.type in ("argument_list", "call"):
        parent = parent.parent
    return parent is not None and parent.id in x.singleton


# ---- methods


def read_method(x: RubyExtraction, node: "Node", block: Block, env: Environment) -> int:
    define_method(x, node, block, own=is_singleton(x, node))
    return NOTHING


def read_singleton_method(x: RubyExtraction, node: "Node", block: Block, env: Environment) -> int:
    target = node.child_by_field_name("object")
    if target is not None and target.type == "constant":
        cls = class_around(block)
        if cls is None or cls.name != x.text(target):
            found = x.opened.get(x.text(target))
            block = Block(found, block) if found is not None else block
    define_method(x, node, block, own=True)
    return NOTHING


def define_method(x: RubyExtraction, node: "Node", block: Block, *, own: bool) -> None:
    name = node.child_by_field_name("name")
    if name is None:
        return
    text = x.text(name).replace(" ", "")
    scope = new_method(x, text, node, name, block, own=own)
    inner = Block(scope, None)
    body = node.child_by_field_name("body")

    def read() -> None:
        x.add_parameters(node.child_by_field_name("parameters"), scope, inner)
        if text == "inherited" and scope.owner is not None and scope.parameters:
            x.emit(COPY, scope.parameters[0][1], scope.owner.register)
        if body is not None:
            finish_body(x, scope, body, inner)

    x.bodies.append(read)


def new_method(
    x: RubyExtraction, name: str, node: "Node", at: "Node", block: Block, *, own: bool
) -> Scope:
    """The symbol of a method, listed in its class; at the top level a function."""
    cls = class_around(block)
    if cls is None:
        scope = x.define(Kind.FUNCTION, name, x.file, node, at)
        if block.scope is not x.file:  # in a block, such as `describe`: of that block's object
            x.block_methods.setdefault(name, scope)
            return scope
        x.export_name(f"{name}()", scope.register, TO_DEFINITION, scope.index)
        return scope
    scope = x.define(Kind.METHOD, name, cls, node, at)
    scope.owner = cls
    scope.self_register = x.register()
    scope.flags |= CLASS_METHOD if own else 0
    scope.flags |= TEST if name.startswith("test_") else 0
    list_method(x, cls, name, scope, own=own)
    return scope


def list_method(x: RubyExtraction, cls: Scope, name: str, scope: Scope, *, own: bool) -> None:
    x.add_member(cls, OWN + name if own else name, scope.register, TO_DEFINITION, scope.index)
    if not own and cls.index in x.module_functions:
        x.add_member(cls, OWN + name, scope.register, TO_DEFINITION, scope.index)


def finish_body(x: RubyExtraction, scope: Scope, body: "Node", block: Block) -> None:
    """Read a body; its last value is what the method returns."""
    env: Environment = {}
    give_back(x, scope, x.value(body, block, env), body)


def give_back(x: RubyExtraction, scope: Scope, value: int, node: "Node") -> None:
    if value in x.made and scope.flags & CLASS_METHOD:
        scope.flags |= RETURNS_CLASS
        return
    while node.named_child_count and node.type in ("body_statement", "argument_list"):
        node = node.named_children[-1]
    if node.type == "instance_variable" and scope.self_register >= 0:
        scope.returns.append(x.text(node))
        return
    x.add_return(scope, value)


def read_return(x: RubyExtraction, node: "Node", block: Block, env: Environment) -> int:
    value = NOTHING
    for child in node.named_children:
        values = [x.value(each, block, env) for each in child.named_children]
        value = values[0] if len(values) == 1 else x.container([(None, v) for v in values])
    function = function_around(block)
    if function is not None and node.type == "return" and function.kind != Kind.CLASS:
        give_back(x, function, value, node.named_children[0] if node.named_children else node)
    elif node.type != "return" and block.scope.name == "<lambda>":
        x.add_return(block.scope, value)
    ended(env)
    return NOTHING


# ---- what calls in a class body define


def literal(x: RubyExtraction, node: "Node") -> str | None:
    """The text of a symbol or a string without code in it."""
    if node.type in ("simple_symbol", "hash_key_symbol"):
        return x.text(node).lstrip(":").strip('"')
    if node.type in ("string", "delimited_symbol", "bare_symbol", "bare_string"):
        parts = node.named_children
        if len(parts) == 1 and parts[0].type == "string_content":
            return x.text(parts[0])
    return None


def arguments_of(node: "Node") -> list["Node"]:
    listed = node.child_by_field_name("arguments")
    return listed.named_children if listed is not None else []


def read_accessors(x: RubyExtraction, node: "Node", block: Block, env: Environment) -> None:
    method, cls = node.child_by_field_name("method"), class_around(block)
    if method is None or cls is None:
        return
    own = is_singleton(x, node)
    add_accessors(x, cls, arguments_of(node), x.text(method), own=own)


def add_accessors(
    x: RubyExtraction, cls: Scope, names: list["Node"], how: str, *, own: bool = False
) -> None:
    """A reader returns the instance variable, a writer sets it."""
    block = Block(cls, None)
    for node in names:
        name = literal(x, node)
        if not name:
            continue
        x.add_attribute(f"@{name}", cls, node)
        if how != "attr_writer":
            reader = new_method(x, name, node, node, block, own=own)
            reader.returns.append(f"@{name}")
        if how != "attr_reader":
            writer = new_method(x, f"{name}=", node, node, block, own=own)
            local = x.add_parameter(writer, Block(writer, None), "value", NOTHING)
            x.emit(STORE, writer.self_register, f"@{name}", local.versions[0])


def read_mixins(x: RubyExtraction, node: "Node", block: Block, env: Environment) -> None:
    """`include`, `prepend`, `extend`: modules whose methods instances, or the class, have."""
    method, cls = node.child_by_field_name("method"), class_around(block)
    if method is None or cls is None:
        return
    how = x.text(method)
    own = how == "extend" or is_singleton(x, node)
    for child in arguments_of(node):
        if child.type == "self" and own:
            _extend_with_itself(x, cls)
            continue
        register = x.value(child, block, env)
        if register < 0:
            continue
        if own:
            extend_class(x, cls, register)
        elif register not in cls.bases:
            cls.bases.insert(0, register)


def extend_class(x: RubyExtraction, cls: Scope, register: int) -> None:
    known = cls.members.get(EXTENDED_WITH, (NOTHING,))
    cls.members[EXTENDED_WITH] = (x.union(known[0], register),)


def _extend_with_itself(x: RubyExtraction, cls: Scope) -> None:
    x.module_functions.add(cls.index)
    for name, row in list(cls.members.items()):
        if not name.startswith((OWN, "<", "@")):
            cls.members.setdefault(OWN + name, row)


def read_module_function(x: RubyExtraction, node: "Node", block: Block, env: Environment) -> None:
    cls = class_around(block)
    if cls is None:
        return
    names = [literal(x, child) for child in arguments_of(node)]
    if not names:
        x.module_functions.add(cls.index)
    for child in arguments_of(node):
        x.value(child, block, env)
        at = child.child_by_field_name("name") if child.type == "method" else None
        names.append(x.text(at) if at is not None else None)
    for name in names:
        if name and name in cls.members:
            cls.members.setdefault(OWN + name, cls.members[name])


def read_alias(x: RubyExtraction, node: "Node", block: Block, env: Environment) -> int:
    """`alias new old` and `alias_method :new, :old`."""
    if node.type == "alias":
        names = [node.child_by_field_name("name"), node.child_by_field_name("alias")]
        texts = [x.text(each).lstrip(":") if each is not None else None for each in names]
    else:
        texts = [literal(x, each) for each in arguments_of(node)]
    cls = class_around(block)
    if cls is None or len(texts) != 2 or not texts[0] or not texts[1]:
        return NOTHING
    prefix = OWN if is_singleton(x, node) else ""
    new, old = prefix + texts[0], prefix + texts[1]
    row = cls.members.get(old)
    if row is not None:
        cls.members[new] = row
    else:
        base = cls.register if prefix else x.instance(cls.register)
        cls.members.setdefault(new, (x.attribute(base, texts[1]),))
    return NOTHING


def read_define_method(x: RubyExtraction, node: "Node", block: Block, env: Environment) -> None:
    arguments = arguments_of(node)
    name = literal(x, arguments[0]) if arguments else None
    body = node.child_by_field_name("block")
    cls = class_around(block)
    if cls is None or name is None or body is None:
        for child in node.named_children:
            x.value(child, block, env)
        return
    own = is_singleton(x, node) or x.text(node).startswith("define_singleton")
    scope = new_method(x, name, node, arguments[0], block, own=own)
    read_block_body(x, body, scope, Block(scope, block))


def read_block_body(x: RubyExtraction, node: "Node", scope: Scope, block: Block) -> None:
    """Parameters now, the body later."""
    x.add_parameters(node.child_by_field_name("parameters"), scope, block)
    body = node.child_by_field_name("body")
    if body is not None and body.type in ("block", "do_block"):  # of a lambda
        body = body.child_by_field_name("body")
    if body is not None:
        x.defer(partial(finish_body, x, scope, body, block))


def read_delegation(x: RubyExtraction, node: "Node", block: Block, env: Environment) -> None:
    """`def_delegators :@a, :x, :y`, `def_delegator :@a, :x, :z`, `delegate :x, to: :a`."""
    method, arguments = node.child_by_field_name("method"), arguments_of(node)
    names = [each for each in arguments if each.type in ("simple_symbol", "string")]
    to = next((_option(x, each, "to") for each in arguments if each.type == "pair"), None)
    how = x.text(method) if method is not None else ""
    if how != "delegate" and names:
        to, names = literal(x, names[0]), names[1:]
    if not to or not names:
        return
    if how == "def_delegator":
        _delegate(x, names[0], names[-1], to, block)
        return
    for name in names:
        _delegate(x, name, name, to, block)


def _option(x: RubyExtraction, node: "Node", name: str) -> str | None:
    key, value = node.child_by_field_name("key"), node.child_by_field_name("value")
    if key is None or value is None or literal(x, key) != name:
        return None
    return literal(x, value)


def _delegate(x: RubyExtraction, old: "Node", new: "Node", to: str, block: Block) -> None:
    source, name = literal(x, old), literal(x, new)
    if not source or not name:
        return
    scope = new_method(x, name, new, new, block, own=False)
    inner = Block(scope, None)
    target = x.attribute(scope.self_register, to) if scope.self_register >= 0 else NOTHING
    if to[:1] != "@" and target >= 0:
        target = x.call(target, (), new, inner, FORM_IMPLICIT)
    x.add_return(scope, x.call_method(target, source, (), new, inner))


# ---- classes made by calls


def struct_members(x: RubyExtraction, node: "Node") -> list["Node"] | None:
    """The members that `Struct.new(:a, :b)` lists."""
    receiver, method = node.child_by_field_name("receiver"), node.child_by_field_name("method")
    if node.type != "call" or receiver is None or method is None:
        return None
    if x.text(receiver).lstrip(":") not in _STRUCTS or x.text(method) not in ("new", "define"):
        return None
    return [each for each in arguments_of(node) if each.type == "simple_symbol"]


def read_made_class(
    x: RubyExtraction, name: "Node", node: "Node", block: Block, env: Environment
) -> bool:
    """`Name = Struct.new(…)`, `Name = Class.new(Base) { … }`, `Name = Module.new { … }`."""
    if node.type != "call":
        return False
    receiver, method = node.child_by_field_name("receiver"), node.child_by_field_name("method")
    text = x.text(receiver).lstrip(":") if receiver is not None else ""
    members = struct_members(x, node)
    if members is None and (
        text not in ("Class", "Module") or method is None or x.text(method) != "new"
    ):
        return False
    kind = Kind.MODULE if text == "Module" else Kind.CLASS
    scope = x.open_class(kind, x.text(name), node, name, block)
    if members is not None:
        add_accessors(x, scope, members, "attr_accessor")
    else:
        for child in arguments_of(node)[:1]:
            add_superclass(x, scope, child, block, env)
    body = node.child_by_field_name("block")
    if body is not None:
        read_class_body(x, scope, body.child_by_field_name("body"), block)
    return True


DEFINITIONS: dict[str, Handler] = {
    "class": read_class,
    "module": read_class,
    "singleton_class": read_singleton_class,
    "method": read_method,
    "singleton_method": read_singleton_method,
    "alias": read_alias,
    **dict.fromkeys(("return", "next", "break", "redo", "retry"), read_return),
}
