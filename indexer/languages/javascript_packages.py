"""The packages of a workspace: names, entry points, `exports` and `imports` of package.json."""

from collections.abc import Callable, Mapping
from posixpath import dirname, join, normpath
from typing import Any

# Conditions in the order of preference: sources and types before what was built from them.
CONDITIONS = ("source", "types", "import", "module", "node", "require", "default", "browser")
ENTRIES = ("source", "types", "typings", "module", "main")
# Where the sources of a built file usually are.
BUILT = ("dist", "lib", "build", "out", "esm", "cjs", "es", "umd")
ORIGINS = ("src", "source", "lib", "")

FindFile = Callable[[str], str | None]


class Packages:
    """Package.json files by folder and by name."""

    def __init__(self, configs: Mapping[str, Any], find_file: FindFile) -> None:
        self._find_file = find_file
        self._by_folder: dict[str, Mapping[str, Any]] = {}
        self._by_name: dict[str, str] = {}
        for path in sorted(configs, key=lambda path: (path.count("/"), path)):
            value = configs[path]
            if path.rpartition("/")[2] != "package.json" or not isinstance(value, Mapping):
                continue
            self._by_folder[dirname(path)] = value
            name = value.get("name")
            if isinstance(name, str):
                self._by_name.setdefault(name, dirname(path))

    def folder_of(self, module: str) -> tuple[str, str] | None:
        """The folder of the package that a specifier begins with, and the rest of it."""
        parts = module.split("/")
        length = 2 if module.startswith("@") else 1
        folder = self._by_name.get("/".join(parts[:length]))
        return None if folder is None else (folder, "/".join(parts[length:]))

    def find(self, module: str, folder: str) -> str | None:
        found = self.folder_of(module)
        if found is None:
            return None
        package, rest = found
        config = self._by_folder[package]
        exports = config.get("exports")
        if exports is not None:
            target = _exported(exports, "./" + rest if rest else ".")
            file = self._built(package, target) if target is not None else None
            if file is not None:
                return file
        if not rest:
            return self.main_of(package) or self._default(package)
        return self._built(package, rest) or self._find_file(join(package, "src", rest))

    def find_internal(self, module: str, folder: str) -> str | None:
        """`#name` in the `imports` of the nearest package.json."""
        while folder not in self._by_folder and folder:
            folder = dirname(folder)
        imports = self._by_folder.get(folder, {}).get("imports")
        target = _exported(imports, module) if isinstance(imports, Mapping) else None
        return self._built(folder, target) if target is not None else None

    def main_of(self, folder: str) -> str | None:
        """The entry file that the package.json of a folder names."""
        config = self._by_folder.get(folder)
        for entry in ENTRIES if config is not None else ():
            target = config.get(entry) if config is not None else None
            if isinstance(target, str):
                found = self._built(folder, target)
                if found is not None:
                    return found
        return None

    def _default(self, folder: str) -> str | None:
        for origin in ("index", "src/index"):
            found = self._find_file(join(folder, origin))
            if found is not None:
                return found
        return None

    def _built(self, folder: str, target: str) -> str | None:
        """A file of a package; one that is built (and not stored) by the source it is built from."""
        target = normpath(target)
        if target == ".":
            return self._default(folder)
        found = self._find_file(normpath(join(folder, target)))
        if found is not None:
            return found
        parts = target.split("/")
        stem = _stem(parts[-1])
        inside = [part for part in parts[:-1] if part not in BUILT]
        if len(inside) == len(parts) - 1:
            return None
        for origin in ORIGINS:
            found = self._find_file(normpath(join(folder, origin, *inside, stem)))
            if found is not None:
                return found
        return None


def _stem(name: str) -> str:
    for suffix in (".d.ts", ".d.mts", ".d.cts", ".mjs", ".cjs", ".js", ".min.js"):
        if name.endswith(suffix):
            return name[: -len(suffix)]
    return name


def _exported(exports: Any, subpath: str) -> str | None:
    """The target of a subpath in `exports` or `imports`."""
    if not isinstance(exports, Mapping):
        return _condition(exports) if subpath == "." else None
    if not any(isinstance(key, str) and key.startswith((".", "#")) for key in exports):
        return _condition(exports) if subpath == "." else None
    if subpath in exports:
        return _condition(exports[subpath])
    patterns = [key for key in exports if isinstance(key, str) and "*" in key]
    for key in sorted(patterns, key=len, reverse=True):
        before, _, after = key.partition("*")
        if subpath.startswith(before) and subpath.endswith(after):
            target = _condition(exports[key])
            rest = subpath[len(before) : len(subpath) - len(after)]
            return None if target is None else target.replace("*", rest)
    return None


def _condition(value: Any) -> str | None:
    if isinstance(value, str):
        return value
    if isinstance(value, list):
        return next((found for item in value if (found := _condition(item)) is not None), None)
    if isinstance(value, Mapping):
        for name in CONDITIONS:
            found = _condition(value[name]) if name in value else None
            if found is not None:
                return found
    return None
