"""The life of a session: create, join, leave, close, fall asleep when idle, wake again."""

import secrets
from typing import Any

import orjson

from agrama.errors import SessionError
from agrama.graph.ledger import Draft, Record, Rows
from agrama.session.rows import (
    agent_key,
    format_time,
    idempotency_digest,
    read_counters,
    read_number,
    read_record,
    read_session,
)

# Who wrote and asked nothing for so long is taken to have gone.
PARTICIPANT_IDLE_US = 30 * 60 * 1_000_000


def create(
    draft: Draft,
    *,
    name: str,
    goal: str,
    tags: list[str],
    agent: str | None,
    idle_limit_us: int | None,
    client: dict[str, Any],
    key: str | None,
) -> Record:
    """Open a session; its creator is its first participant."""
    if key is not None:
        found = draft.rows.get("keys", idempotency_digest("created", "", agent, key))
        earlier = read_record(draft.rows, read_number(found)) if found else None
        if earlier is not None:
            return earlier
    session_id = secrets.token_hex(16)
    record = draft.add(
        "created",
        session=session_id,
        agent=agent,
        name=name,
        goal=goal or None,
        tags=tags or None,
        idle_limit_us=idle_limit_us,
        key=key,
    )
    if agent is not None:
        draft.add("joined", session=session_id, agent=agent, client=client or None)
    return record


def join(
    draft: Draft,
    session_id: str,
    agent: str,
    *,
    name: str | None,
    client: dict[str, Any],
    reopen: bool,
) -> None:
    """Take part; a session that fell asleep wakes, a closed one only when asked."""
    session, row = read_session(draft.rows, session_id)
    fall_asleep(draft, session, row)
    session, row = read_session(draft.rows, session_id)
    if row["status"] == "closed":
        if not reopen and row.get("reason") != "idle_timeout":
            raise closed_session(row)
        draft.add("reopened", session=session_id, agent=agent)
    draft.add("joined", session=session_id, agent=agent, name=name, client=client or None)


def leave(draft: Draft, session_id: str, agent: str) -> None:
    """Go away; what the agent had claimed is free again."""
    session, _ = read_session(draft.rows, session_id)
    release_claims(draft, session_id, agent_key(session, agent), agent=agent, reason="left")
    draft.add("left", session=session_id, agent=agent, reason="left")


def close(draft: Draft, session_id: str, agent: str | None, summary: str | None) -> bool:
    """End a session; False when it had ended already."""
    session, row = read_session(draft.rows, session_id)
    if row["status"] == "closed":
        return False
    release_claims(draft, session_id, session, agent=agent, reason="session_closed")
    draft.add("closed", session=session_id, agent=agent, reason="closed", summary=summary)
    return True


def release_claims(
    draft: Draft, session_id: str, prefix: bytes, *, agent: str | None, reason: str
) -> list[int]:
    """Free every claim under a prefix of session and agent."""
    numbers = [read_number(key) for key, _ in draft.rows.scan("agent_claims", prefix)]
    if numbers:
        draft.add("released", session=session_id, agent=agent, claims=numbers, reason=reason)
    return numbers


def idle_us(rows: Rows, session: bytes, row: dict[str, Any], now_us: int) -> int | None:
    """For how long a session has been idle beyond its limit, or None."""
    limit = row.get("idle_limit_us")
    if limit is None or row["status"] != "open":
        return None
    _, _, last = read_counters(rows, session)
    return now_us - last if now_us - last > limit else None


def fall_asleep(draft: Draft, session: bytes, row: dict[str, Any]) -> bool:
    """Close a session that was idle for too long."""
    idle = idle_us(draft.rows, session, row, draft.now_us)
    if idle is None:
        return False
    release_claims(draft, row["session"], session, agent=None, reason="session_closed")
    draft.add(
        "auto_close",
        session=row["session"],
        reason="idle_timeout",
        idle_us=idle,
        idle_closes=row["idle_closes"] + 1,
    )
    return True


def check_open(draft: Draft, session: bytes, row: dict[str, Any]) -> None:
    """Refuse to write into a session that is closed."""
    if row["status"] == "closed" or idle_us(draft.rows, session, row, draft.now_us) is not None:
        raise closed_session(row)


def closed_session(row: dict[str, Any]) -> SessionError:
    asleep = row.get("reason") == "idle_timeout" or row["status"] == "open"
    why = "closed itself after being idle" if asleep else "is closed"
    hint = "join_session opens it again" + ("" if asleep else " with reopen=true")
    return SessionError(
        f"Session {row['session']} {why}: it can be read, not written; {hint}",
        data={"parameter": "session_id", "got": row["session"], "hint": hint},
    )


def ensure_participant(
    draft: Draft, session: bytes, session_id: str, agent: str, client: dict[str, Any]
) -> None:
    """Whoever writes takes part: joining first is polite, not required."""
    row = draft.rows.get("participants", agent_key(session, agent))
    if row is None or orjson.loads(row)["left"] is not None:
        draft.add("joined", session=session_id, agent=agent, client=client or None)


def participants(rows: Rows, session: bytes, now_us: int) -> list[dict[str, Any]]:
    """Who takes part, the first to join first."""
    found = [orjson.loads(row) for _, row in rows.scan("participants", session)]
    found.sort(key=lambda row: (row["joined"], row["agent"]))
    return [_describe_participant(row, now_us) for row in found]


def _describe_participant(row: dict[str, Any], now_us: int) -> dict[str, Any]:
    gone = row["left"] is not None or now_us - row["last_seen"] > PARTICIPANT_IDLE_US
    return {
        "agent_id": row["agent"],
        "name": row["name"],
        "client": row["client"],
        "joined_at": format_time(row["joined"]),
        "last_seen": format_time(row["last_seen"]),
        "active": not gone,
    }


def describe(rows: Rows, session: bytes, row: dict[str, Any]) -> dict[str, Any]:
    """A session as answers show it."""
    messages, seq, last = read_counters(rows, session)
    answer = {
        "session_id": row["session"],
        "name": row["name"],
        "goal": row["goal"],
        "tags": row["tags"],
        "status": row["status"],
        "created_at": format_time(row["created"]),
        "last_activity": format_time(last),
        "message_count": messages,
        "last_seq": seq,
    }
    if row.get("agent"):
        answer["created_by"] = row["agent"]
    if row.get("closed"):
        answer["closed_at"] = format_time(row["closed"])
    if row.get("summary"):
        answer["summary"] = row["summary"]
    if auto := describe_auto_close(row):
        answer["auto_close"] = auto
    return answer


def describe_auto_close(row: dict[str, Any]) -> dict[str, Any] | None:
    """The event a reader is told of while a session sleeps."""
    if row["status"] != "closed" or row.get("reason") != "idle_timeout":
        return None
    return {
        "reason": "idle_timeout",
        "idle_ms": row["idle_us"] // 1000,
        "idle_close_count": row["idle_closes"],
        "closed_at": format_time(row["closed"]),
    }
