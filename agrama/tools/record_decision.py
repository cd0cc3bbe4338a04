"""record_decision: keep what was decided and why, tied to the code it is about."""

from typing import Any

from agrama.context import Context
from agrama.protocol.content import ToolResult
from agrama.registry import Tool
from agrama.tools.agents import (
    AGENT_ID,
    SESSION_ID,
    STRINGS,
    TAGS,
    WRITES,
    client_of,
    find_hub,
    find_snapshot,
    object_schema,
)


def run(context: Context, arguments: dict[str, Any]) -> ToolResult:
    from agrama.session import decisions
    from agrama.session.rows import format_time

    hub = find_hub(context)
    fields = _fields(context, arguments)
    record, repeated = hub.write(
        lambda draft: decisions.record_decision(
            draft, fields, key=arguments.get("idempotency_key"), client=client_of(context)
        )
    )
    links = record.get("links", [])
    answer: dict[str, Any] = {
        "decision_id": decisions.decision_name(record["number"]),
        "seq": record["seq"],
        "created_at": format_time(record["time"]),
        "linked": [link["target"] for link in links if "unresolved" not in link],
        "unresolved": [link["target"] for link in links if "unresolved" in link],
    }
    if repeated:
        answer["repeated"] = True
    return ToolResult(structured=answer, text=_render(answer))


def _fields(context: Context, arguments: dict[str, Any]) -> dict[str, Any]:
    """The record's fields: everything that reads the disk happens here, before the lock."""
    from agrama.session.decisions import parse_name
    from agrama.session.messages import split_tags
    from agrama.session.redact import redact

    paths, symbols = arguments.get("paths", []), arguments.get("symbols", [])
    links = None
    if paths or symbols:
        from agrama.session.links import make_links

        snapshot = find_snapshot(context) if symbols else None
        links = make_links(find_hub(context).root, snapshot, paths, symbols)
    older = arguments.get("supersedes")
    session_id = arguments.get("session_id")
    return {
        "decision": redact(arguments["decision"]),
        "reasoning": redact(arguments["reasoning"]),
        "context": redact(arguments.get("context")),
        "confidence": arguments.get("confidence"),
        "alternatives": redact(arguments.get("alternatives")),
        "impact": arguments.get("impact"),
        "status": arguments.get("status"),
        "tags": split_tags(arguments.get("tags")) or None,
        "links": links,
        "supersedes": None if older is None else parse_name(older, "supersedes"),
        "agent": arguments.get("agent_id"),
        "session": None if session_id is None else session_id.lower(),
    }


def _render(answer: dict[str, Any]) -> str:
    text = f"{answer['decision_id']} recorded at {answer['created_at']}"
    if answer["linked"]:
        text += "; linked to " + ", ".join(answer["linked"])
    if answer["unresolved"]:
        text += "; not found: " + ", ".join(answer["unresolved"])
    return text


TOOL = Tool(
    name="record_decision",
    title="Record a decision",
    description=(
        "Keep a decision and its reasons, tied to files and symbols; it comes back when they are "
        "read."
    ),
    run=run,
    input_schema=object_schema(
        {
            "decision": {"type": "string", "minLength": 1},
            "reasoning": {"type": "string"},
            "context": {"type": "object"},
            "confidence": {"type": "number", "minimum": 0, "maximum": 1},
            "alternatives": {"type": "array"},
            "impact": {"enum": ["low", "medium", "high", "critical"]},
            "status": {"enum": ["proposed", "accepted", "rejected"]},
            "paths": STRINGS,
            "symbols": STRINGS,
            "supersedes": {"type": "string"},
            "tags": TAGS,
            "agent_id": AGENT_ID,
            "session_id": SESSION_ID,
            "idempotency_key": {"type": "string"},
        },
        "decision",
        "reasoning",
    ),
    output_schema={
        "type": "object",
        "properties": {
            "decision_id": {"type": "string"},
            "seq": {"type": "integer"},
            "created_at": {"type": "string"},
            "linked": STRINGS,
            "unresolved": STRINGS,
            "repeated": {"type": "boolean"},
        },
        "required": ["decision_id", "seq", "created_at", "linked", "unresolved"],
    },
    annotations=WRITES,
    toolset="core",
    free_text=frozenset(("decision", "reasoning", "context", "alternatives")),
)
