"""Sessions and decisions as resources, and the news of their changes to whoever subscribed.

The process begins to follow the journal with its first subscription: one that nobody subscribes to is
not woken by the writes of others.
"""

import threading
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Protocol

from agrama.context import Context
from agrama.errors import AgramaError
from agrama.protocol.faults import UnknownResourceError
from agrama.registry import ResourceTemplate

if TYPE_CHECKING:
    from agrama.graph.ledger import Rows
    from agrama.workspace import Workspace

SESSION_URI = "agrama://session/"
DECISION_URI = "agrama://decision/"
_SHOWN_MESSAGES = 50


class Publisher(Protocol):
    """What this module needs of the server."""

    def resource_updated(self, uri: str) -> None: ...


def read_session(context: Context, uri: str, variables: Mapping[str, str]) -> str:
    """A session as a document: its last messages, its decisions."""
    from agrama.session import messages
    from agrama.session.asleep import read_awake
    from agrama.session.overview import describe_session, render_markdown, session_decisions

    hub, session_id = context.services.existing_hub, variables["id"].lower()
    if hub is None:
        raise UnknownResourceError(uri, hint="list_sessions shows what there is")
    try:
        with read_awake(hub, session_id) as (rows, session, _):
            head = describe_session(hub, session_id)
            after = max(0, head["message_count"] - _SHOWN_MESSAGES)
            said = [messages.describe(item) for item in messages.read_after(rows, session, after)]
            decided = session_decisions(rows, session_id)
    except AgramaError as error:
        raise UnknownResourceError(uri, hint="list_sessions shows what there is") from error
    return render_markdown(head, said, decided)


def read_decision(context: Context, uri: str, variables: Mapping[str, str]) -> str:
    """A decision as a Markdown record."""
    from agrama.session import adr, decisions

    hub = context.services.existing_hub
    digits = variables["id"].lstrip("Dd")
    row: dict[str, Any] | None = None
    if hub is not None and digits.isdecimal():
        with hub.read() as rows:
            row = decisions.read_decision(rows, int(digits))
    if row is None:
        raise UnknownResourceError(uri, hint="query_decisions shows what there is")
    return adr.render(decisions.describe(row))


TEMPLATES = (
    ResourceTemplate(
        SESSION_URI + "{id}",
        "session",
        read_session,
        title="Session",
        description="A session: participants, decisions, last messages",
        mime_type="text/markdown",
    ),
    ResourceTemplate(
        DECISION_URI + "{id}",
        "decision",
        read_decision,
        title="Decision",
        description="A decision and its reasons",
        mime_type="text/markdown",
    ),
)


class News:
    """Passes changes of sessions and decisions on to a server's subscribers."""

    def __init__(self, workspace: "Workspace", publisher: Publisher) -> None:
        self._workspace = workspace
        self._publisher = publisher
        self._lock = threading.Lock()
        self._following = False

    def subscribed(self, uri: str) -> None:
        """Somebody wants to hear of a resource: follow the journal from now on."""
        if not uri.startswith((SESSION_URI, DECISION_URI)):
            return
        with self._lock:
            if self._following:
                return
            self._following = True
        self._workspace.hub.waiting.listen(self._tell)

    def _tell(self, rows: "Rows", seen: int) -> None:
        from agrama.session.events import read_events

        uris: dict[str, None] = {}
        for record in read_events(rows, None, seen):
            if "session" in record:
                uris[SESSION_URI + record["session"]] = None
            if record["kind"] == "decision":
                uris[f"{DECISION_URI}D{record['number']}"] = None
                if "supersedes" in record:
                    uris[f"{DECISION_URI}D{record['supersedes']}"] = None
        for uri in uris:
            self._publisher.resource_updated(uri)
