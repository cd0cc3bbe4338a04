"""A whole piece of work as an agent does it, over the official client and a real server."""

import asyncio
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import mcp_types as types
from mcp import Client
from mcp.client.stdio import StdioServerParameters


def test_from_onboarding_to_a_decision_that_comes_back(indexed: Path) -> None:
    subprocess.run(["git", "init", "-q"], cwd=indexed, check=True)
    (indexed / "tests").mkdir()
    (indexed / "tests/test_money.py").write_text(
        "from shop.money import Money\n\n\ndef test_add():\n    assert Money(1).add(Money(2)).cents == 3\n"
    )
    server = StdioServerParameters(
        command=sys.executable,
        args=["-m", "agrama", "serve", "--allow-write", "--root", str(indexed)],
        env={"AGRAMA_HOME": os.environ["AGRAMA_HOME"], "PATH": os.environ["PATH"]},
    )
    asyncio.run(_work(server))
    assert "other.cents + self.cents" in (indexed / "shop/money.py").read_text()


async def _work(server: StdioServerParameters) -> None:
    async with asyncio.timeout(100), Client(server) as client:

        async def call(tool: str, **arguments: Any) -> dict[str, Any]:
            result = await client.call_tool(tool, arguments)
            assert not result.is_error, result.content
            assert result.structured_content is not None
            return result.structured_content

        prompt = await client.get_prompt("onboard")
        part = prompt.messages[0].content
        assert isinstance(part, types.TextContent)
        assert "shop/money.py" in part.text

        found = (await call("hybrid_search", query="sum two amounts"))["results"][0]
        assert found["path"] == "shop/money.py"

        read = await call("read_code", path=found["path"])
        references = await call("find_references", symbol="shop/money.py::Money.add")
        assert "shop/basket.py::Basket.put" in {row["symbol"] for row in references["references"]}

        await _wait_for_test(call)
        impact = await call("analyze_impact", symbols=["shop/money.py::Money.add"])
        assert impact["tests_to_run"][0]["symbol"] == "tests/test_money.py::test_add"

        written = await call(
            "write_code",
            path="shop/money.py",
            edits=[{"old": "self.cents + other.cents", "new": "other.cents + self.cents"}],
            expected_hash=read["content_hash"],
            reason="the other amount first",
            agent_id="ada",
        )
        assert written["impact"]["symbols"] == ["shop/money.py::Money.add"]

        await call(
            "record_decision",
            decision="The other amount comes first",
            reasoning="it reads as it is said",
            paths=["shop/money.py"],
        )
        again = await call("read_code", path="shop/money.py")
        assert again["content_hash"] == written["content_hash"]
        assert [row["decision"] for row in again["decisions"]] == ["The other amount comes first"]


async def _wait_for_test(call: Any) -> None:
    """The watcher sees the test file that was added before the server started."""
    for _ in range(200):
        if (await call("find_symbol", name="test_add"))["symbols"]:
            return
        await asyncio.sleep(0.1)
    raise AssertionError("the server never indexed tests/test_money.py")
