"""analyze_code_churn: what changes often, what changes together, and where that meets complexity."""

from collections import Counter
from itertools import combinations
from typing import TYPE_CHECKING, Any

from agrama.context import Context
from agrama.graph.model import Kind
from agrama.jail import normalize_path
from agrama.protocol.content import ToolResult
from agrama.registry import Tool
from agrama.tools.answers import Budget

if TYPE_CHECKING:
    from agrama.git import Commit
    from agrama.graph.snapshot import Snapshot

_MAX_COMMITS = 5_000
# A commit that touches more files than this is a sweep, not a sign that they belong together.
_SWEEP = 30
_TOGETHER = 2


def run(context: Context, arguments: dict[str, Any]) -> ToolResult:
    from agrama.git import read_log

    root = context.services.root
    path = normalize_path(root, arguments["path"]) if "path" in arguments else ""
    commits = read_log(
        root,
        paths=[path] if path else [],
        limit=_MAX_COMMITS,
        since=f"{arguments['period_days']} days ago",
    )
    limit = arguments["limit"]
    files = _files(commits)
    omitted: dict[str, int] = {}
    budget = Budget(context.budget_tokens)
    answer: dict[str, Any] = {
        "period_days": arguments["period_days"],
        "commits": len(commits),
        "files": budget.take(files[:limit], omitted, "files"),
        "hotspots": budget.take(_hotspots(context.snapshot, files)[:limit], omitted, "hotspots"),
        "co_changes": budget.take(_pairs(commits)[:limit], omitted, "co_changes"),
    }
    if len(commits) == _MAX_COMMITS:
        answer["truncated"] = True
    if omitted:
        answer["omitted"] = omitted
    return ToolResult(structured=answer, text=_render(answer))


def _files(commits: "list[Commit]") -> list[dict[str, Any]]:
    rows: dict[str, dict[str, Any]] = {}
    authors: dict[str, set[str]] = {}
    for commit in commits:
        for path, (added, deleted) in commit.files.items():
            row = rows.setdefault(path, {"path": path, "commits": 0, "added": 0, "deleted": 0})
            row["commits"] += 1
            row["added"] += added or 0
            row["deleted"] += deleted or 0
            authors.setdefault(path, set()).add(commit.email)
    for path, row in rows.items():
        row["authors"] = len(authors[path])
        row["score"] = row["commits"] * (row["added"] + row["deleted"])
    return sorted(rows.values(), key=lambda row: (-row["score"], row["path"]))


def _hotspots(snapshot: "Snapshot", files: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Where frequent change meets complexity: commits times cognitive complexity."""
    rows = []
    for file in files:
        cognitive = sum(
            (symbol.metrics or {}).get("cognitive") or 0
            for symbol in snapshot.symbols_in(file["path"])
            if symbol.kind in (Kind.FUNCTION, Kind.METHOD)
        )
        if cognitive:
            score = file["commits"] * cognitive
            rows.append({"path": file["path"], "commits": file["commits"], "cognitive": cognitive, "score": score})  # fmt: skip
    return sorted(rows, key=lambda row: (-row["score"], row["path"]))


def _pairs(commits: "list[Commit]") -> list[dict[str, Any]]:
    """Files that changed in the same commits, and how often one did without the other."""
    together: Counter[tuple[str, str]] = Counter()
    alone: Counter[str] = Counter()
    for commit in commits:
        if len(commit.files) <= _SWEEP:
            alone.update(list(commit.files))
            together.update(combinations(sorted(commit.files), 2))
    rows = [
        {"paths": list(pair), "commits": count, "share": round(count / min(map(alone.__getitem__, pair)), 2)}
        for pair, count in together.items()
        if count >= _TOGETHER
    ]  # fmt: skip
    return sorted(rows, key=lambda row: (-row["commits"] * row["share"], row["paths"]))


def _render(answer: dict[str, Any]) -> str:
    parts = [f"{answer['commits']} commits in {answer['period_days']} days"]
    for row in answer["files"]:
        parts.append(
            f"{row['path']}: {row['commits']} commits by {row['authors']}, +{row['added']} -{row['deleted']}"
        )
    for row in answer["hotspots"]:
        parts.append(
            f"hotspot {row['path']}: {row['commits']} commits × cognitive {row['cognitive']}"
        )
    for row in answer["co_changes"]:
        parts.append(f"together {row['commits']} times: {' + '.join(row['paths'])}")
    if answer.get("truncated"):
        parts.append(f"(only the newest {_MAX_COMMITS} commits were read)")
    if "omitted" in answer:
        left = ", ".join(f"{count} {name}" for name, count in answer["omitted"].items())
        parts.append(f"(left out for max_tokens: {left})")
    return "\n".join(parts)


_COUNT = {"type": "integer"}
_ROWS = {"type": "array", "items": {"type": "object"}}

TOOL = Tool(
    name="analyze_code_churn",
    title="Analyze churn",
    description=(
        "Which files change most, hotspots where frequent change meets complexity, and files that "
        "change together, from git history."
    ),
    run=run,
    input_schema={
        "type": "object",
        "properties": {
            "path": {"type": "string", "description": "a file or folder (default: everything)"},
            "period_days": {"type": "integer", "minimum": 1, "maximum": 36500, "default": 30},
            "limit": {"type": "integer", "minimum": 1, "maximum": 1000, "default": 20},
            "max_tokens": {"type": "integer", "default": 8000},
        },
    },
    output_schema={
        "type": "object",
        "properties": {
            "period_days": {"type": "integer"},
            "commits": {"type": "integer"},
            "files": {
                "type": "array",
                "items": {
                    "type": "object",
                    "properties": {
                        "path": {"type": "string"},
                        **dict.fromkeys(("commits", "added", "deleted", "score"), _COUNT),
                        "authors": {},
                    },
                    "required": ["path", "commits", "added", "deleted", "authors", "score"],
                },
            },
            "hotspots": _ROWS,
            "co_changes": _ROWS,
            "truncated": {"type": "boolean"},
            "omitted": {"type": "object", "additionalProperties": {"type": "integer"}},
        },
        "required": ["commits", "files", "hotspots", "co_changes"],
    },
    annotations={"readOnlyHint": True, "openWorldHint": False},
    toolset="analysis",
    slow=True,
)
