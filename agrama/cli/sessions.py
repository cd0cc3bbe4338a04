"""agrama sessions: what agents work on here, one session's messages, the live feed, the journal's health."""

import argparse
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import orjson

from agrama.cli.arguments import add_json, add_root, print_json
from agrama.workspace import Workspace

if TYPE_CHECKING:
    from agrama.session.hub import Hub


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("session", nargs="?", help="a session id, or the beginning of one")
    add_root(parser)
    what = parser.add_mutually_exclusive_group()
    what.add_argument("--follow", action="store_true", help="print events as they happen")
    what.add_argument("--events", action="store_true", help="print the events so far")
    what.add_argument("--export", choices=("json", "markdown"), help="write the session whole")
    what.add_argument("--verify", action="store_true", help="check the journal and its index")
    parser.add_argument("--status", choices=("open", "closed"), help="only these sessions")
    add_json(parser)


def run(arguments: argparse.Namespace) -> int:
    workspace = Workspace(arguments.root)
    try:
        if arguments.verify:
            return _verify(workspace.folder / "journal", as_json=arguments.json)
        hub = workspace.existing_hub
        if hub is None:
            print("there is no session here yet: agents make them", file=sys.stderr)
            return 0 if arguments.session is None else 1
        session = None if arguments.session is None else _find(hub, arguments.session)
        if arguments.follow or arguments.events:
            return follow_events(hub, session, live=arguments.follow, as_json=arguments.json)
        if session is None:
            return _list(hub, arguments.status, as_json=arguments.json)
        return _show(hub, session, arguments.export or ("json" if arguments.json else "markdown"))
    finally:
        workspace.close()


def _find(hub: "Hub", text: str) -> str:
    from agrama.session.rows import unknown_session

    with hub.read() as rows:
        found = [
            key.hex() for key, _ in rows.scan("sessions") if key.hex().startswith(text.lower())
        ]
    if len(found) != 1:
        raise unknown_session(text)
    return found[0]


def _list(hub: "Hub", status: str | None, *, as_json: bool) -> int:
    from agrama.session.overview import list_sessions

    found = list_sessions(hub, status=status)
    if as_json:
        print_json(found)
        return 0
    from agrama.cli.terminal import print_table

    rows = []
    for row in found:
        people = ", ".join(person["agent_id"] for person in row["participants"] if person["active"])
        last = row["last_activity"][:19].replace("T", " ")
        count = str(row["message_count"])
        rows.append([row["session_id"][:12], row["name"], row["status"], count, people, last])
    names = ("session", "name", "status", "messages", "participants", "last activity")
    print_table(names, rows, right=("messages",))
    return 0


def _show(hub: "Hub", session: str, shape: str) -> int:
    from agrama.session import messages
    from agrama.session.asleep import read_awake
    from agrama.session.overview import describe_session, render_markdown, session_decisions

    with read_awake(hub, session) as (rows, key, _):
        said = [messages.describe(record) for record in messages.read_after(rows, key, 0)]
        decided = session_decisions(rows, session)
    head = describe_session(hub, session)
    if shape == "markdown":
        print(render_markdown(head, said, decided), end="")
    else:
        print_json({"session": head, "messages": said, "decisions": decided})
    return 0


def follow_events(
    hub: "Hub",
    session: str | None,
    *,
    live: bool,
    as_json: bool,
    kinds: frozenset[str] = frozenset(),
) -> int:
    """Print what happened, or from now on what happens."""
    from agrama.session.events import describe, read_events

    key = None if session is None else bytes.fromhex(session)
    with hub.read() as rows:
        after = rows.last_seq if live else 0
    while True:
        if live:
            _wait(hub, after)
        with hub.read() as rows:
            for record in read_events(rows, key, after, kinds):
                _print_event(describe(record), as_json=as_json)
            after = rows.last_seq
        if not live:
            return 0


def _wait(hub: "Hub", after: int) -> None:
    """Return when there is something behind a seq."""
    import threading

    from agrama.session.waiting import Waiter

    came = threading.Event()

    def look(rows: Any, late: bool) -> bool:  # noqa: FBT001
        if rows.last_seq > after or late:
            came.set()
            return True
        return False

    hub.waiting.add(Waiter(look, time.monotonic() + 3600))
    came.wait()


def _print_event(event: dict[str, Any], *, as_json: bool) -> None:
    from agrama.session.events import render

    text = orjson.dumps(event).decode() if as_json else render(event)
    print(text, flush=True)


def _verify(folder: Path, *, as_json: bool) -> int:
    from agrama.session.check import verify_journal

    report = verify_journal(folder)
    if as_json:
        print_json(report)
    else:
        print(f"journal: {report['records']:,} records in {report['segments']} segments")
        print(f"index: {report['index']}")
        for line in report["damage"]:
            print(f"damaged: {line}")
        for line in report["repairs"]:
            print(f"repaired earlier: {line}")
    return 0 if report["healthy"] else 1
