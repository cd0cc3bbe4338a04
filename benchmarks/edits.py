"""Random edits of a source tree, reproducible from a seed: the kinds of change people make."""

import random
import re
import shutil
from collections.abc import Callable
from pathlib import Path

_NAME = re.compile(r"^\s*(?:def|class|async def|function|export function)\s+(\w+)", re.MULTILINE)


def edit_tree(root: Path, source: Path, pattern: str, rng: random.Random) -> str:
    """Change one thing in `root`, a copy of `source`; returns what was done."""
    paths = sorted(path for path in root.rglob(pattern) if path.is_file())
    if not paths:
        return _restore(root, source, pattern, rng)
    edit = rng.choice(_EDITS)
    path = rng.choice(paths)
    return f"{edit.__name__} {path.relative_to(root)}: {edit(path, paths, rng)}"


def _restore(root: Path, source: Path, pattern: str, rng: random.Random) -> str:
    path = rng.choice(sorted(source.rglob(pattern)))
    target = root / path.relative_to(source)
    target.parent.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(path, target)
    return f"restore {target.relative_to(root)}"


def remove_lines(path: Path, paths: list[Path], rng: random.Random) -> str:
    lines = _read(path).splitlines(keepends=True)
    if not lines:
        return "nothing"
    start = rng.randrange(len(lines))
    stop = start + rng.randint(1, 12)
    path.write_text("".join(lines[:start] + lines[stop:]), errors="surrogateescape")
    return f"lines {start + 1} to {stop}"


def append_function(path: Path, paths: list[Path], rng: random.Random) -> str:
    name = f"added_{rng.randrange(1000)}"
    with path.open("a") as file:
        file.write(
            f"\n\ndef {name}(value):\n    return value.{rng.choice(['get', 'run', 'x'])}()\n"
        )
    return name


def rename_definition(path: Path, paths: list[Path], rng: random.Random) -> str:
    text = _read(path)
    names = _NAME.findall(text)
    if not names:
        return "nothing"
    name = rng.choice(names)
    path.write_text(re.sub(rf"\b{name}\b", name + "_x", text), errors="surrogateescape")
    return name


def rename_everywhere(path: Path, paths: list[Path], rng: random.Random) -> str:
    names = _NAME.findall(_read(path))
    if not names:
        return "nothing"
    name = rng.choice(names)
    for other in paths:
        text = _read(other)
        if name in text:
            other.write_text(re.sub(rf"\b{name}\b", name + "_y", text), errors="surrogateescape")
    return name


def copy_block(path: Path, paths: list[Path], rng: random.Random) -> str:
    lines = _read(rng.choice(paths)).splitlines(keepends=True)
    if not lines:
        return "nothing"
    start = rng.randrange(len(lines))
    with path.open("a") as file:
        file.write("\n" + "".join(lines[start : start + rng.randint(5, 40)]))
    return f"40 lines from {start}"


def break_syntax(path: Path, paths: list[Path], rng: random.Random) -> str:
    text = _read(path)
    at = rng.randrange(len(text) + 1)
    path.write_text(text[:at] + rng.choice("(){}[]:=\"'") + text[at:], errors="surrogateescape")
    return f"at {at}"


def remove_file(path: Path, paths: list[Path], rng: random.Random) -> str:
    path.unlink()
    return "gone"


def rename_file(path: Path, paths: list[Path], rng: random.Random) -> str:
    target = path.with_name(f"moved_{rng.randrange(100)}_{path.name}")
    path.rename(target)
    return target.name


def add_file(path: Path, paths: list[Path], rng: random.Random) -> str:
    target = path.with_name(f"new_{rng.randrange(100)}{path.suffix}")
    shutil.copyfile(path, target)
    return target.name


def swap_files(path: Path, paths: list[Path], rng: random.Random) -> str:
    other = rng.choice(paths)
    here, there = path.read_bytes(), other.read_bytes()
    path.write_bytes(there)
    other.write_bytes(here)
    return other.name


def _read(path: Path) -> str:
    return path.read_text(errors="surrogateescape")


_EDITS: tuple[Callable[[Path, list[Path], random.Random], str], ...] = (
    remove_lines,
    remove_lines,
    append_function,
    rename_definition,
    rename_definition,
    rename_everywhere,
    copy_block,
    break_syntax,
    remove_file,
    rename_file,
    add_file,
    swap_files,
)
