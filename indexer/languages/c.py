"""C, C++ and CUDA: files that include one another and share one program."""

from functools import partial

from agrama.indexer.languages.c_declarations import extract_c
from agrama.indexer.languages.c_source import find_variant, is_c_test, prepare_source
from agrama.indexer.languages.language import ADD, EXTEND, GET, SAME, Language, Policy, Sources


class CModules:
    """Included names to files: beside the including file, then in include directories."""

    def __init__(self, sources: Sources) -> None:
        self._paths = sources.paths
        self._ends: dict[str, list[str]] = {}
        for path in sorted(sources.paths):
            self._ends.setdefault(path.rpartition("/")[2], []).append(path)
        self._found: dict[tuple[str, str, int], tuple[str, ...]] = {}

    def find(self, module: str, level: int, path: str) -> tuple[str, ...]:
        key = (path.rpartition("/")[0], module, level)
        found = self._found.get(key)
        if found is None:
            file = self._find(module, level, key[0])
            found = self._found[key] = () if file is None else (file,)
        return found

    def member(self, path: str, name: str) -> str | None:
        return None

    def _find(self, module: str, level: int, directory: str) -> str | None:
        name = _normal(module)
        if name.rpartition("/")[2] not in self._ends:
            return None
        if level:
            beside = _normal(f"{directory}/{module}" if directory else module)
            if beside in self._paths:
                return beside
        candidates = [
            path
            for path in self._ends[name.rpartition("/")[2]]
            if path == name or path.endswith(f"/{name}")
        ]
        if (
            not level and "/" not in name
        ):  # `<string.h>` is the system's unless a directory offers it
            candidates = [path for path in candidates if _is_offered(path, name)]
        if not candidates:
            return None
        return min(candidates, key=lambda path: (-_shared(path, directory), len(path), path))


def _is_offered(path: str, name: str) -> bool:
    directory = path.removesuffix(name).rstrip("/")
    return directory.rpartition("/")[2] in ("include", "inc")


def _normal(path: str) -> str:
    parts: list[str] = []
    for part in path.split("/"):
        if part == "..":
            if parts:
                parts.pop()
        elif part not in ("", "."):
            parts.append(part)
    return "/".join(parts)


def _shared(path: str, directory: str) -> int:
    """How many directories a file has in common with the including one."""
    count = 0
    for left, right in zip(path.split("/")[:-1], directory.split("/"), strict=False):
        if left != right:
            break
        count += 1
    return count


_METHODS = {
    **dict.fromkeys(("front", "back", "at", "top", "value", "value_or", "data"), GET),
    **dict.fromkeys(("push_back", "push_front", "insert", "push", "emplace_back", "assign"), ADD),
    **dict.fromkeys(("begin", "end", "cbegin", "cend", "rbegin", "rend", "find"), SAME),
    "swap": EXTEND,
}
POLICY = Policy(
    container_methods=_METHODS,
    virtual=True,
    overloads=True,
    lenient=True,
    linkage=True,
    dotted_modules=False,
)
_C_POLICY = Policy(linkage=True, lenient=True, dotted_modules=False)


LANGUAGES = (
    Language(
        name="c",
        extensions=(".c", ".h"),
        grammar="tree_sitter_c:language",
        extract=extract_c,
        group="c",
        index_modules=CModules,
        is_test=is_c_test,
        policy=_C_POLICY,
        prepare=prepare_source,
        variant=find_variant,
    ),
    Language(
        name="cpp",
        extensions=(
            ".cc", ".cpp", ".cxx", ".c++", ".hh", ".hpp", ".hxx", ".h++", ".inl", ".ipp", ".tpp",
            ".inc",
        ),
        grammar="tree_sitter_cpp:language",
        extract=partial(extract_c, language="cpp"),
        group="c",
        index_modules=CModules,
        is_test=is_c_test,
        policy=POLICY,
        prepare=prepare_source,
    ),
    Language(
        name="cuda",
        extensions=(".cu", ".cuh"),
        grammar="tree_sitter_cpp:language",
        extract=partial(extract_c, language="cuda"),
        group="c",
        index_modules=CModules,
        is_test=is_c_test,
        policy=POLICY,
        prepare=prepare_source,
    ),
)  # fmt: skip
