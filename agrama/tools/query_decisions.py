"""query_decisions: what was decided before, by topic or by the code it is about."""

from typing import Any

from agrama.context import Context
from agrama.protocol.content import ToolResult
from agrama.registry import Tool
from agrama.tools.agents import (
    MAX_TOKENS,
    READS,
    STRINGS,
    find_hub,
    find_snapshot,
    object_schema,
    read_cursor,
)
from agrama.tools.answers import Budget


def run(context: Context, arguments: dict[str, Any]) -> ToolResult:
    from itertools import islice

    from agrama.session.decisions import Wanted, find_decisions

    hub = find_hub(context)
    path = arguments.get("path")
    if path is not None:
        from agrama.jail import normalize_path

        path = normalize_path(hub.root, path) + ("/" if path.endswith("/") else "")
    wanted = Wanted(
        query=arguments.get("query"),
        path=path,
        symbol=arguments.get("symbol"),
        tag=arguments.get("tag"),
        agent=arguments.get("agent_id"),
        status=arguments.get("status"),
        superseded=arguments["include_superseded"],
    )
    offset, limit = read_cursor(arguments.get("cursor")), arguments["max_results"]
    with hub.read() as rows:
        found = list(islice(find_decisions(rows, wanted, hub.meanings), offset, offset + limit + 1))
    omitted: dict[str, int] = {}
    shown = [describe_fresh(context, row) for row in found[:limit]]
    taken = Budget(context.budget_tokens).take(shown, omitted, "decisions")
    answer: dict[str, Any] = {"decisions": taken}
    if len(found) > len(taken):
        answer["next_cursor"] = str(offset + len(taken))
    return ToolResult(structured=answer, text=_render(answer))


def describe_fresh(context: Context, row: dict[str, Any]) -> dict[str, Any]:
    """A decision and whether its code is still what it was made for."""
    from agrama.session.decisions import describe
    from agrama.session.links import find_staleness

    answer = describe(row)
    links = row.get("links", [])
    by_symbol = any("::" in link["target"] for link in links)
    snapshot = find_snapshot(context) if by_symbol else None
    reason = find_staleness(find_hub(context).root, snapshot, links)
    answer["stale"] = reason is not None
    if reason:
        answer["stale_reason"] = reason
    return answer


def render_decision(row: dict[str, Any]) -> str:
    state = "" if row["status"] == "accepted" else f" [{row['status']}]"
    text = f"{row['decision_id']}{state} {row['created_at'][:10]}: {row['decision']}"
    text += f"\n  because {row['reasoning']}"
    targets = row["paths"] + row["symbols"]
    if targets:
        text += f"\n  about {', '.join(targets)}"
    if row.get("stale"):
        text += f"\n  stale: {row['stale_reason']}"
    if "superseded_by" in row:
        text += f"\n  superseded by {row['superseded_by']}"
    return text


def _render(answer: dict[str, Any]) -> str:
    lines = [render_decision(row) for row in answer["decisions"]] or ["no decision matches"]
    if "next_cursor" in answer:
        lines.append(f"(more: cursor={answer['next_cursor']})")
    return "\n".join(lines)


DECISION_SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {
        "decision_id": {"type": "string"},
        "seq": {"type": "integer"},
        "created_at": {"type": "string"},
        "decision": {"type": "string"},
        "reasoning": {"type": "string"},
        "status": {"type": "string"},
        "paths": STRINGS,
        "symbols": STRINGS,
        "stale": {"type": "boolean"},
        "stale_reason": {"type": "string"},
        "supersedes": {"type": "string"},
        "superseded_by": {"type": "string"},
    },
    "required": ["decision_id", "created_at", "decision", "reasoning", "status", "stale"],
}

TOOL = Tool(
    name="query_decisions",
    title="Query decisions",
    description="Find earlier decisions by words, file, symbol, tag or agent; says which are stale.",
    run=run,
    input_schema=object_schema(
        {
            "query": {"type": "string"},
            "path": {"type": "string"},
            "symbol": {"type": "string"},
            "tag": {"type": "string"},
            "agent_id": {"type": "string"},
            "status": {"enum": ["proposed", "accepted", "rejected", "superseded"]},
            "include_superseded": {"type": "boolean", "default": False},
            "max_results": {"type": "integer", "minimum": 1, "maximum": 200, "default": 10},
            "cursor": {"type": "string"},
            "max_tokens": MAX_TOKENS,
        }
    ),
    output_schema={
        "type": "object",
        "properties": {
            "decisions": {"type": "array", "items": DECISION_SCHEMA},
            "next_cursor": {"type": "string"},
        },
        "required": ["decisions"],
    },
    annotations=READS,
    toolset="core",
    slow=True,  # the first question loads the embedding
    free_text=frozenset(("query",)),
)
