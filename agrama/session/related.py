"""What other agents said about a piece of code: claims on it, decisions about it."""

import time
from collections.abc import Iterable
from typing import Any

import orjson

from agrama.graph.ledger import Rows
from agrama.session import claims, decisions, sessions
from agrama.session.rows import read_session, read_state

_SHOWN_DECISIONS = 10


def find_claims(rows: Rows, targets: Iterable[str], now_us: int) -> list[dict[str, Any]]:
    """The live claims that overlap any of the targets."""
    wanted = list(targets)
    live = claims.live_claims(rows, now_us)
    return [
        item for item in live if any(claims.overlaps(item["target"], target) for target in wanted)
    ]


def find_decisions(rows: Rows, paths: Iterable[str]) -> list[dict[str, Any]]:
    """The decisions in force about files or what is in them, newest first."""
    numbers: set[int] = set()
    if not read_state(rows, b"decisions"):
        return []
    for path in paths:
        numbers |= decisions.linked_to_path(rows, path)
    found = (decisions.read_decision(rows, number) for number in sorted(numbers, reverse=True))
    kept = [row for row in found if row is not None and row["status"] != "superseded"]
    return kept[:_SHOWN_DECISIONS]


def describe_claims(rows: Rows, found: list[dict[str, Any]]) -> dict[str, Any]:
    """Claims, and the sessions they were made in."""
    held: dict[str, dict[str, Any]] = {}
    for item in found:
        key, row = read_session(rows, item["session"])
        shown = sessions.describe(rows, key, row)
        names = ("session_id", "name", "goal", "status")
        held.setdefault(item["session"], {name: shown[name] for name in names})
    return {"sessions": list(held.values()), "claims": [claims.describe(item) for item in found]}


def seconds_left(found: list[dict[str, Any]], now_us: int) -> float | None:
    """How long an answer that shows these claims stays true."""
    ends = [item["expires"] for item in found]
    return None if not ends else max(0.0, (min(ends) - now_us) / 1e6)


def now_us() -> int:
    return time.time_ns() // 1000


def active_sessions(rows: Rows) -> list[dict[str, Any]]:
    """The open sessions of the repository, the most recently active first."""
    found = [(key, orjson.loads(row)) for key, row in rows.scan("sessions")]
    shown = [sessions.describe(rows, key, row) for key, row in found if row["status"] == "open"]
    return sorted(shown, key=lambda row: row["last_activity"], reverse=True)
