"""Lua: modules by `require`, tables of functions, metatables."""

from agrama.indexer.languages.language import Language, Policy, Sources
from agrama.indexer.languages.lua_extraction import extract_lua


class LuaModules:
    """`require("a.b")` is some `…/a/b.lua` or `…/a/b/init.lua`; the shortest path wins."""

    def __init__(self, sources: Sources) -> None:
        self._files: dict[str, str] = {}
        for path in sorted(sources.paths, key=lambda each: (each.count("/"), each)):
            stem = path.removesuffix(".lua").removesuffix("/init")
            parts = stem.split("/")
            for at in range(len(parts)):
                self._files.setdefault(".".join(parts[at:]), path)

    def find(self, module: str, level: int, path: str) -> tuple[str, ...]:
        found = self._files.get(module.replace("/", "."))
        return () if found is None else (found,)

    def member(self, path: str, name: str) -> str | None:
        return None


def is_lua_test(path: str) -> bool:
    name = path.rpartition("/")[2]
    folder = f"/{path}".rpartition("/")[0] + "/"
    return name.endswith(("_spec.lua", "_test.lua")) or "/tests/" in folder or "/spec/" in folder


LANGUAGES = (
    Language(
        name="lua",
        extensions=(".lua",),
        shebangs=("lua", "luajit"),
        grammar="tree_sitter_lua:language",
        extract=extract_lua,
        index_modules=LuaModules,
        is_test=is_lua_test,
        policy=Policy(dotted_modules=False),
    ),
)
