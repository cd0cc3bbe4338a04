"""Haskell: modules by name, functions in equations, type classes and their instances.

To name a function is to use it: every mention of one counts as a call, applied or not.
"""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from agrama.graph.model import Kind
from agrama.indexer.facts import (
    ANONYMOUS,
    DEF,
    FORM_CALL,
    FORM_CALLBACK,
    FORM_IMPLICIT,
    INTERFACE,
    NOTHING,
    TO_DEFINITION,
    TO_IMPORT,
    TO_VARIABLE,
    FileFacts,
)
from agrama.indexer.languages.language import Language, Policy, Sources
from agrama.indexer.languages.table_readers import (
    nothing,
    through,
)
from agrama.indexer.languages.tabled import (
    Table,
    TabledExtraction,
    find,
    parts,
)
from agrama.indexer.languages.typed import Block, Scope

if TYPE_CHECKING:
    from tree_sitter import Node  # noqa: TID251 - a type only

_BUILTINS = frozenset(
    """
    Just Nothing Left Right True False abs all and any appendFile asTypeOf concat concatMap const cos
    curry cycle div divMod drop dropWhile either elem error even exp filter flip floor fmap foldMap
    foldl foldl' foldr foldr1 forM forM_ fromEnum fromIntegral fst gcd getArgs getContents getLine
    head id init interact ioError iterate last length lines log lookup map mapM mapM_ maximum maybe
    mconcat mempty minimum mod negate not notElem null odd or otherwise print product pure putStr
    putStrLn quot quotRem read readFile realToFrac rem repeat replicate return reverse round scanl
    seq sequence sequence_ show shows sin snd span splitAt sqrt subtract sum tail take takeWhile
    toEnum traverse truncate uncurry undefined unlines until unwords unzip when unless words
    writeFile zip zip3 zipWith void
    """.split()
)
_PLAIN = frozenset(("variable", "qualified"))
_CONSTANTS = frozenset(("literal", "list", "tuple", "record", "constructor", "unit"))
_APPLY = frozenset(("$", "$!"))


# ---- imports


def _module_text(x: TabledExtraction, node: "Node") -> str:
    return x.text(node).strip().rstrip(".")


def _read_imports(x: TabledExtraction, node: "Node", block: Block) -> None:
    for each in parts(node, "", ("import",)):
        module = find(each, "module")
        if module is not None:
            _read_import(x, each, module, block)


def _read_import(x: TabledExtraction, node: "Node", module: "Node", block: Block) -> None:
    words = {child.type for child in node.children}
    text, alias = _module_text(x, module), find(node, "alias")
    register, _ = x.add_import(text, None, module, block)
    for known in dict.fromkeys((_module_text(x, alias) if alias is not None else text, text)):
        x.free[f"module {known}"] = x.union(x.free.get(f"module {known}", NOTHING), register)
    if "qualified" in words:
        return
    listed = find(node, "names")
    if listed is None or "hiding" in words:
        x.add_import(text, "*", module, block)
        return
    for part in parts(listed, "", ("import_name",)):
        for name in _imported_names(part):
            found, index = x.add_import(text, x.text(name).strip("()"), name, block)
            x.bind_name(x.text(name).strip("()"), block, found, TO_IMPORT, index)
        if find(part, "children") is not None:
            x.add_import(text, "*", module, block)


def _imported_names(node: "Node") -> Iterator["Node"]:
    for child in node.named_children:
        if child.type != "children":
            yield child
        else:
            yield from (each for each in child.named_children if each.type != "all_names")


def _read_qualified(x: TabledExtraction, node: "Node", block: Block) -> int:
    module, name = find(node, "module"), find(node, "id")
    if module is None or name is None:
        return NOTHING
    base = x.free.get(f"module {_module_text(x, module)}", NOTHING)
    return x.read_member(base, name, block)


# ---- definitions


def _declare_function(x: TabledExtraction, node: "Node", block: Block) -> None:
    """One equation of a function; equations in a row make one definition."""
    name = find(node, "name") or find(node, "#infix/operator")
    if name is None:
        return _declare_pattern(x, node, block)
    text = x.text(name).strip("()")
    expression = find(node, "match/expression")
    constant = expression is not None and expression.type in _CONSTANTS
    if node.type == "bind" and (constant or _is_local(block)):
        return _declare_value(x, node, name, text, block)
    last = x.scopes[-1]
    if last.name == text and last.parent is block.scope and last.counts.get("equations"):
        last.end_line = node.end_point[0] + 1
        scope = last
    else:
        kind = Kind.METHOD if block.scope.kind == Kind.CLASS else Kind.FUNCTION
        scope = x.define(kind, text, block.scope, node, name, _qualified(block, text))
        scope.signature = x.text(node).partition("\n")[0][:120]
        scope.counts["equations"] = 1
        if kind == Kind.METHOD:
            scope.owner = block.scope
        _bind(x, scope, text, block)
    inner = Block(scope, block)
    x.bodies.append(lambda: _read_equation(x, scope, node, inner))
    return None


def _qualified(block: Block, text: str) -> str:
    """An instance has no symbol: its methods are named after it all the same."""
    scope = block.scope
    return f"{scope.qualified}.{text}" if scope.flags & ANONYMOUS else ""


def _bind(x: TabledExtraction, scope: Scope, text: str, block: Block) -> None:
    holder = block.scope
    x.bind_name(text, block, scope.register, TO_DEFINITION, scope.index)
    if holder.kind == Kind.CLASS and not holder.flags & ANONYMOUS and text not in x.exports:
        x.exports[text] = (scope.register, TO_DEFINITION, scope.index)


def _is_local(block: Block) -> bool:
    return block.scope.kind in (Kind.FUNCTION, Kind.METHOD)


def _declare_value(
    x: TabledExtraction, node: "Node", name: "Node", text: str, block: Block
) -> None:
    if _is_local(block):
        x.bind_local(text, block, NOTHING)
        x.bodies.append(lambda: x.read(node, block))
        return
    index = x.add_variable(text, block.scope, name, node)
    x.bind_name(text, block, x.register(), TO_VARIABLE, index)
    x.bodies.append(lambda: x.read(node, block))


def _declare_pattern(x: TabledExtraction, node: "Node", block: Block) -> None:
    pattern = find(node, "pattern")
    if pattern is not None:
        _bind_pattern(x, pattern, block)
    x.bodies.append(lambda: x.read(node, block))


def _read_equation(x: TabledExtraction, scope: Scope, node: "Node", block: Block) -> None:
    for part in parts(node, "patterns"):
        if not scope.counts.get("read"):
            name = x.text(part) if part.type == "variable" else ""
            x.add_parameter(scope, block, name, NOTHING)
        _bind_pattern(x, part, block)
    infix = find(node, "#infix")
    if infix is not None:
        _bind_pattern(x, infix, block)
    scope.counts["read"] = 1
    binds = find(node, "binds")
    if binds is not None:
        x.run_block(binds.named_children, block)
    for match in node.children_by_field_name("match"):
        value = x.read(match, block)
        if value >= 0:
            scope.returns.append(value)


def _bind_pattern(x: TabledExtraction, node: "Node", block: Block) -> None:
    pending = [node]
    while pending:
        each = pending.pop()
        if each.type == "variable":
            x.bind_local(x.text(each), block, NOTHING)
        else:
            pending.extend(each.named_children)


def _declare_type(x: TabledExtraction, node: "Node", block: Block) -> None:
    """A type, with its constructors and fields as names of the module."""
    name = find(node, "name")
    if name is None:
        return
    scope = x.define(Kind.CLASS, x.text(name), block.scope, node, name)
    x.bind_name(scope.name, block, scope.register, TO_DEFINITION, scope.index)
    pending = [find(node, "constructors"), find(node, "constructor")]
    while pending:
        each = pending.pop()
        if each is None:
            continue
        if each.type in ("constructor", "field_name"):
            leaf = find(each, "#0") or each
            text = x.text(leaf)
            index = x.add_variable(text, scope, leaf, leaf)
            scope.members.setdefault(text, (NOTHING, TO_VARIABLE, index))
            if text != scope.name:
                x.exports.setdefault(text, (NOTHING, TO_VARIABLE, index))
        elif each.type != "type":
            pending.extend(reversed(each.named_children))


def _declare_class(x: TabledExtraction, node: "Node", block: Block) -> None:
    name = find(node, "name")
    if name is None:
        return
    scope = x.define(Kind.CLASS, x.text(name), block.scope, node, name)
    scope.flags |= INTERFACE
    scope.signature = x.text(node).partition("\n")[0][:120]
    x.bind_name(scope.name, block, scope.register, TO_DEFINITION, scope.index)
    inner = Block(scope, block)
    written = {
        x.text(each)
        for part in parts(node, "declarations")
        if (each := find(part, "name")) is not None and part.type != "signature"
    }
    for part in parts(node, "declarations", ("signature",)):
        method = find(part, "name")
        if method is not None and x.text(method) not in written:
            own = x.define(Kind.METHOD, x.text(method), scope, part, method)
            own.owner = scope
            _bind(x, own, own.name, inner)
    x.declare_all(parts(node, "declarations", ("function", "bind")), inner)


def _declare_instance(x: TabledExtraction, node: "Node", block: Block) -> None:
    """What an instance defines overrides the methods of its class."""
    name, of = find(node, "name"), find(node, "patterns")
    if name is None:
        return
    scope = Scope(len(x.scopes), Kind.CLASS, x.text(name), block.scope)
    x.scopes.append(scope)
    words = " ".join(x.text(of).split()) if of is not None else ""
    scope.qualified = f"{scope.name} {words}".replace(".", "_")[:60].strip()
    count = x.file.counts[scope.qualified] = x.file.counts.get(scope.qualified, 0) + 1
    scope.qualified += f" {count}" if count > 1 else ""
    scope.flags, scope.register = ANONYMOUS, x.register()
    scope.line = scope.body_line = scope.end_line = node.start_point[0] + 1
    scope.start_byte = node.start_byte
    x.emit(DEF, scope.register, scope.index)
    x.signatures.append(lambda: scope.bases.append(x.read_name(name, block)))
    x.declare_all(parts(node, "declarations", ("function", "bind")), Block(scope, block))


def _declare_all(x: TabledExtraction, node: "Node", block: Block) -> None:
    x.declare_all(node.named_children, block)


def _read_header(x: TabledExtraction, node: "Node", block: Block) -> None:
    module = find(node, "module")
    if module is not None:
        x.package = _module_text(x, module)


# ---- expressions


def _read_variable(x: TabledExtraction, node: "Node", block: Block) -> int:
    return _mention(x, node, block, FORM_CALLBACK, [])


def _mention(
    x: TabledExtraction, node: "Node", block: Block, form: int, arguments: list[int]
) -> int:
    """A name in an expression: a call, unless it is a local."""
    if node.type == "qualified":
        value = _read_qualified(x, node, block)
        name = find(node, "id") or node
    else:
        value, name = x.read_name(node, block), node
        if x.is_local(x.text(node), block) and form == FORM_CALLBACK:
            return value
    if name.type in ("constructor", "name"):
        return NOTHING
    return x.emit_call(value, name, arguments, block, form)


def _read_constructor(x: TabledExtraction, node: "Node", block: Block) -> int:
    x.read_name(node, block)
    return NOTHING


def _read_apply(x: TabledExtraction, node: "Node", block: Block) -> int:
    """`f a b` is written as `(f a) b`."""
    arguments: list[Node] = []
    function: Node | None = node
    while function is not None and function.type == "apply":
        argument = find(function, "argument")
        if argument is not None:
            arguments.append(argument)
        function = find(function, "function")
    values = [x.read(each, block) for each in reversed(arguments)]
    if function is None:
        return NOTHING
    if function.type in _PLAIN:
        return _mention(x, function, block, FORM_CALL, values)
    return x.read(function, block)


def _read_infix(x: TabledExtraction, node: "Node", block: Block) -> int:
    left, right, operator = (
        find(node, part) for part in ("left_operand", "right_operand", "operator")
    )
    if operator is None:
        return NOTHING
    if x.text(operator) in _APPLY and left is not None and left.type in _PLAIN:
        return _mention(x, left, block, FORM_CALL, [x.read(right, block)])
    values = [x.read(left, block), x.read(right, block)]
    if operator.type == "infix_id":
        inner = find(operator, "#0")
        if inner is not None and inner.type in _PLAIN:
            _mention(x, inner, block, FORM_CALL, values)
    elif operator.type == "operator":
        x.emit_call(x.read_name(operator, block), operator, values, block, FORM_IMPLICIT)
    return NOTHING


def _read_scoped(x: TabledExtraction, node: "Node", block: Block) -> int:
    """Lambdas, alternatives, statements: patterns first, then local definitions, then the rest."""
    inner = block if node.type in ("bind", "let", "generator") else block.inner()
    value, patterns = NOTHING, frozenset(("pattern", "patterns"))
    for at, child in enumerate(node.children):
        field = node.field_name_for_child(at)
        if field in patterns and child.is_named:
            _bind_pattern(x, child, inner)
    binds = find(node, "binds")
    if binds is not None:
        x.run_block(binds.named_children, inner)
    for at, child in enumerate(node.children):
        field = node.field_name_for_child(at)
        if child.is_named and field not in patterns and field not in ("binds", "name", "arrow"):
            value = x.read(child, inner)
    return value


def _read_comprehension(x: TabledExtraction, node: "Node", block: Block) -> int:
    inner = block.inner()
    for child in reversed(node.named_children):
        x.read(child, inner)
    return NOTHING


def _read_do(x: TabledExtraction, node: "Node", block: Block) -> int:
    """Every statement sees what those before it bind."""
    inner, value = block.inner(), NOTHING
    for child in node.named_children:
        value = x.read(child, inner)
    return value


TABLE = Table(
    language="haskell",
    readers={
        "variable": _read_variable,
        "qualified": _read_variable,
        "constructor": _read_constructor,
        "apply": _read_apply,
        "infix": _read_infix,
        "parens": through("#0"),
        "exp": through("#0"),
        "do": _read_do,
        "list_comprehension": _read_comprehension,
        **dict.fromkeys(
            ("lambda", "lambda_case", "alternative", "match", "bind", "let", "generator",
             "let_in", "pattern_guard", "function"),
            _read_scoped,
        ),
        "signature": nothing,
        "literal": nothing,
        "field_name": nothing,
        "module": nothing,
        "type_application": nothing,
        "operator": nothing,
        "comment": nothing,
    },
    declarations={
        "header": _read_header,
        "imports": _read_imports,
        "declarations": _declare_all,
        "function": _declare_function,
        "bind": _declare_function,
        "data_type": _declare_type,
        "newtype": _declare_type,
        "type_synonym": _declare_type,
        "class": _declare_class,
        "instance": _declare_instance,
    },
    names=frozenset(("variable",)),
    builtins=_BUILTINS,
)  # fmt: skip


def extract_haskell(root: "Node", source: bytes, path: str) -> FileFacts:
    """Facts of a Haskell module."""
    x = TabledExtraction(source, path, root, TABLE)
    x.guard(lambda: x.declare_all(root.named_children, Block(x.file, None)))
    x.guard(x.finish)
    return x.facts()


class HaskellModules:
    """Modules by the names that their files declare."""

    def __init__(self, sources: Sources) -> None:
        self._files: dict[str, list[str]] = {}
        for path in sorted(sources.paths):
            self._files.setdefault(sources.packages.get(path) or "Main", []).append(path)

    def find(self, module: str, level: int, path: str) -> tuple[str, ...]:
        return tuple(each for each in self._files.get(module, ()) if each != path)[:1]

    def member(self, path: str, name: str) -> str | None:
        return None


LANGUAGES = (
    Language(
        name="haskell",
        extensions=(".hs",),
        grammar="tree_sitter_haskell:language",
        extract=extract_haskell,
        index_modules=HaskellModules,
        is_test=lambda path: "test/" in path or "tests/" in path,
        policy=Policy(dotted_modules=False),
    ),
)
