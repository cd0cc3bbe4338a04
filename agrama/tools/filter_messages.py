"""filter_messages: a session's messages by role, tag, agent, time or words."""

from collections.abc import Iterator
from typing import Any

from agrama.context import Context
from agrama.errors import InvalidParamsError
from agrama.protocol.content import ToolResult
from agrama.registry import Tool
from agrama.tools.agents import MAX_TOKENS, READS, SESSION_ID, TAGS, find_hub, object_schema
from agrama.tools.list_messages import MESSAGES_SCHEMA, page, render


def run(context: Context, arguments: dict[str, Any]) -> ToolResult:
    from agrama.session import messages, sessions
    from agrama.session.asleep import read_awake

    text = arguments.get("text")
    tags = messages.split_tags(arguments.get("tags"))
    wanted = messages.Filter(
        role=arguments.get("role"),
        tags=tuple(tags),
        agent=arguments.get("agent_id"),
        since_us=_time(arguments, "since"),
        until_us=_time(arguments, "until"),
        text=text.casefold() if text else None,
    )
    after = arguments["after_message_id"]
    with read_awake(find_hub(context), arguments["session_id"]) as (rows, session, row):
        found = (
            messages.read_tagged(rows, session, tags[0], after)
            if tags
            else messages.read_after(rows, session, after)
        )
        answer = page(context, _accepted(context, found, wanted), arguments["limit"], after)
        if auto := sessions.describe_auto_close(row):
            answer["auto_close"] = auto
    return ToolResult(structured=answer, text=render(answer))


def _accepted(context: Context, found: Iterator[dict[str, Any]], wanted: Any) -> Any:
    for number, record in enumerate(found):
        if number % 1024 == 0:
            context.check()
        if wanted.accepts(record):
            yield record


def _time(arguments: dict[str, Any], name: str) -> int | None:
    from agrama.session.rows import parse_time

    text = arguments.get(name)
    if text is None:
        return None
    try:
        return parse_time(text)
    except ValueError as error:
        raise InvalidParamsError(
            f"{name} is no time: {text[:60]!r}",
            data={"parameter": name, "expected": "ISO 8601", "got": text[:60]},
        ) from error


TOOL = Tool(
    name="filter_messages",
    title="Filter messages",
    description="Messages that match all given: exact tags, text in any case, ISO 8601 times.",
    run=run,
    input_schema=object_schema(
        {
            "session_id": SESSION_ID,
            "role": {"type": "string"},
            "tags": TAGS,
            "agent_id": {"type": "string"},
            "since": {"type": "string"},
            "until": {"type": "string"},
            "text": {"type": "string"},
            "after_message_id": {"type": "integer", "minimum": 0, "default": 0},
            "limit": {"type": "integer", "minimum": 1, "maximum": 1000, "default": 50},
            "max_tokens": MAX_TOKENS,
        },
        "session_id",
    ),
    output_schema=MESSAGES_SCHEMA,
    annotations=READS,
    toolset="collaboration",
    slow=True,
    aliases={"tag": "tags", "cursor": "after_message_id"},
    free_text=frozenset(("text",)),
)
