"""docs/protocol.md says what happens: its Python runs, its conversations are played."""

import json
import re
from pathlib import Path
from typing import Any

from agrama.protocol.messages import Outgoing
from agrama.protocol.revisions import REVISIONS

PAGE = Path(__file__).parents[1] / "docs" / "protocol.md"
BLOCK = re.compile(r"```(python|mcp)\n(.*?)```", re.DOTALL)


def test_every_block_is_true() -> None:
    page = PAGE.read_text()
    names: dict[str, Any] = {}
    arrived: list[bytes] = []
    peer: Any = None
    played = 0
    for kind, text in BLOCK.findall(page):
        if kind == "python":
            exec(compile(text, str(PAGE), "exec"), names)
            peer = None
            continue
        if peer is None or '"method":"initialize"' in text.splitlines()[0]:
            peer = names["server"].connect(lambda out: arrived.append(out.data), rate_limited=False)
        for line in text.splitlines():
            if line.startswith("> "):
                assert not arrived
                out: Outgoing | None = peer.receive(line[2:].encode())
                if out is not None:
                    arrived.append(out.data)
            else:
                assert json.loads(arrived.pop(0)) == json.loads(line[2:]), line
                played += 1
        assert not arrived
    assert played >= 30
    for revision in REVISIONS:
        assert f"\n### {revision}\n\n" in page
    assert "audit" in names
