"""Paths tell what files are for."""

import pytest

from agrama.graph.roles import (
    Role,
    find_declaring,
    find_foreign,
    find_old_versions,
    read_roles,
)


@pytest.mark.parametrize(
    ("path", "role"),
    [
        ("tests/test_app.py", Role.TEST),
        ("src/app.spec.ts", Role.TEST),
        ("pkg/server_test.go", Role.TEST),
        ("src/test/java/FooTest.java", Role.TEST),
        ("examples/hello.py", Role.EXAMPLE),
        ("docs/guide.md", Role.EXAMPLE | Role.PROSE),
        ("vendor/lib/a.go", Role.LEGACY),
        ("src/index.ts", Role.ENTRY),
        ("pkg/__init__.py", Role.ENTRY),
        ("src/lib.rs", Role.ENTRY),
        ("types/a.d.ts", Role.GENERATED),
        ("app/api_pb2.py", Role.GENERATED),
        ("README.md", Role.PROSE),
        ("package.json", Role.DATA),
        ("src/app.py", Role(0)),
        ("src/contest.py", Role(0)),
        ("src/latest/app.py", Role(0)),
    ],
)
def test_roles_of_paths(path: str, role: Role) -> None:
    assert read_roles(path) == role


def test_a_version_folder_is_old_when_a_newer_stands_beside_it() -> None:
    assert find_old_versions(["api/v1/a.py", "api/v2/a.py", "api/b.py"]) == [0]


def test_a_version_folder_is_old_when_its_parent_repeats_its_files() -> None:
    paths = [*(f"p/{n}.py" for n in "abc"), *(f"p/v1/{n}.py" for n in "abc")]
    assert find_old_versions(paths) == [3, 4, 5]


def test_a_lone_version_folder_is_current() -> None:
    assert find_old_versions(["api/v1/a.py", "api/b.py"]) == []


def test_platforms_side_by_side_make_all_but_posix_foreign() -> None:
    paths = ["src/unix/tty.c", "src/win/tty.c", "src/tty.c", "src/unix/aix.c", "src/unix/linux.c"]
    assert find_foreign(paths) == [1, 3]


def test_a_files_name_tells_its_platform_too() -> None:
    assert find_foreign(["exec_windows.go", "exec_linux.go", "exec.go", "rewind.go"]) == [0]


def test_a_folder_called_windows_alone_is_no_platform() -> None:
    assert find_foreign(["ui/windows/main.py", "ui/dialogs/open.py"]) == []


def test_a_header_beside_its_c_source_only_declares() -> None:
    assert find_declaring(["a/x.h", "a/x.c", "b/x.h", "a/y.h", "a/y.cc"]) == [0]
