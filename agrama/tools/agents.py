"""What the tools for several agents share: the hub, who is asking, and pieces of schema."""

from typing import TYPE_CHECKING, Any

from agrama.context import Context
from agrama.errors import InvalidParamsError, NotIndexedError

if TYPE_CHECKING:
    from agrama.graph.snapshot import Snapshot
    from agrama.session.hub import Hub

SESSION_ID = {"type": "string"}
AGENT_ID = {"type": "string", "minLength": 1}
TAGS = {"type": ["array", "string"], "items": {"type": "string"}}
STRINGS = {"type": "array", "items": {"type": "string"}}
MAX_TOKENS = {"type": "integer", "default": 8000}

PARTICIPANTS_SCHEMA: dict[str, Any] = {
    "type": "array",
    "items": {
        "type": "object",
        "properties": {
            "agent_id": {"type": "string"},
            "name": {"type": "string"},
            "client": {"type": "object"},
            "joined_at": {"type": "string"},
            "last_seen": {"type": "string"},
            "active": {"type": "boolean"},
        },
        "required": ["agent_id", "active"],
    },
}
AUTO_CLOSE_SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {
        "reason": {"type": "string"},
        "idle_ms": {"type": "integer"},
        "idle_close_count": {"type": "integer"},
        "closed_at": {"type": "string"},
    },
}
READS = {"readOnlyHint": True, "openWorldHint": False}
WRITES = {"readOnlyHint": False, "destructiveHint": False, "openWorldHint": False}


def find_hub(context: Context) -> "Hub":
    hub: Hub = context.services.hub
    return hub


def client_of(context: Context) -> dict[str, Any]:
    """What a client said of itself, for others to see who they work with."""
    info = context.client_info
    return {key: str(info[key])[:200] for key in ("name", "version") if info.get(key)}


def find_snapshot(context: Context) -> "Snapshot | None":
    """The index if there is one: agents can talk before it is built."""
    try:
        snapshot: Snapshot = context.snapshot
    except NotIndexedError:
        return None
    return snapshot


def read_cursor(cursor: str | None) -> int:
    if cursor is None:
        return 0
    if not cursor.isdecimal() or len(cursor) > 18:
        raise InvalidParamsError(
            f"cursor {cursor[:40]!r} is not one an answer gave",
            data={
                "parameter": "cursor",
                "expected": "next_cursor of an answer",
                "got": cursor[:40],
            },
        )
    return int(cursor)


def object_schema(properties: dict[str, Any], *required: str) -> dict[str, Any]:
    """An input schema: nothing but these properties."""
    schema: dict[str, Any] = {"type": "object", "properties": properties}
    if required:
        schema["required"] = list(required)
    return schema
