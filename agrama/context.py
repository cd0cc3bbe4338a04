"""The request's arena: everything one request owns or borrows, released in one go.

A context lends a snapshot of the store, knows the deadline and whether the client gave up, and is
the way to report progress, to log, and to ask the client something. Nothing it lends may be kept
after `release`. It lives on one thread at a time; only `cancel` may come from another.
"""

from collections.abc import Callable, Mapping
from typing import Any, NoReturn, Protocol

from agrama.errors import AgramaError, ToolError
from agrama.protocol.content import ClientRequest
from agrama.protocol.messages import Request
from agrama.protocol.revisions import Revision

DEFAULT_BUDGET_TOKENS = 8_000


class RequestCancelled(BaseException):
    """The client gave up on the request: unwind, nobody waits for the answer."""


class InputRequired(BaseException):
    """The request ends here with a question; the client asks again with the answers."""

    def __init__(self, requests: Mapping[str, ClientRequest], state: Any) -> None:
        super().__init__()
        self.requests = requests
        self.state = state


class DeadlineError(ToolError):
    """The request took longer than it may."""


class Link(Protocol):
    """What a context needs of the connection its request came from."""

    def report_progress(
        self, context: "Context", progress: float, total: float | None, message: str | None
    ) -> None: ...

    def log(self, context: "Context", level: str, data: Any, logger: str | None) -> None: ...

    def ask(
        self, context: "Context", requests: Mapping[str, ClientRequest], state: Any
    ) -> Mapping[str, Any]: ...

    def defer(self, context: "Context") -> "Later": ...


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
    """One request. Made by the server, given to middleware and to what runs in the end."""

    __slots__ = (
        "_clock",
        "_link",
        "_open_snapshot",
        "_owned",
        "_snapshot",
        "budget_tokens",
        "cancelled",
        "client_capabilities",
        "client_info",
        "deadline_ns",
        "files",
        "input_responses",
        "meta",
        "principal",
        "report",
        "request",
        "revision",
        "services",
        "state",
        "ttl_seconds",
    )

    def __init__(
        self,
        link: Link,
        request: Request,
        revision: Revision,
        clock: Callable[[], int],
        deadline_ns: int,
        *,
        principal: str | None = None,
        services: Any = None,
        open_snapshot: Callable[[], Any] | None = None,
        report: Callable[[], dict[str, Any]] | None = None,
        client_info: Mapping[str, Any] | None = None,
        client_capabilities: Mapping[str, Any] | None = None,
    ) -> None:
        self._link = link
        self._clock = clock
        self._open_snapshot = open_snapshot
        self._snapshot: Any = None
        self._owned: list[Any] | None = None
        self.request = request
        self.revision = revision
        self.deadline_ns = deadline_ns
        self.principal = principal
        self.services = services
        self.report = report
        self.client_info = client_info
        self.client_capabilities = client_capabilities
        self.cancelled = False
        self.budget_tokens = DEFAULT_BUDGET_TOKENS
        self.meta: dict[str, Any] = {}
        self.files: list[tuple[str, int, int]] | None = None
        self.ttl_seconds: float | None = None
        self.state: Any = None
        self.input_responses: Mapping[str, Any] | None = None

    @property
    def snapshot(self) -> Any:
        """The store as it is now, opened at first use and the same until the request ends."""
        if self._snapshot is None:
            if self._open_snapshot is None:
                raise ToolError("This server has no index open")
            self._snapshot = self._open_snapshot()
            self.own(self._snapshot)
        return self._snapshot

    def own(self, closable: Any) -> Any:
        """Close something when the request ends, last come first closed."""
        if self._owned is None:
            self._owned = []
        self._owned.append(closable)
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

    @property
    def remaining_seconds(self) -> float:
        return (self.deadline_ns - self._clock()) / 1e9

    def check(self) -> None:
        """Give up when nobody waits any more. Cheap: call it in every loop."""
        if self.cancelled:
            raise RequestCancelled
        if self._clock() > self.deadline_ns:
            self._too_late()

    def _too_late(self) -> NoReturn:
        raise DeadlineError(
            "The request ran into its deadline",
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
        owned, self._owned, self._snapshot = self._owned, None, None
        if owned:
            for closable in reversed(owned):
                closable.close()
