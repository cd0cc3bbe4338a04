"""Says in an answer about dependencies what could hide more of them."""

from typing import Any

from agrama.context import Context

COVERAGE_SCHEMA: dict[str, Any] = {
    "coverage": {
        "type": "object",
        "description": "calls no target was found for, and files not read whole: either may hide a dependency",
        "properties": {
            "unresolved_calls": {"type": "integer"},
            "call_sites": {"type": "integer"},
            "skipped_files": {"type": "integer"},
            "partial_files": {"type": "integer"},
            "examples": {"type": "array", "items": {"type": "string"}},
        },
        "required": ["unresolved_calls", "call_sites", "skipped_files", "partial_files"],
    }
}


def add_coverage(context: Context, answer: dict[str, Any]) -> None:
    """Put `coverage` of the whole repository into an answer."""
    coverage = context.services.coverage(context.snapshot)
    row: dict[str, Any] = {
        "unresolved_calls": coverage.unresolved_calls,
        "call_sites": coverage.call_sites,
        "skipped_files": coverage.skipped_files,
        "partial_files": coverage.partial_files,
    }
    if coverage.examples:
        row["examples"] = list(coverage.examples)
    answer["coverage"] = row


def render_coverage(answer: dict[str, Any]) -> list[str]:
    """The same as lines of text; nothing when nothing is missing."""
    row = answer.get("coverage")
    if row is None or not (row["unresolved_calls"] or row["skipped_files"] or row["partial_files"]):
        return []
    parts = [f"{row['unresolved_calls']} of {row['call_sites']} calls have no known target"]
    if row["skipped_files"] or row["partial_files"]:
        named = ", ".join(row.get("examples", ())[:3])
        parts.append(
            f"{row['skipped_files']} files skipped, {row['partial_files']} parsed in part ({named})"
        )
    return ["coverage: " + "; ".join(parts)]
