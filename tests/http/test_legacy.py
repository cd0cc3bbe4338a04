"""The handshake revisions over HTTP."""

import threading
from typing import Any

import pytest
from http_site import Gate, Site, call, events, request, running

from agrama.server import Server

VERSIONS = ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"]


@pytest.mark.parametrize("version", VERSIONS)
def test_a_session_from_initialize_to_delete(site: Site, version: str) -> None:
    session = site.initialize(version)
    headers = {**session, "mcp_protocol_version": version}
    answer = site.post(call("fast"), **headers)
    assert answer.headers["content-type"] == "application/json"
    assert answer.json()["result"]["content"][0]["text"] == "quick"
    named = {"mcp-session-id": session["mcp_session_id"]}
    assert site.http.delete(site.url, headers=named).status_code == 204
    assert site.post(call("fast"), **headers).status_code == 404
    assert site.http.delete(site.url, headers=named).status_code == 404


def test_the_version_header_may_be_left_out_or_be_another_handshake_version(site: Site) -> None:
    session = site.initialize("2025-06-18")
    assert site.post(call("fast"), **session).status_code == 200
    older = site.post(call("fast"), mcp_protocol_version="2025-03-26", **session)
    assert older.status_code == 200


@pytest.mark.parametrize(
    ("body", "status", "code"),
    [
        (b"{", 400, -32700),
        (b"[]", 400, -32600),
        (b'{"jsonrpc":"1.0","id":1,"method":"ping"}', 400, -32600),
        (b'{"jsonrpc":"2.0","id":1,"method":"none/such"}', 200, -32601),
        (b'{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"nope"}}', 200, -32602),
        (b'[{"jsonrpc":"2.0","id":1,"method":"ping"}]', 400, -32600),  # no batches any more
    ],
)
def test_errors(site: Site, body: bytes, status: int, code: int) -> None:
    session = site.initialize()
    headers = {"content-type": "application/json", "mcp-session-id": session["mcp_session_id"]}
    answer = site.http.post(site.url, content=body, headers=headers)
    assert (answer.status_code, answer.json()["error"]["code"]) == (status, code)


def test_a_failed_initialize_leaves_no_session(site: Site) -> None:
    answer = site.post(request("initialize", {"protocolVersion": 7}))
    assert "error" in answer.json()
    assert "mcp-session-id" not in answer.headers


def test_a_batch_of_2025_03_26(site: Site) -> None:
    session = site.initialize("2025-03-26")
    batch = [call("fast", 1), {"jsonrpc": "2.0", "method": "notifications/x"}, call("chatty", 2)]
    answer = site.post(batch, **session)
    assert sorted(each["id"] for each in answer.json()) == [1, 2]
    silent = site.post([{"jsonrpc": "2.0", "method": "notifications/x"}], **session)
    assert (silent.status_code, silent.content) == (202, b"")


def test_a_batch_with_a_slow_call_is_answered_whole(site: Site, gate: Gate) -> None:
    session = site.initialize("2025-03-26")
    threading.Timer(0.1, gate.open.set).start()
    with site.stream([call("fast", 1), call("gate", 2)], **session) as answer:
        (event,) = events(answer)
    assert sorted(each["id"] for each in event["data"]) == [1, 2]


def test_a_slow_call_is_a_stream_with_its_progress(site: Site, gate: Gate) -> None:
    session = site.initialize()
    with site.stream(call("gate", _meta={"progressToken": "t"}), **session) as answer:
        assert answer.headers["content-type"] == "text/event-stream"
        assert answer.headers["x-accel-buffering"] == "no"
        stream = events(answer)
        priming = next(stream)
        assert priming["data"] == ""
        assert priming["retry"] == "50"
        progress = next(stream)
        assert progress["data"]["params"] == {"progressToken": "t", "progress": 1, "total": 2}
        gate.open.set()
        final = next(stream)
        assert final["data"]["result"]["content"][0]["text"] == "through"
        assert next(stream, None) is None
    numbers = [event["id"].split("-") for event in (priming, progress, final)]
    assert [number[1] for number in numbers] == ["0", "1", "2"]
    assert len({number[0] for number in numbers}) == 1


def test_revisions_before_priming_get_no_empty_event(site: Site, gate: Gate) -> None:
    session = site.initialize("2025-06-18")
    gate.open.set()
    with site.stream(call("gate"), **session) as answer:
        (event,) = events(answer)
    assert event["data"]["result"]["content"][0]["text"] == "through"
    assert "retry" not in event


def test_an_answer_that_comes_later_is_a_stream(site: Site) -> None:
    session = site.initialize()
    with site.stream(call("later"), **session) as answer:
        _, final = events(answer)
    assert final["data"]["result"]["content"][0]["text"] == "at last"


def test_what_a_fast_tool_reports_precedes_its_answer(site: Site) -> None:
    session = site.initialize()
    with site.stream(call("chatty", _meta={"progressToken": 1}), **session) as answer:
        _, *progress, final = [event["data"] for event in events(answer)]
    assert [each["params"]["progress"] for each in progress] == [0, 1, 2]
    assert final["result"]["content"][0]["text"] == "done"


def test_a_lost_stream_is_resumed_where_it_was_left(site: Site, gate: Gate) -> None:
    session = site.initialize()
    with site.stream(call("gate", _meta={"progressToken": 1}), **session) as answer:
        stream = events(answer)
        priming, progress = next(stream), next(stream)
    assert not gate.cancelled.wait(0.2)  # leaving is not cancelling
    gate.open.set()
    with site.get(last_event_id=progress["id"], **session) as again:
        replayed = [event for event in events(again) if event["data"]]
    assert [event["data"]["id"] for event in replayed] == [1]
    assert replayed[0]["data"]["result"]["content"][0]["text"] == "through"
    with site.get(last_event_id=priming["id"], **session) as again:
        replayed = [event for event in events(again) if event["data"]]
    assert replayed[0]["id"] == progress["id"]
    assert len(replayed) == 2


def test_a_silent_stream_is_closed_for_the_client_to_poll(server: Server, gate: Gate) -> None:
    with running(server, poll_seconds=0.1) as site:
        session = site.initialize()
        with site.stream(call("gate"), **session) as answer:
            (priming,) = events(answer)
        with site.get(last_event_id=priming["id"], **session) as again:
            (still_waiting,) = events(again)
        assert still_waiting["id"] == priming["id"]
        gate.open.set()
        with site.get(last_event_id=still_waiting["id"], **session) as again:
            final = [event for event in events(again) if event["data"]]
        assert final[0]["data"]["result"]["content"][0]["text"] == "through"


@pytest.mark.parametrize("last", ["99-0", "nonsense"])
def test_an_unknown_event_cannot_be_resumed_from(site: Site, last: str) -> None:
    session = site.initialize()
    with site.get(last_event_id=last, **session) as answer:
        assert answer.status_code == 400


def test_an_event_that_is_still_to_come_is_not_waited_for(site: Site) -> None:
    session = site.initialize()
    with site.get(last_event_id="0-999", **session) as answer:
        stream = (event for event in events(answer) if event["data"])
        site.server.registry.remove_tool("fail")
        assert next(stream)["data"]["method"] == "notifications/tools/list_changed"


def test_the_standalone_stream_carries_what_belongs_to_no_request(site: Site) -> None:
    session = site.initialize()
    site.server.registry.remove_tool("regional")  # before anybody listens
    with site.get(**session) as answer:
        stream = events(answer)
        assert next(stream)["data"] == ""
        first = next(stream)
        assert first["data"]["method"] == "notifications/tools/list_changed"
        site.server.registry.remove_tool("fail")
        second = next(stream)
        assert second["id"] != first["id"]
    site.server.registry.remove_tool("ask")
    with site.get(last_event_id=first["id"], **session) as answer:
        stream = (event for event in events(answer) if event["data"])
        assert next(stream)["id"] == second["id"]
        assert next(stream)["data"]["method"] == "notifications/tools/list_changed"


def test_a_second_listener_takes_over_the_standalone_stream(site: Site) -> None:
    session = site.initialize()
    with site.get(**session) as old:
        old_events = events(old)
        next(old_events)
        with site.get(**session) as new:
            new_events = events(new)
            next(new_events)
            assert next(old_events, None) is None
            site.server.registry.remove_tool("fail")
            assert next(new_events)["data"]["method"] == "notifications/tools/list_changed"


def test_a_tool_asks_on_the_stream_of_its_call(site: Site) -> None:
    params = {"protocolVersion": "2025-11-25", "capabilities": {"elicitation": {}}}
    opened = site.post(request("initialize", params))
    session = {"mcp_session_id": opened.headers["mcp-session-id"]}
    with site.stream(call("ask"), **session) as answer:
        stream = (event["data"] for event in events(answer) if event["data"])
        question: Any = next(stream)
        assert question["method"] == "elicitation/create"
        content = {"action": "accept", "content": {"name": "Ada"}}
        reply = {"jsonrpc": "2.0", "id": question["id"], "result": content}
        assert site.post(reply, **session).status_code == 202
        assert next(stream)["result"]["content"][0]["text"] == "Hello, Ada!"


def test_cancelling_ends_the_stream_without_an_answer(site: Site, gate: Gate) -> None:
    session = site.initialize()
    with site.stream(call("gate", 7), **session) as answer:
        stream = events(answer)
        next(stream)
        assert gate.started.wait(5)
        params = {"requestId": 7, "reason": "enough"}
        note = {"jsonrpc": "2.0", "method": "notifications/cancelled", "params": params}
        assert site.post(note, **session).status_code == 202
        assert next(stream, None) is None
    assert gate.cancelled.wait(5)


def test_ending_a_session_cancels_what_runs_in_it(site: Site, gate: Gate) -> None:
    session = site.initialize()
    with site.stream(call("gate"), **session) as answer:
        stream = events(answer)
        next(stream)
        assert gate.started.wait(5)
        site.http.delete(site.url, headers={"mcp-session-id": session["mcp_session_id"]})
        assert next(stream, None) is None
    assert gate.cancelled.wait(5)


def test_sessions_do_not_see_each_other(site: Site, gate: Gate) -> None:
    one, other = site.initialize(), site.initialize()
    with site.stream(call("gate"), **one) as answer:
        priming = next(events(answer))
        with site.get(last_event_id=priming["id"], **other) as foreign:
            assert foreign.status_code == 400
        gate.open.set()


def test_a_full_house_says_so(server: Server, gate: Gate) -> None:
    with running(server, max_sessions=1) as site:
        session = site.initialize()
        with site.stream(call("gate"), **session) as answer:
            next(events(answer))
            params = {"protocolVersion": "2025-11-25", "capabilities": {}}
            assert site.post(request("initialize", params)).status_code == 503
            gate.open.set()
