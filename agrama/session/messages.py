"""Messages of a session: numbered from 1 without gaps, whichever process appends."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import orjson

from agrama.graph.ledger import Draft, Record, Rows
from agrama.session.rows import (
    format_time,
    idempotency_digest,
    number_key,
    read_counters,
    read_number,
    read_record,
    read_session,
    target_key,
)
from agrama.session.sessions import check_open, ensure_participant

_TAG_BREAK = re.compile(r"[\s,]+")


def split_tags(tags: str | list[str] | None) -> list[str]:
    """Tags as given, split at spaces and commas, first mention kept; otherwise opaque."""
    text = tags if isinstance(tags, str) else " ".join(tags or ())
    return list(dict.fromkeys(tag for tag in _TAG_BREAK.split(text) if tag))


def append(
    draft: Draft,
    session_id: str,
    *,
    content: str,
    role: str,
    agent: str | None,
    tags: list[str],
    key: str | None,
    client: dict[str, Any],
) -> tuple[Record, bool]:
    """Add a message; the record, and whether it had been added before under the same key."""
    session, row = read_session(draft.rows, session_id)
    if key is not None:
        digest = idempotency_digest("message", session_id, agent, key)
        found = draft.rows.get("keys", digest)
        earlier = read_record(draft.rows, read_number(found)) if found else None
        if earlier is not None:
            return earlier, True
    check_open(draft, session, row)
    if agent is not None:
        ensure_participant(draft, session, session_id, agent, client)
    messages, _, _ = read_counters(draft.rows, session)
    record = draft.add(
        "message",
        session=session_id,
        agent=agent,
        id=messages + 1,
        role=role,
        content=content,
        tags=tags or None,
        key=key,
    )
    return record, False


@dataclass(frozen=True, slots=True)
class Filter:
    """What a message must be. None and empty mean anything."""

    role: str | None = None
    tags: tuple[str, ...] = ()
    agent: str | None = None
    since_us: int | None = None
    until_us: int | None = None
    text: str | None = None

    def accepts(self, record: Record) -> bool:
        time_us = record["time"]
        own = record.get("tags", ())
        return (
            (self.role is None or record["role"] == self.role)
            and (self.agent is None or record.get("agent") == self.agent)
            and (self.since_us is None or time_us >= self.since_us)
            and (self.until_us is None or time_us <= self.until_us)
            and all(tag in own for tag in self.tags)
            and (self.text is None or self.text in record["content"].casefold())
        )


def read_after(rows: Rows, session: bytes, message_id: int) -> Iterator[Record]:
    """The messages of a session behind one, in order."""
    start = session + number_key(message_id + 1)
    for _, seq in rows.scan("messages", session, start):
        yield orjson.loads(rows.get("records", seq) or b"{}")


def read_tagged(rows: Rows, session: bytes, tag: str, message_id: int) -> Iterator[Record]:
    """The messages with one tag behind a message, in order."""
    prefix = session + target_key(tag)
    for key, _ in rows.scan("tags", prefix, prefix + number_key(message_id + 1)):
        seq = rows.get("messages", session + key[-8:])
        yield orjson.loads(rows.get("records", seq or b"") or b"{}")


def describe(record: Record) -> dict[str, Any]:
    row = {
        "message_id": record["id"],
        "created_at": format_time(record["time"]),
        "role": record["role"],
        "content": record["content"],
    }
    if "agent" in record:
        row["agent_id"] = record["agent"]
    if record.get("tags"):
        row["tags"] = record["tags"]
    return row
