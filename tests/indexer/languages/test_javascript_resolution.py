"""Which file a specifier names."""

from typing import Any

import pytest

from agrama.indexer.languages.javascript_resolution import JavaScriptModules, match
from agrama.indexer.languages.language import Sources


def find(module: str, path: str, files: str, configs: dict[str, Any] | None = None) -> str | None:
    paths = frozenset(files.split()) | {path}
    found = JavaScriptModules(Sources(paths, configs or {})).find(module, 0, path)
    return found[0] if found else None


@pytest.mark.parametrize(
    ("module", "files", "wanted"),
    [
        ("./b", "a/b.ts a/b.js", "a/b.ts"),
        ("./b.js", "a/b.ts", "a/b.ts"),
        ("./b.js", "a/b.js a/b.ts", "a/b.js"),
        ("./b.mjs", "a/b.mts", "a/b.mts"),
        ("./b", "a/b/index.tsx", "a/b/index.tsx"),
        ("./b", "a/b.d.ts", "a/b.d.ts"),
        ("..", "index.ts", "index.ts"),
        ("../c/d", "c/d.jsx", "c/d.jsx"),
        ("../../c", "c.ts", None),
        ("./b?raw", "a/b.ts", "a/b.ts"),
        ("./missing", "a/b.ts", None),
        ("b", "a/b.ts", None),
        ("node:fs", "a/fs.ts", None),
        ("", "a/b.ts", None),
    ],
)
def test_relative_specifiers_follow_node_and_typescript(
    module: str, files: str, wanted: str | None
) -> None:
    assert find(module, "a/main.ts", files) == wanted


def test_a_javascript_file_prefers_javascript() -> None:
    assert find("./b", "a/main.js", "a/b.ts a/b.js") == "a/b.js"


def test_the_nearest_configuration_maps_paths_and_inherits_them() -> None:
    configs = {
        "tsconfig.json": {"compilerOptions": {"paths": {"@/*": ["wrong/*"]}}},
        "web/tsconfig.json": {"extends": "./base", "compilerOptions": {}},
        "web/base.json": {"compilerOptions": {"baseUrl": "src", "paths": {"@/*": ["gen/*", "*"]}}},
    }
    assert find("@/b", "web/app/main.ts", "web/src/b.ts", configs) == "web/src/b.ts"
    assert find("b", "web/app/main.ts", "web/src/b.ts", configs) == "web/src/b.ts"


def test_configurations_that_extend_each_other_end() -> None:
    configs = {"tsconfig.json": {"extends": "./tsconfig.json"}}
    assert find("x", "main.ts", "", configs) is None


@pytest.mark.parametrize(
    ("package", "module", "wanted"),
    [
        ({"main": "lib/start.js"}, "pkg", "p/lib/start.js"),
        ({}, "pkg", "p/index.js"),
        ({"main": "dist/inner.js"}, "pkg", "p/src/inner.ts"),
        ({"exports": {".": {"import": "./dist/inner.mjs"}}}, "pkg", "p/src/inner.ts"),
        ({"exports": {"./*": "./lib/*.js"}}, "pkg/start", "p/lib/start.js"),
        ({"exports": "./lib/start.js"}, "pkg", "p/lib/start.js"),
        ({}, "pkg/lib/start", "p/lib/start.js"),
        ({}, "other", None),
    ],
)
def test_packages_of_the_workspace_are_found_by_name(
    package: dict[str, Any], module: str, wanted: str | None
) -> None:
    configs = {"p/package.json": {"name": "pkg", **package}}
    files = "p/lib/start.js p/index.js p/src/inner.ts"
    assert find(module, "q/main.ts", files, configs) == wanted


def test_hostile_configurations_are_ignored() -> None:
    configs = {
        "tsconfig.json": {"extends": 1, "compilerOptions": {"paths": {"*": "x"}, "baseUrl": []}},
        "package.json": {"name": ["x"], "exports": {"./": None}, "imports": []},
    }
    assert find("x", "main.ts", "x.ts", configs) is None
    assert find("#x", "main.ts", "x.ts", configs) is None


def test_a_star_stands_for_the_rest() -> None:
    assert match("@app/*", "@app/a/b") == "a/b"
    assert match("*.svg", "x.svg") == "x"
    assert match("a*a", "a") is None
    assert match("exact", "exact") == ""
