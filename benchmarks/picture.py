"""Charts as SVG, written by hand: legible on light and dark pages, the same bytes for the same figures."""

import itertools
import math
from collections.abc import Mapping, Sequence
from html import escape
from typing import NamedTuple

_STYLE = """<style>
text{font:12px system-ui,sans-serif;fill:#57606a}.title{font-size:14px;font-weight:600}
.grid{stroke:#8c959f;stroke-opacity:.3}.line{fill:none;stroke-width:2}
@media(prefers-color-scheme:dark){text{fill:#adbac7}}
</style>"""
# Distinct to most eyes, and of middling lightness so that both backgrounds carry them.
_COLOURS = ("#1f78d1", "#d9730d", "#8a63d2", "#2da44e", "#cf4a7b", "#8c959f")
_WIDTH = 760
_LETTER = 6.6  # how wide one is, about
_Box = tuple[float, float, float, float]  # left, top, right, bottom


class Point(NamedTuple):
    """One mark of a scatter plot."""

    name: str
    x: float
    y: float


def draw_bars(title: str, groups: Mapping[str, Mapping[str, float]], unit: str) -> str:
    """Horizontal bars on a logarithmic scale: groups of rows, one row per name."""
    names = list(dict.fromkeys(name for rows in groups.values() for name in rows))
    colours = dict(zip(names, _COLOURS, strict=False))
    values = [value for rows in groups.values() for value in rows.values()]
    low, high = 10 ** math.floor(math.log10(min(values))), 10 ** math.ceil(math.log10(max(values)))
    left, right = 210, _WIDTH - 70

    def place(value: float) -> float:
        return left + (right - left) * math.log(value / low) / math.log(high / low)

    height = 50 + sum(26 + 18 * len(rows) for rows in groups.values()) + 20
    parts = [_text(10, 22, title, "title")]
    mark = low
    while mark <= high * 1.001:
        x = place(mark)
        parts.append(f'<line class="grid" x1="{x:.1f}" x2="{x:.1f}" y1="36" y2="{height - 24}"/>')
        parts.append(_text(x, height - 8, f"{mark:g} {unit}", anchor="middle"))
        mark *= 10
    top = 40.0
    for group, rows in groups.items():
        parts.append(_text(10, top + 14, group, "title"))
        top += 22
        for name, value in rows.items():
            width = max(2.0, place(value) - left)
            parts.append(_text(left - 8, top + 11, name, anchor="end"))
            parts.append(
                f'<rect x="{left}" y="{top:.0f}" width="{width:.1f}" height="13" rx="2" fill="{colours[name]}"/>'
            )
            parts.append(_text(left + width + 6, top + 11, _number(value)))
            top += 18
        top += 4
    return _wrap(height, parts, title)


def draw_lines(title: str, sizes: Sequence[float], lines: Mapping[str, Sequence[float]]) -> str:
    """How many times its first value each line is, over size; both scales are logarithmic."""
    height, left, right, top, bottom = 380, 60, _WIDTH - 240, 50, 330
    highest = max(sizes[-1] / sizes[0], *(max(row) / row[0] for row in lines.values())) * 1.3
    # A quantity may fall a little as the input grows.
    lowest = min(1.0, *(min(row) / row[0] for row in lines.values())) * 0.8

    def x(size: float) -> float:
        return left + (right - left) * math.log(size / sizes[0]) / math.log(sizes[-1] / sizes[0])

    def y(times: float) -> float:
        return bottom - (bottom - top) * math.log(times / lowest) / math.log(highest / lowest)

    parts = [_text(10, 22, title, "title")]
    for size in sizes:
        parts.append(
            f'<line class="grid" x1="{x(size):.1f}" x2="{x(size):.1f}" y1="{top}" y2="{bottom}"/>'
        )
        parts.append(_text(x(size), bottom + 20, f"{size:g} ×", anchor="middle"))
    for times in (t for t in (0.5, 1, 2, 5, 10, 20, 50) if lowest <= t <= highest):
        parts.append(
            f'<line class="grid" x1="{left}" x2="{right}" y1="{y(times):.1f}" y2="{y(times):.1f}"/>'
        )
        parts.append(_text(left - 8, y(times) + 4, f"{times:g} ×", anchor="end"))
    ends = _spread([y(row[-1] / row[0]) for row in lines.values()])
    for (name, row), colour, end in zip(lines.items(), _COLOURS, ends, strict=False):
        spots = [(x(size), y(value / row[0])) for size, value in zip(sizes, row, strict=True)]
        path = " ".join(f"{a:.1f},{b:.1f}" for a, b in spots)
        parts.append(f'<polyline class="line" stroke="{colour}" points="{path}"/>')
        parts += [f'<circle cx="{a:.1f}" cy="{b:.1f}" r="3.5" fill="{colour}"/>' for a, b in spots]
        parts.append(_text(right + 10, end + 4, f"{name}: {_number(row[0])} → {_number(row[-1])}"))
    return _wrap(height, parts, title)


def draw_scatter(title: str, points: Sequence[Point], across: str, along: str) -> str:
    """Marks with names; the horizontal scale is logarithmic."""
    height, left, right, top, bottom = 380, 60, _WIDTH - 130, 50, 320
    low = 10 ** math.floor(math.log10(min(point.x for point in points)))
    high = 10 ** math.ceil(math.log10(max(point.x for point in points)))
    parts = [_text(10, 22, title, "title")]
    mark = low
    while mark <= high * 1.001:
        x = left + (right - left) * math.log(mark / low) / math.log(high / low)
        parts.append(f'<line class="grid" x1="{x:.1f}" x2="{x:.1f}" y1="{top}" y2="{bottom}"/>')
        parts.append(_text(x, bottom + 20, f"{mark:g}", anchor="middle"))
        mark *= 10
    for step in range(0, 11, 2):
        y = bottom - (bottom - top) * step / 10
        parts.append(f'<line class="grid" x1="{left}" x2="{right}" y1="{y:.1f}" y2="{y:.1f}"/>')
        parts.append(_text(left - 8, y + 4, f"{step / 10:g}", anchor="end"))
    spots = [
        (
            left + (right - left) * math.log(point.x / low) / math.log(high / low),
            bottom - (bottom - top) * point.y,
        )
        for point in points
    ]
    taken = [(x - 7, y - 7, x + 7, y + 7) for x, y in spots]
    for point, (x, y), colour in zip(points, spots, _COLOURS, strict=False):
        label = f"{point.name} {point.y:.3f}"
        parts.append(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="6" fill="{colour}"/>')
        parts.append(_label(x, y, label, taken))
    parts.append(_text((left + right) / 2, height - 14, across, anchor="middle"))
    parts.append(_text(left, top - 8, along))
    return _wrap(height, parts, title)


def _label(x: float, y: float, text: str, taken: list[_Box]) -> str:
    """A name beside its mark where nothing is yet: right, left, above or below; its place is noted."""
    width = _LETTER * len(text)
    places: tuple[tuple[float, float, str, float], ...] = (
        (x + 10, y + 4, "start", x + 10),
        (x - 10, y + 4, "end", x - 10 - width),
        (x, y - 12, "middle", x - width / 2),
        (x, y + 20, "middle", x - width / 2),
    )
    boxes = [(begin, at - 11, begin + width, at + 3) for _, at, _, begin in places]
    free = next((n for n, box in enumerate(boxes) if not any(_meet(box, o) for o in taken)), 0)
    taken.append(boxes[free])
    across, at, anchor, _ = places[free]
    return _text(across, at, text, anchor=anchor)


def _meet(one: _Box, other: _Box) -> bool:
    return one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]


def _spread(heights: Sequence[float]) -> list[float]:
    """The same heights, moved apart where labels would lie over each other."""
    moved = list(heights)
    order = sorted(range(len(moved)), key=moved.__getitem__)
    for before, after in itertools.pairwise(order):
        moved[after] = max(moved[after], moved[before] + 16)
    return moved


def _number(value: float) -> str:
    return f"{value:,.0f}" if value >= 100 else f"{value:.3g}"


def _text(x: float, y: float, text: str, kind: str = "", anchor: str = "start") -> str:
    name = f' class="{kind}"' if kind else ""
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}"{name}>{escape(text)}</text>'


def _wrap(height: int, parts: Sequence[str], title: str) -> str:
    head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {height}" role="img" aria-label="{escape(title)}">'
    return "\n".join([head, _STYLE, *parts, "</svg>", ""])
