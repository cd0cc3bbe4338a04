"""Who may speak to the server at all: Host, Origin, bearer token and request rate.

Without the Host and Origin checks a web page could reach a server on loopback through a name that
resolves to 127.0.0.1 (DNS rebinding). Pure functions and one bounded table; no I/O.
"""

import hmac
from collections import OrderedDict
from collections.abc import Callable
from urllib.parse import urlsplit

from agrama.http.options import LOOPBACK, HttpOptions

# Buckets of clients that fell silent are full again anyway, so the oldest may be forgotten.
MAX_CLIENTS = 10_000


def _host_name(host: str) -> str:
    """`host` without its port; an IPv6 address keeps its brackets."""
    if host.startswith("["):
        return host[: host.find("]") + 1]
    return host.partition(":")[0]


def is_allowed_host(host: str, options: HttpOptions) -> bool:
    host = host.lower()
    return _host_name(host) in LOOPBACK or any(
        host == allowed or _host_name(host) == allowed
        for allowed in map(str.lower, options.allowed_hosts)
    )


def is_allowed_origin(origin: str, options: HttpOptions) -> bool:
    """Pages of this machine, and those listed. `null` (a sandboxed page or a file) is refused."""
    origin = origin.lower().rstrip("/")
    if origin in {allowed.lower().rstrip("/") for allowed in options.allowed_origins}:
        return True
    parts = urlsplit(origin)
    return parts.scheme in {"http", "https"} and _host_name(parts.netloc) in LOOPBACK


def is_authorized(authorization: str, token: str) -> bool:
    scheme, _, given = authorization.partition(" ")
    return scheme.lower() == "bearer" and hmac.compare_digest(
        given.strip().encode("utf-8", "replace"), token.encode()
    )


class RateLimiter:
    """A token bucket per client: `burst` at once, `per_second` sustained."""

    def __init__(self, burst: int, per_second: float, clock: Callable[[], float]) -> None:
        self._burst = float(burst)
        self._per_second = per_second
        self._clock = clock
        self._buckets: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def take(self, client: str) -> float:
        """Takes one token; 0.0, or the seconds after which one will be there."""
        now = self._clock()
        tokens, since = self._buckets.pop(client, (self._burst, now))
        tokens = min(self._burst, tokens + (now - since) * self._per_second)
        wait = 0.0 if tokens >= 1.0 else (1.0 - tokens) / self._per_second
        self._buckets[client] = (tokens - 1.0 if wait == 0.0 else tokens, now)
        while len(self._buckets) > MAX_CLIENTS:
            self._buckets.popitem(last=False)
        return wait
