"""Finds the files of a repository: git's own list where there is git, else a walk of our own.

Nothing is read here, only names and stat results. Directory links are never followed; one that
stays inside the root is recorded, so that imports through it can be resolved. Whatever is left out
is listed with its reason.
"""

import os
import re
import stat
import subprocess
from collections.abc import Container, Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from agrama.indexer.ignore import Rules, is_ignored, read_rules
from agrama.indexer.languages import name_language

MAX_FILE_BYTES = 2 << 20  # larger sources are data or bundles; parsing them buys nothing

AGRAMA_IGNORE = ".agramaignore"
_GIT_SECONDS = 60
# Folders that hold no source of the project even where no ignore file says so.
_NEVER = frozenset(
    ".git .hg .svn .jj node_modules __pycache__ .venv .tox .nox .mypy_cache .pytest_cache "
    ".ruff_cache .hypothesis .eggs .gradle .idea .cache .DS_Store".split()
)
_SECRET = re.compile(
    r"\.env(?!\.(?:example|sample|template|dist)$)(?:\..*)?|.*\.(?:pem|key|p12|pfx|jks|keystore|kdbx|ppk|asc|gpg)"
    r"|id_(?:rsa|dsa|ecdsa|ed25519)|\.(?:netrc|pgpass|pypirc|npmrc|htpasswd|git-credentials)"
    r"|credentials(?:\.json)?|secrets?\.(?:json|ya?ml|toml)",
    re.IGNORECASE,
)
_GENERATED = re.compile(
    r".*\.min\.(?:js|css|mjs)|.*\.(?:map|lock|snap)|package-lock\.json|npm-shrinkwrap\.json"
    r"|pnpm-lock\.yaml|go\.sum",
    re.IGNORECASE,
)
_BINARY = frozenset(
    ".png .jpg .jpeg .gif .ico .webp .bmp .tif .tiff .pdf .zip .gz .bz2 .xz .zst .tar .tgz .7z .rar "
    ".jar .war .class .so .dylib .dll .exe .o .a .lib .obj .pyc .pyo .whl .egg .woff .woff2 .ttf .otf "
    ".eot .mp3 .mp4 .avi .mov .mkv .wav .ogg .flac .webm .sqlite .sqlite3 .db .mdb .npz .npy .pkl "
    ".bin .dat .wasm .mo .gmo .psd .dbf .shp .shx .tflite .onnx .pt .parquet".split()
)


@dataclass(frozen=True, slots=True)
class Found:
    """One file to index, with what tells whether it changed."""

    path: str
    size: int
    mtime_ns: int
    ctime_ns: int


@dataclass(slots=True)
class Walk:
    """All the walk found, in order of path."""

    files: list[Found] = field(default_factory=list)
    skipped: dict[str, str] = field(default_factory=dict)  # path -> reason
    links: dict[str, str] = field(default_factory=dict)  # directory link -> directory, both inside


def walk(root: Path, *, max_bytes: int = MAX_FILE_BYTES, ignore: Iterable[str] = ()) -> Walk:
    """List the files of `root`; the order does not depend on the file system.

    `ignore` holds patterns as in an ignore file, beside those of `.agramaignore`.
    """
    found = Walk()
    top = os.path.realpath(root)
    names = _list_with_git(top)
    extra = _read_own_rules(top, ignore)
    for name in sorted(set(_list_by_hand(top, found) if names is None else names)):
        path = name.rstrip("/")
        if not extra or not _is_ignored_below(extra, path):
            _classify(top, path, max_bytes, found)
    return found


def look(
    root: Path,
    paths: Iterable[str],
    known: Container[str],
    *,
    max_bytes: int = MAX_FILE_BYTES,
    ignore: Iterable[str] = (),
) -> Walk:
    """The same for single paths; those not `known` may be ignored, so git or the rules are asked."""
    found = Walk()
    top = os.path.realpath(root)
    there = sorted(path for path in set(paths) if os.path.lexists(f"{top}/{path}"))
    fresh = [path for path in there if path not in known]
    ignored = _ignored_among(top, fresh, ignore) if fresh else frozenset()
    for path in there:
        if path not in ignored and not os.path.isdir(f"{top}/{path}"):
            _classify(top, path, max_bytes, found)
    return found


def _ignored_among(top: str, paths: list[str], ignore: Iterable[str]) -> frozenset[str]:
    """Those of some new paths that a walk would leave out."""
    own = _read_own_rules(top, ignore)
    ignored = {path for path in paths if own and _is_ignored_below(own, path)}
    left = [path for path in paths if path not in ignored]
    done = _run_git(top, ["check-ignore", "-z", "--stdin"], "\0".join(left)) if left else None
    if done is not None and done.returncode in (0, 1):
        ignored.update(os.fsdecode(name) for name in done.stdout.split(b"\0") if name)
        inside = (path for path in left if ".git" in path.split("/"))
        return frozenset(ignored.union(inside))
    listed = set(_list_by_hand(top, Walk()))
    return frozenset(ignored.union(path for path in left if path not in listed))


def skip_reason(path: str) -> str | None:
    """Why a file is left out by its name alone."""
    name = path.rpartition("/")[2]
    if _SECRET.fullmatch(name):
        return "secret"
    if os.path.splitext(name)[1].lower() in _BINARY:
        return "binary"
    if _GENERATED.fullmatch(name):
        return "generated"
    return None


def _classify(top: str, path: str, max_bytes: int, found: Walk) -> None:
    try:
        path.encode()
    except UnicodeEncodeError:
        shown = os.fsencode(path).decode(errors="backslashreplace")
        found.skipped[shown] = "unreadable"
        return
    try:
        status = os.lstat(f"{top}/{path}")
    except OSError:
        return  # listed by git but deleted, or gone since
    mode = status.st_mode
    if stat.S_ISLNK(mode):
        found.skipped[path] = "symlink"
        _note_link(top, path, found)
    elif stat.S_ISDIR(mode):
        found.skipped[path] = "nested_worktree"
    elif not stat.S_ISREG(mode):
        found.skipped[path] = "fifo"
    elif reason := skip_reason(path):
        found.skipped[path] = reason
    elif status.st_size > max_bytes:
        found.skipped[path] = "too_large"
    else:
        found.files.append(Found(path, status.st_size, status.st_mtime_ns, status.st_ctime_ns))


def _note_link(top: str, path: str, found: Walk) -> None:
    target = os.path.realpath(f"{top}/{path}")
    if target.startswith(top + "/") and os.path.isdir(target):
        found.links[path] = target[len(top) + 1 :]


def _list_with_git(top: str) -> list[str] | None:
    """Tracked and untracked files that git does not ignore; None where git cannot tell."""
    done = _run_git(top, ["ls-files", "-co", "--exclude-standard", "-z"])
    if done is None or done.returncode or not done.stdout:
        return None  # no repository, or a folder that an outer repository ignores
    return [os.fsdecode(name) for name in done.stdout.split(b"\0") if name]


def _run_git(
    top: str, arguments: list[str], given: str = ""
) -> "subprocess.CompletedProcess[bytes] | None":
    """What git says, None where there is no git."""
    # A hostile repository may name a program in core.fsmonitor, which git would run.
    command = ["git", "-C", top, "-c", "core.fsmonitor=false", "-c", "core.quotepath=off"]
    environment = {k: v for k, v in os.environ.items() if not k.startswith("GIT_")}
    environment["GIT_OPTIONAL_LOCKS"] = "0"
    try:
        return subprocess.run(
            command + arguments,
            capture_output=True,
            timeout=_GIT_SECONDS,
            env=environment,
            input=os.fsencode(given),
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired):
        return None


def _list_by_hand(top: str, found: Walk) -> Iterator[str]:
    """Files below `top` by our own walk, honouring .gitignore files on the way."""
    pending: list[tuple[str, tuple[Rules, ...]]] = [("", ())]
    while pending:
        base, rules = pending.pop()
        try:
            with os.scandir(f"{top}/{base}") as listing:
                entries = sorted(listing, key=lambda entry: entry.name)
        except OSError:
            found.skipped[base.rstrip("/")] = "unreadable"
            continue
        names = {entry.name for entry in entries}
        if base and ".git" in names:
            found.skipped[base.rstrip("/")] = "nested_worktree"
            continue
        if ".gitignore" in names:
            rules = (_read_file_rules(top, base, ".gitignore"), *rules)
        for entry in entries:
            path = base + entry.name
            is_folder = entry.is_dir(follow_symlinks=False)
            if entry.name in _NEVER or is_ignored(rules, path, is_folder=is_folder):
                continue
            if is_folder:
                pending.append((path + "/", rules))
            else:
                yield path


def _read_own_rules(top: str, ignore: Iterable[str]) -> tuple[Rules, ...]:
    found = (_read_file_rules(top, "", AGRAMA_IGNORE), read_rules("", "\n".join(ignore)))
    return tuple(rules for rules in found if rules.rules)


def _read_file_rules(top: str, base: str, name: str) -> Rules:
    try:
        with open(f"{top}/{base}{name}", encoding="utf-8", errors="replace") as file:
            return read_rules(base, file.read(1 << 20))
    except OSError:
        return Rules(base, ())


def _is_ignored_below(rules: tuple[Rules, ...], path: str) -> bool:
    """Ignored itself, or below an ignored folder."""
    if is_ignored(rules, path, is_folder=False):
        return True
    at = path.find("/")
    while at >= 0:
        if is_ignored(rules, path[:at], is_folder=True):
            return True
        at = path.find("/", at + 1)
    return False


def language_name(path: str) -> str | None:
    """The language of a path: one with a front end, else a guess good enough to filter by."""
    return name_language(path) or _GUESSES.get(os.path.splitext(path)[1].lower())


_GUESSES = {
    ".go": "go", ".rs": "rust", ".java": "java", ".c": "c", ".h": "c", ".cc": "cpp", ".cpp": "cpp",
    ".cxx": "cpp", ".hpp": "cpp", ".hh": "cpp", ".cs": "c_sharp", ".rb": "ruby", ".php": "php",
    ".kt": "kotlin", ".kts": "kotlin", ".swift": "swift", ".scala": "scala", ".sh": "bash",
    ".bash": "bash", ".lua": "lua", ".hs": "haskell", ".ml": "ocaml", ".mli": "ocaml",
    ".ex": "elixir", ".exs": "elixir", ".jl": "julia", ".zig": "zig", ".html": "html",
    ".htm": "html", ".css": "css", ".sql": "sql", ".tf": "hcl", ".hcl": "hcl", ".dart": "dart",
    ".pl": "perl", ".pm": "perl", ".m": "objc", ".mm": "objc", ".rst": "rst", ".txt": "text",
}  # fmt: skip
