"""What each record does to the index. Replaying the journal runs exactly this, so nothing here may
look at the clock, the disk or chance: only at the record and at rows earlier records made."""

from collections import Counter
from collections.abc import Callable
from typing import Any

import orjson

from agrama.graph.keys import text_key
from agrama.graph.ledger import Record, Rows
from agrama.graph.terms import STOP_WORDS, split_text
from agrama.session.rows import (
    agent_key,
    idempotency_digest,
    number_key,
    put_counters,
    read_counters,
    read_number,
    read_state,
    target_key,
)

# Activity is noted this often at most: a busy agent must not rewrite its row with every message.
_TOUCH_US = 1_000_000
QUIET_KINDS = frozenset(("seen",))


def apply(rows: Rows, record: Record, payload: bytes) -> None:
    """Bring the index up to a record."""
    seq: int = record["seq"]
    rows.put("records", number_key(seq), payload)
    session_id = record.get("session")
    if session_id is not None:
        session = bytes.fromhex(session_id)
        messages, _, _ = read_counters(rows, session)
        if record["kind"] == "message":
            messages = record["id"]
        if record["kind"] not in QUIET_KINDS:
            rows.put("feed", session + number_key(seq), b"")
        put_counters(rows, session, messages, seq, record["time"])
        if "agent" in record:
            _touch(rows, session, record["agent"], record["time"])
    if "key" in record:
        scope = record["session"] if record["kind"] == "message" else ""
        digest = idempotency_digest(record["kind"], scope, record.get("agent"), record["key"])
        rows.put("keys", digest, number_key(seq))
    step = _STEPS.get(record["kind"])
    if step is not None:
        step(rows, record)


def _touch(rows: Rows, session: bytes, agent: str, time_us: int) -> None:
    """Note that an agent is alive: its row, and the time its claims have left."""
    key = agent_key(session, agent)
    row = rows.get("participants", key)
    if row is not None:
        participant = orjson.loads(row)
        if time_us - participant["last_seen"] >= _TOUCH_US:
            participant["last_seen"] = time_us
            rows.put("participants", key, orjson.dumps(participant))
    for found, _ in list(rows.scan("agent_claims", key)):
        _renew(rows, read_number(found), time_us)


def _renew(rows: Rows, number: int, time_us: int) -> None:
    row = rows.get("claims", number_key(number))
    if row is None:
        return
    claim = orjson.loads(row)
    expires = time_us + claim["ttl"]
    # A claim that lapsed stays lapsed: somebody else may hold the file by now.
    if claim["expires"] >= time_us and expires - claim["expires"] >= min(
        _TOUCH_US, claim["ttl"] // 4
    ):
        claim["expires"] = expires
        _put_claim(rows, number, claim)


def _put_claim(rows: Rows, number: int, claim: dict[str, Any]) -> None:
    rows.put("claims", number_key(number), orjson.dumps(claim))
    _count(rows, b"claims")


def _count(rows: Rows, name: bytes) -> None:
    rows.put("state", name, number_key(read_state(rows, name) + 1))


def _created(rows: Rows, record: Record) -> None:
    row = {
        "session": record["session"],
        "name": record["name"],
        "goal": record.get("goal", ""),
        "tags": record.get("tags", []),
        "created": record["time"],
        "agent": record.get("agent"),
        "status": "open",
        "idle_limit_us": record.get("idle_limit_us"),
        "idle_closes": 0,
    }
    rows.put("sessions", bytes.fromhex(record["session"]), orjson.dumps(row))


def _joined(rows: Rows, record: Record) -> None:
    key = agent_key(bytes.fromhex(record["session"]), record["agent"])
    old = rows.get("participants", key)
    before = orjson.loads(old) if old else {}
    row = {
        "agent": record["agent"],
        "name": record.get("name") or before.get("name") or record["agent"],
        "client": record.get("client") or before.get("client") or {},
        "joined": record["time"],
        "last_seen": record["time"],
        "left": None,
    }
    rows.put("participants", key, orjson.dumps(row))


def _left(rows: Rows, record: Record) -> None:
    key = agent_key(bytes.fromhex(record["session"]), record.get("who") or record["agent"])
    old = rows.get("participants", key)
    if old is not None:
        rows.put("participants", key, orjson.dumps({**orjson.loads(old), "left": record["time"]}))


def _closed(rows: Rows, record: Record) -> None:
    idle = record.get("reason") == "idle_timeout"
    change = {
        "status": "closed",
        "closed": record["time"],
        "reason": record.get("reason", "closed"),
        "idle_us": record.get("idle_us"),
        "summary": record.get("summary"),
    }
    if idle:
        change["idle_closes"] = record["idle_closes"]
    _change_session(rows, record["session"], change)


def _reopened(rows: Rows, record: Record) -> None:
    change = {"status": "open", "closed": None, "reason": None, "idle_us": None}
    _change_session(rows, record["session"], change)


def _change_session(rows: Rows, session_id: str, change: dict[str, Any]) -> None:
    key = bytes.fromhex(session_id)
    old = rows.get("sessions", key)
    if old is not None:
        rows.put("sessions", key, orjson.dumps({**orjson.loads(old), **change}))


def _message(rows: Rows, record: Record) -> None:
    session = bytes.fromhex(record["session"])
    identity = number_key(record["id"])
    rows.put("messages", session + identity, number_key(record["seq"]))
    for tag in record.get("tags", ()):
        rows.put("tags", session + target_key(tag) + identity, b"")


def _claim(rows: Rows, record: Record) -> None:
    number = record["claim"]
    session = bytes.fromhex(record["session"])
    claim = {
        "claim": number,
        "session": record["session"],
        "agent": record["agent"],
        "target": record["target"],
        "intent": record.get("intent", ""),
        "ttl": record["ttl"],
        "since": record["since"],
        "expires": record["time"] + record["ttl"],
    }
    _put_claim(rows, number, claim)
    rows.put("agent_claims", agent_key(session, record["agent"]) + number_key(number), b"")


def _released(rows: Rows, record: Record) -> None:
    for number in record["claims"]:
        row = rows.get("claims", number_key(number))
        if row is not None:
            claim = orjson.loads(row)
            key = agent_key(bytes.fromhex(claim["session"]), claim["agent"])
            rows.delete("claims", number_key(number))
            rows.delete("agent_claims", key + number_key(number))
    _count(rows, b"claims")


def _decision(rows: Rows, record: Record) -> None:
    number = record["number"]
    row = {key: value for key, value in record.items() if key not in ("kind", "key")}
    row.setdefault("status", "accepted")
    rows.put("decisions", number_key(number), orjson.dumps(row))
    rows.put("state", b"decisions", number_key(number))
    _count(rows, b"decision_changes")
    for link in record.get("links", ()):
        rows.put("decision_links", target_key(link["target"]) + number_key(number), b"")
    counts = Counter(decision_terms(record))
    tail = b"\0" + number_key(number)
    postings = [
        (text_key(term) + tail, bytes((min(counts[term], 255),))) for term in sorted(counts)
    ]
    rows.put_many("decision_terms", postings)
    older = record.get("supersedes")
    old = rows.get("decisions", number_key(older)) if older else None
    if old is not None:
        changed = {**orjson.loads(old), "status": "superseded", "superseded_by": number}
        rows.put("decisions", number_key(older), orjson.dumps(changed))


def decision_terms(record: Record) -> list[str]:
    """The search terms of a decision, its title twice as heavy as the rest."""
    alternatives = record.get("alternatives", ())
    targets = (link["target"] for link in record.get("links", ()))
    parts = [record["decision"], record["decision"], record["reasoning"]]
    parts += [word for item in alternatives for word in _words(item)]
    parts += [*record.get("tags", ()), *targets]
    terms = split_text(" ".join(parts))
    return [term for term in terms if term not in STOP_WORDS]


def _words(item: Any) -> list[str]:
    """The text in an alternative, which may be a sentence or an object that describes it."""
    if isinstance(item, str):
        return [item]
    values = item.values() if isinstance(item, dict) else ()
    return [value for value in values if isinstance(value, str)]


def _write(rows: Rows, record: Record) -> None:
    rows.put("writes", target_key(record["path"]) + number_key(record["seq"]), b"")


def _reindexed(rows: Rows, record: Record) -> None:
    rows.put("state", b"generation", number_key(record["generation"]))


_STEPS: dict[str, Callable[[Rows, Record], None]] = {
    "created": _created,
    "joined": _joined,
    "left": _left,
    "closed": _closed,
    "auto_close": _closed,
    "reopened": _reopened,
    "message": _message,
    "claim": _claim,
    "released": _released,
    "lapsed": _released,
    "decision": _decision,
    "write": _write,
    "reindex": _reindexed,
}
