"""append_message: say something in a session; ids rise by one, whoever appends."""

from typing import Any

from agrama.context import Context
from agrama.protocol.content import ToolResult
from agrama.registry import Tool
from agrama.tools.agents import (
    AGENT_ID,
    SESSION_ID,
    TAGS,
    WRITES,
    client_of,
    find_hub,
    object_schema,
)


def run(context: Context, arguments: dict[str, Any]) -> ToolResult:
    from agrama.session import messages
    from agrama.session.rows import format_time

    record, repeated = find_hub(context).write(
        lambda draft: messages.append(
            draft,
            arguments["session_id"].lower(),
            content=arguments["content"],
            role=arguments["role"],
            agent=arguments.get("agent_id"),
            tags=messages.split_tags(arguments.get("tags")),
            key=arguments.get("idempotency_key"),
            client=client_of(context),
        )
    )
    created = format_time(record["time"])
    answer = {"message_id": record["id"], "created_at": created, "seq": record["seq"]}
    if repeated:
        answer["repeated"] = True
    return ToolResult(structured=answer, text=f"message {record['id']} at {created}")


TOOL = Tool(
    name="append_message",
    title="Append a message",
    description="Add a message to a session. message_id rises by 1. A repeated idempotency_key returns the first answer.",
    run=run,
    input_schema=object_schema(
        {
            "session_id": SESSION_ID,
            "content": {"type": "string"},
            "role": {"type": "string", "default": "assistant"},
            "agent_id": AGENT_ID,
            "tags": TAGS,
            "idempotency_key": {"type": "string"},
        },
        "session_id",
        "content",
    ),
    output_schema={
        "type": "object",
        "properties": {
            "message_id": {"type": "integer"},
            "created_at": {"type": "string"},
            "seq": {"type": "integer"},
            "repeated": {"type": "boolean"},
        },
        "required": ["message_id", "created_at", "seq"],
    },
    annotations=WRITES,
    toolset="collaboration",
    free_text=frozenset(("content",)),
)
