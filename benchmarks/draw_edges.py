"""Draw random call edges of a repository, to be read by eye.

    draw_edges.py LANGUAGE REPOSITORY FILE [--count 30] [--seed 7] [--commit ID]

FILE gets one row per edge, `verdict` and `why` empty; whoever has read both ends fills in `right` or
`wrong`. Edges are those of kind `calls`, of confidence 0.5 or more, between symbols of the repository.
The text of both ends is printed.
"""

import argparse
import json
import random
from pathlib import Path

from call_share import BESIDES, CALLS
from graphs import SURE, resolve_repository

from agrama.graph.model import EdgeKind

_LINES_BEFORE = 2


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("language", choices=CALLS)
    parser.add_argument("repository", type=Path)
    parser.add_argument("file", type=Path)
    parser.add_argument("--count", type=int, default=30)
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--commit", default="")
    options = parser.parse_args()
    root = options.repository.resolve()
    graphs = resolve_repository(root, (options.language, *BESIDES.get(options.language, ())))
    symbols = {symbol.id: symbol for graph in graphs for symbol in graph.symbols}
    edges = [
        (graph.path, edge)
        for graph in graphs
        if graph.language == options.language
        for edge in graph.edges
        if edge.kind == EdgeKind.CALLS and edge.confidence >= SURE and edge.target in symbols
    ]
    rows = []
    for path, edge in random.Random(options.seed).sample(edges, min(options.count, len(edges))):
        target = symbols[edge.target]
        rows.append(
            {
                "source": edge.source,
                "line": edge.line,
                "target": edge.target,
                "verdict": "",
                "why": "",
            }
        )
        print(f"[{len(rows) - 1}] {path}:{edge.line}:{edge.column} -> {edge.target}")
        print_lines(root / path, edge.line, before=_LINES_BEFORE)
        print("  =>")
        print_lines(root / target.path, target.start_line, before=0)
    drawn = {
        "repository": root.name, "commit": options.commit, "seed": options.seed, "edges": rows,
    }  # fmt: skip
    options.file.write_text(json.dumps(drawn, indent=1) + "\n")
    return 0


def print_lines(path: Path, line: int, before: int) -> None:
    lines = path.read_text(errors="replace").split("\n")
    for text in lines[max(line - 1 - before, 0) : line]:
        print("   ", text.strip()[:120])


if __name__ == "__main__":
    raise SystemExit(main())
