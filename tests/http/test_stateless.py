"""2026-07-28 over HTTP."""

import threading
from typing import Any

import httpx
import pytest
from http_site import ACCEPT, MODERN, Gate, Site, call, events, modern, named, request, running

from agrama.protocol.messages import CAPABILITIES_KEY, VERSION_KEY
from agrama.server import Server


def post(site: Site, body: dict[str, Any], **more: str) -> Any:
    body, headers = modern(body)
    return site.post(body, **{**headers, **more})


def test_a_call_needs_no_session(site: Site) -> None:
    answer = post(site, call("fast", "one"))
    assert answer.status_code == 200
    assert answer.json()["id"] == "one"
    assert answer.json()["result"]["resultType"] == "complete"
    assert "mcp-session-id" not in answer.headers


def test_a_session_id_and_a_last_event_id_are_ignored(site: Site) -> None:
    answer = post(site, call("fast"), mcp_session_id="none", last_event_id="3-4")
    assert answer.status_code == 200


@pytest.mark.parametrize(
    ("method", "status", "code"),
    [
        ("initialize", 404, -32601),
        ("ping", 404, -32601),
        ("none/such", 404, -32601),
        ("tools/call", 200, -32602),
        ("resources/read", 200, -32602),
    ],
)
def test_errors(site: Site, method: str, status: int, code: int) -> None:
    answer = post(site, request(method))
    assert (answer.status_code, answer.json()["error"]["code"]) == (status, code)
    assert answer.json()["id"] == 1


@pytest.mark.parametrize("missing", [VERSION_KEY, CAPABILITIES_KEY])
def test_incomplete_metadata_is_a_bad_request(site: Site, missing: str) -> None:
    body, headers = modern(call("fast"))
    del body["params"]["_meta"][missing]
    answer = site.post(body, **headers)
    assert (answer.status_code, answer.json()["error"]["code"]) == (400, -32602)


@pytest.mark.parametrize(
    ("headers", "code"),
    [
        ({"mcp_method": "tools/list"}, -32020),
        ({"mcp_name": "slow"}, -32020),
        ({"mcp_protocol_version": "2025-11-25"}, -32020),
        ({"mcp_protocol_version": "v999"}, -32020),
    ],
)
def test_headers_that_say_otherwise_are_refused(
    site: Site, headers: dict[str, str], code: int
) -> None:
    answer = post(site, call("fast"), **headers)
    assert (answer.status_code, answer.json()["error"]["code"]) == (400, code)
    assert answer.json()["id"] == 1


def test_a_modern_body_without_the_version_header_is_refused(site: Site) -> None:
    body, headers = modern(call("fast"))
    del headers["mcp_protocol_version"]
    assert site.post(body, **headers).json()["error"]["code"] == -32020


def test_an_unknown_version_is_told_the_known_ones(site: Site) -> None:
    body, headers = modern(request("server/discover"))
    body["params"]["_meta"][VERSION_KEY] = headers["mcp_protocol_version"] = "v999"
    answer = site.post(body, **headers)
    error = answer.json()["error"]
    assert (answer.status_code, error["code"]) == (400, -32022)
    assert MODERN in error["data"]["supported"]
    assert error["data"]["requested"] == "v999"


def test_a_parameter_with_a_header_must_be_in_both(site: Site) -> None:
    body = call("regional", arguments={"region": "north"})
    assert post(site, body).json()["error"]["code"] == -32020
    assert post(site, body, mcp_param_region="south").status_code == 400
    assert post(site, body, mcp_param_region="north").status_code == 200


def test_a_name_that_fits_no_header_is_wrapped(site: Site) -> None:
    body = request("resources/read", {"uri": "test://a b"})
    assert post(site, body, mcp_name="test://a b").status_code == 200
    assert post(site, body, mcp_name="=?base64?dGVzdDovL2EgYg==?=").status_code == 200


@pytest.mark.parametrize(
    "body",
    [
        b"{",
        b'[{"jsonrpc":"2.0","id":1,"method":"tools/list"}]',
        b'{"jsonrpc":"2.0","id":1,"result":{}}',
        b'{"jsonrpc":"2.0","id":null,"method":"tools/list"}',
    ],
)
def test_what_is_not_one_request_is_refused_without_an_id(site: Site, body: bytes) -> None:
    headers = {"content-type": "application/json", "mcp-protocol-version": MODERN}
    answer = site.http.post(site.url, content=body, headers=headers)
    assert answer.status_code == 400
    assert "id" not in answer.json()


def test_a_notification_is_accepted(site: Site) -> None:
    note = {"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 1}}
    answer = site.post(note, mcp_protocol_version=MODERN)
    assert (answer.status_code, answer.content) == (202, b"")


def test_an_answer_that_comes_later_is_plain_json(site: Site) -> None:
    assert post(site, call("later")).json()["result"]["content"][0]["text"] == "at last"


def test_a_slow_call_without_progress_is_plain_json(site: Site, gate: Gate) -> None:
    threading.Timer(0.1, gate.open.set).start()
    answer = post(site, call("gate"))
    assert answer.headers["content-type"] == "application/json"
    assert answer.json()["result"]["content"][0]["text"] == "through"


def test_a_slow_call_with_progress_is_a_stream_without_event_ids(site: Site, gate: Gate) -> None:
    body, headers = modern(call("gate", _meta={"progressToken": "t"}))
    with site.stream(body, **headers) as answer:
        assert answer.headers["content-type"] == "text/event-stream"
        stream = events(answer)
        progress = next(stream)
        assert progress["data"]["params"]["progressToken"] == "t"
        gate.open.set()
        final = next(stream)
        assert final["data"]["result"]["content"][0]["text"] == "through"
        assert next(stream, None) is None
    assert "id" not in progress


def test_the_head_does_not_wait_for_ever(server: Server, gate: Gate) -> None:
    with running(server, status_wait_seconds=0.1, keepalive_seconds=0.1) as site:
        body, headers = modern(call("gate"))
        with site.stream(body, **headers) as answer:
            lines = answer.iter_lines()
            assert next(lines) == ":"  # a comment keeps the connection alive
            gate.open.set()
            data = next(line for line in lines if line.startswith("data:"))
        assert "through" in data


def test_a_missing_capability_is_a_bad_request_even_when_found_late(site: Site) -> None:
    answer = post(site, call("ask"))
    assert (answer.status_code, answer.json()["error"]["code"]) == (400, -32021)


def test_a_question_is_answered_by_asking_again(site: Site) -> None:
    body, headers = modern(call("ask"), elicitation={})
    first = site.post(body, **headers).json()["result"]
    assert first["resultType"] == "input_required"
    answers = {"name": {"action": "accept", "content": {"name": "Ada"}}}
    body["params"] |= {"inputResponses": answers, "requestState": first["requestState"]}
    second = site.post(body, **headers).json()["result"]
    assert second["content"][0]["text"] == "Hello, Ada!"


@pytest.mark.parametrize("progress", [False, True])
def test_leaving_cancels(site: Site, gate: Gate, progress: bool) -> None:
    meta = {"_meta": {"progressToken": 1}} if progress else {}
    body, headers = modern(call("gate", **meta))
    with pytest.raises(httpx.ReadTimeout):
        httpx.post(site.url, json=body, headers=ACCEPT | named(headers), timeout=0.3)
    assert gate.started.wait(5)
    assert gate.cancelled.wait(5)


def test_a_subscription_hears_what_it_asked_for_till_the_client_leaves(site: Site) -> None:
    wanted = {"toolsListChanged": True, "resourceSubscriptions": ["test://a b"]}
    body, headers = modern(request("subscriptions/listen", {"notifications": wanted}, "s"))
    with site.stream(body, **headers) as answer:
        stream = (event["data"] for event in events(answer))
        acknowledged = next(stream)
        assert acknowledged["method"] == "notifications/subscriptions/acknowledged"
        assert acknowledged["params"]["notifications"] == wanted
        site.server.resource_updated("test://a b")
        assert next(stream)["params"]["uri"] == "test://a b"
        site.server.registry.remove("prompts", "hello")  # not asked for
        site.server.registry.remove_tool("fail")
        assert next(stream)["method"] == "notifications/tools/list_changed"
    body, headers = modern(call("fast"))
    assert site.post(body, **headers).status_code == 200
