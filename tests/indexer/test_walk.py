"""Which files a walk finds, with git and without."""

import os
import subprocess
from pathlib import Path

import pytest

from agrama.indexer.walk import look, skip_reason, walk


def write(root: Path, *names: str) -> None:
    for name in names:
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("x = 1\n")


def paths(root: Path) -> list[str]:
    return [file.path for file in walk(root).files]


@pytest.fixture(params=["git", "by hand"])
def root(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """A folder with and without git: both must see the same."""
    top = tmp_path / "repository"
    top.mkdir()
    if request.param == "git":
        subprocess.run(["git", "init", "-q", top], check=True)
    return top


def test_files_come_in_order_of_path(root: Path) -> None:
    write(root, "b.py", "a/z.py", "a.py", "a/b/c.py")
    assert paths(root) == ["a.py", "a/b/c.py", "a/z.py", "b.py"]


def test_ignore_rules_hold_at_every_depth(root: Path) -> None:
    write(root, "keep.py", "out.log", "deep/out.log", "build/x.py", "src/build/y.py", "src/keep.py")
    write(root, "only/here.tmp", "here.tmp")
    (root / ".gitignore").write_text("*.log\nbuild/\n/here.tmp\n")
    assert paths(root) == [".gitignore", "keep.py", "only/here.tmp", "src/keep.py"]


def test_a_later_rule_can_keep_a_file(root: Path) -> None:
    write(root, "a.gen.py", "keep.gen.py", "sub/b.gen.py")
    (root / ".gitignore").write_text("*.gen.py\n!keep.gen.py\n")
    write(root, "sub/.gitignore")
    (root / "sub" / ".gitignore").write_text("!b.gen.py\n")
    assert paths(root) == [".gitignore", "keep.gen.py", "sub/.gitignore", "sub/b.gen.py"]


def test_our_own_ignore_file_is_obeyed_too(root: Path) -> None:
    write(root, "a.py", "vendor/b.py", "deep/vendor/c.py")
    (root / ".agramaignore").write_text("vendor/\n")
    assert paths(root) == [".agramaignore", "a.py"]


def test_a_repository_inside_is_left_out_with_its_reason(root: Path) -> None:
    write(root, "a.py", "inner/b.py")
    subprocess.run(["git", "init", "-q", root / "inner"], check=True)
    found = walk(root)
    assert [file.path for file in found.files] == ["a.py"]
    assert found.skipped == {"inner": "nested_worktree"}


def test_links_are_recorded_and_not_followed(root: Path) -> None:
    write(root, "pkg/a.py")
    (root / "alias").symlink_to("pkg")
    (root / "loop").symlink_to("loop")
    (root / "up").symlink_to("..")
    found = walk(root)
    assert [file.path for file in found.files] == ["pkg/a.py"]
    assert found.skipped == {"alias": "symlink", "loop": "symlink", "up": "symlink"}
    assert found.links == {"alias": "pkg"}


def test_a_name_that_is_not_utf8_does_not_stop_the_walk(root: Path) -> None:
    write(root, "a.py")
    with open(os.fsencode(root) + b"/caf\xe9.py", "wb") as file:
        file.write(b"x = 1\n")
    found = walk(root)
    assert [file.path for file in found.files] == ["a.py"]
    assert found.skipped == {"caf\\xe9.py": "unreadable"}


def test_strange_names_are_found(root: Path) -> None:
    names = ["a b.py", "quote'.py", "tab\t.py", "line\nbreak.py", "ünï.py", "-dash.py"]
    write(root, *names)
    assert paths(root) == sorted(names)


def test_a_hook_in_the_repository_is_not_run(tmp_path: Path) -> None:
    subprocess.run(["git", "init", "-q", tmp_path], check=True)
    script = tmp_path / "evil.sh"
    script.write_text(f"#!/bin/sh\ntouch {tmp_path}/ran\n")
    script.chmod(0o755)
    subprocess.run(["git", "-C", tmp_path, "config", "core.fsmonitor", str(script)], check=True)
    walk(tmp_path)
    assert not (tmp_path / "ran").exists()


@pytest.mark.parametrize(
    ("path", "reason"),
    [
        ("a/.env", "secret"),
        (".env.local", "secret"),
        (".env.example", None),
        ("key.pem", "secret"),
        ("id_rsa", "secret"),
        ("logo.PNG", "binary"),
        ("static/app.min.js", "generated"),
        ("package-lock.json", "generated"),
        ("src/keys.py", None),
    ],
)
def test_names_alone_decide(path: str, reason: str | None) -> None:
    assert skip_reason(path) == reason


def test_looking_at_single_paths_says_what_a_walk_says(root: Path) -> None:
    write(root, "a.py", "build/b.py", "new/c.py")
    (root / ".gitignore").write_text("build/\n")
    asked = ["a.py", "build/b.py", "new/c.py", "gone.py", ".git/config", "new"]
    found = look(root, asked, {"a.py"})
    assert [file.path for file in found.files] == ["a.py", "new/c.py"]
    walked = {file.path: file for file in walk(root).files}
    assert all(walked[file.path] == file for file in found.files)
