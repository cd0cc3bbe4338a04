"""The request's arena: everything one request owns or borrows, released in one go.

A context lends a snapshot of the store, knows the deadline and whether the client gave up, and is
the way to report progress, to log, and to ask the client something. Nothing it lends may be kept
after `release`. It lives on one thread at a time; only `cancel` may come from another.
"""

from collections.abc import Callable, Mapping
from typing import Any, NoReturn, Protocol

from agrama.errors import AgramaError, ToolError
from agrama.protocol.content import ClientRequest
from agrama.protocol.handshake import Caller
from agrama.protocol.messages import Request

DEFAULT_BUDGET_TOKENS = 8_000


class RequestCancelled(BaseException):
    """The client gave up on the request: unwind, nobody waits for the answer."""


class InputRequired(BaseException):
    """The request ends here with a question; the client asks again with the answers."""

    def __init__(self, requests: Mapping[str, ClientRequest], state: Any) -> None:
        super().__init__()
        self.requests = requests
        self.state = state


class NeedsWorker(BaseException):
    """What runs on the reader's thread is about to wait: it begins again on a worker's."""


class IndexRenewed(BaseException):
    """The index was brought up to date under the request: it begins again, once."""


class DeadlineError(ToolError):
    """The request took longer than it may."""


class Link(Protocol):
    """What a context needs of the connection its request came from."""

    principal: str | None

    def report_progress(
        self, context: "Context", progress: float, total: float | None, message: str | None
    ) -> None: ...

    def log(self, context: "Context", level: str, data: Any, logger: str | None) -> None: ...

    def ask(
        self, context: "Context", requests: Mapping[str, ClientRequest], state: Any
    ) -> Mapping[str, Any]: ...

    def defer(self, context: "Context") -> "Later": ...


class Host(Protocol):
    """What a context needs of the server."""

    @property
    def clock(self) -> Callable[[], int]: ...

    @property
    def services(self) -> Any: ...

    @property
    def open_snapshot(self) -> Callable[[], Any] | None: ...

    def report(self) -> dict[str, Any]: ...


class Later:
    """An answer that comes after `run` returned, from any thread; it holds no worker meanwhile."""

    __slots__ = ("_finish",)

    def __init__(self, finish: Callable[[Any], None]) -> None:
        self._finish = finish

    def resolve(self, result: Any) -> None:
        self._finish(result)

    def fail(self, error: AgramaError) -> None:
        self._finish(error)


class Context:
    """One request. Made by the peer, given to middleware and to what runs in the end."""

    # Defaults on the class: most requests set none of them, and setting costs on every one.
    cancelled = False
    inline = False
    renewed = False
    budget_tokens = DEFAULT_BUDGET_TOKENS
    files: list[tuple[str, int, int]] | None = None
    ttl_seconds: float | None = None
    state: Any = None
    input_responses: Mapping[str, Any] | None = None
    _snapshot: Any = None
    owned: list[Any] | None = None

    def __init__(
        self,
        link: Link,
        host: Host,
        request: Request,
        caller: Caller,
        started_ns: int,
        limit_ns: int,
    ) -> None:
        self._link = link
        self._host = host
        self.request = request
        self.caller = caller
        self.revision = caller.revision
        self.started_ns = started_ns
        self.deadline_ns = started_ns + limit_ns
        self.meta: dict[str, Any] = {}

    @property
    def principal(self) -> str | None:
        return self._link.principal

    @property
    def client_info(self) -> Mapping[str, Any]:
        return self.caller.client_info

    @property
    def client_capabilities(self) -> Mapping[str, Any]:
        return self.caller.capabilities

    @property
    def services(self) -> Any:
        """Whatever the server was given to serve from."""
        return self._host.services

    def report(self) -> dict[str, Any]:
        """How the server is doing, for `server_stats`."""
        return self._host.report()

    @property
    def snapshot(self) -> Any:
        """The store as it is now, opened at first use and the same until the request ends."""
        if self._snapshot is None:
            open_snapshot = self._host.open_snapshot
            if open_snapshot is None:
                raise ToolError("This server has no index open")
            self._snapshot = open_snapshot()
            self.own(self._snapshot)
        return self._snapshot

    def own(self, closable: Any) -> Any:
        """Close something when the request ends, last come first closed."""
        if self.owned is None:
            self.owned = []
        self.owned.append(closable)
        return closable

    def depends_on(self, path: str, mtime_ns: int, size_bytes: int) -> None:
        """A cached copy of this answer is dropped when that file no longer looks like this."""
        if self.files is None:
            self.files = []
        self.files.append((path, mtime_ns, size_bytes))

    def expire_in(self, seconds: float) -> None:
        """A cached copy of this answer lives no longer than this."""
        if self.ttl_seconds is None or seconds < self.ttl_seconds:
            self.ttl_seconds = seconds

    def before_waiting(self) -> None:
        """Call before anything that waits: on the thread that reads, the request goes to a worker."""
        if self.inline:
            raise NeedsWorker

    def begin_again(self) -> NoReturn:
        """Run the request once more, on the index as it is now."""
        self.release()
        self.renewed = True
        self.files = self.ttl_seconds = None
        raise IndexRenewed

    @property
    def remaining_seconds(self) -> float:
        return (self.deadline_ns - self._host.clock()) / 1e9

    def check(self) -> None:
        """Give up when nobody waits any more. Cheap: call it in every loop."""
        if self.cancelled:
            raise RequestCancelled
        if self._host.clock() > self.deadline_ns:
            raise self.lateness()

    def lateness(self) -> DeadlineError:
        """What a request past its deadline is answered with."""
        seconds = (self.deadline_ns - self.started_ns) / 1e9
        return DeadlineError(
            f"The request ran into its deadline of {seconds:g} s",
            data={"parameter": "arguments", "hint": "ask for less, or page through the answer"},
        )

    def cancel(self) -> None:
        self.cancelled = True

    def progress(
        self, progress: float, total: float | None = None, message: str | None = None
    ) -> None:
        """Tell how far the work is; silent unless the client asked for it."""
        if "progressToken" in self.request.meta:
            self._link.report_progress(self, progress, total, message)

    def log(self, level: str, data: Any, logger: str | None = None) -> None:
        """Send a log message to the client, if it wants that level."""
        self._link.log(self, level, data, logger)

    def ask(self, requests: Mapping[str, ClientRequest], state: Any = None) -> Mapping[str, Any]:
        """The client's answers by key. May end this request and be reached again by the next."""
        return self._link.ask(self, requests, state)

    def later(self) -> Later:
        """Return this from `run` to answer afterwards."""
        return self._link.defer(self)

    def release(self) -> None:
        """End of the request: close what it owned."""
        owned, self.owned, self._snapshot = self.owned, None, None
        if owned:
            for closable in reversed(owned):
                closable.close()


def run_again(
    function: Callable[[Context, dict[str, Any]], Any], context: Context, arguments: dict[str, Any]
) -> Any:
    """Run a tool's function, again when it had the index renewed."""
    try:
        return function(context, arguments)
    except IndexRenewed:
        return function(context, arguments)
