"""analyze_complexity: how hard functions are to follow, and which files hold the hardest."""

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from agrama.context import Context
from agrama.graph.model import Kind
from agrama.protocol.content import ToolResult
from agrama.registry import Tool
from agrama.tools.answers import Budget
from agrama.tools.freshness import STALE_SCHEMA, note_freshness
from agrama.tools.places import files_beneath

if TYPE_CHECKING:
    from agrama.graph.snapshot import Snapshot

_METRICS = ("cyclomatic", "cognitive", "nesting", "lines", "parameters", "halstead")
_NUMBER = {"type": ["number", "null"]}


def run(context: Context, arguments: dict[str, Any]) -> ToolResult:
    snapshot = context.snapshot
    paths = files_beneath(context.services, snapshot, arguments.get("path"))
    functions: list[dict[str, Any]] = []
    unmeasured = 0
    for path in paths:
        context.check()
        for row in _functions(snapshot, path, arguments.get("language")):
            if row["cyclomatic"] is None:
                unmeasured += 1
            else:
                functions.append(row)
    order = arguments["sort"]
    functions.sort(key=lambda row: (-(row[order] or 0), row["symbol"]))
    omitted: dict[str, int] = {}
    budget = Budget(context.budget_tokens)
    violations = [row for row in functions if _violates(row, arguments)]
    answer: dict[str, Any] = {
        "summary": _summarize(functions, unmeasured),
        "violations": budget.take(violations, omitted, "violations"),
    }
    ranked = _rank_files(functions)
    if "top_files" in arguments:
        answer["top_files"] = _take_ranks(ranked, arguments["top_files"])
        budget.spend(len(str(answer["top_files"])))
    shown = functions[: arguments["limit"]]
    answer["functions"] = budget.take(shown, omitted, "functions")
    answer["files"] = budget.take(ranked[: arguments["limit"]], omitted, "files")
    if omitted:
        answer["omitted"] = omitted
    note_freshness(context, answer, {_file(row) for row in answer["functions"]})
    return ToolResult(structured=answer, text=_render(answer, order, arguments["format"]))


def _functions(snapshot: "Snapshot", path: str, language: str | None) -> Iterable[dict[str, Any]]:
    for symbol in snapshot.symbols_in(path):
        if symbol.kind not in (Kind.FUNCTION, Kind.METHOD):
            continue
        if language is not None and symbol.language != language:
            continue
        metrics = symbol.metrics or {}
        yield {
            "symbol": symbol.id,
            "start_line": symbol.start_line,
            **{name: metrics.get(name) for name in _METRICS},
        }


def _violates(row: dict[str, Any], arguments: dict[str, Any]) -> bool:
    return any(
        row[name] > arguments[f"max_{name}"]
        for name in ("cyclomatic", "cognitive")
        if f"max_{name}" in arguments and row[name] is not None
    )


def _summarize(functions: list[dict[str, Any]], unmeasured: int) -> dict[str, Any]:
    summary: dict[str, Any] = {"functions": len(functions), "not_measured": unmeasured}
    for name in ("cyclomatic", "cognitive"):
        values = [row[name] for row in functions if row[name] is not None]
        summary[f"max_{name}"] = max(values, default=None)
        summary[f"avg_{name}"] = round(sum(values) / len(values), 2) if values else None
    return summary


def _rank_files(functions: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Files by the sum of what their functions ask of a reader."""
    files: dict[str, list[dict[str, Any]]] = {}
    for row in functions:
        files.setdefault(_file(row), []).append(row)
    return sorted(
        (_describe_file(path, rows) for path, rows in files.items()),
        key=lambda row: (-row["total_score"], row["file"]),
    )


def _take_ranks(ranked: list[dict[str, Any]], wanted: int) -> dict[str, Any]:
    rankings = [{"rank": rank, **row} for rank, row in enumerate(ranked[:wanted], 1)]
    return {"requested": wanted, "returned": len(rankings), "rankings": rankings}


def _describe_file(path: str, rows: list[dict[str, Any]]) -> dict[str, Any]:
    cognitive = [row["cognitive"] or 0 for row in rows]
    return {
        "file": path,
        "function_count": len(rows),
        "max_cyclomatic": max(row["cyclomatic"] for row in rows),
        "avg_cognitive": round(sum(cognitive) / len(rows), 2),
        "halstead_effort": round(sum(row["halstead"] or 0 for row in rows), 2),
        "total_score": sum(row["cyclomatic"] for row in rows) + sum(cognitive),
    }


def _file(row: dict[str, Any]) -> str:
    path: str = row["symbol"].partition("::")[0]
    return path


def _render(answer: dict[str, Any], order: str, form: str) -> str:
    summary = answer["summary"]
    parts = [
        f"{summary['functions']} functions measured, {summary['not_measured']} not; "
        f"cyclomatic at most {summary['max_cyclomatic']}, cognitive at most {summary['max_cognitive']}"
    ]
    for title in ("violations", "functions"):
        if answer[title]:
            parts.append(f"{title}, by {order}:")
            parts += _table(answer[title]) if form == "table" else map(_line, answer[title])
    for row in answer.get("top_files", {}).get("rankings", ()):
        parts.append(
            f"{row['rank']}. {row['file']} score {row['total_score']}, {row['function_count']} functions"
        )
    if "omitted" in answer:
        left = ", ".join(f"{count} {name}" for name, count in answer["omitted"].items())
        parts.append(f"(left out for max_tokens: {left})")
    return "\n".join(parts)


def _table(rows: list[dict[str, Any]]) -> list[str]:
    """The same aligned, with every number."""
    heads = [*_METRICS, "symbol"]
    cells = [[*(str(row[name]) for name in _METRICS), row["symbol"]] for row in rows]
    widths = [max(map(len, column)) for column in zip(heads, *cells, strict=True)]
    return [
        " ".join(cell.rjust(width) for cell, width in zip(line[:-1], widths[:-1], strict=True))
        + f"  {line[-1]}"
        for line in (heads, *cells)
    ]


def _line(row: dict[str, Any]) -> str:
    numbers = " ".join(f"{name} {row[name]}" for name in _METRICS[:4])
    return f"  {row['symbol']}:{row['start_line']} {numbers}"


_ROW = {
    "type": "object",
    "properties": {
        "symbol": {"type": "string"},
        "start_line": {"type": "integer"},
        **dict.fromkeys(_METRICS, _NUMBER),
    },
    "required": ["symbol", *_METRICS],
}

_FILE: dict[str, Any] = {
    "type": "object",
    "properties": {
        "file": {"type": "string"},
        "function_count": {"type": "integer"},
        "max_cyclomatic": {"type": "number"},
        "avg_cognitive": {"type": "number"},
        "halstead_effort": {"type": "number"},
        "total_score": {"type": "number"},
    },
    "required": ["file", "function_count", "total_score"],
}
_RANKED = {**_FILE, "properties": {"rank": {"type": "integer"}, **_FILE["properties"]}}

TOOL = Tool(
    name="analyze_complexity",
    title="Analyze complexity",
    description=(
        "Cyclomatic, cognitive and Halstead numbers, nesting and size per function; the worst "
        "first; files ranked (top_files); what exceeds given limits."
    ),
    run=run,
    input_schema={
        "type": "object",
        "properties": {
            "path": {"type": "string", "description": "a file or folder (default: everything)"},
            "language": {"type": "string"},
            "top_files": {"type": "integer", "minimum": 1, "maximum": 1000},
            "max_cyclomatic": {"type": "number"},
            "max_cognitive": {"type": "number"},
            "format": {"enum": ["json", "table"], "default": "json"},
            "sort": {"enum": list(_METRICS), "default": "cognitive"},
            "limit": {"type": "integer", "minimum": 0, "maximum": 10000, "default": 20},
            "max_tokens": {"type": "integer", "default": 8000},
        },
    },
    output_schema={
        "type": "object",
        "properties": {
            "summary": {"type": "object", "additionalProperties": _NUMBER},
            "functions": {"type": "array", "items": _ROW},
            "files": {"type": "array", "items": _FILE},
            "violations": {"type": "array", "items": _ROW},
            "top_files": {
                "type": "object",
                "properties": {
                    "requested": {"type": "integer"},
                    "returned": {"type": "integer"},
                    "rankings": {"type": "array", "items": _RANKED},
                },
                "required": ["requested", "returned", "rankings"],
            },
            "omitted": {"type": "object", "additionalProperties": {"type": "integer"}},
            **STALE_SCHEMA,
        },
        "required": ["summary", "functions", "violations"],
    },
    annotations={"readOnlyHint": True, "openWorldHint": False},
    toolset="analysis",
    slow=True,
    cacheable=True,
    aliases={"project_path": "path", "toolchain": "language"},
)
