"""A stdio server with one of everything the protocol has; run as a process by the wire tests.

`everything_server.py [--heartbeat] [--max-in-flight N] [--deadline SECONDS] [--page N]`
"""

import sys
import threading
import time
from collections.abc import Iterator, Mapping
from typing import Any

from agrama.context import Context, Later
from agrama.errors import StoreError, ToolError
from agrama.protocol.content import (
    ToolResult,
    audio,
    elicit,
    list_roots,
    resource_link,
    sample,
    text,
)
from agrama.registry import Prompt, PromptArgument, Registry, Resource, ResourceTemplate, Tool
from agrama.server import Options, Server
from agrama.stdio import serve

TEXT: dict[str, Any] = {"type": "string", "maxLength": 5_000_000}


def schema(required: tuple[str, ...] = (), **properties: Any) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": properties,
        "required": list(required),
        "additionalProperties": False,
    }


def echo(context: Context, arguments: dict[str, Any]) -> str:
    return str(arguments["text"])


def add(context: Context, arguments: dict[str, Any]) -> dict[str, Any]:
    return {"sum": arguments["a"] + arguments["b"]}


def wait(context: Context, arguments: dict[str, Any]) -> str:
    """Wait in small steps, looking up whether anybody still wants the answer."""
    end = time.monotonic() + arguments["seconds"]
    while time.monotonic() < end:
        if not arguments["stubborn"]:
            context.check()
        time.sleep(0.005)
    return "waited"


def fail(context: Context, arguments: dict[str, Any]) -> str:
    kind = arguments["kind"]
    if kind == "tool":
        raise ToolError("It did not work", data={"hint": "try another"})
    if kind == "store":
        raise StoreError("The store is broken")
    if kind == "recursion":
        return fail(context, arguments)
    raise ZeroDivisionError("a defect")


def count(context: Context, arguments: dict[str, Any]) -> str:
    for step in range(3):
        context.progress(step + 1, 3, f"step {step + 1}")
        context.log("info", {"step": step}, "counter")
        context.log("debug", "too quiet to hear")
    return "counted"


def parts(context: Context, arguments: dict[str, Any]) -> Iterator[str]:
    for number in range(arguments["count"]):
        yield f"part {number} " + "x" * arguments["size"]


def kinds(context: Context, arguments: dict[str, Any]) -> ToolResult:
    link = resource_link("test://static", "static", title="A link")
    return ToolResult(content=[text("plain"), link, audio(b"\0\1\2\3", "audio/wav")])


def ask(context: Context, arguments: dict[str, Any]) -> str:
    questions = {
        "elicitation": elicit("Your name?", schema(name={"type": "string"})),
        "sampling": sample([{"role": "user", "content": text("2+2?")}], max_tokens=10),
        "roots": list_roots(),
    }
    chosen = {key: questions[key] for key in arguments["what"]}
    answers = context.ask(chosen, state={"asked": arguments["what"]})
    return repr(sorted(answers)) + repr(context.state)


def later(context: Context, arguments: dict[str, Any]) -> Later:
    promise = context.later()
    threading.Timer(0.05, promise.resolve, [{"late": True}]).start()
    return promise


def big(context: Context, arguments: dict[str, Any]) -> str:
    return "x" * arguments["size"]


def wrong_output(context: Context, arguments: dict[str, Any]) -> dict[str, Any]:
    return {"sum": "not a number"}


def change_tools(context: Context, arguments: dict[str, Any]) -> str:
    server: Server = context.services
    if not server.registry.remove_tool("fresh"):
        server.registry.add(Tool("fresh", "A tool that was not there before.", echo, schema()))
    return "changed"


def touch(context: Context, arguments: dict[str, Any]) -> str:
    context.services.resource_updated(arguments["uri"])
    return "touched"


def read_static(context: Context, uri: str) -> str:
    return "static text"


def read_item(context: Context, uri: str, variables: Mapping[str, str]) -> str:
    return f"item {variables['id']}"


def render(context: Context, arguments: Mapping[str, str]) -> str:
    return f"Greet {arguments['name']} in {arguments.get('style', 'plain')} style"


def complete_style(context: Context, value: str, others: Mapping[str, str]) -> list[str]:
    styles = ["formal", "friendly", "plain", *(f"style {number}" for number in range(200))]
    return [style for style in styles if style.startswith(value)]


NUMBER = {"type": "number"}
TOOLS = (
    Tool("echo", "Say it back.", echo, schema(("text",), text=TEXT), free_text=frozenset({"text"})),
    Tool(
        "add",
        "Add two numbers.",
        add,
        schema(("a", "b"), a=NUMBER, b=NUMBER, note=TEXT),
        schema(("sum",), sum=NUMBER),
        "Addition",
        {"readOnlyHint": True},
        cacheable=True,
        aliases={"left": "a"},
        icons=({"src": "https://example.org/add.png", "mimeType": "image/png"},),
    ),
    Tool(
        "wait",
        "Take a while.",
        wait,
        schema(
            ("seconds",),
            seconds={"type": "number", "minimum": 0, "maximum": 60},
            stubborn={"type": "boolean", "default": False},
        ),
        slow=True,
    ),
    Tool("fail", "Fail.", fail, schema(("kind",), kind={"type": "string"})),
    Tool("count", "Report progress and log.", count, slow=True),
    Tool(
        "parts",
        "Answer in parts.",
        parts,
        schema(count={"type": "integer", "default": 3}, size={"type": "integer", "default": 10}),
    ),
    Tool("kinds", "All kinds of content.", kinds),
    Tool(
        "ask",
        "Ask the client.",
        ask,
        schema(("what",), what={"type": "array", "items": {"type": "string"}}),
        slow=True,
    ),
    Tool("later", "Answer after a while without holding a worker.", later, slow=True),
    Tool("big", "A big answer.", big, schema(("size",), size={"type": "integer", "minimum": 0})),
    Tool("wrong_output", "Breaks its promise.", wrong_output, None or schema(), schema(sum=NUMBER)),
    Tool("change_tools", "Add or remove a tool.", change_tools),
    Tool("touch", "Say that a resource changed.", touch, schema(("uri",), uri=TEXT)),
)
RESOURCES = (
    Resource("test://static", "static", read_static, "Static", "Never changes", ttl_ms=1000),
    ResourceTemplate(
        "test://item/{id}",
        "item",
        read_item,
        complete={"id": lambda context, value, others: [value + "1", value + "2"]},
    ),
)
PROMPT = Prompt(
    "greet",
    render,
    "Greeting",
    "Greets somebody.",
    (PromptArgument("name", "who", required=True), PromptArgument("style", "how")),
    {"style": complete_style},
)


def build(options: Options | None = None) -> Server:
    server = Server(
        "everything",
        "1.0",
        title="Everything",
        instructions="Try it.",
        registry=Registry(*TOOLS, *RESOURCES, PROMPT),
        options=options or Options(check_output=True),
    )
    server.services = server
    return server


def main() -> int:
    words = sys.argv[1:]
    options = Options(check_output=True)
    if "--max-in-flight" in words:
        options = options._replace(max_in_flight=int(words[words.index("--max-in-flight") + 1]))
    if "--deadline" in words:
        options = options._replace(deadline_seconds=float(words[words.index("--deadline") + 1]))
    if "--page" in words:
        options = options._replace(page_size=int(words[words.index("--page") + 1]))
    return serve(build(options), heartbeat="--heartbeat" in words)


if __name__ == "__main__":
    sys.exit(main())
