"""query_history: the commits that changed a file or a symbol, with their diffs on request."""

from typing import TYPE_CHECKING, Any

from agrama.context import Context
from agrama.graph.model import Kind
from agrama.jail import normalize_path
from agrama.protocol.content import ToolResult
from agrama.registry import Tool
from agrama.tools.answers import Budget
from agrama.tools.places import find_one
from agrama.tools.shared import existing_hub

if TYPE_CHECKING:
    from agrama.git import Commit
    from agrama.workspace import Workspace


def run(context: Context, arguments: dict[str, Any]) -> ToolResult:
    from agrama.git import NoHistoryError, read_log

    workspace: Workspace = context.services
    lines, path = _selection(context, arguments)
    missing, commits = "", []
    try:
        commits = read_log(
            workspace.root,
            *lines,
            paths=[path] if path and not lines else [],
            limit=arguments["limit"],
            since=arguments.get("since"),
            until=arguments.get("until"),
            with_diff=arguments["include_diff"],
        )
    except NoHistoryError as error:  # what agents wrote is known all the same
        missing = error.message
    omitted: dict[str, int] = {}
    rows = Budget(context.budget_tokens).take(map(describe_commit, commits), omitted, "commits")
    answer: dict[str, Any] = {
        "commits": rows,
        "writes": _writes(context, path, arguments["limit"]),
    }
    if missing:
        answer["history_missing"] = missing
    if omitted:
        answer["omitted"] = omitted
    return ToolResult(structured=answer, text=_render(answer))


def _writes(context: Context, path: str | None, limit: int) -> list[dict[str, Any]]:
    """What agents wrote through write_code, and why."""
    hub = existing_hub(context)
    if hub is None or path is None:
        return []
    from agrama.session.writes import read_writes

    return read_writes(hub, path, limit)


def _selection(context: Context, arguments: dict[str, Any]) -> tuple[list[str], str | None]:
    """What to ask for: the lines of a symbol, and its file or another; neither means everything."""
    if "symbol" in arguments:
        symbol = find_one(context.snapshot, arguments["symbol"])
        if symbol.path is not None and symbol.kind is not Kind.FILE:
            return [f"-L{symbol.body_line},{symbol.end_line}:{symbol.path}"], symbol.path
        return [], symbol.path or symbol.id
    if "path" in arguments:
        return [], normalize_path(context.services.root, arguments["path"])
    return [], None


def describe_commit(commit: "Commit") -> dict[str, Any]:
    """A row of history, as COMMIT_SCHEMA says."""
    row: dict[str, Any] = {
        "commit": commit.commit,
        "author": commit.author,
        "date": commit.date,
        "subject": commit.subject,
    }
    if commit.files:
        row["files"] = len(commit.files)
        row["added"] = sum(added or 0 for added, _ in commit.files.values())
        row["deleted"] = sum(deleted or 0 for _, deleted in commit.files.values())
    if commit.diff:
        row["diff"] = commit.diff
    return row


def render_commit(row: dict[str, Any]) -> str:
    """One commit as a line of text."""
    lines = f" (+{row['added']} -{row['deleted']})" if "added" in row else ""
    return f"{row['commit'][:12]} {row['date'][:10]} {row['author']}: {row['subject']}{lines}"


def _render(answer: dict[str, Any]) -> str:
    parts = [
        f"{row['timestamp']} {row.get('agent_id', 'an agent')} wrote {row['path']}: {row['reason']}"
        for row in answer["writes"]
    ]
    if "history_missing" in answer:
        parts.append(f"no commits: {answer['history_missing']}")
    elif not answer["commits"]:
        parts.append("No commit changed this in the time asked for.")
    for row in answer["commits"]:
        parts.append(render_commit(row))
        if "diff" in row:
            parts.append(row["diff"])
    if "omitted" in answer:
        parts.append(f"(left out for max_tokens: {answer['omitted']['commits']} commits)")
    return "\n".join(parts)


COMMIT_SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {
        "commit": {"type": "string"},
        "author": {"type": "string"},
        "date": {"type": "string"},
        "subject": {"type": "string"},
        "files": {"type": "integer"},
        "added": {"type": "integer"},
        "deleted": {"type": "integer"},
        "diff": {"type": "string"},
    },
    "required": ["commit", "author", "date", "subject"],
}

TOOL = Tool(
    name="query_history",
    title="Query history",
    description="The commits that changed a file, a symbol (its lines) or the repository, newest first.",
    run=run,
    input_schema={
        "type": "object",
        "properties": {
            "path": {"type": "string"},
            "symbol": {"type": "string"},
            "since": {"type": "string", "description": "date, or '2 weeks ago'"},
            "until": {"type": "string"},
            "limit": {"type": "integer", "minimum": 1, "maximum": 500, "default": 20},
            "include_diff": {"type": "boolean", "default": False},
            "max_tokens": {"type": "integer", "default": 8000},
        },
    },
    output_schema={
        "type": "object",
        "properties": {
            "writes": {"type": "array", "items": {"type": "object"}},
            "commits": {"type": "array", "items": COMMIT_SCHEMA},
            "history_missing": {"type": "string"},
            "omitted": {"type": "object", "additionalProperties": {"type": "integer"}},
        },
        "required": ["commits"],
    },
    annotations={"readOnlyHint": True, "openWorldHint": False},
    toolset="analysis",
    slow=True,
    aliases={"file_path": "path"},
)
