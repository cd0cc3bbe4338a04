"""Go: packages are directories, methods belong to types, interfaces are satisfied by shape."""

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from agrama.indexer.facts import FileFacts
from agrama.indexer.languages.go_declarations import extract_go
from agrama.indexer.languages.language import Language, Policy, Sources
from agrama.indexer.languages.manifests import add_dependencies, go_dependencies
from agrama.indexer.languages.sections import write_facts

if TYPE_CHECKING:
    from tree_sitter import Node  # noqa: TID251 - a type only

_MODULE = re.compile(r'^\s*module\s+"?([^\s"]+)', re.MULTILINE)
_REPLACE = re.compile(r"^\s*(?:replace\s+)?(\S+)(?:\s+v\S+)?\s+=>\s+(\.{1,2}/\S*)", re.MULTILINE)


def extract_go_mod(root: "Node", source: bytes, path: str) -> FileFacts:
    """The module that a `go.mod` declares, and the directories that stand for other modules."""
    facts = write_facts("gomod", [], source.count(b"\n") + 1, cut=False)
    text = source.decode("utf-8", "replace")
    found = _MODULE.search(text)
    facts["config"] = {
        "go_module": found.group(1) if found else "",
        "go_replace": dict(_REPLACE.findall(text)),
    }
    add_dependencies(facts, source, go_dependencies(source))
    return facts


class GoModules:
    """Import paths to the files of a package."""

    def __init__(self, sources: Sources) -> None:
        self._packages: dict[str, dict[str, list[str]]] = {}  # directory -> package -> files
        self._package_of = sources.packages
        for path in sorted(sources.paths):
            directory = path.rpartition("/")[0]
            packages = self._packages.setdefault(directory, {})
            packages.setdefault(sources.packages.get(path, ""), []).append(path)
        self._roots = sorted(_find_roots(sources.configs), key=lambda root: (-len(root[0]), root))
        self._found: dict[str, tuple[str, ...]] = {}

    def find(self, module: str, level: int, path: str) -> tuple[str, ...]:
        if level:
            directory = path.rpartition("/")[0]
            own = self._packages.get(directory, {}).get(self._package_of.get(path, ""), [])
            return tuple(other for other in own if other != path)
        found = self._found.get(module)
        if found is None:
            found = self._found[module] = self._find_package(module)
        return found

    def member(self, path: str, name: str) -> str | None:
        return None

    def _find_package(self, module: str) -> tuple[str, ...]:
        for prefix, directory in self._roots:
            if module == prefix or module.startswith(f"{prefix}/"):
                inner = module[len(prefix) + 1 :]
                files = self._files("/".join(part for part in (directory, inner) if part))
                if files:
                    return files
        vendored = self._files(f"vendor/{module}")
        if vendored or self._roots:
            return vendored
        parts = module.split("/")  # no go.mod: the directory whose path ends the import's
        for start in range(len(parts)):
            files = self._files("/".join(parts[start:]))
            if files:
                return files
        return ()

    def _files(self, directory: str) -> tuple[str, ...]:
        """Files of the one package of a directory that others can import."""
        packages = self._packages.get(directory, {})
        sizes = [
            (-len(files), name) for name, files in packages.items() if not name.endswith("_test")
        ]
        if not sizes:
            return ()
        files = packages[min(sizes)[1]]
        return tuple(path for path in files if not is_go_test(path)) or tuple(files)


def _find_roots(configs: Any) -> Iterator[tuple[str, str]]:
    """(module path, directory) of every go.mod and of what it replaces."""
    for path, config in configs.items():
        if not path.endswith("go.mod") or not isinstance(config, dict):
            continue
        directory = path.rpartition("/")[0]
        if config.get("go_module"):
            yield config["go_module"], directory
        for module, target in config.get("go_replace", {}).items():
            yield module, _join(directory, target)


def _join(directory: str, relative: str) -> str:
    parts = directory.split("/") if directory else []
    for part in relative.split("/"):
        if part == "..":
            parts = parts[:-1]
        elif part not in ("", "."):
            parts.append(part)
    return "/".join(parts)


def is_go_test(path: str) -> bool:
    return path.endswith("_test.go")


POLICY = Policy(
    subscript="[]",
    iterate="[]",
    virtual=True,
    structural=True,
    converts=True,
    dotted_modules=False,
    star_reexports=False,
)

LANGUAGES = (
    Language(
        name="go",
        extensions=(".go",),
        grammar="tree_sitter_go:language",
        extract=extract_go,
        index_modules=GoModules,
        is_test=is_go_test,
        policy=POLICY,
    ),
    Language(
        name="gomod",
        extensions=(),
        filenames=("go.mod",),
        # no wheel of its own grammar exists; Markdown's accepts every text without an error
        grammar="tree_sitter_markdown:language",
        extract=extract_go_mod,
    ),
)
