"""Who wrote which file and why: provenance of writes made through Agrama."""

from typing import Any

from agrama.errors import ToolError
from agrama.graph.ledger import Draft, Record
from agrama.session import claims
from agrama.session.hub import Hub
from agrama.session.related import find_claims, now_us
from agrama.session.rows import (
    format_time,
    read_number,
    read_record,
    read_session,
    target_key,
)
from agrama.session.sessions import closed_session, ensure_participant


def find_conflicts(hub: Hub, path: str, agent: str | None) -> list[dict[str, Any]]:
    """The live claims of other agents on a path or on something in it."""
    with hub.read() as rows:
        found = find_claims(rows, [path], now_us())
    return [claims.describe(item) for item in found if item["agent"] != agent]


def check_write(
    hub: Hub, path: str, agent: str | None, session: str | None, *, enforce: bool
) -> None:
    """Refuse a write into a closed session, and where claims are enforced one over another's claim."""
    if session is not None:
        with hub.read() as rows:
            _, row = read_session(rows, session)
        if row["status"] == "closed":
            raise closed_session(row)
    conflicts = find_conflicts(hub, path, agent) if enforce else []
    if conflicts:
        first = conflicts[0]
        raise ToolError(
            f"{path} was not written: {first['agent_id']} holds {first['target']}"
            f"{' (' + first['intent'] + ')' if first['intent'] else ''} until {first['expires_at']}",
            data={"parameter": "path", "conflicts": conflicts, "hint": "talk, or wait"},
        )


def record_write(
    hub: Hub,
    *,
    path: str,
    reason: str,
    agent: str | None = None,
    session: str | None = None,
    content_hash: str | None = None,
    previous_hash: str | None = None,
) -> Record:
    """Note a write that was just made; the record with its seq and time."""

    def fill(draft: Draft) -> Record:
        if session is not None:
            key, _ = read_session(draft.rows, session)
            if agent is not None:
                ensure_participant(draft, key, session, agent, {})
        return draft.add(
            "write",
            session=session,
            agent=agent,
            path=path,
            reason=reason,
            content_hash=content_hash,
            previous_hash=previous_hash,
        )

    return hub.write(fill)


def read_writes(hub: Hub, path: str, limit: int = 20) -> list[dict[str, Any]]:
    """The writes to a file, newest first."""
    found: list[dict[str, Any]] = []
    with hub.read() as rows:
        for key, _ in rows.scan_back("writes", target_key(path)):
            record = read_record(rows, read_number(key))
            if record is not None:
                found.append(describe(record))
            if len(found) == limit:
                break
    return found


def describe(record: Record) -> dict[str, Any]:
    row = {
        "seq": record["seq"],
        "timestamp": format_time(record["time"]),
        "path": record["path"],
        "reason": record["reason"],
    }
    names = {"agent": "agent_id", "session": "session_id"}
    for name in ("agent", "session", "content_hash", "previous_hash"):
        if name in record:
            row[names.get(name, name)] = record[name]
    return row
