import contextlib
import ctypes
import os
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from agrama import jail
from agrama.errors import AccessDeniedError, ToolError

# Long enough to lose tens of thousands of races; benchmarks and doubters set it higher.
RACE_SECONDS = float(os.environ.get("RACE_SECONDS", "0.5"))

_HERE, _EXCHANGE = -100, 2  # AT_FDCWD, RENAME_EXCHANGE


@pytest.fixture(params=["openat2", "components"])
def root(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A small repository, once with the kernel's own jail and once with the fallback."""
    if request.param == "components":
        monkeypatch.setattr(jail, "_openat2_state", False)
    elif not jail._openat2_works():
        pytest.skip("this kernel has no openat2")
    top = tmp_path / "repo"
    (top / "pkg").mkdir(parents=True)
    (top / "pkg" / "mod.py").write_text("x = 1\n")
    (tmp_path / "outside.txt").write_text("secret")
    return top


def read(root: Path, path: str) -> bytes:
    return jail.read_beneath(root, jail.normalize_path(root, path))


@pytest.mark.parametrize(
    "form", ["pkg/mod.py", "./pkg//mod.py", "pkg/../pkg/mod.py", "{root}/pkg/mod.py"]
)
def test_every_spelling_of_an_inside_path_reads_the_file(root: Path, form: str) -> None:
    assert read(root, form.format(root=root)) == b"x = 1\n"


@pytest.mark.parametrize(
    "form",
    [
        "../outside.txt",
        "pkg/../../outside.txt",
        "{parent}/outside.txt",
        "/etc/passwd",
        "//etc/passwd",
        "link",
        "linked/outside.txt",
        "pkg/up/../outside.txt",
        "absolute",
        "a\0b",
        "",
        ".git/config",
    ],
)
def test_no_hostile_path_form_leaves_the_root(root: Path, form: str) -> None:
    (root / "link").symlink_to("../outside.txt")
    (root / "linked").symlink_to("..")
    (root / "pkg" / "up").symlink_to("../..")
    (root / "absolute").symlink_to("/etc/passwd")
    with pytest.raises((AccessDeniedError, ToolError)):
        read(root, form.format(root=root, parent=root.parent))


def test_a_missing_file_is_told_apart_from_a_refused_one(root: Path) -> None:
    with pytest.raises(ToolError, match="no such file"):
        read(root, "pkg/none.py")


def test_directories_fifos_secrets_and_huge_files_are_refused_at_once(root: Path) -> None:
    os.mkfifo(root / "pipe")
    (root / ".env").write_text("TOKEN=1")
    with open(root / "huge", "wb") as file:
        file.truncate(1 << 30)
    for path, expected in (
        ("pkg", "a directory"),
        ("pipe", "a FIFO"),
        (".env", "secrets file"),
        ("huge", "not read whole"),
    ):
        with pytest.raises(AccessDeniedError, match=expected):
            read(root, path)


def test_templates_and_public_keys_are_not_secrets() -> None:
    assert not jail.is_secret("config/.env.example")
    assert not jail.is_secret("keys/id_rsa.pub")
    assert jail.is_secret("config/.env.production")
    assert jail.is_secret("keys/id_rsa")


def exchange(one: Path, other: Path) -> None:
    """Two names swapped at once, so that neither is ever missing."""
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.renameat2(_HERE, bytes(one), _HERE, bytes(other), _EXCHANGE):
        raise OSError(ctypes.get_errno(), "renameat2")


@contextlib.contextmanager
def swapping(root: Path) -> Iterator[Path]:
    """Outside, while the folder `pkg` and a link to there take each other's place all the time."""
    outside = root.parent / "outside"
    outside.mkdir()
    (outside / "mod.py").write_text("escaped")
    place, link = root / "pkg", root / "link"
    link.symlink_to("../outside")
    stop = threading.Event()

    def swap() -> None:
        while not stop.is_set():
            exchange(place, link)

    thread = threading.Thread(target=swap)
    thread.start()
    try:
        yield outside
    finally:
        stop.set()
        thread.join()


def test_a_symlink_swap_race_never_reads_outside(root: Path) -> None:
    reads = 0
    with swapping(root):
        end = time.monotonic() + RACE_SECONDS
        while time.monotonic() < end:
            with contextlib.suppress(AccessDeniedError, ToolError):
                assert read(root, "pkg/mod.py") == b"x = 1\n"
                reads += 1
    assert reads > 0


def test_a_symlink_swap_race_never_writes_outside(root: Path) -> None:
    writes = 0
    with swapping(root) as outside:
        end = time.monotonic() + RACE_SECONDS
        while time.monotonic() < end:
            with contextlib.suppress(AccessDeniedError, ToolError):
                jail.write_beneath(root, "pkg/mod.py", b"x = 1\n")
                writes += 1
            with contextlib.suppress(AccessDeniedError, ToolError):
                jail.write_beneath(root, f"pkg/new/{writes % 7}.py", b"x = 2\n")
    assert writes > 0
    assert [path.name for path in outside.iterdir()] == ["mod.py"]
    assert (outside / "mod.py").read_text() == "escaped"


def test_a_file_swapped_for_a_link_is_replaced_not_followed(root: Path) -> None:
    target = root.parent / "outside.txt"
    stop = threading.Event()

    def swap() -> None:
        while not stop.is_set():
            spare = root / "pkg" / "spare"
            with contextlib.suppress(FileExistsError):
                spare.symlink_to(target)
            os.replace(spare, root / "pkg" / "mod.py")

    thread = threading.Thread(target=swap)
    thread.start()
    try:
        end = time.monotonic() + RACE_SECONDS
        while time.monotonic() < end:
            with contextlib.suppress(AccessDeniedError):
                jail.write_beneath(root, "pkg/mod.py", b"x = 1\n")
    finally:
        stop.set()
        thread.join()
    assert target.read_text() == "secret"
