"""Do Django's calls of `.full_clean()` lead to the right class?

    python benchmarks/full_clean.py PATH_TO_DJANGO

The callers are found with Python's own parser, independently of the index. Each call must have one
target that the graph stands by: the `full_clean` of a model, a form or a formset.
"""

import argparse
import ast
import json
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from report import write_report

SURE = 0.5
Site = tuple[str, int, int]


def find_sites(root: Path) -> Iterator[tuple[Site, str]]:
    """Every call of a method named full_clean outside its own `super()` chain, with its function."""
    for path in sorted(root.rglob("*.py")):
        try:
            tree = ast.parse(path.read_bytes())
        except (SyntaxError, ValueError):
            continue
        yield from _sites_in(tree, path.relative_to(root).as_posix(), "")


def _sites_in(node: ast.AST, path: str, inside: str) -> Iterator[tuple[Site, str]]:
    for child in ast.iter_child_nodes(node):
        name = inside
        if isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            name = f"{inside}.{child.name}".lstrip(".")
        if isinstance(child, ast.Call) and isinstance(child.func, ast.Attribute):
            function = child.func
            if function.attr == "full_clean" and function.end_col_offset is not None:
                column = function.end_col_offset - len("full_clean")
                yield (path, function.end_lineno or 0, column), name
        yield from _sites_in(child, path, name)


def read_targets(root: Path, command: str) -> dict[Site, list[str]]:
    """What the graph says of each position: targets of calls it stands by."""
    targets: dict[Site, list[str]] = {}
    with tempfile.TemporaryDirectory() as home:
        environment = {"AGRAMA_HOME": home, "PATH": "/usr/bin:/bin"}
        subprocess.run([command, "index", str(root)], env=environment, check=True)
        export = [command, "export", str(root), "--format", "jsonl"]
        text = subprocess.run(export, env=environment, check=True, capture_output=True).stdout
    for line in text.splitlines():
        row = json.loads(line)
        if row["type"] == "edge" and row["kind"] == "calls" and row["confidence"] >= SURE:
            place = (row["path"], row["line"], row["column"])
            targets.setdefault(place, []).append(row["target"])
    return targets


def main() -> int:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("root", type=Path)
    options.add_argument("--agrama", default="agrama")
    options.add_argument("--save", action="store_true", help="write benchmarks/results/")
    arguments = options.parse_args()
    targets = read_targets(arguments.root, arguments.agrama)
    sites = list(find_sites(arguments.root))
    functions: dict[tuple[str, str], bool] = {}
    classes: Counter[str] = Counter()
    for place, function in sites:
        found = targets.get(place, [])
        right = len(found) == 1 and found[0].endswith(".full_clean")
        caller = (place[0], function)
        functions[caller] = functions.get(caller, True) and right
        classes.update(name.rpartition("::")[2] for name in found)
        if not right:
            print(f"{place[0]}:{place[1]} in {function}: {found}")
    resolved = sum(functions.values())
    print(f"{resolved} of {len(functions)} functions, {len(sites)} calls: {dict(classes)}")
    if arguments.save:
        figures = {"functions": len(functions), "resolved": resolved, "calls": len(sites)}
        write_report("full-clean", {**figures, "targets": dict(classes)})
    return 0 if resolved == len(functions) else 1


if __name__ == "__main__":
    sys.exit(main())
