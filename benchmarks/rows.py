"""The promises: of what result each is read, and what it may be at most, or must be at least."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any, NamedTuple

from outside import BARS

from agrama.bench.run import CALLS_PER_SECOND, P50_LIMIT_US, P95_LIMIT_US, TOOLS

Figures = Any
Read = Callable[[Figures], float | None]  # None: the run left it out


class Row(NamedTuple):
    """One promise: its result file, how to read the figure from it, and its limit."""

    promise: str
    result: str
    read: Read
    limit: float
    unit: str = ""
    at_least: bool = False

    def kept(self, value: float) -> bool:
        return value >= self.limit if self.at_least else value <= self.limit


def _ratio(name: str) -> Read:
    """The ratio whose promise begins with `name`."""
    return lambda figures: float(
        next(value for key, value in figures["ratios"].items() if key.startswith(name))
    )


def _tool(name: str, field: str) -> Read:
    return lambda figures: float(figures["tools"][name][field])


def _peak(case: str) -> Read:
    return lambda figures: float(max(figures[case]["peak_pss_megabytes"]))


def _journal_faults(figures: Figures) -> float:
    wrong = not (figures["dense"] and figures["seq_dense"] and figures["replay_equals_index"])
    return figures["lost"] + figures["duplicates"] + len(figures["problems"]) + wrong


def _team_faults(figures: Figures) -> float:
    return figures["errors"] + figures["violations"] + figures["rebuilds_during_run"]


def _same(tool: str) -> Read:
    """Share of functions with another tool's figure, all repositories together."""

    def read(figures: Figures) -> float:
        rows = [row for row in figures.values() if row.get(f"{tool}_functions")]
        return sum(row[f"{tool}_same"] for row in rows) / sum(
            row[f"{tool}_functions"] for row in rows
        )

    return read


def _slowest_language(figures: Figures) -> float:
    return min(row["share"] for row in figures["languages"].values())


def _largest(field: str) -> Read:
    """Of the largest tree of the growth run."""
    return lambda figures: float(figures["sizes"][-1][field])


_WIRE = (
    Row("1 KB tool call, uncached, over a bare responder", "latency", _ratio("uncached 1 KB"), 2, "×"),
    Row("1 KB tool call, cached, over a bare responder", "latency", _ratio("cached 1 KB"), 1.5, "×"),
    Row("how much faster than the official SDK", "latency", _ratio("≥ 20"), 20, "×", at_least=True),
    Row("cold start over bare Python", "latency", _ratio("cold start"), 2, "×"),
    Row("calls pipelined through one core", "latency", lambda f: f["calls_per_second"], 10_000, "/s", at_least=True),
    Row("how long a CPU-bound call of one second holds up any of 128 others, worst of 50 rounds", "slow_tool", lambda f: f["worst_ms"], 10, " ms"),
    Row("1,000,000 fuzzed messages: crashes and requests without an answer", "fuzz_protocol", lambda f: f["problems"], 0),
)  # fmt: skip
_INDEX = (
    Row("full graph of Django, 2,929 Python files", "index_django", lambda f: f["full"]["median_wall_seconds"], 10, " s"),
    Row("its peak memory, all processes", "index_django", _peak("full"), 500, " MB"),
    Row("nothing changed", "index_django", lambda f: f["no_op"]["median_wall_seconds"], 1, " s"),
    Row("ten copies of Django, peak memory", "index_django", _peak("10_copies"), 1500, " MB"),
    Row("ten copies of Django, time over one", "index_django", lambda f: f["10_copies"]["median_wall_seconds"] / f["full"]["median_wall_seconds"], 11, "×"),
    Row("an edit visible in a running server, median", "edit_latency", lambda f: f["median_ms"], 100, " ms"),
    Row("200 kills of the indexer, indexes found broken", "kill_indexer", lambda f: f["wrong"], 0),
    Row("200 random edit sequences, graphs unlike a build from scratch", "incremental", lambda f: f["differ"], 0),
    Row("what search adds to the index of Django", "search_cost-django", lambda f: f["added_wall_seconds"], 10, " s"),
    Row("parsing and all facts, beside the bare parser, slowest language", "extraction", _slowest_language, 0.6, "×", at_least=True),
    Row("slowest file of the repositories", "extraction", lambda f: f.get("slowest_seconds"), 2, " s"),
    Row("100,000 mutated files: crashes, files above the time limit", "fuzz_languages", lambda f: len(f["problems"]) + len(f["indexer_crashes"]), 0),
)  # fmt: skip
_SEARCH = (
    Row("`hybrid_search` on Django, P50", "search_latency-django", lambda f: f["microseconds"]["hybrid_search"]["p50"] / 1000, 0.8, " ms"),
    Row("`hybrid_search` on Django, P95", "search_latency-django", lambda f: f["microseconds"]["hybrid_search"]["p95"] / 1000, 2, " ms"),
    Row("first search of a server", "search_latency-django", lambda f: sorted(f["first_search_ms"])[len(f["first_search_ms"]) // 2], 300, " ms"),
    Row("a server that searches Django, private memory", "search_memory-django", lambda f: max(f["private_megabytes"]), 150, " MB"),
    Row("the same, PSS", "search_memory-django", lambda f: f["alone_pss_megabytes"], 250, " MB"),
    Row("three of them on one index, PSS together", "search_memory-django", lambda f: f["together_pss_megabytes"], 450, " MB"),
    Row("recall@10 of the quantised vectors, Django's chunks", "retrieval_vectors-django", lambda f: f["recall10_text"], 0.95, at_least=True),
    Row("the same of half a million chunks", "retrieval_vectors-tree", lambda f: f["recall10_text"], 0.95, at_least=True),
    Row("`hybrid_search` on ten copies of Django, P50", "growth", _largest("search_p50_ms"), 2, " ms"),
    Row("`hybrid_search` on ten copies of Django, P95", "growth", _largest("search_p95_ms"), 5, " ms"),
    Row("right files for questions, 28 repositories, NDCG@10", "retrieval", lambda f: f["ndcg10"], 0.9, at_least=True),
    Row("the same, weights fitted without the repository they are scored on", "retrieval", lambda f: f["fit"]["leave_one_repository_out"], 0.9, at_least=True),
    Row("the vector of a question", "embedding_speed", lambda f: f["question_us"]["median"], 10, " µs"),
    Row("loading the embedding", "embedding_speed", lambda f: f["load_ms"]["median"], 30, " ms"),
    Row("its size in the wheel", "embedding_speed", lambda f: f["size_mb"], 15, " MB"),
)  # fmt: skip
_TOOL_LIMITS_MS = {
    "read_code": 0.5,
    "find_symbol": 0.3,
    "find_references": 0.5,
    "analyze_dependencies": 0.8,
    "analyze_impact": 2,
    "get_context": 10,
}
_TESTS_TO_RUN = (
    Row("flask: commits with a changed test among the first 20", "tests_to_run", lambda f: 100 * f["flask"]["one_in_first_20"], 80, " %", at_least=True),
    Row("flask: commits with every changed test among them", "tests_to_run", lambda f: 100 * f["flask"]["all_in_first_20"], 50, " %", at_least=True),
    Row("the same of requests, one", "tests_to_run", lambda f: 100 * f["requests"]["one_in_first_20"], 80, " %", at_least=True),
    Row("the same of requests, every one", "tests_to_run", lambda f: 100 * f["requests"]["all_in_first_20"], 50, " %", at_least=True),
    Row("the same of starlette, one", "tests_to_run", lambda f: 100 * f["starlette"]["one_in_first_20"], 80, " %", at_least=True),
    Row("the same of starlette, every one", "tests_to_run", lambda f: 100 * f["starlette"]["all_in_first_20"], 50, " %", at_least=True),
)  # fmt: skip
_SHARED = (
    Row("`append_message`, P50", "decision_latency", lambda f: f["append_message"]["p50_us"] / 1000, 0.3, " ms"),
    Row("`record_decision`, P50", "decision_latency", lambda f: f["record_decision"]["p50_us"] / 1000, 0.3, " ms"),
    Row("`append_message`, P95", "decision_latency", lambda f: f["append_message"]["p95_us"] / 1000, 1, " ms"),
    Row("`record_decision`, P95", "decision_latency", lambda f: f["record_decision"]["p95_us"] / 1000, 1, " ms"),
    Row("`append_message` waiting for the disk, over write + fdatasync", "decision_latency", lambda f: f["commit_over_bare"], 1.5, "×"),
    Row("eight writers that wait for a disk that takes 4 ms longer, over one", "group_commit", lambda f: f["slow disk"]["gain"], 4, "×", at_least=True),
    Row("eight requests at one server, on the disk as it is, over one", "group_commit", lambda f: f["one server"]["gain"], 4, "×", at_least=True),
    Row("eight writers with a server each, on the disk as it is, over one", "group_commit", lambda f: f["own servers"]["gain"], 4, "×", at_least=True),
    Row("1,000 × kill -9, 3 writers and 8 readers: acknowledged records lost or double, readers' errors", "journal_kill", _journal_faults, 0),
    Row("2,000 power cuts: images that do not open or lost what was promised", "power_loss", lambda f: sum(f[mode]["images"] - f[mode]["opened"] + f[mode]["violations"] for mode in ("commit", "interval")), 0),
    Row("24 agents for 60 s: errors, lost records, wrong orders, index builds beyond one", "agents", _team_faults, 0),
    Row("their read P95, over a lone agent's share of the cores", "agents", lambda f: f["p95_over_core_share"], 3, "×"),
    Row("the same with kill -9 of servers: errors, lost records, wrong orders", "agents_faults", _team_faults, 0),
    Row("an event in another process, P95", "agents_events", lambda f: f["p95_ms"], 50, " ms"),
    Row("a server whose parent was killed is gone after", "agents_orphans", lambda f: max(f["slowest_seconds"].values()), 5, " s"),
    Row("memory over 200,000 calls of the shared tools, change", "agents_memory", lambda f: 100 * f["shared tools"]["change"], 5, " %"),
    Row("the same with `read_code` among them", "agents_memory", lambda f: 100 * f["with read_code"]["change"], 5, " %"),
)  # fmt: skip
_CALLS = {
    "c": "C", "cpp": "C++", "csharp": "C#", "go": "Go", "java": "Java", "javascript": "JavaScript",
    "kotlin": "Kotlin", "php": "PHP", "python": "Python", "ruby": "Ruby", "rust": "Rust", "typescript": "TypeScript",
}  # fmt: skip
_RIGHT = (
    Row("Django's functions that call `.full_clean()`: on the right class, of 65", "full-clean", lambda f: f["resolved"], 65, at_least=True),
    Row("calls of cobra (Go), precision by go/types", "oracle_go_cobra", lambda f: f["precision"], 0.9, at_least=True),
    Row("calls of cobra (Go), recall", "oracle_go_cobra", lambda f: f["recall"], 0.85, at_least=True),
    Row("calls of viper (Go), precision by go/types", "oracle_go_viper", lambda f: f["precision"], 0.9, at_least=True),
    Row("calls of viper (Go), recall", "oracle_go_viper", lambda f: f["recall"], 0.85, at_least=True),
    Row("calls of testify (Go), precision by go/types", "oracle_go_testify", lambda f: f["precision"], 0.9, at_least=True),
    Row("calls of testify (Go), recall", "oracle_go_testify", lambda f: f["recall"], 0.85, at_least=True),
    Row("calls of libuv (C), precision by clangd", "oracle_clangd_libuv", lambda f: f["precision"], 0.9, at_least=True),
    Row("calls of libuv (C), recall", "oracle_clangd_libuv", lambda f: f["recall"], 0.85, at_least=True),
    Row("calls of abseil (C++), precision by clangd", "oracle_clangd_abseil-cpp", lambda f: f["precision"], 0.9, at_least=True),
    Row("calls of abseil (C++), recall", "oracle_clangd_abseil-cpp", lambda f: f["recall"], 0.85, at_least=True),
    *(Row(f"a {name} repository's own calls that are resolved", f"calls-{key}", lambda f: f["share"], 0.9, at_least=True) for key, name in _CALLS.items()),
    Row("cyclomatic complexity as radon counts it (Python), share of functions", "complexity", _same("radon"), 0.99, at_least=True),
    Row("cognitive complexity as complexipy counts it (Python)", "complexity", _same("complexipy"), 0.97, at_least=True),
    Row("cyclomatic complexity as lizard counts it (the other languages)", "complexity", _same("lizard"), 0.97, at_least=True),
)  # fmt: skip
_OUTSIDE = {
    "callgraph": "PyCG's cases",
    "languages": "cases in 34 languages",
    "references": "references",
    "oracle": "calls by type checkers,",
    "imports": "imports",
    "complexity": "complexity",
    "retrieval": "questions",
    "localisation": "bug reports",
}


def make_groups() -> dict[str, tuple[Row, ...]]:
    """All promises by what they are about."""
    return {
        "The wire": _WIRE,
        "The index": _INDEX,
        "Search": _SEARCH,
        "The tools, on Django": (*_make_tools(), *_make_bench(), *_TESTS_TO_RUN),
        "Messages, decisions, several agents": _SHARED,
        "Right answers": _RIGHT,
        "Right answers by cases of others": tuple(_make_outside()),
    }


def _make_tools() -> Iterator[Row]:
    for name, limit in _TOOL_LIMITS_MS.items():
        read, ratio = _tool(name, "uncached_p50_ms"), _tool(name, "cached_ratio")
        yield Row(f"`{name}`, uncached, P50", "tool_latency", read, limit, " ms")
        yield Row("the same from the cache, over a responder", "tool_latency", ratio, 1.5, "×")


def _make_bench() -> Iterator[Row]:
    """What `agrama bench` holds every repository to."""
    limits = (("p50", P50_LIMIT_US / 1000), ("p95", P95_LIMIT_US / 1000))
    for tool in TOOLS:
        for name, limit in limits:
            title = f"`agrama bench`: `{tool}`, uncached, {name.upper()}"
            yield Row(title, "promises-django", _bench(tool, name), limit, " ms")
    title = "`agrama bench`: calls per second, pipelined, a working set of 100"
    yield Row(title, "promises-django", lambda f: f["calls_per_second"]["working_set"], CALLS_PER_SECOND, at_least=True)  # fmt: skip


def _bench(tool: str, name: str) -> Read:
    return lambda figures: float(figures["tools"][tool]["uncached"][name]) / 1000


def _make_outside() -> Iterator[Row]:
    """The bars that `benchmarks/outside.py` holds us to."""
    for kind, cases in BARS.items():
        for case, bars in cases.items():
            for figure, bar in bars.items():
                title = f"{' '.join(filter(None, (_OUTSIDE[kind], case)))}: {figure}"
                yield Row(title, "outside", _outside(kind, case, figure), bar, at_least=True)


def _outside(kind: str, case: str, figure: str) -> Read:
    def read(figures: Figures) -> float:
        found: Mapping[str, Any] = figures[kind]
        return float((found[case] if case else found)[figure])

    return read
