"""Write what is published from the raw results: docs/performance.md, its pictures, README's table.

    python benchmarks/table.py [FOLDER]

FOLDER (default: the project) gets docs/performance.md, docs/*.svg and README.md.
"""

import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from rows import Row, make_groups
from summary import make_pictures, make_readme, make_sections

RESULTS = Path(__file__).parent / "results"
PROJECT = Path(__file__).parent.parent
SECTIONS = ("rivals", "quality", "promises-django", "growth", "concurrency", "agent_cost")
_BEGIN, _END = "<!-- results -->\n", "<!-- /results -->\n"
_HEAD = """# Performance

Made by `python benchmarks/table.py` from the raw results in `benchmarks/results/`; do not edit. Each file
there holds the command, the commit, the machine and the versions. Figures of another machine cannot be
compared with these; ratios to the floor of the same run can.
"""
_COLUMNS = "| promise | figure | limit | | measured by |\n|---|---|---|---|---|\n"


def make_document() -> str:
    """The promises in docs/performance.md."""
    return _HEAD + "".join(_make_group(title, rows) for title, rows in make_groups().items())


def _make_group(title: str, rows: Sequence[Row]) -> str:
    return f"\n## {title}\n\n{_COLUMNS}{''.join(map(_render, rows))}"


def _render(row: Row) -> str:
    limit = f"{'≥' if row.at_least else '≤'} {row.limit:,g}{row.unit}"
    if not find_results(row.result):
        return f"| {row.promise} | – | {limit} | not measured | |\n"
    report = read_result(row.result)
    value = row.read(report["figures"])
    if value is None:  # a run that left this out, and says why
        return f"| {row.promise} | – | {limit} | not measured | `{report['command']}` |\n"
    verdict = "kept" if row.kept(value) else "**not kept**"
    figure = f"{value:.3g}" if abs(value) < 1000 else f"{value:,.0f}"
    return f"| {row.promise} | {figure}{row.unit} | {limit} | {verdict} | `{report['command']}` |\n"


def read_result(name: str) -> Any:
    """The only result of a benchmark; older ones are taken out when a new one comes in."""
    found = find_results(name)
    if len(found) != 1:
        raise SystemExit(f"expected one result of {name} in {RESULTS}, there are {len(found)}")
    report = json.loads(found[0].read_text())
    if "figures" in report:
        return report
    # Drawn by a script and judged by eye: the draw holds the figures.
    return {
        "figures": report,
        "command": f"python benchmarks/call_share.py --judged {found[0].name}",
    }


def find_results(name: str) -> list[Path]:
    """`NAME-COMMIT.json`; a judged draw has no commit of ours in its name."""
    named = [
        path for path in RESULTS.glob(f"{name}-*.json") if path.stem.rpartition("-")[0] == name
    ]
    judged = RESULTS / f"{name}.json"
    return [*named, judged] if judged.exists() else named


def write_all(folder: Path) -> None:
    """Everything that is made from the results; a section without its result is left out."""
    docs = folder / "docs"
    docs.mkdir(exist_ok=True)
    found = {name: read_result(name) for name in SECTIONS if find_results(name)}
    (docs / "performance.md").write_text(make_document() + make_sections(found))
    for name, text in make_pictures(found).items():
        (docs / name).write_text(text)
    before, _, rest = (PROJECT / "README.md").read_text().partition(_BEGIN)
    after = rest.partition(_END)[2]
    (folder / "README.md").write_text(f"{before}{_BEGIN}{make_readme(found)}{_END}{after}")


if __name__ == "__main__":
    write_all(Path(sys.argv[1]) if len(sys.argv) > 1 else PROJECT)
