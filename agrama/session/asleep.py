"""Reading a session that may have to fall asleep first.

Nothing watches idle sessions: the first who looks at one that was idle beyond its limit closes it,
under the write lock, and sees it closed. So does everybody after.
"""

import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from agrama.graph.ledger import Draft, Rows
from agrama.session.hub import Hub
from agrama.session.rows import read_session
from agrama.session.sessions import fall_asleep, idle_us


@contextmanager
def read_awake(hub: Hub, session_id: str) -> Iterator[tuple[Rows, bytes, dict[str, Any]]]:
    """A read transaction with key and row of a session, closed by now if it had to be."""
    put_to_sleep(hub, session_id)
    with hub.read() as rows:
        yield rows, *read_session(rows, session_id.lower())


def put_to_sleep(hub: Hub, session_id: str) -> None:
    session_id = session_id.lower()
    with hub.read() as rows:
        session, row = read_session(rows, session_id)
        idle = idle_us(rows, session, row, time.time_ns() // 1000)
    if idle is not None:

        def close(draft: Draft) -> None:
            fall_asleep(draft, *read_session(draft.rows, session_id))

        hub.write(close)
