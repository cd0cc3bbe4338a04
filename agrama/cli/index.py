"""agrama index: bring the index of a repository up to date, once or for as long as it runs."""

import argparse
import os
import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from agrama.cli.arguments import add_json, at_least_one, print_json
from agrama.errors import StoreBusyError, ToolError

if TYPE_CHECKING:
    from agrama.indexer.batch import Progress, Tell
    from agrama.indexer.build import Options
    from agrama.indexer.lock import IndexerLock
    from agrama.indexer.report import Report

_WAIT_SECONDS = 3600.0


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("path", nargs="?", default=".", help="the repository (default: here)")
    parser.add_argument("--watch", action="store_true", help="go on, and follow every change")
    parser.add_argument("--full", action="store_true", help="parse every file again")
    parser.add_argument("--graph-only", action="store_true", help="leave out the search index")
    parser.add_argument(
        "--workers", type=at_least_one, metavar="N", help="parsing processes (default: cores)"
    )
    parser.add_argument(
        "--model",
        metavar="NAME",
        help="what makes the vectors: static (the shipped model), or the folder or name of a "
        "sentence-transformers model (default: that of the index)",
    )
    parser.add_argument("--quiet", action="store_true", help="print nothing but errors")
    parser.add_argument(
        "--exit-with-parent", action="store_true", help="end when the standard input does"
    )
    add_json(parser)


def run(arguments: argparse.Namespace) -> int:
    from agrama.graph.keys import repository_folder
    from agrama.indexer.lock import IndexerLock

    root = Path(arguments.path)
    if not root.is_dir():
        raise ToolError(f"{root} is not a directory: give the repository's root")
    if arguments.exit_with_parent:
        threading.Thread(target=_end_with_input, daemon=True).start()
    options = _read_options(root, arguments)
    folder = repository_folder(root)
    with IndexerLock(folder) as lock:
        if not lock.take():
            # A watching indexer has its own model: a run that names one waits for its turn.
            if not (arguments.watch or arguments.model) and (answer := _ask(folder)):
                _print_report(answer, arguments)
                return 0
            _wait(lock, root, quiet=arguments.quiet)
        return (
            _watch(root, options, arguments) if arguments.watch else _once(root, options, arguments)
        )


def _read_options(root: Path, arguments: argparse.Namespace) -> "Options":
    from agrama.config import read_config
    from agrama.indexer.build import Options

    config = read_config(root)
    given = config.pick("ignore", "model", "workers", "parse_seconds")
    if arguments.workers is not None:
        given["workers"] = arguments.workers
    if arguments.model is not None:
        given["model"] = arguments.model
    if "max_file_bytes" in config.values:
        given["max_bytes"] = config.get("max_file_bytes")
    return Options(
        graph_only=arguments.graph_only, full=arguments.full, resident=arguments.watch, **given
    )


def _once(root: Path, options: "Options", arguments: argparse.Namespace) -> int:
    from agrama.graph.stats import collect_stats
    from agrama.indexer.build import Indexer

    show = not (arguments.quiet or arguments.json) and sys.stderr.isatty()
    with _progress_bar(show=show) as tell, Indexer(root, options, tell) as indexer:
        report = indexer.run()
        with indexer.store.read() as reader:
            report.index = collect_stats(reader)
    _print_report(report.as_dict(), arguments)
    return 0


def _watch(root: Path, options: "Options", arguments: argparse.Namespace) -> int:
    from agrama.indexer.build import Indexer
    from agrama.indexer.watch import Watcher

    def tell(report: "Report") -> None:
        _print_report(report.as_dict(), arguments)

    signal.signal(signal.SIGTERM, signal.default_int_handler)
    with Indexer(root, options) as indexer:
        watcher = Watcher(indexer, tell)
        try:
            watcher.run()
        except KeyboardInterrupt:
            watcher.stop()
            indexer.store.sync()
    return 0


def _ask(folder: Path) -> dict[str, Any] | None:
    """A watching indexer does the work for us and says what it did."""
    from agrama.indexer.doorbell import ask_indexer

    answer = ask_indexer(folder, None, _WAIT_SECONDS)
    if answer and "error" in answer:
        raise StoreBusyError(str(answer["error"]))
    return answer


def _wait(lock: "IndexerLock", root: Path, *, quiet: bool) -> None:
    if not quiet:
        print(f"another process ({lock.holder()}) indexes {root}: waiting for it", file=sys.stderr)
    if not lock.take(_WAIT_SECONDS):
        raise StoreBusyError(f"process {lock.holder()} still indexes {root}: try again later")


def _end_with_input() -> None:
    """The other end of the pipe closes when our parent dies, however it dies."""
    while os.read(0, 4096):
        pass
    os.kill(os.getpid(), signal.SIGTERM)  # a shell may have us ignore SIGINT


def _print_report(report: dict[str, Any], arguments: argparse.Namespace) -> None:
    if arguments.json:
        print_json(report)
        sys.stdout.flush()
        return
    if report["message"]:
        print(report["message"], file=sys.stderr)
    for path, problem in sorted(report["problems"].items()):
        print(f"{path}: {problem}", file=sys.stderr)
    if not arguments.quiet:
        print(_summarize(report), flush=True)


def _summarize(report: dict[str, Any]) -> str:
    seconds = sum(report["seconds"].values())
    if not report["changed"]:
        return (
            f"{report['root']} is up to date (generation {report['generation']}, {seconds:.2f} s)"
        )
    line = (
        f"{report['root']}: {report['parsed']:,} files parsed, {report['removed']:,} removed, "
        f"{report['rewritten']:,} changed in the graph, generation {report['generation']}, "
        f"{seconds:.2f} s"
    )
    index = report["index"]
    if not index:
        return line
    skipped = ", ".join(f"{count} {reason}" for reason, count in index["skipped"].items())
    line += (
        f"\n{index['files']:,} files, {index['symbols']:,} symbols, {index['edges']:,} edges"
        f"; {index['partial']} partly parsed; skipped: {skipped or 'none'}"
    )
    return line


@contextmanager
def _progress_bar(*, show: bool) -> "Iterator[Tell | None]":
    """A bar with files, symbols, edges, rate and time left on the terminal."""
    if not show:
        yield None
        return
    from rich.console import Console
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        TextColumn,
        TimeElapsedColumn,
        TimeRemainingColumn,
    )
    from rich.progress import Progress as Bar

    columns = (
        TextColumn("{task.description:8}"),
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn("{task.fields[rate]:>6} files/s"),
        TextColumn("{task.fields[symbols]:,} symbols {task.fields[edges]:,} edges"),
        TimeElapsedColumn(),
        TimeRemainingColumn(),
    )
    with Bar(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("walk", total=None, symbols=0, edges=0, rate="")
        seen = {"files": 0, "symbols": 0, "edges": 0}

        def tell(progress: "Progress") -> None:
            if progress.phase == "parse":
                seen["files"] = progress.total
            seen["symbols"] = max(seen["symbols"], progress.symbols)
            seen["edges"] = max(seen["edges"], progress.edges)
            speed = bar.tasks[0].speed
            bar.update(
                task,
                description=progress.phase,
                completed=progress.done,
                total=progress.total or seen["files"],
                symbols=seen["symbols"],
                edges=seen["edges"],
                rate=f"{speed:,.0f}" if speed else "",
            )

        yield tell
