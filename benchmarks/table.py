"""Write what is published from the raw results: docs/performance.md, its pictures, README's table.

    python benchmarks/table.py [FOLDER]

FOLDER (default: the project) gets docs/performance.md, docs/*.svg and README.md.
"""

import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

from summary import make_pictures, make_readme, make_sections

RESULTS = Path(__file__).parent / "results"
PROJECT = Path(__file__).parent.parent
_SECTIONS = ("rivals", "quality", "growth", "concurrency", "agent_cost")
_BEGIN, _END = "<!-- results -->\n", "<!-- /results -->\n"
_HEAD = """# Performance

Made by `python benchmarks/table.py` from the raw results in `benchmarks/results/`; do not edit. Each file
there holds the command, the commit, the machine and the versions. Figures of another machine cannot be
compared with these; ratios to the floor of the same run can.

| promise | figure | limit | | measured by |
|---|---|---|---|---|
"""


class Row(NamedTuple):
    """One promise: its result file, how to read the figure from it, and what it may be at most."""

    promise: str
    result: str
    read: Callable[[Any], float]
    limit: float
    unit: str = ""
    at_least: bool = False

    def kept(self, value: float) -> bool:
        return value >= self.limit if self.at_least else value <= self.limit


def _tool(name: str, field: str) -> Callable[[Any], float]:
    return lambda figures: float(figures["tools"][name][field])


def _ratio(name: str) -> Callable[[Any], float]:
    """The ratio whose promise begins with `name`."""
    return lambda figures: float(
        next(value for key, value in figures["ratios"].items() if key.startswith(name))
    )


def _peak(case: str) -> Callable[[Any], float]:
    return lambda figures: float(max(figures[case]["peak_pss_megabytes"]))


def _journal_faults(figures: Any) -> float:
    wrong = not (figures["dense"] and figures["seq_dense"] and figures["replay_equals_index"])
    return figures["lost"] + figures["duplicates"] + len(figures["problems"]) + wrong


def _team_faults(figures: Any) -> float:
    return figures["errors"] + figures["violations"] + figures["rebuilds_during_run"]


ROWS = (
    Row("1 KB tool call, uncached, over a bare responder", "latency", _ratio("uncached 1 KB"), 2, "×"),
    Row("1 KB tool call, cached, over a bare responder", "latency", _ratio("cached 1 KB"), 1.5, "×"),
    Row("how much faster than the official SDK", "latency", _ratio("≥ 20"), 20, "×", at_least=True),
    Row("cold start over bare Python", "latency", _ratio("cold start"), 2, "×"),
    Row("full graph of Django, 2,929 Python files", "index_django", lambda f: f["full"]["median_wall_seconds"], 10, " s"),
    Row("its peak memory, all processes", "index_django", _peak("full"), 500, " MB"),
    Row("nothing changed", "index_django", lambda f: f["no_op"]["median_wall_seconds"], 1, " s"),
    Row("ten copies of Django, peak memory", "index_django", _peak("10_copies"), 1500, " MB"),
    Row("ten copies of Django, time over one", "index_django", lambda f: f["10_copies"]["median_wall_seconds"] / f["full"]["median_wall_seconds"], 11, "×"),
    Row("an edit visible in a running server, median", "edit_latency", lambda f: f["median_ms"], 100, " ms"),
    Row("200 kills of the indexer, indexes found broken", "kill_indexer", lambda f: f["wrong"], 0),
    Row("200 random edit sequences, graphs unlike a build from scratch", "incremental", lambda f: f["differ"], 0),
    Row("`hybrid_search` on Django, P50", "search_latency-django", lambda f: f["microseconds"]["hybrid_search"]["p50"] / 1000, 0.8, " ms"),
    Row("`hybrid_search` on Django, P95", "search_latency-django", lambda f: f["microseconds"]["hybrid_search"]["p95"] / 1000, 2, " ms"),
    Row("first search of a server", "search_latency-django", lambda f: sorted(f["first_search_ms"])[len(f["first_search_ms"]) // 2], 300, " ms"),
    Row("a server that searches Django, private memory", "search_memory-django", lambda f: max(f["private_megabytes"]), 150, " MB"),
    Row("the same, PSS", "search_memory-django", lambda f: f["alone_pss_megabytes"], 250, " MB"),
    Row("three of them on one index, PSS together", "search_memory-django", lambda f: f["together_pss_megabytes"], 450, " MB"),
    Row("recall@10 of the quantised vectors, Django's chunks", "retrieval_vectors-django", lambda f: f["recall10_text"], 0.95, at_least=True),
    Row("`append_message`, P50", "decision_latency", lambda f: f["append_message"]["p50_us"] / 1000, 0.3, " ms"),
    Row("`record_decision`, P50", "decision_latency", lambda f: f["record_decision"]["p50_us"] / 1000, 0.3, " ms"),
    Row("`append_message` waiting for the disk, over write + fdatasync", "decision_latency", lambda f: f["commit_over_bare"], 1.5, "×"),
    Row("eight writers that wait for the disk, over one", "decision_latency", lambda f: f["group commit"]["gain"], 4, "×", at_least=True),
    Row("1,000 × kill -9, 3 writers and 8 readers: acknowledged records lost or double, readers' errors", "journal_kill", _journal_faults, 0),
    Row("2,000 power cuts: images that do not open or lost what was promised", "power_loss", lambda f: sum(f[mode]["images"] - f[mode]["opened"] + f[mode]["violations"] for mode in ("commit", "interval")), 0),
    Row("24 agents for 60 s: errors, lost records, wrong orders, index builds beyond one", "agents", _team_faults, 0),
    Row("their read P95, over a lone agent's share of the cores", "agents", lambda f: f["p95_over_core_share"], 3, "×"),
    Row("the same with kill -9 of servers: errors, lost records, wrong orders", "agents_faults", _team_faults, 0),
    Row("an event in another process, P95", "agents_events", lambda f: f["p95_ms"], 50, " ms"),
    Row("a server whose parent was killed is gone after", "agents_orphans", lambda f: max(f["slowest_seconds"].values()), 5, " s"),
    Row("memory over 200,000 calls of the shared tools, change", "agents_memory", lambda f: 100 * f["shared tools"]["change"], 5, " %"),
    Row("flask: commits with a changed test among the first 20", "tests_to_run", lambda f: 100 * f["flask"]["one_in_first_20"], 80, " %", at_least=True),
    Row("flask: commits with every changed test among them", "tests_to_run", lambda f: 100 * f["flask"]["all_in_first_20"], 50, " %", at_least=True),
    Row("the same of requests, one", "tests_to_run", lambda f: 100 * f["requests"]["one_in_first_20"], 80, " %", at_least=True),
    Row("the same of requests, every one", "tests_to_run", lambda f: 100 * f["requests"]["all_in_first_20"], 50, " %", at_least=True),
    Row("the same of starlette, one", "tests_to_run", lambda f: 100 * f["starlette"]["one_in_first_20"], 80, " %", at_least=True),
    Row("the same of starlette, every one", "tests_to_run", lambda f: 100 * f["starlette"]["all_in_first_20"], 50, " %", at_least=True),
    Row("the same with `read_code` among them", "agents_memory", lambda f: 100 * f["with read_code"]["change"], 5, " %"),
    Row("calls of cobra (Go), precision by go/types", "oracle_go_cobra", lambda f: f["precision"], 0.9, at_least=True),
    Row("calls of cobra (Go), recall", "oracle_go_cobra", lambda f: f["recall"], 0.85, at_least=True),
    Row("calls of viper (Go), precision by go/types", "oracle_go_viper", lambda f: f["precision"], 0.9, at_least=True),
    Row("calls of viper (Go), recall", "oracle_go_viper", lambda f: f["recall"], 0.85, at_least=True),
    Row("calls of libuv (C), precision by clangd", "oracle_clangd_libuv", lambda f: f["precision"], 0.9, at_least=True),
    Row("calls of libuv (C), recall", "oracle_clangd_libuv", lambda f: f["recall"], 0.85, at_least=True),
    Row("calls of abseil (C++), precision by clangd", "oracle_clangd_abseil-cpp", lambda f: f["precision"], 0.9, at_least=True),
    Row("calls of abseil (C++), recall", "oracle_clangd_abseil-cpp", lambda f: f["recall"], 0.85, at_least=True),
)  # fmt: skip
_TOOL_LIMITS_MS = {
    "read_code": 0.5,
    "find_symbol": 0.3,
    "find_references": 0.5,
    "analyze_dependencies": 0.8,
    "analyze_impact": 2,
    "get_context": 10,
}


def make_document() -> str:
    """The promises in docs/performance.md."""
    rows = list(ROWS)
    for name, limit in _TOOL_LIMITS_MS.items():
        read, ratio = _tool(name, "uncached_p50_ms"), _tool(name, "cached_ratio")
        rows.append(Row(f"`{name}` on Django, uncached, P50", "tool_latency", read, limit, " ms"))
        rows.append(
            Row("the same from the cache, over a responder", "tool_latency", ratio, 1.5, "×")
        )
    return _HEAD + "".join(map(_render, rows))


def _render(row: Row) -> str:
    report = read_result(row.result)
    value = row.read(report["figures"])
    sign = "≥" if row.at_least else "≤"
    verdict = "kept" if row.kept(value) else "**not kept**"
    figure = f"{value:.3g}" if value < 1000 else f"{value:,.0f}"
    limit = f"{sign} {row.limit:,g}{row.unit}"
    return f"| {row.promise} | {figure}{row.unit} | {limit} | {verdict} | `{report['command']}` |\n"


def read_result(name: str) -> Any:
    """The only result of a benchmark; older ones are taken out when a new one comes in."""
    found = find_results(name)
    if len(found) != 1:
        raise SystemExit(f"expected one result of {name} in {RESULTS}, there are {len(found)}")
    return json.loads(found[0].read_text())


def find_results(name: str) -> list[Path]:
    return [path for path in RESULTS.glob(f"{name}-*.json") if path.stem.rpartition("-")[0] == name]


def write_all(folder: Path) -> None:
    """Everything that is made from the results; a section without its result is left out."""
    docs = folder / "docs"
    docs.mkdir(exist_ok=True)
    found = {name: read_result(name) for name in _SECTIONS if find_results(name)}
    (docs / "performance.md").write_text(make_document() + make_sections(found))
    for name, text in make_pictures(found).items():
        (docs / name).write_text(text)
    before, _, rest = (PROJECT / "README.md").read_text().partition(_BEGIN)
    after = rest.partition(_END)[2]
    (folder / "README.md").write_text(f"{before}{_BEGIN}{make_readme(found)}{_END}{after}")


if __name__ == "__main__":
    write_all(Path(sys.argv[1]) if len(sys.argv) > 1 else PROJECT)
