"""Decisions as Markdown records (ADRs): one file each, written out and read back.

The file is for people: a title, a table of facts, and sections. What has no section of its own stands
in the facts as JSON, so that reading a file gives the decision that was written.
"""

import re
from typing import Any

import orjson

from agrama.errors import ToolError

_FACTS = (
    "id",
    "status",
    "date",
    "agent",
    "session",
    "impact",
    "confidence",
    "tags",
    "paths",
    "symbols",
    "supersedes",
    "superseded_by",
    "context",
)
_NAMES = {"id": "decision_id", "date": "created_at", "agent": "agent_id", "session": "session_id"}
_SECTION = re.compile(r"^## (Reasoning|Alternatives)\s*$", re.MULTILINE)
_FACT = re.compile(r"- ([a-z_]+): (.*)")
# A text that has a line like one of our headings gets a backslash before it, and loses one when read.
_HEADING = re.compile(r"^(\\*## (?:Reasoning|Alternatives)\s*)$", re.MULTILINE)
_ESCAPED = re.compile(r"^\\(\\*## (?:Reasoning|Alternatives)\s*)$", re.MULTILINE)


def file_name(row: dict[str, Any]) -> str:
    """`0012-use-lmdb-for-the-index.md`"""
    words = re.findall(r"[a-z0-9]+", row["decision"].lower())
    slug = "-".join(words)[:60].strip("-") or "decision"
    return f"{int(row['decision_id'][1:]):04d}-{slug}.md"


def render(row: dict[str, Any]) -> str:
    """One decision as a document."""
    title, _, rest = row["decision"].partition("\n")
    lines = [f"# {title}", ""]
    for name in _FACTS:
        value = row.get(_NAMES.get(name, name))
        if value not in (None, "", [], {}):
            text = value if isinstance(value, str) else orjson.dumps(value).decode()
            lines.append(f"- {name}: {text}")
    if rest.strip():
        lines += ["", _HEADING.sub(r"\\\1", rest.strip())]
    lines += ["", "## Reasoning", "", _HEADING.sub(r"\\\1", row["reasoning"].strip())]
    if row.get("alternatives"):
        lines += ["", "## Alternatives", ""]
        lines += [f"- {_render_alternative(item)}" for item in row["alternatives"]]
    return "\n".join(lines) + "\n"


def _render_alternative(item: Any) -> str:
    return item.replace("\n", " ") if isinstance(item, str) else orjson.dumps(item).decode()


def parse(text: str, name: str) -> dict[str, Any]:
    """The decision in a document, as arguments of `record_decision`; its old id under `id`."""
    head, *sections = _SECTION.split(text)
    parts = dict(zip(sections[::2], sections[1::2], strict=True))
    title = re.match(r"\s*# (.+)", head)
    if title is None or "Reasoning" not in parts:
        raise ToolError(
            f"{name} is no decision record: it needs a `# title` and a `## Reasoning` section"
        )
    facts, rest = _read_facts(head[title.end() :])
    row: dict[str, Any] = {
        "decision": title[1].strip() + (f"\n{rest}" if rest else ""),
        "reasoning": _ESCAPED.sub(r"\1", parts["Reasoning"].strip()),
    }
    lines = re.findall(r"^- (.+)$", parts.get("Alternatives", ""), re.MULTILINE)
    if lines:
        row["alternatives"] = [_read_value(line) for line in lines]
    for key in _FACTS:
        if key in facts:
            row[_NAMES.get(key, key)] = facts[key]
    return row


def _read_facts(text: str) -> tuple[dict[str, Any], str]:
    """The list of facts that follows the title, and the text behind it, which may hold lists too."""
    facts: dict[str, Any] = {}
    lines = text.strip().splitlines()
    while lines and (fact := _FACT.fullmatch(lines[0])):
        facts[fact[1]] = _read_value(fact[2])
        del lines[0]
    return facts, _ESCAPED.sub(r"\1", "\n".join(lines).strip())


def _read_value(text: str) -> Any:
    if text[:1] in "[{" or text[:1].isdigit():
        try:
            return orjson.loads(text)
        except orjson.JSONDecodeError:
            return text.strip()
    return text.strip()
