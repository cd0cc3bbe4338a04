"""Which file does a JavaScript or TypeScript module specifier name?

Relative specifiers follow Node and TypeScript: extensions may be left out, `./x.js` may be written for
`x.ts`, a directory stands for its index. Others are looked up in the `paths` of the nearest
tsconfig/jsconfig, the `imports` of the nearest package.json, and the packages of the workspace.
"""

from collections.abc import Iterator, Mapping
from posixpath import dirname, join, normpath
from typing import Any

from agrama.indexer.languages.javascript_packages import Packages
from agrama.indexer.languages.language import Sources

TYPESCRIPT = (".ts", ".tsx", ".d.ts", ".mts", ".cts", ".d.mts", ".d.cts")
JAVASCRIPT = (".js", ".jsx", ".mjs", ".cjs")
OTHER = (".vue", ".svelte", ".json")
# TypeScript's sources are imported under the names of what they compile to.
WRITTEN_AS = {
    ".js": (".ts", ".tsx", ".d.ts", ".jsx"),
    ".jsx": (".tsx", ".ts"),
    ".mjs": (".mts", ".d.mts"),
    ".cjs": (".cts", ".d.cts"),
}
CONFIGS = ("tsconfig.json", "jsconfig.json")
MAX_EXTENDS = 8


class JavaScriptModules:
    """Finds files by specifier; answers are remembered per directory."""

    def __init__(self, sources: Sources) -> None:
        self._paths = sources.paths
        self._configs = sources.configs
        self._packages = Packages(sources.configs, self.file)
        self._found: dict[tuple[str, str, bool], tuple[str, ...]] = {}
        self._options: dict[str, tuple[str, dict[str, Any]] | None] = {}

    def find(self, module: str, level: int, path: str) -> tuple[str, ...]:
        folder = dirname(path)
        key = (folder, module, path.endswith(JAVASCRIPT))
        found = self._found.get(key)
        if found is None:
            chosen = self._find(module, folder, plain=key[2])
            found = self._found[key] = () if chosen is None else (chosen,)
        return found

    def member(self, path: str, name: str) -> str | None:
        return None

    def _find(self, module: str, folder: str, *, plain: bool) -> str | None:
        module = module.partition("?")[0]
        if module.startswith("node:") or not module:
            return None
        if module in (".", "..") or module.startswith(("./", "../")):
            return self.file(normpath(join(folder, module)), plain=plain)
        if module.startswith("/"):
            return self.file(module.lstrip("/"), plain=plain)
        if module.startswith("#"):
            return self._packages.find_internal(module, folder)
        for candidate in self._mapped(module, folder):
            found = self.file(candidate, plain=plain)
            if found is not None:
                return found
        return self._packages.find(module, folder)

    def file(self, base: str, *, plain: bool = False) -> str | None:
        """The file that a path without extension, with a wrong one, or of a folder stands for."""
        if base.startswith(".."):
            return None
        base = "" if base == "." else base
        if base in self._paths:
            return base
        stem, dot, extension = base.rpartition(".")
        for other in WRITTEN_AS.get(dot + extension, ()):
            if stem + other in self._paths:
                return stem + other
        extensions = JAVASCRIPT + TYPESCRIPT if plain else TYPESCRIPT + JAVASCRIPT
        if base:
            for extension in (*extensions, *OTHER):
                if base + extension in self._paths:
                    return base + extension
        main = self._packages.main_of(base)
        if main is not None:
            return main
        for extension in extensions:
            index = f"{base}/index{extension}" if base else "index" + extension
            if index in self._paths:
                return index
        return None

    # ---- tsconfig

    def _mapped(self, module: str, folder: str) -> Iterator[str]:
        """Candidates from `paths` and `baseUrl` of the nearest configuration."""
        found = self._nearest(folder)
        if found is None:
            return
        _, options = found
        for pattern, targets, base in options["paths"]:
            rest = match(pattern, module)
            for target in targets if rest is not None else ():
                yield normpath(join(base, target.replace("*", rest or "", 1)))
        if options["base"] is not None:
            yield normpath(join(options["base"], module))

    def _nearest(self, folder: str) -> tuple[str, dict[str, Any]] | None:
        if folder in self._options:
            return self._options[folder]
        result: tuple[str, dict[str, Any]] | None = None
        for name in CONFIGS:
            path = join(folder, name)
            if isinstance(self._configs.get(path), Mapping):
                result = (path, self._read_options(path, 0))
                break
        else:
            if folder:
                result = self._nearest(dirname(folder))
        self._options[folder] = result
        return result

    def _read_options(self, path: str, depth: int) -> dict[str, Any]:
        """Options of a configuration over those it extends: {"paths": rows, "base": folder}."""
        config = self._configs.get(path)
        options: dict[str, Any] = {"paths": [], "base": None}
        if not isinstance(config, Mapping) or depth > MAX_EXTENDS:
            return options
        folder = dirname(path)
        parents = config.get("extends")
        for parent in parents if isinstance(parents, list) else [parents]:
            found = self._config_path(parent, folder) if isinstance(parent, str) else None
            if found is not None:
                inherited = self._read_options(found, depth + 1)
                options = {k: inherited[k] or options[k] for k in options}
        own = config.get("compilerOptions")
        if isinstance(own, Mapping):
            base = own.get("baseUrl")
            if isinstance(base, str):
                options["base"] = normpath(join(folder, base))
            if isinstance(own.get("paths"), Mapping):
                root = options["base"] if options["base"] is not None else folder
                options["paths"] = _path_rows(own["paths"], root)
        return options

    def _config_path(self, parent: str, folder: str) -> str | None:
        if not parent.startswith("."):
            found = self._packages.folder_of(parent)
            if found is None:
                return None
            base = normpath(join(*found))
        else:
            base = normpath(join(folder, parent))
        for candidate in (base, base + ".json", join(base, "tsconfig.json")):
            if candidate in self._configs:
                return candidate
        return None


def _path_rows(paths: Mapping[str, Any], root: str) -> list[tuple[str, list[str], str]]:
    """Patterns, the most specific first: exact ones, then by the length before the star."""
    rows = [
        (pattern, [t for t in targets if isinstance(t, str)], root)
        for pattern, targets in paths.items()
        if isinstance(targets, list)
    ]
    return sorted(rows, key=lambda row: ("*" in row[0], -len(row[0].partition("*")[0]), row[0]))


def match(pattern: str, text: str) -> str | None:
    """What the star of a pattern stands for in a text; "" when there is no star."""
    before, star, after = pattern.partition("*")
    if not star:
        return "" if pattern == text else None
    if len(text) < len(before) + len(after):
        return None
    if text.startswith(before) and text.endswith(after):
        return text[len(before) : len(text) - len(after) if after else None]
    return None
