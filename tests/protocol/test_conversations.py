"""What a client and a server say to each other over stdio, feature by feature and era by era."""

import time
from collections.abc import Callable
from typing import Any

import pytest

Spawn = Callable[..., Any]
SUBSCRIPTION = "io.modelcontextprotocol/subscriptionId"
CAPABILITIES = "io.modelcontextprotocol/clientCapabilities"
ALL = {"sampling": {}, "elicitation": {}, "roots": {}}
ANSWERS = {
    "elicitation/create": {"action": "accept", "content": {"name": "Bo"}},
    "sampling/createMessage": {
        "role": "assistant",
        "content": {"type": "text", "text": "4"},
        "model": "m",
    },
    "roots/list": {"roots": []},
}


def notify(method: str, **params: Any) -> dict[str, Any]:
    return {"jsonrpc": "2.0", "method": method, "params": params}


def request(identity: Any, method: str, **params: Any) -> dict[str, Any]:
    return {"jsonrpc": "2.0", "id": identity, "method": method, "params": params}


@pytest.mark.parametrize("name", ["notifications/initialized", "initialized"])
def test_handshake_tolerates_a_short_name_and_no_client_info(spawn: Spawn, name: str) -> None:
    wire = spawn()
    answer = wire.request("initialize", {"protocolVersion": "2025-06-18"})
    assert answer["result"]["protocolVersion"] == "2025-06-18"
    wire.send({"jsonrpc": "2.0", "method": name})
    assert wire.request("ping")["result"] == {}
    wire.send(request(9, "tools/call", name="change_tools"))
    # list_changed goes only to those who said they are ready
    assert {wire.read().get("method"), wire.read().get("id")} == {
        "notifications/tools/list_changed",
        9,
    }


def test_unknown_version_gets_the_newest_handshake(spawn: Spawn) -> None:
    answer = spawn().request("initialize", {"protocolVersion": "1999-01-01", "capabilities": {}})
    assert answer["result"]["protocolVersion"] == "2025-11-25"


def test_requests_pipelined_behind_initialize_are_served(spawn: Spawn) -> None:
    wire = spawn()
    wire.send(
        request(1, "initialize", protocolVersion="2025-06-18"),
        request(2, "tools/list"),
        notify("notifications/initialized"),
        request(3, "prompts/list"),
    )
    assert [wire.read()["id"] for _ in range(3)] == [1, 2, 3]


def test_progress_and_logs_come_before_the_answer(spawn: Spawn) -> None:
    wire = spawn(revision="2025-11-25")
    call = {"name": "count", "_meta": {"progressToken": "t"}}
    wire.send(request(1, "tools/call", **call))
    seen = [wire.read() for _ in range(7)]
    assert [entry.get("method", "answer") for entry in seen] == [
        "notifications/progress",
        "notifications/message",
    ] * 3 + ["answer"]
    assert seen[0]["params"] == {
        "progressToken": "t",
        "progress": 1,
        "total": 3,
        "message": "step 1",
    }
    assert seen[1]["params"] == {"level": "info", "data": {"step": 0}, "logger": "counter"}


def test_oldest_revision_has_no_progress_message(spawn: Spawn) -> None:
    wire = spawn(revision="2024-11-05")
    wire.send(request(1, "tools/call", name="count", _meta={"progressToken": 7}))
    assert wire.read()["params"] == {"progressToken": 7, "progress": 1, "total": 3}


def test_log_level_is_followed(spawn: Spawn) -> None:
    wire = spawn(revision="2025-11-25")
    assert wire.request("logging/setLevel", {"level": "error"})["result"] == {}
    wire.send(request(1, "tools/call", name="count"))
    assert wire.read()["id"] == 1
    assert wire.request("logging/setLevel", {"level": "debug"})["result"] == {}
    wire.send(request(2, "tools/call", name="count"))
    assert [wire.read()["params"]["level"] for _ in range(2)] == ["info", "debug"]
    wrong = wire.request("logging/setLevel", {"level": "loud"})
    assert wrong["error"]["code"] == -32602
    assert wrong["error"]["data"]["parameter"] == "level"


def test_stateless_logs_only_when_the_request_asks(spawn: Spawn) -> None:
    wire = spawn()
    assert wire.modern("tools/call", name="count")["result"]["resultType"] == "complete"
    level = {"io.modelcontextprotocol/logLevel": "debug"}
    params = {"name": "count", "_meta": {**_meta(), **level}}
    wire.send(request(5, "tools/call", **params))
    assert wire.read()["method"] == "notifications/message"
    assert wire.read_answer(5)["result"]["resultType"] == "complete"
    bad = wire.modern("tools/call", {"io.modelcontextprotocol/logLevel": "loud"}, name="count")
    assert bad["error"]["code"] == -32602


def _meta(**capabilities: Any) -> dict[str, Any]:
    return {
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        CAPABILITIES: capabilities,
    }


@pytest.mark.parametrize("stubborn", [False, True])
def test_cancelled_request_is_not_answered(spawn: Spawn, stubborn: bool) -> None:
    wire = spawn(revision="2025-11-25")
    arguments = {"seconds": 0.3, "stubborn": stubborn}
    wire.send(request(1, "tools/call", name="wait", arguments=arguments))
    assert wire.request("ping")["result"] == {}
    wire.send(notify("notifications/cancelled", requestId=1, reason="changed my mind"))
    assert wire.read(0.6) is None
    # the id is free again
    wire.send(request(1, "ping"))
    assert wire.read() == {"jsonrpc": "2.0", "id": 1, "result": {}}


def test_deadline_is_answered_even_for_a_tool_that_never_looks(spawn: Spawn) -> None:
    wire = spawn("--deadline", "0.2", revision="2025-11-25")
    for stubborn in (False, True):
        answer = wire.call("wait", seconds=1, stubborn=stubborn)
        assert answer["result"]["isError"] is True
        assert "deadline of 0.2 s" in answer["result"]["content"][0]["text"]
    assert wire.is_alive()


def test_slow_request_delays_nobody(spawn: Spawn) -> None:
    wire = spawn(revision="2025-11-25")
    wire.send(request(1, "tools/call", name="wait", arguments={"seconds": 0.5}))
    start = time.monotonic()
    for _ in range(20):
        assert wire.request("ping")["result"] == {}
    assert time.monotonic() - start < 0.4
    assert wire.read()["id"] == 1


def test_later_answer_holds_no_worker(spawn: Spawn) -> None:
    wire = spawn(revision="2025-11-25")
    for number in range(50):
        wire.send(request(number, "tools/call", name="later"))
    start = time.monotonic()
    assert {wire.read()["id"] for _ in range(50)} == set(range(50))
    assert time.monotonic() - start < 2


@pytest.mark.parametrize("what", [["elicitation"], ["sampling", "roots"]])
def test_asking_in_a_handshake_revision(spawn: Spawn, what: list[str]) -> None:
    wire = spawn()
    wire.initialize("2025-11-25", **ALL)
    wire.send(request(1, "tools/call", name="ask", arguments={"what": what}))
    for _ in what:
        question = wire.read()
        answer = ANSWERS[question["method"]]
        wire.send({"jsonrpc": "2.0", "id": question["id"], "result": answer})
    assert wire.read()["result"]["content"][0]["text"] == repr(sorted(what)) + "None"


def test_form_mode_is_named_only_where_it_exists(spawn: Spawn) -> None:
    for revision, expected in (("2025-06-18", False), ("2025-11-25", True)):
        wire = spawn()
        wire.initialize(revision, **ALL)
        wire.send(request(1, "tools/call", name="ask", arguments={"what": ["elicitation"]}))
        assert ("mode" in wire.read()["params"]) is expected


def test_client_refuses_a_question(spawn: Spawn) -> None:
    wire = spawn()
    wire.initialize("2025-11-25", **ALL)
    wire.send(request(1, "tools/call", name="ask", arguments={"what": ["roots"]}))
    refusal = {"code": -32601, "message": "no roots here"}
    wire.send({"jsonrpc": "2.0", "id": wire.read()["id"], "error": refusal})
    answer = wire.read()
    assert answer["result"]["isError"] is True
    assert "no roots here" in answer["result"]["content"][0]["text"]


def test_cancel_while_a_question_is_open_withdraws_it(spawn: Spawn) -> None:
    wire = spawn()
    wire.initialize("2025-11-25", **ALL)
    wire.send(request(1, "tools/call", name="ask", arguments={"what": ["roots"]}))
    question = wire.read()
    wire.send(notify("notifications/cancelled", requestId=1))
    withdrawn = wire.read()
    assert withdrawn["method"] == "notifications/cancelled"
    assert withdrawn["params"]["requestId"] == question["id"]
    assert wire.is_alive()


def test_open_questions_leave_room_for_other_slow_work(spawn: Spawn) -> None:
    wire = spawn()
    wire.initialize("2025-11-25", **ALL)
    for number in range(8):
        wire.send(request(number, "tools/call", name="ask", arguments={"what": ["roots"]}))
    questions = [wire.read() for _ in range(8)]
    assert wire.call("wait", seconds=0)["result"]["content"][0]["text"] == "waited"
    for question in questions:
        wire.send({"jsonrpc": "2.0", "id": question["id"], "result": {"roots": []}})
    assert {wire.read()["id"] for _ in range(8)} == set(range(8))


@pytest.mark.parametrize("revision", ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"])
def test_asking_a_client_that_cannot(spawn: Spawn, revision: str) -> None:
    answer = spawn(revision=revision).call("ask", what=["elicitation"])
    assert answer["result"]["isError"] is True
    assert "elicitation" in answer["result"]["content"][0]["text"]


class TestMultiRoundTrip:
    """2026-07-28: questions end the request, answers come with the next."""

    def ask(self, wire: Any, *what: str, **more: Any) -> Any:
        meta = {CAPABILITIES: ALL}
        return wire.modern("tools/call", meta, name="ask", arguments={"what": list(what)}, **more)

    def test_question_then_answer(self, spawn: Spawn) -> None:
        wire = spawn()
        first = self.ask(wire, "elicitation", "roots")["result"]
        assert first["resultType"] == "input_required"
        assert set(first["inputRequests"]) == {"elicitation", "roots"}
        assert first["inputRequests"]["elicitation"]["method"] == "elicitation/create"
        assert "ttlMs" not in first
        responses = {
            "elicitation": ANSWERS["elicitation/create"],
            "roots": ANSWERS["roots/list"],
        }
        done = self.ask(
            wire,
            "elicitation",
            "roots",
            inputResponses=responses,
            requestState=first["requestState"],
        )["result"]
        assert done["resultType"] == "complete"
        assert "'asked': ['elicitation', 'roots']" in done["content"][0]["text"]

    def test_answers_without_a_state_complete(self, spawn: Spawn) -> None:
        responses = {"roots": ANSWERS["roots/list"]}
        answer = self.ask(spawn(), "roots", inputResponses=responses)
        assert answer["result"]["resultType"] == "complete"

    @pytest.mark.parametrize("responses", [{}, {"other": {}}, {"roots": 3}, None])
    def test_missing_answers_are_asked_for_again(self, spawn: Spawn, responses: Any) -> None:
        answer = self.ask(spawn(), "roots", inputResponses=responses)
        assert answer["result"]["resultType"] == "input_required"

    def test_states_differ_between_rounds(self, spawn: Spawn) -> None:
        wire = spawn()
        states = {self.ask(wire, "roots")["result"]["requestState"] for _ in range(5)}
        assert len(states) == 5

    def test_foreign_states_are_refused(self, spawn: Spawn) -> None:
        wire = spawn()
        state = self.ask(wire, "roots")["result"]["requestState"]
        other = self.ask(spawn(), "roots")["result"]["requestState"]
        for forged in (state + "x", state[:-4], "", "nonsense", other, state.swapcase()):
            answer = self.ask(wire, "roots", inputResponses={}, requestState=forged)
            assert answer["error"]["code"] == -32602, forged
            assert answer["error"]["data"]["parameter"] == "requestState"
        # good for the same arguments only
        moved = self.ask(wire, "sampling", inputResponses={}, requestState=state)
        assert moved["error"]["code"] == -32602

    def test_wrong_kind_of_answers(self, spawn: Spawn) -> None:
        assert self.ask(spawn(), "roots", inputResponses=[1])["error"]["code"] == -32602

    def test_missing_capability(self, spawn: Spawn) -> None:
        answer = spawn().modern("tools/call", name="ask", arguments={"what": ["sampling"]})
        assert answer["error"]["code"] == -32021
        assert answer["error"]["data"] == {"requiredCapabilities": {"sampling": {}}}


def test_subscription_in_a_handshake_revision(spawn: Spawn) -> None:
    wire = spawn(revision="2025-06-18")
    uri = "test://item/5"
    assert wire.request("resources/subscribe", {"uri": uri})["result"] == {}
    wire.send(request(1, "tools/call", name="touch", arguments={"uri": uri}))
    update = notify("notifications/resources/updated", uri=uri)
    assert wire.read() == update
    assert wire.read()["id"] == 1
    assert wire.request("resources/unsubscribe", {"uri": uri})["result"] == {}
    wire.send(request(2, "tools/call", name="touch", arguments={"uri": uri}))
    assert wire.read()["id"] == 2
    unknown = wire.request("resources/subscribe", {"uri": "test://nothing"})
    assert unknown["error"]["code"] == -32002


def test_list_changed_in_a_handshake_revision(spawn: Spawn) -> None:
    wire = spawn(revision="2025-06-18")
    names = [tool["name"] for tool in wire.request("tools/list")["result"]["tools"]]
    wire.send(request(1, "tools/call", name="change_tools"))
    assert wire.read()["method"] == "notifications/tools/list_changed"
    assert wire.read()["id"] == 1
    assert [tool["name"] for tool in wire.request("tools/list")["result"]["tools"]] == [
        *names,
        "fresh",
    ]


class TestListen:
    """2026-07-28: one stream for everything a client wants to hear."""

    def listen(self, wire: Any, identity: Any, **wanted: Any) -> Any:
        wire.send(request(identity, "subscriptions/listen", notifications=wanted, _meta=_meta()))
        return wire.read()

    def test_only_what_was_asked_for(self, spawn: Spawn) -> None:
        wire = spawn()
        wanted = {
            "toolsListChanged": True,
            "promptsListChanged": False,
            "resourceSubscriptions": ["test://static", "test://unknown"],
        }
        ack = self.listen(wire, 7, **wanted)
        assert ack["method"] == "notifications/subscriptions/acknowledged"
        assert ack["params"]["_meta"] == {SUBSCRIPTION: 7}
        assert ack["params"]["notifications"] == {
            "toolsListChanged": True,
            "resourceSubscriptions": ["test://static"],
        }
        wire.send(request(8, "tools/call", name="change_tools", _meta=_meta()))
        assert wire.read() == notify("notifications/tools/list_changed", _meta={SUBSCRIPTION: 7})
        assert wire.read()["id"] == 8
        for uri, heard in (("test://static", True), ("test://item/1", False)):
            arguments = {"uri": uri}
            wire.send(request(uri, "tools/call", name="touch", arguments=arguments, _meta=_meta()))
            if heard:
                assert wire.read()["params"] == {"_meta": {SUBSCRIPTION: 7}, "uri": uri}
            assert wire.read()["id"] == uri

    def test_ends_by_cancel_without_an_answer(self, spawn: Spawn) -> None:
        wire = spawn()
        self.listen(wire, "a", toolsListChanged=True)
        wire.send(notify("notifications/cancelled", requestId="a"))
        wire.send(request(1, "tools/call", name="change_tools", _meta=_meta()))
        assert wire.read()["id"] == 1

    def test_ends_with_an_answer_when_the_server_goes(self, spawn: Spawn) -> None:
        wire = spawn()
        self.listen(wire, 3, toolsListChanged=True)
        wire.stdin.close()
        last = wire.read()
        assert last["id"] == 3
        assert last["result"]["resultType"] == "complete"
        assert last["result"]["_meta"][SUBSCRIPTION] == 3
        assert wire.end() == 0

    @pytest.mark.parametrize(
        "wanted", [{"toolsListChanged": 1}, {"resourceSubscriptions": "x"}, {"resourceSubscriptions": [1]}]
    )  # fmt: skip
    def test_wrong_filter(self, spawn: Spawn, wanted: Any) -> None:
        wire = spawn()
        assert self.listen(wire, 1, **wanted)["error"]["code"] == -32602

    def test_not_in_a_handshake_revision(self, spawn: Spawn) -> None:
        wire = spawn(revision="2025-11-25")
        answer = wire.request("subscriptions/listen", {"notifications": {}})
        assert answer["error"]["code"] == -32601


class TestStateless:
    """2026-07-28 on stdio."""

    def test_discover(self, spawn: Spawn) -> None:
        result = spawn().modern("server/discover")["result"]
        assert result["supportedVersions"][0] == "2026-07-28"
        assert len(result["supportedVersions"]) == 5
        assert result["resultType"] == "complete"
        assert result["cacheScope"] == "public"
        assert result["ttlMs"] > 0
        assert result["_meta"]["io.modelcontextprotocol/serverInfo"]["name"] == "everything"

    @pytest.mark.parametrize("missing", ["protocolVersion", "clientCapabilities"])
    def test_incomplete_meta(self, spawn: Spawn, missing: str) -> None:
        meta = {key: value for key, value in _meta().items() if not key.endswith(missing)}
        answer = spawn().request("tools/list", {"_meta": meta})
        assert answer["error"]["code"] == -32602
        assert missing in answer["error"]["data"]["parameter"]

    def test_discover_without_meta_names_what_is_missing(self, spawn: Spawn) -> None:
        answer = spawn().request("server/discover")
        assert answer["error"]["code"] == -32602
        assert "protocolVersion" in answer["error"]["data"]["parameter"]

    @pytest.mark.parametrize("version", ["v999.0.0", "2025-11-25"])
    def test_unsupported_version(self, spawn: Spawn, version: str) -> None:
        meta = {"io.modelcontextprotocol/protocolVersion": version}
        answer = spawn().modern("tools/list", meta)
        assert answer["error"]["code"] == -32022
        assert answer["error"]["data"]["requested"] == version
        assert "2026-07-28" in answer["error"]["data"]["supported"]

    @pytest.mark.parametrize(
        "method",
        ["initialize", "ping", "logging/setLevel", "resources/subscribe", "resources/unsubscribe"],
    )
    def test_removed_methods(self, spawn: Spawn, method: str) -> None:
        assert spawn().modern(method)["error"]["code"] == -32601

    @pytest.mark.parametrize(
        "method", ["tools/list", "resources/list", "resources/templates/list", "prompts/list"]
    )
    def test_lists_may_be_kept(self, spawn: Spawn, method: str) -> None:
        result = spawn().modern(method)["result"]
        assert result["ttlMs"] > 0
        assert result["cacheScope"] == "public"

    def test_read_says_how_long_it_is_good(self, spawn: Spawn) -> None:
        result = spawn().modern("resources/read", uri="test://static")["result"]
        assert (result["ttlMs"], result["cacheScope"]) == (1000, "private")

    def test_reserved_codes_are_not_sent(self, spawn: Spawn) -> None:
        wire = spawn()
        failed = wire.modern("tools/call", name="fail", arguments={"kind": "store"})
        assert failed["result"]["isError"] is True
        assert failed["result"]["resultType"] == "complete"
        unknown = wire.modern("resources/read", uri="test://nothing")
        assert unknown["error"]["code"] == -32602
        assert unknown["error"]["data"]["uri"] == "test://nothing"

    def test_both_eras_on_one_connection(self, spawn: Spawn) -> None:
        wire = spawn(revision="2024-11-05")
        assert "resultType" in wire.modern("tools/list")["result"]
        assert "resultType" not in wire.request("tools/list")["result"]


@pytest.mark.parametrize("method", ["tools/list", "resources/list", "prompts/list"])
def test_pages(spawn: Spawn, method: str) -> None:
    whole = spawn(revision="2025-11-25").request(method)["result"]
    kind = method.split("/")[0]
    wire = spawn("--page", "2", revision="2025-11-25")
    found, cursor = [], None
    while True:
        page = wire.request(method, {"cursor": cursor} if cursor else {})["result"]
        found += page[kind]
        cursor = page.get("nextCursor")
        if cursor is None:
            break
    assert found == whole[kind]
    for wrong in ("nonsense", 3, "", cursor_of("other:2")):
        assert wire.request(method, {"cursor": wrong})["error"]["code"] == -32602, wrong


def cursor_of(text: str) -> str:
    from base64 import urlsafe_b64encode

    return urlsafe_b64encode(text.encode()).decode().rstrip("=")


def test_completion(spawn: Spawn) -> None:
    wire = spawn(revision="2025-11-25")
    prompt = {"type": "ref/prompt", "name": "greet"}

    def complete(reference: Any, name: str, value: str) -> Any:
        params = {"ref": reference, "argument": {"name": name, "value": value}}
        return wire.request("completion/complete", params)

    found = complete(prompt, "style", "f")["result"]["completion"]
    assert found == {"values": ["formal", "friendly"], "total": 2, "hasMore": False}
    many = complete(prompt, "style", "style")["result"]["completion"]
    assert (len(many["values"]), many["total"], many["hasMore"]) == (100, 200, True)
    template = {"type": "ref/resource", "uri": "test://item/{id}"}
    assert complete(template, "id", "4")["result"]["completion"]["values"] == ["41", "42"]
    assert complete(prompt, "name", "x")["result"]["completion"]["values"] == []
    for reference, name in (
        ({"type": "ref/prompt", "name": "nope"}, "style"),
        ({"type": "other"}, "style"),
        (prompt, "nope"),
        ("prompt", "style"),
    ):
        assert complete(reference, name, "x")["error"]["code"] in (-32602, -32002)


def test_prompts(spawn: Spawn) -> None:
    wire = spawn(revision="2025-11-25")
    got = wire.request("prompts/get", {"name": "greet", "arguments": {"name": "Bo"}})["result"]
    assert got["messages"][0]["content"]["text"] == "Greet Bo in plain style"
    for params in (
        {"name": "gret"},
        {"name": "greet"},
        {"name": "greet", "arguments": {"name": 3}},
        {"name": "greet", "arguments": {"name": "x", "stile": "y"}},
        {"name": "greet", "arguments": []},
    ):
        error = wire.request("prompts/get", params)["error"]
        assert error["code"] == -32602, params
        assert error["data"]["parameter"]


def test_cached_answers_are_marked_and_keep_their_ids(spawn: Spawn) -> None:
    wire = spawn(revision="2025-11-25")
    seen = []
    for identity in (1, 2, "three", 4, 5, 0):
        wire.send(request(identity, "tools/call", name="add", arguments={"a": 1, "b": 2}))
        answer = wire.read()
        assert answer["id"] == identity
        assert answer["result"]["structuredContent"] == {"sum": 3}
        seen.append(answer["result"]["_meta"]["agrama/cache"])
    assert seen == ["miss", "hit", "hit", "hit", "hit", "hit"]


def test_repeated_lines_with_an_id_inside_the_arguments(spawn: Spawn) -> None:
    """Recognising a line by its bytes must not take another `"id"` for the request's."""
    wire = spawn(revision="2025-11-25")
    form = '{"params":{"name":"add","arguments":{"a":1,"b":%d}},"method":"tools/call","jsonrpc":"2.0","id":%d}\n'
    for identity in range(6):
        wire.send((form % (identity % 2, identity)).encode())
        answer = wire.read()
        assert (answer["id"], answer["result"]["structuredContent"]) == (
            identity,
            {"sum": 1 + identity % 2},
        )
    double = b'{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":"add","arguments":{"a":1,"b":1}},"id":77}\n'
    for identity in (1, 2, 3):
        wire.send(double % identity)
        assert wire.read()["id"] == 77


def test_broken_promise_of_a_tool(spawn: Spawn) -> None:
    answer = spawn(revision="2025-06-18").call("wrong_output")
    assert answer["error"]["code"] == -32603
    assert "schema" in answer["error"]["message"]
