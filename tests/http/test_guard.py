import pytest

from agrama.http.guard import (
    MAX_CLIENTS,
    RateLimiter,
    is_allowed_host,
    is_allowed_origin,
    is_authorized,
)
from agrama.http.options import HttpOptions

OPTIONS = HttpOptions(
    allowed_hosts=("code.example:8443", "Inner.example"),
    allowed_origins=("https://code.example", "http://inner.example:3000"),
)


@pytest.mark.parametrize(
    ("host", "allowed"),
    [
        ("127.0.0.1", True),
        ("127.0.0.1:8620", True),
        ("LOCALHOST:1", True),
        ("[::1]:8620", True),
        ("[::1]", True),
        ("code.example:8443", True),
        ("code.example", False),
        ("code.example:80", False),
        ("inner.example", True),
        ("inner.example:99", True),
        ("evil.example", False),
        ("127.0.0.1.evil.example", False),
        ("localhost.evil.example:8620", False),
        ("evil.example:127.0.0.1", False),
        ("[::1", False),
        ("", False),
    ],
)
def test_hosts(host: str, allowed: bool) -> None:
    assert is_allowed_host(host, OPTIONS) is allowed


@pytest.mark.parametrize(
    ("origin", "allowed"),
    [
        ("http://localhost:3000", True),
        ("http://127.0.0.1", True),
        ("https://[::1]:1", True),
        ("https://code.example", True),
        ("https://code.example/", True),
        ("http://code.example", False),
        ("https://code.example:444", False),
        ("http://inner.example:3000", True),
        ("http://inner.example", False),
        ("null", False),
        ("", False),
        ("http://localhost.evil.example", False),
        ("http://localhost@evil.example", False),
        ("file://localhost", False),
        ("chrome-extension://localhost", False),
    ],
)
def test_origins(origin: str, allowed: bool) -> None:
    assert is_allowed_origin(origin, OPTIONS) is allowed


@pytest.mark.parametrize(
    ("header", "authorized"),
    [
        ("Bearer s3cret", True),
        ("bearer  s3cret ", True),
        ("Bearer s3cre", False),
        ("Bearer s3cret2", False),
        ("Bearer", False),
        ("Basic s3cret", False),
        ("s3cret", False),
        ("Bearer žluť", False),
        ("", False),
    ],
)
def test_tokens(header: str, authorized: bool) -> None:
    assert is_authorized(header, "s3cret") is authorized


def test_a_client_that_is_too_quick_waits_while_another_does_not() -> None:
    now = [0.0]
    limiter = RateLimiter(2, 10.0, lambda: now[0])
    assert [limiter.take("a"), limiter.take("a")] == [0.0, 0.0]
    assert limiter.take("a") == pytest.approx(0.1)
    assert limiter.take("b") == 0.0
    now[0] = 0.1
    assert limiter.take("a") == 0.0
    assert limiter.take("a") > 0.0


def test_silent_clients_are_forgotten() -> None:
    limiter = RateLimiter(1, 1.0, lambda: 0.0)
    for number in range(MAX_CLIENTS + 1):
        assert limiter.take(str(number)) == 0.0
    assert limiter.take("0") == 0.0
    assert limiter.take(str(MAX_CLIENTS)) == 1.0
