"""Adds to an answer about code what other agents claimed and decided about it."""

import os
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from agrama.context import Context
from agrama.tools.claim import CLAIM_SCHEMA, render_claim
from agrama.tools.query_decisions import DECISION_SCHEMA, describe_fresh, render_decision

if TYPE_CHECKING:
    from agrama.session.hub import Hub

# For a tool's output schema.
SHARED_SCHEMA: dict[str, Any] = {
    "decisions": {"type": "array", "items": DECISION_SCHEMA},
    "collaborative_context": {
        "type": "object",
        "properties": {
            "sessions": {"type": "array", "items": {"type": "object"}},
            "claims": {"type": "array", "items": CLAIM_SCHEMA},
        },
    },
}


def existing_hub(context: Context) -> "Hub | None":
    """The hub if anybody ever used it here: reading code must not create a journal."""
    hub: Hub | None = context.services.existing_hub
    return hub


def add_shared(
    context: Context,
    answer: dict[str, Any],
    paths: Sequence[str],
    *,
    with_decisions: bool = True,
    with_claims: bool = True,
    most: int = 10,
) -> None:
    """Put `decisions` and `collaborative_context` about some files into an answer."""
    hub = existing_hub(context)
    if hub is None:
        return
    from agrama.session import related

    decided: list[dict[str, Any]] = []
    now_us = related.now_us()
    with hub.read() as rows:
        if with_decisions:
            decided = related.find_decisions(rows, paths)[:most]
        if with_claims:
            found = related.find_claims(rows, paths, now_us)
            if found:
                answer["collaborative_context"] = related.describe_claims(rows, found)
                context.expire_in(related.seconds_left(found, now_us) or 0.0)
    for row in decided:
        _depend_on_links(context, row)
    if decided:
        answer["decisions"] = [describe_fresh(context, row) for row in decided]


def depend_on_head(context: Context) -> None:
    """An answer that tells of history goes from the cache with the next commit or checkout."""
    from agrama.git import find_head

    for name in find_head(context.services.root):
        depend_on_file(context, name)


def depend_on_file(context: Context, name: str) -> None:
    """A cached answer goes when this file changes, appears or goes."""
    try:
        status = os.lstat(name)
    except OSError:
        context.depends_on(name, 0, -1)
    else:
        context.depends_on(name, status.st_mtime_ns, status.st_size)


def _depend_on_links(context: Context, row: dict[str, Any]) -> None:
    """Whether a decision is stale follows its files: a cached answer goes when one changes."""
    prefix = context.services.prefix
    for path in {link["target"].partition("::")[0] for link in row.get("links", ())}:
        depend_on_file(context, prefix + path)


def render_shared(answer: dict[str, Any]) -> list[str]:
    """The same as lines of text."""
    lines = [render_decision(row) for row in answer.get("decisions", ())]
    lines = ["decisions:", *lines] if lines else []
    held = answer.get("collaborative_context", {}).get("claims", ())
    if held:
        lines += ["claimed:", *("  " + render_claim(row) for row in held)]
    return lines
