"""C#: namespaces over files, partial classes, extension methods, overloads, dispatch to overrides."""

from agrama.indexer.languages import csharp_statements as _statements  # noqa: F401 - fills a table
from agrama.indexer.languages.csharp_declarations import extract_csharp
from agrama.indexer.languages.csharp_library import CONTAINER_METHODS
from agrama.indexer.languages.language import Language, Policy, Sources


class CSharpModules:
    """Namespaces to the files that declare them."""

    def __init__(self, sources: Sources) -> None:
        self._declared: dict[str, list[str]] = {}
        self._files: dict[str, list[str]] = {}
        self._globals: dict[str, None] = {}
        for path in sorted(sources.paths):
            config = sources.configs.get(path) or {}
            names = config.get("namespaces") or [sources.packages.get(path, "")]
            self._declared[path] = names
            self._globals.update(dict.fromkeys(config.get("globals", ())))
            for name in names:
                self._files.setdefault(name, []).append(path)

    def find(self, module: str, level: int, path: str) -> tuple[str, ...]:
        if level:
            return self._in_sight(path)
        return tuple(self._files.get(module, ())) if module else ()

    def member(self, path: str, name: str) -> str | None:
        return None

    def _in_sight(self, path: str) -> tuple[str, ...]:
        """Files of the own namespace and those around it, the nearest last."""
        found: dict[str, None] = {}
        near: list[str] = ["", *self._globals]
        for name in self._declared.get(path, ()):
            parts = name.split(".")
            near += [".".join(parts[: at + 1]) for at in range(len(parts))]
        for name in near:
            for other in self._files.get(name, ()):
                if other != path:
                    found.pop(other, None)
                    found[other] = None
        return tuple(found)


def is_csharp_test(path: str) -> bool:
    parts = path.split("/")
    if parts[-1].endswith(("Test.cs", "Tests.cs")):
        return True
    return any(
        part.endswith((".Tests", ".Test")) or part in ("test", "tests") for part in parts[:-1]
    )


POLICY = Policy(
    container_methods=CONTAINER_METHODS,
    virtual=True,
    overloads=True,
    star_reexports=False,
    dotted_modules=False,
)

LANGUAGES = (
    Language(
        name="csharp",
        extensions=(".cs", ".csx"),
        grammar="tree_sitter_c_sharp:language",
        extract=extract_csharp,
        index_modules=CSharpModules,
        is_test=is_csharp_test,
        policy=POLICY,
    ),
)
