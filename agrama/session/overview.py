"""All sessions at a glance, and one session whole, for export."""

import time
from typing import Any

import orjson

from agrama.graph.ledger import Draft, Rows
from agrama.session import decisions, sessions
from agrama.session.hub import Hub
from agrama.session.rows import read_session


def list_sessions(
    hub: Hub, *, status: str | None = None, tag: str | None = None, agent: str | None = None
) -> list[dict[str, Any]]:
    """Sessions with their participants, the most recently active first."""
    now_us = time.time_ns() // 1000
    with hub.read() as rows:
        found = [(key, orjson.loads(row)) for key, row in rows.scan("sessions")]
        idle = [row for key, row in found if sessions.idle_us(rows, key, row, now_us) is not None]
    if idle:
        hub.write(lambda draft: _put_to_sleep(draft, [row["session"] for row in idle]))
    with hub.read() as rows:
        found = [(key, orjson.loads(row)) for key, row in rows.scan("sessions")]
        shown = [
            {**sessions.describe(rows, key, row), "participants": people}
            for key, row in found
            if (status is None or row["status"] == status) and (tag is None or tag in row["tags"])
            for people in [sessions.participants(rows, key, now_us)]
            if agent is None or any(person["agent_id"] == agent for person in people)
        ]
    shown.sort(key=lambda row: (row["last_activity"], row["session_id"]), reverse=True)
    return shown


def describe_session(hub: Hub, session_id: str) -> dict[str, Any]:
    """One session with its participants."""
    with hub.read() as rows:
        key, row = read_session(rows, session_id)
        people = sessions.participants(rows, key, time.time_ns() // 1000)
        return {**sessions.describe(rows, key, row), "participants": people}


def _put_to_sleep(draft: Draft, session_ids: list[str]) -> None:
    for session_id in session_ids:
        sessions.fall_asleep(draft, *read_session(draft.rows, session_id))


def session_decisions(rows: Rows, session_id: str) -> list[dict[str, Any]]:
    """The decisions taken in a session, oldest first."""
    found = (orjson.loads(row) for _, row in rows.scan("decisions"))
    return [decisions.describe(row) for row in found if row.get("session") == session_id]


def render_markdown(
    session: dict[str, Any], shown: list[dict[str, Any]], decided: list[dict[str, Any]]
) -> str:
    """A session as a document."""
    lines = [f"# {session['name']}", ""]
    if session["goal"]:
        lines += [session["goal"], ""]
    lines += [
        f"- session {session['session_id']}, {session['status']}",
        f"- created {session['created_at']}, last activity {session['last_activity']}",
        "- participants: "
        + (", ".join(row["agent_id"] for row in session["participants"]) or "none"),
    ]
    if session["tags"]:
        lines.append("- tags: " + ", ".join(session["tags"]))
    if session.get("summary"):
        lines += ["", session["summary"]]
    if decided:
        lines += ["", "## Decisions", ""]
        lines += [
            f"- {row['decision_id']}: {row['decision']} ({row['reasoning']})" for row in decided
        ]
    lines += ["", "## Messages", ""]
    for row in shown:
        who = row.get("agent_id") or row["role"]
        tags = f" [{' '.join(row['tags'])}]" if "tags" in row else ""
        lines += [f"### {row['message_id']} {who} ({row['role']}){tags} {row['created_at']}", ""]
        lines += [row["content"], ""]
    return "\n".join(lines).rstrip() + "\n"
