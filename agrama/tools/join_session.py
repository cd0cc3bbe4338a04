"""join_session: take part in a session, or open a sleeping one again."""

from typing import Any

from agrama.context import Context
from agrama.protocol.content import ToolResult
from agrama.registry import Tool
from agrama.tools.agents import AGENT_ID, SESSION_ID, WRITES, client_of, find_hub, object_schema
from agrama.tools.list_sessions import SESSION_SCHEMA


def run(context: Context, arguments: dict[str, Any]) -> ToolResult:
    from agrama.session import sessions
    from agrama.session.overview import describe_session

    hub = find_hub(context)
    session_id = arguments["session_id"].lower()
    hub.write(
        lambda draft: sessions.join(
            draft,
            session_id,
            arguments["agent_id"],
            name=arguments.get("name"),
            client=client_of(context),
            reopen=arguments["reopen"],
        )
    )
    answer = describe_session(hub, session_id)
    people = ", ".join(row["agent_id"] for row in answer["participants"] if row["active"])
    text = (
        f"joined {answer['name']} ({session_id}) with {people}; {answer['message_count']} messages, "
        f"follow it with session_events after_seq={answer['last_seq']}"
    )
    return ToolResult(structured=answer, text=text)


TOOL = Tool(
    name="join_session",
    title="Join a session",
    description="Take part in a session; a session that closed itself when idle opens again.",
    run=run,
    input_schema=object_schema(
        {
            "session_id": SESSION_ID,
            "agent_id": AGENT_ID,
            "name": {"type": "string"},
            "reopen": {"type": "boolean", "default": False},
        },
        "session_id",
        "agent_id",
    ),
    output_schema=SESSION_SCHEMA,
    annotations=WRITES,
    toolset="collaboration",
)
