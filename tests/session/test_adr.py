"""Decisions as documents: what was written is read, whatever their texts look like."""

from typing import Any

import pytest

from agrama.session import adr


@pytest.mark.parametrize(
    ("decision", "reasoning"),
    [
        ("Pay in cents", "floats drift"),
        ("Pay in cents\nmore about it\n\n- tags: none\n- a list", "because\n\n- id: D9"),
        ("Two parts\n## Reasoning\nis a heading here", "## Alternatives\nnone"),
        ("Escaped\n\\## Reasoning", "\\\\## Alternatives\n## Reasoning"),
    ],
)
def test_a_document_gives_the_decision_back(decision: str, reasoning: str) -> None:
    row: dict[str, Any] = {
        "decision_id": "D3",
        "created_at": "2026-11-18T21:34:53.409590Z",
        "decision": decision,
        "reasoning": reasoning,
        "status": "accepted",
        "tags": ["money"],
        "context": {"a": 1},
        "alternatives": ["floats: no", {"name": "Decimal"}],
    }
    assert adr.parse(adr.render(row), "0003.md") == row
