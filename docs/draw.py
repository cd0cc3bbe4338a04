"""Draws docs/architecture.svg and docs/data-paths.svg: `python docs/draw.py`.

The first is made from the layers import-linter enforces (pyproject.toml), so it shows what is true; the
second from the steps below, each of which names the module that does it.
"""

import ast
import tomllib
from pathlib import Path
from xml.sax.saxutils import escape

TOP = Path(__file__).parents[1]
HEIGHT, GAP, WIDTH_OF_LETTER = 26, 6, 7.2
FILLS = {"agrama": "#dbe9f6", "indexer": "#fbe6d4", "graph": "#dff0dc"}
SENTENCES = {
    "agrama": "agrama/ speaks it",
    "indexer": "indexer/ writes it",
    "graph": "graph/ keeps it and answers",
}

# (module, what it does there); the lanes meet in the store.
FILE_STEPS = (
    ("indexer/walk.py", "list files, say what is left out"),
    ("indexer/changes.py", "what changed: size, time, hash"),
    ("indexer/worker.py", "parse in processes"),
    ("indexer/facts.py", "facts of one file, kept"),
    ("indexer/chunk.py", "chunks, terms, vectors"),
    ("indexer/resolve/solver.py", "whole program: who reaches whom"),
    ("graph/publish.py", "one commit, one generation"),
)
REQUEST_STEPS = (
    ("agrama/stdio.py", "bytes in (or agrama/http)"),
    ("agrama/protocol/messages.py", "a message, checked"),
    ("agrama/peer.py", "which revision, which method"),
    ("agrama/middleware.py", "validate, cache, measure"),
    ("agrama/tools/hybrid_search.py", "a tool, one of them"),
    ("agrama/context.py", "deadline, budget, one transaction"),
    ("graph/snapshot.py", "one generation, whole"),
)
STORE = ("graph/store.py", "LMDB: rows, postings, vectors, generation")


def read_layers() -> dict[str, list[list[str]]]:
    """Modules by layer, highest first, of the three folders."""
    settings = tomllib.loads((TOP / "pyproject.toml").read_text())
    layers = {}
    for contract in settings["tool"]["importlinter"]["contracts"]:
        if contract["type"] == "layers":
            folder = contract["containers"][0].rpartition(".")[2]
            layers[folder] = [layer.split(" | ") for layer in contract["layers"]]
    return layers


def draw_architecture() -> str:
    """Three panels, one row a layer: what stands higher may import what stands lower."""
    layers = read_layers()
    parts, left, bottom = [], 20.0, 0.0
    for folder in ("agrama", "indexer", "graph"):
        rows = [row for layer in layers[folder] for row in _wrap(layer)]
        width = max(_width(row) for row in rows) + 24
        parts.append(_text(left, 34, SENTENCES[folder], size=15, weight="bold"))
        top = 50.0
        for layer in layers[folder]:
            wrapped = _wrap(layer)
            high = len(wrapped) * (HEIGHT + GAP) + GAP
            parts.append(_box(left, top, width, high, FILLS[folder]))
            for number, row in enumerate(wrapped):
                parts += _boxes(left + 12, top + GAP + number * (HEIGHT + GAP), row, folder)
            top += high + GAP
        left, bottom = left + width + 30, max(bottom, top)
    parts.append(
        _text(20, bottom + 16, "An import goes downwards only; import-linter holds it so.")
    )
    return _picture(left - 10, bottom + 34, parts)


def draw_data_paths() -> str:
    """The way of a file and the way of a request, which meet in the store."""
    high = 74.0
    parts = []
    for left, title, steps in (
        (20.0, "The way of a file", FILE_STEPS),
        (360.0, "The way of a request", REQUEST_STEPS),
    ):
        parts.append(_text(left, 34, title, size=15, weight="bold"))
        for number, (module, does) in enumerate(steps):
            parts += _step(left, 50 + number * high, module, does)
    end = 50 + len(FILE_STEPS) * high
    parts += _step(20, end, *STORE, width=640, arrow=False)
    parts.append(
        _text(20, end + 76, "Writers and readers never wait for each other: one commit publishes.")
    )
    return _picture(680, end + 94, parts)


def _step(
    left: float, top: float, module: str, does: str, *, width: float = 300, arrow: bool = True
) -> list[str]:
    source = ast.get_docstring(ast.parse((TOP / module).read_text())) or ""
    fill = FILLS[module.partition("/")[0]]
    title = f"<title>{escape(source.splitlines()[0])}</title>"
    parts = [
        f"<g>{title}{_box(left, top, width, 48, fill)}",
        _text(left + 12, top + 20, module, weight="bold"),
        _text(left + 12, top + 38, does) + "</g>",
    ]
    if arrow:
        middle = left + width / 2
        parts.append(
            f'<path d="M{middle:g} {top + 48:g} v18 m-5 -7 l5 7 l5 -7" fill="none" stroke="#555"/>'
        )
    return parts


def _wrap(names: list[str], most: int = 4) -> list[list[str]]:
    return [names[at : at + most] for at in range(0, len(names), most)]


def _width(names: list[str]) -> float:
    return sum(len(name) * WIDTH_OF_LETTER + 16 + GAP for name in names) - GAP


def _boxes(left: float, top: float, names: list[str], folder: str) -> list[str]:
    parts = []
    for name in names:
        wide = len(name) * WIDTH_OF_LETTER + 16
        packed = folder == "agrama" and name in ("graph", "indexer")
        parts.append(_box(left, top, wide, HEIGHT, FILLS[name] if packed else "#ffffff"))
        parts.append(_text(left + 8, top + 17, name))
        left += wide + GAP
    return parts


def _box(left: float, top: float, width: float, high: float, fill: str) -> str:
    return (
        f'<rect x="{left:g}" y="{top:g}" width="{width:g}" height="{high:g}" rx="4" '
        f'fill="{fill}" stroke="#888"/>'
    )


def _text(left: float, top: float, text: str, *, size: int = 12, weight: str = "normal") -> str:
    return (
        f'<text x="{left:g}" y="{top:g}" font-size="{size}" font-weight="{weight}">'
        f"{escape(text)}</text>"
    )


def _picture(width: float, high: float, parts: list[str]) -> str:
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:g}" height="{high:g}" '
        f'viewBox="0 0 {width:g} {high:g}" font-family="DejaVu Sans Mono, Menlo, monospace">'
    )
    paper = f'<rect width="{width:g}" height="{high:g}" fill="#ffffff"/>'
    return "\n".join([head, paper, *parts, "</svg>"]) + "\n"


PICTURES = {"architecture.svg": draw_architecture, "data-paths.svg": draw_data_paths}

if __name__ == "__main__":
    for name, draw in PICTURES.items():
        (TOP / "docs" / name).write_text(draw())
