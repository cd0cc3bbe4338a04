"""close_session: end a session for everybody, or only leave it."""

from typing import Any

from agrama.context import Context
from agrama.errors import InvalidParamsError
from agrama.protocol.content import ToolResult
from agrama.registry import Tool
from agrama.tools.agents import AGENT_ID, SESSION_ID, WRITES, find_hub, object_schema
from agrama.tools.list_sessions import SESSION_SCHEMA


def run(context: Context, arguments: dict[str, Any]) -> ToolResult:
    from agrama.session import sessions
    from agrama.session.overview import describe_session

    hub = find_hub(context)
    session_id, agent = arguments["session_id"].lower(), arguments.get("agent_id")
    if arguments["leave"]:
        if agent is None:
            raise InvalidParamsError(
                "leave needs agent_id: who leaves?",
                data={"parameter": "agent_id", "expected": "an agent id", "got": None},
            )
        hub.write(lambda draft: sessions.leave(draft, session_id, agent))
    else:
        summary = arguments.get("summary")
        hub.write(lambda draft: sessions.close(draft, session_id, agent, summary))
    answer = describe_session(hub, session_id)
    done = f"{agent} left" if arguments["leave"] else "closed"
    return ToolResult(structured=answer, text=f"{done} {answer['name']} ({session_id})")


TOOL = Tool(
    name="close_session",
    title="Close a session",
    description="End a session: its claims are released, it stays readable. leave=true: only go.",
    run=run,
    input_schema=object_schema(
        {
            "session_id": SESSION_ID,
            "agent_id": AGENT_ID,
            "summary": {"type": "string"},
            "leave": {"type": "boolean", "default": False},
        },
        "session_id",
    ),
    output_schema=SESSION_SCHEMA,
    annotations=WRITES,
    toolset="collaboration",
    free_text=frozenset(("summary",)),
)
