"""The fixture's plain tools, resources and prompts: what each kind of content looks like on the wire."""

import struct
import time
import zlib
from collections.abc import Mapping
from typing import Any

from agrama.context import Context
from agrama.errors import ToolError
from agrama.protocol.content import ToolResult, audio, contents, embedded, image, message, text
from agrama.registry import Prompt, PromptArgument, Registry, Resource, ResourceTemplate, Tool

PAUSE_SECONDS = 0.05


def _chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def make_png() -> bytes:
    """One red pixel."""
    header = struct.pack(">IIBBBBB", 1, 1, 8, 2, 0, 0, 0)
    pixels = zlib.compress(b"\x00\xff\x00\x00")
    signature = b"\x89PNG\r\n\x1a\n"
    return signature + _chunk(b"IHDR", header) + _chunk(b"IDAT", pixels) + _chunk(b"IEND", b"")


def make_wav() -> bytes:
    """Eight samples of silence."""
    samples = bytes(8)
    body = struct.pack("<4sIHHIIHH", b"fmt ", 16, 1, 1, 8000, 8000, 1, 8)
    body += b"data" + struct.pack("<I", len(samples)) + samples
    return b"RIFF" + struct.pack("<I", 4 + len(body)) + b"WAVE" + body


PNG, WAV = make_png(), make_wav()

FULL_SCHEMA: dict[str, Any] = {
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    "type": "object",
    "$defs": {
        "address": {
            "$anchor": "addressDef",
            "type": "object",
            "properties": {"street": {"type": "string"}, "city": {"type": "string"}},
        }
    },
    "properties": {
        "name": {"type": "string"},
        "address": {"$ref": "#/$defs/address"},
        "contactMethod": {"type": "string", "enum": ["phone", "email"]},
        "phone": {"type": "string"},
        "email": {"type": "string"},
    },
    "allOf": [{"anyOf": [{"required": ["phone"]}, {"required": ["email"]}]}],
    "if": {"properties": {"contactMethod": {"const": "phone"}}, "required": ["contactMethod"]},
    "then": {"required": ["phone"]},
    "else": {"required": ["email"]},
    "additionalProperties": False,
}


def _mixed(context: Context, arguments: dict[str, Any]) -> ToolResult:
    entry = contents("test://mixed-content-resource", '{"pixels":1}', "application/json")
    return ToolResult(
        content=[text("A picture and a file:"), image(PNG, "image/png"), embedded(entry)]
    )


def _embedded(context: Context, arguments: dict[str, Any]) -> ToolResult:
    entry = contents("test://embedded-resource", "A file inside a result.", "text/plain")
    return ToolResult(content=[embedded(entry)])


def _fail(context: Context, arguments: dict[str, Any]) -> ToolResult:
    raise ToolError("This tool intentionally returns an error for testing")


def _log_three(context: Context, arguments: dict[str, Any]) -> str:
    for step in ("Tool execution started", "Tool processing data", "Tool execution completed"):
        context.log("info", step, logger="fixture")
        time.sleep(PAUSE_SECONDS)
    return "logged three times"


def _report_progress(context: Context, arguments: dict[str, Any]) -> str:
    for done in (0, 50, 100):
        context.progress(done, 100, f"{done} of 100")
        time.sleep(PAUSE_SECONDS)
    return "reported three times"


def _wait_for_client(context: Context, arguments: dict[str, Any]) -> str:
    """Longer than the fixture keeps a silent stream open, so that the client has to come back."""
    time.sleep(2.0)
    return "The client came back for this answer."


def _say(value: str) -> Any:
    return lambda context, arguments: value


def _show(part: dict[str, Any]) -> Any:
    return lambda context, arguments: ToolResult(content=[part])


def make_tools() -> list[Tool]:
    region = {"type": "string", "x-mcp-header": "Region"}
    region_schema = {"type": "object", "properties": {"region": region}, "required": ["region"]}
    return [
        Tool("test_simple_text", "One line of text", _say("A line of text.")),
        Tool("test_image_content", "One picture", _show(image(PNG, "image/png"))),
        Tool("test_audio_content", "One sound", _show(audio(WAV, "audio/wav"))),
        Tool("test_embedded_resource", "A file inside the result", _embedded),
        Tool("test_multiple_content_types", "Text, a picture and a file", _mixed),
        Tool("test_error_handling", "Always fails", _fail),
        Tool("test_tool_with_logging", "Logs three times", _log_three, slow=True),
        Tool("test_logging_tool", "Logs while it runs", _log_three, slow=True),
        Tool("test_tool_with_progress", "Reports progress", _report_progress, slow=True),
        Tool("test_reconnection", "Answers late", _wait_for_client, slow=True),
        Tool("test_x_mcp_header", "Wants a header", _say("seen"), input_schema=region_schema),
        Tool("json_schema_2020_12_tool", "Any schema", _say("fits"), input_schema=FULL_SCHEMA),
    ]


def _read_template(context: Context, uri: str, variables: Mapping[str, str]) -> str:
    return f'{{"id":"{variables["id"]}"}}'


def make_resources() -> list[Resource | ResourceTemplate]:
    return [
        Resource(
            "test://static-text",
            "static-text",
            lambda context, uri: "Text that never changes.",
            description="Text",
            ttl_ms=60_000,
        ),
        Resource(
            "test://static-binary",
            "static-binary",
            lambda context, uri: PNG,
            description="A picture",
            mime_type="image/png",
        ),
        Resource(
            "test://watched-resource",
            "watched-resource",
            lambda context, uri: "Watched.",
            description="Announces its changes",
        ),
        ResourceTemplate(
            "test://template/{id}/data",
            "template",
            _read_template,
            description="One file per id",
            mime_type="application/json",
            complete={"id": lambda context, value, others: [value + "1", value + "2"]},
        ),
    ]


def _with_arguments(context: Context, arguments: Mapping[str, str]) -> str:
    return f"First {arguments['arg1']!r}, then {arguments['arg2']!r}."


def _with_resource(context: Context, arguments: Mapping[str, str]) -> list[dict[str, Any]]:
    entry = contents(arguments["resourceUri"], "The file to look at.", "text/plain")
    return [message("user", embedded(entry)), message("user", "Look at the file.")]


def _with_image(context: Context, arguments: Mapping[str, str]) -> list[dict[str, Any]]:
    return [message("user", image(PNG, "image/png")), message("user", "Look at the picture.")]


def make_prompts() -> list[Prompt]:
    first = PromptArgument("arg1", "the first", required=True)
    second = PromptArgument("arg2", "the second", required=True)
    uri = PromptArgument("resourceUri", "what to embed", required=True)
    return [
        Prompt("test_simple_prompt", _say("A plain prompt."), description="No arguments"),
        Prompt(
            "test_prompt_with_arguments",
            _with_arguments,
            description="Two arguments",
            arguments=(first, second),
            complete={"arg1": lambda context, value, others: [value + "s", value + "ing"]},
        ),
        Prompt(
            "test_prompt_with_embedded_resource",
            _with_resource,
            description="A file inside",
            arguments=(uri,),
        ),
        Prompt("test_prompt_with_image", _with_image, description="A picture inside"),
    ]


def add_content(registry: Registry) -> None:
    registry.add(*make_tools(), *make_resources(), *make_prompts())
