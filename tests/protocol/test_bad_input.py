"""What bad input gets, row by row, through a real process: an answer or silence, and life goes on."""

import json
import os
import signal
import time
from collections.abc import Callable
from typing import Any, NamedTuple

import pytest

Spawn = Callable[..., Any]
REVISIONS = ("2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25", "2026-07-28")
META = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientCapabilities": {},
}
PARSE, INVALID, UNKNOWN, PARAMS = -32700, -32600, -32601, -32602
NULL = "no id"


class Row(NamedTuple):
    """One line sent; the code, id and a word of the answer expected (code None: silence)."""

    name: str
    line: bytes
    code: int | None
    id: Any = NULL
    word: str = ""


def message(identity: Any = 1, method: Any = "tools/list", **fields: Any) -> bytes:
    return json.dumps({"jsonrpc": "2.0", "id": identity, "method": method, **fields}).encode()


def nested(depth: int) -> bytes:
    return (
        b'{"jsonrpc":"2.0","id":1,"method":"x","params":'
        + b'{"a":' * depth
        + b"1"
        + b"}" * depth
        + b"}"
    )


ROWS = (
    Row("bytes:invalid-utf8", b'{"jsonrpc":"2.0","id":1,"method":"\xff\xfe"}', PARSE, word="UTF-8"),
    Row("bytes:nul", b'{"jsonrpc":"2.0","id":1,\x00"method":"ping"}', PARSE, word="NUL"),
    Row("bytes:utf16", '{"id":1}'.encode("utf-16"), PARSE),
    Row("bytes:lone-surrogate", b'{"jsonrpc":"2.0","id":1,"method":"\\ud800"}', PARSE),
    Row("bytes:raw-control", b'{"jsonrpc":"2.0","id":1,"method":"a\x01b"}', PARSE),
    Row("line:empty", b"", None),
    Row("line:blank", b"  \t ", None),
    Row("line:carriage-return-only", b"\r", None),
    Row("json:not-json", b"hello", PARSE),
    Row("json:truncated", b'{"jsonrpc":"2.0","id":1,"method":"pi', PARSE),
    Row("json:two-values", b'{"jsonrpc":"2.0","id":1,"method":"ping"}{}', PARSE),
    Row("json:single-quotes", b"{'id': 1}", PARSE),
    Row("json:nan", b'{"jsonrpc":"2.0","id":1,"method":"ping","params":{"a":NaN}}', PARSE),
    Row("json:nested-100000-deep", b"[" * 100_000, PARSE),
    Row("json:nested-100000-closed", b"[" * 100_000 + b"]" * 100_000, PARSE),
    Row("json:nested-65-deep", nested(65), INVALID, 1, "levels"),
    Row("json:nested-1000-deep", nested(1000), INVALID, 1, "levels"),
    Row("json:5-megabytes", b'{"a":"' + b"x" * 5_000_000 + b'"}', INVALID, word="bytes"),
    Row("message:number", b"42", INVALID),
    Row("message:string", b'"ping"', INVALID),
    Row("message:null", b"null", INVALID),
    Row("message:true", b"true", INVALID),
    Row("message:empty-object", b"{}", INVALID, word="method"),
    Row("message:empty-array", b"[]", INVALID),
    Row("jsonrpc:missing", b'{"id":1,"method":"ping"}', INVALID, 1, "jsonrpc"),
    Row("jsonrpc:1.0", b'{"jsonrpc":"1.0","id":1,"method":"ping"}', INVALID, 1, "jsonrpc"),
    Row("jsonrpc:number", b'{"jsonrpc":2.0,"id":1,"method":"ping"}', INVALID, 1, "jsonrpc"),
    Row("id:null", message(None), INVALID, word="id"),
    Row("id:float", message(1.5), INVALID, word="id"),
    Row("id:whole-float", message(1.0), INVALID, word="id"),
    Row("id:object", message({"a": 1}), INVALID, word="id"),
    Row("id:array", message([1]), INVALID, word="id"),
    Row("id:true", message(True), INVALID, word="id"),
    Row("id:2-to-the-64", message(1 << 64), INVALID, word="id"),
    Row("id:hundred-digits", message(10**100), INVALID, word="id"),
    Row("method:missing", b'{"jsonrpc":"2.0","id":1}', INVALID, 1, "method"),
    Row("method:number", message(1, 7), INVALID, 1, "method"),
    Row("method:null", message(1, None), INVALID, 1, "method"),
    Row("params:array", message(1, "tools/list", params=[1]), PARAMS, 1, "params"),
    Row("params:string", message(1, "tools/list", params="x"), PARAMS, 1, "params"),
    Row("params:number", message(1, "tools/list", params=3), PARAMS, 1, "params"),
    Row("params:meta-string", message(1, "tools/list", params={"_meta": "x"}), PARAMS, 1, "_meta"),
    Row("notification:unknown", b'{"jsonrpc":"2.0","method":"notifications/whatever"}', None),
    Row("notification:wrong-params", b'{"jsonrpc":"2.0","method":"notifications/cancelled","params":[1]}', None),
    Row("notification:request-method", b'{"jsonrpc":"2.0","method":"tools/list"}', None),
    Row("cancel:unknown", b'{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":99}}', None),
    Row("cancel:no-id", b'{"jsonrpc":"2.0","method":"notifications/cancelled","params":{}}', None),
    Row("cancel:strange-id", b'{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":{}}}', None),
    Row("response:unasked", b'{"jsonrpc":"2.0","id":5,"result":{}}', None),
    Row("response:error-unasked", b'{"jsonrpc":"2.0","id":5,"error":{"code":1,"message":"x"}}', None),
    Row("response:strange", b'{"jsonrpc":"2.0","id":{},"error":3}', None),
)  # fmt: skip


@pytest.mark.parametrize("revision", REVISIONS)
@pytest.mark.parametrize("row", ROWS, ids=[row.name for row in ROWS])
def test_line(shared: Callable[[str], Any], row: Row, revision: str) -> None:
    wire = shared(revision)
    assert wire.is_alive() if revision == "2026-07-28" else True
    wire.send(row.line + b"\n")
    if row.code is not None:
        answer = wire.read()
        assert answer["error"]["code"] == row.code
        assert row.word in json.dumps(answer["error"], ensure_ascii=False)
        assert set(answer["error"]["data"]) >= {"parameter", "expected", "got", "hint"}
        if row.id is not NULL:
            assert answer["id"] == row.id
        elif revision == "2026-07-28":
            assert "id" not in answer  # its schema has no null ids
        else:
            assert answer["id"] is None
    assert wire.is_alive()


def params(revision: str, **fields: Any) -> dict[str, Any]:
    return {**fields, "_meta": META} if revision == "2026-07-28" else fields


GOOD = (
    ("line:bom", b"\xef\xbb\xbf%b\n"),
    ("line:crlf", b"%b\r\n"),
    ("line:leading-space", b"  %b\n"),
    ("line:after-empty-lines", b"\n\n\r\n%b\n"),
    ("frame:content-length", b"Content-Length: %d\r\n\r\n%b"),
    ("frame:content-type-too", b"Content-Length: %d\r\nContent-Type: application/json\r\n\r\n%b"),
    ("frame:lower-case", b"content-length:%d\n\n%b"),
)


@pytest.mark.parametrize("revision", REVISIONS)
@pytest.mark.parametrize(("name", "form"), GOOD, ids=[name for name, _ in GOOD])
def test_unusual_but_good(
    shared: Callable[[str], Any], name: str, form: bytes, revision: str
) -> None:
    wire = shared(revision)
    line = message(name, "tools/list", params=params(revision))
    wire.send(form % ((len(line), line) if b"%d" in form else line))
    answer = wire.read_answer(name)
    assert answer["result"]["tools"]


METHODS = (
    ("method:unknown", "tools/lst", "tools/list"),
    ("method:empty", "", "capabilities"),
    ("method:rpc", "rpc.discover", "capabilities"),
    ("method:long", "x" * 10_000, "capabilities"),
    ("method:notification-as-request", "notifications/initialized", "capabilities"),
)


@pytest.mark.parametrize("revision", REVISIONS)
@pytest.mark.parametrize(("name", "method", "hint"), METHODS, ids=[row[0] for row in METHODS])
def test_unknown_method(
    shared: Callable[[str], Any], name: str, method: str, hint: str, revision: str
) -> None:
    wire = shared(revision)
    answer = wire.request(method, params(revision))
    assert answer["error"]["code"] == UNKNOWN
    assert hint in answer["error"]["data"]["hint"]
    assert wire.is_alive()


CALLS = (
    ("tools:call:unknown-tool", {"name": "ecko", "arguments": {}}, "name", "did you mean 'echo'", "error"),
    ("tools:call:no-name", {"arguments": {}}, "name", "name", "error"),
    ("tools:call:name-number", {"name": 3}, "name", "name", "error"),
    ("tools:call:name-array", {"name": ["echo"]}, "name", "name", "error"),
    ("tools:call:arguments-array", {"name": "echo", "arguments": [1]}, "arguments", "object", "error"),
    ("tools:call:missing-argument", {"name": "add", "arguments": {"a": 1}}, "b", "Missing", "input"),
    ("tools:call:no-arguments", {"name": "add"}, "a", "Missing", "input"),
    ("tools:call:extra-argument", {"name": "echo", "arguments": {"text": "x", "zzz": 1}}, "zzz", "Unknown", "input"),
    ("tools:call:misspelt-argument", {"name": "echo", "arguments": {"txet": "x"}}, "txet", "did you mean 'text'", "input"),
    ("tools:call:mistyped-argument", {"name": "add", "arguments": {"a": "1", "b": 2}}, "a", "number", "input"),
    ("tools:call:null-argument", {"name": "add", "arguments": {"a": None, "b": 2}}, "a", "null", "input"),
    ("tools:call:alias-and-name", {"name": "add", "arguments": {"a": 1, "left": 2, "b": 3}}, "left", "another name", "input"),
    ("tools:call:control-character", {"name": "add", "arguments": {"a": 1, "b": 2, "note": "x\x07"}}, "note", "U+0007", "input"),
    ("tools:call:nul-in-free-text", {"name": "echo", "arguments": {"text": "a\x00b"}}, "text", "U+0000", "input"),
)  # fmt: skip


@pytest.mark.parametrize("revision", REVISIONS)
@pytest.mark.parametrize(
    ("name", "call", "parameter", "word", "kind"), CALLS, ids=[row[0] for row in CALLS]
)
def test_wrong_call(
    shared: Callable[[str], Any],
    name: str,
    call: dict[str, Any],
    parameter: str,
    word: str,
    kind: str,
    revision: str,
) -> None:
    wire = shared(revision)
    answer = wire.request("tools/call", params(revision, **call))
    if kind == "input" and revision >= "2025-11-25":
        assert answer["result"]["isError"] is True
        error = answer["result"]["_meta"]["agrama/error"]
        assert word in answer["result"]["content"][0]["text"]
    else:
        error = answer["error"]
    assert error["code"] == PARAMS
    assert error["data"]["parameter"] == parameter
    assert word in error["message"] + json.dumps(error["data"])
    assert set(error["data"]) >= {"parameter", "expected", "got", "hint"}
    assert wire.is_alive()


@pytest.mark.parametrize("revision", REVISIONS)
def test_batch(spawn: Spawn, revision: str) -> None:
    wire = spawn(revision=None if revision == "2026-07-28" else revision)
    assert wire.is_alive()
    batch = [
        {"jsonrpc": "2.0", "id": 1, "method": "tools/list"},
        {"jsonrpc": "2.0", "method": "notifications/nothing"},
        {"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": {"name": "wait", "arguments": {"seconds": 0.05}}},
        {"jsonrpc": "2.0", "id": 3, "method": "nope"},
        7,
    ]  # fmt: skip
    wire.send(batch)
    answer = wire.read()
    if revision == "2025-03-26":
        assert [entry["id"] for entry in answer] == [1, 3, None, 2]
        assert answer[0]["result"]["tools"]
        assert answer[1]["error"]["code"] == UNKNOWN
        assert answer[2]["error"]["code"] == INVALID
        assert answer[3]["result"]["content"][0]["text"] == "waited"
    else:
        assert answer["error"]["code"] == INVALID
        assert "2025-03-26" in answer["error"]["message"]
    assert wire.is_alive()


def test_stateless_request_inside_a_batch(spawn: Spawn) -> None:
    wire = spawn(revision="2025-03-26")
    listen = {"notifications": {"toolsListChanged": True}, "_meta": META}
    wire.send(
        [
            {"jsonrpc": "2.0", "id": 1, "method": "subscriptions/listen", "params": listen},
            {"jsonrpc": "2.0", "id": 2, "method": "ping"},
        ]
    )
    first, second = wire.read()
    assert first["error"]["code"] == INVALID
    assert second["result"] == {}


def test_batch_of_notifications_is_silent(spawn: Spawn) -> None:
    wire = spawn(revision="2025-03-26")
    wire.send([{"jsonrpc": "2.0", "method": "notifications/a"}])
    assert wire.is_alive()


def test_batch_with_too_many(spawn: Spawn) -> None:
    wire = spawn(revision="2025-03-26")
    wire.send([{"jsonrpc": "2.0", "id": 1, "method": "ping"}] * 300)
    assert wire.read()["error"]["code"] == INVALID
    assert wire.is_alive()


def test_initialize_inside_a_batch(spawn: Spawn) -> None:
    wire = spawn()
    wire.send([{"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {"protocolVersion": "2025-03-26"}}])  # fmt: skip
    assert wire.read()["error"]["code"] == INVALID
    assert wire.is_alive()


@pytest.mark.parametrize("method", ["tools/list", "tools/call", "resources/read", "nope"])
def test_request_before_initialize(spawn: Spawn, method: str) -> None:
    wire = spawn()
    answer = wire.request(method)
    assert answer["error"]["code"] == INVALID
    assert "initialize" in answer["error"]["data"]["expected"]
    assert wire.request("ping")["result"] == {}
    assert wire.initialize()["result"]["protocolVersion"] == "2025-11-25"
    assert wire.request("tools/list")["result"]["tools"]


def test_second_initialize(spawn: Spawn) -> None:
    wire = spawn(revision="2025-06-18")
    assert wire.request("initialize", {"protocolVersion": "2025-06-18"})["error"]["code"] == INVALID
    assert wire.request("tools/list")["result"]["tools"]


@pytest.mark.parametrize("given", [None, {}, {"protocolVersion": 3}, {"protocolVersion": "2025-06-18", "capabilities": []}])  # fmt: skip
def test_wrong_initialize(spawn: Spawn, given: Any) -> None:
    wire = spawn()
    answer = wire.request("initialize", given)
    assert answer["error"]["code"] == PARAMS
    assert answer["error"]["data"]["parameter"] in ("protocolVersion", "capabilities")
    assert wire.initialize()["result"]


def test_duplicate_id_in_flight(spawn: Spawn) -> None:
    wire = spawn(revision="2025-11-25")
    slow = {"name": "wait", "arguments": {"seconds": 0.3}}
    wire.send(
        {"jsonrpc": "2.0", "id": 5, "method": "tools/call", "params": slow},
        {"jsonrpc": "2.0", "id": 5, "method": "ping"},
    )
    first, second = wire.read(), wire.read()
    assert first["error"]["code"] == INVALID
    assert "in flight" in first["error"]["message"]
    assert second["result"]["content"][0]["text"] == "waited"
    assert wire.request("ping")["result"] == {}


def test_cancel_of_a_finished_request(spawn: Spawn) -> None:
    wire = spawn(revision="2025-11-25")
    wire.send({"jsonrpc": "2.0", "id": 5, "method": "ping"})
    assert wire.read()["id"] == 5
    wire.send({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 5}})
    assert wire.is_alive()


@pytest.mark.parametrize("revision", REVISIONS)
def test_256_pipelined_requests(spawn: Spawn, revision: str) -> None:
    wire = spawn(revision=None if revision == "2026-07-28" else revision)
    call = params(revision, name="echo", arguments={"text": "x" * 1000})
    wire.send(b"".join(message(number, "tools/call", params=call) + b"\n" for number in range(256)))
    assert [wire.read()["id"] for _ in range(256)] == list(range(256))
    assert wire.is_alive()


def test_pipelining_without_reading_does_not_deadlock(spawn: Spawn) -> None:
    """More answers than any pipe holds are queued while the client only writes."""
    wire = spawn(revision="2025-11-25")
    call = {"name": "big", "arguments": {"size": 20_000}}
    for number in range(500):
        wire.send(message(number, "tools/call", params=call) + b"\n")
    assert [wire.read()["id"] for _ in range(500)] == list(range(500))


def test_more_slow_requests_than_may_be_in_flight(spawn: Spawn) -> None:
    wire = spawn("--max-in-flight", "8", revision="2025-11-25")
    call = {"name": "wait", "arguments": {"seconds": 0.2}}
    for number in range(12):
        wire.send(message(number, "tools/call", params=call) + b"\n")
    answers = {answer["id"]: answer for answer in (wire.read() for _ in range(12))}
    refused = [number for number in range(12) if "error" in answers[number]]
    assert refused == [8, 9, 10, 11]
    assert answers[8]["error"]["code"] == -32006
    assert wire.is_alive()


def test_end_of_input_inside_a_message(spawn: Spawn) -> None:
    wire = spawn(revision="2025-11-25")
    wire.send(b'{"jsonrpc":"2.0","id":1,"meth')
    wire.stdin.close()
    assert wire.read()["error"]["code"] == PARSE
    assert wire.end() == 0


def test_end_of_input_right_after_a_request_without_newline(spawn: Spawn) -> None:
    wire = spawn(revision="2025-11-25")
    wire.send(b'{"jsonrpc":"2.0","id":1,"method":"ping"}')
    wire.stdin.close()
    assert wire.read() == {"jsonrpc": "2.0", "id": 1, "result": {}}
    assert wire.end() == 0


def test_end_of_input_waits_for_slow_answers(spawn: Spawn) -> None:
    wire = spawn(revision="2025-11-25")
    call = {"name": "wait", "arguments": {"seconds": 0.3}}
    wire.send(message(1, "tools/call", params=call) + b"\n")
    wire.stdin.close()
    assert wire.read()["result"]["content"][0]["text"] == "waited"
    assert wire.end() == 0


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_signal_while_a_request_runs(spawn: Spawn, number: int) -> None:
    wire = spawn(revision="2025-11-25")
    call = {"name": "wait", "arguments": {"seconds": 0.4}}
    wire.send(message(1, "tools/call", params=call) + b"\n")
    assert wire.is_alive()
    wire.process.send_signal(number)
    assert wire.read()["result"]["content"][0]["text"] == "waited"
    assert wire.process.wait(5) == 0


def test_signal_while_idle(spawn: Spawn) -> None:
    wire = spawn(revision="2025-11-25")
    assert wire.is_alive()
    wire.process.send_signal(signal.SIGTERM)
    assert wire.process.wait(5) == 0


def test_output_closed_by_the_client(spawn: Spawn) -> None:
    wire = spawn(revision="2025-11-25")
    wire.stdout.close()
    wire.send(message(1, "ping") + b"\n")
    assert wire.process.wait(5) == 0
    assert wire.process.stderr.read() == b""


def test_output_closed_while_much_is_queued(spawn: Spawn) -> None:
    wire = spawn(revision="2025-11-25")
    call = {"name": "big", "arguments": {"size": 100_000}}
    for number in range(50):
        wire.send(message(number, "tools/call", params=call) + b"\n")
    time.sleep(0.2)
    wire.stdout.close()
    assert wire.process.wait(5) == 0


def test_client_gone_while_a_request_runs(spawn: Spawn) -> None:
    """Input ended and nobody reads: there is nothing to drain for."""
    wire = spawn(revision="2025-11-25")
    call = {"name": "wait", "arguments": {"seconds": 20, "stubborn": True}}
    wire.send(message(1, "tools/call", params=call) + b"\n")
    assert wire.is_alive()
    wire.stdin.close()
    wire.stdout.close()
    assert wire.process.wait(3) == 0


def test_answer_over_the_limit(spawn: Spawn) -> None:
    wire = spawn(revision="2025-11-25")
    answer = wire.call("big", size=11 << 20)
    assert answer["result"]["isError"] is True
    assert "bytes" in answer["result"]["content"][0]["text"]
    assert wire.call("parts", count=300, size=50_000)["result"]["isError"] is True
    assert wire.is_alive()


def test_nobody_reads_stderr(spawn: Spawn) -> None:
    """A hundred traces are more than a pipe holds."""
    wire = spawn(revision="2025-11-25")
    for _ in range(200):
        assert wire.call("fail", kind="defect")["result"]["isError"] is True


def test_a_frame_with_an_absurd_length(spawn: Spawn) -> None:
    wire = spawn(revision="2025-11-25")
    body = message(1, "ping")
    wire.send(b"Content-Length: nonsense\r\n\r\n")
    wire.send(b"Content-Length: %d\r\n\r\n%b" % (len(body), body))
    assert wire.read_answer(1)["result"] == {}


def test_byte_by_byte(spawn: Spawn) -> None:
    wire = spawn(revision="2025-11-25")
    line = message(1, "tools/call", params={"name": "echo", "arguments": {"text": "é\U0001f600"}})
    for at in range(len(line)):
        os.write(wire.stdin.fileno(), line[at : at + 1])
    os.write(wire.stdin.fileno(), b"\n")
    assert wire.read()["result"]["content"][0]["text"] == "é\U0001f600"
