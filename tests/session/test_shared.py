"""What others claimed and decided shows up where the code is read, and at once."""

import os
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from session_agents import Agent, RefusedError

Start = Callable[..., Agent]


def read(agent: Agent, **arguments: Any) -> dict[str, Any]:
    return agent.call("read_code", path="shop/money.py", **arguments)


def test_reading_code_creates_no_journal(start_agent: Start, index_home: Path) -> None:
    answer = read(start_agent())
    assert "decisions" not in answer
    assert list(index_home.rglob("*.journal")) == []


def test_a_data_folder_that_cannot_be_written_still_serves_code(
    start_agent: Start, indexed: Path, index_home: Path
) -> None:
    first = start_agent()
    first.call("create_session", name="work", agent_id="b")
    first.close()
    as_root = os.geteuid() == 0  # whom no permission stops
    if as_root:
        mount = ["mount", "--bind", str(index_home), str(index_home)]
        if subprocess.run(mount, capture_output=True, check=False).returncode:
            pytest.skip("root without the right to mount")
        read_only = ["mount", "-o", "remount,ro,bind", str(index_home)]
    else:
        for folder in index_home.rglob("*/"):
            folder.chmod(0o500)
    try:
        if as_root:
            subprocess.run(read_only, check=True)
        agent = start_agent()
        assert read(agent)["exists"]
        with pytest.raises(RefusedError, match=r"cannot be written .* set AGRAMA_HOME"):
            agent.call("list_sessions")
        agent.close()
    finally:
        if as_root:
            subprocess.run(["umount", str(index_home)], check=True)
        else:
            for folder in index_home.rglob("*/"):
                folder.chmod(0o700)


def test_claims_and_decisions_of_others_appear_in_read_code(start_agent: Start) -> None:
    reader, writer = start_agent(), start_agent()
    for _ in range(2):  # the second answer comes from the cache
        assert "collaborative_context" not in read(reader)
    session = writer.call("create_session", name="work", agent_id="b")["session_id"]
    writer.call("claim", session_id=session, agent_id="b", paths=["shop"], intent="rename")
    claims = read(reader)["collaborative_context"]["claims"]
    assert [(row["agent_id"], row["intent"]) for row in claims] == [("b", "rename")]
    writer.call("release", session_id=session, agent_id="b")
    assert "collaborative_context" not in read(reader)
    writer.call("record_decision", decision="Cents", reasoning="exact", paths=["shop/money.py"])
    for _ in range(2):
        decisions = read(reader)["decisions"]
        assert [(row["decision"], row["stale"]) for row in decisions] == [("Cents", False)]
    assert "decisions" not in read(reader, include_decisions=False)


def test_a_stale_decision_is_marked_where_it_shows(start_agent: Start, sample: Path) -> None:
    agent = start_agent()
    agent.call(
        "record_decision",
        decision="Together",
        reasoning="they change together",
        paths=["shop/money.py", "shop/basket.py"],
    )
    assert read(agent)["decisions"][0]["stale"] is False
    (sample / "shop/basket.py").write_text("# empty\n")
    shown = read(agent)["decisions"][0]
    assert shown["stale_reason"] == "shop/basket.py changed since the decision"


def test_a_lapsed_claim_disappears_from_a_cached_answer(start_agent: Start) -> None:
    import time

    agent = start_agent()
    session = agent.call("create_session", name="work", agent_id="b")["session_id"]
    lease = {"paths": ["shop/money.py"], "ttl_seconds": 0.8}
    agent.call("claim", session_id=session, agent_id="b", **lease)
    assert "collaborative_context" in read(agent)
    time.sleep(0.85)
    assert "collaborative_context" not in read(agent)


def test_search_history_and_impact_show_them_too(start_agent: Start, indexed: Path) -> None:
    subprocess.run(["git", "init", "-q", str(indexed)], check=True)
    commit = ["commit", "-q", "--allow-empty", "-m", "x"]
    who = ["-c", "user.name=a", "-c", "user.email=a@example.org"]
    subprocess.run(["git", "-C", str(indexed), *who, *commit], check=True)
    agent = start_agent("--allow-write")
    agent.call("record_decision", decision="Cents", reasoning="exact", paths=["shop/money.py"])
    session = agent.call("create_session", name="work", agent_id="b")["session_id"]
    agent.call("claim", session_id=session, agent_id="b", paths=["shop/money.py"])
    assert agent.call("hybrid_search", query="Money")["decisions"][0]["decision_id"] == "D1"
    impact = agent.call("analyze_impact", paths=["shop/money.py"])
    assert impact["collaborative_context"]["claims"][0]["agent_id"] == "b"
    written = agent.call(
        "write_code", path="shop/money.py", content="X = 1\n", reason="simpler", agent_id="a"
    )
    assert written["claimed_by_others"][0]["agent_id"] == "b"
    writes = agent.call("query_history", path="shop/money.py")["writes"]
    assert [(row["agent_id"], row["reason"]) for row in writes] == [("a", "simpler")]


def test_enforced_claims_and_closed_sessions_refuse_writes(
    start_agent: Start, indexed: Path
) -> None:
    agent = start_agent("--allow-write", "--enforce-claims")
    session = agent.call("create_session", name="work", agent_id="b")["session_id"]
    agent.call("claim", session_id=session, agent_id="b", paths=["shop"], intent="move")
    write = {"path": "shop/money.py", "content": "X = 1\n", "reason": "simpler"}
    before = (indexed / "shop/money.py").read_text()
    with pytest.raises(RefusedError, match=r"b holds shop/ \(move\)"):
        agent.call("write_code", agent_id="a", **write)
    assert (indexed / "shop/money.py").read_text() == before
    assert agent.call("write_code", agent_id="b", session_id=session, **write)["written"]
    kinds = [
        row["kind"]
        for row in agent.call("session_events", session_id=session, agent_id="b")["events"]
    ]
    assert kinds[-1] == "write"
    agent.call("close_session", session_id=session)
    with pytest.raises(RefusedError, match="is closed"):
        agent.call("write_code", agent_id="b", session_id=session, **write)
