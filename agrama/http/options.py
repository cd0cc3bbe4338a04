"""Everything that can be set about the HTTP transport, in one frozen object."""

from dataclasses import dataclass
from pathlib import Path

from agrama.errors import AgramaError

LOOPBACK = frozenset({"localhost", "127.0.0.1", "[::1]"})


@dataclass(frozen=True, slots=True)
class HttpOptions:
    """Defaults are for one user on one machine: loopback only, Host and Origin checked.

    `allowed_hosts` (`name` or `name:port`) and `allowed_origins` (`https://name[:port]`) add to the
    loopback names. `poll_seconds` closes an unanswered SSE stream of 2025-11-25 after that time:
    the client comes back with Last-Event-ID, so no proxy has to hold a connection for long.
    """

    host: str = "127.0.0.1"
    port: int = 8620
    path: str = "/mcp"
    allowed_hosts: tuple[str, ...] = ()
    allowed_origins: tuple[str, ...] = ()
    token: str | None = None
    max_body_bytes: int = 4 << 20
    body_seconds: float = 30.0
    rate_burst: int = 1000
    rate_per_second: float = 100.0
    max_sessions: int = 1000
    session_idle_seconds: float = 3600.0
    # Events kept per session for Last-Event-ID; above the largest answer (10 MiB), so that one fits.
    retained_bytes: int = 16 << 20
    retained_events: int = 1000
    retained_seconds: float = 600.0
    # Messages a reader of a stateless stream may lag behind before it is let go.
    max_backlog: int = 1000
    keepalive_seconds: float = 15.0
    # A stateless answer may still need its own HTTP status, so the head waits for the first message.
    status_wait_seconds: float = 10.0
    retry_ms: int = 1000
    poll_seconds: float | None = None
    drain_seconds: float = 30.0


def read_token(path: str) -> str:
    """The bearer token in a file, without surrounding white space."""
    try:
        token = Path(path).read_text(encoding="ascii").strip()
    except (OSError, UnicodeDecodeError) as error:
        raise AgramaError(f"token file {path}: {error}; write one ASCII line into it") from error
    if not token:
        raise AgramaError(f"token file {path} is empty: write one ASCII line into it")
    return token
