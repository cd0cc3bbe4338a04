"""Python imports: the statements, and which file a dotted name stands for."""

from typing import TYPE_CHECKING

from agrama.indexer.facts import IMPORT, NOTHING, TO_IMPORT
from agrama.indexer.languages.language import Sources
from agrama.indexer.languages.named_files import NAMED_FILE, NamedFiles
from agrama.indexer.languages.python_extraction import Environment, Extraction, Scope, statement

if TYPE_CHECKING:
    from tree_sitter import Node  # noqa: TID251 - a type only


@statement("import_statement")
def read_import(x: Extraction, node: "Node", scope: Scope, env: Environment) -> Environment:
    for child in node.named_children:
        if child.type == "aliased_import":
            name, alias = child.child_by_field_name("name"), child.child_by_field_name("alias")
            if name is not None and alias is not None:
                _import_module(x, name, x.text(alias), scope, env, top=False)
        elif child.type == "dotted_name":
            _import_module(x, child, "", scope, env, top=True)
    return env


def _import_module(
    x: Extraction, name: "Node", alias: str, scope: Scope, env: Environment, *, top: bool
) -> None:
    module = x.text(name).replace(" ", "")
    point = name.start_point
    row = (module, 0, None, int(top), scope.index, point[0] + 1, point[1], 0, 0, 0)
    _bind_import(x, row, alias or module.partition(".")[0], scope, env)


@statement("import_from_statement", "future_import_statement")
def read_from(x: Extraction, node: "Node", scope: Scope, env: Environment) -> Environment:
    module_node = node.child_by_field_name("module_name")
    if module_node is None:
        return env
    text = x.text(module_node).replace(" ", "")
    module = text.lstrip(".")
    level = len(text) - len(module)
    point = module_node.start_point
    place = (scope.index, point[0] + 1, point[1])
    for child in node.named_children[1:]:
        if child.type == "wildcard_import":
            x.imports.append((module, level, "*", 0, *place, 0, 0, 0))
            continue
        name, alias = child, child
        if child.type == "aliased_import":
            name = child.child_by_field_name("name") or child
            alias = child.child_by_field_name("alias") or child
        elif child.type != "dotted_name":
            continue
        at = name.start_point
        row = (module, level, x.text(name), 0, *place, at[0] + 1, at[1], 0)
        index = _bind_import(x, row, x.text(alias), scope, env)
        x.add_reference(name, scope, TO_IMPORT, index, NOTHING)
    return env


def _bind_import(
    x: Extraction, row: tuple[object, ...], name: str, scope: Scope, env: Environment
) -> int:
    index = len(x.imports)
    x.imports.append(row)
    register = x.register()
    x.emit(IMPORT, register, index)
    x.declare(name, register, (TO_IMPORT, index))
    x.bind(name, register, scope, env)
    return index


class PythonModules:
    """Dotted names to files, from the repository root and from each source root.

    A source root is the first directory above a file that has no `__init__.py`. A name is looked
    for in the source root of the importing file, in the directories above it, in others'; a dotted
    name last in the file's own directory, where a script finds its packages.
    """

    def __init__(self, sources: Sources) -> None:
        self._paths = sources.paths
        self._named = NamedFiles(sources.everything)
        self._packages = {_directory(p) for p in sources.paths if p.endswith(_INIT)}
        self._roots: dict[str, str] = {}
        self._by_name: dict[str, list[str]] = {}
        self._found: dict[tuple[str, str], tuple[str, ...]] = {}
        for path in sorted(sources.paths):
            self._add(path, path)
            for link, directory in sorted(sources.links.items()):
                if path.startswith(directory + "/"):
                    self._add(link + path[len(directory) :], path)

    def _add(self, seen_as: str, path: str) -> None:
        self._by_name.setdefault(python_module(seen_as), []).append(path)
        root = self._source_root(_directory(path))
        if root and seen_as == path:
            self._by_name.setdefault(python_module(path[len(root) + 1 :]), []).append(path)

    def _source_root(self, directory: str) -> str:
        root = self._roots.get(directory)
        if root is None:
            inside = directory and (directory in self._packages)
            root = self._source_root(_directory(directory)) if inside else directory
            self._roots[directory] = root
        return root

    def find(self, module: str, level: int, path: str) -> tuple[str, ...]:
        if module.startswith(NAMED_FILE):
            return self._named.find(module, path)
        if level:
            relative = self._find_relative(module, level, path)
            return () if relative is None else (relative,)
        root = self._source_root(_directory(path))
        found = self._found.get((root, module))
        if found is None:
            found = self._found[root, module] = self._find_absolute(module, root)
        if not found and "." in module:
            inside = self._file_at(f"{_directory(path)}/{module.replace('.', '/')}".lstrip("/"))
            return () if inside is None else (inside,)
        return found

    def _find_absolute(self, module: str, root: str) -> tuple[str, ...]:
        candidates = self._by_name.get(module, ())
        near = [c for c in candidates if self._source_root(_directory(c)) == root]
        if near:
            return (min(near, key=_shortest),)
        importer = root
        while True:
            inside = self._file_at("/".join(x for x in (root, module.replace(".", "/")) if x))
            if inside is not None:
                return (inside,)
            if not root:
                break
            root = _directory(root)
        if not candidates:
            return ()
        return (min(candidates, key=lambda c: (-_shared(importer, c), *_shortest(c))),)

    def _file_at(self, target: str) -> str | None:
        for candidate in (target + ".py", f"{target}/{_INIT}", target + ".pyi"):
            if candidate in self._paths:
                return candidate
        return None

    def _find_relative(self, module: str, level: int, path: str) -> str | None:
        directory = _directory(path)
        for _ in range(level - 1):
            directory = _directory(directory)
        target = "/".join(part for part in (directory, module.replace(".", "/")) if part)
        for candidate in (target + ".py", target + ".pyi") if module else ():
            if candidate in self._paths:
                return candidate
        package = f"{target}/{_INIT}" if target else _INIT
        return package if package in self._paths else None

    def member(self, path: str, name: str) -> str | None:
        directory = _directory(path)
        if not path.endswith(_INIT):
            return None
        return self._file_at(f"{directory}/{name}" if directory else name)


_INIT = "__init__.py"


def _shortest(path: str) -> tuple[int, str]:
    return len(path), path


def _shared(directory: str, path: str) -> int:
    """How many leading directories two places have in common."""
    count = 0
    for left, right in zip(directory.split("/"), path.split("/"), strict=False):
        if left != right:
            break
        count += 1
    return count


def _directory(path: str) -> str:
    return path.rpartition("/")[0]


def python_module(path: str) -> str:
    """`pkg/mod.py` -> `pkg.mod`, `pkg/__init__.py` -> `pkg`."""
    name = path.rpartition(".")[0].replace("/", ".")
    return "" if name == "__init__" else name.removesuffix(".__init__")
