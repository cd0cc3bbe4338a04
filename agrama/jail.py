"""Reading files beneath a root, and nowhere else.

The kernel resolves the path (`openat2` with `RESOLVE_BENEATH`): checking a path first and opening it
afterwards loses a race against a symlink swap. Without `openat2` every component is opened with
`O_NOFOLLOW`, which refuses links altogether. Only regular files are read, up to a size cap, and never
files that look like secrets.
"""

import contextlib
import ctypes
import errno
import fnmatch
import os
import re
import stat
import sys
from pathlib import Path

from agrama.errors import AccessDeniedError, ToolError

MAX_FILE_BYTES = 10 * 1024 * 1024

# Names whose content must never reach an index or an answer.
SECRET_NAMES = (
    ".env",
    ".env.*",
    "*.pem",
    "*.key",
    "*.p12",
    "*.pfx",
    "*.keystore",
    "*.jks",
    "id_rsa*",
    "id_dsa*",
    "id_ecdsa*",
    "id_ed25519*",
    ".netrc",
    ".pgpass",
    ".npmrc",
    ".pypirc",
    ".git-credentials",
    "credentials.json",
    "secrets.json",
    "secrets.yaml",
    "secrets.yml",
    "secrets.toml",
)
# Templates carry the same names and no secrets.
PUBLIC_NAMES = (".env.example", ".env.sample", ".env.template", ".env.dist", "*.pub")
_SECRET = re.compile("|".join(map(fnmatch.translate, SECRET_NAMES)))
_PUBLIC = re.compile("|".join(map(fnmatch.translate, PUBLIC_NAMES)))

# Writing these makes somebody else's program run what was written.
PROTECTED_FOLDERS = frozenset(
    ".git .github .gitlab .circleci .husky .vscode .idea .cursor .claude .devcontainer .zed "
    ".codex .gemini .opencode .windsurf".split()
)
PROTECTED_FILES = frozenset(
    ".gitmodules .gitattributes .gitlab-ci.yml .travis.yml jenkinsfile .pre-commit-config.yaml "
    ".mcp.json opencode.json opencode.jsonc azure-pipelines.yml .envrc agrama.toml".split()
)

_OPENAT2 = 437  # the same number on every Linux architecture
_RESOLVE_NO_MAGICLINKS = 0x02
_RESOLVE_BENEATH = 0x08
_DIRECTORY = os.O_RDONLY | getattr(os, "O_DIRECTORY", 0) | getattr(os, "O_CLOEXEC", 0)
_NOFOLLOW = getattr(os, "O_NOFOLLOW", 0)
_READ = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_CLOEXEC", 0)


def is_secret(path: str) -> bool:
    """Tell whether a file's name marks it as holding secrets."""
    name = path.rsplit("/", 1)[-1].lower()
    return _SECRET.match(name) is not None and _PUBLIC.match(name) is None


def normalize_path(root: Path, path: str) -> str:
    """Return `path` as POSIX, relative to the root; an absolute path must lie inside it."""
    if not path or "\0" in path:
        raise _refuse(path, "a non-empty path without NUL bytes")
    text = path.replace("\\", "/") if os.sep == "\\" else path
    if os.path.isabs(text):
        for base in (str(root), os.path.realpath(root)):
            if text == base or text.startswith(base.rstrip("/") + "/"):
                text = text[len(base) :].lstrip("/")
                break
        else:
            raise _refuse(path, f"a path inside the repository {root}")
    parts: list[str] = []
    for part in text.split("/"):
        if part in ("", "."):
            continue
        if part == "..":
            if not parts:
                raise _refuse(path, f"a path inside the repository {root}")
            parts.pop()
        else:
            parts.append(part)
    if parts and parts[0] == ".git":
        raise _refuse(path, "a file of the working tree, not of .git")
    return "/".join(parts)


def read_beneath(root: Path, path: str, *, max_bytes: int = MAX_FILE_BYTES) -> bytes:
    """Return the content of the regular file `path` (relative, normalised) beneath `root`."""
    if is_secret(path):
        raise AccessDeniedError(
            f"{path} looks like a secrets file: its content is neither indexed nor returned",
            data={"parameter": "path", "got": path, "hint": "ask a person to read it for you"},
        )
    descriptor = open_beneath(root, path)
    try:
        status = os.fstat(descriptor)
        if not stat.S_ISREG(status.st_mode):
            raise _refuse(path, f"a regular file, but this is {_kind(status.st_mode)}")
        if status.st_size > max_bytes:
            raise AccessDeniedError(
                f"{path} has {status.st_size:,} bytes; files over {max_bytes:,} are not read whole",
                data={"parameter": "path", "got": path, "hint": "use hybrid_search on its content"},
            )
        return _read_all(descriptor, status.st_size, max_bytes)
    finally:
        os.close(descriptor)


def write_beneath(root: Path, path: str, content: bytes) -> None:
    """Replace or create the regular file `path` beneath `root`, whole or not at all."""
    refuse_protected(path)
    folder, _, name = path.rpartition("/")
    where = _open_folder(root, folder)
    temporary = f".{name}.{os.getpid()}.agrama"
    try:
        mode = _mode_of(where, name, path)
        descriptor = os.open(
            temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL | _NOFOLLOW, mode, dir_fd=where
        )
        try:
            with os.fdopen(descriptor, "wb") as file:
                os.fchmod(descriptor, mode)
                file.write(content)
                file.flush()
                os.fsync(descriptor)
            os.replace(temporary, name, src_dir_fd=where, dst_dir_fd=where)
        except BaseException:
            os.unlink(temporary, dir_fd=where)
            raise
    except OSError as error:
        raise AccessDeniedError(f"{path} cannot be written: {error.strerror}") from error
    finally:
        os.close(where)


def refuse_protected(path: str) -> None:
    """Raise for files that may never be written: secrets, and what makes other programs run code."""
    if is_secret(path):
        raise _refuse(path, "a file that holds no secrets")
    parts = path.lower().split("/")
    folders = {"/".join(parts[:depth]) for depth in range(1, len(parts))}
    if not path or parts[-1] in PROTECTED_FILES or folders & PROTECTED_FOLDERS or ".git" in parts:
        raise _refuse(path, "a source file: git, hooks, CI and editor settings are protected")


def _open_folder(root: Path, folder: str) -> int:
    """The folder of a file to write, created where it is missing; never through a link."""
    here = os.open(root, _DIRECTORY)
    try:
        for part in folder.split("/") if folder else ():
            with contextlib.suppress(FileExistsError):
                os.mkdir(part, dir_fd=here)
            below = os.open(part, _DIRECTORY | _NOFOLLOW, dir_fd=here)
            os.close(here)
            here = below
    except OSError as error:
        os.close(here)
        raise _explain(folder, error) from error
    return here


def _mode_of(where: int, name: str, path: str) -> int:
    try:
        status = os.stat(name, dir_fd=where, follow_symlinks=False)
    except FileNotFoundError:
        return 0o666 & ~_umask()
    if not stat.S_ISREG(status.st_mode):
        raise _refuse(path, f"a regular file, but this is {_kind(status.st_mode)}")
    return stat.S_IMODE(status.st_mode)


def _umask() -> int:
    try:
        for line in Path("/proc/self/status").read_text().splitlines():
            if line.startswith("Umask:"):
                return int(line.split()[1], 8)
    except OSError:
        pass
    return 0o022


def open_beneath(root: Path, path: str) -> int:
    """Open `path` beneath `root` read-only without ever leaving the root; the caller closes it."""
    top = os.open(root, _DIRECTORY)
    try:
        try:
            if _openat2_works():
                return _openat2(top, path)
            return _open_by_components(top, path)
        except OSError as error:
            raise _explain(path, error) from error
    finally:
        os.close(top)


def _read_all(descriptor: int, size_bytes: int, max_bytes: int) -> bytes:
    """All of a file that seemed to have this size: it may have grown since, or tell no size at all."""
    data = os.read(descriptor, size_bytes + 1)
    if len(data) == size_bytes:
        return data
    parts = [data]
    left = max_bytes + 1 - len(data)
    while left > 0 and (part := os.read(descriptor, min(left, 1 << 16))):
        parts.append(part)
        left -= len(part)
    return b"".join(parts)


class _OpenHow(ctypes.Structure):
    _fields_ = (
        ("flags", ctypes.c_uint64),
        ("mode", ctypes.c_uint64),
        ("resolve", ctypes.c_uint64),
    )


_openat2_state: bool | None = None
_libc: ctypes.CDLL | None = None


def _openat2_works() -> bool:
    global _openat2_state
    if _openat2_state is None:
        _openat2_state = sys.platform == "linux" and _probe_openat2()
    return _openat2_state


def _probe_openat2() -> bool:
    top = os.open("/", _DIRECTORY)
    try:
        os.close(_openat2(top, "."))
    except OSError:
        return False
    finally:
        os.close(top)
    return True


def _openat2(top: int, path: str) -> int:
    global _libc
    if _libc is None:
        _libc = ctypes.CDLL(None, use_errno=True)
    how = _OpenHow(_READ, 0, _RESOLVE_BENEATH | _RESOLVE_NO_MAGICLINKS)
    name = os.fsencode(path or ".")
    while True:
        descriptor = int(_libc.syscall(_OPENAT2, top, name, ctypes.byref(how), ctypes.sizeof(how)))
        if descriptor >= 0:
            return descriptor
        code = ctypes.get_errno()
        # EAGAIN: a rename happened during the walk and the kernel could not be sure; ask again.
        if code not in (errno.EAGAIN, errno.EINTR):
            raise OSError(code, os.strerror(code), path)


def _open_by_components(top: int, path: str) -> int:
    here = os.dup(top)
    try:
        *folders, name = path.split("/") if path else ["."]
        for folder in folders:
            below = os.open(folder, _DIRECTORY | _NOFOLLOW, dir_fd=here)
            os.close(here)
            here = below
        return os.open(name, _READ | _NOFOLLOW, dir_fd=here)
    finally:
        os.close(here)


def _explain(path: str, error: OSError) -> Exception:
    if error.errno in (errno.ENOENT, errno.ENOTDIR):
        return ToolError(
            f"{path}: there is no such file in the repository",
            data={"parameter": "path", "got": path, "hint": "hybrid_search finds files by words"},
        )
    if error.errno in (errno.EXDEV, errno.ELOOP):
        return _refuse(path, "a path that stays inside the repository, links included")
    return AccessDeniedError(f"{path} cannot be opened: {error.strerror}", data={"got": path})


def _refuse(path: str, expected: str) -> AccessDeniedError:
    return AccessDeniedError(
        f"{path!r} is refused: expected {expected}",
        data={"parameter": "path", "expected": expected, "got": path},
    )


def _kind(mode: int) -> str:
    kinds = {
        stat.S_IFDIR: "a directory",
        stat.S_IFIFO: "a FIFO",
        stat.S_IFCHR: "a character device",
        stat.S_IFBLK: "a block device",
        stat.S_IFSOCK: "a socket",
        stat.S_IFLNK: "a symbolic link",
    }
    return kinds.get(stat.S_IFMT(mode), "something else")
