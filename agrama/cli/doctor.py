"""agrama doctor: looks at everything an answer depends on, and says what to do about each finding."""

import argparse
import os
import platform
import shutil
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from agrama.cli.arguments import add_json, print_json
from agrama.errors import AgramaError, InvalidParamsError, NotIndexedError, ToolError

if TYPE_CHECKING:
    from agrama.clients.client import Client
    from agrama.graph.snapshot import Snapshot

OK, NOTE, PROBLEM = "ok", "note", "problem"
_STYLES = {OK: "green", NOTE: "yellow", PROBLEM: "bold red"}
_LITTLE_BYTES = 1 << 30
_TOO_LITTLE_BYTES = 100 << 20
_SHOWN = 3


class Finding(NamedTuple):
    """One thing looked at; `action` is what to do next, empty when nothing is."""

    check: str
    state: str
    message: str
    action: str = ""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("path", nargs="?", type=Path, default=Path(), help="the repository")
    add_json(parser)


def run(arguments: argparse.Namespace) -> int:
    root = arguments.path.resolve()
    if not root.is_dir():
        raise ToolError(f"{arguments.path} is not a directory: give the repository's root")
    findings = list(examine(root))
    if arguments.json:
        print_json([finding._asdict() for finding in findings])
    else:
        _print(findings)
    return 1 if any(finding.state == PROBLEM for finding in findings) else 0


def examine(root: Path) -> Iterator[Finding]:
    """All findings; a check that fails is a finding too, not the end."""
    for check in _CHECKS:
        try:
            yield from check(root)
        except Exception as error:  # noqa: BLE001  a broken part is what a doctor is asked about
            name = check.__name__.strip("_").removeprefix("check_")
            told = error.message if isinstance(error, AgramaError) else repr(error)
            yield Finding(name, PROBLEM, told, "" if isinstance(error, AgramaError) else _REPORT)


_REPORT = "report this with the output of agrama doctor --json"


def _check_python(root: Path) -> Iterator[Finding]:
    told = f"Python {platform.python_version()}, {sys.executable}"
    if sys.maxsize < 2**32:
        yield Finding("python", PROBLEM, f"{told}, 32 bits", "use a 64-bit Python")
    else:
        yield Finding("python", OK, told)
    if shutil.which("git"):
        yield Finding("git", OK, shutil.which("git") or "")
    else:
        action = "install git: ignore rules, history and churn come from it"
        yield Finding("git", NOTE, "not on the PATH", action)


def _check_grammars(root: Path) -> Iterator[Finding]:
    from agrama.indexer.languages import load_languages
    from agrama.indexer.parse import parse_errors

    languages, broken = load_languages(), {}
    for name in languages:
        try:
            parse_errors(b"\n", name)
        except Exception as error:  # noqa: BLE001  a grammar of another ABI fails in its own ways
            broken[name] = str(error)
    for name, told in broken.items():
        yield Finding(
            "grammars", PROBLEM, f"{name}: {told}", "pip install --force-reinstall agrama"
        )
    if not broken:
        yield Finding("grammars", OK, ", ".join(languages))


def _check_settings(root: Path) -> Iterator[Finding]:
    from agrama.config import read_config

    config = read_config(root)
    told = ", ".join(f"{name} ({origin})" for name, origin in config.origins.items())
    yield Finding("settings", OK, told or "defaults")
    if config.get("allow_write"):
        origin = config.origins["allow_write"]
        action = "remove allow_write there unless you wrote it yourself"
        yield Finding("settings", NOTE, f"agents may change files, says {origin}", action)


def _check_disk(root: Path) -> Iterator[Finding]:
    from agrama.graph.keys import data_home

    home = data_home()
    there = home
    while not there.exists():
        there = there.parent
    free = shutil.disk_usage(there).free
    told = f"{free / 1e9:,.1f} GB free in {home}"
    if not os.access(there, os.W_OK):
        action = "set AGRAMA_HOME to a folder you may write"
        yield Finding("disk", PROBLEM, f"{there} cannot be written", action)
    elif free < _TOO_LITTLE_BYTES:
        yield Finding("disk", PROBLEM, told, "free some space or set AGRAMA_HOME to another disk")
    elif free < _LITTLE_BYTES:
        yield Finding("disk", NOTE, told, "an index takes about ten times its sources")
    else:
        yield Finding("disk", OK, told)


def _check_index(root: Path) -> Iterator[Finding]:
    from agrama.graph.keys import repository_folder
    from agrama.graph.progress import read_progress
    from agrama.graph.snapshot import open_snapshot
    from agrama.graph.store import Store

    folder = repository_folder(root)
    progress = read_progress(folder)
    if progress is not None:
        told = f"being indexed: {progress['phase']}, {progress['done']:,} files"
        yield Finding("index", NOTE, told, "nothing: answers get better as it goes")
    try:
        with Store.open(folder) as store, open_snapshot(store) as snapshot:
            if snapshot.generation == 0:  # a first build that was begun and never ended
                raise NotIndexedError("nothing is indexed yet")
            totals = snapshot.stats()
            told = (
                f"generation {totals['generation']}, {totals['files']:,} files, "
                f"{totals['symbols']:,} symbols, {store.size_bytes() / 1e6:,.1f} MB"
            )
            yield Finding("index", OK, told)
            yield from _check_contents(totals)
            yield from _check_freshness(root, snapshot)
    except NotIndexedError:
        yield Finding("index", NOTE, "there is none yet", f"agrama index {root}")
    except InvalidParamsError:
        return  # of the settings, which have a finding of their own
    except AgramaError as error:
        yield Finding("index", PROBLEM, error.message, f"agrama index {root}")


def _check_contents(totals: dict[str, Any]) -> Iterator[Finding]:
    lost = {
        reason: totals["skipped"][reason]
        for reason in ("unreadable", "timeout", "too_large")
        if totals["skipped"].get(reason)
    }
    for reason, count in lost.items():
        action = f"agrama stats --files {reason}"
        yield Finding("contents", NOTE, f"left out: {count:,} {reason}", action)
    if totals["partial"]:
        told = f"partly parsed, because of syntax errors: {totals['partial']:,}"
        yield Finding("contents", NOTE, told, "agrama stats --files partial")


def _check_freshness(root: Path, snapshot: "Snapshot") -> Iterator[Finding]:
    from agrama.config import read_config
    from agrama.indexer.changes import find_changes
    from agrama.indexer.walk import MAX_FILE_BYTES, walk

    config = read_config(root)
    limit = config.get("max_file_bytes", MAX_FILE_BYTES)
    found = walk(root, max_bytes=limit, ignore=config.get("ignore", ()))
    changes = find_changes(found, {entry.path: entry for entry in snapshot.files()})
    if not changes:
        yield Finding("freshness", OK, "the index is up to date with the files")
        return
    paths = [file.path for file in changes.suspects] + changes.removed
    names = ", ".join(paths[:_SHOWN]) + (" …" if len(paths) > _SHOWN else "")
    told = f"{len(paths):,} files changed since they were indexed: {names}"
    yield Finding("freshness", NOTE, told, f"agrama index {root} (a running server does it itself)")


def _check_journal(root: Path) -> Iterator[Finding]:
    from agrama.graph.keys import repository_folder
    from agrama.session.check import verify_journal

    folder = repository_folder(root) / "journal"
    if not folder.is_dir():
        yield Finding("journal", OK, "no sessions or decisions yet")
        return
    report = verify_journal(folder)
    told = f"{report['records']:,} records, the index {report['index']}"
    if report["healthy"]:
        yield Finding("journal", OK, told)
    for line in report["repairs"]:
        yield Finding("journal", NOTE, f"repaired: {line}")
    for line in report["damage"]:
        yield Finding("journal", PROBLEM, line, f"copy {folder} before you write anything more")
    if not report["healthy"] and not report["damage"]:
        yield Finding(
            "journal", PROBLEM, told, "agrama sessions --verify once the servers are idle"
        )


def _check_watching(root: Path) -> Iterator[Finding]:
    """Linux limits how many folders a user may watch."""
    try:
        limit = int(Path("/proc/sys/fs/inotify/max_user_watches").read_text())
    except (OSError, ValueError):
        return
    if limit < 8192:
        action = "sysctl fs.inotify.max_user_watches=524288 (else changes are polled)"
        yield Finding("watching", NOTE, f"only {limit:,} folders may be watched", action)


def _check_clients(root: Path) -> Iterator[Finding]:
    from agrama.clients import load_clients
    from agrama.clients.edit import find_entry, read_file

    connected = []
    for client in load_clients().values():
        for path in dict.fromkeys(client.file(root, user=user) for user in (False, True)):
            try:
                entry = find_entry(client, read_file(path), "agrama")
            except ToolError as error:
                told = f"{client.title}: {path}: {error.message}"
                yield Finding("clients", PROBLEM, told, "repair the file")
                continue
            if entry is not None:
                connected.append(f"{client.title} ({path})")
                yield from _check_entry(client, path, entry)
    if connected:
        yield Finding("clients", OK, "set up: " + ", ".join(connected))
    else:
        told = "none is set up for this repository"
        yield Finding("clients", NOTE, told, "agrama setup lists them; agrama setup CLIENT --write")


def _check_entry(client: "Client", path: Path, entry: dict[str, Any]) -> Iterator[Finding]:
    """Whether what a client would start is there."""
    command = entry.get("command", "")
    words = [*(command if isinstance(command, list) else [command]), *entry.get("args", [])]
    action = f"agrama setup {client.name} --write"
    if words and not shutil.which(str(words[0])):
        told = f"{client.title}: {words[0]} in {path} cannot be run"
        yield Finding("clients", PROBLEM, told, action)
    at = words.index("--root") + 1 if "--root" in words else len(words)
    if at < len(words) and os.path.isabs(words[at]) and not os.path.isdir(words[at]):
        told = f"{client.title}: {words[at]} in {path} is not there"
        yield Finding(
            "clients", PROBLEM, told, f"agrama setup {client.name} --remove, then {action}"
        )


_CHECKS: tuple[Callable[[Path], Iterator[Finding]], ...] = (
    _check_python,
    _check_grammars,
    _check_settings,
    _check_disk,
    _check_index,
    _check_journal,
    _check_watching,
    _check_clients,
)


def _print(findings: list[Finding]) -> None:
    from rich.text import Text

    from agrama.cli.terminal import make_console

    console = make_console()
    width = max(len(finding.check) for finding in findings)
    for finding in findings:
        state = (f"{finding.state:7} ", _STYLES[finding.state])
        console.print(Text.assemble(state, f"{finding.check:{width}}  {finding.message}"))
        if finding.action:
            console.print(Text(f"{'':{width + 8}}  → {finding.action}", style="dim"))
    worst = sum(finding.state == PROBLEM for finding in findings)
    print(f"\nproblems: {worst or 'none'}")
