"""Decisions over stdio: links, staleness, supersede chains, search, redaction."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from session_agents import Agent, RefusedError

Start = Callable[..., Agent]


def decide(agent: Agent, decision: str, **more: Any) -> dict[str, Any]:
    return agent.call("record_decision", decision=decision, reasoning="because", **more)


def found(agent: Agent, **wanted: Any) -> list[str]:
    rows = agent.call("query_decisions", **wanted)["decisions"]
    return [row["decision_id"] for row in rows]


def test_a_symbol_is_linked_by_any_name_that_means_one(start_agent: Start, indexed: Path) -> None:
    made = decide(
        start_agent(), "Sum without floats", symbols=["Money.add", "checkout()", "__init__"]
    )
    assert made["linked"] == ["shop/money.py::Money.add", "shop/basket.py::checkout"]
    assert made["unresolved"] == ["__init__"]  # there are several


def test_decisions_come_back_by_path_symbol_tag_and_words(
    start_agent: Start, indexed: Path
) -> None:
    agent = start_agent()
    made = decide(agent, "Keep cents as integers", paths=["shop/money.py"], tags="money")
    assert made["linked"] == ["shop/money.py"]
    made = decide(
        agent, "Adding returns a new object", symbols=["shop/money.py::Money.add", "Nope"]
    )
    assert made["linked"] == ["shop/money.py::Money.add"]
    assert made["unresolved"] == ["Nope"]
    row = agent.call("query_decisions", symbol="Nope")["decisions"][0]
    assert (row["paths"], row["symbols"]) == ([], ["shop/money.py::Money.add", "Nope"])
    decide(agent, "No database yet", paths=["shop"], agent_id="a")
    assert found(agent) == ["D3", "D2", "D1"]
    assert found(agent, path="shop/money.py") == ["D3", "D2", "D1"]
    assert found(agent, path="shop/basket.py") == ["D3"]
    assert found(agent, symbol="shop/money.py::Money") == ["D2"]
    assert found(agent, tag="money") == ["D1"]
    assert found(agent, agent_id="a") == ["D3"]
    assert found(agent, query="databases")[0] == "D3"
    assert found(agent, query="integer cents")[0] == "D1"
    assert found(agent, query="Nope")[0] == "D2"
    first = agent.call("query_decisions", max_results=2)
    assert found(agent, cursor=first["next_cursor"]) == ["D1"]


def test_a_decision_is_stale_when_its_code_changed(start_agent: Start, indexed: Path) -> None:
    from agrama.cli import main

    agent = start_agent()
    decide(agent, "by file", paths=["shop/money.py"])
    decide(agent, "by symbol", symbols=["shop/money.py::Money.add"])
    decide(agent, "elsewhere", symbols=["shop/basket.py::checkout"])
    path = indexed / "shop/money.py"
    path.write_text(path.read_text().replace("Sum two", "Add two"))
    rows = agent.call("query_decisions")["decisions"]
    assert [row["stale"] for row in rows] == [False, True, True]
    assert "not indexed again" in rows[1]["stale_reason"]
    assert main(["index", str(indexed), "--quiet"]) == 0
    rows = agent.call("query_decisions")["decisions"]
    assert rows[1]["stale_reason"] == "shop/money.py::Money.add changed since the decision"
    path.unlink()
    assert main(["index", str(indexed), "--quiet"]) == 0
    rows = agent.call("query_decisions")["decisions"]
    assert rows[2]["stale_reason"] == "shop/money.py is gone"
    assert rows[1]["stale_reason"] == "shop/money.py::Money.add is gone with its file"


def test_superseded_decisions_step_back(start_agent: Start) -> None:
    agent = start_agent()
    decide(agent, "old way")
    made = decide(agent, "new way", supersedes="D1")
    assert made["decision_id"] == "D2"
    assert found(agent) == ["D2"]
    rows = agent.call("query_decisions", include_superseded=True)["decisions"]
    assert rows[0]["supersedes"] == "D1"
    assert (rows[1]["status"], rows[1]["superseded_by"]) == ("superseded", "D2")
    assert found(agent, status="superseded") == ["D1"]
    with pytest.raises(RefusedError, match="already superseded by D2"):
        decide(agent, "third way", supersedes="D1")
    with pytest.raises(RefusedError, match="no decision D9"):
        decide(agent, "third way", supersedes="D9")


def test_statuses_and_details_are_kept(start_agent: Start) -> None:
    agent = start_agent()
    decide(
        agent,
        "maybe",
        status="proposed",
        confidence=0.4,
        impact="high",
        alternatives=["wait", {"option": "buy", "reason": "dear"}],
        context={"ticket": 7},
    )
    row = agent.call("query_decisions", status="proposed")["decisions"][0]
    assert (row["confidence"], row["impact"]) == (0.4, "high")
    assert row["alternatives"][1]["reason"] == "dear"
    assert row["context"] == {"ticket": 7}
    assert found(agent, query="buy") == ["D1"]


def test_secrets_are_redacted_before_they_are_kept(start_agent: Start, index_home: Path) -> None:
    agent = start_agent()
    secrets = ["ghp_" + "a1" * 18, "AKIA" + "ABCDEFGH12345678", "hunter2hunter2"]
    agent.call(
        "record_decision",
        decision=f"Use token {secrets[0]}",
        reasoning=f"key {secrets[1]} and password: {secrets[2]}",
        context={"url": "postgres://bob:pa55word@db/shop"},
    )
    row = agent.call("query_decisions")["decisions"][0]
    assert row["context"]["url"] == "postgres://bob:[redacted]@db/shop"
    kept = b"".join(path.read_bytes() for path in index_home.rglob("*") if path.is_file())
    for secret in (*secrets, "pa55word"):
        assert secret.encode() not in kept


def test_decisions_are_found_by_meaning(start_agent: Start) -> None:
    agent = start_agent()
    decide(agent, "Retry failed HTTP requests with exponential backoff")
    decide(agent, "Authenticate users by session cookie instead of JWT")
    decide(agent, "Store amounts as integer cents")
    assert found(agent, query="what happens on network failure") == ["D1"]
    assert found(agent, query="login tokens") == ["D2"]
