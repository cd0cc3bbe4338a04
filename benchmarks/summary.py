"""The published tables and pictures beyond the promises, made from the raw results."""

import textwrap
from collections.abc import Callable, Iterable, Mapping
from typing import Any, NamedTuple

from picture import Point, draw_bars, draw_lines, draw_scatter

OPERATIONS = {
    "search": "search",
    "symbol": "where a name is defined",
    "callers": "who calls it",
    "impact": "what a change reaches",
    "snippet": "read a symbol's code",
}
COST_SETS = {"localisation": "bug reports", "retrieval": "questions"}
COST_POLICY = """Fixed policies, no language model. Each searches, reads hits in order, and stops when a line of the labelled file, or the
first line of a labelled function, was shown, or after 25 reads; what was spent in vain counts too. Tokens are bytes / 4 of all answers.

- agrama: `hybrid_search` with the text as it is, then `read_code` of each hit, page after page: the whole function when the hit lies in
  one, else its lines.
- agrama, into files: the same; after each hit the same search within its file, and the four best other hits there.
- agrama, whole files: the same search; the file of each hit is read from its start, 2,000 lines at most.
- ripgrep, whole files: matches per file of the identifiers in the text, then of its other words, long and repeated ones first; each file is read
  from its start, 2,000 lines at most.
- ripgrep, windows: the same search; of each file the 80 lines with most matches.

Bug reports are searched in the Python files of their own commit, test files passed over by all."""
Results = Mapping[str, Any]
Read = Callable[[str], float | None]


class Line(NamedTuple):
    """One row of the comparison; `show` writes a value, `better` picks the best."""

    title: str
    read: Read
    show: Callable[[float], str]
    better: Callable[[Iterable[float]], float] = min


def make_sections(found: Results) -> str:
    """What follows the promises in docs/performance.md."""
    makers = {
        "promises-django": make_calls,
        "growth": make_growth,
        "concurrency": make_concurrency,
        "agent_cost": make_agent_cost,
    }
    sections = [make(found[name]) for name, make in makers.items() if name in found]
    return (make_rivals(found) if "rivals" in found else "") + "".join(sections)


def make_readme(found: Results) -> str:
    """The short form: the comparison, what an agent saves, two pictures."""
    parts = []
    if "rivals" in found:
        parts += [_introduce(found), "![Latency beside other tools](docs/latency.svg)\n"]
    if "agent_cost" in found:
        parts.append(_say_cost(found["agent_cost"]))
    if "growth" in found:
        parts.append("![Cost over size of the code](docs/growth.svg)\n")
    return "\n".join(parts)


def compare(found: Results) -> list[Line]:
    baselines = found["rivals"]["figures"]["baselines"]
    rated = (
        found["quality"]["figures"]
        if "quality" in found
        else {"callers": {}, "retrieval": {"ndcg10": {}}}
    )

    def timed(operation: str) -> Read:
        def read(name: str) -> float | None:
            row = baselines[name]["microseconds"].get(operation)
            return row["p50"] / 1000 if row else None

        return read

    def index(field: str) -> Read:
        return lambda name: (baselines[name]["index"] or {}).get(field)

    def callers(field: str) -> Read:
        return lambda name: rated["callers"].get(name, {}).get(field)

    return [
        Line("index, s", index("wall_seconds"), lambda v: f"{v:.1f}"),
        Line("its peak memory, MB", index("peak_pss_megabytes"), lambda v: f"{v:,.0f}"),
        Line("server's memory, MB", lambda n: baselines[n]["server_megabytes"], lambda v: f"{v:,.0f}"),
        *(Line(f"{title}, ms", timed(name), lambda v: f"{v:.2f}") for name, title in OPERATIONS.items()),
        Line("right files, NDCG@10", lambda n: rated["retrieval"]["ndcg10"].get(n), lambda v: f"{v:.3f}", max),
        Line("right callers, precision", callers("precision"), lambda v: f"{v:.3f}", max),
        Line("right callers, recall", callers("recall"), lambda v: f"{v:.3f}", max),
    ]  # fmt: skip


def make_comparison(found: Results) -> str:
    """The table of everybody, and the rows in which we are not the best."""
    rivals = found["rivals"]
    names = list(rivals["figures"]["baselines"])
    versions = [f"{name} {rivals['figures']['baselines'][name]['version']}" for name in names]
    text = "| | " + " | ".join(versions) + " |\n|---|" + "---|" * len(names) + "\n"
    behind = []
    for line in compare(found):
        values = {name: line.read(name) for name in names}
        known = [value for value in values.values() if value is not None]
        if not known:
            continue
        best = line.better(known)
        cells = [_cell(value, best, line) for value in values.values()]
        text += f"| {line.title} | " + " | ".join(cells) + " |\n"
        if values["agrama"] != best:
            winner = next(name for name, value in values.items() if value == best)
            what = line.title if line.better is max else line.title.rpartition(",")[0]
            behind.append(f"{what} ({winner})")
    sentence = (
        "We are not the best at: " + "; ".join(behind)
        if behind
        else "No row has a better figure than ours"
    )
    said = f"{sentence}. A dash: it has no such tool, or no such answer."
    return f"{text}\n{textwrap.fill(said, 118)}\n"


def _cell(value: float | None, best: float, line: Line) -> str:
    if value is None:
        return "–"
    return f"**{line.show(value)}**" if value == best else line.show(value)


def _introduce(found: Results) -> str:
    rivals = found["rivals"]
    text = (
        f"{rivals['figures']['repository'].capitalize()}, the same client, one interleaved run on {rivals['machine']['cores']} cores, "
        f"nothing from a cache; medians over real stdio\n(`{rivals['command']}`)."
    )
    if "quality" in found:
        quality = found["quality"]
        count = len(quality["figures"]["retrieval"]["repositories"]["agrama"])
        text += (
            f" Right files are those that others labelled, in {count} repositories;\nright callers are those of type "
            f"checkers (`{quality['command']}`)."
        )
    return f"{text}\n\n{make_comparison(found)}\n{_list_notes(found)}"


def make_rivals(found: Results) -> str:
    """Percentiles, what each lacks, and what must be known of it."""
    rows = found["rivals"]["figures"]["baselines"]
    text = f"\n## Beside other tools\n\n{_introduce(found)}\nP50 / P95 in ms:\n\n"
    text += "| | " + " | ".join(OPERATIONS.values()) + " |\n|---|" + "---|" * len(OPERATIONS) + "\n"
    for name, row in rows.items():
        cells = [_percentiles(row["microseconds"].get(operation)) for operation in OPERATIONS]
        text += f"| {name} | " + " | ".join(cells) + " |\n"
    text += "\n![Latency beside other tools](latency.svg)\n\n"
    if "quality" in found:
        text += "![Quality and latency](quality.svg)\n\n"
    return text


def _list_notes(found: Results) -> str:
    """What a reader of each one's figures must know."""
    text = ""
    for name, row in found["rivals"]["figures"]["baselines"].items():
        said = [
            row["note"],
            _join("no tool for: ", [OPERATIONS[each] for each in row["lacks"]]),
            _failures(row),
        ]
        if any(said):
            text += f"- {name}: {'; '.join(filter(None, said))}.\n"
    return text


def _percentiles(row: Mapping[str, float] | None) -> str:
    return f"{row['p50'] / 1000:.2f} / {row['p95'] / 1000:.2f}" if row else "–"


def _join(before: str, words: list[str]) -> str:
    return before + ", ".join(words) if words else ""


def _failures(row: Any) -> str:
    failed = {
        name: timed["failed"] for name, timed in row["microseconds"].items() if timed["failed"]
    }
    only = [name for name in row["first_errors"] if name not in row["microseconds"]]
    parts = [
        f"{count} of {int(row['microseconds'][name]['calls']) + count} calls for “{OPERATIONS[name]}” failed"
        for name, count in failed.items()
    ]
    parts += [f"every call for “{OPERATIONS[name]}” failed" for name in only]
    return "; ".join([*parts, row["failure"]] if row["failure"] else parts)  # fmt: skip


def make_calls(bench: Any) -> str:
    """Every tool in every mode beside its floor, as `agrama bench` measures them."""
    figures = bench["figures"]
    index, starts, speed = figures["index"], figures["cold_start_us"], figures["calls_per_second"]
    memory = figures["memory_kb"]["server"]["resident"] / 1024
    text = (
        f"\n## A call in every mode\n\n`agrama bench --repo {figures['repository']}`, as anyone runs it on code of their own "
        f"(kept by `{bench['command']}`). Times in ms; a floor\nis a bare echo of as many bytes, timed in the same rounds, and the official "
        f"SDK's server echoing 1 KB takes {figures['sdk_us']['p50'] / 1000:.2f} ms. Cold is a server's first call of\nthe tool, uncached never "
        "the same call twice, cached always the same, paced uncached after a pause of 5 ms.\n\n"
        f"Index {index['seconds']:.1f} s ({index['cpu_seconds']:.1f} s of processor time). From spawning to the first reply "
        f"{starts['agrama']['p50'] / 1000:.0f} ms; bare Python {starts['echo']['p50'] / 1000:.0f}, the official SDK {starts['sdk']['p50'] / 1000:.0f}.\n"
        f"The server's resident memory, warm: {memory:,.0f} MB, mapped index files included. Pipelined, four tools in turn: {speed['working_set']:,.0f} calls/s "
        f"over a working\nset of 100 calls, {speed['uncached']:,.0f} calls/s when no two are alike.\n\n"
    )
    text += (
        "| tool | mode | P50 | P95 | P99 | floor P50 | over it |\n|---|---|---|---|---|---|---|\n"
    )
    for tool, modes in figures["tools"].items():
        for mode in ("cold", "uncached", "cached", "paced"):
            if mode in modes:
                text += f"| `{tool}` | {mode} | {_describe_mode(modes[mode], modes['floor'], cold=mode == 'cold')} |\n"
    return text


def _describe_mode(row: Mapping[str, float], floor: Mapping[str, float], *, cold: bool) -> str:
    cells = [f"{row[name] / 1000:.3f}" for name in ("p50", "p95", "p99")]
    # A warm floor says nothing of a first call.
    ratio = "–" if cold else f"{row['p50'] / floor['p50']:.1f} ×"
    return " | ".join([*cells, f"{floor['p50'] / 1000:.3f}", ratio])


def make_growth(growth: Any) -> str:
    head = "| size | files | index, s | its peak, MB | search P50, ms | search P95, ms | server, MB | an edit is visible after, ms: median, worst |\n"
    text = f"\n## Growth\n\nSo many copies of {growth['figures']['repository'].capitalize()} (`{growth['command']}`).\n\n"
    text += head + "|---|" + "---|" * 7 + "\n"
    for row in growth["figures"]["sizes"]:
        text += (
            f"| {row['times']} × | {row['files']:,} | {row['index_seconds']:.1f} | {row['index_peak_megabytes']:,.0f} | "
            f"{row['search_p50_ms']:.2f} | {row['search_p95_ms']:.2f} | {row['server_megabytes']:,.0f} | {row['edit_p50_ms']:,.0f}, {row['edit_worst_ms']:,.0f} |\n"
        )
    return text + "\n![Cost over size](growth.svg)\n"


def make_concurrency(result: Any) -> str:
    text = f"\n## Many clients\n\nEach with a server of its own on one index, asking without a pause, on {result['machine']['cores']} cores\n(`{result['command']}`).\n\n"
    text += "| clients | calls/s | P50, ms | P95, ms | P99, ms | all servers, MB |\n|---|---|---|---|---|---|\n"
    for row in result["figures"]["clients"]:
        text += f"| {row['clients']} | {row['calls_per_second']:,} | {row['p50_ms']:.2f} | {row['p95_ms']:.2f} | {row['p99_ms']:.2f} | {row['all_servers_megabytes']:,.0f} |\n"
    return text


def _say_cost(cost: Any) -> str:
    """Tokens until the right code was read, ours and theirs."""
    text = (
        "Tokens (calls, share found) until an agent has read the right file, or the right function, mean; fixed\n"
        "[policies](docs/performance.md#what-it-saves-an-agent), no language model:\n\n"
    )
    policies = [name for name in cost["figures"]["retrieval"]["file"] if name != "tasks"]
    text += "| | " + " | ".join(policies) + " |\n|---|" + "---|" * len(policies) + "\n"
    for name, what in COST_SETS.items():
        for goal, rows in cost["figures"][name].items():
            if goal != "tasks":
                cells = [_cost_cell(rows[policy]) for policy in policies]
                text += f"| {rows['tasks']} {what}, {goal} | " + " | ".join(cells) + " |\n"
    return text


def _cost_cell(row: Mapping[str, float]) -> str:
    return f"{row['mean_tokens']:,} ({row['mean_calls']:g}, {100 * row['met']:.0f} %)"


def make_agent_cost(cost: Any) -> str:
    """The table and the policies that made it."""
    text = f"\n## What it saves an agent\n\n{COST_POLICY}\n(`{cost['command']}`)\n\n"
    text += "| tasks | until | policy | found | calls, median | calls, mean | tokens, median | tokens, mean |\n"
    text += "|---|---|---|---|---|---|---|---|\n"
    for name, what in COST_SETS.items():
        for goal in ("file", "function"):
            rows = cost["figures"][name][goal]
            for policy, row in rows.items():
                if policy != "tasks":
                    text += (
                        f"| {rows['tasks']} {what} | {goal} | {policy} | {100 * row['met']:.0f} % | {row['median_calls']:g} | "
                        f"{row['mean_calls']:g} | {row['median_tokens']:,} | {row['mean_tokens']:,} |\n"
                    )
    return text


def make_pictures(found: Results) -> dict[str, str]:
    """SVG by file name."""
    pictures = {}
    if "rivals" in found:
        pictures["latency.svg"] = _draw_latency(found["rivals"])
    if "growth" in found:
        pictures["growth.svg"] = _draw_growth(found["growth"])
    if "rivals" in found and "quality" in found:
        pictures["quality.svg"] = _draw_quality(found["rivals"], found["quality"])
    return pictures


def _read_medians(rivals: Any, operation: str) -> dict[str, float]:
    rows = rivals["figures"]["baselines"].items()
    timed = {name: row["microseconds"].get(operation) for name, row in rows}
    return {name: row["p50"] / 1000 for name, row in timed.items() if row}


def _draw_latency(rivals: Any) -> str:
    groups = {title: _read_medians(rivals, operation) for operation, title in OPERATIONS.items()}
    repository = rivals["figures"]["repository"].capitalize()
    return draw_bars(f"One call on {repository}, median, logarithmic", groups, "ms")


def _draw_growth(growth: Any) -> str:
    sizes = growth["figures"]["sizes"]
    fields = {
        "index, s": "index_seconds",
        "index peak, MB": "index_peak_megabytes",
        "search P50, ms": "search_p50_ms",
        "edit visible, ms": "edit_p50_ms",
    }
    lines = {title: [row[field] for row in sizes] for title, field in fields.items()}
    title = "Cost over size of the code, as a multiple"
    return draw_lines(title, [row["times"] for row in sizes], lines)


def _draw_quality(rivals: Any, quality: Any) -> str:
    medians = _read_medians(rivals, "search")
    scores = quality["figures"]["retrieval"]["ndcg10"].items()
    points = [Point(name, medians[name], score) for name, score in scores if name in medians]
    title = "Right files and the time to find them"
    return draw_scatter(title, points, "search, median ms", "NDCG@10")
