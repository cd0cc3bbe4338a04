"""The feed: every record that concerns somebody, in one order for the repository and per session."""

from collections.abc import Iterator
from typing import Any

import orjson

from agrama.graph.ledger import Draft, Record, Rows
from agrama.session import decisions, messages
from agrama.session.apply import QUIET_KINDS
from agrama.session.claims import claim_name
from agrama.session.rows import agent_key, format_time, number_key, read_number, read_state

# A poll counts as a sign of life, written down this often at most.
_SEEN_US = 30 * 1_000_000
KINDS = (
    "created",
    "joined",
    "left",
    "closed",
    "auto_close",
    "reopened",
    "message",
    "claim",
    "conflict",
    "released",
    "lapsed",
    "decision",
    "write",
    "reindex",
)


def read_events(
    rows: Rows, session: bytes | None, after: int, kinds: frozenset[str] = frozenset()
) -> Iterator[Record]:
    """Records behind a seq, of one session or of the repository, in order."""
    for seq in _read_seqs(rows, session, after):
        record = orjson.loads(rows.get("records", number_key(seq)) or b"{}")
        kind = record.get("kind")
        if kind not in QUIET_KINDS and (not kinds or kind in kinds):
            yield record


def _read_seqs(rows: Rows, session: bytes | None, after: int) -> Iterator[int]:
    if session is None:
        for key, _ in rows.scan("records", b"", number_key(after + 1)):
            yield read_number(key)
    else:
        for key, _ in rows.scan("feed", session, session + number_key(after + 1)):
            yield read_number(key)


def needs_sign(rows: Rows, session: bytes, agent: str, now_us: int) -> bool:
    """Tell whether an agent's sign of life is due."""
    row = rows.get("participants", agent_key(session, agent))
    if row is None:
        return False
    participant = orjson.loads(row)
    return participant["left"] is None and now_us - participant["last_seen"] > _SEEN_US


def note_generation(draft: Draft, generation: int) -> bool:
    """Write a new index generation into the feed, once whoever sees it first."""
    if generation <= read_state(draft.rows, b"generation"):
        return False
    draft.add("reindex", generation=generation)
    return True


def describe(record: Record) -> dict[str, Any]:
    """An event as clients see it."""
    event: dict[str, Any] = {
        "seq": record["seq"],
        "kind": record["kind"],
        "created_at": format_time(record["time"]),
    }
    if "session" in record:
        event["session_id"] = record["session"]
    agent = record.get("agent") or record.get("who")
    if agent:
        event["agent_id"] = agent
    event.update(_details(record))
    return event


def _details(record: Record) -> dict[str, Any]:
    kind = record["kind"]
    if kind == "message":
        return messages.describe(record)
    if kind == "claim":
        return {
            "claim_id": claim_name(record["claim"]),
            "target": record["target"],
            "intent": record.get("intent", ""),
            "expires_at": format_time(record["time"] + record["ttl"]),
        }
    if kind in ("released", "lapsed"):
        found = {"claim_ids": [claim_name(number) for number in record["claims"]]}
        return {**found, **_pick(record, "targets", "reason", "agents")}
    if kind == "decision":
        row = decisions.describe({"status": "accepted", **record})
        return {name: row[name] for name in ("decision_id", "decision", "paths", "symbols")}
    if kind == "auto_close":
        return {
            "reason": record["reason"],
            "idle_ms": record["idle_us"] // 1000,
            "idle_close_count": record["idle_closes"],
        }
    return _pick(record, *_SHOWN.get(kind, ()))


def _pick(record: Record, *names: str) -> dict[str, Any]:
    return {name: record[name] for name in names if name in record}


_SHOWN: dict[str, tuple[str, ...]] = {
    "created": ("name", "goal", "tags"),
    "joined": ("name", "client"),
    "left": ("reason",),
    "closed": ("reason", "summary"),
    "conflict": ("target", "sides"),
    "write": ("path", "reason", "content_hash", "previous_hash"),
    "reindex": ("generation",),
}


def render(event: dict[str, Any]) -> str:
    """One line for a person or a text-only client."""
    head = f"{event['seq']} {event['created_at']} {event['kind']}"
    who = f" {event['agent_id']}" if "agent_id" in event else ""
    known = ("seq", "created_at", "kind", "agent_id", "session_id", "client", "sides", "tags")
    rest = [f"{name}={value}" for name, value in event.items() if name not in known and value]
    if "sides" in event:
        rest += [_render_side(side) for side in event["sides"]]
    return head + who + (": " + ", ".join(rest) if rest else "")


def _render_side(side: dict[str, Any]) -> str:
    why = f" ({side['intent']})" if side["intent"] else ""
    return f"{side['agent_id']} holds {side['target']}{why} until {side['expires_at']}"
