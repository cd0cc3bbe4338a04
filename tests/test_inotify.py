"""News of directories: nothing that happens to a watched file goes unheard."""

import os
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from agrama.inotify import MISSING, Directories

pytestmark = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="inotify is Linux's")


def edit(path: Path) -> None:
    with path.open("r+") as file:
        file.write("other")


def replace(path: Path) -> None:
    fresh = path.with_name("fresh")
    fresh.write_text("other")
    fresh.replace(path)


def move_folder(path: Path) -> None:
    path.parent.rename(path.parent.with_name("moved"))


def move_folder_above(path: Path) -> None:
    path.parent.parent.rename(path.parent.parent.with_name("moved"))


def set_time(path: Path) -> None:
    os.utime(path, (1, 1))


CHANGES = [edit, replace, move_folder, move_folder_above, set_time, Path.unlink]


@pytest.mark.parametrize("change", CHANGES)
def test_whatever_happens_to_a_file_is_heard_of(
    change: Callable[[Path], None], tmp_path: Path
) -> None:
    path = tmp_path / "above" / "folder" / "file"
    path.parent.mkdir(parents=True)
    path.write_text("text")
    directories = Directories()
    assert directories.watch([str(path)])
    before = directories.epoch(0)
    path.read_text()
    assert directories.epoch(0) == before
    change(path)
    assert directories.epoch(0) != before
    directories.close()


def test_a_file_is_looked_at_once_as_long_as_nothing_happens(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_text("text")
    directories = Directories()
    before = directories.epoch(0)
    stamp = directories.look(str(path), before)
    assert stamp == (path.stat().st_mtime_ns, 4)
    path.write_text("longer")
    assert directories.look(str(path), before) == stamp
    after = directories.epoch(0)
    assert directories.look(str(path), after) == (path.stat().st_mtime_ns, 6)
    path.unlink()
    assert directories.look(str(path), after) != MISSING
    assert directories.look(str(path), directories.epoch(0)) == MISSING
    directories.close()


def test_a_file_that_cannot_be_watched_is_looked_at_each_time(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_text("text")
    directories = Directories()
    directories.close()
    epoch = directories.epoch(0)
    assert directories.look(str(path), epoch) == (path.stat().st_mtime_ns, 4)
    path.write_text("longer")
    assert directories.look(str(path), epoch) == (path.stat().st_mtime_ns, 6)


def test_a_folder_put_in_anothers_place_is_watched_too(tmp_path: Path) -> None:
    path = tmp_path / "folder" / "file"
    path.parent.mkdir()
    path.write_text("text")
    directories = Directories()
    assert directories.watch([str(path)])
    move_folder(path)
    path.parent.mkdir()
    path.write_text("text")
    before = directories.epoch(0)
    assert directories.watch([str(path)])
    edit(path)
    assert directories.epoch(0) != before
    directories.close()


def test_a_folder_that_is_not_there_cannot_be_watched(tmp_path: Path) -> None:
    directories = Directories()
    assert not directories.watch([str(tmp_path / "gone" / "file")])
    (tmp_path / "gone").mkdir()
    assert directories.watch([str(tmp_path / "gone" / "file")])
    directories.close()
    assert not directories.watch([str(tmp_path / "other")])
