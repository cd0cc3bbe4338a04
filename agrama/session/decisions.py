"""Decisions: recorded once with their reasons, found again when their code or their topic comes up."""

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

import orjson

from agrama.errors import ToolError
from agrama.graph.keys import text_key
from agrama.graph.ledger import Draft, Record, Rows
from agrama.graph.terms import STOP_WORDS, split_text
from agrama.session.meaning import Meanings
from agrama.session.rows import (
    format_time,
    idempotency_digest,
    number_key,
    read_number,
    read_record,
    read_session,
    read_state,
    target_key,
)
from agrama.session.sessions import check_open, ensure_participant

STATUSES = ("proposed", "accepted", "rejected", "superseded")
_SATURATION = 1.2  # BM25's k1; decisions are short and alike in length, so there is no b


def decision_name(number: int) -> str:
    return f"D{number}"


def parse_name(name: str, parameter: str) -> int:
    digits = name.strip().lstrip("Dd#")
    if not digits.isdecimal():
        raise ToolError(
            f"{name[:80]!r} is no decision id",
            data={"parameter": parameter, "expected": "an id such as D12", "got": name[:80]},
        )
    return int(digits)


def record_decision(
    draft: Draft, fields: dict[str, Any], *, key: str | None, client: dict[str, Any]
) -> tuple[Record, bool]:
    """Add a decision; the record, and whether it had been added before under the same key."""
    agent = fields.get("agent")
    if key is not None:
        found = draft.rows.get("keys", idempotency_digest("decision", "", agent, key))
        earlier = read_record(draft.rows, read_number(found)) if found else None
        if earlier is not None:
            return earlier, True
    session_id = fields.get("session")
    if session_id is not None:
        session, row = read_session(draft.rows, session_id)
        check_open(draft, session, row)
        if agent is not None:
            ensure_participant(draft, session, session_id, agent, client)
    older = fields.get("supersedes")
    if older is not None:
        _check_supersedes(draft.rows, older)
    number = read_state(draft.rows, b"decisions") + 1
    return draft.add("decision", number=number, key=key, **fields), False


def _check_supersedes(rows: Rows, number: int) -> None:
    row = read_decision(rows, number)
    if row is None:
        raise ToolError(
            f"There is no decision {decision_name(number)} to supersede",
            data={"parameter": "supersedes", "got": decision_name(number)},
        )
    if "superseded_by" in row:
        newer = decision_name(row["superseded_by"])
        raise ToolError(
            f"{decision_name(number)} is already superseded by {newer}: supersede {newer}",
            data={"parameter": "supersedes", "got": decision_name(number), "hint": newer},
        )


def read_decision(rows: Rows, number: int) -> dict[str, Any] | None:
    row = rows.get("decisions", number_key(number))
    return None if row is None else orjson.loads(row)


@dataclass(frozen=True, slots=True)
class Wanted:
    """Which decisions are asked for. None means any."""

    query: str | None = None
    path: str | None = None
    symbol: str | None = None
    tag: str | None = None
    agent: str | None = None
    status: str | None = None
    superseded: bool = False

    def accepts(self, row: dict[str, Any]) -> bool:
        if self.status is not None:
            if row["status"] != self.status:
                return False
        elif row["status"] == "superseded" and not self.superseded:
            return False
        return (self.tag is None or self.tag in row.get("tags", ())) and (
            self.agent is None or row.get("agent") == self.agent
        )


def find_decisions(
    rows: Rows, wanted: Wanted, meanings: Meanings | None = None
) -> Iterator[dict[str, Any]]:
    """Best match first when there is a query (by words, and by meaning), newest first otherwise."""
    numbers = _candidates(rows, wanted, meanings)
    for number in numbers:
        row = read_decision(rows, number)
        if row is not None and wanted.accepts(row):
            yield row


def _candidates(rows: Rows, wanted: Wanted, meanings: Meanings | None) -> Iterable[int]:
    linked: set[int] | None = None
    if wanted.symbol is not None:
        linked = linked_to_symbol(rows, wanted.symbol)
    if wanted.path is not None:
        near = linked_to_path(rows, wanted.path)
        linked = near if linked is None else linked & near
    if wanted.query is not None:
        scores = _score(rows, wanted.query)
        highest = max(scores.values(), default=1.0)
        scores = {number: score / highest for number, score in scores.items()}
        for number, likeness in (
            meanings.find_near(rows, wanted.query) if meanings else {}
        ).items():
            scores[number] = scores.get(number, 0.0) + likeness
        ranked = sorted(scores, key=lambda number: (-scores[number], -number))
        return ranked if linked is None else [number for number in ranked if number in linked]
    if linked is not None:
        return sorted(linked, reverse=True)
    return (read_number(key) for key, _ in rows.scan_back("decisions", b""))


def linked_to_path(rows: Rows, path: str) -> set[int]:
    """Decisions tied to a file, to something in it, or to a folder around it."""
    folders = path.rstrip("/").split("/")[:-1]
    prefixes = [target_key("/".join(folders[: n + 1]) + "/") for n in range(len(folders))]
    prefixes.append(path.encode() if path.endswith("/") else target_key(path))
    if not path.endswith("/"):
        prefixes.append(path.encode() + b"::")
        prefixes.append(target_key(path + "/"))
    return {
        read_number(key) for prefix in prefixes for key, _ in rows.scan("decision_links", prefix)
    }


def linked_to_symbol(rows: Rows, symbol: str) -> set[int]:
    """Decisions tied to a symbol or to something inside it."""
    prefixes = [target_key(symbol), symbol.encode() + (b"." if "::" in symbol else b"::")]
    return {
        read_number(key) for prefix in prefixes for key, _ in rows.scan("decision_links", prefix)
    }


def _score(rows: Rows, query: str) -> dict[int, float]:
    scores: dict[int, float] = {}
    total = max(1, read_state(rows, b"decisions"))
    for term in dict.fromkeys(split_text(query)):
        if term in STOP_WORDS:
            continue
        found = [
            (read_number(key), count[0])
            for key, count in rows.scan("decision_terms", text_key(term) + b"\0")
        ]
        weight = math.log(1 + (total - len(found) + 0.5) / (len(found) + 0.5))
        for number, count in found:
            part = weight * count * (_SATURATION + 1) / (count + _SATURATION)
            scores[number] = scores.get(number, 0.0) + part
    return scores


def _names_symbol(link: dict[str, Any]) -> bool:
    """A symbol that was not found is only a name, and marked as one."""
    return "::" in link["target"] or "symbol" in link


def describe(row: dict[str, Any]) -> dict[str, Any]:
    """A decision as answers show it, without what depends on the disk."""
    links = row.get("links", ())
    answer: dict[str, Any] = {
        "decision_id": decision_name(row["number"]),
        "seq": row["seq"],
        "created_at": format_time(row["time"]),
        "decision": row["decision"],
        "reasoning": row["reasoning"],
        "status": row["status"],
        "paths": [link["target"] for link in links if not _names_symbol(link)],
        "symbols": [link["target"] for link in links if _names_symbol(link)],
    }
    for name in ("context", "confidence", "alternatives", "impact", "tags"):
        if row.get(name) not in (None, [], {}):
            answer[name] = row[name]
    for name, stored in (("agent_id", "agent"), ("session_id", "session")):
        if row.get(stored):
            answer[name] = row[stored]
    for name in ("supersedes", "superseded_by"):
        if row.get(name):
            answer[name] = decision_name(row[name])
    return answer
