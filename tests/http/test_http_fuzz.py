"""Whatever is sent, there is an HTTP answer, and the next good request works."""

import json
import random
from typing import Any

import pytest
from http_site import Site, call, modern, request, running

from agrama.server import Server

ROUNDS = 1000
STATUSES = {200, 202, 204, 400, 404, 405, 406, 413, 415}

METHODS = (
    "tools/call tools/list initialize ping subscriptions/listen resources/read server/discover "
    "notifications/cancelled notifications/initialized logging/setLevel x"
).split()
CHOICES: dict[str, tuple[Any, ...]] = {
    "jsonrpc": ("2.0", "2.0", "2.0", "1.0", 2, None),
    "id": (1, "a", None, 1.5, {}, [], 2**70, -1, True),
    "method": (*METHODS, "", None, 5),
    "params": (
        None,
        [],
        {},
        5,
        {"name": "fast"},
        {"name": 5},
        {"_meta": {}},
        {"_meta": None},
        {"uri": "\x00"},
        {"notifications": {}},
        {"protocolVersion": "2025-11-25", "capabilities": {}},
        modern(call("fast"))[0]["params"],
    ),
}
HEADERS: dict[str, tuple[str | bytes, ...]] = {
    "mcp-protocol-version": ("2026-07-28", "2025-11-25", "2025-03-26", "junk", b"\xff"),
    "mcp-method": (*METHODS, "=?base64?x?="),
    "mcp-name": ("fast", "=?base64?/w==?=", b"\xc3\xa9"),
    "mcp-session-id": ("nope", "SESSION", "SESSION", "SESSION"),
    "last-event-id": ("1-1", "-", "0-99999"),
    "accept": ("*/*", "*/*", "*/*", "text/html", "application/json, text/event-stream"),
    "content-type": ("application/json",) * 5 + ("text/plain",),
}


def make_body(chance: random.Random) -> bytes:
    value: Any = {name: chance.choice(choices) for name, choices in CHOICES.items()}
    for name in list(value):
        if chance.random() < 0.1:
            del value[name]
    shape = chance.randrange(10)
    if shape == 0:
        return chance.randbytes(chance.randrange(300))
    if shape == 1:
        return b"[" * chance.randrange(100_000)
    if shape == 2:
        value = [value] * chance.randrange(5)
    body = bytearray(json.dumps(value).encode())
    if shape == 3:
        del body[chance.randrange(len(body)) :]
    if shape == 4:
        body[chance.randrange(len(body))] = chance.randrange(256)
    return bytes(body)


def make_headers(chance: random.Random, session: str) -> list[tuple[str, str | bytes]]:
    found = [
        (name, chance.choice(values)) for name, values in HEADERS.items() if chance.random() < 0.8
    ]
    return [(name, session if value == "SESSION" else value) for name, value in found]


def send_one(site: Site, chance: random.Random, session: str) -> int:
    method = chance.choice(["POST"] * 12 + ["GET", "DELETE", "PUT", "OPTIONS"])
    body = b"" if method == "GET" else make_body(chance)
    headers = make_headers(chance, session)
    with site.http.stream(method, site.url, content=body, headers=headers) as answer:
        return int(answer.status_code)


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_nothing_goes_unanswered(server: Server, seed: int) -> None:
    chance = random.Random(seed)
    with running(server, rate_burst=10_000) as site:
        seen: set[int] = set()
        for number in range(ROUNDS):
            if number % 20 == 0:  # a DELETE may have ended the last one
                session = site.initialize("2025-03-26")["mcp_session_id"]
            seen.add(send_one(site, chance, session))
        assert seen <= STATUSES, seen
        assert {200, 400} <= seen
        body, headers = modern(request("tools/list"))
        assert site.post(body, **headers).status_code == 200
        assert site.initialize()
