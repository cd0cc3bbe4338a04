"""Claims: leases on files, folders and symbols, so that agents see each other before they collide.

A claim forbids nothing by itself. It lapses at its time, is renewed by whatever its agent writes, and
overlapping ones are told to both sides as an event.
"""

from typing import Any

import orjson

from agrama.errors import ToolError
from agrama.graph.ledger import Draft, Rows
from agrama.session.rows import agent_key, format_time, number_key, read_number, read_session
from agrama.session.sessions import PARTICIPANT_IDLE_US, check_open, ensure_participant

Claim = dict[str, Any]


def claim_name(number: int) -> str:
    return f"C{number}"


def parse_name(name: str) -> int:
    digits = name.strip().lstrip("Cc#")
    if not digits.isdecimal():
        raise ToolError(
            f"{name[:80]!r} is no claim id",
            data={"parameter": "claim_ids", "expected": "an id such as C12", "got": name[:80]},
        )
    return int(digits)


def overlaps(first: str, second: str) -> bool:
    """Tell whether two targets share code: the same, or one inside the other."""
    path, _, name = first.partition("::")
    other_path, _, other_name = second.partition("::")
    if path == other_path:
        return not name or not other_name or _nested(name, other_name) or _nested(other_name, name)
    return _inside(path, other_path) or _inside(other_path, path)


def _nested(outer: str, inner: str) -> bool:
    return inner == outer or inner.startswith(outer + ".")


def _inside(folder: str, path: str) -> bool:
    return folder.endswith("/") and path.startswith(folder)


def live_claims(rows: Rows, now_us: int) -> list[Claim]:
    """Every claim that has not lapsed, oldest first."""
    found = (orjson.loads(row) for _, row in rows.scan("claims"))
    return [claim for claim in found if claim["expires"] > now_us]


def claim(
    draft: Draft,
    session_id: str,
    agent: str,
    targets: list[str],
    *,
    intent: str,
    ttl_us: int,
    client: dict[str, Any],
) -> tuple[list[Claim], list[dict[str, Any]]]:
    """Claim targets; the claims, and whose claims they overlap."""
    session, row = read_session(draft.rows, session_id)
    check_open(draft, session, row)
    sweep(draft)
    ensure_participant(draft, session, session_id, agent, client)
    live = live_claims(draft.rows, draft.now_us)
    own = {item["target"]: item for item in live if _is_own(item, session_id, agent)}
    others = [item for item in live if item["agent"] != agent]
    claims, conflicts = [], []
    for target in targets:
        before = own.get(target)
        number = before["claim"] if before else draft.seq + 1
        draft.add(
            "claim",
            session=session_id,
            agent=agent,
            claim=number,
            target=target,
            intent=intent or (before["intent"] if before else None),
            ttl=ttl_us,
            since=before["since"] if before else draft.now_us,
        )
        made = orjson.loads(draft.rows.get("claims", number_key(number)) or b"{}")
        claims.append(made)
        met = [item for item in others if overlaps(target, item["target"])]
        conflicts += [{**describe(item), "your_target": target} for item in met]
        if before is None:
            _tell_both(draft, made, met)
    return claims, conflicts


def _is_own(item: Claim, session_id: str, agent: str) -> bool:
    return bool(item["agent"] == agent and item["session"] == session_id)


def _tell_both(draft: Draft, made: Claim, met: list[Claim]) -> None:
    """One conflict event in each session that has a side in it."""
    for session_id in dict.fromkeys([made["session"], *(item["session"] for item in met)]):
        if met:
            sides = [describe(item) for item in (made, *met)]
            draft.add("conflict", session=session_id, target=made["target"], sides=sides)


def release(
    draft: Draft, session_id: str, agent: str, *, numbers: list[int], targets: list[str]
) -> list[Claim]:
    """Give up claims of one's own: the named ones, or all."""
    session, _ = read_session(draft.rows, session_id)
    prefix = agent_key(session, agent)
    own = [read_number(key) for key, _ in draft.rows.scan("agent_claims", prefix)]
    rows = [orjson.loads(draft.rows.get("claims", number_key(number)) or b"{}") for number in own]
    everything = not numbers and not targets
    chosen = [
        row for row in rows if everything or row["claim"] in numbers or row["target"] in targets
    ]
    if chosen:
        draft.add(
            "released",
            session=session_id,
            agent=agent,
            claims=[row["claim"] for row in chosen],
            targets=[row["target"] for row in chosen],
            reason="released",
        )
    return chosen


def needs_sweep(rows: Rows, session: bytes | None, now_us: int) -> bool:
    """Tell whether claims lapsed or participants went without anybody having written it down."""
    if any(orjson.loads(row)["expires"] <= now_us for _, row in rows.scan("claims")):
        return True
    return session is not None and bool(_silent(rows, session, now_us))


def sweep(draft: Draft, session: bytes | None = None) -> None:
    """Write down what lapsed by itself."""
    lapsed: dict[str, list[Claim]] = {}
    for _, row in draft.rows.scan("claims"):
        item = orjson.loads(row)
        if item["expires"] <= draft.now_us:
            lapsed.setdefault(item["session"], []).append(item)
    for session_id, items in lapsed.items():
        draft.add(
            "lapsed",
            session=session_id,
            claims=[item["claim"] for item in items],
            targets=[item["target"] for item in items],
            agents=[item["agent"] for item in items],
        )
    if session is not None:
        for agent in _silent(draft.rows, session, draft.now_us):
            draft.add("left", session=session.hex(), who=agent, reason="expired")


def _silent(rows: Rows, session: bytes, now_us: int) -> list[str]:
    found = (orjson.loads(row) for _, row in rows.scan("participants", session))
    return [
        row["agent"]
        for row in found
        if row["left"] is None and now_us - row["last_seen"] > PARTICIPANT_IDLE_US
    ]


def describe(item: Claim) -> dict[str, Any]:
    """Who, what, why, until when."""
    return {
        "claim_id": claim_name(item["claim"]),
        "agent_id": item["agent"],
        "session_id": item["session"],
        "target": item["target"],
        "intent": item["intent"],
        "claimed_at": format_time(item["since"]),
        "expires_at": format_time(item["expires"]),
    }
