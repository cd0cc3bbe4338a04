"""What the manifest of a package depends on: one import of something outside for each.

A dependency that lies in the same repository (a workspace, a path) is no such thing and is left out.
"""

import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from agrama.indexer.facts import FileFacts, Import

_NODE_TABLES = ("dependencies", "devDependencies", "peerDependencies", "optionalDependencies")
_CARGO_TABLES = ("dependencies", "dev-dependencies", "build-dependencies")
_INSIDE = ("workspace:", "file:", "link:", "portal:", ".", "/")
_REQUIREMENT = re.compile(r"\s*([A-Za-z0-9][A-Za-z0-9._-]*)")
_GO = re.compile(r"^\s*(?:require\s+)?([\w.-]+\.[\w.-]+/\S+)\s+v\d\S*", re.MULTILINE)
_MOST = 500


def node_dependencies(config: Any) -> Iterator[str]:
    """Those of a `package.json`."""
    for table in _NODE_TABLES:
        listed = config.get(table) if isinstance(config, dict) else None
        for name, version in listed.items() if isinstance(listed, dict) else ():
            if isinstance(version, str) and not version.startswith(_INSIDE):
                yield name


def read_toml(source: bytes) -> Mapping[str, Any]:
    """The value of a file; nothing of a broken one."""
    try:
        return tomllib.loads(source.decode("utf-8", "replace"))
    except (tomllib.TOMLDecodeError, RecursionError):
        return {}


def read_crate(source: bytes) -> dict[str, Any] | None:
    """What a `Cargo.toml` calls its library, where that lies, and dependencies under another name."""
    value = read_toml(source)
    package, library = _table(value, "package"), _table(value, "lib")
    name = library.get("name") or package.get("name")
    if not isinstance(name, str):
        return None
    renamed = {
        alias: spec["package"]
        for table in _CARGO_TABLES
        for alias, spec in _table(value, table).items()
        if isinstance(spec, dict) and isinstance(spec.get("package"), str)
    }
    path = library.get("path")
    return {
        "crate": name,
        "library": path if isinstance(path, str) else "src/lib.rs",
        "renamed": renamed,
    }


def toml_dependencies(name: str, source: bytes) -> list[str]:
    """Those of a `pyproject.toml` or `Cargo.toml`."""
    value = read_toml(source)
    return list(_cargo(value) if name == "Cargo.toml" else _python(value))


def _table(value: Any, *keys: str) -> Mapping[str, Any]:
    for key in keys:
        value = value.get(key) if isinstance(value, dict) else None
    return value if isinstance(value, dict) else {}


def _cargo(value: Mapping[str, Any]) -> Iterator[str]:
    for table in _CARGO_TABLES:
        for where in (_table(value, table), _table(value, "workspace", table)):
            for name, spec in where.items():
                inside = isinstance(spec, dict) and ("path" in spec or "workspace" in spec)
                if not inside:
                    yield name


def _python(value: Mapping[str, Any]) -> Iterator[str]:
    project = _table(value, "project")
    lists = [project.get("dependencies"), *_table(project, "optional-dependencies").values()]
    lists += _table(value, "dependency-groups").values()
    for listed in lists:
        for each in listed if isinstance(listed, list) else ():
            found = _REQUIREMENT.match(each) if isinstance(each, str) else None
            if found and found[1] != project.get("name"):
                yield found[1]
    yield from (
        name for name in _table(value, "tool", "poetry", "dependencies") if name != "python"
    )


def go_dependencies(source: bytes) -> list[str]:
    """Those of a `go.mod`."""
    return _GO.findall(source.decode("utf-8", "replace"))


def add_dependencies(facts: FileFacts, source: bytes, names: Iterable[str]) -> None:
    """Imports of the named packages, where the manifest names them first."""
    for name in list(dict.fromkeys(names))[:_MOST]:
        raw = re.escape(name.encode("utf-8", "replace"))
        found = re.search(rb"(?<![\w./@-])" + raw + rb"(?![\w./-])", source)
        at = found.start() if found else 0
        line = source.count(b"\n", 0, at) + 1
        column = at - (source.rfind(b"\n", 0, at) + 1)
        facts["imports"].append(tuple(Import(name, 0, None, 0, 0, line, column, 0, 0, 0)))
