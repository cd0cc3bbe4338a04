"""What a file is for, told by its path: test, example, documentation, old copy, entry point…

Roles are bits stored per file. Ranking gives each bit a weight; nothing here knows a weight.
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Sequence
from enum import IntFlag
from functools import lru_cache


class Role(IntFlag):
    """Bits of a file's role. The numbers are stored: append only."""

    TEST = 1
    EXAMPLE = 2
    LEGACY = 4
    ENTRY = 8
    GENERATED = 16
    PROSE = 32
    DATA = 64
    OLD_VERSION = 128
    FOREIGN = 256  # for one platform, where a question that names none means another
    DECLARES = 512  # a header beside the C source that implements it


SIBLING_ROLES = Role.OLD_VERSION | Role.FOREIGN | Role.DECLARES
"""Those that depend on which other files there are."""

_TEST = re.compile(
    r"""(?:^|/)(?:tests?|__tests__|specs?|testing|testdata|test[-_]?suite|fixtures?|mocks?|__mocks__|bench(?:es|marks?)?)/
    |(?:^|/)(?:test_[^/]*|conftest\.py|[^/]*[_.-](?:tests?|specs?|bench(?:mark)?s?|testing)\.[^/]*
    |[^/]*[a-z0-9](?:Tests?|Specs?|Suite|TestCase|Benchmarks?)\.[a-z]+)$""",
    re.VERBOSE,
)
_EXAMPLE = re.compile(
    r"(?:^|/)_?(?:examples?|samples?|demos?|tutorials?|docs?|docs?_src|website)/", re.I
)
_LEGACY = re.compile(
    r"(?:^|/)_?(?:compat|legacy|deprecated|obsolete|old|vendor|vendored|third[-_]?party|node_modules)(?:/|\.\w+$)"
)
_ENTRY = re.compile(
    r"(?:^|/)(?:__init__\.pyi?|__main__\.py|index\.[cm]?[jt]sx?|mod\.rs|lib\.rs|main\.\w+|init\.lua|package\.scala)$"
)
_GENERATED = re.compile(
    r"(?:^|/)(?:__version__\.py|_?version\.\w+|[^/]*\.d\.[cm]?ts|package-info\.java|[^/]*_pb2(?:_grpc)?\.py|[^/]*\.pb\.\w+"
    r"|[^/]*\.min\.\w+|[^/]*[._]generated\.\w+|[^/]*\.g\.(?:cs|dart))$|(?:^|/)(?:locales?|migrations|__snapshots__)/"
)
_PROSE = re.compile(
    r"\.(?:md|markdown|mdx|rst|txt|adoc|asciidoc|org|tex|rtf|html?)$|(?:^|/)[A-Z]{4,}$", re.I
)
_DATA = re.compile(
    r"\.(?:json[5c]?|ya?ml|toml|ini|cfg|conf|properties|xml|csv|tsv|po|pot|lock|svg|snap|plist|editorconfig|env|map"
    r"|gradle|cabal|csproj|sln|props|targets|bazel|cmake|mk|css|scss|less)$|(?:^|/)\.[^/]+$"
    r"|(?:^|/)(?:Makefile|CMakeLists\.txt|Dockerfile|Gemfile|Rakefile|LICENSE[^/]*|COPYING|AUTHORS|NOTICE|BUILD)$",
    re.I,
)
_PATTERNS = (
    (Role.TEST, _TEST),
    (Role.EXAMPLE, _EXAMPLE),
    (Role.LEGACY, _LEGACY),
    (Role.ENTRY, _ENTRY),
    (Role.GENERATED, _GENERATED),
    (Role.PROSE, _PROSE),
    (Role.DATA, _DATA),
)
_PLATFORMS = {
    word: words.split()[0]
    for words in (
        "posix unix linux",
        "windows win win32 win64 winnt nt mingw msvc uwp",
        "darwin macos osx mac apple ios",
        "bsd freebsd openbsd netbsd dragonfly",
        "solaris sunos illumos",
        *"aix zos os390 os400 ibmi haiku hurd qnx cygwin android vms amiga wasi plan9 fuchsia".split(),
    )
    for word in words.split()
}
PLATFORM_WORDS = frozenset(_PLATFORMS)
_MARK = re.compile(rf"(?:^|[/_-])(?:{'|'.join(_PLATFORMS)})(?=[/._-]|$)", re.I)
_HOME = "posix"
_VERSION = re.compile(r"v(\d+)")
_SHARED_NAMES = 3  # a folder vN with so many file names of its parent is a copy of it


@lru_cache(maxsize=1 << 15)
def read_roles(path: str) -> Role:
    """The roles that a path alone tells."""
    roles = Role(0)
    for role, pattern in _PATTERNS:
        if pattern.search(path):
            roles |= role
    return roles


def find_siblings(paths: Sequence[str]) -> dict[Role, list[int]]:
    """Positions of the files that have each of SIBLING_ROLES."""
    return {
        Role.OLD_VERSION: find_old_versions(paths),
        Role.FOREIGN: find_foreign(paths),
        Role.DECLARES: find_declaring(paths),
    }


def find_foreign(paths: Sequence[str]) -> list[int]:
    """Positions of files for another platform than POSIX, where several have a folder or file each.

    A folder `windows` alone may hold windows; beside `unix` it holds a platform's twin.
    """
    marked: list[tuple[int, str, str]] = []
    platforms: defaultdict[str, set[str]] = defaultdict(set)
    for position, path in enumerate(paths):
        if _MARK.search(path):
            for above, platform in _platform_parts(path):
                platforms[above].add(platform)
                marked.append((position, above, platform))
    foreign = {
        position
        for position, above, platform in marked
        if platform != _HOME and len(platforms[above]) > 1
    }
    return sorted(foreign)


def _platform_parts(path: str) -> Iterable[tuple[str, str]]:
    """Folders of a path in which the next part, by its first or last word, names a platform."""
    parts = path.split("/")
    for depth, part in enumerate(parts):
        words = re.split("[-_]", part.partition(".")[0].lower())
        platform = _PLATFORMS.get(words[-1]) or _PLATFORMS.get(words[0])
        if platform:
            yield "/".join(parts[:depth]), platform


def find_declaring(paths: Sequence[str]) -> list[int]:
    """Positions of headers `x.h` beside an `x.c`: what is asked about is where it is done.

    In C++ the header is as often the answer.
    """
    headers = {path: position for position, path in enumerate(paths) if path.endswith(".h")}
    sources = {path for path in paths if path.endswith(".c")} if headers else set()
    return sorted(at for path, at in headers.items() if path[:-1] + "c" in sources)


def find_old_versions(paths: Sequence[str]) -> list[int]:
    """Positions of files in a folder `vN` that a newer sibling `vM` or its own parent replaces."""
    newest: dict[str, int] = {}
    versioned: list[tuple[int, str, str, int]] = []
    for position, path in enumerate(paths):
        for above, folder, number in _version_folders(path):
            newest[above] = max(newest.get(above, 0), number)
            versioned.append((position, above, folder, number))
    if not versioned:
        return []
    names = _names_by_folder(paths)
    old = {
        position
        for position, above, folder, number in versioned
        if number < newest[above] or len(names[above] & names[folder]) >= _SHARED_NAMES
    }
    return sorted(old)


def _version_folders(path: str) -> Iterable[tuple[str, str, int]]:
    if "v" not in path:
        return
    parts = path.split("/")
    for depth, part in enumerate(parts[:-1]):
        if match := _VERSION.fullmatch(part):
            yield "/".join(parts[:depth]), "/".join(parts[: depth + 1]), int(match[1])


def _names_by_folder(paths: Iterable[str]) -> defaultdict[str, set[str]]:
    names: defaultdict[str, set[str]] = defaultdict(set)
    for path in paths:
        folder, _, name = path.rpartition("/")
        names[folder].add(name)
    return names
