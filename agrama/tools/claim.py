"""claim: say what you are about to change, and learn who else is at it."""

from typing import TYPE_CHECKING, Any

from agrama.context import Context
from agrama.errors import InvalidParamsError
from agrama.protocol.content import ToolResult
from agrama.registry import Tool
from agrama.tools.agents import (
    AGENT_ID,
    SESSION_ID,
    STRINGS,
    WRITES,
    client_of,
    find_hub,
    object_schema,
)

if TYPE_CHECKING:
    from pathlib import Path


def run(context: Context, arguments: dict[str, Any]) -> ToolResult:
    from agrama.session import claims

    hub = find_hub(context)
    targets = read_targets(hub.root, arguments)
    if not targets:
        raise InvalidParamsError(
            "claim needs paths or symbols",
            data={"parameter": "paths", "expected": "at least one path or symbol", "got": []},
        )
    made, conflicts = hub.write(
        lambda draft: claims.claim(
            draft,
            arguments["session_id"].lower(),
            arguments["agent_id"],
            targets,
            intent=arguments.get("intent", ""),
            ttl_us=int(arguments["ttl_seconds"] * 1_000_000),
            client=client_of(context),
        )
    )
    rows = [claims.describe(item) for item in made]
    answer = {
        "claim_ids": [row["claim_id"] for row in rows],
        "claims": rows,
        "conflicts": conflicts,
    }
    return ToolResult(structured=answer, text=_render(answer))


def read_targets(root: "Path", arguments: dict[str, Any]) -> list[str]:
    """Paths and symbols as the index names them; a folder ends in a slash."""
    from agrama.jail import normalize_path

    targets = []
    for path in arguments.get("paths", ()):
        clean = normalize_path(root, path)
        folder = path.endswith("/") or (root / clean).is_dir()
        targets.append(clean + "/" if folder and clean else clean)
    for symbol in arguments.get("symbols", ()):
        path, mark, name = symbol.partition("::")
        targets.append(normalize_path(root, path) + mark + name if mark else symbol)
    return list(dict.fromkeys(target for target in targets if target))


def render_claim(row: dict[str, Any]) -> str:
    why = f" ({row['intent']})" if row["intent"] else ""
    return f"{row['agent_id']} holds {row['target']}{why} until {row['expires_at']}"


def _render(answer: dict[str, Any]) -> str:
    lines = [
        f"{row['claim_id']} {row['target']} until {row['expires_at']}" for row in answer["claims"]
    ]
    lines += ["conflict: " + render_claim(row) for row in answer["conflicts"]]
    return "\n".join(lines)


CLAIM_SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {
        name: {"type": "string"}
        for name in ("claim_id", "agent_id", "session_id", "target", "intent", "expires_at")
    },
    "required": ["claim_id", "agent_id", "target", "expires_at"],
}

TOOL = Tool(
    name="claim",
    title="Claim files or symbols",
    description=(
        "Say what you are about to change. Overlaps with others come back as conflicts and "
        "both sides get an event. Lapses after ttl_seconds without activity."
    ),
    run=run,
    input_schema=object_schema(
        {
            "session_id": SESSION_ID,
            "agent_id": AGENT_ID,
            "paths": STRINGS,
            "symbols": STRINGS,
            "intent": {"type": "string"},
            "ttl_seconds": {
                "type": "number",
                "exclusiveMinimum": 0,
                "maximum": 86400,
                "default": 600,
            },
        },
        "session_id",
        "agent_id",
    ),
    output_schema={
        "type": "object",
        "properties": {
            "claim_ids": STRINGS,
            "claims": {"type": "array", "items": CLAIM_SCHEMA},
            "conflicts": {"type": "array", "items": CLAIM_SCHEMA},
        },
        "required": ["claim_ids", "claims", "conflicts"],
    },
    annotations=WRITES,
    toolset="collaboration",
    free_text=frozenset(("intent",)),
)
