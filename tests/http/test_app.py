"""What every request has to pass before it reaches an era, and the statuses of refusal."""

import socket
import time
from typing import Any

import pytest
from http_site import ACCEPT, Site, call, modern, request, running

from agrama.server import Server

PING = request("ping")


@pytest.mark.parametrize(
    ("headers", "status", "code"),
    [
        ({"host": "evil.example"}, 403, -32003),
        ({"host": "evil.example", "origin": "http://evil.example"}, 403, -32003),
        ({"origin": "http://evil.example"}, 403, -32003),
        ({"origin": "null"}, 403, -32003),
        ({"accept": "text/html"}, 406, -32600),
        ({"accept": "application/json"}, 406, -32600),
        ({"content_type": "text/plain"}, 415, -32600),
        ({"content_type": "application/json; charset=utf-8"}, 400, -32004),  # no session
        ({"origin": "http://localhost:3000"}, 400, -32004),
        ({"accept": "*/*"}, 400, -32004),
        ({"mcp_session_id": "unknown"}, 404, -32004),
        ({"mcp_protocol_version": "1999-01-01"}, 400, -32022),
    ],
)
def test_refusals(site: Site, headers: dict[str, str], status: int, code: int) -> None:
    answer = site.post(PING, **headers)
    assert (answer.status_code, answer.json()["error"]["code"]) == (status, code)
    assert answer.json()["error"]["message"]


def test_methods(site: Site) -> None:
    assert site.http.put(site.url).status_code == 405
    assert site.http.head(site.url).status_code == 405
    modern_version = {"mcp-protocol-version": "2026-07-28", "accept": "text/event-stream"}
    for method in ("GET", "DELETE"):
        answer = site.http.request(method, site.url, headers=modern_version)
        assert (answer.status_code, answer.headers["allow"]) == (405, "POST")
        assert site.http.request(method, site.url).status_code == 400
        unknown = site.http.request(method, site.url, headers={"mcp-protocol-version": "v999"})
        assert (unknown.status_code, unknown.json()["error"]["code"]) == (400, -32022)
    assert site.http.get(site.url.replace("/mcp", "/other")).status_code == 404


def test_a_body_over_the_limit_is_refused_whether_announced_or_not(server: Server) -> None:
    with running(server, max_body_bytes=1000) as site:
        body = request("ping", {"fill": "x" * 2000})
        assert site.post(body).status_code == 413

        def pieces() -> Any:
            for _ in range(20):
                yield b" " * 100

        headers = {**ACCEPT, "content-type": "application/json"}
        answer = site.http.post(site.url, content=pieces(), headers=headers)
        assert answer.status_code == 413
        assert site.post(PING).status_code == 400


def test_a_body_that_never_comes_is_not_waited_for(server: Server) -> None:
    with running(server, body_seconds=0.2) as site:
        port = int(site.url.split(":")[2].split("/")[0])
        with socket.create_connection(("127.0.0.1", port), timeout=10) as connection:
            connection.sendall(
                b"POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
                b"Content-Length: 100\r\n\r\n{"
            )
            assert connection.recv(4096).startswith(b"HTTP/1.1 408 ")


def test_a_token_is_required_when_one_is_set(server: Server) -> None:
    with running(server, token="s3cret") as site:
        refused = site.post(PING)
        assert refused.status_code == 401
        assert refused.headers["www-authenticate"] == "Bearer"
        assert refused.json()["error"]["code"] == -32002
        stateless = site.post(PING, mcp_protocol_version="2026-07-28")
        assert stateless.json()["error"]["code"] == -32600  # that era has no code for it
        assert site.post(PING, authorization="Bearer wrong").status_code == 401
        body, headers = modern(call("fast"))
        answer = site.post(body, authorization="Bearer s3cret", **headers)
        assert answer.json()["result"]["content"][0]["text"] == "quick"
        session = site.initialize(authorization="Bearer s3cret")
        assert site.post(PING, **session).json()["result"] == {}


def test_too_many_requests_are_told_when_to_come_back(server: Server) -> None:
    with running(server, rate_burst=3, rate_per_second=0.5) as site:
        answers = [site.post(PING).status_code for _ in range(3)]
        assert answers == [400, 400, 400]
        refused = site.post(PING)
        assert (refused.status_code, refused.json()["error"]["code"]) == (429, -32006)
        assert int(refused.headers["retry-after"]) in {2, 3}


def test_pages_of_listed_origins_may_read_and_others_may_not(server: Server) -> None:
    origin = "https://code.example"
    with running(server, allowed_origins=(origin,)) as site:
        wanted = {"access-control-request-headers": "content-type,mcp-session-id"}
        preflight = site.http.options(site.url, headers={"origin": origin, **wanted})
        assert preflight.status_code == 204
        assert preflight.headers["access-control-allow-origin"] == origin
        assert preflight.headers["access-control-allow-headers"] == "content-type,mcp-session-id"
        assert "POST" in preflight.headers["access-control-allow-methods"]
        body, headers = modern(call("fast"))
        assert (
            site.post(body, origin=origin, **headers).headers["access-control-allow-origin"]
            == origin
        )
        tolerated = site.post(body, origin="http://localhost:3000", **headers)
        assert tolerated.status_code == 200
        assert "access-control-allow-origin" not in tolerated.headers
        assert site.http.options(site.url, headers={"origin": "https://evil"}).status_code == 403


def test_a_client_that_goes_away_in_the_middle_of_its_body_hurts_nobody(site: Site) -> None:
    port = int(site.url.split(":")[2].split("/")[0])
    for _ in range(5):
        with socket.create_connection(("127.0.0.1", port)) as connection:
            connection.sendall(
                b"POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
                b"Content-Length: 100\r\n\r\n{"
            )
            time.sleep(0.01)
    body, headers = modern(call("fast"))
    assert site.post(body, **headers).status_code == 200
