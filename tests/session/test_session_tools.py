"""The collaboration tools over stdio, with one server process per agent."""

import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from session_agents import Agent, RefusedError

Start = Callable[..., Agent]


def test_two_processes_share_one_session(start_agent: Start) -> None:
    first, second = start_agent(), start_agent()
    made = first.call("create_session", name="work", agent_id="a", goal="ship", tags="x, y")
    session = made["session_id"]
    assert len(session) == 32
    assert [person["agent_id"] for person in made["participants"]] == ["a"]
    joined = second.call("join_session", session_id=session, agent_id="b", name="Bea")
    assert [person["name"] for person in joined["participants"]] == ["a", "Bea"]
    assert joined["participants"][1]["client"] == {"name": "test", "version": "1"}
    ids = [
        agent.call("append_message", session_id=session, content=f"m{n}", agent_id=name)[
            "message_id"
        ]
        for n in range(5)
        for agent, name in ((first, "a"), (second, "b"))
    ]
    assert ids == list(range(1, 11))
    listed = second.call("list_messages", session_id=session, after_message_id=2, limit=3)
    assert [row["message_id"] for row in listed["messages"]] == [3, 4, 5]
    assert listed["next_cursor"] == 5
    rest = first.call("list_messages", session_id=session, after_message_id=listed["next_cursor"])
    assert [row["message_id"] for row in rest["messages"]] == [6, 7, 8, 9, 10]
    assert "next_cursor" not in rest


def test_messages_are_filtered(start_agent: Start) -> None:
    agent = start_agent()
    session = agent.call("create_session", name="work")["session_id"]

    def say(content: str, **more: Any) -> None:
        agent.call("append_message", session_id=session, content=content, **more)

    say("Plan the parser", role="user", tags="plan parser")
    say("parsers are hard", tags=["plan,risk"], agent_id="a")
    say("done", role="user", agent_id="b")

    def ids(**wanted: Any) -> list[int]:
        found = agent.call("filter_messages", session_id=session, **wanted)
        return [row["message_id"] for row in found["messages"]]

    assert ids(tags="plan") == [1, 2]
    assert ids(tags="plan risk") == [2]
    assert ids(tags="pla") == []
    assert ids(role="user") == [1, 3]
    assert ids(text="PARSER") == [1, 2]
    assert ids(agent_id="b") == [3]
    assert ids(since="2999-01-01") == []
    assert ids(until="2999-01-01T00:00:00Z", limit=2) == [1, 2]
    with pytest.raises(RefusedError) as refused:
        ids(since="soon")
    assert refused.value.data["parameter"] == "since"


def test_a_repeated_key_returns_the_first_answer(start_agent: Start) -> None:
    first, second = start_agent(), start_agent()
    session = first.call("create_session", name="work", idempotency_key="s")["session_id"]
    assert second.call("create_session", name="work", idempotency_key="s")["session_id"] == session
    sent = {"session_id": session, "content": "once", "idempotency_key": "k"}
    one, two = first.call("append_message", **sent), second.call("append_message", **sent)
    assert two == {**one, "repeated": True}
    decided = {"decision": "d", "reasoning": "r", "idempotency_key": "k"}
    one, two = first.call("record_decision", **decided), second.call("record_decision", **decided)
    assert two == {**one, "repeated": True}


def test_a_closed_session_is_read_only_until_reopened(start_agent: Start) -> None:
    agent = start_agent()
    session = agent.call("create_session", name="work", agent_id="a")["session_id"]
    agent.call("append_message", session_id=session, content="x")
    agent.call("claim", session_id=session, agent_id="a", paths=["shop/money.py"])
    closed = agent.call("close_session", session_id=session, summary="all done")
    assert (closed["status"], closed["summary"]) == ("closed", "all done")
    with pytest.raises(RefusedError) as refused:
        agent.call("append_message", session_id=session, content="y")
    assert refused.value.code == -32004
    assert len(agent.call("list_messages", session_id=session)["messages"]) == 1
    kinds = [event["kind"] for event in events(agent, session)]
    assert kinds == ["created", "joined", "message", "claim", "released", "closed"]
    with pytest.raises(RefusedError, match="reopen"):
        agent.call("join_session", session_id=session, agent_id="b")
    opened = agent.call("join_session", session_id=session, agent_id="b", reopen=True)
    assert opened["status"] == "open"
    assert agent.call("append_message", session_id=session, content="z")["message_id"] == 2


def events(agent: Agent, session: str, **more: Any) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = agent.call(
        "session_events", session_id=session, agent_id="watcher", **more
    )["events"]
    return found


def test_an_idle_session_closes_itself_and_opens_again(start_agent: Start) -> None:
    agent = start_agent()
    made = agent.call("create_session", name="nap", agent_id="a", idle_timeout_seconds=0.6)
    session = made["session_id"]
    time.sleep(0.7)
    with pytest.raises(RefusedError):
        agent.call("append_message", session_id=session, content="late")
    read = agent.call("list_messages", session_id=session)
    auto = read["auto_close"]
    assert (auto["reason"], auto["idle_close_count"]) == ("idle_timeout", 1)
    assert auto["idle_ms"] >= 600
    assert events(agent, session)[-1]["kind"] == "auto_close"
    assert agent.call("join_session", session_id=session, agent_id="a")["status"] == "open"
    assert agent.call("append_message", session_id=session, content="x")["message_id"] == 1


def test_unknown_sessions_are_told_apart_from_closed_ones(start_agent: Start) -> None:
    agent = start_agent()
    for wrong in ("", "nope", "0" * 32, "0" * 33, "g" * 32):
        with pytest.raises(RefusedError) as refused:
            agent.call("append_message", session_id=wrong, content="x")
        assert refused.value.code == -32004
        assert refused.value.data["parameter"] == "session_id"


def test_overlapping_claims_are_told_to_both_sides(start_agent: Start) -> None:
    first, second = start_agent(), start_agent()
    one = first.call("create_session", name="one", agent_id="a")["session_id"]
    two = second.call("create_session", name="two", agent_id="b")["session_id"]
    held = first.call(
        "claim", session_id=one, agent_id="a", paths=["shop/"], intent="move", ttl_seconds=60
    )
    assert held["conflicts"] == []
    met = second.call(
        "claim", session_id=two, agent_id="b", symbols=["shop/money.py::Money.add"], intent="fix"
    )
    conflict = met["conflicts"][0]
    assert (conflict["agent_id"], conflict["target"], conflict["intent"]) == ("a", "shop/", "move")
    assert conflict["expires_at"] > conflict["claimed_at"]
    for agent, session in ((first, one), (second, two)):
        event = events(agent, session, kinds=["conflict"])[0]
        assert {side["agent_id"] for side in event["sides"]} == {"a", "b"}
    released = second.call("release", session_id=two, agent_id="b")
    assert released["released"] == ["shop/money.py::Money.add"]
    assert first.call("claim", session_id=one, agent_id="a", paths=["shop"])["conflicts"] == []


def test_a_claim_lapses_and_activity_renews_it(start_agent: Start) -> None:
    agent = start_agent()
    session = agent.call("create_session", name="work", agent_id="a")["session_id"]
    lease = {"session_id": session, "paths": ["README.md"], "ttl_seconds": 0.9}
    agent.call("claim", agent_id="a", **lease)
    for _ in range(3):
        time.sleep(0.4)
        agent.call("append_message", session_id=session, content="still here", agent_id="a")
    assert agent.call("claim", agent_id="b", **lease)["conflicts"][0]["agent_id"] == "a"
    agent.call("release", session_id=session, agent_id="b")
    time.sleep(1.0)
    assert agent.call("claim", agent_id="b", **lease)["conflicts"] == []
    assert events(agent, session, kinds=["lapsed"])[0]["targets"] == ["README.md"]


def test_an_event_wakes_a_waiter_in_another_process(start_agent: Start) -> None:
    waiting, talking = start_agent(), start_agent()
    session = waiting.call("create_session", name="work", agent_id="a")["session_id"]
    talking.call("list_sessions")
    after = events(waiting, session)[-1]["seq"]
    delays = []
    for number in range(10):
        wanted = {"session_id": session, "agent_id": "a", "after_seq": after, "wait_ms": 5000}
        asked = waiting.start("session_events", **wanted)
        time.sleep(0.02)
        start = time.monotonic()
        talking.call("append_message", session_id=session, content=str(number))
        answer = waiting.finish(asked)
        delays.append(time.monotonic() - start)
        assert [event["content"] for event in answer["events"]] == [str(number)]
        after = answer["next_seq"]
    assert sorted(delays)[5] < 0.05


def test_waiting_holds_nothing_and_ends_in_time(start_agent: Start) -> None:
    agent = start_agent()
    session = agent.call("create_session", name="work")["session_id"]
    wait = {"session_id": session, "agent_id": "a", "wait_ms": 1000}
    start = time.monotonic()
    asked = [agent.start("session_events", **wait) for _ in range(20)]
    agent.request("ping", {})
    assert time.monotonic() - start < 0.9
    for identity in asked:
        assert agent.finish(identity)["events"] == []
    assert 0.9 < time.monotonic() - start < 5


def test_the_repository_feed_holds_every_session(start_agent: Start) -> None:
    agent = start_agent()
    for name in ("one", "two"):
        agent.call("create_session", name=name)
    agent.call("record_decision", decision="Use cents", reasoning="floats drift")
    feed = events(agent, "*")
    assert [event["kind"] for event in feed] == ["created", "created", "decision"]
    assert [event["seq"] for event in feed] == [1, 2, 3]


def test_sessions_are_listed_and_exported(start_agent: Start) -> None:
    agent = start_agent()
    one = agent.call("create_session", name="one", tags="red", agent_id="a")["session_id"]
    two = agent.call("create_session", name="two", agent_id="b")["session_id"]
    agent.call("append_message", session_id=one, content="hello **world**", agent_id="a")
    agent.call("record_decision", session_id=one, decision="Go", reasoning="now")
    assert [row["session_id"] for row in agent.call("list_sessions")["sessions"]] == [one, two]
    assert agent.call("list_sessions", tag="red")["total"] == 1
    assert agent.call("list_sessions", agent_id="b")["sessions"][0]["name"] == "two"
    page = agent.call("list_sessions", limit=1)
    assert agent.call("list_sessions", cursor=page["next_cursor"])["sessions"][0]["name"] == "two"
    text = agent.call("export_session", session_id=one, format="markdown")["content"]
    assert "# one" in text
    assert "hello **world**" in text
    assert "D1: Go (now)" in text
    import json

    whole = json.loads(agent.call("export_session", session_id=one)["content"])
    assert whole["messages"][0]["content"] == "hello **world**"
    assert whole["decisions"][0]["decision_id"] == "D1"


def test_leaving_frees_claims(start_agent: Start) -> None:
    agent = start_agent()
    session = agent.call("create_session", name="work", agent_id="a")["session_id"]
    agent.call("claim", session_id=session, agent_id="a", paths=["README.md"])
    left = agent.call("close_session", session_id=session, agent_id="a", leave=True)
    assert left["status"] == "open"
    assert left["participants"][0]["active"] is False
    again = agent.call("claim", session_id=session, agent_id="b", paths=["README.md"])
    assert again["conflicts"] == []


def test_a_killed_server_loses_nothing_it_acknowledged(start_agent: Start, sample: Path) -> None:
    victim = start_agent()
    session = victim.call("create_session", name="work")["session_id"]
    sent = [victim.start("append_message", session_id=session, content=str(n)) for n in range(50)]
    for identity in sent[:25]:
        victim.finish(identity)
    victim.kill()
    heir = start_agent()
    found = heir.call("list_messages", session_id=session, limit=100)["messages"]
    assert [row["message_id"] for row in found] == list(range(1, len(found) + 1))
    assert len(found) >= 25
    next_id = heir.call("append_message", session_id=session, content="on")["message_id"]
    assert next_id == len(found) + 1
