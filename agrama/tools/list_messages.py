"""list_messages: a session's messages in order, by cursor."""

from typing import Any

from agrama.context import Context
from agrama.protocol.content import ToolResult
from agrama.registry import Tool
from agrama.tools.agents import (
    AUTO_CLOSE_SCHEMA,
    MAX_TOKENS,
    READS,
    SESSION_ID,
    find_hub,
    object_schema,
)
from agrama.tools.answers import Budget


def run(context: Context, arguments: dict[str, Any]) -> ToolResult:
    from agrama.session import messages, sessions
    from agrama.session.asleep import read_awake

    after, limit = arguments["after_message_id"], arguments["limit"]
    with read_awake(find_hub(context), arguments["session_id"]) as (rows, session, row):
        found = messages.read_after(rows, session, after)
        answer = page(context, found, limit, after)
        if auto := sessions.describe_auto_close(row):
            answer["auto_close"] = auto
    return ToolResult(structured=answer, text=render(answer))


def page(context: Context, found: Any, limit: int, after: int) -> dict[str, Any]:
    """As many messages as limit and budget allow, and where to go on."""
    from agrama.session.messages import describe

    budget = Budget(context.budget_tokens)
    rows: list[dict[str, Any]] = []
    answer: dict[str, Any] = {"messages": rows}
    for record in found:
        if len(rows) == limit or (rows and budget.left <= len(record["content"])):
            answer["next_cursor"] = rows[-1]["message_id"]
            break
        row = describe(record)
        budget.spend(len(row["content"]) + 80)
        rows.append(row)
    answer["last_message_id"] = rows[-1]["message_id"] if rows else after
    return answer


def render(answer: dict[str, Any]) -> str:
    lines = [_render_row(row) for row in answer["messages"]] or ["no messages"]
    if "next_cursor" in answer:
        lines.append(f"(more: after_message_id={answer['next_cursor']})")
    if auto := answer.get("auto_close"):
        lines.append(
            f"(closed itself after {auto['idle_ms']} ms idle: join_session opens it again)"
        )
    return "\n".join(lines)


def _render_row(row: dict[str, Any]) -> str:
    who = row.get("agent_id", "")
    tags = " [" + " ".join(row["tags"]) + "]" if "tags" in row else ""
    return f"{row['message_id']} {row['created_at']} {row['role']} {who}{tags}: {row['content']}"


MESSAGES_SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {
        "messages": {
            "type": "array",
            "items": {
                "type": "object",
                "properties": {
                    "message_id": {"type": "integer"},
                    "created_at": {"type": "string"},
                    "role": {"type": "string"},
                    "content": {"type": "string"},
                    "agent_id": {"type": "string"},
                    "tags": {"type": "array", "items": {"type": "string"}},
                },
                "required": ["message_id", "created_at", "role", "content"],
            },
        },
        "next_cursor": {"type": "integer"},
        "last_message_id": {"type": "integer"},
        "auto_close": AUTO_CLOSE_SCHEMA,
    },
    "required": ["messages", "last_message_id"],
}

TOOL = Tool(
    name="list_messages",
    title="List messages",
    description="Messages of a session in order, after a given one.",
    run=run,
    input_schema=object_schema(
        {
            "session_id": SESSION_ID,
            "after_message_id": {"type": "integer", "minimum": 0, "default": 0},
            "limit": {"type": "integer", "minimum": 1, "maximum": 1000, "default": 50},
            "max_tokens": MAX_TOKENS,
        },
        "session_id",
    ),
    output_schema=MESSAGES_SCHEMA,
    annotations=READS,
    toolset="collaboration",
    aliases={"cursor": "after_message_id"},
)
