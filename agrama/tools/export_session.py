"""export_session: a session whole, as JSON or as a Markdown document."""

from typing import Any

from agrama.context import Context
from agrama.protocol.content import ToolResult
from agrama.registry import Tool
from agrama.tools.agents import MAX_TOKENS, READS, SESSION_ID, find_hub, object_schema
from agrama.tools.list_messages import page


def run(context: Context, arguments: dict[str, Any]) -> ToolResult:
    import orjson

    from agrama.session.asleep import read_awake
    from agrama.session.messages import read_after
    from agrama.session.overview import describe_session, render_markdown, session_decisions

    hub, session_id = find_hub(context), arguments["session_id"].lower()
    after = arguments["after_message_id"]
    with read_awake(hub, session_id) as (rows, session, _):
        found = page(context, read_after(rows, session, after), 1 << 31, after)
        decided = session_decisions(rows, session_id)
    head = describe_session(hub, session_id)
    if arguments["format"] == "markdown":
        content = render_markdown(head, found["messages"], decided)
    else:
        whole = {"session": head, "messages": found["messages"], "decisions": decided}
        content = orjson.dumps(whole, option=orjson.OPT_INDENT_2).decode()
    answer: dict[str, Any] = {
        "session_id": session_id,
        "format": arguments["format"],
        "content": content,
    }
    if "next_cursor" in found:
        answer["next_cursor"] = found["next_cursor"]
        content += f"\n(cut: go on with after_message_id={found['next_cursor']})"
    return ToolResult(structured=answer, text=content)


TOOL = Tool(
    name="export_session",
    title="Export a session",
    description="A session with participants, decisions and messages, as json or markdown.",
    run=run,
    input_schema=object_schema(
        {
            "session_id": SESSION_ID,
            "format": {"enum": ["json", "markdown"], "default": "json"},
            "after_message_id": {"type": "integer", "minimum": 0, "default": 0},
            "max_tokens": MAX_TOKENS,
        },
        "session_id",
    ),
    output_schema={
        "type": "object",
        "properties": {
            "session_id": {"type": "string"},
            "format": {"type": "string"},
            "content": {"type": "string"},
            "next_cursor": {"type": "integer"},
        },
        "required": ["session_id", "format", "content"],
    },
    annotations=READS,
    toolset="collaboration",
    slow=True,
)
