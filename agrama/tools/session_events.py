"""session_events: what happened since, in order; it can wait for the next thing to happen."""

import time
from typing import TYPE_CHECKING, Any

from agrama.context import Context
from agrama.errors import NotIndexedError
from agrama.protocol.content import ToolResult
from agrama.registry import Tool
from agrama.tools.agents import (
    AGENT_ID,
    MAX_TOKENS,
    READS,
    SESSION_ID,
    STRINGS,
    find_hub,
    object_schema,
)
from agrama.tools.answers import Budget

if TYPE_CHECKING:
    from agrama.graph.ledger import Rows
    from agrama.session.hub import Hub
    from agrama.workspace import Workspace

_EVERYTHING = "*"
MAX_WAIT_MS = 300_000


def run(context: Context, arguments: dict[str, Any]) -> Any:
    hub = find_hub(context)
    session = _freshen(context, hub, arguments["session_id"].lower(), arguments["agent_id"])
    wait_ms, after = arguments["wait_ms"], arguments.get("after_seq")
    with hub.read() as rows:
        if after is None:
            after = rows.last_seq if wait_ms else 0
        answer = _collect(rows, session, after, arguments, context.budget_tokens)
    if answer["events"] or not wait_ms:
        return _result(answer)
    return _wait(context, hub, session, after, arguments)


def _wait(
    context: Context, hub: "Hub", session: bytes | None, after: int, arguments: dict[str, Any]
) -> Any:
    """Answer when something comes or the time is up; nothing is held meanwhile."""
    from agrama.session.waiting import Waiter

    later, budget = context.later(), context.budget_tokens

    def look(rows: "Rows", late: bool) -> bool:  # noqa: FBT001
        if context.cancelled:
            return True
        found = _collect(rows, session, after, arguments, budget)
        if found["events"] or late:
            later.resolve(_result(found))
            return True
        return False

    workspace = context.services
    hub.waiting.tick = lambda: note_index(workspace, hub)
    hub.waiting.add(Waiter(look, time.monotonic() + arguments["wait_ms"] / 1000))
    return later


def _freshen(context: Context, hub: "Hub", session_id: str, agent: str) -> bytes | None:
    """Write down what is due before reading: sleep, lapsed claims, a sign of life."""
    from agrama.session import claims, events
    from agrama.session.asleep import put_to_sleep
    from agrama.session.rows import session_key

    session = None if session_id == _EVERYTHING else session_key(session_id)
    if session is not None:
        put_to_sleep(hub, session_id)
    note_index(context.services, hub)
    now_us = time.time_ns() // 1000
    with hub.read() as rows:
        lapsed = claims.needs_sweep(rows, session, now_us)
        sign = session is not None and events.needs_sign(rows, session, agent, now_us)
    if sign:
        hub.write(lambda draft: draft.add("seen", session=session_id, agent=agent))
    if lapsed:
        hub.write(lambda draft: claims.sweep(draft, session))
    return session


def note_index(workspace: "Workspace", hub: "Hub") -> None:
    """Put a new generation of the index into the feed; the first process to see it does."""
    from agrama.session import events
    from agrama.session.rows import read_state

    try:
        with workspace.open_snapshot() as snapshot:
            generation = snapshot.generation
    except NotIndexedError:
        return
    with hub.read() as rows:
        known = read_state(rows, b"generation")
    if generation > known:
        hub.write(lambda draft: events.note_generation(draft, generation))


def _collect(
    rows: "Rows", session: bytes | None, after: int, arguments: dict[str, Any], tokens: int
) -> dict[str, Any]:
    from agrama.session import events

    budget = Budget(tokens)
    found: list[dict[str, Any]] = []
    kinds = frozenset(arguments.get("kinds", ()))
    head, more = rows.last_seq, False
    for record in events.read_events(rows, session, after, kinds):
        if len(found) == arguments["limit"] or (found and budget.left <= 0):
            more = True
            break
        event = events.describe(record)
        budget.spend(len(str(event)))
        found.append(event)
    next_seq = found[-1]["seq"] if more else head
    return {"events": found, "next_seq": max(next_seq, after), "more": more}


def _result(answer: dict[str, Any]) -> ToolResult:
    from agrama.session.events import render

    lines = [render(event) for event in answer["events"]] or ["nothing new"]
    lines.append(f"(go on with after_seq={answer['next_seq']})")
    return ToolResult(structured=answer, text="\n".join(lines))


TOOL = Tool(
    name="session_events",
    title="Session events",
    description=(
        "What happened in a session after a seq, in order. wait_ms waits for the next event; "
        "session_id * is the whole repository."
    ),
    run=run,
    input_schema=object_schema(
        {
            "session_id": SESSION_ID,
            "agent_id": AGENT_ID,
            "after_seq": {"type": "integer", "minimum": 0},
            "wait_ms": {"type": "integer", "minimum": 0, "maximum": MAX_WAIT_MS, "default": 0},
            "kinds": STRINGS,
            "limit": {"type": "integer", "minimum": 1, "maximum": 1000, "default": 100},
            "max_tokens": MAX_TOKENS,
        },
        "session_id",
        "agent_id",
    ),
    output_schema={
        "type": "object",
        "properties": {
            "events": {
                "type": "array",
                "items": {
                    "type": "object",
                    "properties": {
                        "seq": {"type": "integer"},
                        "kind": {"type": "string"},
                        "created_at": {"type": "string"},
                        "session_id": {"type": "string"},
                        "agent_id": {"type": "string"},
                    },
                    "required": ["seq", "kind", "created_at"],
                },
            },
            "next_seq": {"type": "integer"},
            "more": {"type": "boolean"},
        },
        "required": ["events", "next_seq", "more"],
    },
    annotations=READS,
    toolset="collaboration",
    deadline_seconds=MAX_WAIT_MS / 1000 + 30,
)
