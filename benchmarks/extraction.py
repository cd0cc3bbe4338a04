"""How fast files become facts, by language: bytes per CPU second, beside the grammar's own parser.

    extraction.py REPOSITORY... [--megabytes 1.5] [--rounds 3] [--save]

For each language the same files go, one after the other and interleaved, through
- `parse`: tree-sitter's `Parser.parse` alone,
- `visit`: that and one look at each named node from Python, its kind only: what no front end can be faster than,
- `facts`: that and the front end's extraction: definitions, imports, register code, references,
- `all`: `parse_file`, which adds the places of errors and the metrics of all functions,
each timed by the CPU time of this process, the best of --rounds per file. `share` is the throughput of
`facts` over that of `parse`, `share_with_metrics` that of `all`, `share_of_visit` that of `visit`. A language counts from 20 kilobytes on.

Then every file of every repository goes once through all that a worker does with it (read, decode, parse,
extract, measure, chunk, embed): the slowest are listed, by wall clock.
"""

import argparse
import gc
import json
import random
import sys
import time
from collections import defaultdict
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from report import write_report

from agrama.indexer.content import read_content
from agrama.indexer.languages import name_language
from agrama.indexer.parse import bare_parser, parse_file, parse_text
from agrama.indexer.walk import MAX_FILE_BYTES, walk
from agrama.indexer.worker import FileReader, Task

LEAST_BYTES = 20_000
SLOWEST = 10


class Text(NamedTuple):
    """A file to parse."""

    path: str
    content: bytes


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("repositories", type=Path, nargs="+")
    parser.add_argument("--megabytes", type=float, default=1.5, help="of text per language")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--only", help="one language, and no look for the slowest file")
    parser.add_argument("--save", action="store_true")
    arguments = parser.parse_args()
    gc.disable()  # as in a worker
    texts = gather(arguments.repositories, int(arguments.megabytes * 1e6))
    figures: dict[str, Any] = {"languages": {}}
    for language in [arguments.only] if arguments.only else sorted(texts):
        row = measure(language, texts[language], arguments.rounds)
        figures["languages"][language] = row
        print(language, json.dumps(row), flush=True)
        gc.collect()
    if arguments.only:
        return 0
    figures |= find_slowest(arguments.repositories)
    print(json.dumps(figures["slowest"], indent=1))
    if arguments.save:
        print(write_report("extraction", figures))
    return 0


def gather(repositories: Sequence[Path], most: int) -> dict[str, list[Text]]:
    """Files of each language from all repositories, up to a number of bytes, the same each time."""
    found: dict[str, list[Text]] = defaultdict(list)
    for root in repositories:
        for file in walk(root).files:
            language = name_language(file.path)
            content = read_content(root, file.path, MAX_FILE_BYTES) if language else None
            if language and content is not None and not content.reason:
                found[language].append(Text(file.path, content.text.encode()))
    rng = random.Random(1)
    texts = {}
    for language, rows in sorted(found.items()):
        rng.shuffle(rows)
        size, kept = 0, []
        for row in rows:
            if size < most:
                kept.append(row)
                size += len(row.content)
        if size >= LEAST_BYTES:
            texts[language] = kept
    return texts


def measure(language: str, texts: Sequence[Text], rounds: int) -> dict[str, Any]:
    """Seconds of the ways over all texts, as throughput and shares."""

    def read_facts(text: Text) -> None:
        found, root = parse_text(text.content, language)
        found.extract(root, text.content, text.path)

    parse = bare_parser(language)
    ways: tuple[Callable[[Text], object], ...] = (
        lambda text: parse(text.content),
        lambda text: visit_all(parse(text.content)),
        read_facts,
        lambda text: parse_file(text.path, text.content, language),
    )
    seconds = [0.0] * len(ways)
    for way in ways:  # imports and first queries
        way(texts[0])
    for text in texts:
        best = [9e9] * len(ways)
        for _ in range(rounds):
            for at, way in enumerate(ways):
                started = time.process_time()
                way(text)
                best[at] = min(best[at], time.process_time() - started)
        seconds = [total + one for total, one in zip(seconds, best, strict=True)]
    size = sum(len(text.content) for text in texts)
    bare, visit, facts, everything = seconds
    return {
        "files": len(texts),
        "kilobytes": round(size / 1e3),
        "parse_megabytes_per_second": round(size / bare / 1e6, 2),
        "facts_megabytes_per_second": round(size / facts / 1e6, 2),
        "all_megabytes_per_second": round(size / everything / 1e6, 2),
        "share": round(bare / facts, 3),
        "share_of_visit": round(bare / visit, 3),
        "share_with_metrics": round(bare / everything, 3),
    }


def visit_all(tree: Any) -> int:
    """How many kinds of named nodes there are."""
    waiting, kinds = [tree.root_node], set()
    while waiting:
        node = waiting.pop()
        kinds.add(node.type)
        waiting += node.named_children
    return len(kinds)


def find_slowest(repositories: Sequence[Path]) -> dict[str, Any]:
    """Wall seconds of a worker's work on each file, those above the rest listed."""
    rows: list[tuple[float, str]] = []
    for root in repositories:
        reader = FileReader(root, MAX_FILE_BYTES, graph_only=False)
        reader.load()
        for number, file in enumerate(walk(root).files):
            started = time.perf_counter()
            reader.read(Task(file.path, name_language(file.path), ""))
            rows.append((time.perf_counter() - started, f"{root.name}/{file.path}"))
            if number % 200 == 0:
                gc.collect()
    rows.sort(reverse=True)
    slowest = {path: round(seconds, 3) for seconds, path in rows[:SLOWEST]}
    return {"files": len(rows), "slowest_seconds": round(rows[0][0], 3), "slowest": slowest}


if __name__ == "__main__":
    sys.exit(main())
