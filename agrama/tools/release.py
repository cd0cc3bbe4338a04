"""release: give up claims, the named ones or all of one's own."""

from typing import Any

from agrama.context import Context
from agrama.protocol.content import ToolResult
from agrama.registry import Tool
from agrama.tools.agents import AGENT_ID, SESSION_ID, STRINGS, WRITES, find_hub, object_schema
from agrama.tools.claim import read_targets


def run(context: Context, arguments: dict[str, Any]) -> ToolResult:
    from agrama.session import claims

    hub = find_hub(context)
    numbers = [claims.parse_name(name) for name in arguments.get("claim_ids", ())]
    targets = read_targets(hub.root, arguments)
    given_up = hub.write(
        lambda draft: claims.release(
            draft,
            arguments["session_id"].lower(),
            arguments["agent_id"],
            numbers=numbers,
            targets=targets,
        )
    )
    answer = {
        "claim_ids": [claims.claim_name(item["claim"]) for item in given_up],
        "released": [item["target"] for item in given_up],
    }
    text = "released " + ", ".join(answer["released"]) if given_up else "nothing to release"
    return ToolResult(structured=answer, text=text)


TOOL = Tool(
    name="release",
    title="Release claims",
    description="Give up your claims: those named, or all.",
    run=run,
    input_schema=object_schema(
        {
            "session_id": SESSION_ID,
            "agent_id": AGENT_ID,
            "claim_ids": STRINGS,
            "paths": STRINGS,
            "symbols": STRINGS,
        },
        "session_id",
        "agent_id",
    ),
    output_schema={
        "type": "object",
        "properties": {"claim_ids": STRINGS, "released": STRINGS},
        "required": ["claim_ids", "released"],
    },
    annotations=WRITES,
    toolset="collaboration",
)
