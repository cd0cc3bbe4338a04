"""What a server offers: tools, resources, templates, prompts and middleware, one object each.

A registry may change while the server runs: every change tells its listeners, who tell the
clients (`notifications/.../list_changed`). Lists keep the order of registration.
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from agrama.context import Context
from agrama.protocol.content import ToolResult
from agrama.schema import Validator

ToolReturn: TypeAlias = "ToolResult | Mapping[str, Any] | str | Iterator[Any]"
Completer: TypeAlias = "Callable[[Context, str, Mapping[str, str]], Sequence[str]]"
Next: TypeAlias = "Callable[[Context, Any], Any]"
Middleware: TypeAlias = "Callable[[Context, Any, Next], Any]"

EMPTY_OBJECT: Mapping[str, Any] = {"type": "object", "properties": {}}


@dataclass(frozen=True, slots=True)
class Tool:
    """One tool. `run` gets arguments that passed `input_schema`, with aliases and defaults applied.

    `slow` sends it to the pool (anything above a millisecond, or that waits); `cacheable` says the
    answer depends only on arguments, generation and the files it names; `free_text` lists the
    parameters in which control characters have a meaning.
    """

    name: str
    description: str
    run: Callable[[Context, dict[str, Any]], Any]
    input_schema: Mapping[str, Any] = field(default_factory=lambda: dict(EMPTY_OBJECT))
    output_schema: Mapping[str, Any] | None = None
    title: str = ""
    annotations: Mapping[str, Any] | None = None
    toolset: str = "core"
    slow: bool = False
    cacheable: bool = False
    aliases: Mapping[str, str] = field(default_factory=dict)
    free_text: frozenset[str] = frozenset()
    deadline_seconds: float | None = None
    icons: Sequence[Mapping[str, Any]] = ()
    meta: Mapping[str, Any] | None = None


@dataclass(frozen=True, slots=True)
class Resource:
    """One thing that can be read. `read(context, uri)` gives text, bytes, or a list of contents."""

    uri: str
    name: str
    read: Callable[[Context, str], Any]
    title: str = ""
    description: str = ""
    mime_type: str = "text/plain"
    size: int | None = None
    annotations: Mapping[str, Any] | None = None
    icons: Sequence[Mapping[str, Any]] = ()
    ttl_ms: int = 0
    slow: bool = False


@dataclass(frozen=True, slots=True)
class ResourceTemplate:
    """A family of resources. `read(context, uri, variables)`; `{+path}` and `{path}` may hold slashes."""

    uri_template: str
    name: str
    read: Callable[[Context, str, Mapping[str, str]], Any]
    title: str = ""
    description: str = ""
    mime_type: str = "text/plain"
    annotations: Mapping[str, Any] | None = None
    complete: Mapping[str, Completer] = field(default_factory=dict)
    icons: Sequence[Mapping[str, Any]] = ()
    ttl_ms: int = 0
    slow: bool = False


@dataclass(frozen=True, slots=True)
class PromptArgument:
    """One argument of a prompt; prompts take strings only."""

    name: str
    description: str = ""
    required: bool = False
    title: str = ""


@dataclass(frozen=True, slots=True)
class Prompt:
    """One prompt. `render(context, arguments)` gives a string or a list of messages."""

    name: str
    render: Callable[[Context, Mapping[str, str]], Any]
    title: str = ""
    description: str = ""
    arguments: Sequence[PromptArgument] = ()
    complete: Mapping[str, Completer] = field(default_factory=dict)
    icons: Sequence[Mapping[str, Any]] = ()
    slow: bool = False


Entry: TypeAlias = Tool | Resource | ResourceTemplate | Prompt
_KEYS: dict[type, tuple[str, str]] = {
    Tool: ("tools", "name"),
    Resource: ("resources", "uri"),
    ResourceTemplate: ("templates", "uri_template"),
    Prompt: ("prompts", "name"),
}
# What a client is told has changed; templates are part of the resources.
CHANGED = {
    "tools": "tools",
    "resources": "resources",
    "templates": "resources",
    "prompts": "prompts",
}
_VARIABLE = re.compile(r"\{\+?([A-Za-z_][A-Za-z0-9_]*)\}")


@dataclass(frozen=True, slots=True)
class BoundTool:
    """A tool with its validators, as the server calls it."""

    tool: Tool
    validator: Validator
    output: Validator | None


class Registry:
    """Everything on offer, by kind and key."""

    def __init__(self, *entries: Entry) -> None:
        self.tools: dict[str, BoundTool] = {}
        self.resources: dict[str, Resource] = {}
        self.templates: dict[str, ResourceTemplate] = {}
        self.prompts: dict[str, Prompt] = {}
        self.version = 0  # counts changes, for whoever keeps something derived
        self.listeners: list[Callable[[str], None]] = []
        self._patterns: dict[str, re.Pattern[str]] = {}
        self.add(*entries)

    def add(self, *entries: Entry) -> None:
        """Offer something; an entry with the same key is replaced."""
        for entry in entries:
            kind, key = _KEYS[type(entry)]
            name = getattr(entry, key)
            if isinstance(entry, Tool):
                self.tools[name] = _bind(entry)
            else:
                getattr(self, kind)[name] = entry
            if isinstance(entry, ResourceTemplate):
                self._patterns[name] = _template_pattern(name)
            self._changed(kind)

    def remove(self, kind: str, key: str) -> bool:
        """Withdraw something by kind (`tools`, `resources`, `templates`, `prompts`) and key."""
        entries: dict[str, Any] = getattr(self, kind)
        if key not in entries:
            return False
        del entries[key]
        self._changed(kind)
        return True

    def remove_tool(self, name: str) -> bool:
        return self.remove("tools", name)

    def match_template(self, uri: str) -> tuple[ResourceTemplate, dict[str, str]] | None:
        """The first template a URI fits, and its variables, percent-decoded."""
        for key, template in self.templates.items():
            found = self._patterns[key].fullmatch(uri)
            if found:
                from urllib.parse import unquote

                return template, {name: unquote(value) for name, value in found.groupdict().items()}
        return None

    def knows_resource(self, uri: str) -> bool:
        return uri in self.resources or self.match_template(uri) is not None

    def _changed(self, kind: str) -> None:
        self.version += 1
        for listener in list(self.listeners):
            listener(CHANGED[kind])


def _bind(tool: Tool) -> BoundTool:
    output = Validator(tool.output_schema) if tool.output_schema is not None else None
    validator = Validator(tool.input_schema, aliases=tool.aliases, free_text=tool.free_text)
    return BoundTool(tool, validator, output)


def _template_pattern(template: str) -> re.Pattern[str]:
    """A template as a pattern. The last variable may hold slashes, the others one segment."""
    parts = _VARIABLE.split(template)
    last = len(parts) - 2
    pattern = ""
    for index, part in enumerate(parts):
        if index % 2 == 0:
            pattern += re.escape(part)
        else:
            pattern += f"(?P<{part}>.+)" if index == last else f"(?P<{part}>[^/]+)"
    return re.compile(pattern)


def template_variables(template: str) -> list[str]:
    return _VARIABLE.findall(template)
