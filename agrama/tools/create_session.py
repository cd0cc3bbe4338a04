"""create_session: a place where several agents work on one goal."""

from typing import Any

from agrama.context import Context
from agrama.protocol.content import ToolResult
from agrama.registry import Tool
from agrama.tools.agents import (
    AGENT_ID,
    PARTICIPANTS_SCHEMA,
    TAGS,
    WRITES,
    client_of,
    find_hub,
    object_schema,
)


def run(context: Context, arguments: dict[str, Any]) -> ToolResult:
    from agrama.session import sessions
    from agrama.session.messages import split_tags
    from agrama.session.rows import format_time, session_key

    hub = find_hub(context)
    idle = arguments.get("idle_timeout_seconds")
    record = hub.write(
        lambda draft: sessions.create(
            draft,
            name=arguments["name"],
            goal=arguments.get("goal", ""),
            tags=split_tags(arguments.get("tags")),
            agent=arguments.get("agent_id"),
            idle_limit_us=None if idle is None else int(idle * 1_000_000),
            client=client_of(context),
            key=arguments.get("idempotency_key"),
        )
    )
    session_id, created = record["session"], record["time"]
    with hub.read() as rows:
        people = sessions.participants(rows, session_key(session_id), created)
    answer = {
        "session_id": session_id,
        "created_at": format_time(created),
        "participants": people,
    }
    return ToolResult(
        structured=answer,
        text=f"session {session_id} ({record['name']}) is open since {answer['created_at']}",
    )


TOOL = Tool(
    name="create_session",
    title="Create a session",
    description="Open a session other agents can join: shared messages, claims, decisions, events. Tags split on space or comma.",
    run=run,
    input_schema=object_schema(
        {
            "name": {"type": "string", "minLength": 1},
            "agent_id": AGENT_ID,
            "goal": {"type": "string"},
            "tags": TAGS,
            "idle_timeout_seconds": {"type": "number", "exclusiveMinimum": 0},
            "idempotency_key": {"type": "string"},
        },
        "name",
    ),
    output_schema={
        "type": "object",
        "properties": {
            "session_id": {"type": "string"},
            "created_at": {"type": "string"},
            "participants": PARTICIPANTS_SCHEMA,
        },
        "required": ["session_id", "created_at", "participants"],
    },
    annotations=WRITES,
    toolset="collaboration",
    free_text=frozenset(("goal",)),
)
