"""What each MCP method answers, as functions of the offer, the context and the request.

They return plain results in the newest shape (or `Encoded` bytes); the peer shapes and sends them.
Lists are cut into pages; their order is that of registration.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from agrama.context import Context
from agrama.errors import MethodNotFoundError
from agrama.protocol.content import contents, message
from agrama.protocol.faults import UnknownResourceError, WrongCallError
from agrama.protocol.messages import Request
from agrama.protocol.revisions import SUPPORTED, Revision
from agrama.protocol.seal import decode_cursor, encode_cursor
from agrama.registry import (
    BoundTool,
    Prompt,
    Registry,
    Resource,
    ResourceTemplate,
    template_variables,
)
from agrama.schema import describe, did_you_mean

MAX_COMPLETIONS = 100
LIST_TTL_MS = 300_000
DISCOVER_TTL_MS = 3_600_000
# A tool that checks its own deadline gets this long to end with a better answer than ours.
GRACE_NS = 250_000_000
LEGACY_ONLY = frozenset(
    ("initialize", "ping", "logging/setLevel", "resources/subscribe", "resources/unsubscribe")
)
MODERN_ONLY = frozenset(("server/discover", "subscriptions/listen"))
RETRY_KEYS = frozenset(("requestState", "inputResponses"))


class Offer(NamedTuple):
    """What a server is and has, for the methods to answer from."""

    name: str
    version: str
    title: str
    instructions: str
    registry: Registry
    page_size: int

    def identity(self, revision: Revision) -> dict[str, Any]:
        info = {"name": self.name, "version": self.version}
        if self.title and revision.structured:
            info["title"] = self.title
        return info


def capabilities(revision: Revision) -> dict[str, Any]:
    found: dict[str, Any] = {
        "tools": {"listChanged": True},
        "resources": {"subscribe": True, "listChanged": True},
        "prompts": {"listChanged": True},
        "logging": {},
    }
    if revision.completions:
        found["completions"] = {}
    return found


def initialize(offer: Offer, revision: Revision) -> dict[str, Any]:
    result = {
        "protocolVersion": revision.name,
        "capabilities": capabilities(revision),
        "serverInfo": offer.identity(revision),
    }
    if offer.instructions:
        result["instructions"] = offer.instructions
    return result


def discover(offer: Offer, context: Context, request: Request) -> dict[str, Any]:
    result = {
        "supportedVersions": list(SUPPORTED),
        "capabilities": capabilities(context.revision),
        "ttlMs": DISCOVER_TTL_MS,
        "cacheScope": "public",
    }
    if offer.instructions:
        result["instructions"] = offer.instructions
    return result


def list_tools(offer: Offer, context: Context, request: Request) -> dict[str, Any]:
    bound = list(offer.registry.tools.values())
    return _page(offer, context, request, "tools", bound, describe_tool)


def list_resources(offer: Offer, context: Context, request: Request) -> dict[str, Any]:
    entries = list(offer.registry.resources.values())
    return _page(offer, context, request, "resources", entries, describe_resource)


def list_templates(offer: Offer, context: Context, request: Request) -> dict[str, Any]:
    entries = list(offer.registry.templates.values())
    return _page(offer, context, request, "resourceTemplates", entries, describe_template)


def list_prompts(offer: Offer, context: Context, request: Request) -> dict[str, Any]:
    entries = list(offer.registry.prompts.values())
    return _page(offer, context, request, "prompts", entries, describe_prompt)


def _page(
    offer: Offer,
    context: Context,
    request: Request,
    kind: str,
    entries: Sequence[Any],
    describe: Callable[[Any, Revision], dict[str, Any]],
) -> dict[str, Any]:
    cursor = request.params.get("cursor")
    start = 0 if cursor is None else decode_cursor(kind, cursor)
    end = start + offer.page_size
    result: dict[str, Any] = {
        kind: [describe(entry, context.revision) for entry in entries[start:end]]
    }
    if end < len(entries):
        result["nextCursor"] = encode_cursor(kind, end)
    return _cacheable(result, context.revision, LIST_TTL_MS, "public")


def _cacheable(
    result: dict[str, Any], revision: Revision, ttl_ms: int, scope: str
) -> dict[str, Any]:
    if revision.modern:
        result["ttlMs"] = ttl_ms
        result["cacheScope"] = scope
    return result


def describe_tool(bound: BoundTool, revision: Revision) -> dict[str, Any]:
    tool = bound.tool
    entry: dict[str, Any] = {
        "name": tool.name,
        "description": tool.description,
        "inputSchema": tool.input_schema,
    }
    if revision.structured and tool.output_schema is not None:
        entry["outputSchema"] = tool.output_schema
    if revision.annotations and tool.annotations:
        entry["annotations"] = tool.annotations
    return _decorate(entry, tool.title, tool.icons, tool.meta, revision)


def describe_resource(resource: Resource, revision: Revision) -> dict[str, Any]:
    entry: dict[str, Any] = {"uri": resource.uri, "name": resource.name}
    if resource.size is not None:
        entry["size"] = resource.size
    return _describe_common(entry, resource, revision)


def describe_template(template: ResourceTemplate, revision: Revision) -> dict[str, Any]:
    entry: dict[str, Any] = {"uriTemplate": template.uri_template, "name": template.name}
    return _describe_common(entry, template, revision)


def _describe_common(
    entry: dict[str, Any], source: Resource | ResourceTemplate, revision: Revision
) -> dict[str, Any]:
    if source.description:
        entry["description"] = source.description
    if source.mime_type:
        entry["mimeType"] = source.mime_type
    if source.annotations:
        entry["annotations"] = source.annotations
    return _decorate(entry, source.title, source.icons, None, revision)


def describe_prompt(prompt: Prompt, revision: Revision) -> dict[str, Any]:
    entry: dict[str, Any] = {"name": prompt.name}
    if prompt.description:
        entry["description"] = prompt.description
    entry["arguments"] = [
        _decorate(
            {"name": each.name, "description": each.description, "required": each.required},
            each.title,
            (),
            None,
            revision,
        )
        for each in prompt.arguments
    ]
    return _decorate(entry, prompt.title, prompt.icons, None, revision)


def _decorate(
    entry: dict[str, Any],
    title: str,
    icons: Sequence[Mapping[str, Any]],
    meta: Mapping[str, Any] | None,
    revision: Revision,
) -> dict[str, Any]:
    if title and revision.structured:
        entry["title"] = title
    if icons and revision.icons:
        entry["icons"] = list(icons)
    if meta and revision.structured:
        entry["_meta"] = meta
    return entry


def unknown_method(method: str, revision: Revision) -> MethodNotFoundError:
    here, elsewhere = (
        known_methods(modern=revision.modern),
        known_methods(modern=not revision.modern),
    )
    near = None if method.startswith("rpc.") else did_you_mean(method, here)
    if method in elsewhere:
        era = "the handshake revisions" if revision.modern else "2026-07-28"
        hint = f"it belongs to {era}"
    else:
        hint = f"did you mean {near!r}?" if near else "see the capabilities of the server"
    return MethodNotFoundError(
        f"Method not found: {method[:100]} ({hint})",
        data={
            "parameter": "method",
            "expected": f"a method of {revision.name}",
            "got": method[:100],
            "hint": hint,
        },
    )


def known_methods(*, modern: bool) -> list[str]:
    shared = [name for name in HANDLERS if name not in MODERN_ONLY]
    return ["tools/call", *shared, *(MODERN_ONLY if modern else LEGACY_ONLY)]


def choice_parameter(request: Request, name: str, choices: Sequence[str]) -> str:
    value = text_parameter(request, name)
    if value not in choices:
        expected = "one of " + ", ".join(choices)
        raise _wrong(name, expected, value, f"pass {expected}")
    return value


def find_tool(registry: Registry, request: Request) -> BoundTool:
    name = text_parameter(request, "name")
    bound = registry.tools.get(name)
    if bound is None:
        raise _unknown("tool", name, list(registry.tools))
    return bound


def find_prompt(registry: Registry, request: Request) -> Prompt:
    name = text_parameter(request, "name")
    prompt = registry.prompts.get(name)
    if prompt is None:
        raise _unknown("prompt", name, list(registry.prompts))
    return prompt


def find_resource(
    registry: Registry, request: Request
) -> tuple[Resource | ResourceTemplate, dict[str, str] | None]:
    uri = text_parameter(request, "uri")
    resource = registry.resources.get(uri)
    if resource is not None:
        return resource, None
    found = registry.match_template(uri)
    if found is None:
        near = did_you_mean(uri, registry.resources)
        raise UnknownResourceError(uri, hint=f"did you mean {near!r}?" if near else "")
    return found


def text_parameter(request: Request, name: str) -> str:
    value = request.params.get(name)
    if type(value) is not str or not value:
        raise _wrong(name, "a non-empty string", value, f"add {name!r} to params")
    return value


def _unknown(kind: str, name: str, known: list[str]) -> WrongCallError:
    near = did_you_mean(name, known)
    hint = f"did you mean {near!r}?" if near else f"see {kind}s/list"
    return WrongCallError(
        f"Unknown {kind}: {name[:100]}" + (f" (did you mean {near!r}?)" if near else ""),
        data={"parameter": "name", "expected": f"a listed {kind}", "got": name[:100], "hint": hint},
    )


def read_resource(offer: Offer, context: Context, request: Request) -> dict[str, Any]:
    source, variables = request.target
    uri = request.params["uri"]
    value = source.read(context, uri) if variables is None else source.read(context, uri, variables)
    if isinstance(value, str | bytes):
        value = [contents(uri, value, source.mime_type)]
    elif isinstance(value, Mapping):
        value = [value]
    return _cacheable({"contents": list(value)}, context.revision, source.ttl_ms, "private")


def get_prompt(offer: Offer, context: Context, request: Request) -> dict[str, Any]:
    prompt: Prompt = request.target
    arguments = request.params.get("arguments") or {}
    _check_prompt_arguments(prompt, arguments)
    value = prompt.render(context, arguments)
    messages = [message("user", value)] if isinstance(value, str) else list(value)
    result: dict[str, Any] = {"messages": messages}
    if prompt.description:
        result["description"] = prompt.description
    return result


def _check_prompt_arguments(prompt: Prompt, arguments: Any) -> None:
    if type(arguments) is not dict:
        raise _wrong("arguments", "an object", arguments, "pass arguments by name")
    known = {argument.name: argument for argument in prompt.arguments}
    listed = "known arguments: " + (", ".join(known) or "none")
    for name, value in arguments.items():
        if name not in known:
            near = did_you_mean(name, known)
            hint = f"did you mean {near!r}?" if near else listed
            raise _wrong(name[:100], "an argument of the prompt", value, hint)
        if type(value) is not str:
            raise _wrong(name, "a string", value, "arguments of prompts are strings")
    for name, argument in known.items():
        if argument.required and name not in arguments:
            raise _wrong(name, "a string", None, listed)


def _wrong(name: str, expected: str, got: Any, hint: str) -> WrongCallError:
    shown = "nothing" if got is None else describe(got)
    return WrongCallError(
        f"{name!r} must be {expected}, got {shown}",
        data={"parameter": name, "expected": expected, "got": shown, "hint": hint},
    )


def complete(offer: Offer, context: Context, request: Request) -> dict[str, Any]:
    reference, argument = request.params.get("ref"), request.params.get("argument")
    if type(reference) is not dict:
        raise _wrong("ref", "an object", reference, "name a prompt or a resource template")
    if type(argument) is not dict:
        raise _wrong("argument", "an object", argument, "give its name and value")
    name, value = argument.get("name"), argument.get("value")
    if type(name) is not str:
        raise _wrong("argument.name", "a string", name, "name the argument to complete")
    if type(value) is not str:
        raise _wrong(
            "argument.value", "a string", value, "give what is typed so far, or an empty string"
        )
    completers, known = _completers(offer.registry, reference)
    if name not in known:
        raise _unknown("argument", name, known)
    more = request.params.get("context")
    others = more.get("arguments") if type(more) is dict else None
    completer = completers.get(name)
    values = [] if completer is None else list(completer(context, value, others or {}))
    shown = values[:MAX_COMPLETIONS]
    return {
        "completion": {"values": shown, "total": len(values), "hasMore": len(values) > len(shown)}
    }


def _completers(
    registry: Registry, reference: Mapping[str, Any]
) -> tuple[Mapping[str, Any], list[str]]:
    kind = reference.get("type")
    if kind == "ref/prompt":
        prompt = registry.prompts.get(str(reference.get("name")))
        if prompt is None:
            raise _unknown("prompt", str(reference.get("name")), list(registry.prompts))
        return prompt.complete, [argument.name for argument in prompt.arguments]
    if kind == "ref/resource":
        uri = str(reference.get("uri"))
        template = registry.templates.get(uri)
        if template is None:
            raise UnknownResourceError(uri, hint="see resources/templates/list")
        return template.complete, template_variables(uri)
    raise _wrong("ref.type", "ref/prompt or ref/resource", kind, "set ref.type")


HANDLERS: dict[str, Callable[[Offer, Context, Request], Any]] = {
    "tools/list": list_tools,
    "resources/list": list_resources,
    "resources/templates/list": list_templates,
    "resources/read": read_resource,
    "prompts/list": list_prompts,
    "prompts/get": get_prompt,
    "completion/complete": complete,
    "server/discover": discover,
}
