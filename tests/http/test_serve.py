"""The server as a process, and how it ends."""

import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import httpx
import pytest
from http_site import ACCEPT, Gate, Site, call, events, modern, named, request, running

from agrama.errors import AgramaError
from agrama.http.options import HttpOptions
from agrama.http.serve import HttpServer
from agrama.server import Server

FIXTURE = Path(__file__).parents[1] / "conformance" / "fixture_server.py"


def test_a_port_in_use_is_an_error_that_says_what_to_do(server: Server) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        with pytest.raises(AgramaError, match="choose another --port"):
            HttpServer(server, HttpOptions(port=port))


def test_an_unknown_host_is_an_error(server: Server) -> None:
    with pytest.raises(AgramaError, match="cannot serve on"):
        HttpServer(server, HttpOptions(host="no such host", port=0))


def test_ipv6_is_served(server: Server) -> None:
    try:
        with socket.create_server(("::1", 0), family=socket.AF_INET6):
            pass
    except OSError:
        pytest.skip("this machine has no IPv6")
    with running(server, host="::1") as site:
        assert site.url.startswith("http://[::1]:")
        body, headers = modern(call("fast"))
        assert site.post(body, **headers).status_code == 200


def test_an_open_address_without_a_token_is_remarked_upon() -> None:
    program = (
        "from agrama.http.options import HttpOptions; from agrama.http.serve import serve;"
        "from agrama.server import Server; serve(Server(), HttpOptions(host='0.0.0.0', port=0))"
    )
    with subprocess.Popen(
        [sys.executable, "-c", program], stderr=subprocess.PIPE, text=True
    ) as process:
        assert process.stderr is not None
        try:
            assert "--token-file" in process.stderr.readline()
            assert "serving http://0.0.0.0:" in process.stderr.readline()
        finally:
            process.terminate()
        assert process.wait(10) == 0


def test_draining_answers_what_runs_and_ends_what_listens(server: Server, gate: Gate) -> None:
    answers: dict[str, Any] = {}

    def call_gate(site: Site) -> None:
        body, headers = modern(call("gate"))
        answers["call"] = httpx.post(site.url, json=body, headers=ACCEPT | named(headers)).json()

    def listen(site: Site, ready: threading.Event) -> None:
        params = {"notifications": {"toolsListChanged": True}}
        body, headers = modern(request("subscriptions/listen", params, 5))
        with httpx.stream(
            "POST", site.url, json=body, headers=ACCEPT | named(headers), timeout=20
        ) as answer:
            stream = events(answer)
            next(stream)
            ready.set()
            answers["listen"] = [event["data"] for event in stream]

    def hear(site: Site, session: dict[str, str], ready: threading.Event) -> None:
        with httpx.stream("GET", site.url, headers=named(session), timeout=20) as answer:
            stream = events(answer)
            next(stream)
            ready.set()
            answers["get"] = list(stream)

    threads = []
    with running(server) as site:
        session = site.initialize()
        listening, hearing = threading.Event(), threading.Event()
        for target, arguments in (
            (call_gate, (site,)),
            (listen, (site, listening)),
            (hear, (site, session, hearing)),
        ):
            threads.append(threading.Thread(target=target, args=arguments))
            threads[-1].start()
        assert gate.started.wait(5)
        assert listening.wait(5)
        assert hearing.wait(5)
        threading.Timer(0.4, gate.open.set).start()
    for thread in threads:
        thread.join(10)
        assert not thread.is_alive()
    assert answers["call"]["result"]["content"][0]["text"] == "through"
    assert [each["id"] for each in answers["listen"]] == [5]
    assert answers["get"] == []


@contextmanager
def fixture_process() -> Iterator[tuple[subprocess.Popen[str], str]]:
    process = subprocess.Popen(
        [sys.executable, str(FIXTURE), "--transport", "http"], stderr=subprocess.PIPE, text=True
    )
    assert process.stderr is not None
    try:
        yield process, process.stderr.readline().rpartition("serving ")[2].strip()
    finally:
        process.kill()
        process.communicate()


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_drains_and_ends_with_status_zero(number: signal.Signals) -> None:
    with fixture_process() as (process, url):
        body, headers = modern(call("test_tool_with_progress"))
        answers: list[Any] = []
        thread = threading.Thread(
            target=lambda: answers.append(
                httpx.post(url, json=body, headers=ACCEPT | named(headers)).json()
            )
        )
        thread.start()
        time.sleep(0.1)
        process.send_signal(number)
        assert process.wait(10) == 0
        thread.join(5)
        assert answers[0]["result"]["content"][0]["text"] == "reported three times"
        assert process.stderr is not None
        assert process.stderr.read() == ""


def test_a_second_interrupt_does_not_wait_for_the_drain() -> None:
    with fixture_process() as (process, url):
        body, headers = modern(call("wait_for_cancel"))
        with httpx.Client(timeout=20) as http:
            request_made = http.build_request(
                "POST", url, json=body, headers=ACCEPT | named(headers)
            )
            thread = threading.Thread(target=_ignore_loss, args=(http, request_made))
            thread.start()
            time.sleep(0.3)
            start = time.monotonic()
            process.send_signal(signal.SIGINT)
            time.sleep(0.3)
            assert process.poll() is None
            process.send_signal(signal.SIGINT)
            process.wait(10)
            assert time.monotonic() - start < 8
            thread.join(5)


def _ignore_loss(http: httpx.Client, request_made: httpx.Request) -> None:
    with suppress(httpx.TransportError):
        http.send(request_made)
