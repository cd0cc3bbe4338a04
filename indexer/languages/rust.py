"""Rust: crates and their modules, traits and their implementations."""

from collections.abc import Iterator

from agrama.indexer.languages.language import (
    ADD,
    EACH,
    EXTEND,
    GET,
    ITEMS,
    KEYS_OF,
    MAP,
    SAME,
    Language,
    Policy,
    Sources,
)
from agrama.indexer.languages.rust_declarations import extract_rust
from agrama.indexer.languages.rust_source import prepare_rust
from agrama.indexer.languages.rust_types import WHOLE_CRATE

_ROOT_NAMES = ("lib.rs", "main.rs")
_OWN_CRATES = frozenset(("tests", "examples", "benches", "bin"))


class RustModules:
    """Paths of modules to files. Dots separate the names of a path."""

    def __init__(self, sources: Sources) -> None:
        self._paths = sources.paths
        self._crates = dict(_name_crates(sources))  # name -> root file
        for path in sorted(sources.paths):
            directory, _, name = path.rpartition("/")
            if name == "lib.rs":
                own = directory.removesuffix("src").rstrip("/").rpartition("/")[2]
                self._crates.setdefault(own.replace("-", "_"), path)
        self._found: dict[tuple[str, str], tuple[str, ...]] = {}
        self._members: dict[str, list[str]] = {}  # root file -> files of its crate
        for path in sorted(sources.paths):
            self._members.setdefault(self._root(path), []).append(path)

    def find(self, module: str, level: int, path: str) -> tuple[str, ...]:
        if module == WHOLE_CRATE:
            return tuple(self._members[self._root(path)])
        key = (path, module)
        found = self._found.get(key)
        if found is None:
            file = self._resolve(module.split("."), path)
            found = self._found[key] = () if file is None else (file,)
        return found

    def member(self, path: str, name: str) -> str | None:
        return self._child(path, name)

    def _resolve(self, names: list[str], path: str) -> str | None:
        first, rest = names[0], names[1:]
        current: str | None
        if first == "crate":
            current = self._root(path)
        elif first == "self":
            current = path
        elif first == "super":
            current = self._parent(path)
        else:
            current = self._child(path, first) or self._child(self._root(path), first)
            current = current or self._crates.get(first)
        for name in rest:
            if current is None:
                return None
            current = self._parent(current) if name == "super" else self._child(current, name)
        return current

    def _child(self, path: str | None, name: str) -> str | None:
        if path is None:
            return None
        base = _directory_of_children(path)
        for candidate in (f"{base}{name}.rs", f"{base}{name}/mod.rs"):
            if candidate in self._paths:
                return candidate
        return None

    def _parent(self, path: str) -> str | None:
        directory, _, name = path.rpartition("/")
        if name == "mod.rs":
            directory = directory.rpartition("/")[0]
        elif name in _ROOT_NAMES:
            return None
        prefix = f"{directory}/" if directory else ""
        names = [f"{prefix}{each}" for each in ("mod.rs", *_ROOT_NAMES)]
        if directory:
            names.append(f"{directory}.rs")
        return next((each for each in names if each in self._paths and each != path), None)

    def _root(self, path: str) -> str:
        """The root of the crate that a file belongs to."""
        directory = path.rpartition("/")[0]
        if directory.rpartition("/")[2] in _OWN_CRATES:
            return path
        while True:
            prefix = f"{directory}/" if directory else ""
            for name in _ROOT_NAMES:
                if f"{prefix}{name}" in self._paths:
                    return f"{prefix}{name}"
            if not directory:
                return path
            directory = directory.rpartition("/")[0]


def _name_crates(sources: Sources) -> Iterator[tuple[str, str]]:
    """Names of crates by their manifests, those that a dependency is renamed to first."""
    roots: dict[str, str] = {}
    renamed: dict[str, str] = {}
    for path, config in sorted(sources.configs.items()):
        if path.rpartition("/")[2] != "Cargo.toml" or not isinstance(config, dict):
            continue
        root = path.removesuffix("Cargo.toml") + config["library"].removeprefix("./")
        if root in sources.paths:
            roots.setdefault(config["crate"].replace("-", "_"), root)
        renamed.update(config["renamed"])
    for alias, name in renamed.items():
        found = roots.get(name.replace("-", "_"))
        if found is not None:
            yield alias.replace("-", "_"), found
    yield from roots.items()


def _directory_of_children(path: str) -> str:
    directory, _, name = path.rpartition("/")
    prefix = f"{directory}/" if directory else ""
    if name in ("mod.rs", *_ROOT_NAMES) or directory.rpartition("/")[2] in _OWN_CRATES:
        return prefix
    return f"{prefix}{name.removesuffix('.rs')}/"


def is_rust_test(path: str) -> bool:
    return "/tests/" in f"/{path}" or path.endswith(("/tests.rs", "_test.rs", "_tests.rs"))


_METHODS = {
    **dict.fromkeys(
        (
            "unwrap", "expect", "unwrap_or", "unwrap_or_default", "unwrap_or_else", "next", "pop",
            "get", "get_mut", "first", "last", "remove", "pop_front", "pop_back", "peek", "take",
            "entry", "or_insert", "or_default", "or_insert_with", "nth",
            "recv", "join", "swap_remove", "ok_or", "get_or_insert_with",
        ),
        GET,
    ),
    **dict.fromkeys(("push", "push_back", "push_front", "insert", "send", "replace"), ADD),
    **dict.fromkeys(
        (
            "iter", "iter_mut", "into_iter", "drain", "rev", "skip", "cloned", "clone",
            "copied", "collect", "as_ref", "as_mut", "as_deref", "ok", "values", "values_mut",
            "chain", "peekable", "as_slice", "to_vec", "lock", "read", "write", "map_err", "or_else",
            "step_by",
        ),
        SAME,
    ),
    **dict.fromkeys((
            "for_each", "any", "all", "inspect", "retain", "filter", "find", "position",
            "take_while", "skip_while", "min_by_key", "max_by_key", "sort_by_key", "partition",
        ),
        EACH,
    ),
    **dict.fromkeys(("map", "and_then", "filter_map", "flat_map"), MAP),
    **dict.fromkeys(("extend", "append"), EXTEND),
    **dict.fromkeys(("enumerate",), SAME),
    "keys": KEYS_OF,
    "items": ITEMS,
}  # fmt: skip

POLICY = Policy(container_methods=_METHODS, virtual=True)

LANGUAGES = (
    Language(
        name="rust",
        extensions=(".rs",),
        grammar="tree_sitter_rust:language",
        extract=extract_rust,
        prepare=prepare_rust,
        index_modules=RustModules,
        is_test=is_rust_test,
        policy=POLICY,
    ),
)
