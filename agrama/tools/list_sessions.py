"""list_sessions: the sessions of this repository, the most recently active first."""

from typing import Any

from agrama.context import Context
from agrama.protocol.content import ToolResult
from agrama.registry import Tool
from agrama.tools.agents import (
    AUTO_CLOSE_SCHEMA,
    MAX_TOKENS,
    PARTICIPANTS_SCHEMA,
    READS,
    STRINGS,
    find_hub,
    object_schema,
    read_cursor,
)
from agrama.tools.answers import Budget


def run(context: Context, arguments: dict[str, Any]) -> ToolResult:
    from agrama.session.overview import list_sessions

    hub = find_hub(context)
    found = list_sessions(
        hub,
        status=arguments.get("status"),
        tag=arguments.get("tag"),
        agent=arguments.get("agent_id"),
    )
    start = read_cursor(arguments.get("cursor"))
    omitted: dict[str, int] = {}
    page = found[start : start + arguments["limit"]]
    rows = Budget(context.budget_tokens).take(page, omitted, "sessions")
    answer: dict[str, Any] = {"sessions": rows, "total": len(found)}
    if start + len(rows) < len(found):
        answer["next_cursor"] = str(start + len(rows))
    return ToolResult(structured=answer, text=_render(answer))


def _render(answer: dict[str, Any]) -> str:
    lines = [
        f"{row['session_id']} {row['status']} {row['name']}: {row['message_count']} messages, "
        f"{sum(person['active'] for person in row['participants'])} active, "
        f"last {row['last_activity']}"
        for row in answer["sessions"]
    ]
    if "next_cursor" in answer:
        lines.append(f"(more: cursor={answer['next_cursor']})")
    return "\n".join(lines) or "no sessions: create_session opens one"


SESSION_SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {
        "session_id": {"type": "string"},
        "name": {"type": "string"},
        "goal": {"type": "string"},
        "tags": STRINGS,
        "status": {"enum": ["open", "closed"]},
        "created_at": {"type": "string"},
        "last_activity": {"type": "string"},
        "closed_at": {"type": "string"},
        "message_count": {"type": "integer"},
        "last_seq": {"type": "integer"},
        "participants": PARTICIPANTS_SCHEMA,
        "auto_close": AUTO_CLOSE_SCHEMA,
    },
    "required": ["session_id", "name", "status", "created_at", "participants"],
}

TOOL = Tool(
    name="list_sessions",
    title="List sessions",
    description="Sessions of this repository, most recently active first.",
    run=run,
    input_schema=object_schema(
        {
            "status": {"enum": ["open", "closed"]},
            "tag": {"type": "string"},
            "agent_id": {"type": "string"},
            "limit": {"type": "integer", "minimum": 1, "maximum": 200, "default": 20},
            "cursor": {"type": "string"},
            "max_tokens": MAX_TOKENS,
        }
    ),
    output_schema={
        "type": "object",
        "properties": {
            "sessions": {"type": "array", "items": SESSION_SCHEMA},
            "total": {"type": "integer"},
            "next_cursor": {"type": "string"},
        },
        "required": ["sessions", "total"],
    },
    annotations=READS,
    toolset="collaboration",
)
