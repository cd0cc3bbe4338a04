"""The rows of the collaboration index: table names, keys, and how times are written.

Session ids are 32 hexadecimal digits outside and 16 bytes in keys; counters in keys are big-endian,
so that LMDB's order is theirs. Times are microseconds since 1970 inside and ISO 8601 outside.
"""

import hashlib
import struct
from datetime import UTC, datetime, timedelta
from typing import Any

import orjson

from agrama.errors import SessionError
from agrama.graph.keys import text_key
from agrama.graph.ledger import Record, Rows

# One history line per bump; the index is replayed from the journal when it differs.
#   1  records, feed, sessions, counters, participants, messages, tags, claims, decisions, keys, writes
#   2  the same tables in one tree
INDEX_FORMAT = 2

TABLES = (
    "records",  # seq -> payload as in the journal
    "feed",  # session, seq
    "sessions",  # session -> row
    "counters",  # session -> messages, last seq, last time
    "participants",  # session, agent -> row
    "messages",  # session, message id -> seq
    "tags",  # session, tag, message id
    "claims",  # claim number -> row, live ones only
    "agent_claims",  # session, agent, claim number
    "decisions",  # number -> row
    "decision_links",  # path or symbol, number
    "decision_terms",  # term, number -> occurrences
    "keys",  # digest of an idempotency key -> seq
    "writes",  # path, seq
    "state",  # small counters by name
)

_U64 = struct.Struct(">Q")
_COUNTERS = struct.Struct("<QQQ")
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)

number_key = _U64.pack


def read_number(key: bytes) -> int:
    """The number a key ends in."""
    value: int = _U64.unpack_from(key, len(key) - 8)[0]
    return value


def session_key(session_id: str) -> bytes:
    """The key of a session; a malformed id is an unknown session."""
    try:
        key = bytes.fromhex(session_id)
    except ValueError:
        key = b""
    if len(key) != 16:
        raise unknown_session(session_id)
    return key


def agent_key(session: bytes, agent: str) -> bytes:
    return session + text_key(agent) + b"\0"


def target_key(target: str) -> bytes:
    return text_key(target) + b"\0"


def idempotency_digest(kind: str, scope: str, agent: str | None, key: str) -> bytes:
    text = "\0".join((kind, scope, agent or "", key))
    return hashlib.blake2b(text.encode(), digest_size=16).digest()


def read_counters(rows: Rows, session: bytes) -> tuple[int, int, int]:
    """Messages so far, last seq and last time of a session."""
    row = rows.get("counters", session)
    if row is None:
        return 0, 0, 0
    messages, seq, time_us = _COUNTERS.unpack(row)
    return messages, seq, time_us


def put_counters(rows: Rows, session: bytes, messages: int, seq: int, time_us: int) -> None:
    rows.put("counters", session, _COUNTERS.pack(messages, seq, time_us))


def read_record(rows: Rows, seq: int) -> Record | None:
    row = rows.get("records", number_key(seq))
    return None if row is None else orjson.loads(row)


def read_session(rows: Rows, session_id: str) -> tuple[bytes, dict[str, Any]]:
    """Key and row of a session that exists."""
    key = session_key(session_id)
    row = rows.get("sessions", key)
    if row is None:
        raise unknown_session(session_id)
    return key, orjson.loads(row)


def read_state(rows: Rows, name: bytes) -> int:
    row = rows.get("state", name)
    return 0 if row is None else read_number(row)


def format_time(time_us: int) -> str:
    """ISO 8601 in UTC, always with microseconds, so that text order is time order."""
    moment = _EPOCH + timedelta(microseconds=time_us)
    return f"{moment:%Y-%m-%dT%H:%M:%S}.{time_us % 1_000_000:06d}Z"


def parse_time(text: str) -> int:
    """Microseconds of an ISO 8601 time; one without zone is UTC."""
    moment = datetime.fromisoformat(text)
    if moment.tzinfo is None:
        moment = moment.replace(tzinfo=UTC)
    return (moment - _EPOCH) // timedelta(microseconds=1)


def unknown_session(session_id: str) -> SessionError:
    return SessionError(
        f"There is no session {session_id[:80]!r} in this repository",
        data={
            "parameter": "session_id",
            "expected": "the 32 digits create_session or list_sessions gave",
            "got": session_id[:80],
            "hint": "list_sessions shows what there is",
        },
    )
