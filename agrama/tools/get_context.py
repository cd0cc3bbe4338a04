"""get_context: what to know before starting a task, in one budgeted answer."""

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from agrama.context import Context
from agrama.errors import ToolError
from agrama.jail import normalize_path
from agrama.protocol.content import ToolResult
from agrama.registry import Tool
from agrama.tools.answers import BYTES_PER_TOKEN, Budget
from agrama.tools.freshness import STALE_SCHEMA, note_freshness
from agrama.tools.places import find_one
from agrama.tools.shared import add_shared, depend_on_head, existing_hub

if TYPE_CHECKING:
    from agrama.graph.snapshot import Snapshot
    from agrama.workspace import Workspace

_TYPES = ("project", "recent_changes", "active_sessions", "decisions", "performance", "errors")
_DEFAULT_TYPES = _TYPES[:4]
_FOUND = 12
_COMMITS = 10
# Shares of the budget; what one part leaves, the next may use.
_RELEVANT_SHARE = 0.5
_MAP_SHARE = 0.3


def run(context: Context, arguments: dict[str, Any]) -> ToolResult:
    workspace: Workspace = context.services
    snapshot = context.snapshot
    wanted = frozenset(arguments.get("context_types") or _DEFAULT_TYPES)
    given = _given(workspace, snapshot, arguments)
    size = context.budget_tokens * BYTES_PER_TOKEN
    found = _search(snapshot, arguments.get("task"), [row["path"] for row in given])
    omitted: dict[str, int] = {}
    relevant = Budget(int(context.budget_tokens * _RELEVANT_SHARE)).take(
        _unique(given + found), omitted, "relevant"
    )
    seeds = {row["path"]: row["score"] for row in reversed(relevant)}
    answer: dict[str, Any] = {"relevant": relevant}
    if "project" in wanted:
        from agrama.graph.repo_map import draw_map, rank_files

        answer["repo_map"] = draw_map(snapshot, rank_files(snapshot, seeds), int(size * _MAP_SHARE))
    context.check()
    if "recent_changes" in wanted:
        depend_on_head(context)
        answer["recent_changes"] = _recent_changes(workspace, arguments, list(seeds))
    add_shared(context, answer, list(seeds), with_decisions="decisions" in wanted)
    answer["claims"] = answer.pop("collaborative_context", {}).get("claims", [])
    if "active_sessions" in wanted:
        answer["sessions"] = _sessions(context)
    if "time_range" in arguments or wanted & {"performance", "errors"}:
        context.expire_in(0)  # what they tell changes with time alone
    if wanted & {"performance", "errors"} and context.report is not None:
        answer["server"] = context.report()
    if omitted:
        answer["omitted"] = omitted
    note_freshness(context, answer, list(seeds))
    return ToolResult(structured=answer, text=_render(answer))


def _given(
    workspace: "Workspace", snapshot: "Snapshot", arguments: dict[str, Any]
) -> list[dict[str, Any]]:
    """The places the caller named."""
    if not any(name in arguments for name in ("task", "paths", "symbols")):
        raise ToolError(
            "give task (what you are about to do), paths or symbols",
            data={"parameter": "task", "expected": "task, paths or symbols"},
        )
    names = [normalize_path(workspace.root, path) for path in arguments.get("paths", ())]
    symbols = [find_one(snapshot, name, "paths") for name in names]
    symbols += [find_one(snapshot, name) for name in arguments.get("symbols", ())]
    return [
        {
            "path": symbol.path,
            "start_line": symbol.body_line,
            "end_line": symbol.end_line,
            "symbol": symbol.id,
            "score": 1.0,
            "signature": symbol.signature,
        }
        for symbol in symbols
        if symbol.path is not None
    ]


def _search(snapshot: "Snapshot", task: str | None, paths: list[str]) -> list[dict[str, Any]]:
    if not task:
        return []
    from agrama.graph.search import hybrid_search

    found = hybrid_search(snapshot, task, max_results=_FOUND, context_files=tuple(paths))
    best = found.hits[0].score if found.hits else 1.0
    return [
        {
            "path": hit.path,
            "start_line": hit.start_line,
            "end_line": hit.end_line,
            "symbol": hit.symbol,
            "score": round(hit.score / best, 4) if best else 0.0,
            "snippet": hit.snippet or "",
        }
        for hit in found.hits
    ]


def _unique(rows: list[dict[str, Any]]) -> Iterable[dict[str, Any]]:
    seen = set()
    for row in rows:
        place = row["path"], row["start_line"]
        if place not in seen:
            seen.add(place)
            yield row


def _recent_changes(
    workspace: "Workspace", arguments: dict[str, Any], paths: list[str]
) -> list[dict[str, Any]]:
    """The newest commits to the files at hand; a repository without git has none."""
    from agrama.git import read_log, recent_commits

    since = arguments.get("time_range")
    try:
        if since:
            commits = read_log(workspace.root, paths=paths, limit=_COMMITS, since=since)
        else:
            commits = [
                each
                for each in recent_commits(workspace.root)
                if not each.files.keys().isdisjoint(paths)
            ]
    except ToolError:
        return []
    return [
        {"commit": each.commit, "author": each.author, "date": each.date, "subject": each.subject}
        for each in commits[:_COMMITS]
    ]


def _sessions(context: Context) -> list[dict[str, Any]]:
    hub = existing_hub(context)
    if hub is None:
        return []
    from agrama.session.related import active_sessions

    with hub.read() as rows:
        return active_sessions(rows)


def _render(answer: dict[str, Any]) -> str:
    parts = []
    for row in answer["relevant"]:
        parts.append(f"{row['path']}:{row['start_line']}-{row['end_line']} {row['symbol'] or ''}")
        if row.get("snippet"):
            parts.append(row["snippet"].rstrip("\n"))
    if answer.get("repo_map"):
        parts += ["map:", answer["repo_map"]]
    for row in answer.get("recent_changes", ()):
        parts.append(f"{row['commit'][:12]} {row['date'][:10]} {row['author']}: {row['subject']}")
    for row in answer.get("decisions", ()):
        parts.append(f"decided {row['decision_id']}: {row['decision']}")
    for claim in answer["claims"]:
        parts.append(f"claimed by {claim['agent_id']}: {claim.get('intent') or ''}")
    for row in answer.get("sessions", ()):
        parts.append(
            f"session {row['session_id']} {row.get('name') or ''}: {row.get('goal') or ''}"
        )
    if "omitted" in answer:
        parts.append(f"(left out for max_tokens: {answer['omitted']['relevant']} places)")
    return "\n".join(parts)


_ROWS = {"type": "array", "items": {"type": "object"}}
_NAMES = {"type": "array", "items": {"type": "string"}}

TOOL = Tool(
    name="get_context",
    title="Get context",
    description=(
        "Before a task: the code it concerns, a map of the files around it, decisions, recent"
        " changes and who else works there."
    ),
    run=run,
    input_schema={
        "type": "object",
        "properties": {
            "task": {"type": "string", "description": "what you are about to do"},
            "paths": _NAMES,
            "symbols": _NAMES,
            "context_types": {"type": "array", "items": {"enum": list(_TYPES)}},
            "time_range": {"type": "string", "description": "changes since: '2 weeks ago'"},
            "max_tokens": {"type": "integer", "default": 8000},
        },
    },
    output_schema={
        "type": "object",
        "properties": {
            "relevant": _ROWS,
            "repo_map": {"type": "string"},
            "recent_changes": _ROWS,
            "decisions": _ROWS,
            "sessions": _ROWS,
            "claims": _ROWS,
            "server": {"type": "object"},
            "omitted": {"type": "object", "additionalProperties": {"type": "integer"}},
            **STALE_SCHEMA,
        },
        "required": ["relevant"],
    },
    annotations={"readOnlyHint": True, "openWorldHint": False},
    slow=True,
    cacheable=True,
    free_text=frozenset({"task"}),
)
