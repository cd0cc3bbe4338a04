"""The official Python client against the fixture server: both transports, both eras, real processes."""

import asyncio
import subprocess
import sys
import warnings
from collections.abc import Awaitable, Callable, Iterator
from contextlib import AbstractAsyncContextManager
from pathlib import Path
from typing import Any

import mcp_types as types
import pytest
from mcp import Client, MCPDeprecationWarning
from mcp.client.stdio import StdioServerParameters
from mcp.client.subscriptions import ResourceUpdated, ToolsListChanged

FIXTURE = Path(__file__).parents[1] / "conformance" / "fixture_server.py"
WATCHED = "test://watched-resource"
Connect = Callable[..., AbstractAsyncContextManager[Client]]


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    process = subprocess.Popen(
        [sys.executable, str(FIXTURE), "--transport", "http"], stderr=subprocess.PIPE, text=True
    )
    assert process.stderr is not None
    try:
        yield process.stderr.readline().rpartition("serving ")[2].strip()
    finally:
        process.terminate()
    complaints = process.communicate(timeout=30)[1]
    assert (process.returncode, complaints) == (0, "")


@pytest.fixture(params=["stdio-legacy", "stdio-modern", "http-legacy", "http-modern"])
def connect(request: pytest.FixtureRequest) -> Connect:
    transport, _, era = request.param.partition("-")
    if transport == "http":
        target: Any = request.getfixturevalue("url")
    else:
        target = StdioServerParameters(command=sys.executable, args=[str(FIXTURE)])

    def make(**options: Any) -> AbstractAsyncContextManager[Client]:
        mode = "legacy" if era == "legacy" else "auto"
        return Client(target, mode=mode, read_timeout_seconds=20, **options)

    return make


def is_modern(client: Client) -> bool:
    return client.protocol_version == "2026-07-28"


def run(test: Awaitable[None]) -> None:
    async def bounded() -> None:
        async with asyncio.timeout(40):
            await test

    asyncio.run(bounded())


def said(result: types.CallToolResult) -> str:
    part = result.content[0]
    assert isinstance(part, types.TextContent)
    return part.text


async def eventually(check: Callable[[], Awaitable[bool]]) -> None:
    for _ in range(200):
        if await check():
            return
        await asyncio.sleep(0.02)
    raise AssertionError("did not happen")


def test_connects_and_learns_what_the_server_is(
    connect: Connect, request: pytest.FixtureRequest
) -> None:
    async def test() -> None:
        async with connect() as client:
            modern = "modern" in request.node.callspec.id
            assert client.protocol_version == ("2026-07-28" if modern else "2025-11-25")
            assert client.server_info is not None
            assert client.server_info.name == "agrama-fixture"
            assert client.server_capabilities.tools is not None
            if not modern:
                with warnings.catch_warnings(action="ignore", category=MCPDeprecationWarning):
                    await client.send_ping()

    run(test())


def test_lists_everything(connect: Connect) -> None:
    async def test() -> None:
        async with connect() as client:
            tools = {tool.name for tool in (await client.list_tools()).tools}
            assert {"test_simple_text", "test_x_mcp_header"} <= tools
            resources = {str(each.uri) for each in (await client.list_resources()).resources}
            assert WATCHED in resources
            templates = (await client.list_resource_templates()).resource_templates
            assert [each.uri_template for each in templates] == ["test://template/{id}/data"]
            prompts = {prompt.name for prompt in (await client.list_prompts()).prompts}
            assert "test_prompt_with_arguments" in prompts

    run(test())


def test_calls_reads_and_gets(connect: Connect) -> None:
    async def test() -> None:
        async with connect() as client:
            assert said(await client.call_tool("test_simple_text")) == "A line of text."
            failed = await client.call_tool("test_error_handling")
            assert failed.is_error
            assert said(await client.call_tool("test_x_mcp_header", {"region": "žluť"})) == "seen"
            read = (await client.read_resource("test://template/7/data")).contents[0]
            assert isinstance(read, types.TextResourceContents)
            assert read.text == '{"id":"7"}'
            prompt = await client.get_prompt(
                "test_prompt_with_arguments", {"arg1": "tea", "arg2": "cake"}
            )
            content = prompt.messages[0].content
            assert isinstance(content, types.TextContent)
            assert content.text == "First 'tea', then 'cake'."

    run(test())


def test_completes_an_argument(connect: Connect) -> None:
    async def test() -> None:
        async with connect() as client:
            reference = types.PromptReference(name="test_prompt_with_arguments")
            found = await client.complete(reference, {"name": "arg1", "value": "run"})
            assert found.completion.values == ["runs", "runing"]

    run(test())


def test_reports_progress(connect: Connect) -> None:
    async def test() -> None:
        seen: list[tuple[float, float | None, str | None]] = []

        async def collect(done: float, total: float | None, message: str | None) -> None:
            seen.append((done, total, message))

        async with connect() as client:
            answer = await client.call_tool("test_tool_with_progress", progress_callback=collect)
            assert said(answer) == "reported three times"
            assert seen == [(done, 100, f"{done} of 100") for done in (0, 50, 100)]

    run(test())


def test_sends_log_messages_of_a_call(connect: Connect) -> None:
    async def test() -> None:
        seen: list[Any] = []

        async def collect(params: types.LoggingMessageNotificationParams) -> None:
            seen.append(params.data)

        async with connect(logging_callback=collect, log_level="info") as client:
            await client.call_tool("test_tool_with_logging")

            async def all_seen() -> bool:
                return len(seen) == 3

            await eventually(all_seen)
            assert seen[0] == "Tool execution started"

    run(test())


def test_cancels_a_call_that_runs(connect: Connect) -> None:
    async def test() -> None:
        async with connect() as client:

            async def count() -> int:
                answer = await client.call_tool("count_cancelled")
                assert answer.structured_content is not None
                return int(answer.structured_content["cancelled"])

            before = await count()
            call = asyncio.create_task(client.call_tool("wait_for_cancel"))
            await asyncio.sleep(0.3)
            assert not call.done()
            assert await count() == before
            call.cancel()
            await asyncio.gather(call, return_exceptions=True)

            async def was_cancelled() -> bool:
                return await count() == before + 1

            await eventually(was_cancelled)
            assert said(await client.call_tool("test_simple_text")) == "A line of text."

    run(test())


def test_hears_of_an_updated_resource(connect: Connect) -> None:
    async def test() -> None:
        updated: list[str] = []

        async def collect(message: Any) -> None:
            if isinstance(message, types.ResourceUpdatedNotification):
                updated.append(str(message.params.uri))

        async with connect(message_handler=collect) as client:
            if is_modern(client):
                async with client.listen(resource_subscriptions=[WATCHED]) as events:
                    await client.call_tool("touch_watched_resource")
                    event = await anext(aiter(events))
                    assert isinstance(event, ResourceUpdated)
                    assert str(event.uri) == WATCHED
                return
            with warnings.catch_warnings(action="ignore", category=MCPDeprecationWarning):
                await client.subscribe_resource(WATCHED)
            await client.call_tool("touch_watched_resource")

            async def heard() -> bool:
                return bool(updated)

            await eventually(heard)
            assert updated == [WATCHED]

    run(test())


def test_hears_of_a_changed_tool_list(connect: Connect) -> None:
    async def test() -> None:
        heard: list[Any] = []

        async def collect(message: Any) -> None:
            if isinstance(message, types.ToolListChangedNotification):
                heard.append(message)

        async with connect(message_handler=collect) as client:
            if is_modern(client):
                async with client.listen(tools_list_changed=True) as events:
                    await client.call_tool("test_trigger_tool_change")
                    assert isinstance(await anext(aiter(events)), ToolsListChanged)
                return
            await client.call_tool("test_trigger_tool_change")

            async def arrived() -> bool:
                return bool(heard)

            await eventually(arrived)

    run(test())


def test_is_asked_by_a_tool_and_by_a_prompt(connect: Connect) -> None:
    async def fill_in(context: Any, params: Any) -> types.ElicitResult:
        return types.ElicitResult(
            action="accept", content={"name": "Ada", "color": "blue", "context": "tests"}
        )

    async def sample(context: Any, params: Any) -> types.CreateMessageResult:
        return types.CreateMessageResult(
            role="assistant", content=types.TextContent(text="Paris"), model="none"
        )

    async def test() -> None:
        async with connect(elicitation_callback=fill_in, sampling_callback=sample) as client:
            greeted = await client.call_tool("test_input_required_result_elicitation")
            assert said(greeted) == "Hello, Ada!"
            rounds = await client.call_tool("test_input_required_result_multi_round")
            assert said(rounds) == "Ada likes blue."
            sampled = await client.call_tool("test_sampling", {"prompt": "Capital of France?"})
            assert said(sampled) == "LLM response: Paris"
            prompt = await client.get_prompt("test_input_required_result_prompt")
            content = prompt.messages[0].content
            assert isinstance(content, types.TextContent)
            assert content.text == "In the context of tests."

    run(test())


def test_many_calls_at_once(connect: Connect) -> None:
    async def test() -> None:
        async with connect() as client:
            calls = [client.call_tool("test_simple_text") for _ in range(50)]
            slow = [client.call_tool("test_tool_with_progress") for _ in range(4)]
            answers = await asyncio.gather(*calls, *slow)
            assert [said(each) for each in answers[:50]] == ["A line of text."] * 50

    run(test())
