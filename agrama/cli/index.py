"""`agrama index`: bring the index of a repository up to date."""

import argparse
from pathlib import Path


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("path", nargs="?", default=".", help="the repository (default: here)")
    parser.add_argument("--json", action="store_true", help="print the report as JSON")
    parser.add_argument("--quiet", action="store_true", help="print nothing but errors")
    parser.add_argument("--full", action="store_true", help="parse every file again")
    parser.add_argument(
        "--graph-only", action="store_true", help="leave out the search index (faster)"
    )


def run(arguments: argparse.Namespace) -> int:
    from agrama.graph.keys import repository_folder
    from agrama.indexer.build import Indexer, Options
    from agrama.indexer.lock import IndexerLock

    root = Path(arguments.path)
    options = Options(graph_only=arguments.graph_only, full=arguments.full)
    with IndexerLock(repository_folder(root)) as lock:
        lock.take(600)
        with Indexer(root, options) as indexer:
            report = indexer.run()
    print(report)
    return 0
