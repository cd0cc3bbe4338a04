"""`agrama serve` itself, as the official client sees it: both transports, both eras."""

import asyncio
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import mcp_types as types
import pytest
from mcp import Client
from mcp.client.stdio import StdioServerParameters

COMMAND = ["-m", "agrama", "serve", "--no-index", "--toolsets", "all", "--root"]


@contextmanager
def target(transport: str, root: Path) -> Iterator[Any]:
    if transport == "stdio":
        home = {"AGRAMA_HOME": os.environ["AGRAMA_HOME"]}
        yield StdioServerParameters(command=sys.executable, args=[*COMMAND, str(root)], env=home)
        return
    command = [sys.executable, *COMMAND, str(root), "--transport", "http", "--port", "0"]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as process:
        assert process.stderr is not None
        try:
            yield process.stderr.readline().rpartition("serving ")[2].strip()
        finally:
            process.terminate()
        assert process.wait(20) == 0


@pytest.mark.parametrize("mode", ["legacy", "auto"])
@pytest.mark.parametrize("transport", ["stdio", "http"])
def test_an_agent_finds_and_reads_code(indexed: Path, transport: str, mode: Any) -> None:
    async def use(server: Any) -> None:
        async with asyncio.timeout(60), Client(server, mode=mode) as client:
            names = {tool.name for tool in (await client.list_tools()).tools}
            assert {"hybrid_search", "read_code", "server_stats"} <= names
            found = await client.call_tool("hybrid_search", {"query": "sum two amounts"})
            assert found.structured_content is not None
            assert found.structured_content["results"][0]["path"] == "shop/money.py"
            read = await client.call_tool("read_code", {"path": "shop/basket.py"})
            assert read.structured_content is not None
            assert "def checkout" in read.structured_content["content"]
            missing = await client.call_tool("read_code", {"path": "no/such.py"})
            part = missing.content[0]
            assert isinstance(part, types.TextContent)
            assert part.text

    with target(transport, indexed) as server:
        asyncio.run(use(server))
